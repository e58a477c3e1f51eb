//! A block of many, and what is wrong with it.

use crate::Error;
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
};
use ndarray::{Array2, ArrayView};
use npt_core::{AsSamples, KernelSpace};

/// The coordinates of a block, of which `before` rows came before, beside its targets and weights.
pub(super) fn coordinates_of_block<'b, P, R, T>(
    space: &P,
    block: &'b DatasetBase<R, T>,
    before: usize,
) -> Result<DatasetBase<Array2<P::Scalar>, ArrayView<'b, T::Elem, T::Ix>>, Error>
where
    P: KernelSpace,
    R: Records + AsSamples<Samples = P::Samples>,
    T: AsTargets,
{
    let coordinates = space.coordinates(&block.records);
    let coordinates = coordinates.map_err(|error| counted_on(error.into(), before))?;
    Ok(DatasetBase::new(coordinates, block.as_targets()).with_weights(block.weights.clone()))
}

/// An error that names a row of a block, with the row of all blocks instead, of which `before` came before; what is wrong with a
/// block as a whole, with the row that it begins at.
pub(crate) fn counted_on(error: Error, before: usize) -> Error {
    use npt_core::Error as Core;
    match error {
        Error::Core(
            Core::ColumnCount { .. }
            | Core::TargetCount { .. }
            | Core::WeightCount { .. }
            | Core::NoFeatures { .. },
        )
        | Error::TargetColumns { .. } => Error::Block {
            row: before,
            error: Box::new(error),
        },
        Error::Core(error) => error.after_rows(before).into(),
        Error::LaterClass { row } => Error::LaterClass { row: before + row },
        other => other,
    }
}
