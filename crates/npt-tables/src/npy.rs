//! Arrays of NumPy.

use crate::{Blocks, Column, Place, Row, Source, SourceError, value::Value};
use ndarray::Array1;
use npt_core::require_memory;
use npyz::{DType, Deserialize, NpyFile, NpyHeader, NpyReader, Order, TypeChar};
use std::{
    fmt::Display,
    io::{self, BufReader, Read},
};

/// The largest number of columns. An array with more is taken for a damaged file: each column is given a name.
const MOST_COLUMNS: u64 = 1 << 20;

/// The largest number of bytes of a header. The header of an array of numbers has about a hundred.
const LONGEST_HEADER: usize = 1 << 12;

/// [`Blocks`] of arrays as `numpy.save` writes them: of the types `f2`, `f4`, `f8`, integers and truth values, in either order of bytes.
///
/// An array in C's order is read row by row. An array in Fortran's order, such as `to_numpy` of a pandas frame returns, has its first row
/// spread over the whole file, so that all of it is in memory while it is read.
///
/// # Example
/// ```no_run
/// use npt_tables::NpyBlocks;
/// use std::fs::File;
///
/// // Features of shape (n, d) and, beside them, targets of shape (n).
/// let blocks = NpyBlocks::new([File::open("x.npy")?, File::open("y.npy")?])?;
/// for block in blocks.last_column_as_target()? {
///     println!("{} rows", block?.records.nrows());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type NpyBlocks<R, T = Array1<f64>> = Blocks<NpyRows<R>, T>;

/// One array, or several side by side with the same number of rows: matrices, and vectors as columns. The names of the
/// columns are their numbers, from 0 on.
pub struct NpyRows<R: Read> {
    arrays: Vec<Array<R>>,
    names: Vec<String>,
    rows: u64,
    /// The number of rows that were read.
    read: u64,
    /// All values of the last row.
    row: Vec<Value>,
}

struct Array<R: Read> {
    numbers: Numbers<R>,
    columns: u64,
}

impl<R: Read> NpyBlocks<R> {
    /// Reads files, or anything else that gives bytes. The reading is buffered here.
    ///
    /// # Errors
    /// [`SourceError::NoFeatures`], [`SourceError::Rows`], [`SourceError::NotNumbers`], and
    /// [`SourceError::Unreadable`] for an array of more than two dimensions or of none, for bytes that are no array, and for a matrix in Fortran's
    /// order that is cut, or takes more than [`memory_limit`](npt_core::memory_limit).
    pub fn new(files: impl IntoIterator<Item = R>) -> Result<Self, SourceError> {
        let (mut arrays, mut rows, mut names) = (Vec::new(), None, Vec::new());
        for file in files {
            let (array, found) = open(file, names.len())?;
            let expected = *rows.get_or_insert(found);
            if expected != found {
                return Err(SourceError::Rows { expected, found });
            }
            let first = names.len() as u64;
            names.extend((first..first + array.columns).map(|column| column.to_string()));
            arrays.push(array);
        }
        Self::of(NpyRows {
            arrays,
            names,
            rows: rows.unwrap_or(0),
            read: 0,
            row: Vec::new(),
        })
    }
}

/// Makes the error for an array that is refused before its first row.
fn refused(reason: &dyn Display) -> SourceError {
    SourceError::unreadable(Place::Row(0), reason)
}

/// Reads the bytes before the numbers, and checks that they may be the header of a plain array: a reader of headers must not be led into
/// deep nesting, or to sizes that no number holds.
fn read_header(file: &mut impl Read) -> Result<Vec<u8>, SourceError> {
    let read = |file: &mut dyn Read, bytes: &mut [u8]| {
        file.read_exact(bytes).map_err(|error| refused(&error))
    };
    let mut header = vec![0; 10];
    read(file, &mut header)?;
    if !header.starts_with(b"\x93NUMPY") {
        return Err(refused(&"it does not begin as an array of NumPy's"));
    }
    let mut length = usize::from(u16::from_le_bytes([header[8], header[9]]));
    if header[6] > 1 {
        // From version 2 on, the length has four bytes.
        header.resize(12, 0);
        read(file, &mut header[10..])?;
        length |= usize::from(u16::from_le_bytes([header[10], header[11]])) << 16;
    }
    if length > LONGEST_HEADER {
        return Err(refused(&format!("its header has {length} bytes")));
    }
    let start = header.len();
    header.resize(start + length, 0);
    read(file, &mut header[start..])?;
    let text = String::from_utf8_lossy(&header[start..]);
    let opened = text.matches(['(', '[', '{']).count();
    let sizes = text.split(['(', ')']).nth(1).unwrap_or_default();
    let mut product: Option<u64> = Some(8);
    for size in sizes
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty())
    {
        product = size
            .parse()
            .ok()
            .and_then(|size: u64| product?.checked_mul(size.max(1)));
    }
    if opened != 2 || product.is_none() {
        return Err(refused(&format!(
            "its header is not that of an array of numbers: {}",
            text.trim()
        )));
    }
    Ok(header)
}

