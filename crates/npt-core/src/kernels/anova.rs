//! The ANOVA kernel: powers of sums over features.

use super::stationary::Scales;
use crate::{Description, Error, Kernel, Rows, Samples, Scalar, error, linalg::fill_values};
use ndarray::{Array1, Array2};

/// The ANOVA kernel: interactions of up to `degree` features, each seen through a Gaussian.
///
/// # Definition
/// κ(a, b) = (Σₖ exp(−γ(aₖ − bₖ)²))ᵈ
///
/// This is kernlab's `anovadot`. The ANOVA decomposition of Stitson et al. is another kernel: it
/// sums the products over d *distinct* features only, where this power repeats them.
///
/// # Parameters
/// `gamma` γ > 0; `degree` d ≥ 1.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `gamma` or `degree`.
///
/// # Example
/// ```
/// use npt_core::{Anova, Kernel};
///
/// let value = Anova::new(0.5, 3).eval(&[1.0, 2.0], &[2.0, 4.0]);
/// assert_eq!(value, ((-0.5_f64 * 1.0).exp() + (-0.5_f64 * 4.0).exp()).powi(3));
/// ```
///
/// # References
/// A. Karatzoglou, A. Smola, K. Hornik, A. Zeileis, "kernlab – an S4 package for kernel methods in
/// R", Journal of Statistical Software 11(9), 2004. doi:10.18637/jss.v011.i09
///
/// M. Stitson, A. Gammerman, V. Vapnik, V. Vovk, C. Watkins, J. Weston, "Support vector regression
/// with ANOVA decomposition kernels", in *Advances in Kernel Methods*, MIT Press 1999.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "anova")
)]
pub struct Anova<F> {
    gamma: F,
    degree: u32,
}

crate::composable!(impl<F> Anova<F>);

impl<F: Scalar> Anova<F> {
    /// The kernel (Σₖ exp(−γ(aₖ − bₖ)²))ᵈ; ranges are checked at fit.
    pub fn new(gamma: F, degree: u32) -> Self {
        Self { gamma, degree }
    }

    fn power(&self, sum: F) -> F {
        // Degrees beyond i32 overflow to infinity or vanish long before.
        sum.powi(i32::try_from(self.degree).unwrap_or(i32::MAX))
    }

    fn value(&self, a: &[F], b: &[F], scales: Scales<'_, F>) -> F {
        let term = |difference: F| (-self.gamma * (difference * difference)).exp();
        self.power(scales.sum(a, b, term))
    }

    fn block(&self, a: &Rows<F>, b: &Rows<F>, scales: Scales<'_, F>) -> Array2<F> {
        let features = b.view().reversed_axes().as_standard_layout().into_owned();
        let mut matrix = Array2::zeros((a.len(), b.len()));
        fill_values(&mut matrix, |i, row| {
            let mut terms = vec![F::zero(); row.len()];
            for (k, (&a, feature)) in a.get(i).iter().zip(features.outer_iter()).enumerate() {
                terms.fill(F::zero());
                let exponent = |difference: F| -self.gamma * (difference * difference);
                scales.add(k, &mut terms, a, feature, exponent);
                F::exp_in_place(&mut terms);
                for (sum, &term) in row.iter_mut().zip(&terms) {
                    *sum += term;
                }
            }
            for value in row {
                *value = self.power(*value);
            }
        });
        matrix
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Anova<F> {
    type Scalar = F;

    crate::parameters!("anova", gamma, degree);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        self.value(a, b, Scales::NONE)
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        self.block(a, b, Scales::NONE)
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        let features = F::cast(x.view().ncols());
        Array1::from_elem(x.len(), self.power(features))
    }

    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a [F],
    ) -> Option<Box<dyn Kernel<Rows<F>, Scalar = F> + 'a>>
    where
        Rows<F>: 'a,
    {
        Some(Box::new(Divided {
            kernel: *self,
            scales: Scales::new(length_scales),
        }))
    }

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Anova", "gamma", self.gamma.as_f64())?;
        error::positive("Anova", "degree", f64::from(self.degree))
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

/// The kernel of features divided by length scales.
struct Divided<'a, F> {
    kernel: Anova<F>,
    scales: Scales<'a, F>,
}

impl<F: Scalar> Kernel<Rows<F>> for Divided<'_, F> {
    type Scalar = F;

    fn describe(&self) -> Description {
        Kernel::<Rows<F>>::describe(&self.kernel)
    }

    fn eval(&self, a: &[F], b: &[F]) -> F {
        self.kernel.value(a, b, self.scales)
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        self.kernel.block(a, b, self.scales)
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        self.kernel.diag(x)
    }
}
