//! The answers of a model about rows, their scores, and the intervals of the scores.

use crate::{Error, choice::score_of};
use ndarray::{Array1, Array2, Axis};
use npt_estimator::{Ability, Data, Label, Model, Predictions, Score, Targets};
use npt_methods::model_selection::{
    Probabilities, accuracy, area_under_curve, balanced_accuracy, log_loss,
};
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// The number of tables, of rows drawn with replacement, from which an interval is made.
const DRAWN: usize = 400;

/// The most rows of all these tables together. With many rows there are fewer tables, but at least 50.
const ROWS_DRAWN: usize = 20_000_000;

/// The answers of a model about rows whose targets are known.
pub enum Answers {
    /// Classes, as positions among the classes of the model.
    Labels {
        truth: Array1<usize>,
        predicted: Array1<usize>,
        classes: Vec<Label>,
        probabilities: Option<Array2<f64>>,
        /// Decision values of two classes, larger for the second.
        decisions: Option<Array1<f64>>,
    },
    Numbers {
        truth: Array2<f64>,
        predicted: Array2<f64>,
    },
}

/// A score, and the interval in which it lies with 95 %.
pub struct Measured {
    pub score: Score,
    pub value: f64,
    pub interval: [f64; 2],
}

impl Answers {
    pub fn of(model: &Model, data: &Data, targets: &Targets) -> Result<Self, Error> {
        match (model.predict(data)?, targets) {
            (Predictions::Labels(predicted), Targets::Labels(truth)) => {
                let classes = model.classes().to_vec();
                let probabilities = model
                    .has(Ability::Probabilities)
                    .then(|| model.predict_probabilities(data))
                    .transpose()?;
                let has_decisions = classes.len() == 2 && model.has(Ability::DecisionFunction);
                let decisions = if has_decisions {
                    let values = model.decision_function(data)?;
                    Some(match values.ncols() {
                        1 => values.column(0).to_owned(),
                        _ => &values.column(1) - &values.column(0),
                    })
                } else {
                    None
                };
                let position = |label: &Label| classes.iter().position(|class| class == label);
                // Rows with a class that the model does not know were refused before.
                let positions = |labels: &[Label]| -> Array1<usize> {
                    labels.iter().filter_map(position).collect()
                };
                Ok(Self::Labels {
                    truth: positions(truth),
                    predicted: positions(&predicted),
                    classes,
                    probabilities,
                    decisions,
                })
            }
            (Predictions::Numbers(predicted), Targets::Numbers(truth))
                if predicted.dim() == truth.dim() =>
            {
                Ok(Self::Numbers {
                    truth: truth.clone(),
                    predicted,
                })
            }
            _ => Err(Error::Usage(
                "the model's predictions are of another kind than the target".to_owned(),
            )),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Labels { truth, .. } => truth.len(),
            Self::Numbers { truth, .. } => truth.nrows(),
        }
    }

    /// The scores that these answers can have.
    fn scores(&self, targets: &Targets) -> Result<Vec<Score>, Error> {
        let mut scores = vec![score_of(targets)?];
        match self {
            Self::Labels {
                probabilities,
                decisions,
                ..
            } => {
                scores.push(Score::BalancedAccuracy);
                scores.extend(decisions.as_ref().map(|_| Score::AreaUnderCurve));
                scores.extend(probabilities.as_ref().map(|_| Score::LogLoss));
            }
            Self::Numbers { .. } => scores.push(Score::MeanSquaredError),
        }
        Ok(scores)
    }

