//! Errors of one block of many.

use crate::Error;

/// Converts an error that names a row of a block: it then names the row among all blocks, of which `before` rows came before. An error of
/// a block as a whole gets the row at which the block begins.
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
