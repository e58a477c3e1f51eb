//! Tests that every public type can be sent to other threads and shared with them, unless the test names the reason.
//!
//! Types that can be saved are checked by the tests of saving, where each model has to be `Send` and `Sync`. Here are the types that no file
//! holds, and parameters that hold values of other types.

use npt::{
    Catalogue, ExactSpace, KernelProducts, LinearForm, RawFeatures, Selected, SpaceAdvice,
    TrainingSamples,
    catalogue::{DescriptionError, Entry, Fault, Heading, ParameterEntry, Parts, Range},
    estimator, export,
    methods::{
        self, Alignment, Centroids, SvmMkl,
        linear::{Chain, Lda, Pca, Svc},
        model_selection::{Candidates, Decisions, GridSearch, Probabilities, SearchError},
        pre_image::{
            DistanceConstraints, FixedPoint, NearestSample, PreImageExt, PreImageRidge, Training,
        },
        preprocessing::{Imputer, OneHot, StandardScaler},
        streaming::{ClassMoments, CoordinateMoments, Passes, RandomPivots},
    },
    model_file,
    prelude::*,
    tables::{
        Column, CsvBlocks, CsvFormat, CsvRows, Encoding, NpyBlocks, NpyRows, ParquetBlocks,
        ParquetRows, Place, Row, SourceError,
    },
    watch,
};
use std::{any::type_name, collections::BTreeSet, fs::File, sync::Arc};

/// The crate and the name of a type, as the list of the public API has them, without the modules between.
fn name<T: ?Sized>() -> (&'static str, &'static str) {
    let path = type_name::<T>().split('<').next().unwrap_or_default();
    let (module, name) = path.rsplit_once("::").unwrap_or_default();
    (module.split("::").next().unwrap_or_default(), name)
}

fn is_shared<T: Send + Sync>() -> (&'static str, &'static str) {
    name::<T>()
}

fn is_sent<T: Send>() -> (&'static str, &'static str) {
    name::<T>()
}

fn is_seen<T: Sync>() -> (&'static str, &'static str) {
    name::<T>()
}

fn shared<T: Send + Sync>(_: T) {}

/// The public types that no file holds, from the list of the public API.
fn kept_in_no_file() -> BTreeSet<(&'static str, &'static str)> {
    let mut types = BTreeSet::new();
    let mut of = ("", "");
    for line in include_str!("../docs/api.txt").lines() {
        if !line.starts_with(' ') {
            let (path, kind) = line.split_once(' ').unwrap_or_default();
            let (module, name) = path.rsplit_once("::").unwrap_or_default();
            of = (module.split("::").next().unwrap_or_default(), name);
            if ["(struct)", "(enum)"].contains(&kind) {
                types.insert(of);
            }
        } else if line.contains("Deserialize<'de> for ") {
            types.remove(&of);
        }
    }
    types
}

/// The types without any field, as most kernel methods are: they hold nothing that could not be sent.
fn without_fields() -> BTreeSet<(&'static str, &'static str)> {
    let mut types = BTreeSet::new();
    let mut of = ("", "");
    for line in include_str!("../docs/api.txt").lines() {
        if !line.starts_with(' ') {
            let path = line.split(' ').next().unwrap_or_default();
            let (module, name) = path.rsplit_once("::").unwrap_or_default();
            of = (module.split("::").next().unwrap_or_default(), name);
        } else if line.trim() == format!("pub struct {};", of.1) {
            types.insert(of);
        }
    }
    types
}

#[test]
fn whatever_no_file_keeps() {
    let asked = [
        errors(),
        kernels_and_spaces(),
        streams(),
        watched(),
        exported(),
        by_name(),
    ];
    let asked: BTreeSet<_> = asked.concat().into_iter().collect();
    let public = kept_in_no_file();
    assert!(public.len() > 60, "{public:?}");
    let public = &public - &without_fields();
    assert_eq!(
        public.difference(&asked).collect::<Vec<_>>(),
        [&("", ""); 0]
    );
    assert_eq!(
        asked.difference(&public).collect::<Vec<_>>(),
        [&("", ""); 0]
    );
}

/// A `Carrier` is dropped on the thread that made it, though others may use it meanwhile. A `Progress` is about the work of its thread alone.
/// The readers of Parquet's columns are of another crate, and no two threads may use one at once.
#[test]
fn what_is_not_shared() {
    let said = include_str!("../docs/api.txt").lines().map(str::trim);
    let lacks = |line: &&str| line.contains(" !Send for ") || line.contains(" !Sync for ");
    let all: Vec<&str> = said.filter(lacks).collect();
    let known = [
        "impl !Send for Carrier",
        "impl !Send for Progress",
        "impl !Sync for Progress",
        "impl<R> !Sync for ParquetRows<R>",
    ];
    assert_eq!(all, known);
}

type Names = Vec<(&'static str, &'static str)>;

fn errors() -> Names {
    vec![
        is_shared::<npt::Error>(),
        is_shared::<npt::KernelizedError<methods::Error>>(),
        is_shared::<npt::PipelineError<linfa::Error, methods::Error>>(),
        is_shared::<npt::ParameterError>(),
        is_shared::<DescriptionError>(),
        is_shared::<Fault>(),
        is_shared::<methods::Error>(),
        is_shared::<SearchError<npt::KernelizedError<methods::Error>>>(),
        is_shared::<SourceError>(),
        is_shared::<model_file::Error>(),
        is_shared::<export::Error>(),
        is_shared::<watch::Interrupted<methods::Error>>(),
    ]
}

