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

    /// Tells that so much is left, before or after a round, and counts it; the work may end here.
    pub(super) fn count(&mut self, violation: f64) {
        (self.progress).iterated(self.done, VIOLATION, violation);
        self.done += 1;
    }

    /// Whether the best so far is enough: then a part ends, and the last one notes it.
    pub(super) fn are_to_finish(&self) -> bool {
        self.progress.is_to_finish()
    }

    /// Counts a round, and whether the best so far is enough, which is noted: for the last part.
    pub(super) fn should_finish(&mut self, violation: f64) -> bool {
        let finished = (self.progress).should_finish(self.done, VIOLATION, violation);
        self.done += 1;
        finished
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npt_core::watch::{CancellationToken, Interrupted};

    #[test]
    fn rounds_are_counted() {
        let token = CancellationToken::new();
        let work = || {
            let mut rounds = Rounds::begin();
            rounds.count(4.0);
            rounds.count(3.0);
            token.finish();
            assert!(rounds.are_to_finish());
            assert!(rounds.should_finish(2.0) && rounds.should_finish(1.0));
            Ok::<(), ()>(())
        };
        assert_eq!(token.run(work), Ok(()));
        let unfinished = token.unfinished();
        let counts: Vec<usize> = unfinished.iter().map(|stage| stage.iterations).collect();
        assert_eq!(counts, [3]);
    }

    #[test]
    fn work_ends_where_a_round_is_counted() {
        let token = CancellationToken::new();
        let ended = token.run(|| {
            let mut rounds = Rounds::begin();
            token.cancel();
            rounds.count(1.0);
            Ok::<(), ()>(())
        });
        let stage = "support vectors";
        assert_eq!(ended, Err(Interrupted::Cancelled { stage }));
    }
}
