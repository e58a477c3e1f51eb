//! What a grid search found.

use npt_core::KernelizedError;

/// One candidate of a [`GridSearch`](super::GridSearch): a space and a method, by their places in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Which space, from 0.
    pub space: usize,
    /// Which method, from 0.
    pub method: usize,
}

/// The scores of all candidates on all folds.
///
/// A fit that failed has its error in the place of its score, and its candidate is out of the
/// competition; the others are not touched.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores<E> {
    pub(super) methods: usize,
    pub(super) folds: usize,
    /// By space, then method, then fold.
    pub(super) outcomes: Vec<Result<f64, KernelizedError<E>>>,
}

impl<E> Scores<E> {
    /// All candidates, by space, then method.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        let count = self.outcomes.len() / self.folds;
        (0..count).map(|index| Candidate {
            space: index / self.methods,
            method: index % self.methods,
        })
    }

    /// The scores of a candidate, one a fold.
    ///
    /// # Panics
    /// Panics if there is no such candidate.
    pub fn of(&self, candidate: Candidate) -> &[Result<f64, KernelizedError<E>>] {
        assert!(candidate.method < self.methods, "no method {candidate:?}");
        let start = (candidate.space * self.methods + candidate.method) * self.folds;
        &self.outcomes[start..start + self.folds]
    }

    /// The mean score of a candidate over all folds.
    ///
    /// # Errors
    /// The error of its first fold that failed.
    ///
    /// # Panics
    /// Panics if there is no such candidate.
    pub fn mean(&self, candidate: Candidate) -> Result<f64, &KernelizedError<E>> {
        let scores = self.of(candidate).iter().map(Result::as_ref);
        let sum = scores.sum::<Result<f64, _>>()?;
        Ok(sum / self.folds as f64)
    }

    /// The candidate with the largest mean score; of equals, the first. One that failed on a fold,
    /// or whose mean is NaN, does not take part; `None` if none does.
    pub fn best(&self) -> Option<Candidate> {
        let mut best = None;
        for candidate in self.candidates() {
            if let Ok(mean) = self.mean(candidate)
                && !mean.is_nan()
                && best.is_none_or(|(_, largest)| mean > largest)
            {
                best = Some((candidate, mean));
            }
        }
        best.map(|(candidate, _)| candidate)
    }

    /// The fits that failed: candidate, fold and error.
    pub fn failures(&self) -> impl Iterator<Item = (Candidate, usize, &KernelizedError<E>)> {
        let of_candidate = |candidate| {
            let outcomes = self.of(candidate).iter().enumerate();
            outcomes
                .filter_map(move |(fold, outcome)| Some((candidate, fold, outcome.as_ref().err()?)))
        };
        self.candidates().flat_map(of_candidate)
    }
}
