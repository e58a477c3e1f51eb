//! The scores that a search found.

use super::table::{Table, number};
use std::fmt;

/// One candidate of a [`GridSearch`](super::GridSearch): a space and a method, by their places in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    /// The place of the space, from 0.
    pub space: usize,
    /// The place of the method, from 0.
    pub method: usize,
}

/// A score, or several scores at once: the larger the better, and the first decides.
pub trait Score: Clone + Send {
    /// The number of scores.
    const COUNT: usize;

    /// All scores, in order.
    fn values(&self) -> &[f64];

    /// Returns the scores whose value at each place is `of` the values of all at that place.
    fn each(all: &[Self], of: impl Fn(&[f64]) -> f64) -> Self;
}

impl Score for f64 {
    const COUNT: usize = 1;

    fn values(&self) -> &[f64] {
        std::slice::from_ref(self)
    }

    fn each(all: &[Self], of: impl Fn(&[f64]) -> f64) -> Self {
        of(all)
    }
}

impl<const N: usize> Score for [f64; N] {
    const COUNT: usize = N;

    fn values(&self) -> &[f64] {
        const { assert!(N > 0, "at least one score") };
        self
    }

    fn each(all: &[Self], of: impl Fn(&[f64]) -> f64) -> Self {
        std::array::from_fn(|place| {
            let at_place: Vec<f64> = all.iter().map(|scores| scores[place]).collect();
            of(&at_place)
        })
    }
}

pub(super) fn mean_of(scores: &[f64]) -> f64 {
    scores.iter().sum::<f64>() / scores.len() as f64
}

fn deviation_of(scores: &[f64]) -> f64 {
    let mean = mean_of(scores);
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    (squares / scores.len() as f64).sqrt()
}

/// The scores of all candidates on all folds, or the errors `X` of their fits. Prints as a table with the best candidate first.
///
/// A failed fit has its error in the place of its score, and its candidate is out of the
/// competition; other candidates are not touched.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Scores<X, V = f64> {
    pub(super) candidates: Vec<Candidate>,
    pub(super) is_paired: bool,
    pub(super) folds: usize,
    /// The outcomes by candidate, then fold.
    pub(super) outcomes: Vec<Result<V, X>>,
    pub(super) spaces: Vec<String>,
    pub(super) methods: Vec<String>,
    pub(super) score_names: Vec<String>,
}

impl<X, V> Scores<X, V> {
    /// Converts the errors of fits by `change`. Errors that are texts can be kept in files.
    pub fn map_errors<Y>(self, mut change: impl FnMut(X) -> Y) -> Scores<Y, V> {
        let outcomes = self.outcomes.into_iter();
        Scores {
            outcomes: outcomes
                .map(|outcome| outcome.map_err(&mut change))
                .collect(),
            candidates: self.candidates,
            is_paired: self.is_paired,
            folds: self.folds,
            spaces: self.spaces,
            methods: self.methods,
            score_names: self.score_names,
        }
    }
}

impl<X, V> Scores<X, V> {
    /// The place of a candidate among all candidates.
    fn place(&self, candidate: Candidate) -> usize {
        if self.is_paired {
            candidate.space
        } else {
            candidate.space * self.methods.len() + candidate.method
        }
    }
}

