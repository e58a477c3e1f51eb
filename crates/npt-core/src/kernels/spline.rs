//! The spline kernel: linear splines with a knot everywhere.

use super::{fold_features, non_negative};
use crate::{Error, Kernel, Rows, Scalar};
use ndarray::Array2;

/// The spline kernel: linear splines with infinitely many knots, for features of at least 0.
///
/// # Definition
/// With m = min(aₖ, bₖ) and M = max(aₖ, bₖ):
///
/// κ(a, b) = Πₖ (1 + aₖbₖ + aₖbₖm − (aₖ + bₖ)m²/2 + m³/3) = Πₖ (1 + mM + m²(3M − m)/6)
///
/// Each factor is 1 + aₖbₖ plus the integral of (aₖ − t)(bₖ − t) over the knots t from 0 to m. The
/// second form is the one that is computed: nothing cancels in it.
///
/// # Errors
/// At fit and for new samples, [`Error::SampleOutsideDomain`] naming a negative feature.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Spline};
///
/// let value: f64 = Spline::new().eval(&[1.0, 3.0], &[2.0, 0.0]);
/// let factor = 1.0 + 2.0 + 2.0 * 1.0 - 3.0 / 2.0 + 1.0 / 3.0;
/// assert!((value - factor * 1.0).abs() < 1e-15);
/// ```
///
/// # References
/// V. N. Vapnik, *Statistical Learning Theory*, Wiley 1998, section 11.3.
///
/// A. Karatzoglou, A. Smola, K. Hornik, A. Zeileis, "kernlab – an S4 package for kernel methods in
/// R", Journal of Statistical Software 11(9), 2004. doi:10.18637/jss.v011.i09
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "spline")
)]
pub struct Spline;

crate::composable!(Spline);

impl Spline {
    /// The spline kernel; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

fn factor<F: Scalar>(a: F, b: F) -> F {
    let (smaller, larger) = if a < b { (a, b) } else { (b, a) };
    let integral = smaller * smaller * (F::cast(3) * larger - smaller) / F::cast(6);
    F::one() + smaller * larger + integral
}

impl<F: Scalar> Kernel<Rows<F>> for Spline {
    type Scalar = F;

    crate::parameters!("spline");

    fn eval(&self, a: &[F], b: &[F]) -> F {
        let factors = a.iter().zip(b).map(|(&a, &b)| factor(a, b));
        factors.fold(F::one(), |product, factor| product * factor)
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        let multiply = |_, product: F, a: F, b: F| product * factor(a, b);
        fold_features(a, b, F::one(), multiply, |_, _| ())
    }

    fn check(&self, x: &Rows<F>) -> Result<(), Error> {
        non_negative("Spline", x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }
}
