//! Models of the kernel methods that are saved.

use super::support::{
    Visitor, beside, classes, labels, numbers, sides, truths, unlabelled, values, x, x_new,
};
use ndarray::{Array1, Array2};
use npt::{
    linfa::DatasetBase,
    methods::{
        OptimizerRun,
        pre_image::{DistanceConstraints, FixedPoint, NearestSample, PreImageExt, PreImageRidge},
    },
    prelude::*,
};

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.3)
}

pub(crate) fn each(visitor: &mut impl Visitor) {
    machines(visitor);
    classifiers(visitor);
    regressions(visitor);
    projections(visitor);
    pre_images(visitor);
    others(visitor);
}

fn machines(visitor: &mut impl Visitor) {
    visitor.model(
        "kernel_svc",
        || KernelSvc::params(kernel()).fit(&sides()).unwrap(),
        |m| Ok(numbers(m.decision_function(&x_new())?)),
    );
    visitor.model(
        "kernel_svc_of_classes",
        || KernelSvc::params(kernel()).fit(&classes()).unwrap(),
        |m| {
            Ok([
                numbers(m.decision_function(&x_new())?),
                labels(m.try_predict(&x_new())?),
            ]
            .concat())
        },
    );
    visitor.model(
        "kernel_multiclass_svc_of_words",
        || {
            let words = ["a", "b", "c"].map(str::to_owned);
            let data = classes().map_targets(|&class| words[class].clone());
            KernelSvc::params(kernel()).fit(&data).unwrap()
        },
        |m| Ok(numbers(m.decision_function(&x_new())?)),
    );
    visitor.model(
        "kernel_calibrated_svc",
        || {
            KernelCalibratedSvc::params(kernel())
                .method(|m| m.folds(2))
                .fit(&classes())
                .unwrap()
        },
        |m| Ok(numbers(m.predict_probabilities(&x_new())?)),
    );
    visitor.model(
        "kernel_nu_svc",
        || KernelNuSvc::params(0.3, kernel()).fit(&sides()).unwrap(),
        |m| Ok(numbers(m.decision_function(&x_new())?)),
    );
    visitor.model(
        "kernel_hard_margin_svc",
        || KernelHardMarginSvc::params(kernel()).fit(&sides()).unwrap(),
        |m| Ok(numbers(m.decision_function(&x_new())?)),
    );
    visitor.model(
        "kernel_one_class_svm",
        || {
            KernelOneClassSvm::params(0.3, kernel())
                .fit(&unlabelled())
                .unwrap()
        },
        |m| {
            let values = [m.decision_function(&x_new())?];
            Ok(beside(truths(m.try_predict(&x_new())?), values))
        },
    );
    visitor.model(
        "kernel_svr",
        || KernelSvr::params(kernel()).fit(&values()).unwrap(),
        |m| Ok(numbers::<ndarray::Ix1>(m.try_predict(&x_new())?)),
    );
    visitor.model(
        "kernel_quantile_regression",
        || {
            KernelQuantileRegression::params(kernel())
                .fit(&values())
                .unwrap()
        },
        |m| Ok(numbers::<ndarray::Ix1>(m.try_predict(&x_new())?)),
    );
}

fn classifiers(visitor: &mut impl Visitor) {
    visitor.model(
        "kfd",
        || Kfd::params(kernel()).fit(&classes()).unwrap(),
        |m| {
            let values = m.decision_function(&x_new())?;
            let values = [values, m.try_transform(&x_new())?];
            Ok(beside(labels(m.try_predict(&x_new())?), values))
        },
    );
    visitor.model(
        "kernel_logistic",
        || KernelLogistic::params(kernel()).fit(&classes()).unwrap(),
        |m| Ok(numbers(m.predict_probabilities(&x_new())?)),
    );
    visitor.model(
        "kpca_lda",
        || KpcaLda::params(4, kernel()).fit(&classes()).unwrap(),
        |m| {
            let values = m.decision_function(&x_new())?;
            let values = [values, m.try_transform(&x_new())?];
            Ok(beside(labels(m.try_predict(&x_new())?), values))
        },
    );
    visitor.model(
        "kernel_kmeans",
        || {
            KernelKMeans::params(3, kernel())
                .fit(&unlabelled())
                .unwrap()
        },
        |m| {
            let values: [Array2<f64>; 1] = [m.try_transform(&x_new())?];
            Ok(beside(labels(m.try_predict(&x_new())?), values))
        },
    );
}

