//! The best candidate of a search, fitted to all samples.

use super::{Answer, Candidate, Evaluate, Folds, GridSearch, Score, Scores};
use crate::Error;
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::Fit,
};
use ndarray::Array;

/// The best candidate of a search, fitted to all samples.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Best<O, X, V = f64> {
    /// The fitted candidate.
    pub model: O,
    /// The places of its space and its method.
    pub candidate: Candidate,
    /// The scores of all candidates. The scores of the best are too good on the average, as it was chosen for being good;
    /// [`nested_scores`](GridSearch::nested_scores) are not.
    pub scores: Scores<X, V>,
}

impl<O, X, V> Best<O, X, V> {
    /// Converts the errors of fits by `change`. Errors that are texts can be kept in files.
    pub fn map_errors<Y>(self, change: impl FnMut(X) -> Y) -> Best<O, Y, V> {
        Best {
            model: self.model,
            candidate: self.candidate,
            scores: self.scores.map_errors(change),
        }
    }
}

/// An error of a search that has no best model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError<X> {
    /// An error that concerns all candidates.
    #[error(transparent)]
    Search(#[from] Error),
    /// The error of a fit: of the best candidate to all samples, or the first of several where no candidate has a score.
    #[error(transparent)]
    Fit(X),
}

impl<X, V> Scores<X, V> {
    /// Returns the reason why no candidate is the best.
    pub(super) fn into_error(self) -> SearchError<X> {
        let failure = self.outcomes.into_iter().find_map(Result::err);
        failure.map_or(Error::NoScore.into(), SearchError::Fit)
    }
}

impl<M, B, W> GridSearch<M, B, W> {
    /// Scores all candidates as [`scores`](Self::scores) does, and fits the best of them, by the first score if there are several, to
    /// all samples.
    ///
    /// # Errors
    /// [`SearchError::Search`] with the errors of [`scores`](Self::scores), and with [`Error::NoScore`] where the scores are NaN;
    /// [`SearchError::Fit`] if no candidate has a score, and one could not be fitted to a fold, or if the best cannot be fitted to all
    /// samples.
    pub fn fit_best<R, T, U, X, V, S>(
        &self,
        dataset: &DatasetBase<R, T>,
        folds: &Folds,
        score: S,
    ) -> Result<Best<<W::Estimator as Fit<R, T, X>>::Object, X, V>, SearchError<X>>
    where
        R: Records,
        T: AsTargets,
        T::Elem: Clone + 'static,
        M: Clone,
        B: Clone,
        W: Evaluate<M, B, R, T, X>,
        W::Estimator: Fit<R, T, X>,
        U: Answer<W::Method, W::Values>,
        X: std::error::Error + From<linfa::Error>,
        V: Score,
        S: Fn(&U, &Array<T::Elem, T::Ix>) -> V + Sync,
    {
        let scores = self.scores(dataset, folds, score)?;
        let Some(candidate) = scores.best() else {
            return Err(scores.into_error());
        };
        let fitted = self.estimator(candidate).fit(dataset);
        Ok(Best {
            model: fitted.map_err(SearchError::Fit)?,
            candidate,
            scores,
        })
    }
}

npt_core::checked! { Best<O, X, V> { model: O, candidate: Candidate, scores: Scores<X, V> } }

#[cfg(feature = "serde")]
impl<O, X, V> Best<O, X, V> {
    fn check_parts(&self) -> Result<(), String> {
        if self.scores.candidates.contains(&self.candidate) {
            return Ok(());
        }
        let Candidate { space, method } = self.candidate;
        Err(format!(
            "no candidate is of space {space} and method {method}"
        ))
    }
}
