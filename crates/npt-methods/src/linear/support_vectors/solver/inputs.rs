//! The samples as the solver sees them.

use super::ROUNDING;
use crate::{Error, error::require, magnitude::unit_of};
use ndarray::{Array, Array1, Array2, ArrayView1, Axis, CowArray, Dimension, Ix2};
use npt_core::{InnerProducts, Scalar, linalg};

/// The number of samples whose scores are computed together.
const PANEL: usize = 1024;

/// The samples in `f64`, in a unit in which their inner products neither overflow nor vanish, and
/// perhaps centred. They are rows, or known by their inner products alone.
///
/// With x = m + s·x′ and K′ᵢⱼ = ⟨x′ᵢ, x′ⱼ⟩, the dual in the units of x′ has coefficients s²α and
/// penalties s²C, and the same gradient.
pub(in super::super) struct Inputs<'a> {
    source: Source<'a>,
    lengths: Array1<f64>,
    /// m; empty without rows.
    mean: Array1<f64>,
    scale: f64,
    rounding: f64,
}

enum Source<'a> {
    /// The x′.
    Rows(Array2<f64>),
    /// All ⟨x′ᵢ, x′ⱼ⟩.
    Matrix(Array2<f64>),
    /// A function that gives the ⟨x′ᵢ, x′ⱼ⟩ of some samples with others.
    Products(Box<dyn Block + 'a>),
}

trait Block: Fn(&[usize], &[usize]) -> Result<Array2<f64>, npt_core::Error> + Sync {}

impl<B: Fn(&[usize], &[usize]) -> Result<Array2<f64>, npt_core::Error> + Sync> Block for B {}

impl<'a> Inputs<'a> {
    /// Makes inputs for duals with Σ yᵢαᵢ = 0, which no shift changes. They are centred, so that differences of records that are far
    /// from the origin keep their digits.
    pub(in super::super) fn centered<F: Scalar>(x: Array2<F>) -> Self {
        let mut x = x.mapv_into_any(F::as_f64);
        let unit = to_unit(&mut x);
        let first = x.row(0).to_owned();
        // The mean of equal values is rounded, their difference from the first is not.
        x -= &first;
        let mean = x.mean_axis(Axis(0)).expect("checked records are not empty");
        x -= &mean;
        let inner_unit = to_unit(&mut x);
        Self::of_rows(x, (first + mean) * unit, unit * inner_unit)
    }

    /// Makes inputs for duals in which the origin has a meaning.
    pub(in super::super) fn uncentered<F: Scalar>(x: Array2<F>) -> Self {
        let mut x = x.mapv_into_any(F::as_f64);
        let unit = to_unit(&mut x);
        let mean = Array1::zeros(x.ncols());
        Self::of_rows(x, mean, unit)
    }

    /// Makes inputs from the inner products of the samples `rows`, taken as they are.
    pub(in super::super) fn of_products<F: Scalar>(
        products: &'a dyn InnerProducts<F>,
        rows: Vec<usize>,
    ) -> Self {
        let squares = products.diag();
        let mut roots: Array1<f64> = rows
            .iter()
            .map(|&row| squares[row].as_f64().max(0.0).sqrt())
            .collect();
        let scale = to_unit(&mut roots);
        let block = move |some: &[usize], others: &[usize]| {
            let of = |chosen: &[usize]| chosen.iter().map(|&i| rows[i]).collect::<Vec<_>>();
            let block = products.block(&of(some), &of(others))?;
            let mut block = block.mapv_into_any(F::as_f64);
            if scale != 1.0 {
                block.mapv_inplace(|value| value / scale / scale);
            }
            Ok(linalg::row_major(block))
        };
        Self {
            source: Source::Products(Box::new(block)),
            lengths: roots,
            mean: Array1::zeros(0),
            scale,
            rounding: 4.0 * F::epsilon().as_f64(),
        }
    }

    /// Makes inputs from all inner products of the samples.
    pub(in super::super) fn of_matrix<F: Scalar>(matrix: Array2<F>) -> Self {
        let mut matrix = linalg::row_major(matrix.mapv_into_any(F::as_f64));
        let mut lengths = matrix.diag().mapv(|square| square.max(0.0).sqrt());
        let scale = to_unit(&mut lengths);
        if scale != 1.0 {
            matrix.mapv_inplace(|value| value / scale / scale);
        }
        Self {
            source: Source::Matrix(matrix),
            lengths,
            mean: Array1::zeros(0),
            scale,
            rounding: 4.0 * F::epsilon().as_f64(),
        }
    }

    /// Gives the memory of the matrix of all inner products back; the inputs are of no use any more.
    pub(in super::super) fn give_back(&mut self) {
        if let Source::Matrix(matrix) = &mut self.source {
            linalg::Spare::give_back(std::mem::take(matrix));
        }
    }

    fn of_rows(x: Array2<f64>, mean: Array1<f64>, scale: f64) -> Self {
        Self {
            lengths: x.map_axis(Axis(1), |row| row.dot(&row).sqrt()),
            source: Source::Rows(linalg::row_major(x)),
            mean,
            scale,
            rounding: ROUNDING,
        }
    }

    /// Returns s²C, or an error where it leaves the range of `f64`.
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

    /// Returns s².
    pub(in super::super) fn unit(&self) -> f64 {
        self.scale * self.scale
    }

    pub(in super::super) fn samples(&self) -> usize {
        self.lengths.len()
    }

    /// Returns the samples, row by row, if they are known as rows.
    pub(super) fn rows(&self) -> Option<&Array2<f64>> {
        match &self.source {
            Source::Rows(x) => Some(x),
            _ => None,
        }
    }

