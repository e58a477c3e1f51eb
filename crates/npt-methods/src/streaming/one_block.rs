//! What is wrong with a block of many.

use crate::Error;

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
