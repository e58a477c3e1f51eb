//! Scores, by which candidates are compared.

use crate::{Data, Error, Label, Model, Targets};
use linfa::metrics::SingleTargetRegression;
use ndarray::{Array1, Array2, Axis};
use npt_core::{ParameterType, ParameterValue};
use npt_methods::model_selection::{
    Probabilities, accuracy, area_under_curve, balanced_accuracy, log_loss,
};
use std::fmt;

/// A score of predictions on samples that had no part in the fit.
///
/// | name | of | best |
/// |---|---|---|
/// | `accuracy` | labels: the share that is right | 1 |
/// | `balanced_accuracy` | labels: the mean of the shares of each class | 1 |
/// | `log_loss` | probabilities: the mean of −ln p of the class that holds | 0 |
/// | `area_under_curve` | decision values of two classes: how often they are in order | 1 |
/// | `r2` | numbers: the share of the variance that is explained, the mean of several targets | 1 |
/// | `mean_squared_error` | numbers | 0 |
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Score {
    /// The share of labels that are right.
    Accuracy,
    /// The mean over the classes of the share of labels that are right.
    BalancedAccuracy,
    /// The mean of −ln p, p the probability of the class that holds.
    LogLoss,
    /// The area under the curve of the decision values of two classes.
    AreaUnderCurve,
    /// The share of the variance that is explained.
    R2,
    /// The mean of the squared errors.
    MeanSquaredError,
}
npt_core::words_of_parameter!(Score {
    Accuracy: "accuracy",
    BalancedAccuracy: "balanced_accuracy",
    LogLoss: "log_loss",
    AreaUnderCurve: "area_under_curve",
    R2: "r2",
    MeanSquaredError: "mean_squared_error",
});

impl Score {
    /// Returns whether the smallest score is the best.
    pub fn is_loss(self) -> bool {
        matches!(self, Self::LogLoss | Self::MeanSquaredError)
    }

    /// The score of a model on data with these targets. Each sample counts once, whatever its weight.
    ///
    /// # Errors
    /// The errors of the model; `TargetCount` for more or fewer targets than samples; [`Error::ScoreTargets`] for targets that the score
    /// does not take, for predictions of another kind or number, and for an area under the curve unless there are two classes.
    pub fn of(self, model: &Model, data: &Data, truth: &Targets) -> Result<f64, Error> {
        self.check(truth)?;
        let samples = data.len();
        match truth {
            Targets::Labels(truth) if truth.len() == samples => {
                self.of_labels(model, data, &Array1::from(truth.clone()))
            }
            Targets::Numbers(truth) if truth.nrows() == samples => {
                self.of_numbers(model, data, truth)
            }
            _ => {
                let targets = truth.len().unwrap_or(0);
                Err(npt_core::Error::TargetCount { samples, targets }.into())
            }
        }
    }

    /// Refuses targets that the score does not take.
    pub(crate) fn check(self, targets: &Targets) -> Result<(), Error> {
        match (self, targets) {
            (Self::R2 | Self::MeanSquaredError, Targets::Numbers(_)) => Ok(()),
            (Self::R2 | Self::MeanSquaredError, _) => Err(self.given(targets.words())),
            (_, Targets::Labels(_)) => Ok(()),
            _ => Err(self.given(targets.words())),
        }
    }

    fn of_numbers(self, model: &Model, data: &Data, truth: &Array2<f64>) -> Result<f64, Error> {
        let predictions = model.predict(data)?;
        let Some(predicted) = predictions.numbers() else {
            return Err(self.given("predictions that are no numbers".to_owned()));
        };
        if predicted.dim() != truth.dim() {
            let (found, expected) = (predicted.ncols(), truth.ncols());
            return Err(self.given(format!(
                "{found} columns of predictions for {expected} of targets"
            )));
        }
        if let Self::MeanSquaredError = self {
            let squares = (predicted - truth).mapv(|error| error * error);
            return Ok(squares.mean().unwrap_or(f64::NAN));
        }
        let columns = predicted.axis_iter(Axis(1)).zip(truth.axis_iter(Axis(1)));
        let each = columns.map(|(predicted, truth)| predicted.to_owned().r2(&truth.to_owned()));
        let each: Result<Array1<f64>, _> = each.collect();
        let each = each.map_err(|_| self.given("no numbers".to_owned()))?;
        Ok(each.mean().unwrap_or(f64::NAN))
    }

    fn of_labels(self, model: &Model, data: &Data, truth: &Array1<Label>) -> Result<f64, Error> {
        match self {
            Self::LogLoss => {
                let values = model.predict_probabilities(data)?;
                let classes = model.classes().to_vec();
                Ok(log_loss(&Probabilities { classes, values }, truth))
            }
            Self::AreaUnderCurve => {
                let values = model.decision_function(data)?;
                let [_, second] = model.classes() else {
                    let classes = model.classes().len();
                    return Err(self.given(format!("{classes} classes")));
                };
                // There is one column, which is positive for the second class, or one column a class.
                let above = match values.ncols() {
                    1 => values.column(0).to_owned(),
                    _ => &values.column(1) - &values.column(0),
                };
                Ok(area_under_curve(
                    &above,
                    &truth.mapv(|label| label == *second),
                ))
            }
            _ => {
                let predictions = model.predict(data)?;
                let Some(predicted) = predictions.labels() else {
                    return Err(self.given("predictions that are no labels".to_owned()));
                };
                let predicted = Array1::from(predicted.to_vec());
                Ok(match self {
                    Self::BalancedAccuracy => balanced_accuracy(&predicted, truth),
                    _ => accuracy(&predicted, truth),
                })
            }
        }
    }

    /// The targets that the score takes, in the words of an error message.
    pub(crate) fn takes(self) -> &'static str {
        match self {
            Self::R2 | Self::MeanSquaredError => "numbers",
            Self::AreaUnderCurve => "labels of two classes",
            _ => "labels",
        }
    }

    fn given(self, found: String) -> Error {
        Error::ScoreTargets { score: self, found }
    }
}

/// Writes the name.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            ParameterValue::Text(name) => f.write_str(&name),
            other => other.fmt(f),
        }
    }
}
