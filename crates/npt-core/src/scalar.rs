//! The floating point types in which everything is computed.

use crate::linalg::Backend;

/// `f32` or `f64`.
///
/// The trait is sealed: its bounds do not change with the linear algebra chosen by the crate
/// features, so code that is generic over `F: Scalar` compiles with each.
///
/// # Example
/// ```
/// use npt_core::Scalar;
///
/// assert_eq!(0.5_f32.as_f64(), 0.5);
/// ```
pub trait Scalar: linfa::Float + Backend {
    /// The value as `f64`, exactly.
    fn as_f64(self) -> f64;
}

impl Scalar for f32 {
    fn as_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Scalar for f64 {
    fn as_f64(self) -> f64 {
        self
    }
}

/// The relative error that `n` terms can gather: (n + 8)·ε.
///
/// One rounding a term, and a handful for what came before the terms: the kernel's own value and
/// the square root or division that ends it. Below this share of a sum nothing is known.
pub(crate) fn rounding<F: Scalar>(n: usize) -> F {
    F::cast(n + 8) * F::epsilon()
}
