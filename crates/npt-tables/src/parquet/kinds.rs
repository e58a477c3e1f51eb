//! The kinds of columns of a Parquet file.

use parquet::{
    basic::{ConvertedType, LogicalType, Type},
    schema::types::ColumnDescriptor,
};

/// The largest number of digits that 128 bits hold of any decimal number.
const MOST_DIGITS: i32 = 38;

/// Returns whether the values of a column are single numbers.
pub(super) fn is_of_numbers(column: &ColumnDescriptor) -> bool {
    let plain = matches!(
        column.physical_type(),
        Type::BOOLEAN | Type::INT32 | Type::INT64 | Type::FLOAT | Type::DOUBLE
    );
    let is_one = match column.logical_type_ref() {
        Some(LogicalType::Integer(_)) => plain,
        Some(LogicalType::Float16) => column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY,
        Some(_) => is_decimal(column),
        None if column.converted_type() == ConvertedType::NONE => plain,
        None => plain && is_integer(column.converted_type()) || is_decimal(column),
    };
    column.max_rep_level() == 0 && is_one
}

/// Returns whether the values of a column are decimal numbers, with no more digits than are read.
pub(super) fn is_decimal(column: &ColumnDescriptor) -> bool {
    let means_one = match column.logical_type_ref() {
        Some(meaning) => matches!(meaning, LogicalType::Decimal(_)),
        None => column.converted_type() == ConvertedType::DECIMAL,
    };
    let is_stored_as_one = !matches!(
        column.physical_type(),
        Type::BOOLEAN | Type::FLOAT | Type::DOUBLE | Type::INT96
    );
    let digits = column.type_precision();
    let is_within = digits <= MOST_DIGITS && (0..=digits).contains(&column.type_scale());
    means_one && is_stored_as_one && is_within
}

/// Returns whether the values of a column are single texts.
pub(super) fn is_of_texts(column: &ColumnDescriptor) -> bool {
    let means_text = match column.logical_type_ref() {
        Some(meaning) => matches!(meaning, LogicalType::String | LogicalType::Enum),
        None => matches!(
            column.converted_type(),
            ConvertedType::UTF8 | ConvertedType::ENUM
        ),
    };
    column.max_rep_level() == 0 && column.physical_type() == Type::BYTE_ARRAY && means_text
}

/// Describes the values of a column, for an error.
pub(super) fn kind(column: &ColumnDescriptor) -> String {
    let meaning = match column.logical_type_ref() {
        Some(meaning) => format!(" ({meaning:?})"),
        None if column.converted_type() == ConvertedType::NONE => String::new(),
        None => format!(" ({})", column.converted_type()),
    };
    let repeated = if column.max_rep_level() > 0 {
        "lists of "
    } else {
        ""
    };
    format!("{repeated}{}{meaning}", column.physical_type())
}

fn is_integer(converted: ConvertedType) -> bool {
    use ConvertedType as T;
    let signed = [T::INT_8, T::INT_16, T::INT_32, T::INT_64];
    let unsigned = [T::UINT_8, T::UINT_16, T::UINT_32, T::UINT_64];
    signed.contains(&converted) || unsigned.contains(&converted)
}

/// Returns whether the values of a column are whole numbers without sign.
pub(super) fn is_unsigned(column: &ColumnDescriptor) -> bool {
    use ConvertedType as T;
    let unsigned = [T::UINT_8, T::UINT_16, T::UINT_32, T::UINT_64];
    match column.logical_type_ref() {
        Some(LogicalType::Integer(kind)) => !kind.is_signed,
        _ => unsigned.contains(&column.converted_type()),
    }
}
