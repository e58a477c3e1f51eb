//! Scores of a search on samples that had no part in it.

use super::{
    Answer, Candidate, Evaluate, Folds, GridSearch, Plan, Score, Scores, SearchError,
    SelectRecords,
    problem::Problem,
    scores::mean_of,
    table::{Table, number},
};
use crate::Error;
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
};
use ndarray::Array;
use npt_core::watch::Progress;
use std::fmt;

/// The candidates that a search chose on the training samples of each fold, with their scores on the samples held out, or errors `X`.
/// Prints as a table.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NestedScores<X, V = f64> {
    /// The chosen candidate of each fold and its score, or the error.
    pub folds: Vec<Result<(Candidate, V), X>>,
    spaces: Vec<String>,
    methods: Vec<String>,
    score_names: Vec<String>,
}

impl<M, B, W> GridSearch<M, B, W> {
    /// Nested cross-validation. On the training samples of each fold, the best candidate is found by the folds that `inner` makes
    /// of their targets. It is fitted to all of these samples, and scored on the samples held out. So the scores are of search and fit
    /// together, and nothing was chosen by them.
    ///
    /// # Errors
    /// [`Error::NoCandidates`], [`Error::Unpaired`], [`Error::ScoreNames`], [`Error::FoldsOfOthers`], and [`Error::Core`] for the records, and
    /// for the number of targets or weights. An error in a fold stands in the place of its score.
    ///
    /// # References
    /// G. Cawley, N. Talbot, "On Over-fitting in Model Selection and Subsequent Selection Bias in Performance Evaluation", JMLR
    /// 11, 2010.
    ///
    /// # Example
    /// ```
    /// use linfa::Dataset;
    /// use ndarray::{Array, Array1};
    /// use npt_core::{Exact, Gaussian};
    /// use npt_methods::{linear::Svc, model_selection::{Candidates, Folds, GridSearch, accuracy}};
    ///
    /// let x = Array::from_shape_fn((60, 2), |(i, j)| (0.7 * i as f64 + 1.6 * j as f64).sin() * (1 + i % 2) as f64);
    /// let data = Dataset::new(x, Array::from_shape_fn(60, |i| i % 2 == 0));
    /// let spaces = Candidates::new().over("γ", [0.1, 1.0], |gamma| Exact::new(Gaussian::new(gamma)));
    /// let methods = Candidates::new().over("C", [1.0, 10.0], |c| Svc::params().c(c));
    ///
    /// let outer = Folds::stratified(&data, 3, 1)?;
    /// let nested = GridSearch::new(spaces, methods).nested_scores(
    ///     &data,
    ///     &outer,
    ///     |labels| Folds::stratified(labels, 5, 2),
    ///     |predicted: &Array1<bool>, truth| accuracy(predicted, truth),
    /// )?;
    /// assert!(nested.mean().unwrap() > 0.9);
    /// assert!(nested.to_string().starts_with("fold   space"));
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn nested_scores<R, T, U, X, V, S>(
        &self,
        dataset: &DatasetBase<R, T>,
        outer: &Folds,
        inner: impl Fn(&Array<T::Elem, T::Ix>) -> Result<Folds, Error>,
        score: S,
    ) -> Result<NestedScores<SearchError<X>, V>, Error>
    where
        R: SelectRecords,
        T: AsTargets,
        T::Elem: Clone + 'static,
        W: Evaluate<M, B, R::Selected, Array<T::Elem, T::Ix>, X>,
        U: Answer<W::Method, W::Values>,
        V: Score,
        S: Fn(&U, &Array<T::Elem, T::Ix>) -> V + Sync,
    {
        let targets = dataset.as_targets().to_owned();
        let mut progress = Progress::start("outer folds", outer.len());
        // One step of the progress is the fit of the best candidate of a fold.
        let problem = Problem::new(dataset, &targets, outer, progress.steps())?;
        self.plan()?;
        self.check_score_names::<V>()?;
        // Selected as the training samples are, so that the road is asked about records of one type.
        let every: Vec<usize> = (0..dataset.nsamples()).collect();
        let records = dataset.records().select_records(&every);
        // Checked before the folds: an error in the samples of a fold would name another row.
        self.road().check(&records)?;
        let best_of_fold = |turn| {
            let fold = problem.fold(turn);
            let training = fold.dataset(dataset.records().select_records(&fold.training));
            let folds = inner(training.targets())?;
            let scores: Scores<X, V> = self.scores(&training, &folds, &score)?;
            let Some(best) = scores.best() else {
                return Err(scores.into_error());
            };
            let plan = Plan {
                spaces: &self.spaces().values()[best.space..=best.space],
                methods: &self.methods().values()[best.method..=best.method],
                is_paired: false,
            };
            let of_turn = problem.of_turn(turn, &records);
            let outcome = self
                .road()
                .outcomes(&plan, &of_turn, &score)?
                .swap_remove(0);
            Ok((best, outcome.map_err(SearchError::Fit)?))
        };
        let of_fold = |turn| {
            let found = best_of_fold(turn);
            progress.at(turn + 1);
            found
        };
        Ok(NestedScores {
            folds: (0..outer.len()).map(of_fold).collect(),
            spaces: self.spaces().names().to_vec(),
            methods: self.methods().names().to_vec(),
            score_names: self.names_of_scores().to_vec(),
        })
    }
}

