//! Large matrices of zeros.

use crate::Scalar;
use ndarray::Array2;

/// From so many bytes on, large pages are asked for.
const LARGE: usize = 4 << 20;

/// A matrix of zeros, row-major. On Linux a large one asks for large pages before it is first
/// written to: page by page of 4 KB, the first touch of a matrix takes longer than to fill it with
/// the values of a kernel.
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::linalg;
///
/// assert_eq!(linalg::zeros::<f64>((2, 3)), Array2::<f64>::zeros((2, 3)));
/// ```
pub fn zeros<F: Scalar>(shape: (usize, usize)) -> Array2<F> {
    let mut matrix = Array2::zeros(shape);
    if let Some(values) = matrix.as_slice_mut() {
        prefer_large_pages(values);
    }
    matrix
}

/// Advice to the system, of no effect on what the memory holds, and none elsewhere.
#[cfg(target_os = "linux")]
fn prefer_large_pages<F>(values: &mut [F]) {
    // Of every size that a page of the processor may have by default.
    const PAGE: usize = 64 << 10;
    let bytes = size_of_val(values);
    if bytes < LARGE {
        return;
    }
    let start = values.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    let length = (bytes - skipped) / PAGE * PAGE;
    // SAFETY: the range lies within `values`, which is borrowed as mutable. The advice changes which
    // pages the system puts there, not their content. Where it is refused, nothing happens.
    #[allow(unsafe_code)]
    unsafe {
        libc::madvise(start.add(skipped).cast(), length, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_large_pages<F>(_: &mut [F]) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Around the size from which advice is given, and with what was written before beside it.
    #[test]
    fn same_as_without_advice() {
        for rows in [0, 1, 1023, 1024, 1025, 3001] {
            let mut neighbour = Array2::<f64>::ones((1024, 1024));
            let mut found = zeros::<f64>((rows, 1024));
            assert_eq!(found, Array2::<f64>::zeros((rows, 1024)));
            found.fill(2.0);
            prefer_large_pages(found.as_slice_mut().expect("row-major"));
            prefer_large_pages(neighbour.as_slice_mut().expect("row-major"));
            assert_eq!(found.sum(), 2.0 * 1024.0 * rows as f64);
            assert_eq!(neighbour.sum(), 1024.0 * 1024.0);
        }
    }
}
