//! `npt inspect`

use super::load;
use crate::{
    Error, Outcome,
    tables::{self, Column, Source, Table, Values},
    talk::Talk,
};
use npt_core::{
    memory_limit,
    wording::{bytes, count},
};
use npt_estimator::{Learned, Model};
use std::path::Path;

/// Says what a model or a table holds
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt inspect magic.npt
  npt inspect trips-*.parquet")]
pub struct Inspect {
    /// The file of a model, x.npt; or tables
    #[command(flatten)]
    source: Source,
}

impl Inspect {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        match self.source.tables.as_slice() {
            [path] if Path::new(path).extension().is_some_and(|end| end == "npt") => {
                of_model(&load(Path::new(path))?, talk)?
            }
            _ => of_table(&tables::read(&self.source)?, talk)?,
        }
        Ok(Outcome::Done)
    }
}

fn of_model(model: &Model, talk: &Talk) -> Result<(), Error> {
    let learned = model.learned();
    if talk.json {
        let numbers = learned.iter().filter_map(|(name, value)| match value {
            Learned::Number(number) => Some((name.to_string(), serde_json::json!(number))),
            Learned::Positions(positions) => Some((name.to_string(), positions.len().into())),
            Learned::Numbers(numbers) => Some((name.to_string(), numbers.to_vec().into())),
            _ => None,
        });
        let texts = |labels: &[npt_estimator::Label]| {
            labels.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        return talk.print(serde_json::json!({
            "estimator": model.estimator(), "columns": model.columns(), "targets": model.target_names(),
            "classes": texts(model.classes()),
            "answers": model.abilities().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "learned": numbers.collect::<serde_json::Map<_, _>>(),
        }));
    }
    talk.print(model)?;
    for (name, value) in learned {
        let name = name.replace('_', " ");
        match value {
            Learned::Number(number) => talk.print(format!("{name:13} {number}"))?,
            Learned::Positions(positions) => {
                talk.print(format!("{name:13} {}", count(positions.len(), "sample")))?
            }
            Learned::Matrix(matrix) => {
                talk.print(format!("{name:13} {} × {}", matrix.nrows(), matrix.ncols()))?
            }
            _ => {}
        }
    }
    Ok(())
}

fn of_table(table: &Table, talk: &Talk) -> Result<(), Error> {
    let rows = table.rows();
    let kernel_matrix = 8 * (rows as u64) * (rows as u64);
    if talk.json {
        let column = |column: &Column| {
            serde_json::json!({
                "name": column.name, "kind": column.values.kind(), "missing": column.values.missing().len(),
            })
        };
        let columns: Vec<_> = table.columns.iter().map(column).collect();
        return talk.print(serde_json::json!({ "rows": rows, "columns": columns, "kernel_matrix_bytes": kernel_matrix }));
    }
    let width = table
        .names()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    talk.print(format!("{}: {}", table.words(), count(rows, "row")))?;
    for column in &table.columns {
        let missing = column.values.missing().len();
        let missing = if missing == 0 {
            String::new()
        } else {
            format!(", {missing} missing")
        };
        talk.print(format!(
            "  {:width$}  {}{missing}{}",
            column.name,
            column.values.kind(),
            range(&column.values)
        ))?;
    }
    let allowed = memory_limit().map_or(String::new(), |allowed| {
        format!(", of {} that there are", bytes(allowed))
    });
    talk.print(format!(
        "a kernel matrix of all rows takes {}{allowed}",
        bytes(kernel_matrix)
    ))
}

/// The smallest and the largest number, or the first texts.
fn range(values: &Values) -> String {
    match values {
        Values::Numbers { numbers, .. } => {
            let given = numbers.iter().copied().filter(|value| !value.is_nan());
            let ends = given.fold(None, |ends: Option<(f64, f64)>, value| {
                Some(ends.map_or((value, value), |(low, high)| {
                    (low.min(value), high.max(value))
                }))
            });
            ends.map_or(String::new(), |(low, high)| format!(", {low} to {high}"))
        }
        Values::Texts(texts) => {
            let distinct: std::collections::BTreeSet<&String> = texts.iter().flatten().collect();
            let some: Vec<&str> = distinct.iter().take(5).map(|text| text.as_str()).collect();
            let more = if distinct.len() > 5 { ", …" } else { "" };
            format!(": {}{more}", some.join(", "))
        }
        _ => String::new(),
    }
}
