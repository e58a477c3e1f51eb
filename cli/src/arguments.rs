//! The command line.

use crate::{
    Error,
    verbs::{
        Cv, Export, Fit, Inspect, Page, Plot, Predict, Report, Score, Sums, SvmPredict, SvmTrain,
        Transform,
    },
    work::Telling,
};
use clap::{Parser, Subcommand};

const EXIT_CODES: &str = "Exit codes:
  0    done
  1    the data or the fit: one line says what and where
  2    the command line
  3    it would not fit in the memory: one line says what would
  4    done, but ended early by --time: the best so far
  130  interrupted by Ctrl-C: no file was written";

/// Kernel methods for tables: fit, compare and apply them in one line.
#[derive(Debug, Parser)]
#[command(name = "npt", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub verb: Verb,
    #[command(flatten)]
    pub general: General,
}

#[derive(Debug, Subcommand)]
pub enum Verb {
    Fit(Fit),
    Cv(Cv),
    Predict(Predict),
    Transform(Transform),
    Score(Score),
    Inspect(Inspect),
    Export(Export),
    Plot(Plot),
    Report(Report),
    Sums(Sums),
    SvmTrain(SvmTrain),
    SvmPredict(SvmPredict),
    #[command(hide = true)]
    Page(Page),
}

/// Options of every verb.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "General")]
pub struct General {
    /// Threads; by default as many as there are processors
    #[arg(long, global = true, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The memory that a matrix may take, such as 2GB; by default four fifths of what is free
    #[arg(long, global = true, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// One JSON object on the standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// The form in which progress is told
    #[arg(long, global = true, value_enum, default_value = "auto")]
    pub progress: Telling,
}

impl General {
    /// Sets the memory and the number of threads of the whole program.
    pub fn prepare(&self) -> Result<(), Error> {
        npt_core::limit_memory(self.memory);
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global();
        pool.map_err(|error| Error::Usage(error.to_string()))
    }
}

/// A number of bytes, with a unit or without.
fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text
        .find(|letter: char| letter.is_alphabetic())
        .unwrap_or(text.len());
    let factor = match text[end..].trim().to_uppercase().as_str() {
        "" | "B" => 1.0,
        "K" | "KB" => 1e3,
        "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        "T" | "TB" => 1e12,
        unit => return Err(format!("{unit} is no unit; there are B, kB, MB, GB and TB")),
    };
    let number: f64 = text[..end]
        .trim()
        .parse()
        .map_err(|_| "it is a number with a unit, such as 2GB".to_owned())?;
    if !(number * factor >= 1.0 && number.is_finite()) {
        return Err("it is at least one byte".to_owned());
    }
    Ok((number * factor) as u64)
}

/// A span of time: `90s`, `10min`, `2h`.
pub fn time(text: &str) -> Result<std::time::Duration, String> {
    let text = text.trim();
    let end = text
        .find(|letter: char| letter.is_alphabetic())
        .unwrap_or(text.len());
    let factor = match text[end..].trim() {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "min" | "m" => 60.0,
        "h" => 3600.0,
        unit => return Err(format!("{unit} is no unit; there are ms, s, min and h")),
    };
    let number: Result<f64, _> = text[..end].trim().parse();
    let seconds =
        number.map_err(|_| "it is a number with a unit, such as 10min".to_owned())? * factor;
    std::time::Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
