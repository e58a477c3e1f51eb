//! Which tokens the current thread works under.

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

/// How long nobody looks while foreign code runs.
const LOOK: Duration = Duration::from_millis(20);

/// A token, and those around it.
struct Watch {
    token: CancellationToken,
    outer: Option<Arc<Watch>>,
}

impl Watch {
    /// The first token, from within, of which something holds.
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
    /// What it does.
    static STAGE: Cell<&'static str> = const { Cell::new("work") };
}

fn watch() -> Option<Arc<Watch>> {
    WATCH.with_borrow(Option::clone)
}

/// Other tokens, for as long as this lives.
pub(super) struct Tokens(Option<Arc<Watch>>);

impl Tokens {
    fn replace(watch: Option<Arc<Watch>>) -> Self {
        Self(WATCH.replace(watch))
    }

    /// One more.
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

/// Another stage of the work, for as long as this lives.
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

/// What is unwound with.
pub(super) struct Cancellation {
    token: CancellationToken,
    pub(super) stage: &'static str,
    /// Of the deadline that was over, if nobody asked.
    pub(super) limit: Option<Duration>,
}

impl Cancellation {
    pub(super) fn is_of(&self, token: &CancellationToken) -> bool {
        self.token.is(token)
    }
}

/// Ends the work here if a [`CancellationToken`] that runs it was asked to. For long loops of kernels and methods of
/// one's own; it takes a few nanoseconds.
pub fn check() {
    let ended = WATCH.with_borrow(|watch| {
        let token = watch.as_ref()?.find(CancellationToken::wants_end)?;
        Some(Cancellation {
            token: token.clone(),
            stage: STAGE.get(),
            limit: token.limit_that_is_over(),
        })
    });
    // A second panic, of what is dropped on the way, would end the program.
    if let Some(cancellation) = ended
        && cfg!(panic = "unwind")
        && !std::thread::panicking()
    {
        resume_unwind(Box::new(cancellation));
    }
}

/// Does something with each token of this thread.
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

/// Tells them how many iterations a stage took.
pub(super) fn iterated(stage: &'static str, iterations: usize) {
    with_each(|token| token.iterated(stage, iterations));
}

/// The number of iterations that they allow.
pub(super) fn most_iterations() -> Option<usize> {
    let mut most: Option<usize> = None;
    with_each(|token| most = most.into_iter().chain(token.most_iterations()).min());
    most
}

/// The token by which iterations are to end with the best they have, after so many.
fn token_that_wants_best(iterations: usize) -> Option<CancellationToken> {
    WATCH.with_borrow(|watch| {
        let wants_best = |token: &CancellationToken| token.wants_best(iterations);
        watch.as_ref()?.find(wants_best).cloned()
    })
}

/// Returns whether iterations are to end with the best they have, after so many.
pub(super) fn is_to_finish(iterations: usize) -> bool {
    token_that_wants_best(iterations).is_some()
}

/// As [`is_to_finish`], and what they have is then noted.
pub(super) fn should_finish(unfinished: Unfinished) -> bool {
    let token = token_that_wants_best(unfinished.iterations);
    if let Some(token) = &token {
        token.note(unfinished);
    }
    token.is_some()
}

/// Takes the tokens of one thread to others, which work for it.
///
/// As long as it lives, this thread has none: while it waits for the others it may be given other work to do, of
/// somebody who has other tokens, or none.
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
    /// It is dropped on the thread that it took the tokens of.
    _here: PhantomData<MutexGuard<'static, ()>>,
}

impl Carrier {
    /// The tokens of this thread.
    #[expect(clippy::new_without_default, reason = "it depends on the thread")]
    pub fn new() -> Self {
        Self {
            watch: watch(),
            stage: STAGE.get(),
            _none: Tokens::replace(None),
            _here: PhantomData,
        }
    }

    /// Does `work` under them and no others, unless it is to end at once.
    pub fn over<R>(&self, work: impl FnOnce() -> R) -> R {
        let _scopes = (
            Tokens::replace(self.watch.clone()),
            Stage::enter(self.stage),
        );
        check();
        work()
    }
}

/// Does what cannot be asked to end, as a call of foreign code. Under a token that is done by other threads, as many as
/// this one's pool has; where the work is to end, they are left alone, and end by themselves with what they own.
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
        // Nobody receives it where the work has ended.
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

    /// What cannot be asked to end still waits when `run` has returned.
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

    /// Stages and tokens end in any order.
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

    /// What a thread is given to do while it waits for its own is not under its tokens.
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

    /// A clone without the deadline is the same token, and knows why it ended.
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
