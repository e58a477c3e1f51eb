//! The verbs of the program.

mod cv;
mod export;
mod fit;
mod inspect;
mod page;
mod plot;
mod predict;
mod score;
mod sums;
mod svm;
mod transform;

pub use cv::Cv;
pub use export::Export;
pub use fit::Fit;
pub use inspect::Inspect;
pub use page::Page;
pub use plot::Plot;
pub use predict::Predict;
pub use score::Score;
pub use sums::Sums;
pub use svm::{SvmPredict, SvmTrain};
pub use transform::Transform;

use crate::{
    Error, Outcome,
    choice::Asked,
    roles::{Roles, Samples},
    tables::{self, Table},
    talk::Talk,
    work::Work,
};
use npt_core::wording::{bytes, count};
use npt_estimator::{Model, Targets};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::Path;

/// Options of what is left to chance.
#[derive(Debug, Clone, clap::Args)]
struct Chance {
    /// Take so many of the rows, at random
    #[arg(long, value_name = "NUMBER", value_parser = at_least_one)]
    rows: Option<usize>,
    /// The seed of what is random: rows, folds
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number: &usize| number >= 1);
    number.ok_or_else(|| "it is a whole number, at least 1".to_owned())
}

/// So many of the rows at random, in their order.
fn some_rows(rows: usize, wanted: usize, seed: u64) -> Vec<usize> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut some = rand::seq::index::sample(&mut random, rows, wanted.min(rows)).into_vec();
    some.sort_unstable();
    some
}

/// Refuses a file that is read as the one that is written.
fn refuse_input(source: &tables::Source, output: &Path) -> Result<(), Error> {
    let is_input = |name: &String| Path::new(name) == output;
    if source.tables.iter().any(is_input) {
        return Err(Error::Usage(format!(
            "{} is a table that is read; -o names another file",
            output.display()
        )));
    }
    Ok(())
}

/// Loads a model.
fn load(path: &Path) -> Result<Model, Error> {
    Model::load(path).map_err(|error| Error::file(path, error))
}

/// A table and its samples, told in a line: `magic.csv: 19,020 rows, 10 numbers → class (2 classes)`.
fn samples_of(
    source: &tables::Source,
    roles: &Roles,
    asked: &Asked,
    rows: &Chance,
    talk: &Talk,
) -> Result<Samples, Error> {
    let takes = asked.takes(!roles.target.is_empty())?;

    let mut table = tables::read(source)?;
    if let Some(wanted) = rows.rows.filter(|&wanted| wanted < table.rows()) {
        talk.say(format!(
            "{}: {wanted} of {}",
            table.words(),
            count(table.rows(), "row")
        ));
        table = table.select(&some_rows(table.rows(), wanted, rows.seed));
    }
    let samples = Samples::of(&table, roles, takes)?;
    talk.say(line_of(&table, &samples));
    if samples.dropped > 0 {
        talk.say(format!(
            "{} left out, in which a value is missing",
            count(samples.dropped, "row")
        ));
    }
    if samples.fills_gaps {
        talk.say("means stand in the place of missing values");
    }
    Ok(samples)
}

fn line_of(table: &Table, samples: &Samples) -> String {
    let names = samples.data.columns();
    let categories = names
        .iter()
        .filter(|name| samples.data.categories().of(name).is_some())
        .count();
    let numbers = count(names.len() - categories, "number");
    let features = match categories {
        0 => numbers.to_string(),
        1 => format!("{numbers} and 1 category"),
        several => format!("{numbers} and {several} categories"),
    };
    let targets = samples.target_names.join(", ");
    let target = match &samples.targets {
        Targets::Labels(labels) => {
            let classes = labels
                .iter()
                .collect::<std::collections::BTreeSet<_>>()
                .len();
            format!(" → {targets} ({classes} classes)")
        }
        Targets::Numbers(_) => format!(" → {targets} (numbers)"),
        _ => String::new(),
    };
    format!(
        "{}: {}, {features}{target}",
        table.words(),
        count(samples.data.len(), "row")
    )
}

/// Says how a fit ended.
fn outcome(work: &Work, talk: &Talk, has_skipped: bool) -> Outcome {
    let unfinished = work.unfinished();
    if unfinished.is_empty() && !has_skipped {
        return Outcome::Done;
    }
    let ended = if unfinished.is_empty() {
        String::new()
    } else {
        format!(": {}", unfinished.join(", "))
    };
    talk.say(format!(
        "the time was over, and this is the best so far{ended}"
    ));
    Outcome::EndedEarly
}

/// Saves a model, and says how large its file is.
fn save(model: &Model, path: &Path, talk: &Talk) -> Result<(), Error> {
    model.save(path).map_err(|error| Error::file(path, error))?;
    let size = std::fs::metadata(path).map_or(0, |file| file.len());
    talk.say(format!("{}: {}", path.display(), bytes(size)));
    Ok(())
}
