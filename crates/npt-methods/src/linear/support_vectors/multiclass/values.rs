//! The values of many functions, a few records at a time.

use super::own::Own;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use npt_core::{Scalar, linalg, watch::Carrier};
use rayon::prelude::*;

/// The number of values that are in memory at a time, for each thread: 32 MB of `f64`.
const AT_A_TIME: usize = 1 << 22;

/// The most records that are looked at together, where threads divide them.
const ROWS: usize = 256;

/// The functions of a model, without its labels.
#[derive(Clone, Copy)]
pub(in super::super) struct Functions<'a, F> {
    /// One column per function. There are no rows where records are the values themselves, or are kernel values.
    pub(super) weights: &'a Array2<F>,
    pub(super) biases: &'a Array1<F>,
    pub(super) own: Option<&'a Own<F>>,
}

impl<F: Scalar> Functions<'_, F> {
    /// Returns the values of the functions, shape (records, functions).
    pub(super) fn values(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        let Some(own) = self.own else {
            return self.of_few(x);
        };
        let mut values = Array2::zeros((x.nrows(), self.biases.len()));
        values += self.biases;
        let rows = self.rows();
        let carrier = Carrier::new();
        let panels = values.axis_chunks_iter_mut(Axis(0), rows).into_par_iter();
        let records = x.axis_chunks_iter(Axis(0), rows).into_par_iter();
        panels
            .zip(records)
            .for_each(|(mut values, x)| carrier.over(|| own.add_values(x, &mut values)));
        values
    }

    fn of_few(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        if let Some(own) = self.own {
            let mut values = Array2::zeros((x.nrows(), self.biases.len()));
            values += self.biases;
            own.add_values(x, &mut values.view_mut());
            values
        } else if self.weights.nrows() == 0 {
            &x + self.biases
        } else {
            linalg::product(x, self.weights.view()) + self.biases
        }
    }

    fn rows(&self) -> usize {
        (AT_A_TIME / self.biases.len().max(1)).clamp(1, ROWS)
    }

    /// Returns what `work` makes of the values at each record; the values at all records need not fit into memory.
    pub(in super::super) fn at_each<T: Send>(
        &self,
        x: ArrayView2<'_, F>,
        work: impl Fn(ArrayView1<'_, F>) -> T + Sync,
    ) -> Vec<T> {
        let of_panel = |x: ArrayView2<'_, F>| -> Vec<T> {
            let values = self.of_few(x);
            values.outer_iter().map(&work).collect()
        };
        if self.own.is_none() {
            let rows = (AT_A_TIME / self.biases.len().max(1)).max(1);
            let panels = x.axis_chunks_iter(Axis(0), rows);
            return panels.flat_map(of_panel).collect();
        }
        let carrier = Carrier::new();
        let panels = x.axis_chunks_iter(Axis(0), self.rows()).into_par_iter();
        let panels: Vec<Vec<T>> = panels.map(|x| carrier.over(|| of_panel(x))).collect();
        panels.into_iter().flatten().collect()
    }
}
