//! Values that are no models, saved in one file: parameters of every method, builders of spaces, and their parts.

use super::support::{Visitor, numbers, sides, x, x_new};
use ndarray::array;
use npt::{
    Dual, Given, KernelMethod, LandmarkForecast, NamedKernel, ParameterValue, ReadyKernels,
    export::libsvm::{LibsvmModel, SvmType, from_text},
    linfa::DatasetBase,
    methods::{
        Alignment, Centroids, GaussianProcessParams, KernelCcaParams, NoveltyDetectorParams,
        OptimizedGaussianProcessParams, RobustKpcaParams, SvmMkl, View,
        linear::{
            CalibratedSvc, CalibratedSvcParams, Cca, CcaParams, Chain, Contrast, FastIca,
            FastIcaParams, HardMarginSvc, HardMarginSvcParams, IterativeRidge,
            IterativeRidgeParams, KMeans, KMeansParams, Lda, LdaParams, Logistic, LogisticParams,
            MulticlassSvc, MulticlassSvcParams, NuSvc, NuSvcParams, OneClassSvm, OneClassSvmParams,
            PairWeight, Pca, PcaL1, PcaL1Params, PcaParams, Pls, PlsParams, QuantileRegression,
            QuantileRegressionParams, RegressionDiscriminant, RegressionDiscriminantParams, Ridge,
            RidgeParams, RidgePath, RidgePathParams, Scatter, Strategy, Svc, SvcParams, Svr,
            SvrParams,
        },
        model_selection::{After, ByCoordinates, ByKernelValues, Candidate, GridSearch},
        pre_image::{
            DistanceConstraints, FixedPoint, NearestSample, PreImageExt, PreImageRidge,
            WithPreImage,
        },
        preprocessing::{
            Imputer, ImputerParams, OneHot, OneHotParams, StandardScaler, StandardScalerParams,
        },
        streaming::{PassSums, RandomPivots},
    },
    prelude::*,
    tables::{Categories, CsvBlocks},
};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

type OfGaussian<M> = KernelMethod<M, Exact<Gaussian<f64>>>;

/// Returns 1 if two values print the same, as they do only if all of their numbers are the same; 0 otherwise.
fn is_same(one: &impl Debug, other: &impl Debug) -> f64 {
    f64::from(u8::from(format!("{one:?}") == format!("{other:?}")))
}

/// Makes a struct of all names, types and values.
macro_rules! table {
    ($($name:ident: $type:ty = $value:expr;)+) => {
        #[derive(Debug, Serialize, Deserialize)]
        struct Parameters {
            $($name: $type),+
        }

        impl Parameters {
            fn new() -> Self {
                Self { $($name: $value),+ }
            }

            /// Compares each value with the one when the file was written: 1 if it is the same.
            fn are_same(&self) -> Vec<f64> {
                let now = Self::new();
                vec![$(is_same(&self.$name, &now.$name)),+]
            }
        }
    };
}

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.3)
}

