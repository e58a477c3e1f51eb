//! Blocks of Gaussian values: by one matrix product for all pairs, and by differences for the pairs whose value the product
//! does not tell.

use super::super::distance::{Scales, center};
use crate::{
    Rows, Samples, Scalar,
    linalg::{fill_symmetric, fill_tiles},
};
use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1, s};
use std::ops::Range;

/// Computes κ by ‖a − b‖² = ‖a‖² + ‖b‖² − 2⟨a, b⟩, from an origin near most samples. The formula cancels for pairs that are
/// close to each other and far from the origin. Each pair is tested for that, so that samples far from all others cost what
/// their own pairs cost.
pub(super) struct Blocks<'a, F> {
    pub(super) gamma: F,
    pub(super) scales: Scales<'a, F>,
}

/// Samples with their differences from an origin.
struct Moved<'a, F> {
    samples: &'a Rows<F>,
    differences: Array2<F>,
    /// γ times the squared distances from the origin.
    exponents: Vec<F>,
}

/// The number of ε that a value may be off by: up to this many, differences are no more accurate. The exponent γ‖a − b‖² has
/// a rounding error of a few ε·γ(‖a‖² + ‖b‖²), which changes the value by κ times as much.
const ENOUGH: f64 = 16.0;

/// The largest γ(‖a‖² + ‖b‖²) at which a value, which is itself wrong by this error, still says whether the error matters.
/// At this limit 16ε·γ(‖a‖² + ‖b‖²) is 1. Beyond it, a value of 0 may be that of equal samples.
fn most_trusted<F: Scalar>() -> F {
    (F::cast(16) * F::epsilon()).recip()
}

/// The whole row is computed by differences, in loops along it, if more than one part in `MANY` of its pairs is in doubt.
const MANY: usize = 8;

/// The largest exponent; NaN is larger than any number.
fn largest<F: Scalar>(exponents: &[F]) -> F {
    exponents
        .iter()
        .fold(F::zero(), |m, &v| if m.is_nan() || v <= m { m } else { v })
}

impl<F: Scalar> Blocks<'_, F> {
    pub(super) fn cross(&self, a: &Rows<F>, b: &Rows<F>) -> Array2<F> {
        let origin = center(b);
        let (from, to) = (self.moved(a, &origin), self.moved(b, &origin));
        fill_tiles(a.len(), b.len(), &|rows, columns, tile| {
            self.fill(&from, &to, rows, columns, tile);
        })
    }

    pub(super) fn gram(&self, x: &Rows<F>) -> Array2<F> {
        let origin = center(x);
        let moved = self.moved(x, &origin);
        let mut matrix = fill_symmetric(x.len(), &|rows, columns, tile| {
            self.fill(&moved, &moved, rows, columns, tile);
        });
        matrix.diag_mut().fill(F::one());
        matrix
    }

    fn moved<'a>(&self, samples: &'a Rows<F>, origin: &Array1<F>) -> Moved<'a, F> {
        let differences = self.scales.moved(samples, origin);
        let of_row = |row: ArrayView1<'_, F>| self.gamma * row.dot(&row);
        Moved {
            samples,
            exponents: differences.outer_iter().map(of_row).collect(),
            differences,
        }
    }

    /// Fills a tile with the values of some rows of `a` with some rows of `b`.
    fn fill(
        &self,
        a: &Moved<'_, F>,
        b: &Moved<'_, F>,
        rows: Range<usize>,
        columns: Range<usize>,
        tile: &mut Array2<F>,
    ) {
        let from = a.differences.slice(s![rows.clone(), ..]);
        let to = b.differences.slice(s![columns.clone(), ..]);
        F::multiply(tile.view_mut(), false, F::one(), from, to.reversed_axes());
        let twice = F::cast(2) * self.gamma;
        let (of_rows, of_columns) = (&a.exponents[rows.clone()], &b.exponents[columns.clone()]);
        let (enough, trusted) = (F::cast(ENOUGH), most_trusted::<F>());
        let all_known = largest(of_rows) + largest(of_columns) <= enough;
        // This has no branch, which would keep loops from being vectorised. A pair whose exponent overflowed is not known.
        let known = |value: F, exponents: F| {
            let most = if exponents <= trusted {
                enough
            } else {
                -F::one()
            };
            value * exponents <= most
        };
        let mut features = None;
        for ((i, &exponent), row) in rows.zip(of_rows).zip(tile.outer_iter_mut()) {
            let row = into_slice(row);
            F::exp_of_distances(row, twice, exponent, of_columns);
            if all_known {
                continue;
            }
            let pairs = row.iter().zip(of_columns);
            let count = |doubtful: u32, (&value, &other): (&F, &F)| {
                doubtful + u32::from(!known(value, exponent + other))
            };
            let doubtful = pairs.fold(0, count) as usize;
            if doubtful == 0 {
                continue;
            }
            let sample = a.samples.get(i);
            if doubtful > row.len() / MANY {
                let of_tile = b.samples.view().slice_move(s![columns.clone(), ..]);
                let by_columns = || of_tile.reversed_axes().as_standard_layout().into_owned();
                let features = features.get_or_insert_with(by_columns);
                self.by_differences(sample, features, row);
                continue;
            }
            for (j, (value, &other)) in columns.clone().zip(row.iter_mut().zip(of_columns)) {
                if !known(*value, exponent + other) {
                    let squared = self.scales.squared_distance(sample, b.samples.get(j));
                    *value = (-self.gamma * squared).exp();
                }
            }
        }
    }

    /// Computes the values of a sample with other samples by differences. The rows of `features` are the features of the
    /// other samples.
    fn by_differences(&self, sample: &[F], features: &Array2<F>, row: &mut [F]) {
        row.fill(F::zero());
        for (k, (&a, b)) in sample.iter().zip(features.outer_iter()).enumerate() {
            self.scales
                .add(k, row, a, b, |difference| difference * difference);
        }
        for value in row.iter_mut() {
            *value *= -self.gamma;
        }
        F::exp_in_place(row);
    }
}

fn into_slice<F>(row: ArrayViewMut1<'_, F>) -> &mut [F] {
    row.into_slice().expect("a fresh tile is row-major")
}
