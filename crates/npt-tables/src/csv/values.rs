//! The meaning of the fields of a record.

use super::{
    CsvFormat,
    records::{Field, Records},
};
use crate::{Column, Row};
use std::{borrow::Cow, io::Read};

impl CsvFormat {
    /// Returns the text of a field, without the quotes around it and with doubled quotes made single; none if the bytes are not in the encoding.
    pub(super) fn text<'t, R: Read>(
        &self,
        records: &'t Records<R>,
        field: Field,
    ) -> Option<Cow<'t, str>> {
        let text = self.encoding.decode(records.bytes(field))?;
        Some(if field.has_quotes {
            text.replace("\"\"", "\"").into()
        } else {
            text
        })
    }

    /// Writes a field to a row.
    pub(super) fn give<R: Read>(
        &self,
        records: &Records<R>,
        field: Field,
        column: Column,
        row: &mut Row<'_>,
    ) {
        let Some(text) = self.text(records, field) else {
            return row.not_in_encoding(records.bytes(field), self.encoding.name());
        };
        let value = text.trim();
        if (!field.is_quoted || self.missing_in_quotes) && self.is_missing(value) {
            row.missing_as(value);
        } else if column.is_text() {
            // A text in quotes is literal, with its spaces.
            row.text(if field.is_quoted { &text } else { value });
        } else if let Some(truth) = truth(value) {
            row.number(truth);
        } else if self.decimal_comma && value.contains(['.', ',']) {
            let number = value.replace(',', ".").parse().ok();
            let is_number = |number: &f64| number.is_finite() && !value.contains('.');
            match number.filter(is_number) {
                Some(number) => row.number(number),
                None => row.neither(value),
            }
        } else {
            row.text(value);
        }
    }

    fn is_missing(&self, value: &str) -> bool {
        let mut texts = self.missing.iter();
        texts.any(|text| text.eq_ignore_ascii_case(value))
    }
}

/// The number of a truth value, the same as in a Parquet file.
fn truth(value: &str) -> Option<f64> {
    if value.eq_ignore_ascii_case("true") {
        Some(1.0)
    } else if value.eq_ignore_ascii_case("false") {
        Some(0.0)
    } else {
        None
    }
}
