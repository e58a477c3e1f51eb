//! Sample weights: as many samples as a sample stands for.

use super::checked_records;
use crate::{Error, error::require_no_weights};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
};
use ndarray::{Array1, Array2, ArrayBase, Axis, Data, Ix2};
use npt_core::Scalar;

/// The records, checked, for a method that takes no sample weights.
pub(super) fn unweighted_records<F, D, T>(
    of: &'static str,
    dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
) -> Result<Array2<F>, Error>
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets,
{
    require_no_weights(of, dataset)?;
    checked_records(dataset)
}

/// The sample weights, checked: one a sample, finite, not negative. None where there are none.
fn checked_weights<R: Records, T>(dataset: &DatasetBase<R, T>) -> Result<Option<Vec<f64>>, Error> {
    let weights = &dataset.weights;
    if weights.is_empty() {
        return Ok(None);
    }
    let (samples, count) = (dataset.records().nsamples(), weights.len());
    if samples != count {
        let weights = count;
        return Err(npt_core::Error::WeightCount { samples, weights }.into());
    }
    let checked = weights.iter().enumerate().map(|(row, &value)| {
        let value = f64::from(value);
        if value >= 0.0 && value.is_finite() {
            Ok(value)
        } else {
            Err(Error::Weight { row, value })
        }
    });
    checked.collect::<Result<_, _>>().map(Some)
}

/// Samples that weigh something.
pub(super) struct Weighed<F> {
    pub(super) x: Array2<F>,
    /// None where the dataset has none.
    pub(super) weights: Option<Array1<F>>,
    /// Which of all samples they are; None for all.
    rows: Option<Vec<usize>>,
}

/// The records, checked, of the samples that weigh something.
pub(super) fn weighed_records<F, D, T>(
    dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
) -> Result<Weighed<F>, Error>
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets,
{
    let x = checked_records(dataset)?;
    let Some(weights) = checked_weights(dataset)? else {
        return Ok(Weighed {
            x,
            weights: None,
            rows: None,
        });
    };
    let rows: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0.0).collect();
    if rows.is_empty() {
        let (found, needed) = (0, 1);
        return Err(Error::TooFewSamples { found, needed });
    }
    Ok(Weighed {
        x: x.select(Axis(0), &rows),
        weights: Some(rows.iter().map(|&row| F::cast(weights[row])).collect()),
        rows: Some(rows),
    })
}

impl<F> Weighed<F> {
    /// Numbers of theirs, and 0 for all others of so many samples.
    pub(super) fn spread(&self, numbers: Array1<F>, samples: usize) -> Array1<F>
    where
        F: Scalar,
    {
        let Some(rows) = &self.rows else {
            return numbers;
        };
        let mut all = Array1::zeros(samples);
        rows.iter()
            .zip(numbers)
            .for_each(|(&row, number)| all[row] = number);
        all
    }

    /// Of things that all samples have, theirs.
    pub(super) fn of<A: Clone, I: ndarray::RemoveAxis>(
        &self,
        all: ndarray::Array<A, I>,
    ) -> ndarray::Array<A, I> {
        match &self.rows {
            Some(rows) => all.select(Axis(0), rows),
            None => all,
        }
    }
}
