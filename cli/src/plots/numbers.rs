//! Pictures of regressions.

use super::{
    By, Chart,
    chart::{COLOURS, Layer},
};
use crate::{
    Error,
    roles::{data_for, targets_for},
    tables::Table,
};
use npt_estimator::{Model, Predictions, Targets};

/// Targets less predictions, over the predictions.
pub fn residuals(model: &Model, table: &Table, by: &By) -> Result<Chart, Error> {
    let Targets::Numbers(truth) = targets_for(model, table, &by.target)? else {
        return Err(Error::Usage(
            "residuals are of numbers; confusion is the picture of classes".to_owned(),
        ));
    };
    let Predictions::Numbers(predicted) = model.predict(&data_for(model, table)?)? else {
        return Err(Error::Usage("the model predicts no numbers".to_owned()));
    };
    let points: Vec<(f64, f64)> = predicted
        .column(0)
        .iter()
        .zip(truth.column(0))
        .map(|(p, t)| (*p, t - p))
        .collect();
    let ends = points
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |ends, at| {
            (ends.0.min(at.0), ends.1.max(at.0))
        });
    let square = points.iter().map(|at| at.1 * at.1).sum::<f64>() / points.len() as f64;
    Ok(Chart {
        title: format!("residuals, root mean square {:.4}", square.sqrt()),
        x: "prediction".to_owned(),
        y: "target less prediction".to_owned(),
        layers: vec![
            Layer::Points {
                name: String::new(),
                colour: COLOURS[0],
                points,
            },
            Layer::Dashes {
                points: vec![(ends.0, 0.0), (ends.1, 0.0)],
            },
        ],
        names: None,
    })
}
