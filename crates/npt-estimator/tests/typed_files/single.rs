//! Typed models of f32 that were saved are loaded as a [`Model`] of f64.

use super::*;

/// The largest difference between answers in f64 and in f32, relative to the largest answer: those in f32 are sums of 20 kernel values
/// whose rounding, 6e-8 of each, the coefficients enlarge. It is 1e-6 at most where it was measured; machines differ in their instructions.
const TOLERANCE: f64 = 5e-6;

type Typed<F> = ExpansionModel<
    linear::Ridge<F>,
    Rows<F>,
    npt_core::Sum<Gaussian<F>, npt_core::Scaled<Linear, F>>,
    F,
>;

fn kernel() -> npt_core::Sum<Gaussian<f32>, npt_core::Scaled<Linear, f32>> {
    Gaussian::new(0.5_f32) + Linear::new().scaled(0.125)
}

fn single<D: ndarray::Dimension>(values: &ndarray::Array<f64, D>) -> ndarray::Array<f32, D> {
    values.mapv(|value| value as f32)
}

fn sparse<F: npt_core::Scalar>(x: &Array2<F>) -> SparseRows<F> {
    SparseRows::new(&sprs::CsMat::csr_from_dense(x.view(), F::zero())).unwrap()
}

fn assert_near(found: &Array2<f64>, expected: &Array2<f32>) {
    let scale = expected
        .iter()
        .fold(0.0, |most: f64, v| most.max(v.abs().into()));
    assert_eq!(found.dim(), expected.dim());
    for (found, &expected) in found.iter().zip(expected) {
        let apart = (found - f64::from(expected)).abs();
        assert!(apart <= TOLERANCE * scale, "{found} {expected}");
    }
}

/// Fits a typed method in f32; returns its model, and the model that is loaded from its file.
macro_rules! both {
    ($params:expr, $targets:expr) => {{
        let data = DatasetBase::new(single(&matrix()), $targets);
        let typed = $params.fit(&data).unwrap();
        let model = loaded(&typed).unwrap();
        assert_eq!(
            model.kernel(),
            "sum(gaussian(gamma = 0.5), scaled(factor = 0.125, linear))"
        );
        assert_eq!(loaded(&model).unwrap().to_string(), model.to_string());
        (typed, model)
    }};
}

#[test]
fn numbers_become_double() {
    let x = single(&new_matrix());
    macro_rules! transforms {
        ($params:expr, $targets:expr) => {
            let (typed, model) = both!($params, $targets);
            let expected: Array2<f32> = typed.transform(x.clone());
            assert_near(&model.transform(&new()).unwrap(), &expected);
        };
    }
    transforms!(Kpca::params(2, kernel()), nothing());
    transforms!(KpcaL1::params(2, kernel()), nothing());
    transforms!(KernelIca::params(2, kernel()), nothing());
    transforms!(
        KernelRegressionDiscriminant::params(2, kernel()),
        single(&numbers())
    );
    transforms!(Kfd::params(kernel()), words());
    let nystrom = Nystrom::new(kernel(), Pivoting::greedy(6));
    transforms!(Kpca::params(2, kernel()).space(|_| nystrom), nothing());

    macro_rules! predicts {
        ($params:expr, $targets:expr) => {
            let (typed, model) = both!($params, $targets);
            let expected: Array1<f32> = typed.try_predict(&x).unwrap();
            let Predictions::Numbers(found) = model.predict(&new()).unwrap() else {
                unreachable!();
            };
            assert_near(&found, &expected.insert_axis(Axis(1)));
        };
    }
    predicts!(KernelRidge::params(kernel()), single(&numbers()));
    predicts!(IterativeKernelRidge::params(kernel()), single(&numbers()));
    predicts!(KernelPls::params(2, kernel()), single(&numbers()));
    predicts!(KernelSvr::params(kernel()), single(&numbers()));
    predicts!(
        KernelQuantileRegression::params(kernel()),
        single(&numbers())
    );

    macro_rules! decides {
        ($params:expr, $targets:expr) => {
            let (typed, model) = both!($params, $targets);
            let expected: Array1<f32> = typed.decision_function(&x).unwrap();
            let found = model.decision_function(&new()).unwrap();
            assert_near(&found, &expected.insert_axis(Axis(1)));
        };
    }
    decides!(KernelSvc::params(kernel()), two());
    decides!(KernelOneClassSvm::params(0.3, kernel()), nothing());
    let (typed, model) = both!(KernelSvc::params(kernel()), words());
    let expected: Array2<f32> = typed.decision_function(&x).unwrap();
    assert_near(&model.decision_function(&new()).unwrap(), &expected);
    macro_rules! has_probabilities {
        ($params:expr) => {
            let (typed, model) = both!($params, words());
            let expected: Array2<f32> = typed.predict_probabilities(&x).unwrap();
            assert_near(&model.predict_probabilities(&new()).unwrap(), &expected);
        };
    }
    has_probabilities!(KernelLogistic::params(kernel()));
    has_probabilities!(KernelCalibratedSvc::params(kernel()).method(|m| m.folds(3)));

    let process = GaussianProcess::params(kernel()).noise(0.1);
    let (typed, model) = both!(process, single(&numbers()));
    let (means, variances) = typed.predict_with_variance(&x).unwrap();
    let (found_means, found_variances) = model.predict_with_variance(&new()).unwrap();
    assert_near(&column(found_means), &means.insert_axis(Axis(1)));
    assert_near(&column(found_variances), &variances.insert_axis(Axis(1)));
    let (typed, model) = both!(NoveltyDetector::params(kernel()), nothing());
    let expected: Array1<bool> = typed.try_predict(&x).unwrap();
    let expected = Predictions::Novel(expected.to_vec());
    assert_eq!(model.predict(&new()).unwrap(), expected);
    let (typed, model) = both!(KernelKMeans::params(3, kernel()), nothing());
    let expected: Array1<usize> = typed.try_predict(&x).unwrap();
    let expected = Predictions::Clusters(expected.to_vec());
    assert_eq!(model.predict(&new()).unwrap(), expected);

    let typed = RobustKpca::params(2, Gaussian::new(0.5_f32));
    let typed = typed.fit(&DatasetBase::from(single(&matrix()))).unwrap();
    let expected = typed.reconstruct(&x).unwrap();
    let found = loaded(&typed).unwrap().reconstruct(&new()).unwrap();
    assert_near(&found, &expected);
}

