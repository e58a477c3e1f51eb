//! The token that ends work before it is done.

use crate::{
    Interrupted, Snapshot,
    current::{Cancellation, Tokens},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

/// Runs work, and ends it from any thread, or after a time.
///
/// Clones are one token, but each has its own limits of time and iterations. A token that was cancelled, or whose time is over, stays so:
/// further work ends at its first step.
///
/// # How work ends
/// The stack of the work is unwound to [`run`](Self::run), without the message of a panic, and everything that was
/// allocated is freed. A program that is compiled with `panic = "abort"` cannot be unwound: its fits go on to their end.
/// The solver of tridiagonal matrices cannot be asked to end; it is left alone with its memory, and ends by itself.
///
/// # Example
/// ```
/// use npt_watch::{CancellationToken, Interrupted};
/// use std::time::Duration;
///
/// let token = CancellationToken::new().cancel_after(Duration::ZERO);
/// let ended = token.run(|| Ok::<_, ()>(npt_watch::check()));
/// assert_eq!(ended, Err(Interrupted::DeadlineExceeded { limit: Duration::ZERO, stage: "work" }));
/// ```
#[derive(Debug, Clone, Default)]
pub struct CancellationToken {
    shared: Arc<Shared>,
    cancel: Option<Deadline>,
    finish: Option<Deadline>,
    most_iterations: Option<usize>,
}

#[derive(Debug, Default)]
struct Shared {
    asked: AtomicU8,
    unfinished: Mutex<Vec<Unfinished>>,
    iterations: Mutex<Vec<(&'static str, usize)>>,
    progress: Mutex<Option<Snapshot>>,
}

const FINISH: u8 = 1;
const CANCEL: u8 = 2;

/// The end of a time limit, with the limit.
#[derive(Debug, Clone, Copy)]
struct Deadline {
    end: Option<Instant>,
    limit: Duration,
}

impl Deadline {
    fn after(limit: Duration) -> Self {
        let end = Instant::now().checked_add(limit);
        Self { end, limit }
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// Iterations that ended with their best result before they had converged.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Unfinished {
    /// The name of the [`Progress`](crate::Progress) of the iterations.
    pub stage: &'static str,
    /// The number of iterations.
    pub iterations: usize,
    /// The measure that they lower or raise.
    pub measure: &'static str,
    /// The value that the measure had.
    pub value: f64,
}

impl CancellationToken {
    /// Makes a token that ends nothing until it is asked to.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends work that is not done when `limit` has passed after this call.
    pub fn cancel_after(mut self, limit: Duration) -> Self {
        self.cancel = Some(Deadline::after(limit));
        self
    }

    /// Ends iterations with their best result when `limit` has passed after this call, as [`finish`](Self::finish) does.
    pub fn finish_after(mut self, limit: Duration) -> Self {
        self.finish = Some(Deadline::after(limit));
        self
    }

    /// Ends the iterations of each stage after `most` of them, with their best result, as [`finish`](Self::finish) does.
    ///
    /// # Example
    /// ```
    /// use npt_watch::{CancellationToken, Progress};
    ///
    /// let token = CancellationToken::new().finish_after_iterations(3);
    /// let halved = token.run(|| {
    ///     let mut progress = Progress::start("halves", None);
    ///     let (mut left, mut done) = (1.0, 0);
    ///     while !progress.should_finish(done, "what is left", left) {
    ///         (left, done) = (left / 2.0, done + 1);
    ///     }
    ///     Ok::<f64, ()>(left)
    /// });
    /// assert_eq!(halved, Ok(0.125));
    /// assert_eq!(token.unfinished()[0].iterations, 3);
    /// ```
    pub fn finish_after_iterations(mut self, most: usize) -> Self {
        self.most_iterations = Some(most);
        self
    }

    /// Ends the work: [`run`](Self::run) returns [`Interrupted::Cancelled`].
    pub fn cancel(&self) {
        self.shared.asked.fetch_max(CANCEL, Ordering::Relaxed);
    }

    /// Ends iterations with their best result: solvers of support vector machines, logistic regression, k-means,
    /// FastICA, L1 components, conjugate gradients and all methods that descend. The rest of the work goes on;
    /// [`unfinished`](Self::unfinished) then says which iterations ended early.
    pub fn finish(&self) {
        self.shared.asked.fetch_max(FINISH, Ordering::Relaxed);
    }

    /// The iterations that ended early: for each stage the last of them. The result of the work is then the best that they had, and not
    /// the one to which they would have converged. The list is empty if no iterations ended early.
    pub fn unfinished(&self) -> Vec<Unfinished> {
        self.list().clone()
    }

    /// Returns the stages that iterated and have ended, each with the largest number of iterations among its runs.
    ///
    /// # Example
    /// ```
    /// use npt_watch::{CancellationToken, Progress};
    ///
    /// let token = CancellationToken::new();
    /// token.run(|| {
    ///     for most in [5, 7, 2] {
    ///         Progress::start("halves", None).iterated(most, "what is left", 0.5_f64.powi(most as i32));
    ///     }
    ///     Ok::<(), ()>(())
    /// })
    /// .unwrap();
    /// assert_eq!(token.iterations(), [("halves", 7)]);
    /// ```
    pub fn iterations(&self) -> Vec<(&'static str, usize)> {
        self.counts().clone()
    }

    /// Returns the progress that the work told last; `None` before it has gone on for a tenth of a second. A program that has several
    /// fits at once tells them apart by their tokens.
    ///
    /// # Example
    /// ```
    /// use npt_watch::{CancellationToken, Progress};
    /// use std::{thread::sleep, time::Duration};
    ///
    /// let token = CancellationToken::new();
    /// assert_eq!(token.progress(), None);
    /// token.run(|| {
    ///     let mut progress = Progress::start("naps", 3);
    ///     for done in 1..=3 {
    ///         sleep(Duration::from_millis(60));
    ///         progress.at(done);
    ///     }
    ///     Ok::<(), ()>(())
    /// })
    /// .unwrap();
    /// let told = token.progress().unwrap();
    /// assert_eq!((told.stage, told.total), ("naps", Some(3)));
    /// assert!(told.done >= 1);
    /// ```
    pub fn progress(&self) -> Option<Snapshot> {
        *self.last()
    }

    /// Does `work`, which this token can end.
    ///
    /// # Errors
    /// [`Interrupted`]: the error of `work`, or the reason for its end. Work within work is ended by either token.
    ///
    /// # Panics
    /// Panics if `work` panics.
    pub fn run<T, E>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T, Interrupted<E>> {
        let tokens = Tokens::with(self);
        // After a panic, only values that the work borrows can be seen, and its steps leave these valid.
        let result = catch_unwind(AssertUnwindSafe(work));
        drop(tokens);
        let payload = match result {
            Ok(result) => return result.map_err(Interrupted::Failed),
            Err(payload) => payload,
        };
        let Cancellation { stage, limit, .. } = match payload.downcast::<Cancellation>() {
            Ok(cancellation) if cancellation.is_of(self) => *cancellation,
            Ok(of_another) => resume_unwind(of_another),
            Err(panic) => resume_unwind(panic),
        };
        Err(match limit {
            Some(limit) => Interrupted::DeadlineExceeded { limit, stage },
            None => Interrupted::Cancelled { stage },
        })
    }

    /// Returns the limit of the deadline that ends the work; none if somebody asked for the end.
    pub(super) fn limit_that_is_over(&self) -> Option<Duration> {
        let deadline = self.cancel.filter(|_| !self.is_asked_to(CANCEL));
        deadline.map(|deadline| deadline.limit)
    }

    pub(super) fn wants_end(&self) -> bool {
        self.is_asked_to(CANCEL) || self.cancel.is_some_and(|deadline| deadline.is_over())
    }

    /// Returns whether iterations are to end with their best result after so many.
    pub(super) fn wants_best(&self, iterations: usize) -> bool {
        self.is_asked_to(FINISH)
            || self.finish.is_some_and(|deadline| deadline.is_over())
            || self.most_iterations.is_some_and(|most| iterations >= most)
    }

    pub(super) fn most_iterations(&self) -> Option<usize> {
        self.most_iterations
    }

    pub(super) fn saw(&self, snapshot: Snapshot) {
        *self.last() = Some(snapshot);
    }

    pub(super) fn note(&self, unfinished: Unfinished) {
        let mut list = self.list();
        list.retain(|earlier| earlier.stage != unfinished.stage);
        list.push(unfinished);
    }

    pub(super) fn iterated(&self, stage: &'static str, iterations: usize) {
        let mut counts = self.counts();
        match counts.iter_mut().find(|(earlier, _)| *earlier == stage) {
            Some((_, most)) => *most = iterations.max(*most),
            None => counts.push((stage, iterations)),
        }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    fn is_asked_to(&self, what: u8) -> bool {
        self.shared.asked.load(Ordering::Relaxed) >= what
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Option<Snapshot>> {
        let progress = self.shared.progress.lock();
        progress.unwrap_or_else(PoisonError::into_inner)
    }

    fn counts(&self) -> std::sync::MutexGuard<'_, Vec<(&'static str, usize)>> {
        let iterations = self.shared.iterations.lock();
        iterations.unwrap_or_else(PoisonError::into_inner)
    }

    fn list(&self) -> std::sync::MutexGuard<'_, Vec<Unfinished>> {
        let unfinished = self.shared.unfinished.lock();
        unfinished.unwrap_or_else(PoisonError::into_inner)
    }
}
