//! NumPy's arrays: columns called 0, 1, …

use super::{Column, Table, Values};
use crate::Error;
use npt_tables::NpyBlocks;
use std::{fs::File, path::Path};

pub fn read(path: &Path) -> Result<Table, Error> {
    let file = File::open(path).map_err(|error| Error::file(path, error))?;
    let wrong = |error: npt_tables::SourceError| Error::file(path, error);
    let mut blocks = NpyBlocks::new([file]).map_err(wrong)?.with_missing_values();
    let records = blocks.read_records().map_err(wrong)?;
    let columns = records.columns().into_iter().enumerate();
    let columns = columns.map(|(place, values)| Column {
        name: place.to_string(),
        values: Values::numbers(values.to_vec()),
    });
    Ok(Table::new(columns.collect()))
}
