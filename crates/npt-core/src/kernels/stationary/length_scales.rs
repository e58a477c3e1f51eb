//! Kernels with a length scale for each feature.

use super::SpectralMeasure;
use crate::{
    Description, Error, Kernel, Rows, Samples, Scalar, error,
    kernels::{derivatives_of, mean_of},
    parallel,
};
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
/// At fit, [`Error::FeatureCount`] if there are more or fewer scales than features,
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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "length_scales")
)]
pub struct LengthScales<K, F> {
    kernel: K,
    length_scales: Vec<F>,
}

crate::composable!(impl<K, F> LengthScales<K, F>);

impl<K, F> LengthScales<K, F> {
    /// The kernel κ₁ of the features divided by ℓ; number and ranges are checked at fit.
    pub fn new(kernel: K, length_scales: Vec<F>) -> Self {
        Self {
            kernel,
            length_scales,
        }
    }

    /// The length scales ℓ, one a feature.
    pub fn length_scales(&self) -> &[F] {
        &self.length_scales
    }

    /// The kernel of the divided features.
    pub fn inner(&self) -> &K {
        &self.kernel
    }
}

impl<K, F: Scalar> LengthScales<K, F> {
    /// The kernel of the divided features, computed from differences where κ₁ knows how.
    fn divided<'a>(&'a self) -> Box<dyn Kernel<Rows<F>, Scalar = K::Scalar> + 'a>
    where
        K: Kernel<Rows<F>>,
    {
        let by_differences = self.kernel.with_length_scales(&self.length_scales);
        by_differences.unwrap_or_else(|| of_quotients(&self.kernel, &self.length_scales))
    }

    /// The sums Σᵢⱼ sᵢⱼ ∂‖uᵢ − uⱼ‖²/∂ℓₖ = −2/ℓₖ · Σᵢⱼ sᵢⱼ(uᵢₖ − uⱼₖ)², one for each feature, with u = x/ℓ. They are computed
    /// difference by difference: squares that are multiplied out cancel, and near samples have the largest s.
    fn by_length_scales<G: Scalar>(&self, x: &Rows<F>, s: &Array2<G>) -> Vec<Option<G>> {
        let scales: Vec<f64> = self.length_scales.iter().map(|v| v.as_f64()).collect();
        let of_rows = parallel::map(x.len(), |i| {
            let mut sums = vec![0.0; scales.len()];
            for (j, &s) in s.row(i).iter().enumerate() {
                if s == G::zero() || i == j {
                    continue;
                }
                let pairs = x.get(i).iter().zip(x.get(j)).zip(&scales);
                for (sum, ((&a, &b), scale)) in sums.iter_mut().zip(pairs) {
                    let difference = (a.as_f64() - b.as_f64()) / scale;
                    *sum += s.as_f64() * difference * difference;
                }
            }
            sums
        });
        let of_feature = |(k, scale): (usize, &f64)| {
            let sum: f64 = of_rows.iter().map(|sums| sums[k]).sum();
            Some(G::cast(-2.0 * sum / scale))
        };
        scales.iter().enumerate().map(of_feature).collect()
    }
}

impl<F: Scalar, K: Kernel<Rows<F>>> Kernel<Rows<F>> for LengthScales<K, F> {
    type Scalar = K::Scalar;

    crate::parameters!("length_scales", length_scales; kernel);

    fn eval(&self, a: &[F], b: &[F]) -> K::Scalar {
        self.divided().eval(a, b)
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<K::Scalar> {
        self.divided().cross(a, b)
    }

    fn gram(&self, x: &Rows<F>) -> Array2<K::Scalar> {
        self.divided().gram(x)
    }

    fn diag(&self, x: &Rows<F>) -> Array1<K::Scalar> {
        self.divided().diag(x)
    }

    fn origin(&self, x: &Rows<F>) -> Option<Rows<F>> {
        self.divided().origin(x)
    }

    fn eval_about(&self, origin: &[F], a: &[F], b: &[F]) -> K::Scalar {
        self.divided().eval_about(origin, a, b)
    }

    fn cross_about(&self, origin: &Rows<F>, a: &Rows<F>, b: &Rows<F>) -> Array2<K::Scalar> {
        self.divided().cross_about(origin, a, b)
    }

    fn diag_about(&self, origin: &Rows<F>, x: &Rows<F>) -> Array1<K::Scalar> {
        self.divided().diag_about(origin, x)
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
        self.kernel.check(&quotients(x, &self.length_scales)?)
    }

    fn parameter_derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, K::Scalar>,
    ) -> Vec<Option<K::Scalar>> {
        let divided = self.divided();
        let mut all = match divided.squared_distance_derivatives(x) {
            Some(slopes) => self.by_length_scales(x, &(slopes * weights)),
            None => vec![None; self.length_scales.len()],
        };
        all.extend(derivatives_of(&divided, x, weights));
        all
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.kernel.is_positive_semidefinite()
    }

