//! Values of new samples, computed a panel at a time.

use super::factor::check_finite;
use crate::{
    AsSamples, Error, Kernel, Samples, Scalar, linalg::PANEL, parallel, require_memory,
    watch::Progress,
};
use ndarray::{Array1, Array2, ArrayViewMut2, Axis, s};
use std::ops::Range;

/// The largest number of features of a panel of new samples: they stay in the cache of a core.
const CACHED: usize = 1 << 16;

/// The smallest number of new samples in a panel: products of fewer rows are slow.
const LEAST_ROWS: usize = 32;

/// Returns the number of new samples in a panel, if each has this many features.
pub(super) fn panel_rows(features: usize) -> usize {
    (CACHED / features.max(1)).clamp(LEAST_ROWS, PANEL)
}

/// Computes the kernel values of a panel of the new samples x with all samples `others`.
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

/// The number of panels, for each thread, in a block of records that becomes samples at once: enough that no thread
/// waits long for the last panel.
const PANELS_AT_ONCE: usize = 8;

/// Returns the number of records that become samples at once, if a panel has this many samples.
pub(super) fn rows_at_once(panel: usize) -> usize {
    panel * PANELS_AT_ONCE * rayon::current_num_threads()
}

/// A computation that gives a row of values for each of many new records.
pub(super) struct OfRecords<'a, S, F> {
    /// The name of the stage, which there is if there are several panels.
    pub(super) stage: &'static str,
    /// The name of the values in an error.
    pub(super) what: &'static str,
    /// The number of new samples in a panel.
    pub(super) panel: usize,
    /// The number of values of a sample.
    pub(super) columns: usize,
    /// Checks that samples have values. It is called for each block before values are computed.
    pub(super) check: &'a dyn Fn(&S) -> Result<(), Error>,
    /// Computes the values of a panel.
    pub(super) place:
        &'a (dyn Fn(&S, Range<usize>, ArrayViewMut2<'_, F>) -> Result<(), Error> + Sync),
}

impl<S: Samples, F: Scalar> OfRecords<'_, S, F> {
    /// Computes the values of all records, which become samples a block at a time.
    pub(super) fn values(&self, x: &dyn AsSamples<Samples = S>) -> Result<Array2<F>, Error> {
        let mut begun = None;
        x.visit_blocks(rows_at_once(self.panel), &mut |all, before, block| {
            let (values, progress) = if let Some(begun) = &mut begun {
                begun
            } else {
                require_memory::<F>(self.what, all, self.columns)?;
                let panels = all.div_ceil(self.panel);
                let progress = (panels > 1).then(|| Progress::start(self.stage, panels));
                begun.insert((Array2::zeros((all, self.columns)), progress))
            };
            let values = values.slice_mut(s![before..before + block.len(), ..]);
            self.fill(block, values, progress.as_ref())
                .map_err(|error| error.after_rows(before))
        })?;
        begun.map(|(values, _)| values).ok_or(Error::NoSamples)
    }

    fn fill(
        &self,
        block: &S,
        mut values: ArrayViewMut2<'_, F>,
        progress: Option<&Progress>,
    ) -> Result<(), Error> {
        (self.check)(block)?;
        let (rows, place) = (self.panel, self.place);
        let mut panels: Vec<_> = values.axis_chunks_iter_mut(Axis(0), rows).collect();
        let steps = progress.map(Progress::steps);
        let results = parallel::map_mut(&mut panels, |panel, values| {
            let first = panel * rows;
            let result = place(block, first..first + values.nrows(), values.view_mut());
            if let Some(steps) = &steps {
                steps.take(1);
            }
            result
        });
        // Results are read in order, so that always the same one of several errors is reported.
        results.into_iter().collect()
    }
}

/// A row of values for each of some samples, and perhaps one more number for each.
type Placed<F> = (Array2<F>, Option<Array1<F>>);

/// Computes a row of `columns` values for each sample by `place`, and one more number for each if `with_numbers` is
/// true; panel by panel in parallel.
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
    // Results are read in order, so that always the same one of several errors is reported.
    let numbers: Vec<Option<Array1<F>>> = numbers.into_iter().collect::<Result<_, Error>>()?;
    let numbers = with_numbers.then(|| numbers.into_iter().flatten().flatten().collect());
    Ok((values, numbers))
}
