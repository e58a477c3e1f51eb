//! Kernel methods, each a linear method that runs in a kernel space.
//!
//! | kernel method | linear method | reference |
//! |---|---|---|
//! | [`Kpca`] | [`Pca`](linear::Pca) | Schölkopf, Smola, Müller 1998 |
//! | [`Kfd`] | [`Lda`](linear::Lda) | Mika et al. 1999 |
//! | [`KpcaLda`] | [`Pca`](linear::Pca), then [`Lda`](linear::Lda) | Yang et al. 2005 |
//! | [`KernelKMeans`] | [`KMeans`](linear::KMeans) | Schölkopf, Smola, Müller 1998 |
//! | [`KernelSvc`] | [`Svc`](linear::Svc); of classes [`MulticlassSvc`](linear::MulticlassSvc) | Cortes, Vapnik 1995; Hsu, Lin 2002 |
//! | [`KernelHardMarginSvc`] | [`HardMarginSvc`](linear::HardMarginSvc) | Boser, Guyon, Vapnik 1992 |
//! | [`KernelRidge`] | [`Ridge`](linear::Ridge) | Saunders, Gammerman, Vovk 1998 |
//! | [`IterativeKernelRidge`] | [`IterativeRidge`](linear::IterativeRidge) | Díaz et al. 2023 |
//! | [`KernelPls`] | [`Pls`](linear::Pls) | Rosipal, Trejo 2001 |
//! | [`KernelRegressionDiscriminant`] | [`RegressionDiscriminant`](linear::RegressionDiscriminant) | Kwak 2012 |
//! | [`KernelLogistic`] | [`Logistic`](linear::Logistic) | Zhu, Hastie 2005 |
//! | [`GaussianProcess`] | Bayesian ridge regression | Rasmussen, Williams 2006 |
//! | [`KernelCca`] | [`Cca`](linear::Cca) | Akaho 2001; Hardoon, Szedmak, Shawe-Taylor 2004 |
//! | [`KernelIca`] | [`FastIca`](linear::FastIca) | Hyvärinen 1999; Yang et al. 2005 |
//! | [`KernelNuSvc`] | [`NuSvc`](linear::NuSvc) | Schölkopf et al. 2000 |
//! | [`KernelCalibratedSvc`] | [`CalibratedSvc`](linear::CalibratedSvc) | Lin, Lin, Weng 2007 |
//! | [`KernelSvr`] | [`Svr`](linear::Svr) | Smola, Schölkopf 2004 |
//! | [`KernelQuantileRegression`] | [`QuantileRegression`](linear::QuantileRegression) | Takeuchi, Le, Sears, Smola 2006 |
//! | [`KernelOneClassSvm`] | [`OneClassSvm`](linear::OneClassSvm) | Schölkopf et al. 2001 |
//! | [`KpcaL1`] | [`PcaL1`](linear::PcaL1) | Kwak 2008, 2013 |
//!
//! [`RobustKpca`] finds components of samples that are partly missing or wrong, and reconstructs these (Nguyen, De la Torre
//! 2008). [`NoveltyDetector`] tells samples that are unlike the training samples (Hoffmann 2007).
//! [`Alignment`] learns the weights of several kernels by how well they agree with the targets (Cortes, Mohri,
//! Rostamizadeh 2012), [`SvmMkl`] by the margin of a support vector machine (Rakotomamonjy et al. 2008, Kloft et al. 2011).
//!
//! [`pre_image`] finds inputs for points of a kernel space: to denoise by kernel PCA, or to see the
//! centroid of a cluster.
//!
//! [`preprocessing`] fills in missing values; [`model_selection`] chooses kernels and parameters.
//!
//! [`streaming`] fits to samples that come in blocks, of which only sums are kept.
//!
//! Most kernel methods here are a [`KernelMethod`](npt_core::KernelMethod): their linear method and the builder of a space, fitted to
//! kernel values where the method needs nothing but inner products, and to coordinates otherwise. Methods that need
//! residuals, variances or two spaces have models of their own: [`GaussianProcess`], [`NoveltyDetector`], [`RobustKpca`] and
//! [`KernelCca`]. The linear methods in [`linear`] are linfa estimators in their own right, for plain matrices.

mod centroids;
mod descent;
mod error;
mod inner_products;
pub mod kernel_methods;
pub mod linear;
mod magnitude;
pub mod model_selection;
mod multiple_kernels;
#[cfg(feature = "serde")]
mod parts;
pub mod pre_image;
pub mod preprocessing;
mod records;
pub mod streaming;
mod targets;
mod weights;

pub use centroids::Centroids;
pub use error::{Error, View};
pub use kernel_methods::{own::*, *};
pub use multiple_kernels::{Alignment, SvmMkl, centered_alignment};
