//! Candidates that are compared over the same folds.

mod machines;

use crate::{Data, Error, Estimator, Model, Score, Targets, label::classes_of};
use machines::{Machines, Outcome, finite};
use ndarray::Array1;
use npt_core::{
    ParameterValue,
    watch::{Carrier, Progress},
};
use npt_methods::model_selection::Folds;
use rayon::prelude::*;
use std::{collections::BTreeMap, fmt};

/// A comparison of estimators of any kind, by cross-validation over the same folds.
///
/// A search can be read from TOML or JSON, or another format of serde:
///
/// ```toml
/// score = "accuracy"            # one of the names of Score
/// folds = 5                     # 5 by default; stratified, where targets are labels
/// seed = 0                      # 0 by default
///
/// [[candidates]]
/// method = "svc"
/// kernel = "gaussian(gamma = 1)"
/// space = "exact"               # by default
/// transformers = ["standard_scaler"]
///
/// [candidates.grid]             # every combination of these values, in the order of the names
/// c = [1, 10, 100]
/// "kernel.gamma" = [0.1, 1]
/// ```
///
/// Support vector machines of two classes that differ in their parameters alone are fitted to the folds together, on one kernel matrix,
/// each penalty from the solution of the one before. This is many times faster than one by one, with the same scores. Kernel matrices
/// that come one after the other are made in the same memory.
///
/// # Example
/// ```
/// use ndarray::Array;
/// use npt_estimator::{Data, Estimator, Score, Search};
///
/// // Two rings.
/// let x = Array::from_shape_fn((60, 2), |(i, j)| {
///     let (angle, radius) = (0.7 * i as f64, if i % 2 == 0 { 1.0 } else { 2.0 });
///     if j == 0 { radius * angle.cos() } else { radius * angle.sin() }
/// });
/// let (data, labels) = (Data::from(x), (0..60).map(|i| i % 2 == 0).collect::<Vec<_>>());
///
/// let svc = Estimator::new("svc", "gaussian(gamma = 1)")?;
/// let grid = svc.grid([("c", vec![0.1.into(), 10.0.into()]), ("kernel.gamma", vec![1e-4.into(), 1.0.into()])])?;
/// let search = Search::new(grid, Score::Accuracy).candidate(Estimator::new("kfd", "linear")?);
/// let found = search.fit_best(&data, labels)?;
/// assert_eq!(found.model.estimator().to_string(), "svc(c = 0.1) in exact of gaussian(gamma = 1)");
/// assert_eq!(found.results.candidates().len(), 5);
/// assert!(found.results.to_string().starts_with("accuracy          candidate\n1.0000 ± 0.0000   svc(c = 0.1)"));
/// # Ok::<(), npt_estimator::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    candidates: Vec<Estimator>,
    score: Score,
    folds: usize,
    seed: u64,
}

/// The result of a search: its table, and the best candidate, fitted to all samples.
#[derive(Debug, Clone)]
pub struct Found {
    /// The scores of all candidates.
    pub results: SearchResults,
    /// The best candidate, fitted to all samples.
    pub model: Model,
}

/// The scores of all candidates on all folds. Prints as a table, the best first.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SearchResults {
    score: Score,
    candidates: Vec<Scored>,
}

/// A candidate, with its score on each fold or the reason why there is none.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Scored {
    /// The candidate.
    pub estimator: Estimator,
    /// One entry a fold: the score, or the error in its place.
    pub scores: Vec<Result<f64, String>>,
}

impl Search {
    /// A search that compares these candidates over five folds.
    pub fn new(candidates: Vec<Estimator>, score: Score) -> Self {
        Self {
            candidates,
            score,
            folds: 5,
            seed: 0,
        }
    }

    /// Adds a candidate.
    pub fn candidate(mut self, estimator: Estimator) -> Self {
        self.candidates.push(estimator);
        self
    }

    /// Sets the number of folds: at least 2, and at most the number of samples.
    pub fn folds(mut self, folds: usize) -> Self {
        self.folds = folds;
        self
    }

    /// Sets the seed by which samples are dealt to folds.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The candidates.
    pub fn candidates(&self) -> &[Estimator] {
        &self.candidates
    }

