//! Tables that are read block by block: each format, and what is wrong with files.

mod bad_csv;
mod csv;
mod npy;
mod parquet;

use linfa::Dataset;
use ndarray::{Array1, Array2, Axis, Ix1, concatenate};
use npt::methods::streaming::{Blocks, Place, Source, SourceError};

/// Blocks, one behind the other.
fn all(blocks: &[Dataset<f64, f64, Ix1>]) -> (Array2<f64>, Array1<f64>) {
    let records: Vec<_> = blocks.iter().map(|block| block.records.view()).collect();
    let targets: Vec<_> = blocks.iter().map(|block| block.targets.view()).collect();
    let targets = concatenate(Axis(0), &targets).unwrap();
    (concatenate(Axis(0), &records).unwrap(), targets)
}

/// All that a table holds, or the first error.
fn read<S: Source>(blocks: Blocks<S>) -> Result<(Array2<f64>, Array1<f64>), SourceError> {
    let blocks: Vec<_> = blocks.collect::<Result<_, _>>()?;
    Ok(all(&blocks))
}

/// A value of a row that is no number.
fn no_number(row: u64, column: &str, value: &str) -> SourceError {
    SourceError::Number {
        place: Place::Row(row),
        column: column.to_owned(),
        value: value.to_owned(),
    }
}
