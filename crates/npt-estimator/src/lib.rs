//! Kernel methods by name: an [`Estimator`] that is chosen at run time, and the one type of [`Model`] that its fit gives.
//!
//! A program often does not know which kernel and which method it will be given. It reads both from a file, an option or a request,
//! then fits, saves, loads and predicts.
//!
//! ```
//! use ndarray::array;
//! use npt_estimator::{Data, Estimator};
//!
//! let data = Data::from(array![[0.0, 0.1], [0.1, 0.0], [2.0, 2.1], [2.1, 2.0]]);
//! let estimator = Estimator::new("ridge(penalty = 0.1)", "gaussian(gamma = 0.5) + 0.1 * linear")?
//!     .space("nystrom(landmarks = 3)")?
//!     .transformer("standard_scaler")?;
//! let model = estimator.fit(&data, vec![0.0, 0.1, 1.0, 1.1])?;
//! let predictions = model.predict(&data)?;
//! assert!((predictions.numbers().unwrap()[[3, 0]] - 1.0).abs() < 0.2);
//! # Ok::<(), npt_estimator::Error>(())
//! ```
//!
//! The page `docs/names.md` of the repository lists all names with their parameters. [`Estimator::methods`], [`Estimator::spaces`] and
//! [`Estimator::transformers`] list them for a program, [`ReadyKernels`](npt_core::ReadyKernels) lists the kernels, and
//! [`add_kernel`] adds a kernel of one's own.
//!
//! Everything here is made of the typed kernels and methods of npt-core and npt-methods, and gives the same results bit for bit. The
//! typed code is compiled here, once: a program that names an [`Estimator`] compiles in seconds.
//!
//! The words of these pages are in the glossary, `docs/glossary.md` of the repository.

mod ability;
mod categories;
mod column;
mod data;
mod error;
mod estimator;
mod export;
mod features;
mod fitted;
mod front;
mod kernel;
mod kernel_matrix;
mod kernel_weights;
mod label;
mod libsvm;
mod matrix;
mod methods;
mod model;
mod own_kernels;
mod pre_image;
mod samples;
mod score;
mod search;
mod spaces;
mod sums;
mod typed;

pub use ability::Ability;
pub use column::Column;
pub use data::Data;
pub use error::Error;
pub use estimator::{Estimator, NamedSpace};
use kernel::AnyKernel;
pub use kernel_matrix::{cross_kernel_matrix, kernel_diagonal, kernel_matrix, precompute};
pub use kernel_weights::{kernel_weightings, kernel_weights};
pub use label::{Label, TargetKind, Targets};
pub use model::{Learned, Model, Predictions, Selection};
pub use npt_tables::Categories;
pub use own_kernels::{NamedSamples, add_kernel};
pub use samples::{AnySamples, TextGraph};
pub use score::Score;
pub use search::{Found, Scored, Search, SearchResults};
pub use sums::{PartialSums, Sums};
