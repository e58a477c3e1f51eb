//! By what candidates are compared.

use crate::{Ability, Data, Error, Label, Model, Targets};
use linfa::metrics::SingleTargetRegression;
use ndarray::{Array1, Array2, Axis};
use npt_methods::model_selection::{
    Probabilities, accuracy, area_under_curve, balanced_accuracy, log_loss,
};

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
    /// Whether the smallest is the best.
    pub fn is_loss(self) -> bool {
        matches!(self, Self::LogLoss | Self::MeanSquaredError)
    }

    /// The score of a model on data with these targets.
    ///
    /// # Errors
    /// Those of the model; [`Error::ScoreTargets`] for targets that the score is not of, and for an area under the curve of other
    /// than two classes.
    pub fn of(self, model: &Model, data: &Data, truth: &Targets) -> Result<f64, Error> {
        match (self, truth) {
            (Self::R2 | Self::MeanSquaredError, Targets::Numbers(truth)) => {
                self.of_numbers(model, data, truth)
            }
            (Self::R2 | Self::MeanSquaredError, _) | (_, Targets::Numbers(_) | Targets::None) => {
                Err(self.not_of(truth.words()))
            }
            (_, Targets::Labels(truth)) => {
                self.of_labels(model, data, &Array1::from(truth.clone()))
            }
        }
    }

    fn of_numbers(self, model: &Model, data: &Data, truth: &Array2<f64>) -> Result<f64, Error> {
        let predictions = model.predict(data)?;
        let Some(predicted) = predictions.numbers() else {
            return Err(self.not_of("labels"));
        };
        if let Self::MeanSquaredError = self {
            let squares = (predicted - truth).mapv(|error| error * error);
            return Ok(squares.mean().unwrap_or(f64::NAN));
        }
        let columns = predicted.axis_iter(Axis(1)).zip(truth.axis_iter(Axis(1)));
        let each: Result<Vec<f64>, _> = columns
            .map(|(predicted, truth)| predicted.to_owned().r2(&truth.to_owned()))
            .collect();
        let each = each.map_err(|_| self.not_of("no numbers"))?;
        Ok(each.iter().sum::<f64>() / each.len() as f64)
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
                let (1, [_, second]) = (values.ncols(), model.classes()) else {
                    return Err(self.not_of("labels of other than two classes"));
                };
                let sides = truth.mapv(|label| label == *second);
                Ok(area_under_curve(&values.column(0), &sides))
            }
            _ => {
                let predictions = model.predict(data)?;
                let predicted = Array1::from(predictions.labels().to_vec());
                if predicted.len() != truth.len() {
                    return Err(self.not_of("predictions that are no labels"));
                }
                Ok(match self {
                    Self::BalancedAccuracy => balanced_accuracy(&predicted, truth),
                    _ => accuracy(&predicted, truth),
                })
            }
        }
    }

    /// What a model has to have for the score.
    pub fn needs(self) -> Ability {
        match self {
            Self::LogLoss => Ability::Probabilities,
            Self::AreaUnderCurve => Ability::DecisionFunction,
            _ => Ability::Predict,
        }
    }

    fn not_of(self, found: &'static str) -> Error {
        Error::ScoreTargets { score: self, found }
    }
}
