//! Queries over files.

use super::{Input, Source, check_pages, no_table, one_line, read_file, text_schema};
use crate::{
    Error,
    tables::{Format, Table, arrow, write::batch_of},
    work,
};
use datafusion::{
    datasource::file_format::options::{ArrowReadOptions, CsvReadOptions, ParquetReadOptions},
    error::DataFusionError,
    prelude::{DataFrame, SessionConfig, SessionContext},
};
use npt_datafusion::Functions;
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

/// Waits for what DataFusion does, or for Ctrl-C.
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
    // Not waiting for what reads files in the background.
    runtime.shutdown_background();
    done
}

async fn interrupted() {
    while work::check().is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// DataFusion in this process, on as many threads as there are for all else, with these functions.
pub fn here(functions: &Functions) -> Result<SessionContext, Error> {
    let config = SessionConfig::new().with_target_partitions(rayon::current_num_threads());
    let mut context = SessionContext::new_with_config(config);
    functions
        .register(&mut context)
        .map_err(|error| fault(&error))?;
    Ok(context)
}

/// The rows of the query, or of all files, which are not read yet.
pub async fn rows(context: &SessionContext, source: &Source) -> Result<DataFrame, Error> {
    let files = super::files(source)?;
    if let Some(query) = &source.sql {
        return queried(context, query, &files, source).await;
    }
    if files.iter().all(|file| file.format == Format::Parquet) && !files.is_empty() {
        return parquet(context, &files).await;
    }
    let mut all: Option<DataFrame> = None;
    for file in &files {
        let frame = frame_of(context, file, source).await?;
        all = Some(match all {
            Some(all) => all
                .union_by_name(frame)
                .map_err(|error| told(file, &error))?,
            None => frame,
        });
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
        let name = register(context, file, source).await?;
        if !names.insert(name.clone()) {
            return Err(Error::Usage(format!("two tables have the name {name}")));
        }
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

/// An error of DataFusion; those of functions are told in their own words.
pub fn fault(error: &DataFusionError) -> Error {
    if let DataFusionError::External(own) = error.find_root() {
        return Error::Query(one_line(&own.to_string()));
    }
    Error::Query(one_line(&error.strip_backtrace()))
}

/// Registers a file under its name without folder and end; letters that a name in SQL cannot have become `_`.
async fn register(
    context: &SessionContext,
    file: &Input,
    source: &Source,
) -> Result<String, Error> {
    let stem = file.name.file_stem().unwrap_or_default().to_string_lossy();
    let letter = |letter: char| {
        if letter.is_alphanumeric() {
            letter.to_ascii_lowercase()
        } else {
            '_'
        }
    };
    let name: String = match &*stem {
        "standard input" => "stdin".to_owned(),
        stem => stem.chars().map(letter).collect(),
    };
    let view = frame_of(context, file, source).await?.into_view();
    context
        .register_table(&name, view)
        .map_err(|error| told(file, &error))?;
    Ok(name)
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
            // The same columns as without a query.
            let text = text_schema(file, source)?;
            let mut options = CsvReadOptions::new()
                .schema(&text.columns)
                .file_extension(&end);
            options.delimiter = text.delimiter;
            options.has_header = !source.no_header;
            options.null_regex = Some(super::MISSING.to_owned());
            context.read_csv(path, options).await
        }
        Format::Parquet => return parquet(context, std::slice::from_ref(file)).await,
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

/// The rows of Parquet files, which are divided among threads as one.
async fn parquet(context: &SessionContext, files: &[Input]) -> Result<DataFrame, Error> {
    let mut paths = Vec::with_capacity(files.len());
    let mut ends = BTreeSet::new();
    for file in files {
        check_pages(file)?;
        let (path, end) = located(file)?;
        paths.push(path);
        ends.insert(end);
    }
    let options = ParquetReadOptions {
        // Of one end alone: files of others would be passed over.
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
    // DataFusion would take it for a pattern, and read other files.
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
