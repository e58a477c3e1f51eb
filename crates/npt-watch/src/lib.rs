//! Work that can be watched and stopped, such as the fits and the files of `npt`.
//!
//! A [`CancellationToken`] runs a piece of work and ends it from any thread: at once, after a time, or with the best result
//! that iterations have so far. The long loops of `npt` look at it on every thread on which they run. linfa's own
//! estimators do not: the code around them does.
//!
//! Work that lasts tells how far it is, at most ten times a second. The tokens that run it keep the last
//! [`Snapshot`]. [`tracing`] has an event (level info) in a span for each [`Progress`] (level debug), both with the
//! target `npt`.
//!
//! # Example
//! ```
//! use npt_watch::{CancellationToken, Interrupted, Progress};
//! use std::{thread, time::Duration};
//!
//! let endless = || {
//!     let mut progress = Progress::start("counting", None);
//!     for done in 0.. {
//!         progress.at(done);
//!     }
//!     Ok::<(), ()>(())
//! };
//! let token = CancellationToken::new();
//! let other = token.clone();
//! thread::spawn(move || {
//!     thread::sleep(Duration::from_millis(20));
//!     other.cancel();
//! });
//! assert_eq!(token.run(endless), Err(Interrupted::Cancelled { stage: "counting" }));
//! ```
//!
//! The words of these pages are in the glossary, `docs/glossary.md` of the repository.

mod current;
mod interrupted;
mod progress;
mod token;

pub use current::{Carrier, check, detached};
pub use interrupted::Interrupted;
pub use progress::{Progress, Snapshot, Steps};
pub use token::{CancellationToken, Unfinished};
