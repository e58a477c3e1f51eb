//! The reasons why work that can be stopped has no result.

use std::time::Duration;

/// The reason why a [`CancellationToken`](crate::CancellationToken) returns no result of the work that it ran.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Interrupted<E> {
    /// Somebody cancelled the token.
    #[error("cancelled during {stage}")]
    Cancelled {
        /// The stage of the work: the name of a [`Progress`](crate::Progress), or "work" outside of any.
        stage: &'static str,
    },
    /// The time of the token was over.
    #[error("not done within {limit:?}: ended during {stage}")]
    DeadlineExceeded {
        /// The time that there was.
        limit: Duration,
        /// The stage of the work: the name of a [`Progress`](crate::Progress), or "work" outside of any.
        stage: &'static str,
    },
    /// The work failed by itself.
    #[error(transparent)]
    Failed(E),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message() {
        let stage = "factor";
        let limit = Duration::from_secs(3);
        let messages: [(Interrupted<std::fmt::Error>, String); 3] = [
            (
                Interrupted::Cancelled { stage },
                "cancelled during factor".to_owned(),
            ),
            (
                Interrupted::DeadlineExceeded { limit, stage },
                "not done within 3s: ended during factor".to_owned(),
            ),
            (
                Interrupted::Failed(std::fmt::Error),
                std::fmt::Error.to_string(),
            ),
        ];
        for (error, message) in messages {
            assert_eq!(error.to_string(), message);
        }
    }
}