    /// All scores with their intervals. That of accuracy is Wilson's; all others are by the bootstrap: by rows drawn with replacement, the
    /// same rows for each score.
    pub fn measured(&self, targets: &Targets) -> Result<Vec<Measured>, Error> {
        let rows = self.len();
        let all: Vec<usize> = (0..rows).collect();
        let measured = |score: Score| -> Result<Measured, Error> {
            let value = self.score(score, &all);
            let tables = (ROWS_DRAWN / rows.max(1)).clamp(50, DRAWN) as u64;
            let drawn = (0..tables).into_par_iter().map(|seed| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                let some: Vec<usize> = (0..rows).map(|_| random.gen_range(0..rows)).collect();
                self.score(score, &some)
            });
            // Drawn rows may lack a class; some scores are then not defined.
            let mut drawn: Vec<f64> = drawn.filter(|value| value.is_finite()).collect();
            crate::work::check()?;
            drawn.sort_by(f64::total_cmp);
            let at = |share: f64| {
                let place = (share * drawn.len() as f64) as usize;
                drawn.get(place.min(drawn.len().saturating_sub(1))).copied()
            };
            let by_draws = [at(0.025).unwrap_or(value), at(0.975).unwrap_or(value)];
            Ok(Measured {
                score,
                value,
                interval: match score {
                    Score::Accuracy => of_share(value, rows as f64),
                    _ => by_draws,
                },
            })
        };
        // If all targets are one class or one number, some scores are not defined.
        let scores = self.scores(targets)?.into_iter().map(measured);
        let scores = scores
            .collect::<Result<Vec<Measured>, Error>>()?
            .into_iter();
        Ok(scores
            .filter(|measured| measured.value.is_finite())
            .collect())
    }

    /// The score of some of the rows.
    fn score(&self, score: Score, rows: &[usize]) -> f64 {
        match self {
            Self::Labels {
                truth,
                predicted,
                classes,
                probabilities,
                decisions,
            } => {
                let truth = truth.select(Axis(0), rows);
                match (score, probabilities, decisions) {
                    (Score::LogLoss, Some(values), _) => log_loss(
                        &Probabilities {
                            classes: (0..classes.len()).collect(),
                            values: values.select(Axis(0), rows),
                        },
                        &truth,
                    ),
                    (Score::AreaUnderCurve, _, Some(values)) => area_under_curve(
                        &values.select(Axis(0), rows),
                        &truth.mapv(|class| class == 1),
                    ),
                    (Score::BalancedAccuracy, ..) => {
                        balanced_accuracy(&predicted.select(Axis(0), rows), &truth)
                    }
                    _ => accuracy(&predicted.select(Axis(0), rows), &truth),
                }
            }
            Self::Numbers { truth, predicted } => {
                let (truth, predicted) =
                    (truth.select(Axis(0), rows), predicted.select(Axis(0), rows));
                let errors = (&predicted - &truth).mapv(|error| error * error);
                let squares = errors.mean_axis(Axis(0)).unwrap_or_default();
                match score {
                    Score::R2 => {
                        let variances = truth.var_axis(Axis(0), 0.0);
                        (1.0 - squares / variances).mean().unwrap_or(f64::NAN)
                    }
                    _ => squares.mean().unwrap_or(f64::NAN),
                }
            }
        }
    }

    /// The error of the model about each row: −ln p of the class that holds, the distance of the decision to the wrong side, 1 for a wrong
    /// class, or the error of the numbers.
    pub fn losses(&self) -> Vec<f64> {
        match self {
            Self::Numbers { truth, predicted } => {
                let errors = (predicted - truth).mapv(|error| error * error);
                errors.sum_axis(Axis(1)).mapv(f64::sqrt).to_vec()
            }
            Self::Labels {
                truth,
                predicted,
                probabilities,
                decisions,
                ..
            } => {
                let loss = |row: usize| match (probabilities, decisions) {
                    (Some(values), _) => -values[(row, truth[row])].ln(),
                    (None, Some(values)) if truth[row] == 1 => -values[row],
                    (None, Some(values)) => values[row],
                    (None, None) => f64::from(predicted[row] != truth[row]),
                };
                (0..truth.len()).map(loss).collect()
            }
        }
    }

    /// The words for [`losses`](Self::losses).
    pub fn loss_words(&self) -> &'static str {
        match self {
            Self::Numbers { .. } => "error",
            Self::Labels {
                probabilities: Some(_),
                ..
            } => "−ln p of the class that holds",
            Self::Labels {
                decisions: Some(_), ..
            } => "decision, on the wrong side",
            Self::Labels { .. } => "wrong",
        }
    }

    /// The prediction for a row, in words.
    pub fn predicted(&self, row: usize) -> String {
        match self {
            Self::Labels {
                predicted, classes, ..
            } => classes[predicted[row]].to_string(),
            Self::Numbers { predicted, .. } => {
                let numbers = predicted.row(row).to_vec();
                let words = numbers.iter().map(|number| format!("{number:.4}"));
                words.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// The interval of a share of `rows` rows (E. B. Wilson, Journal of the American Statistical Association 22, 1927). If all rows are right,
/// it does not say that all other rows will be.
fn of_share(share: f64, rows: f64) -> [f64; 2] {
    /// The 97.5 % point of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    let middle = share + Z * Z / (2.0 * rows);
    let half = Z * (share * (1.0 - share) / rows + Z * Z / (4.0 * rows * rows)).sqrt();
    let scale = 1.0 + Z * Z / rows;
    [(middle - half) / scale, (middle + half) / scale]
}
