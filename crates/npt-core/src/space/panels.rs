//! New samples, a panel at a time.

use super::factor::check_finite;
use crate::{Error, Kernel, Samples, Scalar, linalg::PANEL, parallel, require_memory};
use ndarray::{Array1, Array2, Axis};
use std::ops::Range;

/// Features of a panel of new samples, at the most: they stay in the cache of a core.
const CACHED: usize = 1 << 16;

/// New samples in a panel, at the least: products of fewer rows are slow.
const LEAST_ROWS: usize = 32;

/// New samples in a panel, with so many features each.
pub(super) fn panel_rows(features: usize) -> usize {
    (CACHED / features.max(1)).clamp(LEAST_ROWS, PANEL)
}

/// Kernel values of a panel of the new samples x with all others.
pub(super) fn kernel_values<S: Samples, K: Kernel<S>>(
    kernel: &K,
    x: &S,
    panel: Range<usize>,
    others: &S,
) -> Result<Array2<K::Scalar>, Error> {
    let (rows, columns): (Vec<_>, Vec<_>) = (panel.collect(), (0..others.len()).collect());
    let cross = kernel.cross(&x.select(&rows), others);
    check_finite(cross.view(), &rows, &columns)?;
    Ok(cross)
}

/// A row of values of some samples each, and perhaps a number more.
type Placed<F> = (Array2<F>, Option<Array1<F>>);

/// What `place` gives so many columns of, and perhaps a number more, for all samples: panel by panel in parallel.
pub(super) fn by_panels<F: Scalar>(
    samples: usize,
    columns: usize,
    with_numbers: bool,
    place: &(dyn Fn(&[usize]) -> Result<Placed<F>, Error> + Sync),
) -> Result<Placed<F>, Error> {
    let rows: Vec<usize> = (0..samples).collect();
    require_memory::<F>("the matrix of features", samples, columns)?;
    let mut values = Array2::zeros((samples, columns));
    let mut panels: Vec<_> = rows
        .chunks(PANEL)
        .zip(values.axis_chunks_iter_mut(Axis(0), PANEL))
        .collect();
    let numbers = parallel::map_mut_at_stage("coordinates", &mut panels, |_, (rows, values)| {
        let (found, numbers) = place(rows)?;
        values.assign(&found);
        Ok(numbers)
    });
    // In order, so that of several errors always the same one is reported.
    let numbers: Vec<Option<Array1<F>>> = numbers.into_iter().collect::<Result<_, Error>>()?;
    let numbers = with_numbers.then(|| numbers.into_iter().flatten().flatten().collect());
    Ok((values, numbers))
}
