//! Candidates that are drawn in one pass over the samples.

use super::{landmarks, level};
use crate::Error;
use ndarray::Zip;
use npt_core::{ExactSpace, Kernel, KernelSpace, Samples, Scalar};
use rand::Rng;
use rand_xoshiro::Xoshiro256Plus;

/// Candidates that are drawn while samples come, each by the residuals of all samples.
pub(super) struct Draw<'r, S> {
    rng: &'r mut Xoshiro256Plus,
    /// The first of all samples, with which all other samples have to be compatible.
    first: Option<S>,
    /// One candidate per place; `None` as long as no sample had a residual.
    pub(super) candidates: Option<S>,
    places: usize,
    /// The number of samples so far; `left` is Σs over them, `trace` is Σκ(x, x).
    samples: usize,
    left: f64,
    trace: f64,
    /// The least κ(x, x); `largest` is the largest magnitude.
    least: f64,
    largest: f64,
}

impl<'r, S: Samples> Draw<'r, S> {
    pub(super) fn new(places: usize, rng: &'r mut Xoshiro256Plus) -> Self {
        Self {
            rng,
            first: None,
            candidates: None,
            places,
            samples: 0,
            left: 0.0,
            trace: 0.0,
            least: 0.0,
            largest: 0.0,
        }
    }

    pub(super) fn add<K: Kernel<S>>(
        &mut self,
        samples: &S,
        kernel: &K,
        chosen: Option<&ExactSpace<S, &K>>,
    ) -> Result<(), Error> {
        let first = self.first.get_or_insert_with(|| samples.select(&[0]));
        first.check_compatible(samples)?;
        kernel.check(samples)?;
        let diagonal = kernel.diag(samples);
        let mut residuals = diagonal.mapv(Scalar::as_f64);
        for (row, &value) in residuals.iter().enumerate() {
            if !value.is_finite() {
                let column = row;
                return Err(npt_core::Error::KernelNotFinite { row, column, value }.into());
            }
            self.largest = self.largest.max(value.abs());
            self.least = self.least.min(value);
        }
        if self.least < 0.0 {
            let (eigenvalue, ratio) = (self.least, self.least / self.largest);
            return Err(npt_core::Error::Indefinite { eigenvalue, ratio }.into());
        }
        self.samples += residuals.len();
        self.trace += residuals.sum();
        if !self.trace.is_finite() {
            let samples = self.samples;
            return Err(npt_core::Error::TraceOverflow { samples }.into());
        }
        if let Some(space) = chosen {
            let level = level::<K::Scalar>(landmarks(space));
            let left = space.residuals(samples)?;
            Zip::from(&mut residuals).and(&left).for_each(|own, left| {
                *own = if left.as_f64() > level * *own {
                    left.as_f64()
                } else {
                    0.0
                };
            });
        }
        let mut sums = residuals.to_vec();
        for row in 1..sums.len() {
            sums[row] += sums[row - 1];
        }
        let of_block = sums[sums.len() - 1];
        self.left += of_block;
        if !(of_block > 0.0) {
            return Ok(());
        }
        self.draw(samples, of_block, &sums)
    }

    /// Draws, for each place, whether a sample of a block takes it, and which, by the running sums of the residuals of the samples.
    fn draw(&mut self, samples: &S, of_block: f64, sums: &[f64]) -> Result<(), Error> {
        let is_first = self.candidates.is_none();
        let mut drawn = |_| {
            // A block replaces a candidate with the probability of its share in the residuals of all blocks so far.
            if !is_first && self.rng.r#gen::<f64>() * self.left >= of_block {
                return None;
            }
            let point = self.rng.r#gen::<f64>() * of_block;
            // Rounding may take the product up to the sum.
            let row = sums.partition_point(|&sum| sum <= point);
            Some(row.min(sums.len() - 1))
        };
        let drawn: Vec<Option<usize>> = (0..self.places).map(&mut drawn).collect();
        let rows: Vec<usize> = drawn.iter().copied().flatten().collect();
        if rows.is_empty() {
            return Ok(());
        }
        let new = samples.select(&rows);
        self.candidates = Some(match &self.candidates {
            None => new,
            Some(before) => {
                let both = before.append(&new)?;
                let mut next = before.len()..;
                let places = drawn.iter().enumerate();
                let place = |(place, drawn): (usize, &Option<usize>)| match drawn {
                    Some(_) => next.next().unwrap_or(place),
                    None => place,
                };
                both.select(&places.map(place).collect::<Vec<usize>>())
            }
        });
        Ok(())
    }

    /// The share of the trace that is left.
    pub(super) fn left(&self) -> f64 {
        if self.trace > 0.0 {
            self.left / self.trace
        } else {
            0.0
        }
    }
}
