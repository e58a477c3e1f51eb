//! Gower's coefficient of similarity.

use crate::{AsSamples, Error, Kernel, Rows, Samples, Scalar, error, kernels::fold_features};
use ndarray::{Array1, Array2, ArrayView1, Axis};

/// Gower's coefficient of similarity, for records that mix measurements with categories: all features count the same.
///
/// # Definition
/// κ(a, b) = (1/d) Σₖ sₖ, with sₖ = max(0, 1 − |aₖ − bₖ|/Rₖ) for a feature of the range Rₖ > 0. The range of a category is
/// 0: for it, sₖ = 1 if aₖ = bₖ, else 0. Samples farther apart than the range are as unlike as they can be.
///
/// # Parameters
/// `ranges` Rₖ ≥ 0, one a feature; [`of_samples`](Self::of_samples) finds them.
///
/// # Errors
/// At fit, [`Error::FeatureCount`] if there are more or fewer ranges than features, [`Error::Parameter`] naming `ranges`.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, FromSamples, Gower, Kernel, KernelSpace, Rows, SpaceBuilder};
///
/// // Age, and a profession.
/// let x = array![[20.0, 1.0], [60.0, 3.0], [30.0, 3.0]];
/// let kernel = Gower::of_samples(&x, &[1])?;
/// assert_eq!(kernel.ranges(), [40.0, 0.0]);
/// assert_eq!(kernel.eval(&[20.0, 1.0], &[30.0, 3.0]), (0.75 + 0.0) / 2.0);
///
/// // In cross-validation, with the ranges of each fold's training samples.
/// let space = FromSamples::new(|x: &Rows<f64>| Ok(Exact::new(Gower::of_samples(x, &[1])?)));
/// assert_eq!(space.fit_space(&x)?.rank(), 2);
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// J. C. Gower, "A General Coefficient of Similarity and Some of Its Properties", Biometrics 27(4), 1971. doi:10.2307/2528823.
/// In that article samples are within the ranges, so that no sₖ is cut at 0. With the cut the kernel is positive
/// semidefinite everywhere, as max(0, 1 − |t|) is the characteristic function of a density.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "gower")
)]
pub struct Gower<F> {
    ranges: Vec<F>,
}

crate::composable!(impl<F> Gower<F>);

impl<F> Gower<F> {
    /// The kernel with these ranges, 0 for a category; number and values are checked at fit.
    pub fn new(ranges: Vec<F>) -> Self {
        Self { ranges }
    }

    /// The ranges, one a feature.
    pub fn ranges(&self) -> &[F] {
        &self.ranges
    }
}

impl<F: Scalar> Gower<F> {
    /// The kernel with the ranges of these samples, and 0 for the columns that are `categories`. A column whose values are
    /// all the same gets the range 0 as well.
    ///
    /// # Errors
    /// [`Error::ColumnRange`] for a category that is no column, [`Error::Parameter`] if a range overflows, and what is
    /// wrong with the records.
    pub fn of_samples<R>(x: &R, categories: &[usize]) -> Result<Self, Error>
    where
        R: AsSamples<Samples = Rows<F>>,
    {
        let x = x.as_samples()?;
        let columns = x.view().ncols();
        let range = |column: ArrayView1<'_, F>| {
            let (least, most) = column
                .iter()
                .fold((column[0], column[0]), |(least, most), &v| {
                    (
                        if v < least { v } else { least },
                        if v > most { v } else { most },
                    )
                });
            most - least
        };
        let mut ranges = x.view().map_axis(Axis(0), range).to_vec();
        for &category in categories {
            let range = ranges.get_mut(category).ok_or(Error::ColumnRange {
                start: category,
                end: category + 1,
                columns,
            })?;
            *range = F::zero();
        }
        let kernel = Self::new(ranges);
        kernel.check(&x)?;
        Ok(kernel)
    }
}

/// The similarity sₖ of two values of a feature.
fn similarity<F: Scalar>(a: F, b: F, range: F) -> F {
    if a == b {
        return F::one();
    }
    // If the range is 0, this is −∞.
    let left = F::one() - (a - b).abs() / range;
    if left > F::zero() { left } else { F::zero() }
}

impl<F: Scalar> Kernel<Rows<F>> for Gower<F> {
    type Scalar = F;

    crate::parameters!("gower", ranges);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let features = a.iter().zip(b).zip(&self.ranges);
        let sum: F = features
            .map(|((&a, &b), &range)| similarity(a, b, range))
            .sum();
        sum / F::cast(a.len())
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        let features = F::cast(self.ranges.len());
        let add = |k: usize, sum: F, a: F, b: F| sum + similarity(a, b, self.ranges[k]);
        fold_features(a, b, F::zero(), add, |_, row| {
            for value in row {
                *value /= features;
            }
        })
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        let (expected, found) = (self.ranges.len(), x.view().ncols());
        if expected != found {
            return Err(Error::FeatureCount {
                kernel: "Gower",
                expected,
                found,
            });
        }
        for range in &self.ranges {
            error::not_negative("Gower", "ranges", range.as_f64())?;
        }
        Ok(())
    }

    /// Multiplies the ranges by the length scales, in place of dividing the features.
    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a [F],
    ) -> Option<Box<dyn Kernel<Rows<F>, Scalar = F> + 'a>>
    where
        Rows<F>: 'a,
    {
        let pairs = self.ranges.iter().zip(length_scales);
        let ranges: Vec<F> = pairs.map(|(&range, &scale)| range * scale).collect();
        let mut pairs = self.ranges.iter().zip(&ranges);
        // A category stays one, and no other feature becomes one.
        let usual = pairs.all(|(range, product)| range.is_zero() || product.is_normal());
        usual.then(|| {
            let kernel: Box<dyn Kernel<Rows<F>, Scalar = F> + 'a> = Box::new(Self::new(ranges));
            kernel
        })
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}
