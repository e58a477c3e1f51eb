//! Pictures of classifiers.

use super::{
    By, Chart,
    chart::{COLOURS, Layer, faded, ramp},
    coloured, target_name,
};
use crate::{
    Error,
    roles::{data_for, targets_for},
    tables::{Column, Table, Values},
};
use npt_estimator::{Label, Model, Predictions, Score, Targets};

/// The length of the smallest step of a curve, a quarter of a pixel.
const STEP: f64 = 0.0005;

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
            let mut sorted: Vec<f64> = numbers
                .iter()
                .copied()
                .filter(|value| !value.is_nan())
                .collect();
            sorted.sort_by(f64::total_cmp);
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

fn labels(model: &Model, table: &Table, by: &By) -> Result<Vec<Label>, Error> {
    match targets_for(model, table, &by.target)? {
        Targets::Labels(labels) => Ok(labels),
        _ => Err(Error::Usage(
            "this picture is of classes; residuals is that of numbers".to_owned(),
        )),
    }
}

/// The curve of a classifier of two classes, for every threshold.
pub fn roc(model: &Model, table: &Table, by: &By) -> Result<Chart, Error> {
    let truth = labels(model, table, by)?;
    let [_, second] = model.classes() else {
        return Err(Error::Usage(format!(
            "the curve is of two classes, not of {}",
            model.classes().len()
        )));
    };
    let data = data_for(model, table)?;
    let decisions = model.decision_function(&data)?;
    let above = match decisions.ncols() {
        1 => decisions.column(0).to_owned(),
        _ => &decisions.column(1) - &decisions.column(0),
    };
    let mut order: Vec<usize> = (0..truth.len()).collect();
    order.sort_by(|&a, &b| above[b].total_cmp(&above[a]));
    let positives = truth.iter().filter(|label| *label == second).count();
    let (all, others) = (
        positives.max(1) as f64,
        (truth.len() - positives).max(1) as f64,
    );
    let (mut found, mut wrong, mut points) = (0.0, 0.0, vec![(0.0, 0.0)]);
    for (k, &row) in order.iter().enumerate() {
        if truth[row] == *second {
            found += 1.0
        } else {
            wrong += 1.0
        }
        // Rows of equal values are found together, and a step that is too small to be seen is not drawn.
        let is_last = k + 1 == order.len();
        let is_step = order
            .get(k + 1)
            .is_none_or(|&next| above[next] < above[row]);
        let (x, y) = (wrong / others, found / all);
        let (before_x, before_y) = points[points.len() - 1];
        if is_last || is_step && (x - before_x) + (y - before_y) > STEP {
            points.push((x, y));
        }
    }
    let area = Score::AreaUnderCurve.of(model, &data, &truth.into())?;
    Ok(Chart {
        title: format!("{second}: area under the curve {area:.4}"),
        x: format!("share of the others taken for {second}"),
        y: format!("share of {second} found"),
        layers: vec![
            Layer::Dashes {
                points: vec![(0.0, 0.0), (1.0, 1.0)],
            },
            Layer::Line {
                name: String::new(),
                colour: COLOURS[0],
                points,
            },
        ],
        names: None,
    })
}

/// The share of each class that is taken for each class.
pub fn confusion(model: &Model, table: &Table, by: &By) -> Result<Chart, Error> {
    let truth = labels(model, table, by)?;
    let data = data_for(model, table)?;
    let predicted = model.predict(&data)?;
    let predicted = predicted
        .labels()
        .ok_or_else(|| Error::Usage("the model predicts no classes".to_owned()))?;
    let classes = model.classes();
    let place = |label: &Label| classes.iter().position(|class| class == label);
    let mut counts = vec![vec![0_usize; classes.len()]; classes.len()];
    for (truth, predicted) in truth.iter().zip(predicted) {
        match (place(truth), place(predicted)) {
            (Some(truth), Some(predicted)) => counts[truth][predicted] += 1,
            _ => {
                return Err(Error::Data(format!(
                    "{}: the model does not know the class {truth}",
                    table.words()
                )));
            }
        }
    }
    let (mut layers, mut texts) = (Vec::new(), Vec::new());
    for (row, of_class) in counts.iter().enumerate() {
        let all = of_class.iter().sum::<usize>().max(1);
        for (column, &count) in of_class.iter().enumerate() {
            let (x, y) = (column as f64, row as f64);
            let share = count as f64 / all as f64;
            layers.push(Layer::Cells {
                cells: vec![[(x - 0.5, y - 0.5), (x + 0.5, y + 0.5)]],
                // The colour is light enough to read the number on it.
                colour: faded(COLOURS[0], 0.6 * share),
            });
            if count > 0 {
                texts.push(((x, y), count.to_string()));
            }
        }
    }
    layers.push(Layer::Texts { texts });
    let right = truth.iter().zip(predicted).filter(|(a, b)| a == b).count();
    Ok(Chart {
        title: format!("{right} of {} right", truth.len()),
        x: "predicted".to_owned(),
        y: "true".to_owned(),
        layers,
        names: Some(classes.iter().map(ToString::to_string).collect()),
    })
}

/// The share of rows in which a class holds, among the rows to which the model gives about the same probability of it.
pub fn calibration(model: &Model, table: &Table, by: &By) -> Result<Chart, Error> {
    const BINS: usize = 10;
    let truth = labels(model, table, by)?;
    let probabilities = model.predict_probabilities(&data_for(model, table)?)?;
    let mut layers = vec![Layer::Dashes {
        points: vec![(0.0, 0.0), (1.0, 1.0)],
    }];
    // With two classes, the curve of the second says everything.
    let shown = if model.classes().len() == 2 { 1 } else { 0 };
    for (k, class) in model.classes().iter().enumerate().skip(shown) {
        let mut bins = vec![(0.0, 0.0, 0.0); BINS];
        for (probability, truth) in probabilities.column(k).iter().zip(&truth) {
            let bin = &mut bins[((probability * BINS as f64) as usize).min(BINS - 1)];
            *bin = (
                bin.0 + 1.0,
                bin.1 + probability,
                bin.2 + f64::from(truth == class),
            );
        }
        let points: Vec<(f64, f64)> = bins
            .iter()
            .filter(|bin| bin.0 > 0.0)
            .map(|bin| (bin.1 / bin.0, bin.2 / bin.0))
            .collect();
        layers.push(Layer::Line {
            name: class.to_string(),
            colour: COLOURS[k % COLOURS.len()],
            points: points.clone(),
        });
        layers.push(Layer::Points {
            name: String::new(),
            colour: COLOURS[k % COLOURS.len()],
            points,
        });
    }
    Ok(Chart {
        title: "calibration".to_owned(),
        x: "mean probability given".to_owned(),
        y: "share of rows in which the class holds".to_owned(),
        layers,
        names: None,
    })
}
