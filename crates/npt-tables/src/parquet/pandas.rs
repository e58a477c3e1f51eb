//! The metadata of pandas in a Parquet file.

use super::json::Json;
use crate::{Place, SourceError};
use parquet::file::metadata::ParquetMetaData;

/// Returns the places of the columns that are the index of a frame. An index of consecutive numbers is in no column.
///
/// # References
/// pandas, "Storing pandas `DataFrame` objects in Apache Parquet format", developer's guide.
pub(super) fn index_columns(
    metadata: &ParquetMetaData,
    names: &[String],
) -> Result<Vec<usize>, SourceError> {
    let entries = metadata.file_metadata().key_value_metadata();
    let entry = entries
        .into_iter()
        .flatten()
        .find(|entry| entry.key == "pandas");
    let Some(text) = entry.and_then(|entry| entry.value.as_deref()) else {
        return Ok(Vec::new());
    };
    let Some(frame) = Json::parse(text) else {
        // Without the metadata, an index would become a feature.
        let reason = "its metadata of pandas are no JSON";
        return Err(SourceError::unreadable(Place::Row(0), &reason));
    };
    let indices = match frame.get("index_columns") {
        Some(Json::List(indices)) => indices.as_slice(),
        _ => &[],
    };
    let is_index = |name: &String| {
        let mut indices = indices.iter();
        indices.any(|index| matches!(index, Json::Text(index) if index == name))
    };
    let columns = (0..names.len()).filter(|&column| is_index(&names[column]));
    Ok(columns.collect())
}
