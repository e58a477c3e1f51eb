//! The textbook's Cholesky factor, in any precision: what formulas that solve with K + σ²I reach at best without tricks.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use npt_core::Scalar;

/// L with LLᵀ = K + σ²I, entry by entry.
///
/// # References
/// G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th edition, Johns Hopkins 2013, section 4.2.
pub struct Cholesky<F> {
    lower: Array2<F>,
}

impl<F: Scalar> Cholesky<F> {
    /// The factor; `None` where a pivot is not above 0.
    pub fn new(k: ArrayView2<'_, F>, noise: f64) -> Option<Self> {
        let n = k.nrows();
        let mut lower: Array2<F> = Array2::zeros((n, n));
        for i in 0..n {
            for j in 0..=i {
                let done = dot(lower.row(i), lower.row(j), j);
                let mut left = k[[i, j]] - done;
                lower[[i, j]] = if i == j {
                    left += F::cast(noise);
                    left.sqrt()
                } else {
                    left / lower[[j, j]]
                };
            }
            if !(lower[[i, i]] > F::zero()) {
                return None;
            }
        }
        Some(Self { lower })
    }

    /// L⁻¹y.
    pub fn half_solve(&self, y: ArrayView1<'_, F>) -> Array1<F> {
        let mut x = y.to_owned();
        for i in 0..x.len() {
            let done = dot(self.lower.row(i), x.view(), i);
            x[i] = (x[i] - done) / self.lower[[i, i]];
        }
        x
    }

    /// (K + σ²I)⁻¹y.
    pub fn solve(&self, y: ArrayView1<'_, F>) -> Array1<F> {
        let mut x = self.half_solve(y);
        for i in (0..x.len()).rev() {
            let value = x[i] / self.lower[[i, i]];
            x[i] = value;
            for (left, &l) in x.iter_mut().zip(self.lower.row(i)).take(i) {
                *left -= l * value;
            }
        }
        x
    }
}

/// The inner product of the first `count` entries, in eight sums side by side.
fn dot<F: Scalar>(a: ArrayView1<'_, F>, b: ArrayView1<'_, F>, count: usize) -> F {
    let (a, b) = (a.to_slice().expect("a row"), b.to_slice().expect("a row"));
    let (a, b) = (a[..count].chunks(8), b[..count].chunks(8));
    let mut sums = [F::zero(); 8];
    for (a, b) in a.zip(b) {
        for ((sum, &a), &b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.into_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::Cholesky;
    use ndarray::array;

    /// 4 + 1 = 5 and 2, by hand: det = 5·5 − 2·2 = 21.
    #[test]
    fn two_equations() {
        let k = array![[4.0, 2.0], [2.0, 4.0]];
        let factor = Cholesky::new(k.view(), 1.0).unwrap();
        let x = factor.solve(array![21.0, 42.0].view());
        assert!(
            (x - array![5.0 - 4.0, 10.0 - 2.0])
                .iter()
                .all(|d: &f64| d.abs() < 1e-14)
        );
        assert!(Cholesky::new(array![[1.0, 2.0], [2.0, 1.0]].view(), 0.0).is_none());
    }
}
