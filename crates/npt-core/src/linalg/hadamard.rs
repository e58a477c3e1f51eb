//! The Walsh–Hadamard transform.

use crate::Scalar;

/// v ← H·v, with n·log₂ n additions. H is the matrix of signs (−1)^⟨j, k⟩, where ⟨j, k⟩ is the number of ones that
/// the binary digits of j and k share; HH = nI.
///
/// # Panics
/// Panics if the length is not a power of two.
///
/// # Example
/// ```
/// use npt_core::linalg::walsh_hadamard;
///
/// let mut values = [1.0, 2.0, 3.0, 5.0];
/// walsh_hadamard(&mut values);
/// assert_eq!(values, [11.0, -3.0, -5.0, 1.0]);
/// ```
#[doc(hidden)]
pub fn walsh_hadamard<F: Scalar>(values: &mut [F]) {
    assert!(values.len().is_power_of_two(), "a power of two");
    let mut half = 1;
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}
