//! What pandas says of a frame in a Parquet file.

use super::{Place, SourceError};
use parquet::file::metadata::ParquetMetaData;
use serde_json::Value;

/// The places of the columns which are the index of a frame. An index of consecutive numbers is in no column.
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
    let frame: Value = serde_json::from_str(text).map_err(|error| {
        // An index would become a feature.
        let reason = format!("its metadata of pandas are no JSON ({error})");
        SourceError::unreadable(Place::Row(0), &reason)
    })?;
    let indices = frame.get("index_columns").and_then(Value::as_array);
    let is_index = |name: &String| {
        let mut indices = indices.into_iter().flatten().filter_map(Value::as_str);
        indices.any(|index| index == name)
    };
    let columns = (0..names.len()).filter(|&column| is_index(&names[column]));
    Ok(columns.collect())
}
