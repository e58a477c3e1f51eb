//! The ready-made kernel methods: parameters that pair a linear method with a kernel space.

/// Implements linfa's `Predict` of references to samples, for a model with its generics; linfa has it for arrays and datasets.
macro_rules! predict_referenced {
    ([$($generics:tt)*] $model:ty, $targets:ty) => {
        predict_referenced!(npt_core::Rows<X>, [$($generics)*] $model, $targets);
        predict_referenced!(npt_core::SparseRows<X>, [$($generics)*] $model, $targets);
        predict_referenced!(npt_core::KernelRows<X>, [$($generics)*] $model, $targets);
        predict_referenced!(npt_core::Items<X>, [$($generics)*] $model, $targets);
    };
    ($samples:ty, [$($generics:tt)*] $model:ty, $targets:ty) => {
        impl<X, $($generics)*> linfa::traits::Predict<&$samples, $targets> for $model
        where
            $samples: linfa::dataset::Records,
            Self: linfa::traits::PredictInplace<$samples, $targets>,
        {
            fn predict(&self, x: &$samples) -> $targets {
                let mut targets = linfa::traits::PredictInplace::default_target(self, x);
                linfa::traits::PredictInplace::predict_inplace(self, x, &mut targets);
                targets
            }
        }
    };
}

/// Implements `predict_row` for a model of dense vectors, with its generics, types and a first line of documentation.
macro_rules! predict_row {
    ([$($generics:tt)*] $model:ty, $scalar:ty, $target:ty, $what:literal) => {
        impl<$($generics)*> $model {
            #[doc = $what]
            ///
            /// # Errors
            /// As [`try_predict`](Self::try_predict).
            pub fn predict_row(&self, row: &[$scalar]) -> Result<$target, npt_core::Error> {
                let row = ndarray::ArrayView2::from_shape((1, row.len()), row);
                Ok(self.try_predict(&row.expect("one row of all values"))?[0])
            }
        }
    };
}

mod gaussian_process;
mod iterative_kernel_ridge;
mod kernel_calibrated_svc;
mod kernel_cca;
mod kernel_hard_margin_svc;
mod kernel_ica;
mod kernel_kmeans;
mod kernel_logistic;
mod kernel_nu_svc;
mod kernel_one_class;
mod kernel_pls;
mod kernel_quantile_regression;
mod kernel_regression_discriminant;
mod kernel_ridge;
mod kernel_svc;
mod kernel_svr;
mod kfd;
mod kpca;
mod kpca_l1;
mod kpca_lda;
mod novelty;
mod robust_kpca;

pub use gaussian_process::GaussianProcess;
pub use iterative_kernel_ridge::IterativeKernelRidge;
pub use kernel_calibrated_svc::KernelCalibratedSvc;
pub use kernel_cca::KernelCca;
pub use kernel_hard_margin_svc::KernelHardMarginSvc;
pub use kernel_ica::KernelIca;
pub use kernel_kmeans::KernelKMeans;
pub use kernel_logistic::KernelLogistic;
pub use kernel_nu_svc::KernelNuSvc;
pub use kernel_one_class::KernelOneClassSvm;
pub use kernel_pls::KernelPls;
pub use kernel_quantile_regression::KernelQuantileRegression;
pub use kernel_regression_discriminant::KernelRegressionDiscriminant;
pub use kernel_ridge::KernelRidge;
pub use kernel_svc::KernelSvc;
pub use kernel_svr::KernelSvr;
pub use kfd::Kfd;
pub use kpca::Kpca;
pub use kpca_l1::KpcaL1;
pub use kpca_lda::KpcaLda;
pub use novelty::NoveltyDetector;
pub use robust_kpca::RobustKpca;

/// Parameters and models of the methods that are not a pair of a linear method and a space. The crate has them at its root. They stand
/// apart, so that an import of all methods does not import their names.
pub(crate) mod own {
    pub use super::{
        gaussian_process::{
            GaussianProcessModel, GaussianProcessParams, LeaveOneOut,
            OptimizedGaussianProcessParams, OptimizerRun, OptimizerStep, ProcessRoad,
        },
        kernel_cca::{ExpandedCcaView, KernelCcaModel, KernelCcaParams, KernelizedCcaView},
        novelty::{NoveltyDetectorModel, NoveltyDetectorParams},
        robust_kpca::{RobustKpcaModel, RobustKpcaParams},
    };
}
