//! Progress of work: how far it is, and where it may end early.

use crate::{
    Unfinished,
    current::{self, Stage, check, is_to_finish, iterated, most_iterations, should_finish},
};
use std::{
    marker::PhantomData,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// The time between two reports of work, and before the first.
const INTERVAL: Duration = Duration::from_millis(100);

/// The progress of work, as it was told last.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The name of the work, as given to [`Progress::start`].
    pub stage: &'static str,
    /// The number of steps that are done.
    pub done: usize,
    /// The number of all steps, if it is known.
    pub total: Option<usize>,
    /// The measure that iterations lower or raise.
    pub measure: Option<&'static str>,
    /// The value of that measure.
    pub value: Option<f64>,
}

/// A long loop, which tells how far it is, and which is where work may end early.
///
/// Its span is called `stage`, with the fields `name`, `total` (if it is known) and `done`. Its events have `stage`, `done` and
/// `total`; events of iterations also have `measure` and `value`.
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
    steps: Steps,
    /// Is true if the steps are iterations.
    iterates: bool,
    _scope: Stage,
    /// The scope belongs to this thread.
    _here: PhantomData<*const ()>,
}

impl Progress {
    /// Begins work called `stage`, with `total` steps if that number is known.
    pub fn start(stage: &'static str, total: impl Into<Option<usize>>) -> Self {
        let steps = Steps::new(stage, total.into());
        let scope = Stage::enter(stage);
        check();
        Self {
            steps,
            iterates: false,
            _scope: scope,
            _here: PhantomData,
        }
    }

    /// Returns the steps, for threads that take them in any order. A later call of [`at`](Self::at) replaces their number.
    pub fn steps(&self) -> Steps {
        self.steps.clone()
    }

    /// Says that `done` steps are done; the work may end here.
    pub fn at(&mut self, done: usize) {
        check();
        self.steps.are_done(done, None, None);
    }

    /// Says that `done` iterations are done, and gives the value of what they lower or raise; the work may end here.
    pub fn iterated(&mut self, done: usize, measure: &'static str, value: f64) {
        check();
        self.iterates = true;
        self.steps.are_done(done, Some(measure), Some(value));
    }

    /// Returns whether iterations are to end with their best result. It notes nothing; the iterations that end call
    /// [`should_finish`](Self::should_finish). This call is for earlier parts of the work, and for results that are worth computing only then.
    pub fn is_to_finish(&self) -> bool {
        is_to_finish(self.steps.done())
    }

    /// Returns the number of iterations that a [limit](crate::CancellationToken::finish_after_iterations) leaves after `done` of them; `None`
    /// without a limit.
    pub fn iterations_left(&self, done: usize) -> Option<usize> {
        most_iterations().map(|most| most.saturating_sub(done))
    }

    /// Does what [`iterated`](Self::iterated) does, and returns whether the iterations are to end with their best result, which is then noted.
    pub fn should_finish(&mut self, done: usize, measure: &'static str, value: f64) -> bool {
        self.iterated(done, measure, value);
        should_finish(Unfinished {
            stage: self.steps.0.stage,
            iterations: done,
            measure,
            value,
        })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let (work, done) = (&self.steps.0, self.steps.done());
        work.span.record("done", done);
        if self.iterates {
            iterated(work.stage, done);
        }
    }
}

/// The steps of a stage that is divided among threads; [`Progress::steps`] gives them.
///
/// # Example
/// ```
/// use npt_watch::{CancellationToken, Carrier, Progress};
/// use std::thread;
///
/// let token = CancellationToken::new();
/// let found = token.run(|| {
///     let progress = Progress::start("squares", 100);
///     let (steps, carrier) = (progress.steps(), Carrier::new());
///     let squares = |numbers: std::ops::Range<u32>| {
///         let square = |i| {
///             steps.take(1);
///             i * i
///         };
///         carrier.over(|| numbers.map(square).sum::<u32>())
///     };
///     let sum = thread::scope(|threads| {
///         let half = threads.spawn(|| squares(0..50));
///         squares(50..100) + half.join().expect("nobody cancels")
///     });
///     assert_eq!(steps.done(), 100);
///     Ok::<u32, ()>(sum)
/// });
/// assert_eq!(found, Ok(328_350));
/// ```
#[derive(Debug, Clone)]
pub struct Steps(Arc<Work>);

#[derive(Debug)]
struct Work {
    stage: &'static str,
    total: Option<usize>,
    done: AtomicUsize,
    span: tracing::Span,
    began: Instant,
    /// The time of the next report, in nanoseconds from the beginning.
    next: AtomicU64,
}

impl Steps {
    fn new(stage: &'static str, total: Option<usize>) -> Self {
        let span = tracing::debug_span!(
            target: "npt",
            "stage",
            name = stage,
            total,
            done = tracing::field::Empty
        );
        Self(Arc::new(Work {
            stage,
            total,
            done: AtomicUsize::new(0),
            span,
            began: Instant::now(),
            next: AtomicU64::new(nanoseconds(INTERVAL)),
        }))
    }

    /// Says that `steps` more steps are done; the work may end here.
    pub fn take(&self, steps: usize) {
        check();
        self.0.done.fetch_add(steps, Relaxed);
        self.tell(None, None);
    }

    /// Returns the number of steps that are done.
    pub fn done(&self) -> usize {
        self.0.done.load(Relaxed)
    }

    fn are_done(&self, done: usize, measure: Option<&'static str>, value: Option<f64>) {
        self.0.done.store(done, Relaxed);
        self.tell(measure, value);
    }

    fn tell(&self, measure: Option<&'static str>, value: Option<f64>) {
        if self.is_due() {
            // The number is read now, because other threads may have taken steps since this thread did.
            let done = self.done();
            let Work { total, span, .. } = &*self.0;
            let stage = self.0.stage;
            current::tell(Snapshot {
                stage,
                done,
                total: *total,
                measure,
                value,
            });
            tracing::info!(target: "npt", parent: span, stage, done, total = *total, measure, value, "at work");
        }
    }

    /// Returns whether it is time for a report; among several threads, only one gets `true`.
    fn is_due(&self) -> bool {
        let Work { began, next, .. } = &*self.0;
        let (now, due) = (nanoseconds(began.elapsed()), next.load(Relaxed));
        let later = now.saturating_add(nanoseconds(INTERVAL));
        now >= due && next.compare_exchange(due, later, Relaxed, Relaxed).is_ok()
    }
}

/// The time in nanoseconds, up to 584 years.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
