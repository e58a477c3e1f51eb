//! Queries over files.

use super::{
    Input, Source, check_pages, no_table, one_line, read_file,
    text::{MISSING, TextSchema, numbers_of, text_schema},
};
use crate::{
    Error,
    tables::{Format, Table, arrow, write::batch_of},
    work,
};
use datafusion::{
    arrow::{
        array::AsArray as _,
        datatypes::{DataType, Field, Schema},
    },
    datasource::file_format::options::{ArrowReadOptions, CsvReadOptions, ParquetReadOptions},
    error::DataFusionError,
    functions::expr_fn::btrim,
    logical_expr::{Expr, cast, ident, lit, when},
    prelude::{DataFrame, SessionConfig, SessionContext},
    scalar::ScalarValue,
};
use npt_core::wording::count;
use npt_datafusion::{Functions, words_of_type};
use std::{collections::BTreeSet, time::Duration};

/// The rows of a query over the files, each a table by its name.
pub fn read(query: &str, files: &[Input], source: &Source) -> Result<Table, Error> {
    let table = wait(async {
        let context = here(&Functions::of_files())?;
        collect(queried(&context, query, files, source).await?).await
    })?;
    if table.rows() == 0 {
        return Err(Error::Query("the query has no rows".to_owned()));
    }
    Ok(table)
}

/// Waits for work of DataFusion to end, or for Ctrl-C.
pub fn wait<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| Error::Query(error.to_string()))?;
    let done = runtime.block_on(async {
        tokio::select! {
            done = work => done,
            () = interrupted() => Err(Error::Interrupted),
        }
    });
    // This does not wait for tasks that read files in the background.
    runtime.shutdown_background();
    done
}

