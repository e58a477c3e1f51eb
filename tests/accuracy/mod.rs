//! Checks predictions at new samples, some of them far out, against the textbook formula in the same precision.

mod conditioning;
mod far_from_zero;
mod formulas;
mod many_samples;
mod roads;
mod unequal;

use ndarray::{Array, Array2, Axis, Dimension, concatenate};
use npt::{Scalar, prelude::*};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;
use std::{ops::Range, sync::Arc};

/// A result may be off by ten times what the textbook formula is off by, or by a few roundings.
const FACTOR: f64 = 10.0;

fn cast<F: Scalar>(x: &Array2<f64>) -> Array2<F> {
    x.mapv(F::cast)
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// The largest magnitude in each column; a vector is one column.
fn largest_of_columns<D: Dimension>(values: Array<f64, D>) -> Vec<f64> {
    let columns = values.len() / values.len_of(Axis(0));
    let shape = (values.len() / columns, columns);
    let values = values.into_shape_with_order(shape);
    let values = values.expect("one axis or two");
    values
        .columns()
        .into_iter()
        .map(|column| largest(column.iter().copied()))
        .collect()
}

type TableKernel = Arc<dyn Kernel<Items<usize>, Scalar = f64>>;

/// A kernel given by a table of its values. The samples and the new samples are row numbers of the table.
struct Table {
    values: Array2<f64>,
    samples: Items<usize>,
    new: Items<usize>,
}

impl Table {
    fn new(
        x: &Array2<f64>,
        new: &Array2<f64>,
        kernel: &impl Kernel<Rows<f64>, Scalar = f64>,
    ) -> Self {
        let all = concatenate![Axis(0), x.view(), new.view()];
        let numbers = |range: Range<usize>| Items::new(range.collect::<Vec<_>>()).unwrap();
        Self {
            samples: numbers(0..x.nrows()),
            new: numbers(x.nrows()..all.nrows()),
            values: kernel.gram(&Rows::new(all).unwrap()),
        }
    }

    /// The kernel of the table, with each value moved up or down by what `by` returns for it.
    fn moved(&self, seed: u64, by: impl Fn(f64) -> f64) -> TableKernel {
        let mut rng = Xoshiro256Plus::seed_from_u64(seed);
        let mut k = self.values.clone();
        for i in 0..k.nrows() {
            for j in 0..=i {
                let sign = if rng.r#gen() { 1.0 } else { -1.0 };
                k[[i, j]] += sign * by(k[[i, j]]);
                k[[j, i]] = k[[i, j]];
            }
        }
        let table = FnKernel::new(move |&i: &usize, &j: &usize| k[[i, j]]);
        Arc::new(table.assume_positive_semidefinite())
    }
}
