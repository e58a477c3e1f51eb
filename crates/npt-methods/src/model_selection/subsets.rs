//! Coordinates of subsets of the samples, each in the space of that subset alone.

use ndarray::{Array2, Axis};
use npt_core::{
    Axes, Error, Exact, FromSamples, HomogeneousFeatures, Indefinite, Kernel, KernelRows,
    KernelSpace, LandmarkSelection, Linear, Nystrom, Precomputed, RandomFourier, Rank, Rows,
    Samples, Scalar, SpaceBuilder, TensorSketch, gram_to_centre, memory_limit,
};

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

/// Builders whose spaces can be fitted to many subsets of the same samples, as cross-validation
/// does.
///
/// [`Exact`] evaluates the kernel once for all of them. A builder of your own has nothing to write,
/// `impl SubsetBuilder<S> for MyBuilder {}`: each subset is then fitted from its samples.
///
/// # Example
/// ```
/// use ndarray::{array, s};
/// use npt_core::{Exact, Gaussian, KernelSpace, Rows, SpaceBuilder};
/// use npt_methods::model_selection::SubsetBuilder;
///
/// let x = array![[0.0], [1.0], [3.0], [4.5]];
/// let (builder, samples) = (Exact::new(Gaussian::new(0.5)), Rows::new(x.clone())?);
/// let (training, held_out) = builder.subsets(&samples)?.coordinates(&[0, 1, 2], &[3])?;
///
/// let refitted = builder.fit_space(&x.slice(s![..3, ..]))?;
/// assert!((&training - &refitted.training_coordinates()).iter().all(|d: &f64| d.abs() < 1e-14));
/// let expected = refitted.coordinates(&x.slice(s![3.., ..]))?;
/// assert!((&held_out - &expected).iter().all(|d| d.abs() < 1e-14));
/// # Ok::<(), npt_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` builds no kernel space for these samples",
    label = "here a builder of kernel spaces is needed",
    note = "a kernel becomes one by `Exact::new(kernel)`, and several by `Candidates::new().kernels(name, values, Gaussian::new)`",
    note = "a builder of your own goes into a search by an `impl SubsetBuilder<S> for MyBuilder` without methods"
)]
pub trait SubsetBuilder<S: Samples>: SpaceBuilder<S> + Sync {
    /// Prepares the samples.
    ///
    /// # Errors
    /// As [`SpaceBuilder::fit_space`].
    fn subsets<'a>(&'a self, x: &'a S) -> Result<SubsetsOf<'a, S, Self>, Error> {
        Ok(Box::new(Refitted::new(self, x)))
    }

    /// Whether the kernel is the same for all subsets: not if it is found from the samples. Where it is, kernel values of all
    /// samples may serve all folds. False by default.
    fn has_one_kernel(&self) -> bool {
        false
    }

    /// The samples by their kernel matrix, with the builder for that, where the spaces of subsets are
    /// best fitted from one matrix in memory; `None` where they are not, or by a builder without
    /// kernel.
    ///
    /// # Errors
    /// As [`SpaceBuilder::fit_space`].
    fn kernel_matrix(&self, _: &S) -> Result<Option<KernelMatrixOf<S, Self>>, Error> {
        Ok(None)
    }
}

/// Samples known by their kernel matrix, and the builder of spaces for them.
pub type KernelMatrixOf<S, B> = (
    Exact<Precomputed>,
    KernelRows<<<B as SpaceBuilder<S>>::Space as KernelSpace>::Scalar>,
);

/// The subsets of samples, for a builder.
pub type SubsetsOf<'a, S, B> =
    Box<dyn Subsets<<<B as SpaceBuilder<S>>::Space as KernelSpace>::Scalar> + 'a>;

/// Samples prepared for the spaces of many of their subsets. Made by [`SubsetBuilder::subsets`].
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
    B: SpaceBuilder<S> + Sync + ?Sized,
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
impl<S: Samples, K: Kernel<S>> SubsetBuilder<S> for Exact<K> {
    fn subsets<'a>(&'a self, x: &'a S) -> Result<SubsetsOf<'a, S, Self>, Error> {
        let whole = self
            .clone()
            .rank(Rank::default())
            .axes(Axes::Cholesky)
            .indefinite(Indefinite::Refuse);
        match whole.fit_space(x) {
            Ok(space) => Ok(Box::new(Linearised {
                coordinates: space.into_parts().1,
                builder: self.with_kernel(Linear::new()),
            })),
            // A subset then has eigenvalues of its own to refuse or to clip, and a variance of its own.
            Err(
                Error::Indefinite { .. } | Error::NoVariance { .. } | Error::Cancellation { .. },
            ) => Ok(Box::new(Refitted::new(self, x))),
            Err(other) => Err(other),
        }
    }

    fn has_one_kernel(&self) -> bool {
        true
    }

    fn kernel_matrix(&self, x: &S) -> Result<Option<KernelMatrixOf<S, Self>>, Error> {
        if !fits::<K::Scalar>(x.len(), rayon::current_num_threads(), memory_limit()) {
            return Ok(None);
        }
        self.kernel().check(x)?;
        // What is wrong with a value is told best by a fit to the samples.
        let gram = if self.is_centered() {
            gram_to_centre(self.kernel(), x)
        } else {
            self.kernel().gram(x)
        };
        let matrix = KernelRows::training(gram.view()).ok();
        Ok(matrix.map(|matrix| (self.with_kernel(Precomputed::new()), matrix)))
    }
}

/// Each subset by the builder that is made of it.
impl<S, B, G> SubsetBuilder<S> for FromSamples<G>
where
    S: Samples,
    B: SpaceBuilder<S>,
    G: Fn(&S) -> Result<B, Error> + Sync,
{
}

/// Landmarks are chosen anew for every subset.
impl<S, K, L> SubsetBuilder<S> for Nystrom<K, L>
where
    S: Samples,
    K: Kernel<S>,
    L: LandmarkSelection<S>,
{
}

/// The same features for every subset.
impl<F, K> SubsetBuilder<Rows<F>> for HomogeneousFeatures<K>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
}

/// The same sketches for every subset.
impl<F: Scalar> SubsetBuilder<Rows<F>> for TensorSketch<F> {}

/// The same frequencies for every subset.
impl<F, K> SubsetBuilder<Rows<F>> for RandomFourier<K>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
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
