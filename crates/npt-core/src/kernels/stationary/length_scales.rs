//! Kernels with a length scale for each feature.

use super::SpectralMeasure;
use crate::{Error, Kernel, Rows, Samples, Scalar, error, kernels::derivatives_of, parallel};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use rand::RngCore;

/// A kernel after each feature has been divided by its own length scale: automatic relevance
/// determination (ARD). A feature with a long scale matters little.
///
/// # Definition
/// κ(a, b) = κ₁(a′, b′) with a′ₖ = aₖ/ℓₖ. For a stationary κ₁ of length scale 1, the ℓₖ are the
/// length scales of the features.
///
/// # Parameters
/// `length_scales` ℓₖ > 0, one a feature.
///
/// # Errors
/// At fit, [`Error::FeatureCount`] if there are more or fewer of them than features,
/// [`Error::Parameter`] naming `length_scales`, [`Error::SampleNotFinite`] if a quotient
/// overflows, and what the kernel itself refuses.
///
/// # Panics
/// Blocks panic on samples that [`check`](Kernel::check) refuses; a fit checks first.
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, LengthScales};
///
/// let kernel = LengthScales::new(Gaussian::from_length_scale(1.0), vec![1.0, 10.0]);
/// let value: f64 = kernel.eval(&[1.0, 20.0], &[3.0, 50.0]);
/// assert_eq!(value, (-0.5 * (2.0_f64.powi(2) + 3.0_f64.powi(2))).exp());
/// ```
///
/// # References
/// C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press 2006,
/// section 5.1.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LengthScales<K, F> {
    kernel: K,
    length_scales: Vec<F>,
}

crate::composable!(impl<K, F> LengthScales<K, F>);

impl<K, F> LengthScales<K, F> {
    /// κ₁ of the features divided by ℓ; number and ranges are checked at fit.
    pub fn new(kernel: K, length_scales: Vec<F>) -> Self {
        Self {
            kernel,
            length_scales,
        }
    }

    /// ℓ, one a feature.
    pub fn length_scales(&self) -> &[F] {
        &self.length_scales
    }

    /// The kernel of the divided features.
    pub fn inner(&self) -> &K {
        &self.kernel
    }
}

impl<K, F: Scalar> LengthScales<K, F> {
    fn divide_one(&self, sample: &[F]) -> Vec<F> {
        let pairs = sample.iter().zip(&self.length_scales);
        pairs.map(|(&value, &scale)| value / scale).collect()
    }

    fn divide(&self, x: &Rows<F>) -> Result<Rows<F>, Error> {
        Rows::new(&x.view() / &ArrayView1::from(&self.length_scales))
    }

    /// Σᵢⱼ sᵢⱼ ∂‖uᵢ − uⱼ‖²/∂ℓₖ = −2/ℓₖ · Σᵢⱼ sᵢⱼ(uᵢₖ − uⱼₖ)² for each feature, of divided samples u. Difference
    /// by difference: squares that are multiplied out cancel, and near samples have the largest s.
    fn by_length_scales<G: Scalar>(&self, divided: &Rows<F>, s: &Array2<G>) -> Vec<Option<G>> {
        let features = self.length_scales.len();
        let of_rows = parallel::map(divided.len(), |i| {
            let mut sums = vec![0.0; features];
            for (j, &s) in s.row(i).iter().enumerate() {
                if s == G::zero() || i == j {
                    continue;
                }
                let pairs = divided.get(i).iter().zip(divided.get(j));
                for (sum, (&a, &b)) in sums.iter_mut().zip(pairs) {
                    let difference = a.as_f64() - b.as_f64();
                    *sum += s.as_f64() * difference * difference;
                }
            }
            sums
        });
        let of_feature = |(k, scale): (usize, &F)| {
            let sum: f64 = of_rows.iter().map(|sums| sums[k]).sum();
            Some(G::cast(-2.0 * sum / scale.as_f64()))
        };
        self.length_scales
            .iter()
            .enumerate()
            .map(of_feature)
            .collect()
    }

    fn divide_checked(&self, x: &Rows<F>) -> Rows<F> {
        self.divide(x).expect("samples that `check` has passed")
    }
}

impl<F: Scalar, K: Kernel<Rows<F>>> Kernel<Rows<F>> for LengthScales<K, F> {
    type Scalar = K::Scalar;

    crate::parameters!("length_scales", length_scales; kernel);

    fn eval(&self, a: &[F], b: &[F]) -> K::Scalar {
        let (a, b) = (self.divide_one(a), self.divide_one(b));
        self.kernel.eval(&a, &b)
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<K::Scalar> {
        let (a, b) = (self.divide_checked(a), self.divide_checked(b));
        self.kernel.cross(&a, &b)
    }

    fn gram(&self, x: &Rows<F>) -> Array2<K::Scalar> {
        self.kernel.gram(&self.divide_checked(x))
    }

    fn diag(&self, x: &Rows<F>) -> Array1<K::Scalar> {
        self.kernel.diag(&self.divide_checked(x))
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        let (expected, found) = (self.length_scales.len(), x.view().ncols());
        if expected != found {
            return Err(Error::FeatureCount {
                kernel: "LengthScales",
                expected,
                found,
            });
        }
        for scale in &self.length_scales {
            error::positive("LengthScales", "length_scales", scale.as_f64())?;
        }
        self.kernel.check(&self.divide(x)?)
    }

    fn parameter_derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, K::Scalar>,
    ) -> Vec<Option<K::Scalar>> {
        let divided = self.divide_checked(x);
        let mut all = match self.kernel.squared_distance_derivatives(&divided) {
            Some(slopes) => self.by_length_scales(&divided, &(slopes * weights)),
            None => vec![None; self.length_scales.len()],
        };
        all.extend(derivatives_of(&self.kernel, &divided, weights));
        all
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.kernel.is_positive_semidefinite()
    }
}

impl<K: SpectralMeasure, F: Scalar> SpectralMeasure for LengthScales<K, F> {
    fn draw_deviations(&self, rng: &mut dyn RngCore, deviations: &mut [f64]) {
        self.kernel.draw_deviations(rng, deviations);
        for (deviation, scale) in deviations.iter_mut().zip(&self.length_scales) {
            *deviation /= scale.as_f64();
        }
    }

    fn is_isotropic(&self) -> bool {
        self.kernel.is_isotropic()
    }
}
