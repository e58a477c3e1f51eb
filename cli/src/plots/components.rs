//! Pictures of components.

use super::{
    By, Chart,
    chart::{COLOURS, Layer},
    coloured, target_name,
};
use crate::{Error, roles::data_for, tables::Table};
use npt_estimator::{Learned, Model};

/// The share of the variance along each component.
pub fn scree(model: &Model) -> Result<Chart, Error> {
    let learned = model.learned();
    let eigenvalues = learned.iter().find_map(|(name, value)| match value {
        Learned::Numbers(numbers) if *name == "eigenvalues" => Some(numbers),
        _ => None,
    });
    let eigenvalues = eigenvalues.ok_or_else(|| {
        Error::Usage(format!(
            "{} has no eigenvalues; kpca and coordinates have",
            model.estimator()
        ))
    })?;
    let total: f64 = eigenvalues.sum();
    let mut sum = 0.0;
    let (mut each, mut all) = (Vec::new(), Vec::new());
    for (k, value) in eigenvalues.iter().enumerate() {
        sum += value;
        let at = (k + 1) as f64;
        each.push([(at - 0.4, 0.0), (at + 0.4, value / total)]);
        all.push((at, sum / total));
    }
    Ok(Chart {
        title: format!("{} components", eigenvalues.len()),
        x: "component".to_owned(),
        y: "share of the variance in these components".to_owned(),
        layers: vec![
            Layer::Cells {
                cells: each,
                colour: COLOURS[5],
            },
            Layer::Line {
                name: "up to here".to_owned(),
                colour: COLOURS[0],
                points: all.clone(),
            },
            Layer::Points {
                name: String::new(),
                colour: COLOURS[0],
                points: all,
            },
        ],
        names: None,
    })
}

/// The first two components of rows, in the colours of a column.
pub fn scores(model: &Model, table: &Table, by: &By) -> Result<Chart, Error> {
    let components = model.transform(&data_for(model, table)?)?;
    let second = |row: usize| {
        if components.ncols() > 1 {
            components[[row, 1]]
        } else {
            0.0
        }
    };
    let points: Vec<(f64, f64)> = (0..components.nrows())
        .map(|row| (components[[row, 0]], second(row)))
        .collect();
    let name = target_name(model, by);
    let column = match name {
        Some(name) => Some(&table.column(name)?.values),
        None => None,
    };
    Ok(Chart {
        title: name.map_or_else(
            || "components".to_owned(),
            |name| format!("components by {name}"),
        ),
        x: "component 1".to_owned(),
        y: if components.ncols() > 1 {
            "component 2".to_owned()
        } else {
            String::new()
        },
        layers: coloured(&points, column, &[]),
        names: None,
    })
}
