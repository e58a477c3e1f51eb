//! Queries over files.

use super::{Input, Source, check_pages, one_line, read_file, text_schema};
use crate::{
    Error,
    tables::{Format, Table, arrow, write::batch_of},
    work,
};
use datafusion::{
    datasource::file_format::options::{ArrowReadOptions, CsvReadOptions, ParquetReadOptions},
    error::DataFusionError,
    prelude::{SessionConfig, SessionContext},
};
use std::{collections::BTreeSet, time::Duration};

/// The rows of a query over the files, each a table by its name.
pub fn read(query: &str, files: &[Input], source: &Source) -> Result<Table, Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| Error::Query(error.to_string()))?;
    let table = runtime.block_on(async {
        tokio::select! {
            table = rows(query, files, source) => table,
            () = interrupted() => Err(Error::Interrupted),
        }
    });
    // Not waiting for what reads files in the background.
    runtime.shutdown_background();
    let table = table?;
    if table.rows() == 0 {
        return Err(Error::Query("the query has no rows".to_owned()));
    }
    Ok(table)
}

async fn interrupted() {
    while work::check().is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn rows(query: &str, files: &[Input], source: &Source) -> Result<Table, Error> {
    let config = SessionConfig::new().with_target_partitions(rayon::current_num_threads());
    let context = SessionContext::new_with_config(config);
    let mut names = BTreeSet::new();
    for file in files {
        let name = register(&context, file, source).await?;
        if !names.insert(name.clone()) {
            return Err(Error::Usage(format!("two tables have the name {name}")));
        }
    }
    let told = |error: DataFusionError| match error.find_root() {
        DataFusionError::Plan(_) | DataFusionError::SchemaError(..) | DataFusionError::SQL(..) => {
            let known = names
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(", ");
            Error::Query(format!(
                "{} (tables: {known})",
                one_line(&error.strip_backtrace())
            ))
        }
        _ => Error::Query(one_line(&error.strip_backtrace())),
    };
    let frame = context.sql(query).await.map_err(told)?;
    let schema = frame.schema().as_arrow().clone();
    let batches = frame.collect().await.map_err(told)?;
    arrow::table(&schema, batches.into_iter().map(Ok))
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
    let registered = match file.format {
        Format::Csv | Format::Tsv => {
            // The same columns as without a query.
            let text = text_schema(file, source)?;
            let mut options = CsvReadOptions::new()
                .schema(&text.columns)
                .file_extension(&end);
            options.delimiter = text.delimiter;
            options.has_header = !source.no_header;
            options.null_regex = Some(super::MISSING.to_owned());
            context.register_csv(&name, &*path, options).await
        }
        Format::Parquet => {
            check_pages(file)?;
            let options = ParquetReadOptions {
                file_extension: &end,
                ..Default::default()
            };
            context.register_parquet(&name, &*path, options).await
        }
        Format::Arrow => {
            let options = ArrowReadOptions {
                file_extension: &end,
                ..Default::default()
            };
            context.register_arrow(&name, &*path, options).await
        }
        Format::Npy | Format::Libsvm => {
            let batch = batch_of(&read_file(file, source)?)?;
            context.register_batch(&name, batch).map(drop)
        }
    };
    registered.map_err(|error| Error::file(&file.name, one_line(&error.strip_backtrace())))?;
    Ok(name)
}
