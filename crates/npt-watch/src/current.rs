//! Which tokens the current thread works under.

use crate::{CancellationToken, Unfinished};
use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc,
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

/// What the current thread does, and under which tokens.
#[derive(Clone)]
struct Context {
    watch: Option<Arc<Watch>>,
    stage: &'static str,
}

thread_local! {
    static CURRENT: RefCell<Context> = const { RefCell::new(Context { watch: None, stage: "work" }) };
}

/// Another context, for as long as this lives.
pub(super) struct Scope(Option<Context>);

impl Scope {
    fn replace(context: Context) -> Self {
        Self(Some(CURRENT.replace(context)))
    }

    /// Under one more token.
    pub(super) fn enter(token: &CancellationToken) -> Self {
        let Context { watch, stage } = CURRENT.with_borrow(Context::clone);
        let token = token.clone();
        let watch = Some(Arc::new(Watch {
            token,
            outer: watch,
        }));
        Self::replace(Context { watch, stage })
    }

    /// In another stage of the work.
    pub(super) fn stage(stage: &'static str) -> Self {
        let Context { watch, .. } = CURRENT.with_borrow(Context::clone);
        Self::replace(Context { watch, stage })
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        if let Some(before) = self.0.take() {
            CURRENT.set(before);
        }
    }
}

/// What is unwound with.
pub(super) struct Cancellation {
    token: CancellationToken,
    pub(super) stage: &'static str,
}

impl Cancellation {
    pub(super) fn is_of(&self, token: &CancellationToken) -> bool {
        self.token.is(token)
    }
}

/// Ends the work here if a [`CancellationToken`] that runs it was asked to. For long loops of kernels and methods of
/// one's own; it takes a few nanoseconds.
pub fn check() {
    let ended = CURRENT.with_borrow(|context| {
        let token = context.watch.as_ref()?.find(CancellationToken::wants_end)?;
        let (token, stage) = (token.clone(), context.stage);
        Some(Cancellation { token, stage })
    });
    if let Some(cancellation) = ended
        && cfg!(panic = "unwind")
    {
        resume_unwind(Box::new(cancellation));
    }
}

/// Whether iterations are to end with the best they have, which is then noted.
pub(super) fn should_finish(unfinished: impl FnOnce() -> Unfinished) -> bool {
    let token = CURRENT.with_borrow(|context| {
        let token = context.watch.as_ref()?.find(CancellationToken::wants_best);
        token.cloned()
    });
    if let Some(token) = &token {
        token.note(unfinished());
    }
    token.is_some()
}

/// Takes the tokens of one thread to others, which work for it.
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
pub struct Carrier(Context);

impl Carrier {
    /// The tokens of this thread.
    #[expect(clippy::new_without_default, reason = "it depends on the thread")]
    pub fn new() -> Self {
        Self(CURRENT.with_borrow(Context::clone))
    }

    /// Does `work` under them, unless it is to end at once.
    pub fn over<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.0.watch.is_none() {
            return work();
        }
        let _scope = Scope::replace(self.0.clone());
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
    if CURRENT.with_borrow(|context| context.watch.is_none()) {
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
}
