//! Why work that can be stopped has no result.

use std::time::Duration;

/// Why a [`CancellationToken`](crate::CancellationToken) returns no result of the work that it ran.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Interrupted<E> {
    /// Somebody asked for it.
    #[error("cancelled during {stage}")]
    Cancelled {
        /// What was going on: the name of a [`Progress`](crate::Progress), or "work" outside of any.
        stage: &'static str,
    },
    /// The time was over.
    #[error("not done within {limit:?}: ended during {stage}")]
    DeadlineExceeded {
        /// The time there was.
        limit: Duration,
        /// What was going on: the name of a [`Progress`](crate::Progress), or "work" outside of any.
        stage: &'static str,
    },
    /// The work failed by itself.
    #[error(transparent)]
    Failed(E),
}
