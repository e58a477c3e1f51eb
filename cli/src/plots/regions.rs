//! The predictions of a model over the plane of two features.

use super::{
    By, Chart,
    chart::{COLOURS, Layer, faded, ramp},
    coloured, sorted, target_name,
};
use crate::{
    Error,
    roles::data_for,
    tables::{Column, Table, Values},
};
use npt_estimator::{Label, Model, Predictions};

/// The number of cells along a side of the plane.
const CELLS: usize = 80;

/// The predictions over the plane of two features.
pub fn regions(model: &Model, table: &Table, by: &By) -> Result<Chart, Error> {
    let names: Vec<String> = match (by.features.as_slice(), model.columns()) {
        ([], [a, b]) => vec![a.clone(), b.clone()],
        ([a, b], _) => vec![a.clone(), b.clone()],
        (_, columns) => {
            return Err(Error::Usage(format!(
                "regions are over two features, which --features names, of {}",
                columns.join(", ")
            )));
        }
    };
    let values = |name: &String| match &table.column(name)?.values {
        Values::Numbers { numbers, .. } => Ok(numbers.clone()),
        other => Err(Error::Data(format!(
            "{}: the column {name} has {}, and regions are over numbers",
            table.words(),
            other.kind()
        ))),
    };
    let (x, y) = (values(&names[0])?, values(&names[1])?);
    let ends = |values: &[f64]| {
        let (low, high) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |ends, &value| {
                (ends.0.min(value), ends.1.max(value))
            });
        let room = 0.05 * (high - low).max(f64::MIN_POSITIVE);
        (low - room, high + room)
    };
    let (of_x, of_y) = (ends(&x), ends(&y));
    let at = |ends: (f64, f64), cell: f64| ends.0 + (ends.1 - ends.0) * cell / CELLS as f64;
    let places: Vec<(usize, usize)> = (0..CELLS)
        .flat_map(|i| (0..CELLS).map(move |j| (i, j)))
        .collect();
    let plane = |column: &Column| -> Result<Column, Error> {
        let values = if column.name == names[0] {
            Values::computed(places.iter().map(|place| at(of_x, place.0 as f64 + 0.5)))
        } else if column.name == names[1] {
            Values::computed(places.iter().map(|place| at(of_y, place.1 as f64 + 0.5)))
        } else {
            usual(&column.values, places.len())
        };
        Ok(Column {
            name: column.name.clone(),
            values,
        })
    };
    let used = model
        .columns()
        .iter()
        .map(|name| plane(table.column(name)?));
    let plane = Table::new(used.collect::<Result<Vec<_>, _>>()?);
    let predicted = model.predict(&data_for(model, &plane)?)?;
    let cell = |k: usize| {
        let (i, j) = (places[k].0 as f64, places[k].1 as f64);
        [
            (at(of_x, i), at(of_y, j)),
            (at(of_x, i + 1.0), at(of_y, j + 1.0)),
        ]
    };
    let mut layers = areas(&predicted, model.classes(), &cell)?;
    let points: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
    let target = target_name(model, by).and_then(|name| table.column(name).ok());
    layers.extend(coloured(
        &points,
        target.map(|column| &column.values),
        model.classes(),
    ));
    Ok(Chart {
        title: model.estimator().to_string(),
        x: names[0].clone(),
        y: names[1].clone(),
        layers,
        names: None,
    })
}

/// Cells, each in a light colour of the prediction there.
fn areas(
    predicted: &Predictions,
    classes: &[Label],
    cell: &dyn Fn(usize) -> [(f64, f64); 2],
) -> Result<Vec<Layer>, Error> {
    let layer = |colour, of: &dyn Fn(usize) -> bool, count: usize| Layer::Cells {
        cells: (0..count).filter(|&k| of(k)).map(cell).collect(),
        colour: faded(colour, 0.25),
    };
    let colour = |k: usize| COLOURS[k.min(COLOURS.len() - 1)];
    Ok(match predicted {
        Predictions::Labels(labels) => {
            let of_class = |(k, class): (usize, &Label)| {
                layer(colour(k), &|cell| labels[cell] == *class, labels.len())
            };
            classes.iter().enumerate().map(of_class).collect()
        }
        Predictions::Clusters(clusters) => {
            let most = clusters.iter().max().map_or(0, |most| most + 1);
            (0..most)
                .map(|k| layer(colour(k), &|cell| clusters[cell] == k, clusters.len()))
                .collect()
        }
        Predictions::Novel(novel) => [false, true]
            .iter()
            .map(|side| {
                layer(
                    colour(usize::from(*side)),
                    &|cell| novel[cell] == *side,
                    novel.len(),
                )
            })
            .collect(),
        Predictions::Numbers(numbers) => {
            const STEPS: usize = 12;
            let values = numbers.column(0);
            let (low, high) = values
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |ends, &value| {
                    (ends.0.min(value), ends.1.max(value))
                });
            let step = |value: f64| {
                (((value - low) / (high - low).max(f64::MIN_POSITIVE) * STEPS as f64) as usize)
                    .min(STEPS - 1)
            };
            (0..STEPS)
                .map(|k| {
                    layer(
                        ramp(k as f64 / (STEPS - 1) as f64),
                        &|cell| step(values[cell]) == k,
                        values.len(),
                    )
                })
                .collect()
        }
        _ => {
            return Err(Error::Usage(
                "the model predicts nothing that has regions".to_owned(),
            ));
        }
    })
}

/// A column of `count` copies of the usual value: the median of numbers, the most frequent text.
fn usual(values: &Values, count: usize) -> Values {
    match values {
        Values::Numbers { numbers, .. } => {
            let sorted = sorted(numbers);
            let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
            Values::computed(vec![median; count])
        }
        Values::Booleans(values) => {
            let yes = values.iter().flatten().filter(|&&value| value).count();
            Values::Booleans(vec![Some(2 * yes > values.len()); count])
        }
        Values::Texts(texts) => {
            let mut counts = std::collections::BTreeMap::new();
            for text in texts.iter().flatten() {
                *counts.entry(text).or_insert(0) += 1;
            }
            let most = counts
                .into_iter()
                .max_by_key(|(_, count)| *count)
                .map(|(text, _)| text.clone());
            Values::Texts(vec![most; count])
        }
        Values::Other { kind, .. } => Values::Other {
            kind: kind.clone(),
            texts: vec![None; count],
        },
    }
}
