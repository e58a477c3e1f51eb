//! Tables to files and to the standard output.

use super::{Format, Table, Values};
use crate::Error;
use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray},
        csv::WriterBuilder,
        error::ArrowError,
        ipc::writer::FileWriter,
    },
    parquet::arrow::ArrowWriter,
};
use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// Writes a table to a file, in the format that its name says, or as csv to the standard output.
///
/// A file appears as a whole, or not at all.
pub fn write(table: &Table, path: Option<&Path>, format: Option<Format>) -> Result<(), Error> {
    let batch = batch_of(table)?;
    let Some(path) = path else {
        let mut out = Closing::default();
        let written = written(&batch, format.unwrap_or(Format::Csv), &mut out);
        return match written {
            Err(_) if out.is_closed => Err(Error::Closed),
            written => written.map_err(|error| Error::file("standard output", error)),
        };
    };
    let format = format.map_or_else(|| Format::of(path), Ok)?;
    if matches!(format, Format::Npy | Format::Libsvm) {
        return Err(Error::Usage(format!(
            "{}: results are written as csv, tsv, parquet or arrow",
            path.display()
        )));
    }
    whole_file(path, |file| {
        written(&batch, format, file).map_err(|error| Error::file(path, error))
    })
}

/// The standard output, which remembers whether its reader has closed it.
#[derive(Default)]
struct Closing {
    is_closed: bool,
}

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = io::stdout().write(bytes);
        self.is_closed |= written
            .as_ref()
            .is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Writes a temporary file in the same folder, which then replaces the file at `path`.
pub fn whole_file(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), Error>,
) -> Result<(), Error> {
    let wrong = |error: io::Error| Error::file(path, error);
    // A link stays a link. A path that is no file, such as a pipe, is written to directly.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path
        .metadata()
        .is_ok_and(|found| !found.is_file() && !found.is_dir())
    {
        let mut out = std::fs::OpenOptions::new()
            .write(true)
            .open(path)
            .map_err(wrong)?;
        return write(&mut out);
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // The permissions that any program gives a new file; with those of a temporary file nobody else could read it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(wrong)?;
    {
        let mut buffered = io::BufWriter::new(&mut file);
        write(&mut buffered)?;
        buffered.flush().map_err(wrong)?;
    }
    file.as_file().sync_all().map_err(wrong)?;
    file.persist(path).map_err(|error| wrong(error.error))?;
    Ok(())
}

fn written(
    batch: &RecordBatch,
    format: Format,
    out: &mut (dyn Write + Send),
) -> Result<(), ArrowError> {
    match format {
        Format::Csv | Format::Tsv => {
            let delimiter = if format == Format::Tsv { b'\t' } else { b',' };
            WriterBuilder::new()
                .with_delimiter(delimiter)
                .build(out)
                .write(batch)
        }
        Format::Arrow => {
            let mut writer = FileWriter::try_new(out, &batch.schema())?;
            writer.write(batch)?;
            writer.finish()
        }
        Format::Parquet => {
            let mut writer = ArrowWriter::try_new(out, batch.schema(), None)?;
            writer.write(batch)?;
            writer.close()?;
            Ok(())
        }
        Format::Npy | Format::Libsvm => Err(ArrowError::NotYetImplemented(
            "results are written as csv, tsv, parquet or arrow".to_owned(),
        )),
    }
}

/// The table as a record batch of Arrow. Whole numbers are written without a point.
pub fn batch_of(table: &Table) -> Result<RecordBatch, Error> {
    let array = |values: &Values| -> ArrayRef {
        match values {
            Values::Numbers { numbers, whole } => {
                let numbers = numbers
                    .iter()
                    .map(|&value| (!value.is_nan()).then_some(value));
                if *whole {
                    Arc::new(
                        numbers
                            .map(|value| value.map(|value| value as i64))
                            .collect::<Int64Array>(),
                    )
                } else {
                    Arc::new(numbers.collect::<Float64Array>())
                }
            }
            Values::Booleans(values) => Arc::new(BooleanArray::from(values.clone())),
            Values::Texts(texts) | Values::Other { texts, .. } => {
                Arc::new(StringArray::from(texts.clone()))
            }
        }
    };
    let columns = table
        .columns
        .iter()
        .map(|column| (column.name.as_str(), array(&column.values)));
    RecordBatch::try_from_iter(columns).map_err(|error| Error::Data(error.to_string()))
}
