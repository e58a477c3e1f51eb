//! From samples to coordinates, and from functions of coordinates back to kernel values.

use super::{LandmarkSpace, Raw, column_means};
use crate::{
    Error, Kernel, Samples, Scalar,
    linalg::{self, Backend, PANEL},
    space::{KernelSpace, factor::check_finite},
};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView2, Axis, Zip, s};
use rayon::prelude::*;

impl<S: Samples, K: Kernel<S>> LandmarkSpace<S, K> {
    /// For linear functions βᵀy of coordinates, one a column: the coefficients α of κ(S, x), shape
    /// (landmarks, functions), and what is to be taken off their sum.
    pub(in crate::space) fn fold_back(
        &self,
        directions: ArrayView2<'_, K::Scalar>,
    ) -> (Array2<K::Scalar>, Array1<K::Scalar>) {
        let raw = match &self.rotation {
            Some(rotation) => rotation.undo(directions),
            None => directions.to_owned(),
        };
        match &self.raw {
            Raw::Cholesky { lower, shift } => {
                let shift = shift.dot(&raw);
                (
                    linalg::solve_lower_transposed(lower.view(), raw.view()),
                    shift,
                )
            }
            Raw::Spectral { weights, means } => {
                let mut alpha = linalg::product(weights.t(), raw.view());
                let Some(means) = means else {
                    let none = Array1::zeros(alpha.ncols());
                    return (alpha, none);
                };
                alpha -= &column_means(alpha.view());
                let shift = means.of_rows.dot(&alpha);
                (alpha, shift)
            }
        }
    }

    /// Coordinates, and residuals if wanted, of the samples `ids` of x: one panel.
    fn map_panel(
        &self,
        x: &S,
        ids: &[usize],
        want_residuals: bool,
    ) -> Result<(Array2<K::Scalar>, Option<Array1<K::Scalar>>), Error> {
        let x = x.select(ids);
        let mut block = self.kernel.cross(&self.landmarks, &x);
        check_finite(block.t(), ids, &self.landmark_indices)?;
        let diagonal = want_residuals.then(|| self.kernel.diag(&x));
        if let Some(diagonal) = &diagonal {
            check_diagonal_finite(diagonal, ids)?;
        }
        // `outside`: the squared length of what the raw map cannot represent.
        let (raw, outside) = match &self.raw {
            Raw::Cholesky { lower, shift } => {
                K::Scalar::solve_lower(lower.view(), &mut block);
                let outside = diagonal.map(|d| clamped_difference(d, &squared_lengths(block.t())));
                let mut raw = block.reversed_axes().as_standard_layout().into_owned();
                raw -= shift;
                (raw, outside)
            }
            Raw::Spectral { weights, means } => {
                let mut lengths = diagonal;
                if let Some(means) = means {
                    let mean = block.mean_axis(Axis(0)).expect("there are landmarks");
                    if let Some(lengths) = &mut lengths {
                        let twice = &mean * K::Scalar::cast(2);
                        *lengths -= &(twice - means.of_all);
                    }
                    // Uᵀ1 = 0 takes the mean out as well, but only to the rounding of the
                    // eigenvectors, which belongs to the largest eigenvalue.
                    block -= &means.of_rows.view().insert_axis(Axis(1));
                    block -= &(mean - means.of_all);
                }
                let raw = linalg::product(block.t(), weights.t());
                let outside = lengths.map(|l| clamped_difference(l, &squared_lengths(raw.view())));
                (raw, outside)
            }
        };
        let Some(rotation) = &self.rotation else {
            return Ok((raw, outside));
        };
        let coordinates = rotation.apply(raw.view());
        let residuals = outside.map(|outside| {
            let cut = squared_lengths(coordinates.view());
            outside + clamped_difference(squared_lengths(raw.view()), &cut)
        });
        Ok((coordinates, residuals))
    }

    pub(super) fn map_panels(
        &self,
        x: &S,
        want_residuals: bool,
    ) -> Result<(Array2<K::Scalar>, Option<Array1<K::Scalar>>), Error> {
        if x.is_empty() {
            return Err(Error::NoSamples);
        }
        self.landmarks.check_compatible(x)?;
        self.kernel.check(x)?;
        let ids: Vec<usize> = (0..x.len()).collect();
        let mut coordinates = Array2::zeros((x.len(), self.rank()));
        let mut residuals = want_residuals.then(|| Array1::zeros(x.len()));
        let panels: Vec<Result<_, Error>> = ids
            .par_chunks(PANEL)
            .map(|ids| self.map_panel(x, ids, want_residuals))
            .collect();
        for (k, panel) in panels.into_iter().enumerate() {
            let (panel, panel_residuals) = panel?;
            let rows = s![k * PANEL..k * PANEL + panel.nrows(), ..];
            coordinates.slice_mut(rows).assign(&panel);
            if let (Some(all), Some(part)) = (&mut residuals, panel_residuals) {
                all.slice_mut(s![k * PANEL..k * PANEL + part.len()])
                    .assign(&part);
            }
        }
        Ok((coordinates, residuals))
    }
}

fn check_diagonal_finite<F: Scalar>(diagonal: &Array1<F>, ids: &[usize]) -> Result<(), Error> {
    match diagonal
        .iter()
        .zip(ids)
        .find(|(value, _)| !value.is_finite())
    {
        None => Ok(()),
        Some((value, &id)) => Err(Error::KernelNotFinite {
            row: id,
            column: id,
            value: value.as_f64(),
        }),
    }
}

fn squared_lengths<F: Scalar>(rows: ArrayView2<'_, F>) -> Array1<F> {
    rows.outer_iter().map(|row| row.dot(&row)).collect()
}

/// a − b, of which b ≤ a but for rounding.
fn clamped_difference<F: Scalar>(mut a: Array1<F>, b: &Array1<F>) -> Array1<F> {
    Zip::from(&mut a)
        .and(b)
        .for_each(|a, &b| *a = (*a - b).max(F::zero()));
    a
}
