//! The ready-made kernel methods: parameters that pair a linear method with a kernel space.

mod gaussian_process;
mod kernel_calibrated_svc;
mod kernel_cca;
mod kernel_ica;
mod kernel_kmeans;
mod kernel_logistic;
mod kernel_multiclass_svc;
mod kernel_nu_svc;
mod kernel_one_class;
mod kernel_pls;
mod kernel_regression_discriminant;
mod kernel_ridge;
mod kernel_svc;
mod kernel_svr;
mod kfd;
mod kpca;
mod kpca_l1;
mod novelty;

pub use gaussian_process::{
    GaussianProcess, GaussianProcessModel, GaussianProcessParams, LeaveOneOut,
};
pub use kernel_calibrated_svc::{KernelCalibratedSvc, KernelCalibratedSvcParams};
pub use kernel_cca::{KernelCca, KernelCcaModel, KernelCcaParams};
pub use kernel_ica::{KernelIca, KernelIcaParams};
pub use kernel_kmeans::{KernelKMeans, KernelKMeansParams};
pub use kernel_logistic::{KernelLogistic, KernelLogisticParams};
pub use kernel_multiclass_svc::{KernelMulticlassSvc, KernelMulticlassSvcParams};
pub use kernel_nu_svc::{KernelNuSvc, KernelNuSvcParams};
pub use kernel_one_class::{KernelOneClassSvm, KernelOneClassSvmParams};
pub use kernel_pls::{KernelPls, KernelPlsParams};
pub use kernel_regression_discriminant::{
    KernelRegressionDiscriminant, KernelRegressionDiscriminantParams,
};
pub use kernel_ridge::{KernelRidge, KernelRidgeParams};
pub use kernel_svc::{KernelSvc, KernelSvcParams};
pub use kernel_svr::{KernelSvr, KernelSvrParams};
pub use kfd::{Kfd, KfdParams};
pub use kpca::{Kpca, KpcaParams};
pub use kpca_l1::{KpcaL1, KpcaL1Params};
pub use novelty::{NoveltyDetector, NoveltyDetectorModel, NoveltyDetectorParams};

/// The parameters of a kernel method: of its linear method, and the builder of its space.
macro_rules! kernel_method_params {
    ($method:ident, $params:ident, $linear:ty) => {
        #[doc = concat!("Parameters of [`", stringify!($method), "`]: of its linear method and of the space.")]
        #[derive(Debug, Clone, PartialEq)]
        pub struct $params<B> {
            linear: $linear,
            builder: B,
        }

        impl<B> $params<B> {
            /// Takes another kernel space than the default exact one.
            pub fn space<Other>(self, builder: Other) -> $params<Other> {
                $params { linear: self.linear, builder }
            }
        }
    };
}
use kernel_method_params;

/// A kernel method's parameters and `fit`: the adapter's.
macro_rules! kernel_method {
    ($method:ident, $params:ident, $linear:ty) => {
        super::kernel_method_params!($method, $params, $linear);

        impl<R, T, B> linfa::traits::Fit<R, T, npt_core::KernelizedError<crate::Error>>
            for $params<B>
        where
            R: linfa::dataset::Records,
            B: Clone,
            npt_core::Kernelized<$linear, B>:
                linfa::traits::Fit<R, T, npt_core::KernelizedError<crate::Error>>,
        {
            type Object = <npt_core::Kernelized<$linear, B> as linfa::traits::Fit<
                R,
                T,
                npt_core::KernelizedError<crate::Error>,
            >>::Object;

            fn fit(
                &self,
                dataset: &linfa::DatasetBase<R, T>,
            ) -> Result<Self::Object, npt_core::KernelizedError<crate::Error>> {
                npt_core::Kernelized::new(self.linear.clone(), self.builder.clone()).fit(dataset)
            }
        }
    };
}
use kernel_method;

/// The same for a method that is linear in the coordinates: its model predicts by its expansion.
macro_rules! folded_kernel_method {
    ($method:ident, $params:ident, $linear:ty) => {
        super::kernel_method_params!($method, $params, $linear);

        impl<R, T, B, O, S, K> linfa::traits::Fit<R, T, npt_core::KernelizedError<crate::Error>>
            for $params<B>
        where
            R: linfa::dataset::Records,
            B: Clone,
            npt_core::Kernelized<$linear, B>: linfa::traits::Fit<
                    R,
                    T,
                    npt_core::KernelizedError<crate::Error>,
                    Object = npt_core::KernelizedModel<O, npt_core::LandmarkSpace<S, K>>,
                >,
            O: npt_core::FoldBack<K::Scalar>,
            S: npt_core::Samples,
            K: npt_core::Kernel<S>,
        {
            type Object = npt_core::FoldedModel<O, S, K>;

            fn fit(
                &self,
                dataset: &linfa::DatasetBase<R, T>,
            ) -> Result<Self::Object, npt_core::KernelizedError<crate::Error>> {
                let method = npt_core::Kernelized::new(self.linear.clone(), self.builder.clone());
                Ok(method.fit(dataset)?.fold()?)
            }
        }
    };
}
use folded_kernel_method;
