//! Targets: numbers in one column or several, predictions in their shape, and the members of classes.

use crate::Error;
use linfa::{Label, dataset::AsTargets};
use ndarray::{Array, Array2, ArrayBase, Axis, Data, Dimension, Ix1};
use npt_core::Scalar;
use std::collections::BTreeMap;

/// Returns numerical targets as a matrix of one row per sample, after the checks that they are finite and have a column.
///
/// Call it after [`checked_records`](crate::records::checked_records), which checks that there are as many targets as records.
pub(crate) fn checked_targets<F, T>(targets: &T) -> Result<Array2<F>, Error>
where
    F: Scalar,
    T: AsTargets<Elem = F>,
{
    let targets = targets.as_targets();
    if targets.is_empty() {
        return Err(Error::NoTargets);
    }
    let rows = targets.len_of(Axis(0));
    let values: Vec<F> = targets.iter().copied().collect();
    let matrix = Array2::from_shape_vec((rows, values.len() / rows), values)
        .expect("as many values as rows times columns");
    match matrix.indexed_iter().find(|(_, value)| !value.is_finite()) {
        None => Ok(matrix),
        Some(((row, column), value)) => {
            let value = value.as_f64();
            Err(npt_core::Error::TargetNotFinite { row, column, value }.into())
        }
    }
}

/// The classes, ascending, with the rows of their members.
pub(crate) fn groups<L: Label>(
    labels: &ArrayBase<impl Data<Elem = L>, Ix1>,
) -> BTreeMap<L, Vec<usize>> {
    let mut groups: BTreeMap<L, Vec<usize>> = BTreeMap::new();
    for (row, label) in labels.iter().enumerate() {
        groups.entry(label.clone()).or_default().push(row);
    }
    groups
}

/// The shape of targets: one axis of `rows` or, for a matrix, `rows` by `columns`.
pub(crate) fn target_shape<I: Dimension>(rows: usize, columns: usize) -> I {
    let mut shape = I::zeros(I::NDIM.expect("targets have one dimension or two"));
    shape[0] = rows;
    if shape.ndim() > 1 {
        shape[1] = columns;
    }
    shape
}

/// Returns a matrix, one column per target, in the shape of the targets.
pub(crate) fn in_target_shape<F: Scalar, I: Dimension>(values: Array2<F>) -> Array<F, I> {
    let (rows, columns) = values.dim();
    let in_order = values.into_iter().collect();
    Array::from_shape_vec(target_shape::<I>(rows, columns), in_order)
        .expect("targets of one dimension have one column")
}

/// Implements `predict` of a regression in the shape of its targets. The model has the methods `values`, of one column per
/// target, and `targets`, the number of targets.
macro_rules! predict_targets {
    ($model:ident) => {
        impl<F: Scalar, D: ndarray::Data<Elem = F>, I: linfa::dataset::TargetDim>
            linfa::traits::PredictInplace<ndarray::ArrayBase<D, ndarray::Ix2>, ndarray::Array<F, I>>
            for $model<F, I>
        {
            fn predict_inplace<'a>(
                &'a self,
                x: &'a ndarray::ArrayBase<D, ndarray::Ix2>,
                y: &mut ndarray::Array<F, I>,
            ) {
                let values = $crate::targets::in_target_shape::<F, I>(self.values(x.view()));
                assert_eq!(
                    y.raw_dim(),
                    values.raw_dim(),
                    "the shape of the predictions"
                );
                y.assign(&values);
            }

            fn default_target(
                &self,
                x: &ndarray::ArrayBase<D, ndarray::Ix2>,
            ) -> ndarray::Array<F, I> {
                ndarray::Array::zeros($crate::targets::target_shape::<I>(
                    x.nrows(),
                    self.targets(),
                ))
            }
        }
    };
}
pub(crate) use predict_targets;