type Numbers = Rows<f64>;
type OfGaussian = ExactSpace<Numbers, Gaussian<f64>>;

fn kernels_and_spaces() -> Names {
    vec![
        is_shared::<FnKernel<fn(&[f64], &[f64]) -> f64>>(),
        is_shared::<FromSamples<fn(&Numbers) -> Result<Exact<Gaussian<f64>>, npt::Error>>>(),
        is_shared::<Decisions<ndarray::Array1<f64>, bool>>(),
        is_shared::<Probabilities<f64, String>>(),
        is_shared::<Catalogue<Numbers, f64>>(),
        is_shared::<Entry<Numbers, f64>>(),
        is_shared::<Heading>(),
        is_shared::<ParameterEntry>(),
        is_shared::<Parts>(),
        is_shared::<Range>(),
        is_shared::<SpaceAdvice>(),
        is_shared::<RawFeatures<f64>>(),
        is_shared::<Selected<Numbers, f64>>(),
        is_shared::<LinearForm<'_, Numbers, f64>>(),
        is_shared::<KernelProducts<'_, Numbers, Gaussian<f64>, f64>>(),
        is_shared::<Training<'_, OfGaussian>>(),
        is_shared::<TrainingSamples<'_, Numbers, Exact<Gaussian<f64>>>>(),
    ]
}

fn streams() -> Names {
    vec![
        is_shared::<CoordinateMoments<&OfGaussian>>(),
        is_shared::<CoordinateMoments<&OfGaussian, ClassMoments<String>>>(),
        is_shared::<Passes<'_, Numbers, f64, fn()>>(),
        is_shared::<Column>(),
        is_shared::<Place>(),
        is_shared::<Row<'_>>(),
        is_shared::<CsvBlocks<File>>(),
        is_shared::<NpyBlocks<File>>(),
        is_sent::<ParquetBlocks<File>>(),
        is_shared::<CsvFormat>(),
        is_shared::<CsvRows<File>>(),
        is_shared::<Encoding>(),
        is_shared::<NpyRows<File>>(),
        is_sent::<ParquetRows<File>>(),
    ]
}

fn watched() -> Names {
    vec![
        is_shared::<watch::CancellationToken>(),
        is_shared::<watch::Snapshot>(),
        is_shared::<watch::Steps>(),
        is_shared::<watch::Unfinished>(),
        is_seen::<watch::Carrier>(),
        name::<watch::Progress>(),
    ]
}

fn exported() -> Names {
    vec![
        is_shared::<model_file::Contents>(),
        is_shared::<model_file::Item>(),
        is_shared::<export::libsvm::Outputs>(),
        is_shared::<export::libsvm::Pairs<'_, f64>>(),
        is_shared::<export::onnx::Attribute>(),
        is_shared::<export::onnx::Element>(),
        is_shared::<export::onnx::Graph>(),
        is_shared::<export::onnx::Labels>(),
        is_shared::<export::onnx::Value>(),
    ]
}

fn by_name() -> Names {
    vec![
        is_shared::<estimator::Ability>(),
        is_shared::<estimator::Column>(),
        is_shared::<estimator::Data>(),
        is_shared::<estimator::Error>(),
        is_shared::<estimator::Found>(),
        is_shared::<estimator::Predictions>(),
        is_shared::<estimator::Learned>(),
        is_shared::<estimator::TargetKind>(),
        is_shared::<estimator::Targets>(),
    ]
}

/// Parameters of linear methods are checked where they are defined.
#[test]
fn parameters_of_transformers_and_chains() {
    shared(Chain::new(Pca::params(2), Lda::params()));
    shared(Imputer::<f64>::mean());
    shared(OneHot::params());
    shared(StandardScaler::params());
}

#[test]
fn parameters_of_kernel_methods() {
    let kernel = Gaussian::new(0.5);
    shared(Kfd::params(kernel));
    shared(KpcaLda::params(2, kernel));
    shared(KernelSvc::params(kernel));
    shared(KernelCca::params(2, kernel, Linear::new()));
    shared(GaussianProcess::params(kernel));
    shared(GaussianProcess::params(kernel).by_coordinates());
    shared(GaussianProcess::optimized(kernel));
    shared(NoveltyDetector::params(kernel));
    shared(RobustKpca::params(2, kernel));
    shared(KernelRidge::params(
        Arc::new(kernel) as Arc<dyn Kernel<Rows<f64>, Scalar = f64>>
    ));
    shared(Kpca::params(2, kernel).pre_image(FixedPoint::new()));
    shared(DistanceConstraints::new());
    shared(NearestSample);
    shared(PreImageRidge::new(kernel, 0.1));
    shared(Alignment::joint(vec![kernel]));
    shared(SvmMkl::new(vec![kernel]));
}

#[test]
fn spaces_and_searches() {
    let kernel = Gaussian::new(0.5);
    shared(Exact::new(kernel));
    shared(Nystrom::new(kernel, Pivoting::random(3)));
    shared(Nystrom::new(kernel, Centroids::new(3)));
    shared(RandomFourier::new(kernel, 3));
    shared(TensorSketch::new(Polynomial::new(2, 1.0, 1.0), 4));
    shared(HomogeneousFeatures::new(AdditiveChiSquared::new(), 2));
    shared(Kernelized::new(Pca::params(2), Exact::new(kernel)));
    shared(RandomPivots::new(3));
    let spaces = Candidates::new().kernel("gaussian", kernel);
    let methods = Candidates::new().over("C", [1.0], |c| Svc::params().c(c));
    shared(GridSearch::new(spaces, methods));
}
