//! How far work is.

use crate::{
    Unfinished,
    current::{Stage, check, should_finish},
};
use std::{
    marker::PhantomData,
    time::{Duration, Instant},
};

/// How long work goes on before it tells how far it is, for the first time and again.
const INTERVAL: Duration = Duration::from_millis(100);

/// A long loop: it tells how far it is, and is where work ends early.
///
/// Its span is called `stage`, with the fields `name`, `total` (where it is known) and `done`; its events have `stage`, `done`,
/// `total` and, of iterations, `measure` and `value`.
///
/// # Example
/// ```
/// use npt_watch::{CancellationToken, Progress};
///
/// // The root of 2 by Newton's method.
/// let root = |most| {
///     let mut progress = Progress::start("root", most);
///     let mut root = 1.0_f64;
///     for done in 0..most {
///         if progress.should_finish(done, "squared error", (root * root - 2.0).powi(2)) {
///             break;
///         }
///         root = (root + 2.0 / root) / 2.0;
///     }
///     Ok::<f64, ()>(root)
/// };
///
/// let token = CancellationToken::new();
/// token.finish();
/// assert_eq!(token.run(|| root(20)), Ok(1.0));
/// assert_eq!(token.unfinished()[0].stage, "root");
/// assert!((root(20)? - 2.0_f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), ()>(())
/// ```
pub struct Progress {
    stage: &'static str,
    total: Option<usize>,
    done: usize,
    next: Option<Instant>,
    span: tracing::Span,
    _scope: Stage,
    /// The scope is this thread's.
    _here: PhantomData<*const ()>,
}

impl Progress {
    /// Work called `stage` begins, of `total` steps if that is known.
    pub fn start(stage: &'static str, total: impl Into<Option<usize>>) -> Self {
        let total = total.into();
        let span = tracing::debug_span!(
            target: "npt",
            "stage",
            name = stage,
            total,
            done = tracing::field::Empty
        );
        let scope = Stage::enter(stage);
        check();
        Self {
            stage,
            total,
            done: 0,
            next: Instant::now().checked_add(INTERVAL),
            span,
            _scope: scope,
            _here: PhantomData,
        }
    }

    /// So many steps are done; the work may end here.
    pub fn at(&mut self, done: usize) {
        self.look(done, None, None);
    }

    /// So many iterations are done, and what they lower or raise is so far; the work may end here. Whether they are to end
    /// with the best they have.
    pub fn should_finish(&mut self, done: usize, measure: &'static str, value: f64) -> bool {
        self.look(done, Some(measure), Some(value));
        should_finish(|| Unfinished {
            stage: self.stage,
            iterations: done,
            measure,
            value,
        })
    }

    fn look(&mut self, done: usize, measure: Option<&'static str>, value: Option<f64>) {
        check();
        self.done = done;
        if self.is_due() {
            let Self {
                stage, total, span, ..
            } = self;
            tracing::info!(target: "npt", parent: &*span, stage = *stage, done, total = *total, measure, value, "at work");
        }
    }

    /// Whether it is time to tell.
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = self.next.is_some_and(|next| now >= next);
        if is_due {
            self.next = now.checked_add(INTERVAL);
        }
        is_due
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.span.record("done", self.done);
    }
}