/// Opens an array, beside which there are `before` columns on the left; returns it with its number of rows.
fn open<R: Read>(file: R, before: usize) -> Result<(Array<R>, u64), SourceError> {
    let mut file = BufReader::new(file);
    let header = read_header(&mut file)?;
    let header = NpyHeader::from_reader(&header[..]).map_err(|error| refused(&error))?;
    let file = NpyFile::with_header(header, file);
    let (rows, columns) = match *file.shape() {
        [rows] => (rows, 1),
        [rows, columns] => (rows, columns),
        ref other => {
            return Err(refused(&format!(
                "the array has {} dimensions",
                other.len()
            )));
        }
    };
    if columns > MOST_COLUMNS {
        return Err(refused(&format!("the array has {columns} columns")));
    }
    let dtype = file.dtype();
    let numbers = Numbers::new(file, columns)?.ok_or_else(|| SourceError::NotNumbers {
        column: before.to_string(),
        found: dtype.descr(),
    })?;
    Ok((Array { numbers, columns }, rows))
}

/// Makes `Numbers`: the values of a file one after the other, row by row.
macro_rules! numbers {
    ($($variant:ident: $number:ty, $char:ident $size:literal, $value:expr;)*) => {
        enum Numbers<R: Read> {
            $($variant(Ordered<$number, R>),)*
        }

        impl<R: Read> Numbers<R> {
            fn new(file: NpyFile<BufReader<R>>, columns: u64) -> Result<Option<Self>, SourceError> {
                let DType::Plain(plain) = file.dtype() else { return Ok(None) };
                match (plain.type_char(), plain.size_field()) {
                    $((TypeChar::$char, $size) => {
                        Ordered::new(file, columns).map(|numbers| Some(Self::$variant(numbers)))
                    })*
                    _ => Ok(None),
                }
            }

            fn next(&mut self) -> Option<io::Result<Value>> {
                match self {
                    $(Self::$variant(numbers) => Some(numbers.next()?.map($value)),)*
                }
            }
        }
    };
}

numbers! {
    F64: f64, Float 8, Value::Double;
    F32: f32, Float 4, Value::Single;
    F16: half::f16, Float 2, |v| Value::Single(v.to_f32());
    I64: i64, Int 8, Value::Signed;
    I32: i32, Int 4, |v| Value::Signed(v.into());
    I16: i16, Int 2, |v| Value::Signed(v.into());
    I8: i8, Int 1, |v| Value::Signed(v.into());
    U64: u64, Uint 8, Value::Unsigned;
    U32: u32, Uint 4, |v| Value::Unsigned(v.into());
    U16: u16, Uint 2, |v| Value::Unsigned(v.into());
    U8: u8, Uint 1, |v| Value::Unsigned(v.into());
    Bool: bool, Bool 1, Value::Truth;
}

/// The numbers of an array, row by row.
enum Ordered<T: Deserialize, R: Read> {
    /// Reads numbers that the file has row by row.
    Rows(NpyReader<T, BufReader<R>>),
    /// Holds all numbers of a file that has them column by column, and the row and column of the next one.
    Columns {
        values: Vec<T>,
        rows: usize,
        row: usize,
        column: usize,
    },
}

impl<T: Deserialize + Copy, R: Read> Ordered<T, R> {
    fn new(file: NpyFile<BufReader<R>>, columns: u64) -> Result<Self, SourceError> {
        let rows = file.shape().first().copied().unwrap_or(0);
        let is_by_column = file.order() == Order::Fortran && columns > 1 && rows > 1;
        let numbers = file.data().map_err(|error| refused(&error))?;
        if !is_by_column {
            return Ok(Self::Rows(numbers));
        }
        let too_large = |_| refused(&format!("the array has {rows} rows"));
        let (rows, columns) = (
            usize::try_from(rows).map_err(too_large)?,
            usize::try_from(columns).map_err(too_large)?,
        );
        require_memory::<T>("a table in Fortran's order", rows, columns)
            .map_err(|error| refused(&error))?;
        // Memory is taken for the numbers that are there, and not for as many as the header promises.
        let values = numbers.collect::<io::Result<Vec<T>>>();
        let values = values.map_err(|error| refused(&error))?;
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(refused(&io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        Ok(Self::Columns {
            values,
            rows,
            row: 0,
            column: 0,
        })
    }

    fn next(&mut self) -> Option<io::Result<T>> {
        match self {
            Self::Rows(numbers) => numbers.next(),
            Self::Columns {
                values,
                rows,
                row,
                column,
            } => {
                let value = values.get(*column * *rows + *row).copied().map(Ok);
                *column += 1;
                if *column * *rows == values.len() {
                    (*row, *column) = (*row + 1, 0);
                }
                value
            }
        }
    }
}

impl<R: Read> Source for NpyRows<R> {
    fn columns(&self) -> &[String] {
        &self.names
    }

    fn read_row(&mut self, columns: &[Column], row: &mut Row<'_>) -> Result<bool, SourceError> {
        if self.read == self.rows {
            return Ok(false);
        }
        let place = Place::Row(self.read);
        self.row.clear();
        for array in &mut self.arrays {
            for _ in 0..array.columns {
                let number = array
                    .numbers
                    .next()
                    .unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()));
                self.row
                    .push(number.map_err(|error| SourceError::unreadable(place, &error))?);
            }
        }
        self.read += 1;
        for column in columns {
            self.row[column.index()].write(row);
        }
        Ok(true)
    }
}
