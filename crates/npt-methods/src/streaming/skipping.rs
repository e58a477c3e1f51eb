//! Blocks in memory without their bad rows.

use linfa::{
    DatasetBase,
    dataset::{Records, TargetDim},
};
use ndarray::{Array, Array2, Axis};
use npt_core::Scalar;
use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Returns blocks without their bad rows, and adds the number of these to `skipped`, from 0. A fit then goes on where it would end with an
/// error that names the bad row.
///
/// A row is bad if it has a feature that is not finite, a target that is a floating-point number and not finite, or a weight that is not
/// finite or below 0. All rows of a block are bad if it has no features, or not as many targets or weights as rows. The first block with a
/// good row sets the numbers of features and targets; all rows of a block with other numbers are bad.
///
/// Errors of `blocks` are passed on. Tables of `npt-tables` leave out bad rows themselves (`Blocks::skip_bad_rows_into`).
///
/// # Example
/// ```
/// use linfa::Dataset;
/// use ndarray::array;
/// use npt_methods::{Error, streaming::{Moments, skip_bad_rows}};
/// use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
///
/// let blocks = [
///     Dataset::new(array![[1.0], [f64::NAN], [3.0]], array![0.0, 0.0, 2.0]),
///     Dataset::new(array![[4.0, 5.0]], array![1.0]),
///     Dataset::new(array![[5.0]], array![1.0]),
/// ];
/// let skipped = Arc::new(AtomicUsize::new(0));
/// let mut moments = Moments::new(1);
/// for block in skip_bad_rows(blocks.into_iter().map(Ok::<_, Error>), &skipped) {
///     moments.add(&block?)?;
/// }
/// assert_eq!((moments.count(), moments.mean()[0]), (3, 3.0));
/// assert_eq!(skipped.load(Ordering::Relaxed), 2);
/// # Ok::<(), Error>(())
/// ```
pub fn skip_bad_rows<B, F, L, I, E>(
    blocks: B,
    skipped: &Arc<AtomicUsize>,
) -> impl Iterator<Item = Result<DatasetBase<Array2<F>, Array<L, I>>, E>> + use<B, F, L, I, E>
where
    B: IntoIterator<Item = Result<DatasetBase<Array2<F>, Array<L, I>>, E>>,
    F: Scalar,
    L: Clone + 'static,
    I: TargetDim,
{
    skipped.store(0, Ordering::Relaxed);
    let (skipped, mut columns) = (Arc::clone(skipped), None);
    blocks.into_iter().filter_map(move |block| {
        let block = match block {
            Ok(block) => block,
            Err(error) => return Some(Err(error)),
        };
        let columns_of_block = (
            block.records.ncols(),
            block.targets.raw_dim().slice()[1..].to_vec(),
        );
        let is_as_before = columns
            .as_ref()
            .is_none_or(|columns| *columns == columns_of_block);
        let good = if is_as_before {
            good_rows(&block)
        } else {
            Vec::new()
        };
        let samples = block.records.nrows();
        skipped.fetch_add(samples - good.len(), Ordering::Relaxed);
        if good.is_empty() {
            return None;
        }
        columns.get_or_insert(columns_of_block);
        Some(Ok(if good.len() < samples {
            select(&block, &good)
        } else {
            block
        }))
    })
}

fn good_rows<F: Scalar, L: 'static, I: TargetDim>(
    block: &DatasetBase<Array2<F>, Array<L, I>>,
) -> Vec<usize> {
    let DatasetBase {
        records,
        targets,
        weights,
        ..
    } = block;
    let samples = records.nrows();
    let has_weights = !weights.is_empty();
    let (of_targets, of_weights) = (targets.len_of(Axis(0)), weights.len());
    if records.ncols() == 0 || of_targets != samples || has_weights && of_weights != samples {
        return Vec::new();
    }
    let is_good = |&row: &usize| {
        records.row(row).iter().all(|v| v.is_finite())
            && targets
                .index_axis(Axis(0), row)
                .iter()
                .all(is_finite_or_label)
            && (!has_weights || weights[row].is_finite() && weights[row] >= 0.0)
    };
    (0..samples).filter(is_good).collect()
}

/// Returns whether a number is finite; labels of any other type are good.
fn is_finite_or_label<L: 'static>(value: &L) -> bool {
    let value: &dyn Any = value;
    let of_double = value.downcast_ref::<f64>().map(|v| v.is_finite());
    let of_single = value.downcast_ref::<f32>().map(|v| v.is_finite());
    of_double.or(of_single).unwrap_or(true)
}

fn select<F: Scalar, L: Clone, I: TargetDim>(
    block: &DatasetBase<Array2<F>, Array<L, I>>,
    rows: &[usize],
) -> DatasetBase<Array2<F>, Array<L, I>> {
    let weights = if block.weights.is_empty() {
        block.weights.clone()
    } else {
        block.weights.select(Axis(0), rows)
    };
    let records = block.records.select(Axis(0), rows);
    let (features, targets) = (block.feature_names(), block.target_names());
    let selected = DatasetBase::new(records, block.targets.select(Axis(0), rows));
    // The names are of other records if the records were exchanged.
    let named = |names: &[String], columns: usize| {
        if names.len() == columns {
            names.to_vec()
        } else {
            Vec::new()
        }
    };
    let features = named(features, selected.nfeatures());
    let targets = named(targets, selected.ntargets());
    selected
        .with_weights(weights)
        .with_feature_names(features)
        .with_target_names(targets)
}