table! {
    calibrated_svc: CalibratedSvcParams = CalibratedSvc::params().c(2.0).balanced(true).folds(4).seed(1);
    cca: CcaParams = Cca::params(2).ridge(0.1);
    chain: Chain<PcaParams, LdaParams> = Chain::new(Pca::params(3), Lda::params());
    contrasts: Vec<FastIcaParams> = [Contrast::LogCosh, Contrast::Exp, Contrast::Cube]
        .map(|contrast| FastIca::params().components(2).contrast(contrast)).into();
    hard_margin_svc: HardMarginSvcParams = HardMarginSvc::params().tolerance(1e-4);
    iterative_ridge: IterativeRidgeParams = IterativeRidge::params().penalty(0.1).pivots(7);
    kmeans: KMeansParams = KMeans::params(3).starts(4).resolution(1e-4);
    lda: Vec<LdaParams> = [Scatter::Between, Scatter::Total]
        .map(|scatter| Lda::params().components(1).ridge(0.1).scatter(scatter)).into();
    logistic: LogisticParams = Logistic::params().penalty(0.1).max_iterations(7);
    multiclass_svc: Vec<MulticlassSvcParams> = [Strategy::OneAgainstOne, Strategy::OneAgainstRest]
        .map(|strategy| MulticlassSvc::params().strategy(strategy)).into();
    nu_svc: NuSvcParams = NuSvc::params(0.3).balanced(true);
    one_class_svm: OneClassSvmParams = OneClassSvm::params(0.3).tolerance(1e-4);
    pca: PcaParams = Pca::params(2);
    pca_l1: PcaL1Params = PcaL1::params(2).starts(5).seed(3);
    pls: PlsParams = Pls::params(2);
    quantile_regression: QuantileRegressionParams = QuantileRegression::params().quantile(0.9).c(2.0);
    regression_discriminant: Vec<RegressionDiscriminantParams> =
        [PairWeight::Distance, PairWeight::Root, PairWeight::Equal]
            .map(|weight| RegressionDiscriminant::params(1).threshold(0.2).weight(weight)).into();
    ridge: RidgeParams = Ridge::params().penalties(&[0.1, 1.0]).intercept(false);
    ridge_path: RidgePathParams = RidgePath::params(&[0.1, 1.0]);
    svc: SvcParams = Svc::params().class_c(1.0, 3.0).strategy(Strategy::OneAgainstRest);
    svr: [SvrParams; 2] = [Svr::params().c(2.0).epsilon(0.2), Svr::params().nu(0.4)];

    kernel_ridge: OfGaussian<RidgeParams> = KernelRidge::params(kernel());
    kernel_ridge_by_coordinates: Kernelized<RidgeParams, Exact<Gaussian<f64>>>
        = KernelRidge::params(kernel()).by_coordinates();
    gaussian_process: GaussianProcessParams<Exact<Gaussian<f64>>>
        = GaussianProcess::params(kernel()).noises(&[0.1, 1.0]).mean_of_targets(true);
    gaussian_process_by_coordinates: GaussianProcessParams<Exact<Gaussian<f64>>, ByCoordinates>
        = GaussianProcess::params(kernel()).noise(0.1).by_coordinates();
    optimized_gaussian_process: OptimizedGaussianProcessParams<Gaussian<f64>>
        = GaussianProcess::optimized(kernel()).noise(0.1).restarts(2).seed(5);
    kernel_cca: KernelCcaParams<Exact<Gaussian<f64>>, Exact<Linear>>
        = KernelCca::params(2, kernel(), Linear::new()).ridge(0.1);
    novelty_detector: NoveltyDetectorParams<Exact<Gaussian<f64>>>
        = NoveltyDetector::params(kernel()).quantile(0.9);
    robust_kpca: RobustKpcaParams<f64> = RobustKpca::params(2, kernel()).fidelity(0.5);
    pipeline: Pipeline<ImputerParams, OfGaussian<SvcParams>>
        = Pipeline::new(Imputer::median(), KernelSvc::params(kernel())).with_missing_values();
    imputers: [ImputerParams; 4] = [
        Imputer::mean(),
        Imputer::median().most_frequent_of([2, 0]),
        Imputer::most_frequent(),
        Imputer::constant(0.5),
    ];
    one_hot: [OneHotParams; 2] = [OneHot::params(), OneHot::params().columns([0, 3])];

    exact: [Exact<Gaussian<f64>>; 3] = [
        Exact::new(kernel()).rank(Rank::Tolerance(1e-6)).axes(Axes::Principal),
        Exact::new(kernel()).rank(Rank::Variance(0.9)).axes(Axes::Cholesky).centered(false),
        Exact::new(kernel()).rank(Rank::Components(3)).landmarks_only(true),
    ];
    indefinite: [Indefinite; 2] = [Indefinite::Refuse, Indefinite::Clip];
    nystrom: [Nystrom<Gaussian<f64>, Pivoting>; 4] = [
        Pivoting::random(6).seed(3),
        Pivoting::greedy(6).tolerance(0.1),
        Pivoting::uniform(6),
        Pivoting::by_leverage(6, 0.1),
    ].map(|pivoting| Nystrom::new(kernel(), pivoting));
    given: Nystrom<Gaussian<f64>, Given<Rows<f64>>>
        = Nystrom::new(kernel(), Given(Rows::new(x_new()).unwrap()));
    centroids: Centroids = Centroids::new(6).seed(3);
    random_pivots: RandomPivots = RandomPivots::new(6).tolerance(0.1).seed(3);
    random_fourier: RandomFourier<Gaussian<f64>>
        = RandomFourier::new(kernel(), 8).orthogonal(false).structured(true).seed(3);
    tensor_sketch: TensorSketch<f64> = TensorSketch::new(Polynomial::new(2, 0.5, 1.0), 8).seed(3);
    homogeneous_features: HomogeneousFeatures<AdditiveChiSquared>
        = HomogeneousFeatures::new(AdditiveChiSquared::new(), 3);
    matern: [Matern<f64>; 3] = [Matern::half(0.8), Matern::three_halves(0.8), Matern::five_halves(0.8)];
    values_of_parameters: Vec<ParameterValue> = vec![
        ParameterValue::Real(0.5),
        ParameterValue::Integer(2),
        ParameterValue::List(vec![1.0, 2.0]),
        ParameterValue::Text("ab".into()),
        ParameterValue::Boolean(true),
    ];
    named_kernel: NamedKernel<Rows<f64>, f64>
        = Rows::ready_kernels().read("gaussian(gamma = 0.5) + 2 * linear").unwrap();

    fixed_point: WithPreImage<OfGaussian<PcaParams>, FixedPoint>
        = Kpca::params(3, kernel()).pre_image(FixedPoint::new().starts(2).seed(3));
    distance_constraints: DistanceConstraints = DistanceConstraints::new().neighbours(4);
    nearest_sample: NearestSample = NearestSample;
    pre_image_ridge: PreImageRidge<Gaussian<f64>> = PreImageRidge::new(kernel(), 0.1);

    by_kernel_values: GridSearch<RidgeParams, Exact<Gaussian<f64>>, ByKernelValues>
        = GridSearch::new(vec![Exact::new(kernel())], vec![Ridge::params()]).paired();
    after_imputer: GridSearch<RidgeParams, Exact<Gaussian<f64>>, After<ImputerParams, ByCoordinates>>
        = GridSearch::new(vec![Exact::new(kernel())], vec![Ridge::params()])
            .score_names(["r²"]).by_coordinates().after(Imputer::mean());
    alignment: [Alignment<Gaussian<f64>>; 2] = [
        Alignment::joint(vec![kernel(), Gaussian::new(1.0)]),
        Alignment::independent(vec![kernel()]),
    ];
    svm_mkl: SvmMkl<Gaussian<f64>> = SvmMkl::new(vec![kernel()]).c(2.0).norm(1.5);
    views: [View; 2] = [View::First, View::Second];
    candidate: Candidate = Candidate { space: 1, method: 2 };

    categories: Categories = {
        let table = "colour,size\nred,1\nblue,2\n";
        let blocks = CsvBlocks::new(table.as_bytes()).unwrap().categorical(&["colour"]);
        let mut blocks = blocks.unwrap();
        blocks.read_records().unwrap();
        blocks.categories()
    };
    dual: Dual<Ridge<f64>, f64> = {
        let one = x().slice_move(ndarray::s![..4, ..1]);
        let targets = one.column(0).mapv(|value| 2.0 * value);
        let method = Ridge::params().fit(&DatasetBase::new(one, targets)).unwrap();
        Dual { method, coefficients: array![[0.5], [1.0]], offsets: array![0.25] }
    };
    // A measured forecast would be another one each time.
    forecast: LandmarkForecast
        = serde_json::from_str(r#"{"samples":300,"bytes":8,"seconds":[1e-6,1e-9]}"#).unwrap();
    sums: PassSums = PassSums { of_coordinates: array![[1.0, 2.0]], of_ones: array![3.0] };

    libsvm_types: [SvmType; 5] = [
        SvmType::CSvc, SvmType::NuSvc, SvmType::OneClass, SvmType::EpsilonSvr, SvmType::NuSvr,
    ];
}

pub(crate) fn each(visitor: &mut impl Visitor) {
    visitor.model("parameters", Parameters::new, |all| Ok(all.are_same()));
    visitor.model(
        "libsvm",
        || -> LibsvmModel<Rows<f64>> {
            let text = "svm_type c_svc\nkernel_type polynomial\ndegree 2\ngamma 0.5\ncoef0 1\nnr_class 2\ntotal_sv 3\n\
                        rho 0.25\nlabel 4 5\nnr_sv 2 1\nSV\n1 1:1 3:-2\n0.75 2:3\n-1.75 1:0.1\n";
            from_text(text).unwrap()
        },
        |model| Ok(numbers::<ndarray::Ix2>(model.try_transform(&x_new())?)),
    );
    visitor.model(
        "pipeline_of_scaler",
        || -> Pipeline<StandardScalerParams, OfGaussian<SvcParams>> {
            Pipeline::new(
                StandardScaler::params(),
                KernelSvc::params(kernel()).method(|m| m.tolerance(1e-12)),
            )
        },
        |pipeline| {
            let model = pipeline.fit(&sides())?;
            Ok(numbers::<ndarray::Ix1>(model.decision_function(&x_new())?))
        },
    );
    visitor.model(
        "kernel_svc_of_named_columns",
        || {
            let data = sides().with_feature_names(vec!["length", "width", "height"]);
            KernelSvc::params(kernel()).fit(&data).unwrap()
        },
        |model| {
            let lengths = model.feature_names().iter().map(|name| name.len() as f64);
            let mut all: Vec<f64> = lengths.collect();
            all.extend(model.decision_function(&x_new())?);
            Ok(all)
        },
    );
}

/// Each entry of the table is the same after it is written and read.
#[test]
fn parameters_come_back() {
    let bytes = npt::model_file::to_bytes(&Parameters::new()).unwrap();
    let again: Parameters = npt::model_file::from_bytes(&bytes).unwrap();
    assert!(again.are_same().iter().all(|same| *same == 1.0));
    let mut other = again;
    other.pca = Pca::params(3);
    assert_eq!(
        other.are_same().iter().filter(|same| **same == 0.0).count(),
        1
    );
}
