//! The search from several starts, a panel of points at a time.

use super::{
    FixedPoint,
    climb::{Climb, Landscape},
};
use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use npt_core::{
    Gaussian, Kernel, Rows, Samples, Scalar,
    watch::{Progress, Steps},
};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256Plus;

/// The number of points whose blocks of kernel values are in memory together; it changes no result.
const PANEL: usize = 1024;

impl FixedPoint {
    /// Finds the maxima of all points Σ γᵢφ(xᵢ), one row of γ per point.
    pub(super) fn search<F: Scalar>(
        &self,
        kernel: Gaussian<F>,
        samples: &Rows<F>,
        gamma: ArrayView2<'_, F>,
        near: Option<ArrayView2<'_, F>>,
    ) -> Result<Array2<F>, Error> {
        let (points, features) = (gamma.nrows(), samples.view().ncols());
        if samples.is_empty() {
            // All γ are 0: the point is the origin of the feature space, which is as far from one input as from any other.
            return Err(Error::NoPreImage {
                point: 0,
                iterate: vec![0.0; features],
                residual: 1.0,
            });
        }
        let landscape = Landscape::new(samples.view(), kernel.gamma())?;
        let mut order: Vec<usize> = (0..samples.len()).collect();
        order.shuffle(&mut Xoshiro256Plus::seed_from_u64(self.seed));

        let mut inputs = Array2::zeros((points, features));
        let progress = Progress::start("pre-images", points);
        for start in (0..points).step_by(PANEL) {
            let end = (start + PANEL).min(points);
            let panel = Panel {
                gamma: gamma.slice(s![start..end, ..]),
                near: near.map(|near| landscape.position(near.slice(s![start..end, ..]))),
            };
            let found = self
                .search_panel(&landscape, &panel, &order, &progress.steps())
                .map_err(|failure| {
                    let (row, value) = (failure.row, failure.value);
                    let gamma = panel.gamma.row(row);
                    let squared = gamma.dot(&kernel.gram(samples).dot(&gamma));
                    Error::NoPreImage {
                        point: start + row,
                        iterate: landscape.input(&failure.z).mapv(F::as_f64).to_vec(),
                        residual: (F::one() - value - value + squared).as_f64(),
                    }
                })?;
            for (mut input, z) in inputs
                .slice_mut(s![start..end, ..])
                .outer_iter_mut()
                .zip(found)
            {
                input.assign(&landscape.input(&z));
            }
        }
        Ok(inputs)
    }

    /// Finds the maxima of a panel of points, from as many starts as it takes. Each maximum is a step of the progress.
    fn search_panel<F: Scalar>(
        &self,
        landscape: &Landscape<F>,
        panel: &Panel<'_, F>,
        order: &[usize],
        steps: &Steps,
    ) -> Result<Vec<Array1<F>>, Failure<F>> {
        let count = panel.gamma.nrows();
        let mut found: Vec<Option<Array1<F>>> = vec![None; count];
        let mut best: Vec<Option<(Array1<F>, F)>> = vec![None; count];
        let mut left: Vec<usize> = (0..count).collect();
        let starts = self.starts.min(panel.starts(order));
        for start in 0..starts {
            let from = panel.start(start, &left, landscape, order);
            let gamma = panel.gamma.select(Axis(0), &left);
            let tolerance = F::cast(self.tolerance);
            let ends = landscape.climb(gamma, from, self.max_iterations, tolerance, steps);
            for (&row, end) in left.iter().zip(ends) {
                match end {
                    Climb::Top(z) => found[row] = Some(z),
                    Climb::Failed(z, value) => {
                        if best[row].as_ref().is_none_or(|&(_, best)| value > best) {
                            best[row] = Some((z, value));
                        }
                    }
                }
            }
            left.retain(|&row| found[row].is_none());
            if left.is_empty() {
                break;
            }
        }
        if let Some(&row) = left.first() {
            let (z, value) = best[row].take().expect("every start ends somewhere");
            return Err(Failure { row, z, value });
        }
        Ok(found.into_iter().flatten().collect())
    }
}

/// Points that are worked on together, one row each.
struct Panel<'a, F> {
    gamma: ArrayView2<'a, F>,
    /// Known inputs near the points, where there are any.
    near: Option<Array2<F>>,
}

impl<F: Scalar> Panel<'_, F> {
    /// Returns the number of starts.
    fn starts(&self, order: &[usize]) -> usize {
        order.len() + 1 + usize::from(self.near.is_some())
    }

    /// Returns start number `start` of the given rows.
    fn start(
        &self,
        start: usize,
        rows: &[usize],
        landscape: &Landscape<F>,
        order: &[usize],
    ) -> Array2<F> {
        let landmark = match (&self.near, start) {
            (Some(near), 0) => return near.select(Axis(0), rows),
            (Some(_), _) => start - 1,
            (None, _) => start,
        };
        let ids: Vec<usize> = if landmark == 0 {
            let values = landscape.at_landmarks(self.gamma.select(Axis(0), rows).view());
            values.outer_iter().map(largest).collect()
        } else {
            vec![order[landmark - 1]; rows.len()]
        };
        landscape.landmarks().select(Axis(0), &ids)
    }
}

/// A point without a maximum: its row, and the best z with the value of g there.
struct Failure<F> {
    row: usize,
    z: Array1<F>,
    value: F,
}

fn largest<F: Scalar>(values: ArrayView1<'_, F>) -> usize {
    let mut best = 0;
    for (i, &value) in values.iter().enumerate() {
        if value > values[best] {
            best = i;
        }
    }
    best
}
