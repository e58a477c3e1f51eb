//! How far the bytes of a model are.

use npt_watch::Progress;

/// After so many bytes it looks, and tells.
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

    /// So many bytes are done.
    #[inline]
    pub(super) fn at(&mut self, done: usize) {
        if done >= self.next {
            self.tell(done);
        }
    }

    /// So many are done, be it less than a step.
    pub(super) fn tell(&mut self, done: usize) {
        self.next = done.saturating_add(STEP);
        self.progress.at(done);
    }
}