    /// Returns the largest Σ|xⱼwⱼ| of a sample as it was given; no sum on the way to its score is larger. Without rows it is 0.
    pub(in super::super) fn largest_terms(&self, weights: &Array1<f64>) -> f64 {
        let terms = |row: ArrayView1<'_, f64>| {
            let given = row.iter().zip(&self.mean).map(|(x, m)| m + self.scale * x);
            given.zip(weights).map(|(x, w)| (x * w).abs()).sum::<f64>()
        };
        let rows = self.rows().into_iter().flat_map(Array2::outer_iter);
        rows.map(terms).fold(0.0, f64::max)
    }

    /// Returns whether the samples are rows. Scores are then cheap, by way of a sum of rows.
    pub(super) fn has_rows(&self) -> bool {
        self.rows().is_some()
    }

    /// Returns whether the inner products of all samples are in memory.
    #[cfg(test)]
    pub(in super::super) fn has_all(&self) -> bool {
        self.has_matrix()
    }

    /// Returns whether the inner products of all samples are in memory.
    pub(super) fn has_matrix(&self) -> bool {
        matches!(self.source, Source::Matrix(_))
    }

    /// Returns ⟨x′ᵢ, x′ⱼ⟩ of all samples.
    pub(super) fn gram(&self) -> Result<CowArray<'_, f64, Ix2>, Error> {
        match &self.source {
            Source::Rows(x) => Ok(linalg::symmetric_rank_k(x.t()).into()),
            Source::Matrix(matrix) => Ok(matrix.into()),
            Source::Products(block) => {
                let all: Vec<usize> = (0..self.lengths.len()).collect();
                Ok(block(&all, &all)?.into())
            }
        }
    }

    /// Returns ⟨x′ᵢ, x′ⱼ⟩ of some samples with others.
    pub(super) fn cross(&self, some: &[usize], others: &[usize]) -> Result<Array2<f64>, Error> {
        match &self.source {
            Source::Rows(x) => {
                let (some, others) = (x.select(Axis(0), some), x.select(Axis(0), others));
                Ok(linalg::product(some.view(), others.t()))
            }
            Source::Matrix(matrix) => Ok(matrix.select(Axis(0), some).select(Axis(1), others)),
            Source::Products(block) => Ok(block(some, others)?),
        }
    }

    /// Returns ⟨x′ⱼ, Σ βᵢx′ᵢ⟩ of all samples; for rows, by way of the sum.
    pub(super) fn scores(&self, dual: &[f64]) -> Result<Array1<f64>, Error> {
        if let Source::Rows(x) = &self.source {
            let weights = self.combine(dual).insert_axis(Axis(1));
            return Ok(linalg::product(x.view(), weights.view()).remove_axis(Axis(1)));
        }
        let used: Vec<usize> = (0..dual.len()).filter(|&i| dual[i] != 0.0).collect();
        let coefficients: Array1<f64> = used.iter().map(|&i| dual[i]).collect();
        let mut scores = Array1::zeros(dual.len());
        let all: Vec<usize> = (0..dual.len()).collect();
        for (rows, mut part) in all
            .chunks(PANEL)
            .zip(scores.axis_chunks_iter_mut(Axis(0), PANEL))
        {
            part.assign(&self.cross(rows, &used)?.dot(&coefficients));
        }
        Ok(scores)
    }

    /// Returns Σ βᵢx′ᵢ; empty without rows.
    fn combine(&self, dual: &[f64]) -> Array1<f64> {
        let Source::Rows(x) = &self.source else {
            return Array1::zeros(0);
        };
        let mut sum = Array1::zeros(x.ncols());
        for (row, &coefficient) in x.outer_iter().zip(dual) {
            if coefficient != 0.0 {
                sum.scaled_add(coefficient, &row);
            }
        }
        sum
    }

    /// The share of its [`terms`](Self::terms) to which a score is known. The type of the inner products may be
    /// coarser than that in which they are added up.
    pub(super) fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Returns Σ |βᵢ|‖x′ᵢ‖ times the largest ‖x′ᵢ‖ of samples that count: the size of what adds up to a score.
    pub(super) fn terms(&self, dual: &[f64], counts: impl Fn(usize) -> bool) -> f64 {
        let terms = self.lengths.iter().zip(dual);
        let sum: f64 = terms
            .map(|(length, coefficient)| length * coefficient.abs())
            .sum();
        let counted = self.lengths.iter().enumerate().filter(|&(i, _)| counts(i));
        sum * counted.fold(0.0_f64, |m, (_, &v)| v.max(m))
    }

    /// Returns the solution in the units of the samples: dual coefficients βᵢ, and weights w, which are empty without
    /// rows.
    pub(in super::super) fn dual_and_weights(&self, dual: &[f64]) -> (Array1<f64>, Array1<f64>) {
        let coefficients = dual.iter().map(|coefficient| coefficient / self.unit());
        (coefficients.collect(), self.combine(dual) / self.scale)
    }

    /// Returns the samples as they were given, if they are rows that were not centred.
    pub(in super::super) fn into_uncentered(self) -> Option<Array2<f64>> {
        match self.source {
            // Exact, as the unit is a power of two.
            Source::Rows(x) => Some(x * self.scale),
            _ => None,
        }
    }

    /// Returns wᵀm, which the bias of a function of centred records lacks.
    pub(in super::super) fn shift(&self, weights: &Array1<f64>) -> f64 {
        weights.dot(&self.mean)
    }
}

/// Divides the values by a power of two near the largest, and returns that power.
pub(in super::super) fn to_unit<D: Dimension>(x: &mut Array<f64, D>) -> f64 {
    let unit = unit_of(x);
    *x /= unit;
    unit
}
