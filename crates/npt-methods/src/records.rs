//! Checks of the records of a dataset, and their mean.

use crate::Error;
use linfa::{DatasetBase, dataset::AsTargets};
use ndarray::{Array1, Array2, ArrayBase, Axis, Data, Ix2};
use npt_core::{AsSamples, Scalar};

/// Returns the records as a contiguous matrix, after the checks that they are finite, not empty, and as many as the targets.
pub(crate) fn checked_records<F, D, T>(
    dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
) -> Result<Array2<F>, Error>
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets,
{
    let rows = dataset.records().as_samples()?;
    let (samples, targets) = (rows.view().nrows(), dataset.as_targets().len_of(Axis(0)));
    if samples != targets {
        return Err(npt_core::Error::TargetCount { samples, targets }.into());
    }
    Ok(rows.into_owned().into_matrix())
}

/// Subtracts the mean of the rows, and returns it.
pub(crate) fn center<F: Scalar>(x: &mut Array2<F>) -> Array1<F> {
    center_by(x, |x| {
        x.mean_axis(Axis(0)).expect("checked records are not empty")
    })
    .0
}

/// Subtracts a mean of the rows; returns the rounded mean, and what the rounding lost of it.
pub(crate) fn center_by<F: Scalar>(
    x: &mut Array2<F>,
    mean: impl Fn(&Array2<F>) -> Array1<F>,
) -> (Array1<F>, Array1<F>) {
    let mut first = mean(x);
    // The rounded mean of equal numbers may differ from them, and the difference would pass for variance.
    for (mean, column) in first.iter_mut().zip(x.columns()) {
        if column.iter().all(|&value| value == column[0]) {
            *mean = column[0];
        }
    }
    *x -= &first;
    // Far from 0, the rounding error of that mean is more than a rounding of the centred rows.
    let mut second = mean(x);
    for (mean, column) in second.iter_mut().zip(x.columns()) {
        let largest = column.fold(F::zero(), |most, v| v.abs().max(most));
        // Negated, so that NaN, the mean of values that left the range, becomes 0, too.
        if !(mean.abs() > F::cast(8) * F::epsilon() * largest) {
            *mean = F::zero();
        }
    }
    *x -= &second;
    let sum = &first + &second;
    let lost = (first - &sum) + second;
    (sum, lost)
}
