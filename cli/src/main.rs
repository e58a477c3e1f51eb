//! The program `npt`: kernel methods for tables.

mod arguments;
mod choice;
mod error;
mod plots;
mod report;
mod roles;
mod streams;
mod tables;
mod talk;
mod values;
mod verbs;
mod widths;
mod work;

use arguments::{Arguments, Verb};
use clap::Parser as _;
pub use error::Error;
use std::process::ExitCode;
use talk::Talk;

/// The end of a command that is no error.
pub enum Outcome {
    Done,
    /// The time was over, and the best so far is the result.
    EndedEarly,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    work::listen();
    let talk = Talk::new(&arguments.general);
    let outcome = match arguments.general.prepare() {
        Ok(()) => run(arguments.verb, &talk),
        Err(error) => Err(error),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::EndedEarly) => ExitCode::from(4),
        Err(error) => {
            if !matches!(error, Error::Closed) {
                eprintln!("npt: {}", tables::one_line(&error.to_string()));
            }
            ExitCode::from(error.code())
        }
    }
}

fn run(verb: Verb, talk: &Talk) -> Result<Outcome, Error> {
    match verb {
        Verb::Fit(fit) => fit.run(talk),
        Verb::Cv(cv) => cv.run(talk),
        Verb::Predict(predict) => predict.run(talk),
        Verb::Transform(transform) => transform.run(talk),
        Verb::Score(score) => score.run(talk),
        Verb::Inspect(inspect) => inspect.run(talk),
        Verb::Export(export) => export.run(talk),
        Verb::Plot(plot) => plot.run(talk),
        Verb::Report(report) => report.run(talk),
        Verb::Sums(sums) => sums.run(talk),
        Verb::SvmTrain(train) => train.run(talk),
        Verb::SvmPredict(predict) => predict.run(talk),
        Verb::Page(page) => page.run(talk),
    }
}
