//! Pictures of the choice of a model, and of the gain by more samples.

use super::{
    By, Chart,
    chart::{COLOURS, Layer},
};
use crate::{
    Error,
    choice::score_of,
    roles::{data_for, targets_for},
    tables::{Table, some_rows},
    work,
};
use ndarray::Array1;
use npt_estimator::{Model, Score, Targets};
use npt_methods::model_selection::Folds;
use std::collections::{BTreeMap, BTreeSet};

/// The ratio of the largest value of a parameter to the smallest above which values are drawn by their logarithms.
const SPAN: f64 = 20.0;

/// The shares of the training samples at which a learning curve is drawn.
const SHARES: [f64; 6] = [0.05, 0.1, 0.2, 0.4, 0.7, 1.0];

/// The most rows of a learning curve, which takes some thirty fits.
const ROWS: usize = 4000;

const FOLDS: usize = 5;

/// The scores of the candidates over the parameter that has the most values; a line for each combination of values of the others.
pub fn path(model: &Model) -> Result<Chart, Error> {
    let alone = || {
        Error::Usage(
            "the model was not chosen among several values of a parameter; npt fit and npt cv -o keep those that they compared"
                .to_owned(),
        )
    };
    let selection = model.selection().ok_or_else(alone)?;
    let candidates = selection.candidates.iter();
    let candidates: Vec<Candidate> = candidates
        .map(|(text, mean, deviation)| Candidate::new(text, *mean, *deviation))
        .collect();
    // Only candidates of the form of the best candidate are drawn.
    let form = &candidates.first().ok_or_else(alone)?.form;
    let alike: Vec<&Candidate> = candidates.iter().filter(|c| c.form == *form).collect();
    let distinct = |k: usize| {
        let values = alike
            .iter()
            .map(|candidate| candidate.values[k].1.to_bits());
        values.collect::<BTreeSet<_>>().len()
    };
    let parameters = 0..alike[0].values.len();
    let along = parameters
        .max_by_key(|&k| distinct(k))
        .filter(|&k| distinct(k) > 1);
    let along = along.ok_or_else(alone)?;
    let at = |candidate: &Candidate| candidate.values[along].1;
    let (low, high) = alike
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |ends, candidate| {
            (ends.0.min(at(candidate)), ends.1.max(at(candidate)))
        });
    let is_log = low > 0.0 && high / low > SPAN;
    let place = |candidate: &Candidate| {
        if is_log {
            at(candidate).log10()
        } else {
            at(candidate)
        }
    };
    let mut lines: BTreeMap<String, Vec<&Candidate>> = BTreeMap::new();
    for &candidate in &alike {
        let others = (0..candidate.values.len()).filter(|&k| k != along && distinct(k) > 1);
        let name = others.map(|k| format!("{} = {}", candidate.values[k].0, candidate.values[k].1));
        lines
            .entry(name.collect::<Vec<_>>().join(", "))
            .or_default()
            .push(candidate);
    }
    let is_loss = selection.score.is_loss();
    let worth = |line: &[&Candidate]| {
        let means = line.iter().map(|c| if is_loss { -c.mean } else { c.mean });
        means.fold(f64::NEG_INFINITY, f64::max)
    };
    let mut lines: Vec<(String, Vec<&Candidate>)> = lines.into_iter().collect();
    lines.sort_by(|a, b| worth(&b.1).total_cmp(&worth(&a.1)));
    let left_out = lines.len().saturating_sub(COLOURS.len());
    let mut layers = Vec::new();
    for ((name, mut line), colour) in lines.into_iter().zip(COLOURS) {
        line.sort_by(|a, b| place(a).total_cmp(&place(b)));
        let points: Vec<(f64, f64)> = line.iter().map(|c| (place(c), c.mean)).collect();
        if layers.is_empty() {
            layers.extend(line.iter().map(|c| Layer::Dashes {
                points: vec![
                    (place(c), c.mean - c.deviation),
                    (place(c), c.mean + c.deviation),
                ],
            }));
        }
        layers.push(Layer::Line {
            name,
            colour,
            points: points.clone(),
        });
        layers.push(Layer::Points {
            name: String::new(),
            colour,
            points,
        });
    }
    let name = &alike[0].values[along].0;
    Ok(Chart {
        title: format!(
            "{} by {} folds of {} rows{}",
            selection.score,
            selection.folds,
            selection.samples,
            match left_out {
                0 => String::new(),
                others => format!(", without {others} of the lines"),
            }
        ),
        x: if is_log {
            format!("{name}, log₁₀")
        } else {
            name.clone()
        },
        y: format!(
            "{}, ± its deviation over the folds for the best line",
            selection.score
        ),
        layers,
        names: None,
    })
}

