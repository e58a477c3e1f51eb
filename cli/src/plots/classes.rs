//! Pictures of classifiers.

use super::{
    By, Chart,
    chart::{COLOURS, Layer, faded},
};
use crate::{
    Error,
    roles::{data_for, targets_for},
    tables::Table,
};
use npt_estimator::{Label, Model, Score, Targets};

/// The length of the smallest step of a curve, a quarter of a pixel.
const STEP: f64 = 0.0005;

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
