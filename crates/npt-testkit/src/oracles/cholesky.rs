//! The textbook's Cholesky factor, in any precision: the accuracy that formulas with K + σ²I reach at best without tricks.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use npt_core::Scalar;
use std::marker::PhantomData;

/// The factor L with LLᵀ = K + σ²I, computed entry by entry.
///
/// # References
/// G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th edition, Johns Hopkins 2013, section 4.2.
pub struct Cholesky<F> {
    lower: Array2<f64>,
    precision: PhantomData<F>,
}

impl<F: Scalar> Cholesky<F> {
    /// Computes the factor; `None` if a pivot is not above 0.
    pub fn new(k: ArrayView2<'_, F>, noise: f64) -> Option<Self> {
        let lower = factor(&k.mapv(F::as_f64), noise, is_single::<F>())?;
        let precision = PhantomData;
        Some(Self { lower, precision })
    }

    /// The solution L⁻¹y.
    pub fn half_solve(&self, y: ArrayView1<'_, F>) -> Array1<F> {
        let x = half_solve(&self.lower, y.mapv(F::as_f64), is_single::<F>());
        x.mapv(F::cast)
    }

    /// The solution (K + σ²I)⁻¹y.
    pub fn solve(&self, y: ArrayView1<'_, F>) -> Array1<F> {
        let x = solve(&self.lower, y.mapv(F::as_f64), is_single::<F>());
        x.mapv(F::cast)
    }
}

fn is_single<F: Scalar>() -> bool {
    F::epsilon().as_f64() > f64::EPSILON
}

/// The result of one operation, rounded to single precision if `single`. For numbers of single precision, an operation in f64 whose result
/// is rounded to f32 gives the result of f32: f64 has more than twice the digits, and two more.
///
/// # References
/// S. A. Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30(3), 1995. doi:10.1145/221332.221334
#[inline]
fn rounded(value: f64, single: bool) -> f64 {
    if single {
        f64::from(value as f32)
    } else {
        value
    }
}

// These functions are not generic, so that they are compiled here, where loops are optimised, and not in the program that calls them.
fn factor(k: &Array2<f64>, noise: f64, single: bool) -> Option<Array2<f64>> {
    let round = |value| rounded(value, single);
    let noise = round(noise);
    let n = k.nrows();
    let mut lower: Array2<f64> = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            let done = dot(lower.row(i), lower.row(j), j, single);
            let left = round(k[[i, j]] - done);
            lower[[i, j]] = if i == j {
                round(round(left + noise).sqrt())
            } else {
                round(left / lower[[j, j]])
            };
        }
        if !(lower[[i, i]] > 0.0) {
            return None;
        }
    }
    Some(lower)
}

fn half_solve(lower: &Array2<f64>, mut x: Array1<f64>, single: bool) -> Array1<f64> {
    let round = |value| rounded(value, single);
    for i in 0..x.len() {
        let done = dot(lower.row(i), x.view(), i, single);
        x[i] = round(round(x[i] - done) / lower[[i, i]]);
    }
    x
}

fn solve(lower: &Array2<f64>, y: Array1<f64>, single: bool) -> Array1<f64> {
    let round = |value| rounded(value, single);
    let mut x = half_solve(lower, y, single);
    for i in (0..x.len()).rev() {
        let value = round(x[i] / lower[[i, i]]);
        x[i] = value;
        for (left, &l) in x.iter_mut().zip(lower.row(i)).take(i) {
            *left = round(*left - round(l * value));
        }
    }
    x
}

/// The inner product of the first `count` entries, in eight sums side by side.
fn dot(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>, count: usize, single: bool) -> f64 {
    let (a, b) = (a.to_slice().expect("a row"), b.to_slice().expect("a row"));
    let (a, b) = (a[..count].chunks(8), b[..count].chunks(8));
    let round = |value| rounded(value, single);
    let mut sums = [0.0; 8];
    for (a, b) in a.zip(b) {
        for ((sum, &a), &b) in sums.iter_mut().zip(a).zip(b) {
            *sum = round(*sum + round(a * b));
        }
    }
    sums.into_iter().fold(0.0, |all, sum| round(all + sum))
}

#[cfg(test)]
mod tests {
    use super::Cholesky;
    use ndarray::array;

    /// The solution of two equations with 4 + 1 = 5 and 2, by hand: det = 5·5 − 2·2 = 21.
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

    /// The factor in single precision has √(2 + 1/8) and its quotients as f32 computes them.
    #[test]
    fn single_precision() {
        let k = array![[2.0_f32, 0.7], [0.7, 3.0]];
        let factor = Cholesky::new(k.view(), 0.125).unwrap();
        let half = factor.half_solve(array![1.0, 0.3].view());
        let first = 2.125_f32.sqrt();
        let below = 0.7 / first;
        let second = (3.0 - below * below + 0.125).sqrt();
        let x = 1.0 / first;
        assert_eq!(half, array![x, (0.3 - below * x) / second]);
    }
}