/// A candidate: its text without the numbers, and the numbers with the names of their parameters.
struct Candidate {
    form: String,
    values: Vec<(String, f64)>,
    mean: f64,
    deviation: f64,
}

impl Candidate {
    fn new(text: &str, mean: f64, deviation: f64) -> Self {
        let (mut form, mut values) = (String::new(), Vec::new());
        let mut rest = text;
        while let Some(equals) = rest.find(" = ") {
            let (head, tail) = rest.split_at(equals + 3);
            let end = tail.find([',', ')']).unwrap_or(tail.len());
            form.push_str(head);
            match tail[..end].parse() {
                Ok(value) => {
                    let name = head.trim_end_matches(" = ");
                    let name = name.rsplit(['(', ' ']).next().unwrap_or_default();
                    values.push((name.to_owned(), value));
                }
                Err(_) => form.push_str(&tail[..end]),
            }
            rest = &tail[end..];
        }
        form.push_str(rest);
        Self {
            form,
            values,
            mean,
            deviation,
        }
    }
}

/// The scores of fits to more and more of the rows: on the rows of the fit, and on other rows.
pub fn learning(model: &Model, table: &Table, by: &By) -> Result<Chart, Error> {
    let targets = targets_for(model, table, &by.target)?;
    let data = data_for(model, table)?;
    let score = score_of(&targets)?;
    let rows = some_rows(data.len(), ROWS, 0);
    let (data, targets) = (data.rows(&rows), targets.rows(&rows));
    let folds = match &targets {
        Targets::Labels(labels) => Folds::stratified(&Array1::from(labels.clone()), FOLDS, 0),
        _ => Folds::k(data.len(), FOLDS, 0),
    };
    let folds = folds.map_err(|error| Error::Estimator(error.into()))?;
    let mut curves = [Vec::new(), Vec::new()];
    let mut last = String::new();
    for share in SHARES {
        let mut sums = [0.0; 2];
        let mut fits = 0.0;
        let mut size = 0;
        for fold in 0..folds.len() {
            work::check()?;
            let (training, held_out) = folds.split(fold);
            size = ((training.len() as f64 * share).round() as usize).max(1);
            // The training rows are in the order of the table, so they are drawn at random.
            let some = some_rows(training.len(), size, fold as u64);
            let some: Vec<usize> = some.into_iter().map(|k| training[k]).collect();
            let scores = of_fit(model, score, &data, &targets, [&some, held_out]);
            // A fit to few rows may fail, as they may have one class alone.
            match scores {
                Ok(scores) => {
                    sums[0] += scores[0];
                    sums[1] += scores[1];
                    fits += 1.0;
                }
                Err(error) => last = error.to_string(),
            }
        }
        if fits > 0.0 {
            for (curve, sum) in curves.iter_mut().zip(sums) {
                curve.push((size as f64, sum / fits));
            }
        }
    }
    if curves[0].is_empty() {
        return Err(Error::Data(format!(
            "{}: no part of these rows can be fitted to: {last}",
            table.words()
        )));
    }
    let names = ["rows of the fit", "other rows"];
    let lines = names.into_iter().zip(curves).zip([COLOURS[1], COLOURS[0]]);
    let layers = lines.flat_map(|((name, points), colour)| {
        [
            Layer::Line {
                name: name.to_owned(),
                colour,
                points: points.clone(),
            },
            Layer::Points {
                name: String::new(),
                colour,
                points,
            },
        ]
    });
    Ok(Chart {
        title: format!("{score} by {FOLDS} folds of {} rows", data.len()),
        x: "rows that are fitted to".to_owned(),
        y: score.to_string(),
        layers: layers.collect(),
        names: None,
    })
}

/// The scores of a fit to some rows, on these rows and on others.
fn of_fit(
    model: &Model,
    score: Score,
    data: &npt_estimator::Data,
    targets: &Targets,
    [some, others]: [&[usize]; 2],
) -> Result<[f64; 2], npt_estimator::Error> {
    let (x, y) = (data.rows(some), targets.rows(some));
    let fitted = model.estimator().fit(&x, y.clone())?;
    let held_out = score.of(&fitted, &data.rows(others), &targets.rows(others))?;
    Ok([score.of(&fitted, &x, &y)?, held_out])
}
