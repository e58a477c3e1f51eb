//! The rounds of the solver's parts, as one stage.

use npt_core::watch::Progress;

/// What each round lowers.
pub(super) const VIOLATION: &str = "the violation of optimality";

/// Counts the rounds of all parts: coordinate descent, interior point steps, pairs.
pub(super) struct Rounds {
    progress: Progress,
    done: usize,
}

impl Rounds {
    pub(super) fn begin() -> Self {
        Self {
            progress: Progress::start("support vectors", None),
            done: 0,
        }
    }

    /// Before or after another one, with so much left. Whether the best so far is enough: then the part ends, and the last one notes it.
    pub(super) fn is_to_finish(&mut self, violation: f64) -> bool {
        (self.progress).iterated(self.done, VIOLATION, violation);
        self.done += 1;
        self.progress.is_to_finish()
    }

    /// Whether the best so far is enough.
    pub(super) fn are_to_finish(&self) -> bool {
        self.progress.is_to_finish()
    }

    /// As [`is_to_finish`](Self::is_to_finish), in the last part, which notes it.
    pub(super) fn should_finish(&mut self, violation: f64) -> bool {
        let finished = (self.progress).should_finish(self.done, VIOLATION, violation);
        self.done += 1;
        finished
    }
}
