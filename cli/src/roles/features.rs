//! Columns as features, and as weights.

use crate::{
    Error,
    tables::{Column, Table, Values},
};
use npt_core::wording::count;
use npt_estimator::{Categories, Data, Model};
use std::collections::BTreeSet;

/// The fewest rows of a category on the average; texts with fewer rows each are names of rows.
const ROWS_OF_CATEGORY: usize = 2;

/// The values of a feature, and whether they are categories.
pub(super) fn feature(
    table: &Table,
    column: &Column,
    is_category: bool,
) -> Result<(npt_estimator::Column, bool), Error> {
    let name = &column.name;
    match &column.values {
        Values::Numbers { numbers, .. } if !is_category => Ok((numbers.clone().into(), false)),
        Values::Booleans(values) if !is_category => {
            let numbers = values.iter().map(|value| value.map_or(f64::NAN, f64::from));
            Ok((numbers.collect::<Vec<f64>>().into(), false))
        }
        Values::Texts(texts) if !is_category => {
            check_categories(table, name, texts)?;
            Ok((texts.clone().into(), true))
        }
        Values::Other { kind, .. } => Err(Error::Data(format!(
            "{}: the column {name} has {kind}, which are no feature; leave it out by --ignore {name}, or make numbers or texts of it by --sql",
            table.words()
        ))),
        values => {
            let missing: BTreeSet<usize> = values.missing().into_iter().collect();
            let text = |row: usize| (!missing.contains(&row)).then(|| values.text(row));
            let texts: Vec<Option<String>> = (0..values.len()).map(text).collect();
            Ok((texts.into(), true))
        }
    }
}

/// Refuses texts of which more than half are numbers, and texts that are names of rows.
fn check_categories(table: &Table, name: &str, texts: &[Option<String>]) -> Result<(), Error> {
    let is_number = |text: &String| text.trim().parse::<f64>().is_ok();
    let given = texts.iter().flatten().count();
    let numbers = texts
        .iter()
        .flatten()
        .filter(|text| is_number(text))
        .count();
    if 2 * numbers > given
        && let Some(row) = texts
            .iter()
            .position(|text| text.as_ref().is_some_and(|text| !is_number(text)))
    {
        let text = texts[row].as_deref().unwrap_or_default();
        return Err(Error::Data(format!(
            "{}: {text:?} in the column {name} is no number, as {numbers} of {given} values are; --categorical {name} takes all for categories",
            table.place(row)
        )));
    }
    let distinct = texts.iter().flatten().collect::<BTreeSet<_>>().len();
    if distinct > 1 && distinct * ROWS_OF_CATEGORY > given {
        return Err(Error::Data(format!(
            "{}: the column {name} has {distinct} different texts in {}: they name rows and are no categories; --ignore {name} leaves it out, --categorical {name} takes it all the same",
            table.words(),
            count(given, "row")
        )));
    }
    Ok(())
}

pub fn weights(table: &Table, column: &Column) -> Result<Vec<f32>, Error> {
    let Values::Numbers { numbers, .. } = &column.values else {
        let (name, kind) = (&column.name, column.values.kind());
        return Err(Error::Data(format!(
            "{}: the column {name} has {kind}, and weights are numbers",
            table.words()
        )));
    };
    match numbers
        .iter()
        .position(|&weight| !(weight >= 0.0 && weight.is_finite()))
    {
        Some(row) => Err(Error::Data(format!(
            "{}: the weight is {}; it must be finite and at least 0",
            table.place(row),
            numbers[row]
        ))),
        None => Ok(numbers.iter().map(|&weight| weight as f32).collect()),
    }
}

/// The columns of a table that a model takes, in its order.
pub fn data_for(model: &Model, table: &Table) -> Result<Data, Error> {
    if model.columns().is_empty() {
        let columns = table
            .columns
            .iter()
            .filter(|column| !model.target_names().contains(&column.name));
        let columns =
            columns.map(|column| Ok((column.name.clone(), feature(table, column, false)?.0)));
        return Ok(Data::from_columns(
            columns.collect::<Result<Vec<_>, Error>>()?,
        )?);
    }
    let takes_gaps = model.estimator().takes_missing_values();
    for name in model.columns().iter().filter(|_| !takes_gaps) {
        if let Some(&row) = table.column(name)?.values.missing().first() {
            return Err(Error::Data(format!(
                "{}: there is no value in the column {name}; a model that is fitted with --missing mean takes such rows",
                table.place(row)
            )));
        }
    }
    named_data(model.columns(), model.categories(), table)
}

/// The columns of these names, as categories if the model has categories for them.
pub fn named_data(names: &[String], categories: &Categories, table: &Table) -> Result<Data, Error> {
    let mut columns = Vec::with_capacity(names.len());
    for name in names {
        let column = table.column(name)?;
        let is_category = categories.of(name).is_some();
        let values = match &column.values {
            Values::Texts(texts) if is_category => texts.clone().into(),
            Values::Texts(texts) => {
                let is_number = |text: &String| text.trim().parse::<f64>().is_ok();
                let row = texts
                    .iter()
                    .position(|text| text.as_ref().is_some_and(|text| !is_number(text)));
                let row = row.unwrap_or(0);
                return Err(Error::Data(format!(
                    "{}: {:?} in the column {name}, of which the model takes numbers",
                    table.place(row),
                    texts[row].as_deref().unwrap_or_default()
                )));
            }
            _ => feature(table, column, is_category)?.0,
        };
        columns.push((name.clone(), values));
    }
    Ok(Data::from_columns(columns)?)
}
