//! Records of a dataset: what is refused, and their mean.

use crate::Error;
use linfa::{DatasetBase, dataset::AsTargets};
use ndarray::{Array1, Array2, ArrayBase, Axis, Data, Ix2};
use npt_core::{AsSamples, Scalar};

/// The records, checked: contiguous, finite, not empty, one target each.
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

/// Takes the mean of the rows away, and returns it.
pub(crate) fn centre<F: Scalar>(x: &mut Array2<F>) -> Array1<F> {
    centre_by(x, |x| {
        x.mean_axis(Axis(0)).expect("checked records are not empty")
    })
    .0
}

/// Takes a mean of the rows away, and returns it, rounded, and what the rounding lost of it.
pub(crate) fn centre_by<F: Scalar>(
    x: &mut Array2<F>,
    mean: impl Fn(&Array2<F>) -> Array1<F>,
) -> (Array1<F>, Array1<F>) {
    let mut first = mean(x);
    // The rounded mean of equal numbers may be another: what is left would pass for variance.
    for (mean, column) in first.iter_mut().zip(x.columns()) {
        if column.iter().all(|&value| value == column[0]) {
            *mean = column[0];
        }
    }
    *x -= &first;
    // Far from 0, what rounding leaves of that mean is more than a rounding of what is left of the rows.
    let mut second = mean(x);
    for (mean, column) in second.iter_mut().zip(x.columns()) {
        let largest = column.fold(F::zero(), |most, v| v.abs().max(most));
        // Negated: of what has left the range there is no mean.
        if !(mean.abs() > F::cast(8) * F::epsilon() * largest) {
            *mean = F::zero();
        }
    }
    *x -= &second;
    let sum = &first + &second;
    let lost = (first - &sum) + second;
    (sum, lost)
}
