//! Files of text: csv and tsv.

use super::{Input, ROWS, Source, one_line};
use crate::{Error, tables::Format};
use datafusion::arrow::{
    array::RecordBatch,
    csv::{ReaderBuilder, reader},
    datatypes::{Field, Schema, SchemaRef},
    error::ArrowError,
};
use npt_tables::{CsvFormat, SourceError};
use std::{fs::File, io::Seek as _, sync::Arc};

/// The texts that stand for a missing value in tables of text.
pub(super) const MISSING: [&str; 8] = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"];

/// The columns of a file of text, and its format.
pub(super) struct TextSchema {
    pub columns: SchemaRef,
    format: reader::Format,
    pub delimiter: u8,
}

impl TextSchema {
    /// The rows of the file.
    pub(super) fn batches(
        &self,
        file: &Input,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, ArrowError>> + use<>, Error> {
        let opened = File::open(&file.path).map_err(|error| Error::file(&file.name, error))?;
        let reader = ReaderBuilder::new(self.columns.clone())
            .with_format(self.format.clone())
            .with_batch_size(ROWS);
        reader
            .build(opened)
            .map_err(|error| Error::file(&file.name, one_line(&error.to_string())))
    }
}

/// Finds the columns of a file of text, from all its rows, and its format.
pub(super) fn text_schema(file: &Input, source: &Source) -> Result<TextSchema, Error> {
    let mut text = File::open(&file.path).map_err(|error| Error::file(&file.name, error))?;
    let delimiter = match (source.delimiter, file.format) {
        (Some(delimiter), _) => delimiter,
        (None, Format::Tsv) => '\t',
        (None, _) => {
            check_delimiter(&text, file)?;
            ','
        }
    };
    let delimiter = u8::try_from(delimiter)
        .map_err(|_| Error::Usage(format!("the delimiter {delimiter} is no ASCII character")))?;
    text.rewind()
        .map_err(|error| Error::file(&file.name, error))?;
    let missing = MISSING.map(regex::escape).join("|");
    let missing = regex::Regex::new(&format!(r"^\s*({missing})\s*$"))
        .map_err(|error| Error::Usage(error.to_string()))?;
    let format = reader::Format::default()
        .with_header(!source.no_header)
        .with_delimiter(delimiter)
        .with_null_regex(missing);
    let (mut schema, _) = format
        .infer_schema(text, None)
        .map_err(|error| Error::file(&file.name, one_line(&error.to_string())))?;
    if source.no_header {
        let fields = schema.fields().iter().enumerate();
        let fields: Vec<Field> = fields
            .map(|(place, field)| field.as_ref().clone().with_name(place.to_string()))
            .collect();
        schema = Schema::new(fields);
    } else {
        let trimmed = |field: &Arc<Field>| field.as_ref().clone().with_name(field.name().trim());
        schema = Schema::new(schema.fields().iter().map(trimmed).collect::<Vec<_>>());
    }
    if !source.no_header
        && schema
            .fields()
            .iter()
            .all(|field| field.name().trim().parse::<f64>().is_ok())
    {
        return Err(Error::file(
            &file.name,
            "the first line has numbers where names of columns should be; with --no-header it is a row, and columns are called 0, 1, …",
        ));
    }
    Ok(TextSchema {
        columns: Arc::new(schema),
        format,
        delimiter,
    })
}

/// Refuses a text that is one column with commas and would be several columns with another delimiter.
fn check_delimiter(text: &File, file: &Input) -> Result<(), Error> {
    match CsvFormat::new().blocks(text).err() {
        Some(SourceError::OneColumn {
            delimiter, columns, ..
        }) => {
            let shown = if delimiter == '\t' {
                "$'\\t'".to_owned()
            } else {
                format!("'{delimiter}'")
            };
            Err(Error::file(
                &file.name,
                format!(
                    "the first line has one column with commas, and would have {columns} columns with {delimiter:?}: --delimiter {shown}"
                ),
            ))
        }
        Some(error @ (SourceError::NoFeatures { .. } | SourceError::Unreadable { .. })) => {
            Err(Error::file(&file.name, error))
        }
        _ => Ok(()),
    }
}

/// The numbers of texts, if all texts are numbers, such as `NAN` and `+3`, with spaces around.
pub(super) fn numbers_of(texts: &[Option<String>]) -> Option<Vec<f64>> {
    let number = |text: &Option<String>| match text {
        Some(text) => text
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|number| !number.is_infinite()),
        None => Some(f64::NAN),
    };
    texts
        .iter()
        .any(Option::is_some)
        .then(|| texts.iter().map(number).collect())?
}