fn regressions(visitor: &mut impl Visitor) {
    visitor.model(
        "kernel_ridge",
        || KernelRidge::params(kernel()).fit(&values()).unwrap(),
        |m| Ok(numbers::<ndarray::Ix1>(m.try_predict(&x_new())?)),
    );
    visitor.model(
        "iterative_kernel_ridge",
        || {
            IterativeKernelRidge::params(kernel())
                .fit(&values())
                .unwrap()
        },
        |m| Ok(numbers::<ndarray::Ix1>(m.try_predict(&x_new())?)),
    );
    visitor.model(
        "kernel_pls",
        || KernelPls::params(2, kernel()).fit(&values()).unwrap(),
        |m| Ok(numbers::<ndarray::Ix1>(m.try_predict(&x_new())?)),
    );
    visitor.model(
        "gaussian_process",
        || {
            GaussianProcess::params(kernel())
                .noises(&[0.1, 1.0])
                .fit(&values())
                .unwrap()
        },
        |m| {
            let (means, variances) = m.predict_with_variance(&x_new())?;
            let left_out = m.leave_one_out().means().to_owned();
            Ok([means, variances, left_out].map(numbers).concat())
        },
    );
    visitor.model(
        "gaussian_process_by_coordinates",
        || {
            let params = GaussianProcess::params(kernel()).noise(0.1);
            let few = |space: Exact<Gaussian<f64>>| {
                Nystrom::new(*space.kernel(), Pivoting::greedy(6)).centered(false)
            };
            params.space(few).fit(&values()).unwrap()
        },
        |m| {
            let (means, variances) = m.predict_with_variance(&x_new())?;
            Ok([means, variances].map(numbers).concat())
        },
    );
    visitor.model(
        "optimized_gaussian_process",
        || {
            let params = GaussianProcess::optimized(kernel().scaled(2.0));
            params.fit(&values()).unwrap()
        },
        |m| {
            let (means, variances) = m.predict_with_variance(&x_new())?;
            let path = m.runs().iter().flat_map(OptimizerRun::path);
            let path = path.map(|step| step.log_marginal_likelihood).collect();
            Ok([numbers(means), numbers(variances), path].concat())
        },
    );
}

fn projections(visitor: &mut impl Visitor) {
    visitor.model(
        "kpca",
        || Kpca::params(3, kernel()).fit(&unlabelled()).unwrap(),
        |m| Ok(numbers::<ndarray::Ix2>(m.try_transform(&x_new())?)),
    );
    visitor.model(
        "kpca_l1",
        || KpcaL1::params(3, kernel()).fit(&unlabelled()).unwrap(),
        |m| Ok(numbers::<ndarray::Ix2>(m.try_transform(&x_new())?)),
    );
    visitor.model(
        "kernel_ica",
        || {
            KernelIca::params(2, kernel())
                .method(|m| m.tolerance(1e-4))
                .fit(&unlabelled())
                .unwrap()
        },
        |m| Ok(numbers::<ndarray::Ix2>(m.try_transform(&x_new())?)),
    );
    visitor.model(
        "kernel_regression_discriminant",
        || {
            KernelRegressionDiscriminant::params(1, kernel())
                .fit(&values())
                .unwrap()
        },
        |m| Ok(numbers::<ndarray::Ix2>(m.try_transform(&x_new())?)),
    );
    visitor.model(
        "kernel_cca",
        || {
            let other = x().mapv(|v| v * v);
            KernelCca::params(2, kernel(), Polynomial::new(2, 1.0, 1.0))
                .fit(&x(), &other)
                .unwrap()
        },
        |m| {
            let first: Array2<f64> = m.first().try_transform(&x_new())?;
            let second: Array2<f64> = m.second().try_transform(&x_new())?;
            Ok([numbers(first), numbers(second)].concat())
        },
    );
    visitor.model(
        "kernel_cca_by_coordinates",
        || {
            let other = x().mapv(|v| v * v);
            let params = KernelCca::params(2, kernel(), Polynomial::new(2, 1.0, 1.0));
            params.fit_by_coordinates(&x(), &other).unwrap()
        },
        |m| {
            let first: Array2<f64> = m.first().try_transform(&x_new())?;
            let second: Array2<f64> = m.second().try_transform(&x_new())?;
            Ok([numbers(first), numbers(second)].concat())
        },
    );
}

