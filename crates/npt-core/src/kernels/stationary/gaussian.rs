//! The Gaussian kernel: the exponential of the squared Euclidean distance.

use super::distance::squared_distance;
use crate::{
    Error, Kernel, Rows, Samples, Scalar, error,
    linalg::{self, fill_rows},
};
use ndarray::{Array1, Array2, Axis};

/// The Gaussian kernel, also called radial basis function (RBF).
///
/// # Definition
/// κ(a, b) = exp(−γ‖a − b‖²), with ‖·‖ the Euclidean norm.
///
/// # Parameters
/// `gamma` γ > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `gamma`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Gaussian};
///
/// let value = Gaussian::new(0.5).eval(&[1.0, 2.0], &[3.0, 1.0]);
/// assert_eq!(value, (-0.5_f64 * ((1.0_f64 - 3.0).powi(2) + (2.0_f64 - 1.0).powi(2))).exp());
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, *Learning with Kernels*, MIT Press 2002, section 2.3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaussian<F> {
    gamma: F,
}

crate::composable!(impl<F> Gaussian<F>);

impl<F: Scalar> Gaussian<F> {
    /// exp(−γ‖a − b‖²); the range is checked at fit.
    pub fn new(gamma: F) -> Self {
        Self { gamma }
    }

    /// exp(−‖a − b‖² / (2ℓ²)): the length scale ℓ of Gaussian processes, the σ of a density.
    ///
    /// ```
    /// use npt_core::Gaussian;
    /// assert_eq!(Gaussian::from_length_scale(2.0), Gaussian::new(1.0 / (2.0 * 2.0_f64.powi(2))));
    /// ```
    pub fn from_length_scale(length_scale: F) -> Self {
        Self::new((F::cast(2) * length_scale * length_scale).recip())
    }

    /// exp(−‖a − b‖² / eps): the convention of linfa's kernels.
    ///
    /// ```
    /// use npt_core::Gaussian;
    /// assert_eq!(Gaussian::from_linfa_eps(4.0), Gaussian::new(1.0 / 4.0_f64));
    /// ```
    pub fn from_linfa_eps(eps: F) -> Self {
        Self::new(eps.recip())
    }

    /// γ.
    pub fn gamma(&self) -> F {
        self.gamma
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Gaussian<F> {
    type Scalar = F;

    crate::parameters!("gaussian", gamma);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        (-self.gamma * squared_distance(a, b)).exp()
    }

    /// By ‖a − b‖² = ‖a‖² + ‖b‖² − 2⟨a, b⟩, one matrix product for all pairs. The formula cancels
    /// for pairs that are close to each other and far from the origin: the origin is moved to the
    /// mean of `b`, and pairs for which that is not enough are evaluated one by one.
    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        let origin = b.view().mean_axis(Axis(0)).expect("samples are not empty");
        let (a_moved, b_moved) = (&a.view() - &origin, &b.view() - &origin);
        let exponent = |moved: &Array2<F>| -> Array1<F> {
            moved
                .outer_iter()
                .map(|row| self.gamma * row.dot(&row))
                .collect()
        };
        let (a_norms, b_norms) = (exponent(&a_moved), exponent(&b_moved));
        let mut matrix = linalg::product(a_moved.view(), b_moved.view().reversed_axes());

        let twice = F::cast(2) * self.gamma;
        // The exponent γ‖a − b‖² has a rounding error of a few ε·γ(‖a‖² + ‖b‖²), which changes the
        // value by κ times as much. Up to this many ε that is the accuracy of `eval` itself.
        let few = F::cast(16);
        let largest = |norms: &Array1<F>| {
            norms
                .iter()
                .fold(F::zero(), |m, &v| if v <= m { m } else { v })
        };
        let norms = b_norms.as_slice().expect("collected");
        let safe = largest(&a_norms) + largest(&b_norms) <= few;
        fill_rows(&mut matrix, |i, row| {
            let a_norm = a_norms[i];
            F::exp_of_distances(row, twice, a_norm, norms);
            if !safe {
                for (j, value) in row.iter_mut().enumerate() {
                    // Negated, so that a norm that overflowed is caught as well.
                    if !(*value * (a_norm + b_norms[j]) <= few) {
                        *value = self.eval(a.get(i), b.get(j));
                    }
                }
            }
        });
        matrix
    }

    fn gram(&self, x: &Rows<F>) -> Array2<F> {
        let mut matrix = self.cross(x, x);
        matrix.diag_mut().fill(F::one());
        matrix
    }

    fn diag(&self, x: &Rows<F>) -> Array1<F> {
        Array1::ones(x.len())
    }

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Gaussian", "gamma", self.gamma.as_f64())
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }

    fn gaussian_gamma(&self) -> Option<F> {
        Some(self.gamma)
    }
}
