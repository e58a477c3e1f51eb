//! Pictures of models, and of their answers about tables.

mod chart;
mod choice;
mod classes;
mod components;
mod numbers;
mod regions;

use crate::{
    Error,
    tables::{Table, Values},
};
pub use chart::Chart;
use chart::{COLOURS, Layer};
use npt_estimator::{Label, Model};

/// The kind of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// The first two components of the rows, coloured by a column.
    Scores,
    /// Predictions over the plane of two features, and the rows.
    Regions,
    /// The share of the variance along each component.
    Scree,
    /// Targets less predictions, over the predictions.
    Residuals,
    /// The share of one class that is found, over the share of the other that is taken for it.
    Roc,
    /// The rows of each class, by the class that they are taken for.
    Confusion,
    /// The share of rows in which a class holds, over the probability that it is given.
    Calibration,
    /// The scores of the candidates that the model was chosen among, over a parameter.
    Path,
    /// The score on other rows, over the number of rows that are fitted to.
    Learning,
}

impl Kind {
    /// Returns whether the picture needs rows, beside the model.
    pub fn needs_table(self) -> bool {
        !matches!(self, Self::Scree | Self::Path)
    }
}

/// Draws the picture of a model, with the rows of a table if the picture needs rows.
pub fn chart(kind: Kind, model: &Model, table: Option<&Table>, by: &By) -> Result<Chart, Error> {
    let rows =
        || table.ok_or_else(|| Error::Usage("this picture is of rows: name a table".to_owned()));
    match kind {
        Kind::Scree => components::scree(model),
        Kind::Scores => components::scores(model, rows()?, by),
        Kind::Regions => regions::regions(model, rows()?, by),
        Kind::Residuals => numbers::residuals(model, rows()?, by),
        Kind::Roc => classes::roc(model, rows()?, by),
        Kind::Confusion => classes::confusion(model, rows()?, by),
        Kind::Calibration => classes::calibration(model, rows()?, by),
        Kind::Path => choice::path(model),
        Kind::Learning => choice::learning(model, rows()?, by),
    }
}

/// The columns that a picture is of.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Columns")]
pub struct By {
    /// The target, where the model does not name it; of scores the column that colours them
    #[arg(short, long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub target: Vec<String>,
    /// The two features of regions; all others have their median there
    #[arg(long, value_name = "COLUMN,COLUMN", value_delimiter = ',')]
    pub features: Vec<String>,
}

/// Points in the colours of the values of a column. There is one layer a value, for classes in the order of the classes; or there are five
/// layers of numbers, from small to large.
fn coloured(points: &[(f64, f64)], column: Option<&Values>, classes: &[Label]) -> Vec<Layer> {
    const STEPS: usize = 5;
    let layer = |name: String, colour, of: &dyn Fn(usize) -> bool| Layer::Points {
        name,
        colour,
        points: (0..points.len())
            .filter(|&row| of(row))
            .map(|row| points[row])
            .collect(),
    };
    let Some(values) = column else {
        return vec![layer(String::new(), COLOURS[0], &|_| true)];
    };
    if let Values::Numbers { numbers, whole } = values
        && !(*whole && distinct(values).len() <= COLOURS.len())
    {
        let sorted = sorted(numbers);
        let bound = |k: usize| {
            sorted
                .get(k * sorted.len() / STEPS)
                .copied()
                .unwrap_or(f64::INFINITY)
        };
        let in_step =
            |k: usize, value: f64| value >= bound(k) && (k + 1 == STEPS || value < bound(k + 1));
        let step = |k: usize| {
            let name = format!("from {:.3}", bound(k));
            layer(name, chart::ramp(k as f64 / (STEPS - 1) as f64), &|row| {
                in_step(k, numbers[row])
            })
        };
        return (0..STEPS).map(step).collect();
    }
    let texts = if classes.is_empty() {
        distinct(values)
    } else {
        classes.iter().map(ToString::to_string).collect()
    };
    let of_text = |(k, text): (usize, &String)| {
        let colour = COLOURS[k.min(COLOURS.len() - 1)];
        layer(text.clone(), colour, &|row| values.text(row) == *text)
    };
    texts.iter().enumerate().map(of_text).collect()
}

/// The values of a column as they are printed, each once, in order.
fn distinct(values: &Values) -> Vec<String> {
    let mut texts: Vec<String> = (0..values.len()).map(|row| values.text(row)).collect();
    texts.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    });
    texts.dedup();
    texts
}

/// Numbers in ascending order, without those that are missing.
fn sorted(numbers: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = numbers
        .iter()
        .copied()
        .filter(|value| !value.is_nan())
        .collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The name of the target, from the arguments or from the model.
fn target_name<'a>(model: &'a Model, by: &'a By) -> Option<&'a String> {
    by.target.first().or(model.target_names().first())
}
