//! The laws of kernels and kernel spaces, as checks that panic with the broken law and its place.
//!
//! | to test | call |
//! |---|---|
//! | a kernel, in every way | [`check_all`] |
//! | the kernel alone | [`check_kernel`] |
//! | a kernel in the exact space, on all axes and at all ranks | [`check_exact`] |
//! | a space builder | [`check_space`] |
//! | a linear method on coordinates | [`check_rotation_invariance`], [`check_kernel_trick`] |
//! | both roads of a kernel method | [`check_roads`] |
//! | one law | the check of that name |
//!
//! κ is the kernel, k the kernel that the space represents (κ, or κ centred), 𝒦 and K their
//! matrices. The right side of every equation comes from [`oracles::centering`], which calls `eval`
//! and nothing else.
//!
//! [`oracles::centering`]: crate::oracles::centering
//!
//! # Example
//! ```
//! use npt_core::{Kernel, Rows};
//! use npt_testkit::{data, laws};
//!
//! /// The smaller of two positive numbers: the covariance of Brownian motion.
//! struct Smaller;
//!
//! impl Kernel<Rows<f64>> for Smaller {
//!     type Scalar = f64;
//!
//!     fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
//!         a[0].min(b[0])
//!     }
//!
//!     fn is_positive_semidefinite(&self) -> bool {
//!         true
//!     }
//! }
//!
//! let x = Rows::new(data::normal(20, 1, 1).mapv(f64::abs))?;
//! let x_new = Rows::new(data::normal(5, 1, 2).mapv(f64::abs))?;
//! laws::check_all(&Smaller, &x, &x_new);
//! # Ok::<(), npt_core::Error>(())
//! ```

mod axes;
mod case;
mod coordinates;
mod derivatives;
mod directions;
mod eigenvalues;
mod invariance;
mod kernel;
mod method;
mod rank;
mod residuals;
mod space;
mod tolerance;

pub use axes::{check_axis_signs, check_rotation};
pub use case::Case;
pub use coordinates::{check_new_coordinates, check_training_coordinates};
pub use derivatives::check_derivatives;
pub use directions::check_directions;
pub use eigenvalues::check_eigenvalues;
pub use invariance::{check_duplicates, check_permutation, check_refit, check_threads};
pub use kernel::{check_composition, check_kernel};
pub use method::{check_kernel_trick, check_roads, check_rotation_invariance};
pub use rank::check_reduced_rank;
pub use residuals::check_residuals;
pub use space::{check_all, check_exact, check_space};
pub use tolerance::Tolerance;
