//! The values of files whose columns have types.

use crate::Row;

/// A value of a file whose columns have types.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    Truth(bool),
    Signed(i64),
    Unsigned(u64),
    Single(f32),
    Double(f64),
    /// The number `units`·10^−`scale`.
    #[cfg(feature = "parquet")]
    Decimal {
        units: i128,
        scale: u32,
    },
}

impl Value {
    /// Writes the value as the next one of a row; a text of it has all of its digits, and no more.
    pub(crate) fn write(self, row: &mut Row<'_>) {
        match self {
            Self::Truth(value) => row.number_as(f64::from(u8::from(value)), &value),
            Self::Signed(value) => row.integer(value),
            Self::Unsigned(value) => row.integer(value),
            // The sum gives zero no sign.
            Self::Single(value) => row.number_as(f64::from(value), &(value + 0.0)),
            Self::Double(value) => row.number(value),
            #[cfg(feature = "parquet")]
            Self::Decimal { units, scale } => {
                let text = decimal(units, scale);
                match whole(units, scale) {
                    Some(value) if !row.takes_text() => row.integer(value),
                    // A parser of texts finds the nearest number.
                    _ => row.number_as(text.parse().unwrap_or(f64::NAN), &text),
                }
            }
        }
    }
}

/// Returns the number, if it is whole.
#[cfg(feature = "parquet")]
fn whole(units: i128, scale: u32) -> Option<i128> {
    match 10_i128.checked_pow(scale) {
        Some(unit) => (units % unit == 0).then_some(units / unit),
        None => (units == 0).then_some(0),
    }
}

/// The text of the number, with `scale` digits behind the point.
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