fn pre_images(visitor: &mut impl Visitor) {
    visitor.model(
        "kpca_with_fixed_points",
        || {
            Kpca::params(3, kernel())
                .pre_image(FixedPoint::new())
                .fit(&unlabelled())
                .unwrap()
        },
        |m| Ok(numbers(m.denoise(&x_new())?)),
    );
    visitor.model(
        "kpca_with_distance_constraints",
        || {
            let pre_image = DistanceConstraints::new();
            Kpca::params(3, kernel())
                .pre_image(pre_image)
                .fit(&unlabelled())
                .unwrap()
        },
        |m| Ok(numbers(m.denoise(&x_new())?)),
    );
    visitor.model(
        "kpca_with_nearest_samples",
        || {
            Kpca::params(3, kernel())
                .pre_image(NearestSample)
                .fit(&unlabelled())
                .unwrap()
        },
        |m| Ok(numbers(m.denoise(&x_new())?)),
    );
    visitor.model(
        "kpca_with_ridge",
        || {
            let pre_image = PreImageRidge::new(Gaussian::new(0.1), 0.1);
            Kpca::params(3, kernel())
                .pre_image(pre_image)
                .fit(&unlabelled())
                .unwrap()
        },
        |m| Ok(numbers(m.denoise(&x_new())?)),
    );
    visitor.model(
        "prototypes",
        || {
            KernelKMeans::params(3, kernel())
                .pre_image(FixedPoint::new())
                .fit(&unlabelled())
                .unwrap()
        },
        |m| {
            Ok([
                numbers(m.prototypes().to_owned()),
                labels(m.model().try_predict(&x_new())?),
            ]
            .concat())
        },
    );
}

fn others(visitor: &mut impl Visitor) {
    visitor.model(
        "novelty_detector",
        || {
            NoveltyDetector::params(kernel())
                .fit(&unlabelled())
                .unwrap()
        },
        |m| Ok(numbers(m.reconstruction_errors(&x_new())?)),
    );
    visitor.model(
        "robust_kpca",
        || {
            let mut holes = x();
            holes[[3, 1]] = f64::NAN;
            RobustKpca::params(2, kernel())
                .fit(&DatasetBase::from(holes))
                .unwrap()
        },
        |m| {
            let mut holes = x_new();
            holes[[0, 2]] = f64::NAN;
            Ok(numbers(m.reconstruct(&holes)?))
        },
    );
    visitor.model(
        "kernel_svc_f32",
        || {
            let data = sides();
            let records = data.records.mapv(|v| v as f32);
            let data = DatasetBase::new(records, data.targets);
            KernelSvc::params(Gaussian::new(0.3_f32))
                .fit(&data)
                .unwrap()
        },
        |m| {
            let values: Array1<f32> = m.decision_function(&x_new().mapv(|v| v as f32))?;
            Ok(numbers(values.mapv(f64::from)))
        },
    );
}
