//! How far work is.

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

/// How long work goes on before it tells how far it is, for the first time and again.
const INTERVAL: Duration = Duration::from_millis(100);

/// The progress of work, as it was told last.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The name of the work, as [`Progress::start`] has it.
    pub stage: &'static str,
    /// The number of steps that are done.
    pub done: usize,
    /// The number of all steps, where it is known.
    pub total: Option<usize>,
    /// The measure that iterations lower or raise.
    pub measure: Option<&'static str>,
    /// The value that it has.
    pub value: Option<f64>,
}

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
    steps: Steps,
    /// `true` where its steps are iterations.
    iterates: bool,
    _scope: Stage,
    /// The scope is this thread's.
    _here: PhantomData<*const ()>,
}

impl Progress {
    /// Work called `stage` begins, of `total` steps if that is known.
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

    /// Its steps, for threads that take them in any order. What [`at`](Self::at) says afterwards takes the place of their number.
    pub fn steps(&self) -> Steps {
        self.steps.clone()
    }

    /// So many steps are done; the work may end here.
    pub fn at(&mut self, done: usize) {
        check();
        self.steps.are_done(done, None, None);
    }

    /// So many iterations are done, and what they lower or raise is so far; the work may end here.
    pub fn iterated(&mut self, done: usize, measure: &'static str, value: f64) {
        check();
        self.iterates = true;
        self.steps.are_done(done, Some(measure), Some(value));
    }

    /// Whether iterations are to end with the best they have. It is noted where they do, by [`should_finish`](Self::should_finish): this
    /// is for parts before that, and for what is worth computing only then.
    pub fn is_to_finish(&self) -> bool {
        is_to_finish(self.steps.done())
    }

    /// Returns the number of iterations that a [limit](crate::CancellationToken::finish_after_iterations) leaves after so many; `None`
    /// without a limit.
    pub fn iterations_left(&self, done: usize) -> Option<usize> {
        most_iterations().map(|most| most.saturating_sub(done))
    }

    /// As [`iterated`](Self::iterated), and whether the iterations are to end with the best they have, which is then noted.
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
    /// When to tell how far it is, in nanoseconds from the beginning.
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

    /// So many more are done; the work may end here.
    pub fn take(&self, steps: usize) {
        check();
        self.0.done.fetch_add(steps, Relaxed);
        self.tell(None, None);
    }

    /// Returns how many are done.
    pub fn done(&self) -> usize {
        self.0.done.load(Relaxed)
    }

    fn are_done(&self, done: usize, measure: Option<&'static str>, value: Option<f64>) {
        self.0.done.store(done, Relaxed);
        self.tell(measure, value);
    }

    fn tell(&self, measure: Option<&'static str>, value: Option<f64>) {
        if self.is_due() {
            // Now: others may have taken steps since this thread's.
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

    /// Returns whether it is time to tell; of several threads, one is told so.
    fn is_due(&self) -> bool {
        let Work { began, next, .. } = &*self.0;
        let (now, due) = (nanoseconds(began.elapsed()), next.load(Relaxed));
        let later = now.saturating_add(nanoseconds(INTERVAL));
        now >= due && next.compare_exchange(due, later, Relaxed, Relaxed).is_ok()
    }
}

/// Up to 584 years.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
