//! What the columns of a table are: features, targets, weights.

use crate::{
    Error,
    tables::{Column, Table, Values},
};
use npt_core::wording::count;
use npt_estimator::{Categories, Data, Label, Model, TargetKind, Targets};
use std::collections::{BTreeMap, BTreeSet};

/// A category has at least so many rows on the average, or the texts are names of rows.
const ROWS_OF_CATEGORY: usize = 2;

/// What columns are taken for.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Columns")]
pub struct Roles {
    /// The columns to be predicted: of texts, true and false they are classes, of numbers numbers
    #[arg(short, long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub target: Vec<String>,
    /// Take the whole numbers of the target for classes
    #[arg(long, conflicts_with = "numbers")]
    pub classes: bool,
    /// Take the target for numbers; true is 1
    #[arg(long)]
    pub numbers: bool,
    /// A column of weights: 2 is a row twice
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// Columns to leave out
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Columns of numbers that are names of categories
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub categorical: Vec<String>,
    /// What is done with a feature that is missing
    #[arg(long, value_enum, default_value = "error")]
    pub missing: Missing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Missing {
    /// It is an error.
    #[default]
    Error,
    /// The mean of its column stands in its place, of categories the most frequent one.
    Mean,
    /// Its row is left out.
    Drop,
}

/// Samples of a table, as an estimator takes them.
pub struct Samples {
    pub data: Data,
    pub targets: Targets,
    pub target_names: Vec<String>,
    /// `true` where a feature is missing and its column's mean is to stand in its place.
    pub has_missing: bool,
    pub has_categories: bool,
    /// The rows that were left out.
    pub dropped: usize,
}

impl Samples {
    /// The samples of a table for a method that takes such targets, if that is known.
    pub fn of(table: &Table, roles: &Roles, takes: Option<TargetKind>) -> Result<Self, Error> {
        let named = roles
            .target
            .iter()
            .chain(&roles.weights)
            .chain(&roles.ignore)
            .chain(&roles.categorical);
        for name in named {
            table.column(name)?;
        }
        let is_used = |name: &String| {
            roles.target.contains(name)
                || roles.weights.as_ref() == Some(name)
                || roles.ignore.contains(name)
        };
        let features: Vec<&Column> = table
            .columns
            .iter()
            .filter(|column| !is_used(&column.name))
            .collect();
        let others = roles
            .target
            .iter()
            .chain(&roles.weights)
            .map(|name| table.column(name));
        let others = others.collect::<Result<Vec<_>, _>>()?;
        if features.is_empty() {
            return Err(Error::Data(format!(
                "{}: there is no feature besides the target",
                table.words()
            )));
        }
        let mut missing = BTreeMap::new();
        for column in features.iter().copied().chain(others.iter().copied()) {
            for row in column.values.missing() {
                missing.entry(row).or_insert(column);
            }
        }
        let is_feature =
            |column: &Column| features.iter().any(|feature| feature.name == column.name);
        let refused = missing.iter().find(|(_, column)| match roles.missing {
            Missing::Error => true,
            Missing::Mean => !is_feature(column),
            Missing::Drop => false,
        });
        if let Some((&row, column)) = refused {
            let instead = if is_feature(column) {
                "--missing mean puts the mean of the column there, --missing drop leaves the row out"
            } else {
                "--missing drop leaves the row out"
            };
            return Err(Error::Data(format!(
                "{}: there is no value in the column {}; {instead}",
                table.place(row),
                column.name
            )));
        }
        if roles.missing == Missing::Drop && !missing.is_empty() {
            let rows: Vec<usize> = (0..table.rows())
                .filter(|row| !missing.contains_key(row))
                .collect();
            if rows.is_empty() {
                return Err(Error::Data(format!(
                    "{}: no row has a value in each column",
                    table.words()
                )));
            }
            let roles = Roles {
                missing: Missing::Error,
                ..roles.clone()
            };
            let kept = table.select(&rows);
            return Ok(Self {
                dropped: missing.len(),
                ..Self::of(&kept, &roles, takes)?
            });
        }
        let mut columns = Vec::with_capacity(features.len());
        let mut has_categories = false;
        for &column in &features {
            let is_category = roles.categorical.contains(&column.name);
            let (values, of_categories) = feature(table, column, is_category)?;
            has_categories |= of_categories;
            columns.push((column.name.clone(), values));
        }
        let wrong =
            |error: npt_estimator::Error| Error::Data(format!("{}: {error}", table.words()));
        let mut data = Data::from_columns(columns).map_err(wrong)?;
        if let Some(name) = &roles.weights {
            data = data.with_weights(weights(table, table.column(name)?)?);
        }
        Ok(Self {
            data,
            targets: targets(table, roles, takes)?,
            target_names: roles.target.clone(),
            has_missing: roles.missing == Missing::Mean || !missing.is_empty(),
            has_categories,
            dropped: 0,
        })
    }
}

/// The values of a feature, and whether they are categories.
fn feature(
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

/// Refuses texts that are numbers but for a few, or that are names of rows.
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

fn targets(table: &Table, roles: &Roles, takes: Option<TargetKind>) -> Result<Targets, Error> {
    let columns = roles
        .target
        .iter()
        .map(|name| table.column(name))
        .collect::<Result<Vec<_>, _>>()?;
    let takes_labels = takes == Some(TargetKind::Labels);
    let [column] = columns.as_slice() else {
        if columns.is_empty() {
            return Ok(Targets::None);
        }
        let numbers = columns
            .iter()
            .map(|column| target_numbers(table, column))
            .collect::<Result<Vec<_>, _>>()?;
        let rows = table.rows();
        let matrix =
            ndarray::Array2::from_shape_fn((rows, numbers.len()), |(row, k)| numbers[k][row]);
        return Ok(matrix.into());
    };
    let are_classes = match &column.values {
        Values::Numbers { .. } => roles.classes || takes_labels,
        Values::Booleans(_) => {
            !roles.numbers && takes.is_none_or(|kind| kind == TargetKind::Labels)
        }
        Values::Texts(_) | Values::Other { .. } => true,
    };
    if are_classes && roles.numbers {
        return Err(Error::Data(format!(
            "{}: the target {} has {}, and {} are to be fitted, not numbers",
            table.words(),
            column.name,
            column.values.kind(),
            if takes_labels { "classes" } else { "texts" }
        )));
    }
    if !are_classes {
        return Ok(ndarray::Array1::from(target_numbers(table, column)?).into());
    }
    let labels = labels(table, column)?;
    require_two_classes(table, &column.name, &labels)?;
    Ok(labels.into())
}

fn require_two_classes(table: &Table, name: &str, labels: &[Label]) -> Result<(), Error> {
    if let Some(first) = labels.first()
        && labels.iter().all(|label| label == first)
    {
        return Err(Error::Data(format!(
            "{}: the target {name} has one class, {first}; it takes two or more",
            table.words()
        )));
    }
    Ok(())
}

fn target_numbers(table: &Table, column: &Column) -> Result<Vec<f64>, Error> {
    match &column.values {
        Values::Numbers { numbers, .. } => Ok(numbers.clone()),
        Values::Booleans(values) => Ok(values
            .iter()
            .map(|value| value.map_or(f64::NAN, f64::from))
            .collect()),
        values => Err(Error::Data(format!(
            "{}: the target {} has {}, and numbers are wanted",
            table.words(),
            column.name,
            values.kind()
        ))),
    }
}

fn labels(table: &Table, column: &Column) -> Result<Vec<Label>, Error> {
    let name = &column.name;
    let labels: Vec<Label> = match &column.values {
        Values::Numbers {
            numbers,
            whole: true,
        } => numbers
            .iter()
            .map(|&value| Label::Integer(value as i64))
            .collect(),
        Values::Booleans(values) => values
            .iter()
            .flatten()
            .map(|&value| Label::Bool(value))
            .collect(),
        Values::Texts(texts) => texts
            .iter()
            .flatten()
            .map(|text| Label::Text(text.clone()))
            .collect(),
        Values::Numbers { numbers, .. } => {
            let row = numbers
                .iter()
                .position(|value| value.fract() != 0.0)
                .unwrap_or(0);
            return Err(Error::Data(format!(
                "{}: {} in the target {name} is no class; classes are texts, true and false, or whole numbers",
                table.place(row),
                numbers[row]
            )));
        }
        Values::Other { kind, .. } => {
            return Err(Error::Data(format!(
                "{}: the target {name} has {kind}; it takes numbers or classes",
                table.words()
            )));
        }
    };
    Ok(labels)
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
    let estimator = model.estimator().to_string();
    let takes_gaps = ["imputer", "robust_kpca"]
        .iter()
        .any(|name| estimator.contains(name));
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

/// The columns of these names, as categories where they have some.
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

/// The targets of a table that a model was fitted to the like of, for a score.
pub fn targets_for(model: &Model, table: &Table, named: &[String]) -> Result<Targets, Error> {
    let names = if named.is_empty() {
        model.target_names()
    } else {
        named
    };
    if names.is_empty() {
        return Err(Error::Usage(
            "the model does not name its target; -t names the column".to_owned(),
        ));
    }
    let takes = if model.classes().is_empty() {
        TargetKind::Numbers
    } else {
        TargetKind::Labels
    };
    let targets = named_targets(names, takes, table)?;
    let unknown = match &targets {
        Targets::Labels(labels) => labels
            .iter()
            .position(|label| !model.classes().contains(label)),
        _ => None,
    };
    if let (Some(row), Targets::Labels(labels)) = (unknown, &targets) {
        let classes: Vec<String> = model.classes().iter().map(ToString::to_string).collect();
        return Err(Error::Data(format!(
            "{}: the model does not know the class {}; it knows {}",
            table.place(row),
            labels[row],
            classes.join(", ")
        )));
    }
    Ok(targets)
}

/// The targets of these columns for what takes such targets; one class is enough.
pub fn named_targets(names: &[String], takes: TargetKind, table: &Table) -> Result<Targets, Error> {
    for name in names {
        let column = table.column(name)?;
        if let Some(&row) = column.values.missing().first() {
            return Err(Error::Data(format!(
                "{}: there is no value in the column {name}",
                table.place(row)
            )));
        }
    }
    if let ([name], TargetKind::Labels) = (names, takes) {
        return Ok(labels(table, table.column(name)?)?.into());
    }
    let roles = Roles {
        target: names.to_vec(),
        ..Roles::default()
    };
    targets(table, &roles, Some(takes))
}
