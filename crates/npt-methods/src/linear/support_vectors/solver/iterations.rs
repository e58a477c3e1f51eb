//! The iterations of the solver's parts, as one stage.

use npt_core::watch::Progress;

/// The measure that each iteration lowers.
pub(super) const VIOLATION: &str = "the violation of optimality";

/// Counts the iterations of all parts: passes of coordinate descent, steps of the interior point method, moves of pairs.
pub(super) struct Iterations {
    progress: Progress,
    done: usize,
}

impl Iterations {
    pub(super) fn begin() -> Self {
        Self {
            progress: Progress::start("support vectors", None),
            done: 0,
        }
    }

    /// Reports the violation that is left, before or after an iteration, and counts the iteration; the work may end here.
    pub(super) fn count(&mut self, violation: f64) {
        self.tell(violation);
        self.done += 1;
    }

    /// Reports the violation that is left; the work may end here.
    pub(super) fn tell(&mut self, violation: f64) {
        (self.progress).iterated(self.done, VIOLATION, violation);
    }

    /// Counts moves of pairs.
    pub(super) fn moved(&mut self, moves: usize) {
        self.done += moves;
    }

    /// Returns the number of iterations that a limit leaves; `None` without a limit.
    pub(super) fn left(&self) -> Option<usize> {
        self.progress.iterations_left(self.done)
    }

    /// Returns whether the best point so far is enough. A part of the solver then ends, and the last part notes it.
    pub(super) fn are_to_finish(&self) -> bool {
        // The last report is from before the last iteration.
        self.left() == Some(0) || self.progress.is_to_finish()
    }

    /// Reports the violation that is left, and returns whether the best point so far is enough, which is noted: for the last part.
    pub(super) fn should_finish(&mut self, violation: f64) -> bool {
        (self.progress).should_finish(self.done, VIOLATION, violation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use npt_core::watch::{CancellationToken, Interrupted};

    #[test]
    fn iterations_are_counted() {
        let token = CancellationToken::new();
        let work = || {
            let mut iterations = Iterations::begin();
            iterations.count(4.0);
            iterations.count(3.0);
            iterations.moved(7);
            assert!(!iterations.should_finish(2.0));
            token.finish();
            assert!(iterations.are_to_finish() && iterations.should_finish(1.0));
            Ok::<(), ()>(())
        };
        assert_eq!(token.run(work), Ok(()));
        let unfinished = token.unfinished();
        let counts: Vec<usize> = unfinished.iter().map(|stage| stage.iterations).collect();
        assert_eq!(counts, [9]);
    }

    #[test]
    fn a_limit_leaves_fewer_with_each() {
        let token = CancellationToken::new().finish_after_iterations(10);
        let work = || {
            let mut iterations = Iterations::begin();
            assert_eq!(iterations.left(), Some(10));
            iterations.count(1.0);
            iterations.moved(8);
            assert_eq!(
                (iterations.left(), iterations.should_finish(0.5)),
                (Some(1), false)
            );
            iterations.moved(3);
            assert_eq!(
                (iterations.left(), iterations.should_finish(0.5)),
                (Some(0), true)
            );
            Ok::<(), ()>(())
        };
        assert_eq!(token.run(work), Ok(()));
        assert_eq!(token.iterations(), [("support vectors", 12)]);
        assert_eq!(Iterations::begin().left(), None);
    }

    #[test]
    fn work_ends_where_a_round_is_counted() {
        let token = CancellationToken::new();
        let ended = token.run(|| {
            let mut iterations = Iterations::begin();
            token.cancel();
            iterations.count(1.0);
            Ok::<(), ()>(())
        });
        let stage = "support vectors";
        assert_eq!(ended, Err(Interrupted::Cancelled { stage }));
    }
}
