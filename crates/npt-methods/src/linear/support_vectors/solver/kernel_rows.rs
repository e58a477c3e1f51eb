//! Rows of the kernel matrix that are kept.

use super::Inputs;
use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, Zip};
use rayon::prelude::*;

/// Samples whose scores are summed up together.
const CHUNK: usize = 1024;

/// Rows of the kernel matrix, each computed once, as long as they fit.
pub(super) struct KernelRows {
    blocks: Vec<Array2<f64>>,
    /// Of each sample, the block and the row in it.
    places: Vec<Option<(usize, usize)>>,
    /// Numbers that are kept at most.
    most: usize,
}

impl KernelRows {
    pub(super) fn new(samples: usize, most: usize) -> Self {
        Self {
            most,
            blocks: Vec::new(),
            places: vec![None; samples],
        }
    }

    /// Computes the rows of samples that have none yet, if they fit; whether they do.
    pub(super) fn fetch(&mut self, inputs: &Inputs<'_>, samples: &[usize]) -> Result<bool, Error> {
        let all: Vec<usize> = (0..self.places.len()).collect();
        let kept: usize = self.blocks.iter().map(Array2::nrows).sum();
        if (kept + samples.len()) * all.len() > self.most {
            return Ok(false);
        }
        for (row, &sample) in samples.iter().enumerate() {
            self.places[sample] = Some((self.blocks.len(), row));
        }
        self.blocks.push(inputs.cross(samples, &all)?);
        Ok(true)
    }

    /// The kernel values of a sample, which has been fetched, with all samples.
    pub(super) fn row(&self, sample: usize) -> &[f64] {
        let (block, row) = self.places[sample].expect("has been fetched");
        row_of(&self.blocks[block], row)
    }

    /// The kernel values of `some`, which have been fetched, with `others`.
    pub(super) fn block(&self, some: &[usize], others: &[usize]) -> Array2<f64> {
        let rows: Vec<&[f64]> = some.iter().map(|&i| self.row(i)).collect();
        let mut block = Array2::zeros((rows.len(), others.len()));
        Zip::from(block.rows_mut())
            .and(&ArrayView1::from(&rows))
            .par_for_each(|mut values, row| {
                for (value, &other) in values.iter_mut().zip(others) {
                    *value = row[other];
                }
            });
        block
    }

    /// Σ βᵢ⟨xᵢ, xⱼ⟩ of all samples, if those with a weight have been fetched.
    pub(super) fn scores(&self, dual: &[f64]) -> Option<Array1<f64>> {
        let used: Vec<usize> = (0..dual.len()).filter(|&i| dual[i] != 0.0).collect();
        if used.iter().any(|&i| self.places[i].is_none()) {
            return None;
        }
        let rows: Vec<(f64, &[f64])> = used.iter().map(|&i| (dual[i], self.row(i))).collect();
        let mut scores = vec![0.0; dual.len()];
        scores
            .par_chunks_mut(CHUNK)
            .enumerate()
            .for_each(|(chunk, scores)| {
                for (coefficient, row) in &rows {
                    let row = &row[chunk * CHUNK..];
                    for (score, value) in scores.iter_mut().zip(row) {
                        *score += coefficient * value;
                    }
                }
            });
        Some(scores.into())
    }
}

/// A row of a matrix that is kept row by row.
pub(super) fn row_of(matrix: &Array2<f64>, row: usize) -> &[f64] {
    let columns = matrix.ncols();
    let values = matrix.as_slice().expect("is row-major");
    &values[row * columns..][..columns]
}
