//! Words on the standard error, and results on the standard output.

use crate::{Error, arguments::General, work::Telling};
use std::{
    fmt::Display,
    io::{self, Write as _},
};

/// The way in which the program talks.
#[derive(Debug, Clone, Copy)]
pub struct Talk {
    quiet: bool,
    pub json: bool,
    pub progress: Telling,
}

impl Talk {
    pub fn new(general: &General) -> Self {
        Self {
            quiet: general.quiet,
            json: general.json,
            progress: if general.quiet {
                Telling::None
            } else {
                general.progress
            },
        }
    }

    /// Prints a line on the standard error, unless the program is quiet.
    pub fn say(&self, line: impl Display) {
        if !self.quiet {
            eprintln!("{line}");
        }
    }

    /// Prints a result.
    pub fn print(&self, result: impl Display) -> Result<(), Error> {
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{result}").and_then(|()| out.flush());
        written.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Error::Closed,
            _ => Error::file("standard output", error),
        })
    }
}
