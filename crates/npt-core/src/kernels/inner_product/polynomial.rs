//! The polynomial kernel: powers of the inner product.

use super::{inner_product, map_inner_products};
use crate::{Error, Kernel, Rows, Scalar, error, kernels::weighted_sums};
use ndarray::{Array2, ArrayView2};

/// The polynomial kernel: all products of up to `degree` features.
///
/// # Definition
/// κ(a, b) = (γ⟨a, b⟩ + c)ᵈ
///
/// # Parameters
/// `degree` d ≥ 1; `gamma` γ > 0; `constant` c finite. With c < 0 the kernel is in general not
/// positive semidefinite, and refused where it shows.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `degree`, `gamma` or `constant`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Polynomial};
///
/// let value = Polynomial::new(3, 0.5, 1.0).eval(&[1.0, 2.0], &[3.0, 1.0]);
/// assert_eq!(value, (0.5_f64 * (1.0 * 3.0 + 2.0 * 1.0) + 1.0).powi(3));
/// ```
///
/// # References
/// B. Schölkopf, A. Smola, *Learning with Kernels*, MIT Press 2002, section 2.1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Polynomial<F> {
    degree: u32,
    gamma: F,
    constant: F,
}

crate::composable!(impl<F> Polynomial<F>);

impl<F: Scalar> Polynomial<F> {
    /// (γ⟨a, b⟩ + c)ᵈ; ranges are checked at fit.
    pub fn new(degree: u32, gamma: F, constant: F) -> Self {
        Self {
            degree,
            gamma,
            constant,
        }
    }

    /// The homogeneous polynomial ⟨a, b⟩ᵈ: products of exactly `degree` features.
    ///
    /// ```
    /// use npt_core::{Kernel, Polynomial};
    ///
    /// let value = Polynomial::homogeneous(2).eval(&[1.0, 2.0], &[3.0, 1.0]);
    /// assert_eq!(value, (1.0_f64 * 3.0 + 2.0 * 1.0).powi(2));
    /// ```
    pub fn homogeneous(degree: u32) -> Self {
        Self::new(degree, F::one(), F::zero())
    }

    pub(crate) fn degree(&self) -> u32 {
        self.degree
    }

    pub(crate) fn gamma(&self) -> F {
        self.gamma
    }

    pub(crate) fn constant(&self) -> F {
        self.constant
    }

    /// (γ⟨a, b⟩ + c) to a power that is the degree, or less. Degrees beyond i32 overflow to infinity or
    /// vanish long before.
    fn power(&self, product: F, degree: u32) -> F {
        let degree = i32::try_from(degree).unwrap_or(i32::MAX);
        (self.gamma * product + self.constant).powi(degree)
    }

    fn of_inner_product(&self, product: F) -> F {
        self.power(product, self.degree)
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Polynomial<F> {
    type Scalar = F;

    crate::parameters!("polynomial", degree, gamma, constant);

    fn eval(&self, a: &[F], b: &[F]) -> F {
        self.of_inner_product(inner_product(a, b))
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        map_inner_products(a, b, |product| self.of_inner_product(product))
    }

    fn check(&self, _: &Rows<F>) -> Result<(), Error> {
        error::positive("Polynomial", "degree", f64::from(self.degree))?;
        error::positive("Polynomial", "gamma", self.gamma.as_f64())?;
        error::finite("Polynomial", "constant", self.constant.as_f64())
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.constant >= F::zero()
    }

    fn parameter_derivatives(&self, x: &Rows<F>, weights: ArrayView2<'_, F>) -> Vec<Option<F>> {
        // d(γ⟨a, b⟩ + c)ᵈ⁻¹, times ⟨a, b⟩ by γ.
        let products = map_inner_products(x, x, |product| product);
        weighted_sums(weights, &products, |product| {
            let outer = F::cast(self.degree) * self.power(product, self.degree.saturating_sub(1));
            [outer * product, outer]
        })
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }
}