    /// Scores all candidates. A fit that fails has its error in the place of its score, and a score that is no number is an error, too.
    /// Folds are stratified where targets are labels. Weights count in the fits alone: each sample that is held out counts once.
    ///
    /// # Errors
    /// The errors that concern all candidates: no candidates, a number of folds that is not possible, more or fewer targets or weights
    /// than samples, and [`Error::ScoreTargets`] for targets that the score does not take.
    pub fn results(
        &self,
        data: &Data,
        targets: impl Into<Targets>,
    ) -> Result<SearchResults, Error> {
        self.results_of(data, &targets.into())
    }

    /// Fits the best candidate to all samples.
    ///
    /// # Errors
    /// The errors of [`results`](Self::results); [`Error::NoneFits`] if every candidate failed.
    pub fn fit_best(&self, data: &Data, targets: impl Into<Targets>) -> Result<Found, Error> {
        let targets = targets.into();
        let results = self.results_of(data, &targets)?;
        let Some(best) = results.best() else {
            let mut errors = results
                .candidates
                .iter()
                .flat_map(|candidate| &candidate.scores);
            let error = errors.find_map(|score| score.as_ref().err().cloned());
            return Err(Error::NoneFits {
                candidates: results.candidates.len(),
                error: error.unwrap_or_else(|| "its score is no number".to_owned()),
            });
        };
        let model = best.estimator.fit(data, targets)?;
        Ok(Found { results, model })
    }

    fn results_of(&self, data: &Data, targets: &Targets) -> Result<SearchResults, Error> {
        if self.candidates.is_empty() {
            return Err(npt_methods::Error::NoCandidates.into());
        }
        if let Some(targets) = targets.len()
            && targets != data.len()
        {
            let samples = data.len();
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        self.score.check(targets)?;
        let (samples, weights) = (data.len(), data.weights());
        if !weights.is_empty() && weights.len() != samples {
            let weights = weights.len();
            return Err(npt_core::Error::WeightCount { samples, weights }.into());
        }
        let folds = match targets {
            Targets::Labels(labels) => {
                Folds::stratified(&classes_of(labels, weights)?.1, self.folds, self.seed)?
            }
            _ => Folds::k(data.len(), self.folds, self.seed)?,
        };
        let progress = Progress::start("search", self.candidates.len() * folds.len());
        let steps = progress.steps();
        let unscored = |estimator: &Estimator| Scored {
            estimator: estimator.clone(),
            scores: Vec::new(),
        };
        let mut candidates: Vec<Scored> = self.candidates.iter().map(unscored).collect();
        if let Targets::Labels(labels) = targets
            && let Some(machines) = Machines::new(data, labels, self.score, &folds, &steps)
        {
            for (place, outcome) in machines.outcomes(&self.candidates) {
                candidates[place].scores.push(outcome);
            }
        }
        let others = (0..candidates.len()).filter(|&place| candidates[place].scores.is_empty());
        let others: Vec<usize> = others.collect();
        let carrier = Carrier::new();
        let of_fold = |fold: usize| {
            let (training, held_out) = folds.split(fold);
            let part = |rows: &[usize]| (data.rows(rows), targets.rows(rows));
            let (training, held_out) = (part(&training), part(held_out));
            let score = |&place: &usize| {
                let model = self.candidates[place].fit(&training.0, training.1.clone());
                let score = model.and_then(|model| self.score.of(&model, &held_out.0, &held_out.1));
                steps.take(1);
                score.map_err(|error| error.to_string()).and_then(finite)
            };
            others.iter().map(score).collect::<Vec<Outcome>>()
        };
        // One by one, so that no thread keeps a fold that another has time for.
        let by_fold = (0..folds.len()).into_par_iter().with_max_len(1);
        let by_fold: Vec<_> = by_fold.map(|fold| carrier.over(|| of_fold(fold))).collect();
        for scores in by_fold {
            for (&place, score) in others.iter().zip(scores) {
                candidates[place].scores.push(score);
            }
        }
        Ok(SearchResults {
            score: self.score,
            candidates,
        })
    }
}

impl Scored {
    /// The mean score over the folds.
    ///
    /// # Errors
    /// The error of the first fold that failed.
    pub fn mean(&self) -> Result<f64, &str> {
        let scores = self.all()?;
        Ok(scores.sum() / scores.len() as f64)
    }

