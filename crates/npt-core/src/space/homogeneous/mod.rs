//! Features of additive kernels of histograms.

mod map;

pub use map::HomogeneousMap;

use super::{
    Fitted, Space, SpaceBuilder,
    options::{Shape, shape_setters},
};
use crate::{AsSamples, Error, Kernel, Rows, Samples, Scalar, error::at_least_one};
use std::sync::Arc;

/// Builds a space of features for an additive kernel of histograms: 2m + 1 features for each column of the samples,
/// without any kernel value.
///
/// # Definition
/// The features of a value a ≥ 0 are √(aLs₀), √(2aLsₖ) cos(kL log a) and √(2aLsₖ) sin(kL log a) for k = 1, …, m,
/// with sₖ = s(kL) from the [spectrum](Kernel::homogeneous) of κ. They are then centred and turned as in every space. In
/// the kernel represented, κ̂, a sum takes the place of the integral over frequencies ([`HomogeneousMap`]); residuals are
/// those of κ̂. The step L is the one for which κ̂₁(a, b), of single values, differs least from κ₁(a, b) in the worst
/// case, relative to the larger of a and b. These are the worst cases:
///
/// | m | 1 | 2 | 3 | 5 | 8 |
/// |---|---|---|---|---|---|
/// | [`AdditiveChiSquared`](crate::AdditiveChiSquared) | 0.032 | 0.013 | 0.0058 | 0.0015 | 0.0003 |
/// | [`HistogramIntersection`](crate::HistogramIntersection) | 0.10 | 0.079 | 0.064 | 0.047 | 0.034 |
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | [`rank`](Self::rank) | `Tolerance(0.0)` | how many principal axes to keep |
/// | [`axes`](Self::axes) | `Principal` | on `Cholesky` axes, coordinates are the features themselves, whatever the rank |
/// | [`centered`](Self::centered) | `true` | whether the origin is the mean of the features |
///
/// # Errors
/// [`Error::UnsuitableKernel`] for a kernel without a spectrum, [`Error::SampleOutsideDomain`] for a negative value,
/// [`Error::Parameter`] for m = 0, [`Error::Rank`], [`Error::NoVariance`] if all samples coincide, [`Error::Memory`].
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::{AdditiveChiSquared, Axes, HomogeneousFeatures, Kernel, Rows, SpaceBuilder};
///
/// // Three bins of 50 histograms, some of them empty.
/// let x = Array2::from_shape_fn((50, 3), |(i, j)| ((i * (j + 3)) % 7) as f64);
/// let kernel = AdditiveChiSquared::new();
/// let builder = HomogeneousFeatures::new(kernel, 3).axes(Axes::Cholesky).centered(false);
/// let space = builder.fit_space(&x)?;
/// let y = space.training_coordinates();
/// assert_eq!(y.dim(), (50, 21));
/// let off = y.dot(&y.t()) - kernel.gram(&Rows::new(x)?);
/// assert!(off.iter().all(|d| d.abs() <= 3.0 * 6.0 * 0.006));
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// A. Vedaldi, A. Zisserman, "Efficient additive kernels via explicit feature maps", IEEE TPAMI
/// 34(3), 2012. doi:10.1109/TPAMI.2011.153
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HomogeneousFeatures<K> {
    kernel: Arc<K>,
    frequencies: usize,
    shape: Shape,
}

impl<K> HomogeneousFeatures<K> {
    /// Creates a builder of centred spaces of `frequencies` frequencies besides 0, on principal axes.
    pub fn new(kernel: K, frequencies: usize) -> Self {
        Self {
            kernel: Arc::new(kernel),
            frequencies,
            shape: Shape::default(),
        }
    }

    shape_setters!();

    /// The kernel κ.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<K> Clone for HomogeneousFeatures<K> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            ..*self
        }
    }
}

impl<F, K> SpaceBuilder<Rows<F>> for HomogeneousFeatures<K>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    type Space = Space<HomogeneousMap<K, F>, F>;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = Rows<F>>,
    ) -> Result<Fitted<Self::Space>, Error> {
        let x = records.as_samples()?;
        if x.is_empty() {
            return Err(Error::NoSamples);
        }
        at_least_one("HomogeneousFeatures", "frequencies", self.frequencies)?;
        self.shape.check(x.len())?;
        let map = HomogeneousMap::new(&self.kernel, self.frequencies, x.view().ncols())?;
        Space::of_shape(map, &x, self.shape)
    }
}
