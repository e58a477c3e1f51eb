//! The values of typed files.

use crate::Row;

/// A value of a file that says what type it has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    Truth(bool),
    Signed(i64),
    Unsigned(u64),
    Single(f32),
    Double(f64),
    /// So many units of 10 to the power of −`scale`.
    #[cfg(feature = "parquet")]
    Decimal {
        units: i128,
        scale: u32,
    },
}

impl Value {
    /// Writes it as the next value of a row: as a text with all of its digits, and no more.
    pub(crate) fn write(self, row: &mut Row<'_>) {
        match self {
            Self::Truth(value) => row.number_as(f64::from(u8::from(value)), &value),
            Self::Signed(value) => row.integer(value),
            Self::Unsigned(value) => row.integer(value),
            // So that zero has no sign.
            Self::Single(value) => row.number_as(f64::from(value), &(value + 0.0)),
            Self::Double(value) => row.number(value),
            #[cfg(feature = "parquet")]
            Self::Decimal { units, scale } => {
                let text = decimal(units, scale);
                match whole(units, scale) {
                    Some(value) if !row.takes_text() => row.integer(value),
                    // The nearest number, as a parser of texts finds it.
                    _ => row.number_as(text.parse().unwrap_or(f64::NAN), &text),
                }
            }
        }
    }
}

/// The number, if it is whole.
#[cfg(feature = "parquet")]
fn whole(units: i128, scale: u32) -> Option<i128> {
    match 10_i128.checked_pow(scale) {
        Some(unit) => (units % unit == 0).then_some(units / unit),
        None => (units == 0).then_some(0),
    }
}

/// The number as one writes it, with `scale` digits behind the point.
#[cfg(feature = "parquet")]
fn decimal(units: i128, scale: u32) -> String {
    let scale = scale as usize;
    let digits = format!("{:0>1$}", units.unsigned_abs(), scale + 1);
    let (before, behind) = digits.split_at(digits.len() - scale);
    let mut text = String::with_capacity(digits.len() + 2);
    if units < 0 {
        text.push('-');
    }
    text.push_str(before);
    if !behind.is_empty() {
        text.push('.');
        text.push_str(behind);
    }
    text
}
