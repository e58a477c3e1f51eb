//! Coordinates of subsets of the samples, each in the space of that subset alone.

use super::{Exact, KernelSpace, SpaceBuilder};
use crate::{Error, Kernel, Linear, Rows, Samples, Scalar};
use ndarray::{Array2, Axis};

/// Samples prepared for the spaces of many of their subsets, as cross-validation needs them. Made
/// by [`SpaceBuilder::subsets`].
pub trait Subsets<F>: Sync {
    /// The coordinates of the samples `training` in the space that they alone span, and those of
    /// the samples `new` in it, shapes (training, r) and (new, r). Samples are counted from 0.
    ///
    /// # Errors
    /// As [`SpaceBuilder::fit_samples`] of the training samples.
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
pub(super) struct Refitted<'a, S, B> {
    pub(super) builder: &'a B,
    pub(super) samples: &'a S,
}

impl<S, B> Subsets<<B::Space as KernelSpace>::Scalar> for Refitted<'_, S, B>
where
    S: Samples,
    B: SpaceBuilder<S> + Sync,
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
        let space = self.builder.fit_samples(&self.samples.select(training))?;
        let new = space.map(&self.samples.select(new))?;
        Ok((space.training_coordinates().to_owned(), new))
    }
}

/// Coordinates f with ⟨f(xᵢ), f(xⱼ)⟩ = κ(xᵢ, xⱼ): in them the kernel is the linear one, and the space
/// of a subset that of the linear kernel on its rows.
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
        let space = self.builder.fit_samples(&rows(training)?)?;
        let new = space.map(&rows(new)?)?;
        Ok((space.training_coordinates().to_owned(), new))
    }
}

/// Evaluates the kernel once; `None` if it is not positive semidefinite on the samples as they are,
/// for then a subset has a spectrum of its own to refuse or to clip.
pub(super) fn linearised<S: Samples, K: Kernel<S>>(
    whole: &Exact<K>,
    subset: Exact<Linear>,
    x: &S,
) -> Result<Option<Box<dyn Subsets<K::Scalar>>>, Error> {
    match whole.fit_samples(x) {
        Ok(space) => Ok(Some(Box::new(Linearised {
            coordinates: space.training_coordinates().to_owned(),
            builder: subset,
        }))),
        Err(Error::Indefinite { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}
