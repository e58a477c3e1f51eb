//! Tests methods that take no weights.

use super::{class, number, side, weighted};
use linfa::traits::Fit;
use npt::{
    KernelizedError,
    methods::{
        Alignment, Error, GaussianProcess, KernelRegressionDiscriminant, NoveltyDetector,
        RobustKpca, SvmMkl,
        linear::{RegressionDiscriminant, Ridge, RidgePath},
        pre_image::FixedPoint,
    },
    prelude::*,
};

/// Methods that take no weights refuse them, on coordinates and by themselves.
#[test]
fn what_takes_no_weights_refuses_them() {
    fn refused<M>(result: Result<M, Error>) {
        let error = result.err().expect("weights must not be ignored");
        assert!(matches!(error, Error::Weights { .. }), "{error}");
    }
    fn of_kernel<M>(result: Result<M, KernelizedError<Error>>) {
        let error = result.err().expect("weights must not be ignored");
        assert!(
            matches!(error, KernelizedError::Method(Error::Weights { .. })),
            "{error}"
        );
    }
    let (classes, numbers) = (weighted(class), weighted(number));
    let kernel = || Gaussian::new(0.5);

    refused(RidgePath::params(&[0.1, 1.0]).fit(&numbers));
    refused(Ridge::params().penalties(&[0.1, 1.0]).fit(&numbers));
    refused(RegressionDiscriminant::params(1).fit(&numbers));

    let several = KernelRidge::params(kernel()).method(|m| m.penalties(&[0.1, 1.0]));
    of_kernel(several.fit(&numbers));
    of_kernel(KernelRegressionDiscriminant::params(1, kernel()).fit(&numbers));
    of_kernel(GaussianProcess::params(kernel()).fit(&numbers));
    let by_coordinates = GaussianProcess::params(kernel()).by_coordinates();
    of_kernel(by_coordinates.fit(&numbers));
    let denoiser = Kpca::params(1, kernel()).pre_image(FixedPoint::new());
    of_kernel(denoiser.fit(&numbers));
    of_kernel(NoveltyDetector::params(kernel()).fit(&numbers));
    of_kernel(GaussianProcess::optimized(kernel()).fit(&numbers));
    of_kernel(RobustKpca::params(1, kernel()).fit(&numbers));

    let kernels = || vec![kernel(), Gaussian::new(2.0)];
    refused(Alignment::joint(kernels()).fit_values(&numbers));
    refused(Alignment::independent(kernels()).fit_classes(&classes));
    refused(SvmMkl::new(kernels()).fit_classes(&weighted(side)));
}
