//! Columns as targets: numbers or classes.

use super::Roles;
use crate::{
    Error,
    tables::{Column, Table, Values},
    talk::Talk,
};
use npt_estimator::{Label, Model, TargetKind, Targets};

pub(super) fn targets(
    table: &Table,
    roles: &Roles,
    takes: Option<TargetKind>,
) -> Result<Targets, Error> {
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

/// The targets of a table, of the kind that the model was fitted to. Each class must be one that the model knows.
pub fn targets_for(model: &Model, table: &Table, named: &[String]) -> Result<Targets, Error> {
    let targets = targets_of_its_kind(model, table, named)?;
    match unknown_classes(model, &targets).first() {
        Some(&(row, label)) => Err(unknown_class(model, table, row, label)),
        None => Ok(targets),
    }
}

/// The targets of a table for a score, of the kind that the model was fitted to. Some may be of classes that the model
/// does not know, which no prediction meets. If all are, the table has other classes, and is refused.
pub fn targets_for_score(
    model: &Model,
    table: &Table,
    named: &[String],
    talk: &Talk,
) -> Result<Targets, Error> {
    let targets = targets_of_its_kind(model, table, named)?;
    let unknown = unknown_classes(model, &targets);
    if let Some(&(row, label)) = unknown.first() {
        let error = unknown_class(model, table, row, label);
        if unknown.len() == table.rows() {
            return Err(error);
        }
        let rows = unknown.len();
        talk.say(format!(
            "{error}; rows of such classes, which count as wrong: {rows}"
        ));
    }
    Ok(targets)
}

/// The rows whose classes the model does not know, with these.
fn unknown_classes<'a>(model: &Model, targets: &'a Targets) -> Vec<(usize, &'a Label)> {
    let Targets::Labels(labels) = targets else {
        return Vec::new();
    };
    let rows = labels.iter().enumerate();
    rows.filter(|(_, label)| !model.classes().contains(label))
        .collect()
}

fn unknown_class(model: &Model, table: &Table, row: usize, label: &Label) -> Error {
    let classes: Vec<String> = model.classes().iter().map(ToString::to_string).collect();
    Error::Data(format!(
        "{}: the model does not know the class {label}; it knows {}",
        table.place(row),
        classes.join(", ")
    ))
}

fn targets_of_its_kind(model: &Model, table: &Table, named: &[String]) -> Result<Targets, Error> {
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
    named_targets(names, takes, table)
}

/// The targets in these columns, of the kind `takes`; one class is enough.
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
