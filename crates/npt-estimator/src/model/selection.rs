//! The choice of a model among candidates.

use super::Model;
use crate::{Score, Scored};

/// The candidates that a model was chosen among, with their scores by cross-validation.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Selection {
    /// The score by which the candidates were compared.
    pub score: Score,
    /// The number of folds.
    pub folds: usize,
    /// The number of samples that were divided into folds.
    pub samples: usize,
    /// The text of each estimator, the mean of its score over the folds, and the standard deviation. Candidates that failed are left out.
    pub candidates: Vec<(String, f64, f64)>,
}

impl Selection {
    /// The selection of a search; `samples` is the number of samples that were divided into folds.
    pub fn new(score: Score, folds: usize, samples: usize, scored: &[Scored]) -> Self {
        let candidate = |scored: &Scored| {
            let (mean, deviation) = (scored.mean().ok()?, scored.deviation().ok()?);
            let is_number = mean.is_finite() && deviation.is_finite();
            is_number.then(|| (scored.estimator.to_string(), mean, deviation))
        };
        Self {
            score,
            folds,
            samples,
            candidates: scored.iter().filter_map(candidate).collect(),
        }
    }
}

impl Model {
    /// Gives the model the candidates that it was chosen among; its file keeps them.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_estimator::{Data, Estimator, Score, Search, Selection};
    ///
    /// let data = Data::from(array![[0.0], [1.0], [2.0], [5.0], [6.0], [7.0]]);
    /// let labels = vec![false, false, false, true, true, true];
    /// let candidates = vec![Estimator::new("svc(c = 0.1)", "linear")?, Estimator::new("svc(c = 10)", "linear")?];
    /// let results = Search::new(candidates, Score::Accuracy).folds(3).results(&data, labels.clone())?;
    /// let best = results.best().unwrap();
    ///
    /// let model = best.estimator.fit(&data, labels)?;
    /// let model = model.with_selection(Selection::new(Score::Accuracy, 3, data.len(), results.candidates()));
    /// assert_eq!(model.selection().unwrap().candidates.len(), 2);
    /// # Ok::<(), npt_estimator::Error>(())
    /// ```
    pub fn with_selection(mut self, selection: Selection) -> Self {
        self.selection = Some(selection);
        self
    }

    /// The candidates that the model was chosen among; `None` if none were given.
    pub fn selection(&self) -> Option<&Selection> {
        self.selection.as_ref()
    }
}
