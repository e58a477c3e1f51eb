//! Kernel methods, each a linear method that runs in a kernel space.
//!
//! [`kernel_methods`] lists the kernel methods and says what each is for. The page of a method names its linear method, and has its
//! definition and references. `docs/names.md` of the repository lists the methods by name, with their targets, their parameters and
//! the answers of their models.
//!
//! [`RobustKpca`] finds components of samples that are partly missing or wrong, and reconstructs the samples (Nguyen, De la Torre
//! 2008). [`NoveltyDetector`] finds samples that are unlike the training samples (Hoffmann 2007).
//! [`Alignment`] learns the weights of several kernels by how well they agree with the targets (Cortes, Mohri,
//! Rostamizadeh 2012), [`SvmMkl`] by the margin of a support vector machine (Rakotomamonjy et al. 2008, Kloft et al. 2011).
//!
//! [`pre_image`] finds inputs for points of a kernel space: to denoise by kernel PCA, or to see the
//! centroid of a cluster.
//!
//! [`preprocessing`] fills in missing values; [`model_selection`] chooses kernels and parameters.
//!
//! [`streaming`] fits to samples that come in blocks. Only sums over the samples are kept.
//!
//! Most kernel methods here are a [`KernelMethod`](npt_core::KernelMethod): a linear method and the builder of a space. It is fitted to
//! kernel values where the linear method needs nothing but inner products, and to coordinates otherwise. Methods that need
//! residuals, variances or two spaces have models of their own: [`GaussianProcess`], [`NoveltyDetector`], [`RobustKpca`] and
//! [`KernelCca`]. The linear methods in [`linear`] are linfa estimators in their own right, for plain matrices.
//!
//! The words of these pages are in the glossary, `docs/glossary.md` of the repository.

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
