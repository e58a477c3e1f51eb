//! Progress of the bytes of a model.

use npt_watch::Progress;

/// The number of bytes after which [`ByteProgress`] looks for a cancellation, and tells how far it is.
const STEP: usize = 1 << 15;

/// A [`Progress`] of bytes that come a few at a time.
pub(super) struct ByteProgress {
    progress: Progress,
    next: usize,
}

impl ByteProgress {
    pub(super) fn start(stage: &'static str, total: impl Into<Option<usize>>) -> Self {
        Self {
            progress: Progress::start(stage, total),
            next: STEP,
        }
    }

    /// Says that `done` bytes are done.
    #[inline]
    pub(super) fn at(&mut self, done: usize) {
        if done >= self.next {
            self.tell(done);
        }
    }

    /// Tells that `done` bytes are done, even if they are less than a step.
    pub(super) fn tell(&mut self, done: usize) {
        self.next = done.saturating_add(STEP);
        self.progress.at(done);
    }
}