    /// Multiplies the two length scales of each feature, as the feature is divided by one after the other.
    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a [F],
    ) -> Option<Box<dyn Kernel<Rows<F>, Scalar = K::Scalar> + 'a>>
    where
        Rows<F>: 'a,
    {
        let pairs = self.length_scales.iter().zip(length_scales);
        let products: Vec<F> = pairs.map(|(&own, &other)| own * other).collect();
        if !products.iter().all(|product| product.is_normal()) {
            return None;
        }
        // The type is the same whatever the kernel: otherwise the compiler would look for scales of scales without end.
        let kernel: &'a dyn Kernel<Rows<F>, Scalar = K::Scalar> = &self.kernel;
        Some(Box::new(LengthScales::new(kernel, products)))
    }

    fn spectral_measure(&self) -> Option<Box<dyn SpectralMeasure + '_>> {
        let measure = self.kernel.spectral_measure()?;
        let length_scales = &self.length_scales;
        Some(Box::new(Divided {
            measure,
            length_scales,
        }))
    }
}

/// The samples with each feature divided by its length scale.
fn quotients<F: Scalar>(x: &Rows<F>, length_scales: &[F]) -> Result<Rows<F>, Error> {
    Rows::new(&x.view() / &ArrayView1::from(length_scales))
}

/// The kernel of quotients aₖ/ℓₖ, for a kernel that is no function of differences: quotients lose nothing there.
pub(in crate::kernels) fn of_quotients<'a, F: Scalar, K: Kernel<Rows<F>>>(
    kernel: &'a K,
    length_scales: &'a [F],
) -> Box<dyn Kernel<Rows<F>, Scalar = K::Scalar> + 'a> {
    Box::new(Quotients {
        kernel,
        length_scales,
    })
}

/// Any kernel, applied to quotients aₖ/ℓₖ.
struct Quotients<'a, K, F> {
    kernel: &'a K,
    length_scales: &'a [F],
}

impl<K, F: Scalar> Quotients<'_, K, F> {
    fn one(&self, sample: &[F]) -> Vec<F> {
        let pairs = sample.iter().zip(self.length_scales);
        pairs.map(|(&value, &scale)| value / scale).collect()
    }

    fn all(&self, x: &Rows<F>) -> Rows<F> {
        quotients(x, self.length_scales).expect("samples that `check` has passed")
    }
}

impl<F: Scalar, K: Kernel<Rows<F>>> Kernel<Rows<F>> for Quotients<'_, K, F> {
    type Scalar = K::Scalar;

    fn describe(&self) -> Description {
        self.kernel.describe()
    }

    fn eval(&self, a: &[F], b: &[F]) -> K::Scalar {
        self.kernel.eval(&self.one(a), &self.one(b))
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<K::Scalar> {
        self.kernel.cross(&self.all(a), &self.all(b))
    }

    fn gram(&self, x: &Rows<F>) -> Array2<K::Scalar> {
        self.kernel.gram(&self.all(x))
    }

    fn diag(&self, x: &Rows<F>) -> Array1<K::Scalar> {
        self.kernel.diag(&self.all(x))
    }

    fn origin(&self, x: &Rows<F>) -> Option<Rows<F>> {
        self.kernel.origin(&self.all(x))?;
        mean_of(x)
    }

    fn eval_about(&self, origin: &[F], a: &[F], b: &[F]) -> K::Scalar {
        let (a, b) = (self.one(a), self.one(b));
        self.kernel.eval_about(&self.one(origin), &a, &b)
    }

    fn cross_about(&self, origin: &Rows<F>, a: &Rows<F>, b: &Rows<F>) -> Array2<K::Scalar> {
        let (a, b) = (self.all(a), self.all(b));
        self.kernel.cross_about(&self.all(origin), &a, &b)
    }

    fn diag_about(&self, origin: &Rows<F>, x: &Rows<F>) -> Array1<K::Scalar> {
        self.kernel.diag_about(&self.all(origin), &self.all(x))
    }

    fn parameter_derivatives(
        &self,
        x: &Rows<F>,
        weights: ArrayView2<'_, K::Scalar>,
    ) -> Vec<Option<K::Scalar>> {
        self.kernel.parameter_derivatives(&self.all(x), weights)
    }

    fn squared_distance_derivatives(&self, x: &Rows<F>) -> Option<Array2<K::Scalar>> {
        self.kernel.squared_distance_derivatives(&self.all(x))
    }
}

/// The frequencies of a kernel of quotients aₖ/ℓₖ.
struct Divided<'a, F> {
    measure: Box<dyn SpectralMeasure + 'a>,
    length_scales: &'a [F],
}

impl<F: Scalar> SpectralMeasure for Divided<'_, F> {
    fn draw_deviations(&self, rng: &mut dyn RngCore, deviations: &mut [f64]) {
        self.measure.draw_deviations(rng, deviations);
        for (deviation, scale) in deviations.iter_mut().zip(self.length_scales) {
            *deviation /= scale.as_f64();
        }
    }

    fn is_isotropic(&self) -> bool {
        self.measure.is_isotropic()
    }
}