impl<X, V: Score> Scores<X, V> {
    /// All candidates, by space, then method.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.candidates.iter().copied()
    }

    /// The names of a candidate's space and method.
    ///
    /// # Panics
    /// Panics if there is no such space or method.
    pub fn names(&self, candidate: Candidate) -> (&str, &str) {
        (
            &self.spaces[candidate.space],
            &self.methods[candidate.method],
        )
    }

    /// The scores of a candidate, one per fold.
    ///
    /// # Panics
    /// Panics if there is no such candidate.
    pub fn of(&self, candidate: Candidate) -> &[Result<V, X>] {
        let place = self.place(candidate);
        let found = self.candidates.get(place);
        assert_eq!(found, Some(&candidate), "no such candidate");
        &self.outcomes[place * self.folds..][..self.folds]
    }

    /// The mean scores of a candidate over all folds.
    ///
    /// # Errors
    /// The error of its first fold that failed.
    ///
    /// # Panics
    /// Panics if there is no such candidate.
    pub fn mean(&self, candidate: Candidate) -> Result<V, &X> {
        self.over_folds(candidate, mean_of)
    }

    /// The standard deviation of a candidate's scores over these folds, which is no estimate for other folds: the squares are divided
    /// by the number of folds.
    ///
    /// # Errors
    /// As [`mean`](Self::mean).
    ///
    /// # Panics
    /// Panics if there is no such candidate.
    pub fn deviation(&self, candidate: Candidate) -> Result<V, &X> {
        self.over_folds(candidate, deviation_of)
    }

    fn over_folds(&self, candidate: Candidate, of: fn(&[f64]) -> f64) -> Result<V, &X> {
        let mut scores = Vec::with_capacity(self.folds);
        for score in self.of(candidate) {
            scores.push(score.as_ref()?.clone());
        }
        Ok(V::each(&scores, of))
    }

    /// The candidate with the largest mean of the first score; of equals, the first candidate. A candidate that failed on a fold,
    /// or whose mean is NaN, does not take part; `None` if no candidate takes part.
    pub fn best(&self) -> Option<Candidate> {
        self.best_by(0)
    }

    /// The best candidate as [`best`](Self::best) finds it, but by the score at another place, from 0.
    ///
    /// # Panics
    /// Panics if there is no such score.
    pub fn best_by(&self, score: usize) -> Option<Candidate> {
        self.ranked(score).first().map(|&(candidate, _)| candidate)
    }

    /// Returns the candidates that have a mean score, with this score; the largest comes first, of equals the first candidate.
    fn ranked(&self, score: usize) -> Vec<(Candidate, f64)> {
        // Adds 0, so that 0 and −0 are equal.
        let mean = |candidate| Some(self.mean(candidate).ok()?.values()[score] + 0.0);
        let with_mean = |candidate| mean(candidate).map(|mean| (candidate, mean));
        let mut ranked: Vec<_> = self.candidates().filter_map(with_mean).collect();
        ranked.retain(|(_, mean)| !mean.is_nan());
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    }

    /// The fits that failed: candidate, fold and error.
    pub fn failures(&self) -> impl Iterator<Item = (Candidate, usize, &X)> {
        let of_candidate = |candidate| {
            let outcomes = self.of(candidate).iter().enumerate();
            outcomes
                .filter_map(move |(fold, outcome)| Some((candidate, fold, outcome.as_ref().err()?)))
        };
        self.candidates().flat_map(of_candidate)
    }
}

/// Prints a line per candidate: space, method, and mean ± standard deviation of its scores, or the error of the first fit that failed.
impl<X: fmt::Display, V: Score> fmt::Display for Scores<X, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranked: Vec<_> = self.ranked(0).into_iter().map(|(c, _)| c).collect();
        let without = |&c: &Candidate| self.mean(c).map_or(true, |mean| mean.values()[0].is_nan());
        let others = self.candidates().filter(without);
        let mut table = Table::of_scores(&["space", "method"], &self.score_names);
        for candidate in ranked.iter().copied().chain(others) {
            let (space, method) = self.names(candidate);
            let mut row = vec![space.to_owned(), method.to_owned()];
            match (self.mean(candidate), self.deviation(candidate)) {
                (Ok(mean), Ok(deviation)) => {
                    let both = mean.values().iter().zip(deviation.values().to_vec());
                    row.extend(both.map(|(m, d)| format!("{} ± {}", number(*m), number(d))));
                }
                (Err(error), _) | (_, Err(error)) => row.push(error.to_string()),
            }
            table.push(row);
        }
        table.fmt(f)
    }
}

npt_core::checked! {
    Scores<X, V> {
        candidates: Vec<Candidate>,
        is_paired: bool,
        folds: usize,
        outcomes: Vec<Result<V, X>>,
        spaces: Vec<String>,
        methods: Vec<String>,
        score_names: Vec<String>,
    }
}

#[cfg(feature = "serde")]
impl<X, V> Scores<X, V> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, place};
        let expected = self.candidates.len().checked_mul(self.folds);
        let expected = expected.ok_or("there cannot have been so many folds")?;
        agree(
            "outcomes",
            self.outcomes.len(),
            "candidates and folds",
            expected,
        )?;
        for (number, candidate) in self.candidates.iter().enumerate() {
            place("space", candidate.space, self.spaces.len())?;
            place("method", candidate.method, self.methods.len())?;
            if self.place(*candidate) != number {
                return Err(format!("candidate {number} is at another place"));
            }
        }
        Ok(())
    }
}
