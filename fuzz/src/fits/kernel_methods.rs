//! Every kernel method.

use super::{Case, Run, c, counted, numbers};
use ndarray::{Array2, Ix1, Ix2};
use npt::{
    Scalar,
    methods::{
        Alignment, SvmMkl,
        linear::{Ridge, Svc},
        pre_image::{DistanceConstraints, FixedPoint, NearestSample, PreImageExt, PreImageRidge},
        preprocessing::Imputer,
    },
    prelude::*,
};

fn kernel<F: Scalar>(case: &Case<F>) -> Gaussian<F> {
    Gaussian::new(case.width)
}

#[expect(clippy::too_many_lines, reason = "it is a list")]
pub(super) fn all<F: Scalar>() -> Vec<(&'static str, Run<F>)> {
    vec![
        ("kernel svc", |case| {
            let svc = KernelSvc::params(kernel(case)).method(|m| m.c(case.penalty));
            let model = svc.fit(&case.with_sides())?;
            Ok(numbers(model.decision_function(&case.x_new)?))
        }),
        ("kernel svc of classes", |case| {
            let model = KernelSvc::params(Linear::new()).fit(&case.with_classes())?;
            Ok(numbers(model.decision_function(&case.x_new)?))
        }),
        ("kernel multiclass svc", |case| {
            let svc = KernelSvc::params(kernel(case)).method(|m| m.c(case.penalty));
            let model = svc.fit(&case.with_classes())?;
            Ok(numbers(model.decision_function(&case.x_new)?))
        }),
        ("kernel calibrated svc", |case| {
            let svc = KernelCalibratedSvc::params(kernel(case)).method(|m| m.folds(2));
            let model = svc.fit(&case.with_classes())?;
            Ok(numbers(model.predict_probabilities(&case.x_new)?))
        }),
        ("kernel ν-svc", |case| {
            let model = KernelNuSvc::params(0.3, kernel(case)).fit(&case.with_sides())?;
            Ok(numbers(model.decision_function(&case.x_new)?))
        }),
        ("kernel hard margin", |case| {
            let model = KernelHardMarginSvc::params(kernel(case)).fit(&case.with_sides())?;
            Ok(numbers(model.decision_function(&case.x_new)?))
        }),
        ("kernel one class", |case| {
            let model = KernelOneClassSvm::params(0.3, kernel(case)).fit(&case.alone())?;
            Ok(counted(&model.try_predict(&case.x_new)?))
        }),
        ("kernel svr", |case| {
            let svr = KernelSvr::params(kernel(case)).method(|m| m.c(case.penalty));
            let model = svr.fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.x_new)?))
        }),
        ("kfd", |case| {
            let model = Kfd::params(kernel(case)).fit(&case.with_classes())?;
            Ok(counted(&model.try_predict(&case.x_new)?))
        }),
        ("kernel logistic", |case| {
            let logistic = KernelLogistic::params(kernel(case)).method(|m| m.penalty(case.penalty));
            let model = logistic.fit(&case.with_classes())?;
            Ok(numbers(model.predict_probabilities(&case.x_new)?))
        }),
        ("kpca and lda", |case| {
            let model = KpcaLda::params(case.components, kernel(case)).fit(&case.with_classes())?;
            Ok(counted(&model.try_predict(&case.x_new)?))
        }),
        ("kernel k-means", |case| {
            let model = KernelKMeans::params(case.components, kernel(case)).fit(&case.alone())?;
            Ok(counted(&model.try_predict(&case.x_new)?))
        }),
        ("kernel ridge", |case| {
            let ridge = KernelRidge::params(kernel(case)).method(|m| m.penalty(case.penalty));
            let model = ridge.fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.x_new)?))
        }),
        ("kernel ridge, its penalty chosen", |case| {
            let penalties = [case.penalty, 1.0];
            let ridge = KernelRidge::params(kernel(case)).method(|m| m.penalties(&penalties));
            let model = ridge.fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.x_new)?))
        }),
        ("kernel ridge behind a transformer", |case| {
            let ridge = KernelRidge::params(kernel(case)).method(|m| m.penalty(case.penalty));
            let model = Pipeline::new(Imputer::mean(), ridge).fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.x_new)?))
        }),
        ("iterative kernel ridge", |case| {
            let ridge = IterativeKernelRidge::params(kernel(case));
            let model = ridge
                .method(|m| m.penalty(case.penalty))
                .fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.x_new)?))
        }),
        ("kernel pls", |case| {
            let model =
                KernelPls::params(case.components, kernel(case)).fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.x_new)?))
        }),
        ("gaussian process", |case| {
            let process = GaussianProcess::params(kernel(case)).noise(case.penalty);
            let model = process.fit(&case.with_values())?;
            let (means, variances) = model.predict_with_variance(&case.x_new)?;
            Ok([numbers(means), numbers(variances)].concat())
        }),
        ("gaussian process by coordinates", |case| {
            let process = GaussianProcess::params(kernel(case)).noise(case.penalty);
            let process = process.by_coordinates();
            let model = process.fit(&case.with_values())?;
            let (means, variances) = model.predict_with_variance(&case.x_new)?;
            Ok([numbers(means), numbers(variances)].concat())
        }),
        ("optimized gaussian process", |case| {
            let model = GaussianProcess::optimized(kernel(case)).fit(&case.with_values())?;
            Ok(numbers(model.try_predict(&case.x_new)?))
        }),
        ("kpca", |case| {
            let model = Kpca::params(case.components, kernel(case)).fit(&case.alone())?;
            Ok(numbers::<_, Ix2>(model.try_transform(&case.x_new)?))
        }),
        ("kpca of products", |case| {
            let model = Kpca::params(case.components, Linear::new()).fit(&case.alone())?;
            Ok(numbers::<_, Ix2>(model.try_transform(&case.x_new)?))
        }),
        ("kpca-l1", |case| {
            let model = KpcaL1::params(case.components, kernel(case)).fit(&case.alone())?;
            Ok(numbers::<_, Ix2>(model.try_transform(&case.x_new)?))
        }),
        ("kernel ica", |case| {
            let ica = KernelIca::params(case.components, kernel(case));
            let model = ica.method(|m| m.tolerance(1e-3)).fit(&case.alone())?;
            Ok(numbers::<_, Ix2>(model.try_transform(&case.x_new)?))
        }),
        ("kernel regression discriminant", |case| {
            let method = KernelRegressionDiscriminant::params(1, kernel(case));
            let model = method.fit(&case.with_values())?;
            Ok(numbers::<_, Ix2>(model.try_transform(&case.x_new)?))
        }),
        ("kernel cca", |case| {
            let second = Polynomial::new(2, c(1.0), c(1.0));
            let cca = KernelCca::params(case.components, kernel(case), second);
            let model = cca.fit(&case.x, &case.squares())?;
            let scores: Array2<F> = model.second().try_transform(&case.x_new)?;
            Ok(numbers(scores))
        }),
        ("kernel cca by coordinates", |case| {
            let landmarks = Nystrom::new(kernel(case), Pivoting::random(2));
            let cca = KernelCca::params(1, kernel(case), kernel(case));
            let cca = cca.spaces(landmarks, RandomFourier::new(kernel(case), 2));
            let model = cca.fit_by_coordinates(&case.x, &case.squares())?;
            let scores: Array2<F> = model.second().try_transform(&case.x_new)?;
            Ok(numbers(scores))
        }),
        ("fixed points", |case| {
            let kpca = Kpca::params(case.components, kernel(case));
            let model = kpca.pre_image(FixedPoint::new()).fit(&case.alone())?;
            Ok(numbers(model.denoise(&case.x_new)?))
        }),
        ("distance constraints", |case| {
            let kpca = Kpca::params(case.components, kernel(case));
            let model = kpca
                .pre_image(DistanceConstraints::new())
                .fit(&case.alone())?;
            Ok(numbers(model.denoise(&case.x_new)?))
        }),
        ("nearest samples", |case| {
            let kpca = Kpca::params(case.components, kernel(case));
            let model = kpca.pre_image(NearestSample).fit(&case.alone())?;
            Ok(numbers(model.denoise(&case.x_new)?))
        }),
        ("pre-image by ridge", |case| {
            let kpca = Kpca::params(case.components, kernel(case));
            let ridge = PreImageRidge::new(Gaussian::new(c(0.1)), case.penalty);
            let model = kpca.pre_image(ridge).fit(&case.alone())?;
            Ok(numbers(model.denoise(&case.x_new)?))
        }),
        ("prototypes", |case| {
            let means = KernelKMeans::params(case.components, kernel(case));
            let model = means.pre_image(FixedPoint::new()).fit(&case.alone())?;
            Ok(numbers(model.prototypes().to_owned()))
        }),
        ("novelty", |case| {
            let model = NoveltyDetector::params(kernel(case)).fit(&case.alone())?;
            Ok(numbers(model.reconstruction_errors(&case.x_new)?))
        }),
        ("alignment", |case| {
            let kernels = vec![kernel(case), Gaussian::new(c(1.0))];
            let weighted = Alignment::joint(kernels).fit_classes(&case.with_sides())?;
            Ok(numbers(weighted.weights().to_owned()))
        }),
        ("alignment with values", |case| {
            let kernels = vec![kernel(case), Gaussian::new(c(1.0))];
            let weighted = Alignment::joint(kernels).fit_values(&case.with_values())?;
            Ok(numbers(weighted.weights().to_owned()))
        }),
        ("alignment of each kernel", |case| {
            let kernels = vec![kernel(case), Gaussian::new(c(1.0))];
            let weighted = Alignment::independent(kernels).fit_classes(&case.with_classes())?;
            Ok(numbers(weighted.weights().to_owned()))
        }),
        ("alignment of each kernel with values", |case| {
            let kernels = vec![kernel(case), Gaussian::new(c(1.0))];
            let weighted = Alignment::independent(kernels).fit_values(&case.with_values())?;
            Ok(numbers(weighted.weights().to_owned()))
        }),
        ("svm-based kernel combination", |case| {
            let kernels = vec![kernel(case), Gaussian::new(c(1.0))];
            let weighted = SvmMkl::new(kernels)
                .c(case.penalty)
                .fit_classes(&case.with_sides())?;
            Ok(numbers(weighted.weights().to_owned()))
        }),
        ("ridge in the space of landmarks", |case| {
            let space = Nystrom::new(kernel(case), Pivoting::random(case.components));
            let ridge = Ridge::params().penalty(case.penalty);
            let model = Kernelized::new(ridge, space).fit(&case.with_values())?;
            Ok(numbers::<_, Ix1>(model.try_predict(&case.x_new)?))
        }),
        ("svc in the space of waves", |case| {
            let space = RandomFourier::new(kernel(case), 4);
            let svc = Svc::params().c(case.penalty);
            let model = Kernelized::new(svc, space).fit(&case.with_sides())?;
            Ok(counted(
                &model.try_predict::<_, ndarray::Array1<bool>>(&case.x_new)?,
            ))
        }),
    ]
}
