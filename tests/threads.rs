//! Whatever is public goes to other threads. Fitted models, kernels and spaces say so in the tests of saving, for each of them.

use npt::{
    export,
    methods::{
        self, Alignment, Centroids, SvmMkl,
        linear::{
            CalibratedSvc, Cca, Chain, FastIca, HardMarginSvc, IterativeRidge, KMeans, Lda,
            Logistic, MulticlassSvc, NuSvc, OneClassSvm, Pca, PcaL1, Pls, RegressionDiscriminant,
            Ridge, RidgePath, Svc, Svr,
        },
        model_selection::{Candidates, Folds, GridSearch, SearchError},
        pre_image::{DistanceConstraints, FixedPoint, NearestSample, PreImageExt, PreImageRidge},
        preprocessing::Imputer,
        streaming::{CsvBlocks, NpyBlocks, ParquetBlocks, RandomPivots, Reservoir, SourceError},
    },
    model_file,
    prelude::*,
    watch,
};
use std::{fs::File, sync::Arc};

fn is_shared<T: Send + Sync>() {}

fn is_sent<T: Send>() {}

fn shared<T: Send + Sync>(_: T) {}

#[test]
fn errors() {
    is_shared::<npt::Error>();
    is_shared::<npt::KernelizedError<methods::Error>>();
    is_shared::<npt::PipelineError<linfa::Error, methods::Error>>();
    is_shared::<methods::Error>();
    is_shared::<SearchError<npt::KernelizedError<methods::Error>>>();
    is_shared::<SourceError>();
    is_shared::<model_file::Error>();
    is_shared::<export::Error>();
    is_shared::<watch::Interrupted<methods::Error>>();
    is_shared::<npt::ParameterError>();
}

#[test]
fn parameters_of_linear_methods() {
    shared(CalibratedSvc::params());
    shared(Cca::params(2));
    shared(Chain::new(Pca::params(2), Lda::params()));
    shared(FastIca::params());
    shared(HardMarginSvc::params());
    shared(IterativeRidge::params());
    shared(KMeans::params(2));
    shared(Logistic::params());
    shared(MulticlassSvc::params());
    shared(NuSvc::params(0.5));
    shared(OneClassSvm::params(0.5));
    shared(PcaL1::params(2));
    shared(Pls::params(2));
    shared(RegressionDiscriminant::params(2));
    shared(Ridge::params());
    shared(RidgePath::params(&[1.0]));
    shared(Svc::params());
    shared(Svr::params());
    shared(Imputer::<f64>::mean());
}

#[test]
fn parameters_of_kernel_methods() {
    let kernel = Gaussian::new(0.5);
    shared(Kfd::params(kernel));
    shared(KpcaLda::params(2, kernel));
    shared(KernelSvc::params(kernel));
    shared(KernelCca::params(2, kernel, Linear::new()));
    shared(GaussianProcess::params(kernel));
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
    is_shared::<Folds>();
    let spaces = Candidates::new().kernel("gaussian", kernel);
    let methods = Candidates::new().over("C", [1.0], |c| Svc::params().c(c));
    shared(GridSearch::new(spaces, methods));
}

#[test]
fn streams() {
    is_shared::<Reservoir<f64>>();
    is_shared::<CsvBlocks<File>>();
    is_shared::<NpyBlocks<File>>();
    is_shared::<watch::CancellationToken>();
    is_sent::<ParquetBlocks<File>>();
}
