//! The tokens that the current thread works under.

use crate::{CancellationToken, Snapshot, Unfinished};
use std::{
    cell::{Cell, RefCell},
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, MutexGuard,
        mpsc::{self, RecvTimeoutError},
    },
    time::Duration,
};

/// The time between two looks for a cancellation while foreign code runs.
const LOOK: Duration = Duration::from_millis(20);

/// A token, and the tokens around it.
struct Watch {
    token: CancellationToken,
    outer: Option<Arc<Watch>>,
}

impl Watch {
    /// Returns the innermost token for which `holds` is true.
    fn find(&self, holds: impl Fn(&CancellationToken) -> bool) -> Option<&CancellationToken> {
        let mut watch = Some(self);
        while let Some(Watch { token, outer }) = watch {
            if holds(token) {
                return Some(token);
            }
            watch = outer.as_deref();
        }
        None
    }
}

thread_local! {
    /// The tokens that the current thread works under.
    static WATCH: RefCell<Option<Arc<Watch>>> = const { RefCell::new(None) };
    /// The stage of the work of the current thread.
    static STAGE: Cell<&'static str> = const { Cell::new("work") };
}

fn watch() -> Option<Arc<Watch>> {
    WATCH.with_borrow(Option::clone)
}

/// Replaces the tokens of the thread as long as it lives; `drop` brings the old ones back.
pub(super) struct Tokens(Option<Arc<Watch>>);

impl Tokens {
    fn replace(watch: Option<Arc<Watch>>) -> Self {
        Self(WATCH.replace(watch))
    }

    /// Adds a token to those of the thread.
    pub(super) fn with(token: &CancellationToken) -> Self {
        Self::replace(Some(Arc::new(Watch {
            token: token.clone(),
            outer: watch(),
        })))
    }
}

impl Drop for Tokens {
    fn drop(&mut self) {
        WATCH.set(self.0.take());
    }
}

