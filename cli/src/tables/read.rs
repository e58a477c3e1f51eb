//! Files and queries as tables.

use super::{Format, Table, Values, arrow, libsvm, npy};
pub mod manifest;
pub mod sql;
mod text;

use crate::{Error, work};
use datafusion::{
    arrow::{
        array::{RecordBatch, RecordBatchReader as _},
        datatypes::SchemaRef,
        error::ArrowError,
        ipc::reader::FileReader,
    },
    parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder,
};
use npt_tables::check_parquet_pages;
use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};
use text::{numbers_of, text_schema};

/// The number of rows that are converted at once.
const ROWS: usize = 8192;

/// The tables of a command.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Source {
    /// Files or patterns of files, such as 'trips-*.parquet'; - is the standard input
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// A query over the files, each a table by its name without folder and end
    #[arg(long, value_name = "QUERY", help_heading = "Tables")]
    pub sql: Option<String>,
    /// The format of the files, where their names do not say so; csv for the standard input
    #[arg(long, help_heading = "Tables")]
    pub format: Option<Format>,
    /// The character between values of a csv file
    #[arg(long, value_name = "CHARACTER", help_heading = "Tables")]
    pub delimiter: Option<char>,
    /// The first line of csv files is a row: columns are called 0, 1, …
    #[arg(long, help_heading = "Tables")]
    pub no_header: bool,
    /// SHA-256 of the files, as sha256sum prints them: a file that has another one is refused, though it could be read
    #[arg(long, value_name = "FILE", help_heading = "Tables")]
    pub manifest: Option<PathBuf>,
}

/// Reads the rows of all files, one file after the other, or the rows of the query.
pub fn read(source: &Source) -> Result<Table, Error> {
    if source.tables.is_empty() {
        return Err(no_table());
    }
    let files = files(source)?;
    if let Some(query) = &source.sql {
        return sql::read(query, &files, source);
    }
    let mut all: Option<Table> = None;
    for file in &files {
        work::check()?;
        let table = read_file(file, source)?;
        match &mut all {
            None => all = Some(table),
            Some(all) => all.append(table)?,
        }
    }
    let table = all.unwrap_or_else(|| Table::new(Vec::new()));
    if table.rows() == 0 {
        return Err(Error::Data(format!("{}: there are no rows", table.words())));
    }
    Ok(table)
}

fn no_table() -> Error {
    Error::Usage("no table is given: name a file, or - for the standard input".to_owned())
}

/// A file, and the name that errors have for it.
pub struct Input {
    pub path: PathBuf,
    pub name: PathBuf,
    pub format: Format,
    /// The file that the standard input was written to, while it is read.
    _copy: Option<Arc<tempfile::TempPath>>,
}

/// The files that patterns and names stand for; if there is a manifest, each must have the hash that it says.
pub fn files(source: &Source) -> Result<Vec<Input>, Error> {
    let files = named_files(source)?;
    if let Some(path) = &source.manifest {
        let paths: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
        manifest::check(path, &paths)?;
    }
    Ok(files)
}

fn named_files(source: &Source) -> Result<Vec<Input>, Error> {
    let mut files = Vec::new();
    for path in paths(&source.tables)? {
        if path == Path::new("-") {
            files.push(standard_input(source.format.unwrap_or(Format::Csv))?);
            continue;
        }
        let format = source.format.map_or_else(|| Format::of(&path), Ok)?;
        files.push(Input {
            name: path.clone(),
            path,
            format,
            _copy: None,
        });
    }
    Ok(files)
}

/// The paths that patterns and names stand for, those of a pattern in alphabetical order.
pub fn paths(names: &[String]) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    for given in names {
        if !given.contains(['*', '?', '[']) || Path::new(given).exists() {
            all.push(PathBuf::from(given));
            continue;
        }
        let found = glob::glob(given).map_err(|error| Error::Usage(format!("{given}: {error}")))?;
        let found: Result<Vec<PathBuf>, _> = found.collect();
        let found = found.map_err(|error| Error::file(given, error))?;
        if found.is_empty() {
            return Err(Error::file(given, "no file has such a name"));
        }
        all.extend(found);
    }
    let mut known = BTreeSet::new();
    for path in &all {
        if !known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            return Err(Error::Usage(format!("{} is given twice", path.display())));
        }
    }
    Ok(all)
}

/// The memory in bytes that tables take while they are read and made samples; `None` for a query and for the standard input.
pub fn forecast(source: &Source) -> Result<Option<u64>, Error> {
    /// Three copies: the columns as they are read, the columns as numbers, and the matrix of the samples.
    const COPIES: u64 = 3;
    if source.sql.is_some() || source.tables.iter().any(|name| name == "-") {
        return Ok(None);
    }
    let mut numbers: u64 = 0;
    for file in named_files(source)? {
        let opened = File::open(&file.path).map_err(|error| Error::file(&file.name, error))?;
        numbers += match file.format {
            Format::Parquet => {
                let reader = ParquetRecordBatchReaderBuilder::try_new(opened);
                let reader = reader
                    .map_err(|error| Error::file(&file.name, one_line(&error.to_string())))?;
                let rows = reader.metadata().file_metadata().num_rows();
                rows.unsigned_abs() * reader.schema().fields().len() as u64
            }
            // A number is written with six characters or so.
            Format::Csv | Format::Tsv | Format::Libsvm => {
                opened.metadata().map_or(0, |file| file.len()) / 6
            }
            Format::Npy | Format::Arrow => opened.metadata().map_or(0, |file| file.len()) / 8,
        };
    }
    Ok(Some(COPIES * 8 * numbers))
}

