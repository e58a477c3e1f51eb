//! Coordinates of subsets of the samples, each in the space of that subset alone.

use super::{Axes, Exact, Indefinite, KernelSpace, Rank, SpaceBuilder, centering::gram_to_centre};
use crate::{Error, Kernel, KernelRows, Linear, Precomputed, Rows, Samples, Scalar, memory_limit};
use ndarray::{Array2, Axis};

/// How many matrices as large as that of all samples a thread may take to fit the space and the method of one subset.
const OF_SUBSET: u64 = 3;

/// Whether all folds may share the kernel matrix of so many samples: besides it, once more as samples, the fits that go on at the
/// same time need what they need without it.
fn fits<F>(samples: usize, threads: usize, limit: Option<u64>) -> bool {
    let numbers = (samples as u64).saturating_mul(samples as u64);
    let matrices = 2 + OF_SUBSET.saturating_mul(threads as u64);
    let needed = numbers
        .saturating_mul(size_of::<F>() as u64)
        .saturating_mul(matrices);
    limit.is_none_or(|limit| needed <= limit)
}

/// Samples known by their kernel matrix, and the builder of spaces for them.
pub type KernelMatrixOf<S, B> = (
    Exact<Precomputed>,
    KernelRows<<<B as SpaceBuilder<S>>::Space as KernelSpace>::Scalar>,
);

/// The subsets of samples, for a builder.
pub type SubsetsOf<'a, S, B> =
    Box<dyn Subsets<<<B as SpaceBuilder<S>>::Space as KernelSpace>::Scalar> + 'a>;

/// Samples prepared for the spaces of many of their subsets. Made by [`SpaceBuilder::subsets`].
pub trait Subsets<F>: Sync {
    /// The coordinates of the samples `training` in the space that they alone span, and those of
    /// the samples `new` in it, shapes (training, r) and (new, r). Samples are counted from 0.
    ///
    /// # Errors
    /// As [`SpaceBuilder::fit_space`] of the training samples.
    ///
    /// # Panics
    /// Panics if there is no sample of an index.
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

/// Coordinates f with ⟨f(xᵢ), f(xⱼ)⟩ = κ(xᵢ, xⱼ), or κ centred at all samples if spaces are centred: in them the kernel is
/// the linear one, and the space of a subset that of the linear kernel on its rows.
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

/// Evaluates the kernel once for all subsets: where it is positive semidefinite on the samples, a
/// subset is fitted to their coordinates by the linear kernel.
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
        // A subset then has eigenvalues of its own to refuse or to clip, and a variance of its own.
        Err(Error::Indefinite { .. } | Error::NoVariance { .. } | Error::Cancellation { .. }) => {
            Ok(Box::new(Refitted::new(exact, x)))
        }
        Err(other) => Err(other),
    }
}

/// The kernel matrix as samples, and the builder of the same spaces from it, where memory has room for all folds.
pub(super) fn kernel_matrix<S: Samples, K: Kernel<S>>(
    exact: &Exact<K>,
    x: &S,
) -> Result<Option<KernelMatrixOf<S, Exact<K>>>, Error> {
    if !fits::<K::Scalar>(x.len(), rayon::current_num_threads(), memory_limit()) {
        return Ok(None);
    }
    exact.kernel().check(x)?;
    // What is wrong with a value is told best by a fit to the samples.
    let gram = if exact.is_centered() {
        gram_to_centre(exact.kernel(), x)
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

    /// Two matrices, and three for each thread; no number of samples is too large by itself.
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