impl<X, V> NestedScores<X, V> {
    /// Converts the errors by `change`. Errors that are texts can be kept in files.
    pub fn map_errors<Y>(self, mut change: impl FnMut(X) -> Y) -> NestedScores<Y, V> {
        let folds = self.folds.into_iter();
        NestedScores {
            folds: folds.map(|fold| fold.map_err(&mut change)).collect(),
            spaces: self.spaces,
            methods: self.methods,
            score_names: self.score_names,
        }
    }
}

impl<X, V: Score> NestedScores<X, V> {
    /// The mean scores over all folds.
    ///
    /// # Errors
    /// The error of the first fold that has one.
    pub fn mean(&self) -> Result<V, &X> {
        let mut scores = Vec::with_capacity(self.folds.len());
        for fold in &self.folds {
            scores.push(fold.as_ref()?.1.clone());
        }
        Ok(V::each(&scores, mean_of))
    }
}

/// Prints a line per fold, with the space and the method that were chosen and the scores, and then a line with the means.
impl<X: fmt::Display, V: Score> fmt::Display for NestedScores<X, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = |score: &V| {
            score
                .values()
                .iter()
                .map(|v| number(*v))
                .collect::<Vec<_>>()
        };
        let mut table = Table::of_scores(&["fold", "space", "method"], &self.score_names);
        for (fold, found) in self.folds.iter().enumerate() {
            let mut row = vec![fold.to_string()];
            match found {
                Ok((candidate, score)) => {
                    row.push(self.spaces[candidate.space].clone());
                    row.push(self.methods[candidate.method].clone());
                    row.extend(numbers(score));
                }
                Err(error) => row.push(error.to_string()),
            }
            table.push(row);
        }
        if let Ok(mean) = self.mean() {
            let mut row = vec!["mean".to_owned(), String::new(), String::new()];
            row.extend(numbers(&mean));
            table.push(row);
        }
        table.fmt(f)
    }
}

npt_core::checked! {
    NestedScores<X, V> {
        folds: Vec<Result<(Candidate, V), X>>,
        spaces: Vec<String>,
        methods: Vec<String>,
        score_names: Vec<String>,
    }
}

#[cfg(feature = "serde")]
impl<X, V> NestedScores<X, V> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::place;
        for (candidate, _) in self.folds.iter().flatten() {
            place("space", candidate.space, self.spaces.len())?;
            place("method", candidate.method, self.methods.len())?;
        }
        Ok(())
    }
}