async fn interrupted() {
    while work::check().is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A session of DataFusion in this process with these functions, on as many threads as the program has.
pub fn here(functions: &Functions) -> Result<SessionContext, Error> {
    let config = SessionConfig::new().with_target_partitions(rayon::current_num_threads());
    let mut context = SessionContext::new_with_config(config);
    functions
        .register(&mut context)
        .map_err(|error| fault(&error))?;
    Ok(context)
}

/// The rows of the query, or of all files. They are not read yet.
pub async fn rows(context: &SessionContext, source: &Source) -> Result<DataFrame, Error> {
    let files = super::files(source)?;
    if let Some(query) = &source.sql {
        return queried(context, query, &files, source).await;
    }
    let mut frames = Vec::with_capacity(files.len());
    for file in &files {
        frames.push((file, frame_of(context, file, source).await?));
    }
    let schema = |frame: &DataFrame| frame.schema().as_arrow().clone();
    let is_first = |(file, frame): &(&Input, DataFrame)| {
        file.format == Format::Parquet && schema(frame) == schema(&frames[0].1)
    };
    if frames.iter().all(is_first) && !frames.is_empty() {
        return parquet(context, &files).await;
    }
    union(frames)
}

/// The rows of all files. Columns are found by name; each file must have the same columns, of the same kinds.
fn union(frames: Vec<(&Input, DataFrame)>) -> Result<DataFrame, Error> {
    let kind = |kind: &DataType| {
        if kind.is_numeric() || kind.is_null() {
            "numbers".to_owned()
        } else {
            words_of_type(kind)
        }
    };
    let (first, frame) = frames.first().ok_or_else(no_table)?;
    let fields = frame.schema().as_arrow().fields().clone();
    let mut as_doubles = BTreeSet::new();
    for (file, frame) in &frames {
        let (here, there) = (first.name.display(), file.name.display());
        let others = frame.schema().as_arrow();
        if others.fields().len() != fields.len() {
            let (a, b) = (
                count(fields.len(), "column"),
                count(others.fields().len(), "column"),
            );
            return Err(Error::Data(format!("{here} has {a}, {there} has {b}")));
        }
        for field in &fields {
            let name = field.name();
            let Ok(other) = others.field_with_name(name) else {
                return Err(Error::Data(format!(
                    "{there} has no column {name}, which {here} has"
                )));
            };
            let (one, other) = (field.data_type(), other.data_type());
            if kind(one) != kind(other) {
                return Err(Error::Data(format!(
                    "the column {name} has {} in {here}, and {} in {there}",
                    kind(one),
                    kind(other)
                )));
            }
            if one != other && kind(one) == "numbers" {
                as_doubles.insert(name.clone());
            }
        }
    }
    let mut all: Option<DataFrame> = None;
    for (file, frame) in frames {
        let columns = fields.iter().map(|field| {
            let name = field.name();
            if as_doubles.contains(name) {
                cast(ident(name), DataType::Float64).alias(name)
            } else {
                ident(name)
            }
        });
        let frame = frame.select(columns.collect::<Vec<_>>());
        let frame = frame.and_then(|frame| match all.take() {
            Some(all) => all.union(frame),
            None => Ok(frame),
        });
        all = Some(frame.map_err(|error| told(file, &error))?);
    }
    all.ok_or_else(no_table)
}

async fn queried(
    context: &SessionContext,
    query: &str,
    files: &[Input],
    source: &Source,
) -> Result<DataFrame, Error> {
    let mut names = BTreeSet::new();
    for file in files {
        let name = name_of(file);
        if !names.insert(name.clone()) {
            return Err(Error::Usage(format!("two tables have the name {name}")));
        }
        let view = frame_of(context, file, source).await?.into_view();
        context
            .register_table(&name, view)
            .map_err(|error| told(file, &error))?;
    }
    let known = || names.iter().cloned().collect::<Vec<_>>().join(", ");
    context
        .sql(query)
        .await
        .map_err(|error| match error.find_root() {
            DataFusionError::Plan(_)
            | DataFusionError::SchemaError(..)
            | DataFusionError::SQL(..) => Error::Query(format!(
                "{} (tables: {})",
                one_line(&error.strip_backtrace()),
                known()
            )),
            _ => fault(&error),
        })
}

/// The rows of a query as a table.
pub async fn collect(frame: DataFrame) -> Result<Table, Error> {
    let schema = frame.schema().as_arrow().clone();
    let batches = frame.collect().await.map_err(|error| fault(&error))?;
    arrow::table(&schema, batches.into_iter().map(Ok))
}

/// An error of DataFusion. An error of one of npt's functions is told in its own words.
pub fn fault(error: &DataFusionError) -> Error {
    if let DataFusionError::External(own) = error.find_root() {
        return Error::Query(one_line(&own.to_string()));
    }
    Error::Query(one_line(&error.strip_backtrace()))
}

/// The name of a file as a table: without folder and end, and with `_` for letters that a name in SQL cannot have.
fn name_of(file: &Input) -> String {
    let stem = file.name.file_stem().unwrap_or_default().to_string_lossy();
    let letter = |letter: char| {
        if letter.is_alphanumeric() {
            letter.to_ascii_lowercase()
        } else {
            '_'
        }
    };
    match &*stem {
        "standard input" => "stdin".to_owned(),
        stem => stem.chars().map(letter).collect(),
    }
}

/// The rows of a file, which no query has read yet.
async fn frame_of(
    context: &SessionContext,
    file: &Input,
    source: &Source,
) -> Result<DataFrame, Error> {
    let (path, end) = located(file)?;
    let frame = match file.format {
        Format::Csv | Format::Tsv => {
            // The columns are the same as without a query.
            let text = text_schema(file, source)?;
            let fields = text.columns.fields().iter();
            let as_texts = Schema::new(
                fields
                    .map(|field| Field::new(field.name(), DataType::Utf8, true))
                    .collect::<Vec<_>>(),
            );
            let mut options = CsvReadOptions::new().schema(&as_texts).file_extension(&end);
            options.delimiter = text.delimiter;
            options.has_header = !source.no_header;
            let frame = context.read_csv(path, options).await;
            let numbers = numbers_in_texts(file, &text)?;
            let columns = text.columns.fields().iter().enumerate();
            let columns = columns.map(|(place, field)| {
                let kind = if numbers.contains(&place) {
                    &DataType::Float64
                } else {
                    field.data_type()
                };
                of_text(field.name(), kind)
            });
            let columns = columns.collect::<datafusion::error::Result<Vec<_>>>();
            frame.and_then(|frame| frame.select(columns?))
        }
        Format::Parquet => {
            check_pages(file)?;
            return parquet(context, std::slice::from_ref(file)).await;
        }
        Format::Arrow => {
            let options = ArrowReadOptions {
                file_extension: &end,
                ..Default::default()
            };
            context.read_arrow(path, options).await
        }
        Format::Npy | Format::Libsvm => context.read_batch(batch_of(&read_file(file, source)?)?),
    };
    frame.map_err(|error| told(file, &error))
}

/// Converts a column of text to its type here, as DataFusion's reader takes empty values alone for missing.
fn of_text(name: &str, kind: &DataType) -> datafusion::error::Result<Expr> {
    let trimmed = btrim(vec![ident(name)]);
    let missing = MISSING.iter().map(|text| lit(*text)).collect();
    let value = if *kind == DataType::Utf8 {
        ident(name)
    } else {
        cast(trimmed.clone(), kind.clone())
    };
    let mut whole = when(
        trimmed.in_list(missing, false),
        lit(ScalarValue::try_from(kind)?),
    );
    Ok(whole.otherwise(value)?.alias(name))
}

/// The places of the columns of texts in which all texts are numbers, such as `+3`.
fn numbers_in_texts(file: &Input, text: &TextSchema) -> Result<BTreeSet<usize>, Error> {
    let fields = text.columns.fields().iter().enumerate();
    let texts = fields.filter(|(_, field)| *field.data_type() == DataType::Utf8);
    let mut places: BTreeSet<usize> = texts.map(|(place, _)| place).collect();
    if places.is_empty() {
        return Ok(places);
    }
    for batch in text.batches(file)? {
        let batch = batch.map_err(|error| Error::file(&file.name, one_line(&error.to_string())))?;
        let is_number = |place: &usize| {
            let column = batch.column(*place).as_string::<i32>().iter();
            let texts: Vec<Option<String>> = column.map(|text| text.map(str::to_owned)).collect();
            texts.iter().all(Option::is_none) || numbers_of(&texts).is_some()
        };
        places.retain(is_number);
        if places.is_empty() {
            break;
        }
    }
    Ok(places)
}

/// The rows of Parquet files whose pages were checked. The files are divided among threads as if they were one.
async fn parquet(context: &SessionContext, files: &[Input]) -> Result<DataFrame, Error> {
    let mut paths = Vec::with_capacity(files.len());
    let mut ends = BTreeSet::new();
    for file in files {
        let (path, end) = located(file)?;
        paths.push(path);
        ends.insert(end);
    }
    let options = ParquetReadOptions {
        // An end is set only if all files have it: files with another end would be passed over.
        file_extension: match &ends.iter().collect::<Vec<_>>()[..] {
            [end] => end,
            _ => "",
        },
        ..Default::default()
    };
    let frame = context.read_parquet(paths, options).await;
    frame.map_err(|error| told(&files[0], &error))
}

/// The path of a file, and how it ends.
fn located(file: &Input) -> Result<(String, String), Error> {
    let path = file.path.to_string_lossy();
    // DataFusion would take such a path for a pattern, and read other files.
    if path.contains(['*', '?', '[']) {
        return Err(Error::Usage(format!(
            "{path}: a query takes no file with *, ? or [ in its name"
        )));
    }
    let end = file
        .path
        .extension()
        .map_or(String::new(), |end| format!(".{}", end.to_string_lossy()));
    Ok((path.into_owned(), end))
}

fn told(file: &Input, error: &DataFusionError) -> Error {
    Error::file(&file.name, one_line(&error.strip_backtrace()))
}