/// Copies the standard input. Another thread waits for the input, so that Ctrl-C is seen meanwhile.
fn copy_standard_input(file: &mut impl io::Write) -> io::Result<()> {
    let (sender, receiver) = mpsc::sync_channel(4);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut bytes = vec![0; 1 << 16];
            let read = input.read(&mut bytes);
            let is_last = !matches!(read, Ok(1..));
            let sent = sender.send(read.map(|length| {
                bytes.truncate(length);
                bytes
            }));
            if is_last || sent.is_err() {
                break;
            }
        }
    });
    while work::check().is_ok() {
        match receiver.recv_timeout(Duration::from_millis(20)) {
            Ok(bytes) => file.write_all(&bytes?)?,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}

fn standard_input(format: Format) -> Result<Input, Error> {
    let name = PathBuf::from("standard input");
    let wrong = |error: io::Error| Error::file(&name, error);
    let mut file = tempfile::Builder::new()
        .suffix(&format!(".{}", format.end()))
        .tempfile()
        .map_err(wrong)?;
    copy_standard_input(&mut file).map_err(wrong)?;
    work::check()?;
    file.flush().map_err(wrong)?;
    let copy = file.into_temp_path();
    Ok(Input {
        path: copy.to_path_buf(),
        name,
        format,
        _copy: Some(Arc::new(copy)),
    })
}

/// An open file: read as a whole, or in batches of rows.
enum Opened {
    Whole(Table),
    Batches(
        SchemaRef,
        Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>,
    ),
}

fn open(file: &Input, source: &Source) -> Result<Opened, Error> {
    let wrong = |error: ArrowError| Error::file(&file.name, one_line(&error.to_string()));
    let open = || File::open(&file.path).map_err(|error| Error::file(&file.name, error));
    Ok(match file.format {
        Format::Npy => Opened::Whole(npy::read(&file.path)?),
        Format::Libsvm => Opened::Whole(libsvm::read(&file.path)?),
        Format::Csv | Format::Tsv => {
            let text = text_schema(file, source)?;
            let batches = text.batches(file)?;
            Opened::Batches(text.columns, Box::new(batches))
        }
        Format::Parquet => {
            check_pages(file)?;
            let reader = ParquetRecordBatchReaderBuilder::try_new(open()?)
                .and_then(|reader| reader.with_batch_size(ROWS).build())
                .map_err(|error| Error::file(&file.name, one_line(&error.to_string())))?;
            Opened::Batches(reader.schema(), Box::new(reader))
        }
        Format::Arrow => {
            let reader = FileReader::try_new_buffered(open()?, None).map_err(wrong)?;
            Opened::Batches(reader.schema(), Box::new(reader))
        }
    })
}

pub(super) fn read_file(file: &Input, source: &Source) -> Result<Table, Error> {
    let mut table = match open(file, source)? {
        Opened::Whole(table) => table,
        Opened::Batches(columns, batches) => table_of(&columns, batches, file)?,
    };
    if matches!(file.format, Format::Csv | Format::Tsv) {
        for column in &mut table.columns {
            if let Values::Texts(texts) = &column.values
                && let Some(numbers) = numbers_of(texts)
            {
                column.values = Values::numbers(numbers);
            }
        }
    }
    table.origins = vec![(file.name.clone(), table.rows())];
    Ok(table)
}

/// Calls `then` with one block of rows of a file after the other, so that only one block is in memory.
pub fn each_block(
    file: &Input,
    source: &Source,
    then: &mut dyn FnMut(Table) -> Result<(), Error>,
) -> Result<(), Error> {
    let (columns, batches) = match open(file, source)? {
        Opened::Whole(mut table) => {
            table.origins = vec![(file.name.clone(), table.rows())];
            return then(table);
        }
        Opened::Batches(columns, batches) => (columns, batches),
    };
    let mut first = 0;
    for batch in batches {
        let mut block = table_of(&columns, std::iter::once(batch), file)?;
        let rows = block.rows();
        block.origins = vec![(file.name.clone(), rows)];
        block.first = first;
        first += rows;
        then(block)?;
    }
    Ok(())
}

/// Refuses a file with a page that claims a larger size than it can have: a reader would allocate that size.
pub(super) fn check_pages(file: &Input) -> Result<(), Error> {
    let opened = File::open(&file.path).map_err(|error| Error::file(&file.name, error))?;
    check_parquet_pages(opened)
        .map_err(|error| Error::file(&file.name, one_line(&error.to_string())))
}

fn table_of(
    schema: &SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    file: &Input,
) -> Result<Table, Error> {
    let batches = batches.map(|batch| {
        work::check()?;
        batch.map_err(|error| Error::file(&file.name, one_line(&error.to_string())))
    });
    arrow::table(schema, batches).map_err(|error| match error {
        Error::Data(reason) => Error::file(&file.name, reason),
        other => other,
    })
}

/// The first line of a message, which may have several.
pub fn one_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().trim().to_owned()
}
