//! Work that can be watched and stopped, as fits and files of `npt`.
//!
//! A [`CancellationToken`] runs a piece of work and, from any thread, ends it: at once, after a time, or with the best
//! that iterations have so far. The long loops of `npt` ask for it, on whatever thread they run. linfa's own
//! estimators do not: what is around them asks.
//!
//! Work that lasts tells how far it is, at most ten times a second: the tokens that run it have the last
//! [`Snapshot`], and [`tracing`] has an event (level info) in a span for each [`Progress`] (level debug), both with the
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

mod current;
mod interrupted;
mod progress;
mod token;

pub use current::{Carrier, check, detached};
pub use interrupted::Interrupted;
pub use progress::{Progress, Snapshot, Steps};
pub use token::{CancellationToken, Unfinished};