/// Replaces the stage of the work as long as it lives; `drop` brings the old one back.
pub(super) struct Stage(&'static str);

impl Stage {
    pub(super) fn enter(stage: &'static str) -> Self {
        Self(STAGE.replace(stage))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        STAGE.set(self.0);
    }
}

/// The payload with which cancelled work is unwound.
pub(super) struct Cancellation {
    token: CancellationToken,
    pub(super) stage: &'static str,
    /// The limit of the deadline that was over; none if somebody asked for the end.
    pub(super) limit: Option<Duration>,
}

impl Cancellation {
    pub(super) fn is_of(&self, token: &CancellationToken) -> bool {
        self.token.is(token)
    }
}

/// Ends the work here if a [`CancellationToken`] that runs it was asked to end it. It is meant for long loops of kernels and methods of
/// your own, and takes a few nanoseconds.
pub fn check() {
    let ended = WATCH.with_borrow(|watch| {
        let token = watch.as_ref()?.find(CancellationToken::wants_end)?;
        Some(Cancellation {
            token: token.clone(),
            stage: STAGE.get(),
            limit: token.limit_that_is_over(),
        })
    });
    // The values that are dropped on the way may call this again; a second panic would end the program.
    if let Some(cancellation) = ended
        && cfg!(panic = "unwind")
        && !std::thread::panicking()
    {
        resume_unwind(Box::new(cancellation));
    }
}

/// Calls `with` for each token of this thread.
fn with_each(mut with: impl FnMut(&CancellationToken)) {
    WATCH.with_borrow(|watch| {
        let mut watch = watch.as_deref();
        while let Some(Watch { token, outer }) = watch {
            with(token);
            watch = outer.as_deref();
        }
    });
}

/// Tells the tokens of this thread how far its work is.
pub(super) fn tell(snapshot: Snapshot) {
    with_each(|token| token.saw(snapshot));
}

/// Tells the tokens of this thread how many iterations a stage took.
pub(super) fn iterated(stage: &'static str, iterations: usize) {
    with_each(|token| token.iterated(stage, iterations));
}

/// Returns the smallest number of iterations that a token of this thread allows.
pub(super) fn most_iterations() -> Option<usize> {
    let mut most: Option<usize> = None;
    with_each(|token| most = most.into_iter().chain(token.most_iterations()).min());
    most
}

/// Returns the token by which iterations are to end with their best result, after so many of them.
fn token_that_wants_best(iterations: usize) -> Option<CancellationToken> {
    WATCH.with_borrow(|watch| {
        let wants_best = |token: &CancellationToken| token.wants_best(iterations);
        watch.as_ref()?.find(wants_best).cloned()
    })
}

/// Returns whether iterations are to end with their best result, after so many of them.
pub(super) fn is_to_finish(iterations: usize) -> bool {
    token_that_wants_best(iterations).is_some()
}

/// Returns whether iterations are to end with their best result, and then notes in the token what they have.
pub(super) fn should_finish(unfinished: Unfinished) -> bool {
    let token = token_that_wants_best(unfinished.iterations);
    if let Some(token) = &token {
        token.note(unfinished);
    }
    token.is_some()
}

/// Takes the tokens of one thread to others, which work for it.
///
/// As long as the carrier lives, its own thread has no tokens: while the thread waits for the others, it may be given work of
/// somebody else, who has other tokens or none.
///
/// # Example
/// ```
/// use npt_watch::{CancellationToken, Carrier, Interrupted, check};
///
/// let token = CancellationToken::new();
/// token.cancel();
/// let carrier = Carrier::new();
/// let free = std::thread::scope(|scope| scope.spawn(|| carrier.over(check)).join().is_ok());
/// let ended = token.run(|| {
///     let carrier = Carrier::new();
///     let on_another_thread = std::thread::scope(|scope| scope.spawn(|| carrier.over(check)).join());
///     on_another_thread.or_else(|end| std::panic::resume_unwind(end))
/// });
/// assert!(free);
/// assert_eq!(ended, Err::<(), _>(Interrupted::<()>::Cancelled { stage: "work" }));
/// ```
pub struct Carrier {
    watch: Option<Arc<Watch>>,
    stage: &'static str,
    _none: Tokens,
    /// The carrier is dropped on the thread whose tokens it took.
    _here: PhantomData<MutexGuard<'static, ()>>,
}

impl Carrier {
    /// Takes the tokens of this thread.
    #[expect(clippy::new_without_default, reason = "it depends on the thread")]
    pub fn new() -> Self {
        Self {
            watch: watch(),
            stage: STAGE.get(),
            _none: Tokens::replace(None),
            _here: PhantomData,
        }
    }

    /// Does `work` under these tokens and no others; if it is to end, it ends before it begins.
    pub fn over<R>(&self, work: impl FnOnce() -> R) -> R {
        let _scopes = (
            Tokens::replace(self.watch.clone()),
            Stage::enter(self.stage),
        );
        check();
        work()
    }
}

/// Does work that cannot be asked to end, such as a call of foreign code. Under a token it is done by other threads, as many as the
/// pool of this thread has. If the work is to end, these threads are left alone: they end by themselves, with what they own.
///
/// # Example
/// ```
/// assert_eq!(npt_watch::detached(|| 1 + 1), 2);
/// ```
pub fn detached<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    if watch().is_none() {
        return work();
    }
    let threads = rayon::ThreadPoolBuilder::new().num_threads(rayon::current_num_threads());
    let Ok(pool) = threads.build() else {
        return work();
    };
    let (sender, receiver) = mpsc::channel();
    pool.spawn(move || {
        // Nobody receives the result if the work has ended.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
    });
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(Ok(result)) => return result,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Timeout) => check(),
            Err(RecvTimeoutError::Disconnected) => unreachable!("what is spawned sends its result"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interrupted;

    /// Foreign work is left alone: it still waits when `run` has returned.
    #[test]
    fn foreign_work_is_left_alone() {
        let (begin, begun) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let (end, ended) = mpsc::channel();
        let token = CancellationToken::new();
        let other = token.clone();
        std::thread::spawn(move || {
            begun.recv().unwrap();
            other.cancel();
        });
        let foreign = move || {
            begin.send(()).unwrap();
            released.recv().unwrap();
            end.send(()).unwrap();
        };
        let result = token.run(|| {
            detached(foreign);
            Ok::<_, ()>(())
        });
        assert_eq!(result, Err(Interrupted::Cancelled { stage: "work" }));
        assert!(ended.try_recv().is_err());
        release.send(()).unwrap();
        ended.recv().unwrap();
    }

    #[test]
    #[should_panic(expected = "of foreign work")]
    fn panics_of_foreign_work_come_through() {
        let token = CancellationToken::new();
        let _ = token.run(|| -> Result<(), ()> { detached(|| panic!("of foreign work")) });
    }

    /// A stage and its token may end in any order, and leave nothing behind.
    #[test]
    fn a_stage_that_outlives_its_token_leaves_none_behind() {
        let token = CancellationToken::new();
        let stage = token.run(|| Ok::<_, ()>(Stage::enter("inner"))).unwrap();
        assert_eq!(STAGE.get(), "inner");
        drop(stage);
        token.cancel();
        check();
        let stage = Stage::enter("outer");
        let ended = CancellationToken::new()
            .cancel_after(Duration::ZERO)
            .run(|| {
                drop(stage);
                check();
                Ok::<_, ()>(())
            });
        let limit = Duration::ZERO;
        let expected = Interrupted::DeadlineExceeded {
            limit,
            stage: "work",
        };
        assert_eq!(ended, Err(expected));
    }

    /// A thread that waits for its own work has no tokens, so that other work which it is given meanwhile does not end by them.
    #[test]
    fn a_waiting_thread_has_no_tokens() {
        let token = CancellationToken::new();
        let ended = token.run(|| {
            token.cancel();
            let carrier = Carrier::new();
            check();
            Carrier::new().over(check);
            carrier.over(check);
            Ok::<_, ()>(())
        });
        assert_eq!(ended, Err(Interrupted::Cancelled { stage: "work" }));
    }

    #[test]
    fn work_that_is_dropped_on_the_way_is_not_ended_twice() {
        struct Checks;
        impl Drop for Checks {
            fn drop(&mut self) {
                check();
            }
        }
        let token = CancellationToken::new();
        token.cancel();
        let ended = token.run(|| {
            let _checks = Checks;
            check();
            Ok::<_, ()>(())
        });
        assert_eq!(ended, Err(Interrupted::Cancelled { stage: "work" }));
    }

    /// A clone without the deadline is the same token, and knows the reason for the end.
    #[test]
    fn the_reason_is_that_of_the_clone_that_ended() {
        let token = CancellationToken::new();
        let limit = Duration::ZERO;
        let ended = token.clone().cancel_after(limit).run(|| {
            token.run(|| {
                check();
                Ok::<_, ()>(())
            })
        });
        let inner = Interrupted::DeadlineExceeded {
            limit,
            stage: "work",
        };
        assert_eq!(ended, Err(Interrupted::Failed(inner)));
    }
}
