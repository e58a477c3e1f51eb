//! The linear kernel: the inner product itself.

use super::{inner_product, map_inner_products};
use crate::{
    Kernel, Rows, Scalar,
    kernels::{Center, FAR, moved, of_quotients},
    linalg,
};
use ndarray::Array2;

/// The linear kernel: every kernelized method is then the linear method itself.
///
/// # Definition
/// κ(a, b) = ⟨a, b⟩
///
/// # Example
/// ```
/// use npt_core::{Kernel, Linear};
///
/// let value: f64 = Linear::new().eval(&[1.0, 2.0], &[3.0, -1.0]);
/// assert_eq!(value, 1.0 * 3.0 + 2.0 * -1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "linear")
)]
pub struct Linear;

crate::composable!(Linear);

impl Linear {
    /// The linear kernel; it has no parameters.
    pub fn new() -> Self {
        Self
    }
}

impl<F: Scalar> Kernel<Rows<F>> for Linear {
    type Scalar = F;

    crate::parameters!("linear");

    fn eval(&self, a: &[F], b: &[F]) -> F {
        inner_product(a, b)
    }

    fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        map_inner_products(a, b, |product| product)
    }

    fn origin(&self, x: &Rows<F>) -> Option<Rows<F>> {
        let center = Center::of(x)?;
        (center.squared_distance > FAR * center.spread).then_some(center.mean)
    }

    fn eval_about(&self, origin: &[F], a: &[F], b: &[F]) -> F {
        let products = a.iter().zip(b).zip(origin);
        products.map(|((&a, &b), &o)| (a - o) * (b - o)).sum()
    }

    fn cross_about(&self, origin: &Rows<F>, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        let (a, b) = (moved(a, origin), moved(b, origin));
        linalg::product(a.view(), b.t())
    }

    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a [F],
    ) -> Option<Box<dyn Kernel<Rows<F>, Scalar = F> + 'a>>
    where
        Rows<F>: 'a,
    {
        Some(of_quotients(self, length_scales))
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }

    fn ignores_common_zeros(&self) -> bool {
        true
    }

    /// Returns the distance itself, as φ is the identity.
    fn squared_distance_of_inputs(&self, squared: F) -> Option<F> {
        Some(squared)
    }

    fn linear_factor(&self) -> Option<F> {
        Some(F::one())
    }
}
