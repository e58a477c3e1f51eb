//! Fits to samples that come in blocks, of which only sums are kept.
//!
//! A space is fitted to some of the samples, which a [`Reservoir`] draws, or to landmarks that were chosen among all samples
//! ([`RandomPivots`]). Then one pass over all blocks sums
//! means and scatters of their coordinates ([`CoordinateMoments`]). A method that needs only means and scatters is fitted to these
//! [`Moments`] or [`ClassMoments`] ([`FitMoments`]): the model is the same as from all coordinates at once, at the memory
//! of one block.
//!
//! | from | methods |
//! |---|---|
//! | [`Moments`] | [`Pca`](crate::linear::Pca), [`Ridge`](crate::linear::Ridge), [`Pls`](crate::linear::Pls), [`Cca`](crate::linear::Cca) |
//! | moments of folds, `[Moments]` | [`Ridge`](crate::linear::Ridge) with the best of several penalties |
//! | [`ClassMoments`] | [`Lda`](crate::linear::Lda) |
//! | [`Moments::condensed`] | any other method of means and scatters, such as linfa's `LinearRegression` |
//!
//! Other methods read the blocks again for each iteration, by [`Passes`]. A pass sums values that are made of linear functions of
//! coordinates; such functions take kernel values, but no coordinates.
//!
//! | over passes | |
//! |---|---|
//! | [`IterativeRidge`](crate::linear::IterativeRidgeParams::fit_blocks) | ridge regression on many thousand coordinates, whose scatter takes longer than all else |
//! | [`Logistic`](crate::linear::LogisticParams::fit_blocks) | Newton's method |
//! | [`Svc`](crate::linear::SvcParams::fit_blocks), [`MulticlassSvc`](crate::linear::MulticlassSvcParams::fit_blocks) | samples near the margin in memory, a byte for each other sample |
//! | [`KMeans`](crate::linear::KMeansParams::fit_blocks) | Lloyd's algorithm |
//! | your own | [`Passes::sum`] |
//! | linfa's `FitWith` | coordinates block by block: [`Kernelized`](npt_core::Kernelized) |
//!
//! Blocks are linfa's datasets, from any iterator. `npt-tables` (`npt::tables`) reads them from files: of
//! comma-separated values, NumPy's arrays, Parquet. An error of a block names the row. [`skip_bad_rows`] leaves out the bad
//! rows of blocks in memory, and counts them, as tables do with the rows of files.
//!
//! # Example
//! ```
//! use linfa::traits::Predict;
//! use linfa::Dataset;
//! use ndarray::{Array1, Array2};
//! use npt_core::{Axes, Gaussian, KernelSpace, KernelizedModel, Nystrom, Pivoting, SpaceBuilder};
//! use npt_methods::{linear::Ridge, streaming::{CoordinateMoments, FitMoments, Reservoir}};
//!
//! /// 1000 numbers and their sines at a time.
//! let block = |k: usize| {
//!     let x = Array2::from_shape_fn((1000, 1), |(i, _)| ((1000 * k + i) as f64 * 0.618).fract() * 6.0);
//!     let waves = x.column(0).mapv(f64::sin);
//!     Dataset::new(x, waves)
//! };
//! let mut some = Reservoir::new(500);
//! (0..20).try_for_each(|k| some.add(&block(k).records))?;
//!
//! let landmarks = Pivoting::random(50).tolerance(1e-12);
//! let builder = Nystrom::new(Gaussian::new(0.5), landmarks).axes(Axes::Cholesky);
//! let (space, ..) = builder.centered(false).fit_space(&some.into_samples()?)?.into_parts();
//!
//! let mut sums = CoordinateMoments::new(&space)?;
//! for k in 0..20 {
//!     sums.add(&block(k))?;
//! }
//! let ridge: Ridge<f64> = Ridge::params().penalty(1e-6).fit_moments(&sums.into_moments()?)?;
//! let model = KernelizedModel::new(ridge, space).expand()?;
//!
//! let found: Array1<f64> = model.predict(&ndarray::array![[1.0], [4.5]]);
//! assert!((found[0] - 1.0_f64.sin()).abs() < 1e-4 && (found[1] - 4.5_f64.sin()).abs() < 1e-4);
//! # Ok::<(), npt_methods::Error>(())
//! ```

mod block_passes;
mod centered;
mod class_moments;
mod condensed;
mod coordinate_moments;
mod labels;
mod moments;
mod one_block;
#[cfg(feature = "serde")]
mod packed;
mod passes;
mod random_pivots;
mod reservoir;
mod skipping;

pub use class_moments::ClassMoments;
pub(crate) use condensed::rows_of_scatter;
pub use coordinate_moments::CoordinateMoments;
pub(crate) use labels::{Classes, classes_of, members};
pub use moments::{FitMoments, Moments};
pub(crate) use one_block::counted_on;
pub use passes::{PassSums, Passes};
pub use random_pivots::{ChosenLandmarks, RandomPivots};
pub use reservoir::Reservoir;
pub use skipping::skip_bad_rows;
