//! The floating point types in which everything is computed.

use crate::linalg::Backend;

/// The floating point types `f32` and `f64`.
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
