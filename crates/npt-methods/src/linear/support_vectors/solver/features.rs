//! The records as the solver sees them.

use crate::{Error, error::require};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use npt_core::{Scalar, linalg};

/// Records in `f64`, in a unit in which their inner products neither overflow nor vanish, and
/// perhaps centred.
///
/// With x = m + s·x′ and K′ᵢⱼ = ⟨x′ᵢ, x′ⱼ⟩, the dual in the units of x′ has coefficients s²α and
/// penalties s²C, and the same gradient.
pub(in super::super) struct Features {
    x: Array2<f64>,
    lengths: Array1<f64>,
    mean: Array1<f64>,
    scale: f64,
}

impl Features {
    /// For duals with Σ yᵢαᵢ = 0, which no shift changes: differences of records that are far from
    /// the origin keep their digits.
    pub(in super::super) fn centred<F: Scalar>(x: &Array2<F>) -> Self {
        let (mut x, unit) = in_unit(x.mapv(F::as_f64));
        let mut mean = Array1::zeros(x.ncols());
        for (mut column, mean) in x.columns_mut().into_iter().zip(&mut mean) {
            let first = column[0];
            // The mean of equal values is rounded; their differences have to be 0.
            *mean = if column.iter().all(|&value| value == first) {
                first
            } else {
                column.sum() / column.len() as f64
            };
            column -= *mean;
        }
        let (x, inner_unit) = in_unit(x);
        Self::new(x, mean * unit, unit * inner_unit)
    }

    fn new(x: Array2<f64>, mean: Array1<f64>, scale: f64) -> Self {
        Self {
            lengths: x.map_axis(Axis(1), |row| row.dot(&row).sqrt()),
            x,
            mean,
            scale,
        }
    }

    pub(in super::super) fn samples(&self) -> usize {
        self.x.nrows()
    }

    /// s²C, or an error where it leaves the range of `f64`.
    pub(in super::super) fn penalty(&self, c: f64, of: &'static str) -> Result<f64, Error> {
        let value = c * self.scale * self.scale;
        let parameter = "c times the squared size of the records";
        require(value.is_normal(), of, parameter, value, "a normal number")?;
        Ok(value)
    }

    /// s²
    pub(in super::super) fn unit(&self) -> f64 {
        self.scale * self.scale
    }

    pub(super) fn x(&self) -> ArrayView2<'_, f64> {
        self.x.view()
    }

    /// ⟨x′ᵢ, x′ⱼ⟩ of some samples.
    pub(super) fn gram(&self, samples: &[usize]) -> Array2<f64> {
        if samples.len() == self.samples() {
            return linalg::symmetric_rank_k(self.x.t());
        }
        linalg::symmetric_rank_k(self.x.select(Axis(0), samples).t())
    }

    /// Σ βᵢx′ᵢ
    pub(super) fn combine(&self, dual: &[f64]) -> Array1<f64> {
        let mut sum = Array1::zeros(self.x.ncols());
        for (row, &coefficient) in self.x.outer_iter().zip(dual) {
            if coefficient != 0.0 {
                sum.scaled_add(coefficient, &row);
            }
        }
        sum
    }

    /// Σ |βᵢ|‖x′ᵢ‖ times the largest ‖x′ᵢ‖: the size of what adds up to a product with
    /// [`combine`](Self::combine).
    pub(super) fn terms(&self, dual: &[f64]) -> f64 {
        let terms = self.lengths.iter().zip(dual);
        let sum: f64 = terms
            .map(|(length, coefficient)| length * coefficient.abs())
            .sum();
        sum * self.lengths.fold(0.0, |m, &v| v.max(m))
    }

    /// The solution in the units of the records: dual coefficients βᵢ and weights w.
    pub(in super::super) fn dual_and_weights(&self, dual: &[f64]) -> (Array1<f64>, Array1<f64>) {
        let coefficients = dual.iter().map(|coefficient| coefficient / self.unit());
        (coefficients.collect(), self.combine(dual) / self.scale)
    }

    /// wᵀm, which the bias of a function of centred records lacks.
    pub(in super::super) fn shift(&self, weights: &Array1<f64>) -> f64 {
        weights.dot(&self.mean)
    }
}

/// The matrix divided by a power of two near its largest entry, and that power.
fn in_unit(x: Array2<f64>) -> (Array2<f64>, f64) {
    let largest = x.fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 {
        return (x, 1.0);
    }
    let unit = largest.max(f64::MIN_POSITIVE).log2().floor().exp2();
    (x / unit, unit)
}