    /// The standard deviation of the scores over the folds.
    ///
    /// # Errors
    /// The errors of [`mean`](Self::mean).
    pub fn deviation(&self) -> Result<f64, &str> {
        Ok(self.all()?.std(0.0))
    }

    fn all(&self) -> Result<Array1<f64>, &str> {
        let scores = self.scores.iter().map(|score| score.as_ref().copied());
        scores.collect::<Result<_, _>>().map_err(String::as_str)
    }
}

impl SearchResults {
    /// The candidates with their scores, in the order in which they were given.
    pub fn candidates(&self) -> &[Scored] {
        &self.candidates
    }

    /// The candidate with the best mean score, the first of several equal ones; `None` if all failed.
    pub fn best(&self) -> Option<&Scored> {
        self.ranked()
            .into_iter()
            .find(|candidate| self.rank(candidate) < f64::INFINITY)
    }

    /// The candidates, the best first.
    fn ranked(&self) -> Vec<&Scored> {
        let mut ranked: Vec<&Scored> = self.candidates.iter().collect();
        ranked.sort_by(|a, b| self.rank(a).total_cmp(&self.rank(b)));
        ranked
    }

    /// A number that is smallest for the best candidate, and infinite for a candidate that failed.
    fn rank(&self, candidate: &Scored) -> f64 {
        match candidate.mean() {
            Ok(mean) if self.score.is_loss() => mean,
            Ok(mean) => -mean,
            Err(_) => f64::INFINITY,
        }
    }
}

impl fmt::Display for SearchResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = self.score.to_string();
        let line = |candidate: &&Scored| {
            let score = match (candidate.mean(), candidate.deviation()) {
                (Ok(mean), Ok(deviation)) => format!("{mean:.4} ± {deviation:.4}"),
                (Err(error), _) | (_, Err(error)) => {
                    return (String::new(), format!("{}: {error}", candidate.estimator));
                }
            };
            (score, candidate.estimator.to_string())
        };
        let ranked = self.ranked();
        let rows: Vec<(String, String)> = ranked.iter().map(line).collect();
        let width = rows.iter().map(|(score, _)| score.chars().count());
        let width = width.chain([title.len()]).max().unwrap_or(0);
        write!(f, "{title:width$}   candidate")?;
        for (score, candidate) in rows {
            write!(f, "\n{score:width$}   {candidate}")?;
        }
        Ok(())
    }
}

/// A search as TOML and JSON write it.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    score: Score,
    #[serde(default = "five")]
    folds: usize,
    #[serde(default)]
    seed: u64,
    candidates: Vec<Candidate>,
}

fn five() -> usize {
    5
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Candidate {
    method: String,
    kernel: String,
    space: Option<String>,
    #[serde(default)]
    transformers: Vec<String>,
    pre_image: Option<String>,
    #[serde(default)]
    grid: BTreeMap<String, Vec<Value>>,
}

/// A value as TOML and JSON write it.
#[derive(serde::Deserialize, Clone)]
#[serde(untagged)]
enum Value {
    Boolean(bool),
    Integer(usize),
    Real(f64),
    Text(String),
    List(Vec<f64>),
}

impl From<Value> for ParameterValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Boolean(value) => value.into(),
            Value::Integer(value) => value.into(),
            Value::Real(value) => value.into(),
            Value::Text(value) => Self::Text(value),
            Value::List(values) => values.into(),
        }
    }
}

impl Candidate {
    fn estimators(self) -> Result<Vec<Estimator>, Error> {
        let mut estimator = Estimator::new(&self.method, &self.kernel)?;
        if let Some(space) = &self.space {
            estimator = estimator.space(space)?;
        }
        for transformer in &self.transformers {
            estimator = estimator.transformer(transformer)?;
        }
        if let Some(pre_image) = &self.pre_image {
            estimator = estimator.pre_image(pre_image)?;
        }
        let values = |values: Vec<Value>| values.into_iter().map(Into::into).collect();
        let grid = self.grid.into_iter().map(|(name, all)| (name, values(all)));
        estimator.grid(grid)
    }
}

impl<'de> serde::Deserialize<'de> for Search {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let mut candidates = Vec::new();
        for candidate in written.candidates {
            candidates.extend(candidate.estimators().map_err(serde::de::Error::custom)?);
        }
        Ok(Self {
            candidates,
            score: written.score,
            folds: written.folds,
            seed: written.seed,
        })
    }
}
