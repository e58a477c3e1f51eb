//! Work that is watched, and that Ctrl-C and --time end.

use crate::Error;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use npt_core::watch::{CancellationToken, Interrupted, Snapshot};
use std::{
    io::{self, IsTerminal as _},
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

/// The token that Ctrl-C cancels.
static TOKEN: LazyLock<CancellationToken> = LazyLock::new(CancellationToken::new);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The time between two updates of a bar.
const TICK: Duration = Duration::from_millis(100);

/// The form in which progress is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Telling {
    /// A bar, where the standard error is a terminal.
    #[default]
    Auto,
    /// A line a second.
    Plain,
    /// A line of JSON a second.
    Json,
    /// Nothing is told.
    None,
}

/// Makes Ctrl-C end the work that runs.
pub fn listen() {
    // Without a handler Ctrl-C ends the program as it does any other.
    drop(ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Relaxed);
        TOKEN.cancel();
    }));
}

/// Returns an error after Ctrl-C, which ends reading and writing.
pub fn check() -> Result<(), Error> {
    if INTERRUPTED.load(Relaxed) {
        return Err(Error::Interrupted);
    }
    Ok(())
}

/// Work with a limit of time, of which progress is told.
#[derive(Debug, Clone)]
pub struct Work {
    token: CancellationToken,
    end: Option<Instant>,
    telling: Telling,
}

impl Work {
    /// Work whose iterations end after this time, with the best that they have.
    pub fn new(time: Option<Duration>, telling: Telling) -> Self {
        let token = TOKEN.clone();
        Self {
            token: match time {
                Some(limit) => token.finish_after(limit),
                None => token,
            },
            end: time.and_then(|limit| Instant::now().checked_add(limit)),
            telling,
        }
    }

    /// Returns whether the time has an end.
    pub fn has_end(&self) -> bool {
        self.end.is_some()
    }

    /// Returns whether the time is over.
    pub fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The stages that ended early, in words; empty if none did.
    pub fn unfinished(&self) -> Vec<String> {
        let ended = self.token.unfinished().into_iter();
        ended
            .map(|ended| format!("{} after {} iterations", ended.stage, ended.iterations))
            .collect()
    }

    /// Does work, and tells how far it is.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
        let is_done = AtomicBool::new(false);
        let done = thread::scope(|scope| {
            let teller = scope.spawn(|| self.tell(&is_done));
            let done = self.token.run(work);
            is_done.store(true, Relaxed);
            teller.thread().unpark();
            done
        });
        done.map_err(|error| match error {
            Interrupted::Failed(error) => error,
            _ => Error::Interrupted,
        })
    }

    fn tell(&self, is_done: &AtomicBool) {
        let mut teller = Teller::new(self.telling);
        while !is_done.load(Relaxed) {
            thread::park_timeout(teller.interval());
            if let Some(snapshot) = self.token.progress().filter(|_| !is_done.load(Relaxed)) {
                teller.tell(&snapshot);
            }
        }
        teller.finish();
    }
}

enum Teller {
    Bar(ProgressBar, Option<&'static str>),
    Plain,
    Json,
    None,
}

impl Teller {
    fn new(telling: Telling) -> Self {
        match telling {
            Telling::Auto if io::stderr().is_terminal() => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                Self::Bar(bar, None)
            }
            Telling::Plain => Self::Plain,
            Telling::Json => Self::Json,
            Telling::Auto | Telling::None => Self::None,
        }
    }

    fn interval(&self) -> Duration {
        match self {
            Self::Bar(..) => TICK,
            _ => 10 * TICK,
        }
    }

    fn tell(&mut self, at: &Snapshot) {
        let measure = at
            .measure
            .zip(at.value)
            .map(|(measure, value)| format!("{measure} {value:.4e}"));
        match self {
            Self::Bar(bar, stage) => {
                if *stage != Some(at.stage) {
                    *stage = Some(at.stage);
                    bar.reset();
                    bar.set_style(style(at.total.is_some()));
                    bar.set_prefix(at.stage);
                }
                if let Some(total) = at.total {
                    bar.set_length(total as u64);
                }
                bar.set_message(measure.unwrap_or_default());
                bar.set_position(at.done as u64);
            }
            Self::Plain => {
                let total = at
                    .total
                    .map_or(String::new(), |total| format!(" of {total}"));
                let measure = measure.map_or(String::new(), |measure| format!(", {measure}"));
                eprintln!("{}: {}{total}{measure}", at.stage, at.done);
            }
            Self::Json => eprintln!(
                "{}",
                serde_json::json!({
                    "stage": at.stage, "done": at.done, "total": at.total, "measure": at.measure, "value": at.value
                })
            ),
            Self::None => {}
        }
    }

    fn finish(&self) {
        if let Self::Bar(bar, _) = self {
            bar.finish_and_clear();
        }
    }
}

fn style(has_total: bool) -> ProgressStyle {
    let template = if has_total {
        "{prefix} {bar:40} {pos}/{len} {eta} {msg}"
    } else {
        "{prefix} {spinner} {pos} {elapsed} {msg}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