/// Sparse samples and rows of a kernel matrix.
#[test]
fn samples_of_other_types_become_double() {
    macro_rules! same {
        ($kernel:expr, $samples:expr, $new:expr, $wide:expr) => {
            let data = DatasetBase::new($samples, single(&numbers()));
            let typed = KernelRidge::params($kernel).fit(&data).unwrap();
            let expected: Array1<f32> = typed.try_predict(&$new).unwrap();
            let found = loaded(&typed).unwrap().predict(&Data::new($wide)).unwrap();
            let Predictions::Numbers(found) = found else {
                unreachable!();
            };
            assert_near(&found, &expected.insert_axis(Axis(1)));
        };
    }
    let few = |x: Array2<f64>| x.mapv(|v| if v.abs() < 0.5 { 0.0 } else { v });
    let new = few(new_matrix());
    let kernel = Sparse::new(Gaussian::new(0.5_f32));
    let samples = sparse(&single(&few(matrix())));
    same!(kernel, samples, sparse(&single(&new)), sparse(&new));

    let gaussian = Gaussian::new(0.5);
    let (x, new) = (
        Rows::new(matrix()).unwrap(),
        Rows::new(new_matrix()).unwrap(),
    );
    let (gram, cross) = (gaussian.gram(&x), gaussian.cross(&new, &x));
    same!(
        npt_core::Precomputed::new(),
        npt_core::KernelRows::training(single(&gram).view()).unwrap(),
        npt_core::KernelRows::new_samples(single(&cross).view()).unwrap(),
        npt_core::KernelRows::new_samples(cross.view()).unwrap()
    );
}

/// The samples and the coefficients of a typed model lose nothing, and a typed model of f64 is still not read from a file of f32.
#[test]
fn only_models_by_name_widen() {
    let data = DatasetBase::new(single(&matrix()), single(&numbers()));
    let typed = KernelRidge::params(kernel()).fit(&data).unwrap();
    let bytes = npt_model_file::to_bytes(&typed).unwrap();
    assert!(npt_model_file::from_bytes::<Typed<f32>>(&bytes).is_ok());
    let error = npt_model_file::from_bytes::<Typed<f64>>(&bytes).unwrap_err();
    assert!(
        error.to_string().contains("list of f32, not a list of f64"),
        "{error}"
    );
}
