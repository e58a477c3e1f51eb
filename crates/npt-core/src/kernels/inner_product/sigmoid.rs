//! The sigmoid kernel: the hyperbolic tangent of the inner product.

use super::{inner_product, map_inner_products};
use crate::{
    Error, Kernel, Rows, Scalar, error,
    kernels::{unless_vanished, weighted_sums},
};
use ndarray::{Array2, ArrayView2};

/// The sigmoid kernel, known from neural networks. It is **not** positive semidefinite in general:
/// a space built on it is refused where its matrix has a negative eigenvalue, or clipped on
/// request ([`Indefinite`](crate::Indefinite)).
///
/// # Definition
/// κ(a, b) = tanh(γ⟨a, b⟩ + c)
///
/// # Parameters
/// `gamma` γ > 0; `constant` c finite.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `gamma` or `constant`, and [`Error::Indefinite`].
///
/// # Example
/// ```
/// use npt_core::{Kernel, Sigmoid};
///
/// let value = Sigmoid::new(0.5, -1.0).eval(&[1.0, 2.0], &[3.0, 1.0]);
/// assert_eq!(value, (0.5_f64 * (1.0 * 3.0 + 2.0 * 1.0) - 1.0).tanh());
/// ```
///
/// # References
/// H.-T. Lin, C.-J. Lin, *A Study on Sigmoid Kernels for SVM and the Training of non-PSD Kernels
/// by SMO-type Methods*, National Taiwan University 2003.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "sigmoid")
)]
pub struct Sigmoid<F> {
    gamma: F,
    constant: F,
}

crate::composable!(impl<F> Sigmoid<F>);

impl<F: Scalar> Sigmoid<F> {
    /// The kernel tanh(γ⟨a, b⟩ + c); ranges are checked at fit.
    pub fn new(gamma: F, constant: F) -> Self {
        Self { gamma, constant }
    }

    fn of_inner_product(&self, product: F) -> F {
        (self.gamma * product + self.constant).tanh()
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Sigmoid<F> {
    type Scalar = F;

    crate::parameters!("sigmoid", gamma, constant);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        self.of_inner_product(inner_product(a, b))
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        map_inner_products(a, b, |product| self.of_inner_product(product))
    }

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Sigmoid", "gamma", self.gamma.as_f64())?;
        error::finite("Sigmoid", "constant", self.constant.as_f64())
    }

    fn parameter_derivatives(&self, x: &Rows<F>, weights: ArrayView2<'_, F>) -> Vec<Option<F>> {
        // The derivative by c is 1 − κ²; by γ it is that times ⟨a, b⟩.
        let products = map_inner_products(x, x, |product| product);
        weighted_sums(weights, &products, |product| {
            let outer = F::one() - self.of_inner_product(product).powi(2);
            [unless_vanished(product, outer), outer]
        })
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }
}
