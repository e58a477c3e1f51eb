//! Coordinates of subsets of the samples, each in the space of that subset alone.

use super::{Axes, Exact, Indefinite, KernelSpace, Rank, SpaceBuilder, centering::gram_to_center};
use crate::{Error, Kernel, KernelRows, Linear, Precomputed, Rows, Samples, Scalar, memory_limit};
use ndarray::{Array2, Axis};

/// The number of matrices, as large as that of all samples, that a thread may take to fit the space and the method of one
/// subset.
const OF_SUBSET: u64 = 3;

/// Returns whether memory has room for the kernel matrix of this many samples, which all folds share. There are two copies
/// of it, one as samples, and the fits that go on at the same time need as much as without it.
fn fits<F>(samples: usize, threads: usize, limit: Option<u64>) -> bool {
    let numbers = (samples as u64).saturating_mul(samples as u64);
    let matrices = 2 + OF_SUBSET.saturating_mul(threads as u64);
    let needed = numbers
        .saturating_mul(size_of::<F>() as u64)
        .saturating_mul(matrices);
    limit.is_none_or(|limit| needed <= limit)
}

/// The builder of spaces from a kernel matrix, and the samples that are known by this matrix.
pub type KernelMatrixOf<S, B> = (
    Exact<Precomputed>,
    KernelRows<<<B as SpaceBuilder<S>>::Space as KernelSpace>::Scalar>,
);

/// The subsets of samples, for a builder.
pub type SubsetsOf<'a, S, B> =
    Box<dyn Subsets<<<B as SpaceBuilder<S>>::Space as KernelSpace>::Scalar> + 'a>;

/// Samples prepared for the spaces of many of their subsets. [`SpaceBuilder::subsets`] makes them.
pub trait Subsets<F>: Sync {
    /// Returns the coordinates of the samples `training` in the space that they alone span, and the coordinates of
    /// the samples `new` in that space, shapes (training, r) and (new, r). Samples are counted from 0.
    ///
    /// # Errors
    /// The errors of [`SpaceBuilder::fit_space`] on the training samples.
    ///
    /// # Panics
    /// Panics if an index is that of no sample.
    fn coordinates(
        &self,
        training: &[usize],
        new: &[usize],
    ) -> Result<(Array2<F>, Array2<F>), Error>;
}

/// Fits every subset from its samples.
pub(super) struct Refitted<'a, S, B: ?Sized> {
    builder: &'a B,
    samples: &'a S,
}

impl<'a, S, B: ?Sized> Refitted<'a, S, B> {
    pub(super) fn new(builder: &'a B, samples: &'a S) -> Self {
        Self { builder, samples }
    }
}

impl<S, B> Subsets<<B::Space as KernelSpace>::Scalar> for Refitted<'_, S, B>
where
    S: Samples,
    B: SpaceBuilder<S> + ?Sized,
{
    fn coordinates(
        &self,
        training: &[usize],
        new: &[usize],
    ) -> Result<
        (
            Array2<<B::Space as KernelSpace>::Scalar>,
            Array2<<B::Space as KernelSpace>::Scalar>,
        ),
        Error,
    > {
        let fitted = self.builder.fit_space(&self.samples.select(training))?;
        let (space, coordinates, _) = fitted.into_parts();
        Ok((coordinates, space.coordinates(&self.samples.select(new))?))
    }
}

/// Coordinates f with ⟨f(xᵢ), f(xⱼ)⟩ = κ(xᵢ, xⱼ), or κ centred at all samples if spaces are centred. In these coordinates
/// the kernel is the linear one, and the space of a subset is that of the linear kernel on its rows.
struct Linearised<F> {
    coordinates: Array2<F>,
    builder: Exact<Linear>,
}

impl<F: Scalar> Subsets<F> for Linearised<F> {
    fn coordinates(
        &self,
        training: &[usize],
        new: &[usize],
    ) -> Result<(Array2<F>, Array2<F>), Error> {
        let rows = |indices| Rows::new(self.coordinates.select(Axis(0), indices));
        let (space, coordinates, _) = self.builder.fit_space(&rows(training)?)?.into_parts();
        Ok((coordinates, space.coordinates(&rows(new)?)?))
    }
}

/// Prepares the samples with one evaluation of the kernel for all subsets. If the kernel is positive semidefinite on
/// the samples, a subset is fitted to their coordinates by the linear kernel.
pub(super) fn subsets<'a, S: Samples, K: Kernel<S>>(
    exact: &'a Exact<K>,
    x: &'a S,
) -> Result<SubsetsOf<'a, S, Exact<K>>, Error> {
    let whole = exact
        .clone()
        .rank(Rank::default())
        .axes(Axes::Cholesky)
        .indefinite(Indefinite::Refuse);
    match whole.fit_space(x) {
        Ok(space) => Ok(Box::new(Linearised {
            coordinates: space.into_parts().1,
            builder: exact.with_kernel(Linear::new()),
        })),
        // Each subset is then fitted from its samples: it has eigenvalues of its own to refuse or to clip, and a
        // variance of its own.
        Err(Error::Indefinite { .. } | Error::NoVariance { .. } | Error::Cancellation { .. }) => {
            Ok(Box::new(Refitted::new(exact, x)))
        }
        Err(other) => Err(other),
    }
}

/// Returns the builder of the same spaces from the kernel matrix, and this matrix as samples. The result is `None` if memory
/// has no room for all folds, or if a kernel value is invalid.
pub(super) fn kernel_matrix<S: Samples, K: Kernel<S>>(
    exact: &Exact<K>,
    x: &S,
) -> Result<Option<KernelMatrixOf<S, Exact<K>>>, Error> {
    if !fits::<K::Scalar>(x.len(), rayon::current_num_threads(), memory_limit()) {
        return Ok(None);
    }
    exact.kernel().check(x)?;
    // An invalid value is no error here, because a fit to the samples reports it best.
    let gram = if exact.is_centered() {
        gram_to_center(exact.kernel(), x)
    } else {
        exact.kernel().gram(x)
    };
    let matrix = KernelRows::training(gram.view()).ok();
    let mut kernel = Precomputed::new();
    if exact.kernel().is_positive_semidefinite() {
        kernel = kernel.assume_positive_semidefinite();
    }
    Ok(matrix.map(|matrix| (exact.with_kernel(kernel), matrix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folds share the matrix if two matrices, and three for each thread, fit into memory. The largest number of samples does not
    /// overflow.
    #[test]
    fn what_folds_share_depends_on_the_memory() {
        assert!(fits::<f64>(5793, 2, None));
        for (threads, matrices) in [(1, 5), (2, 8)] {
            let needed = matrices * 4 * 5793 * 5793;
            assert!(fits::<f32>(5793, threads, Some(needed)));
            assert!(!fits::<f32>(5793, threads, Some(needed - 1)));
        }
        assert!(!fits::<f64>(usize::MAX, 1, Some(u64::MAX - 1)));
    }
}
