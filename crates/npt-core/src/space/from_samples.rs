//! Builders that depend on the training samples.

use super::{ExpansionSpace, Fitted, ProductsOf, SpaceBuilder};
use crate::{AsSamples, Error, Samples};

/// A builder that a function makes from the training samples. The function may find the width of a kernel from the samples,
/// or take as many landmarks as they allow. In cross-validation it makes a builder from the training samples of each fold.
///
/// # Errors
/// The errors of the function, and of the builder that it makes.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, FromSamples, Gaussian, KernelSpace, Rows, SpaceBuilder};
///
/// let builder = FromSamples::new(|x: &Rows<f64>| Ok(Exact::new(Gaussian::median_heuristic(x)?)));
///
/// // In units of their median distance, samples and ten times the samples are the same.
/// let x = array![[0.0], [1.0], [4.0]];
/// let (space, wide) = (builder.fit_space(&x)?, builder.fit_space(&(&x * 10.0))?);
/// let (y, z) = (space.coordinates(&array![[2.0]])?, wide.coordinates(&array![[20.0]])?);
/// assert!((y - z).iter().all(|d: &f64| d.abs() < 1e-14));
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct FromSamples<G> {
    build: G,
}

impl<G> FromSamples<G> {
    /// Creates the builder from a function that makes a builder from the training samples.
    pub fn new<S, B>(build: G) -> Self
    where
        G: Fn(&S) -> Result<B, Error>,
    {
        Self { build }
    }
}

impl<S, B, G> SpaceBuilder<S> for FromSamples<G>
where
    S: Samples,
    B: SpaceBuilder<S>,
    G: Fn(&S) -> Result<B, Error> + Send + Sync,
{
    type Space = B::Space;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<Self::Space>, Error> {
        (self.build)(&*records.as_samples()?)?.fit_space(records)
    }

    fn fit_for_expansion(
        &self,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<Self::Space>, Error> {
        (self.build)(&*records.as_samples()?)?.fit_for_expansion(records)
    }

    fn inner_products<'a>(
        &self,
        x: &'a S,
        centered: bool,
    ) -> Result<Option<ProductsOf<'a, S, Self::Space>>, Error>
    where
        Self::Space: ExpansionSpace,
    {
        (self.build)(x)?.inner_products(x, centered)
    }
}
