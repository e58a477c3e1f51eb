//! Rows of the kernel matrix that are kept.

use super::Inputs;
use crate::Error;
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Data, Ix2, Zip};
use npt_core::watch::Carrier;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// The number of samples whose scores are summed up together.
const CHUNK: usize = 1024;

/// Rows of the kernel matrix, each computed once, as long as they fit.
pub(super) struct KernelRows {
    blocks: Vec<Array2<f64>>,
    /// The block of each sample's row, and the place of the row in that block.
    places: Vec<Option<(usize, usize)>>,
    /// The most numbers that are kept.
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

    /// Computes the rows of samples that have none yet, if they fit. Returns whether they do.
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

    /// Returns the kernel values of a sample, which has been fetched, with all samples.
    pub(super) fn row(&self, sample: usize) -> &[f64] {
        let (block, row) = self.places[sample].expect("has been fetched");
        row_of(&self.blocks[block], row)
    }

    /// Returns the kernel values of `some`, which have been fetched, with `others`.
    pub(super) fn block(&self, some: &[usize], others: &[usize]) -> Array2<f64> {
        let rows: Vec<&[f64]> = some.iter().map(|&i| self.row(i)).collect();
        let mut block = Array2::zeros((rows.len(), others.len()));
        let _no_tokens = Carrier::new();
        Zip::from(block.rows_mut())
            .and(&ArrayView1::from(&rows))
            .par_for_each(|mut values, row| {
                for (value, &other) in values.iter_mut().zip(others) {
                    *value = row[other];
                }
            });
        block
    }

    /// Returns Σ βᵢ⟨xᵢ, xⱼ⟩ of all samples, if the samples with βᵢ ≠ 0 have been fetched.
    pub(super) fn scores(&self, dual: &[f64]) -> Option<Array1<f64>> {
        let mut used = (0..dual.len()).filter(|&i| dual[i] != 0.0);
        let known = used.all(|i| self.places[i].is_some());
        known.then(|| weighted_sum(dual, |sample| self.row(sample)))
    }
}

/// Returns Σ βᵢkᵢ of the rows kᵢ of samples with βᵢ ≠ 0.
pub(super) fn weighted_sum<'r>(dual: &[f64], row: impl Fn(usize) -> &'r [f64]) -> Array1<f64> {
    let used = dual
        .iter()
        .enumerate()
        .filter(|(_, weight)| **weight != 0.0);
    let rows: Vec<(f64, &[f64])> = used.map(|(i, &weight)| (weight, row(i))).collect();
    let mut sum = vec![0.0; dual.len()];
    let _no_tokens = Carrier::new();
    sum.par_chunks_mut(CHUNK)
        .enumerate()
        .for_each(|(chunk, sum)| {
            let first = chunk * CHUNK;
            Arch::new().dispatch(AddRows {
                rows: &rows,
                first,
                sum,
            });
        });
    sum.into()
}

/// Adds the entries of rows from `first` on, each row times its weight; four rows at a time.
struct AddRows<'r> {
    rows: &'r [(f64, &'r [f64])],
    first: usize,
    sum: &'r mut [f64],
}

impl WithSimd for AddRows<'_> {
    type Output = ();

    // Inlined, or the loops are not compiled for the instructions chosen.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let part = self.first..self.first + self.sum.len();
        let mut fours = self.rows.chunks_exact(4);
        for four in &mut fours {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| (four[k].0, &four[k].1[part.clone()]));
            let values = a.1.iter().zip(b.1).zip(c.1).zip(d.1);
            for (sum, (((&x, &y), &z), &w)) in self.sum.iter_mut().zip(values) {
                *sum += (a.0 * x + b.0 * y) + (c.0 * z + d.0 * w);
            }
        }
        for (weight, row) in fours.remainder() {
            for (sum, value) in self.sum.iter_mut().zip(&row[part.clone()]) {
                *sum += weight * value;
            }
        }
    }
}

/// Returns a row of a matrix that is kept row by row.
pub(super) fn row_of<D: Data<Elem = f64>>(matrix: &ArrayBase<D, Ix2>, row: usize) -> &[f64] {
    let columns = matrix.ncols();
    let values = matrix.as_slice().expect("is row-major");
    &values[row * columns..][..columns]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inner_products::Gram;

    /// Five rows of ten numbers are kept where 50 numbers may be, and no sixth row is. A sum of rows is known where all its rows are kept.
    #[test]
    fn rows_are_kept_as_long_as_they_fit() {
        let gram = Gram(Array2::eye(10));
        let inputs = Inputs::of_products::<f64>(&gram, (0..10).collect());
        let mut rows = KernelRows::new(10, 50);
        let mut fetch = |samples: &[usize]| rows.fetch(&inputs, samples).expect("fits");
        assert!(fetch(&[0, 1, 2]));
        assert!(fetch(&[3, 4]));
        assert!(!fetch(&[5]));
        let mut dual = vec![2.0; 5];
        dual.extend([0.0; 5]);
        assert_eq!(rows.scores(&dual), Some(Array1::from(dual.clone())));
        dual[7] = 1.0;
        assert_eq!(rows.scores(&dual), None);
        assert_eq!(KernelRows::new(3, 9).scores(&[1.0; 3]), None);
    }

    /// Each chunk adds up columns of its own.
    #[test]
    fn sums_of_many_chunks() {
        let samples = 2 * CHUNK + 452;
        let row: Vec<f64> = (0..samples).map(|j| j as f64).collect();
        let mut dual = vec![0.0; samples];
        (dual[3], dual[samples - 1]) = (2.0, -1.0);
        assert_eq!(weighted_sum(&dual, |_| &row).to_vec(), row);
    }

    /// Rows are added as the definition says, by all sets of instructions of this machine. Whole numbers are not rounded.
    #[test]
    fn rows_are_added_by_every_set_of_instructions() {
        let mut sets = vec![Arch::Scalar, Arch::new()];
        #[cfg(target_arch = "x86_64")]
        sets.extend(pulp::x86::V3::try_new().map(Arch::V3));
        for arch in sets {
            for (count, length) in [(0, 5), (1, 1), (4, 9), (7, 33), (13, 100)] {
                let value = |r: usize, j: usize| ((37 * r + 11 * j) % 29) as f64 - 14.0;
                let columns = length + 3;
                let of_row = |r| (0..columns).map(|j| value(r, j)).collect();
                let rows: Vec<Vec<f64>> = (0..count).map(of_row).collect();
                let weight = |r: usize| r as f64 - 4.0;
                let weighted = rows.iter().enumerate();
                let weighted: Vec<(f64, &[f64])> =
                    weighted.map(|(r, row)| (weight(r), &row[..])).collect();
                let mut sum = vec![1.0; length];
                arch.dispatch(AddRows {
                    rows: &weighted,
                    first: 2,
                    sum: &mut sum,
                });
                for (j, &sum) in sum.iter().enumerate() {
                    let added: f64 = (0..count).map(|r| weight(r) * value(r, j + 2)).sum();
                    assert_eq!(sum, 1.0 + added);
                }
            }
        }
    }
}
