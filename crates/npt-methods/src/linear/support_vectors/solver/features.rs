//! The records as the solver sees them.

use crate::{Error, error::require};
use ndarray::{Array, Array1, Array2, ArrayView2, Axis, Dimension};
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
        let mut x = x.mapv(F::as_f64);
        let unit = to_unit(&mut x);
        let first = x.row(0).to_owned();
        // The mean of equal values is rounded, their difference from the first is not.
        x -= &first;
        let mean = x.mean_axis(Axis(0)).expect("checked records are not empty");
        x -= &mean;
        let inner_unit = to_unit(&mut x);
        Self::new(x, (first + mean) * unit, unit * inner_unit)
    }

    /// For duals in which the origin has a meaning.
    pub(in super::super) fn uncentred<F: Scalar>(x: &Array2<F>) -> Self {
        let mut x = x.mapv(F::as_f64);
        let unit = to_unit(&mut x);
        let mean = Array1::zeros(x.ncols());
        Self::new(x, mean, unit)
    }

    fn new(x: Array2<f64>, mean: Array1<f64>, scale: f64) -> Self {
        Self {
            lengths: x.map_axis(Axis(1), |row| row.dot(&row).sqrt()),
            x,
            mean,
            scale,
        }
    }

    /// s²C, or an error where it leaves the range of `f64`.
    pub(in super::super) fn penalty(&self, c: f64, of: &'static str) -> Result<f64, Error> {
        let value = c * self.scale * self.scale;
        let parameter = "c times the squared size of the records";
        require(value.is_normal(), of, parameter, value, "a normal number")?;
        Ok(value)
    }

    /// Refuses records whose s² leaves the range of `f64`.
    pub(in super::super) fn require_range(&self, of: &'static str) -> Result<(), Error> {
        if self.unit().is_normal() {
            Ok(())
        } else {
            Err(Error::Overflow { of })
        }
    }

    /// s²
    pub(in super::super) fn unit(&self) -> f64 {
        self.scale * self.scale
    }

    pub(super) fn x(&self) -> ArrayView2<'_, f64> {
        self.x.view()
    }

    /// ⟨x′ᵢ, x′ⱼ⟩ of all samples.
    pub(super) fn gram(&self) -> Array2<f64> {
        linalg::symmetric_rank_k(self.x.t())
    }

    /// ⟨x′ᵢ, x′ⱼ⟩ of some with others.
    pub(super) fn cross(&self, some: &[usize], others: &[usize]) -> Array2<f64> {
        let (some, others) = (self.x.select(Axis(0), some), self.x.select(Axis(0), others));
        linalg::product(some.view(), others.t())
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

/// Divides the values by a power of two near the largest, and returns that power.
pub(in super::super) fn to_unit<D: Dimension>(x: &mut Array<f64, D>) -> f64 {
    let largest = x.fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    // The logarithm of f64::MAX is rounded to 1024.
    let exponent = largest.max(f64::MIN_POSITIVE).log2().floor().min(1023.0);
    let unit = exponent.exp2();
    *x /= unit;
    unit
}
