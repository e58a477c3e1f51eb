//! The kernels of this crate, for each type of samples.

mod composed;
mod rows;
mod sparse;
mod structured;

use super::{Catalogue, Range};
use crate::{KernelRows, Precomputed, Samples, Scalar};

/// Samples for which this crate has kernels by name.
///
/// | samples | kernels |
/// |---|---|
/// | [`Rows`](crate::Rows) | kernels of vectors, on parts of the features, with length scales |
/// | [`SparseRows`](crate::SparseRows) | kernels of vectors that ignore common zeros, by the same names |
/// | [`Items`](crate::Items) of [`String`] | kernels of strings |
/// | [`Items`](crate::Items) of sets of [`String`] or [`u64`] | [`Jaccard`](crate::Jaccard) |
/// | [`Items`](crate::Items) of graphs with [`String`] labels | [`WeisfeilerLehman`](crate::WeisfeilerLehman) |
/// | [`KernelRows`] | [`Precomputed`] |
///
/// All of them also have sums, products and multiples of kernels.
pub trait ReadyKernels<F: Scalar>: Samples {
    /// The catalogue of the kernels for these samples.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Items, Kernel, ReadyKernels};
    ///
    /// let kernel = Items::<String>::ready_kernels().read("normalized(spectrum(length = 2))")?;
    /// let (a, b) = ("banana".to_owned(), "bandana".to_owned());
    /// // ba, an, na: 1, 2, 2; ba, an, nd, da, na: 1, 2, 1, 1, 1.
    /// let value: f64 = kernel.eval(&a, &b);
    /// assert!((value - 7.0 / (9.0_f64 * 8.0).sqrt()).abs() < 1e-15);
    /// # Ok::<(), npt_core::catalogue::DescriptionError>(())
    /// ```
    fn ready_kernels() -> Catalogue<Self, F>;
}

impl<F: Scalar> ReadyKernels<F> for KernelRows<F> {
    fn ready_kernels() -> Catalogue<Self, F> {
        let precomputed = super::Entry::new(
            "precomputed",
            "the value that the matrix has",
            Precomputed::new,
        )
        .parameter(
            "positive_semidefinite",
            "whether the matrix is taken to be positive semidefinite without a look at it",
            Range::Boolean,
            Some(false.into()),
        );
        composed::with_composed(Catalogue::new().with(precomputed))
    }
}
