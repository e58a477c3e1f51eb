//! Options that fits and searches share: tables, the roles of their columns, the estimator, chance and time.

use crate::{
    Error,
    arguments::time,
    choice::Asked,
    roles::{Roles, Samples},
    tables::{self, Format, Table, some_rows},
    talk::Talk,
    work::Work,
};
use npt_core::wording::count;
use npt_estimator::Targets;
use std::{collections::BTreeSet, path::Path, time::Duration};

/// The samples, and the estimators that are to be fitted to them.
#[derive(Debug, clap::Args)]
pub struct Task {
    #[command(flatten)]
    pub source: tables::Source,
    #[command(flatten)]
    pub roles: Roles,
    #[command(flatten)]
    pub asked: Asked,
    /// Take this many of the rows, at random
    #[arg(long, value_name = "NUMBER", value_parser = at_least_one)]
    rows: Option<usize>,
    /// The seed of what is random: rows, folds
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Ends after this time with the best so far, such as 90s or 10min
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<Duration>,
}

impl Task {
    /// Reads the samples, and tells them in a line: `magic.csv: 19,020 rows, 10 numbers → class (2 classes)`.
    pub fn samples(&self, talk: &Talk) -> Result<Samples, Error> {
        let takes = self.asked.takes(!self.roles.target.is_empty())?;
        let mut table = tables::read(&self.source)?;
        if let Some(wanted) = self.rows.filter(|&wanted| wanted < table.rows()) {
            let all = count(table.rows(), "row");
            talk.say(format!("{}: {wanted} of {all}", table.words()));
            table = table.select(&some_rows(table.rows(), wanted, self.seed));
        }
        let samples = Samples::of(&table, &self.roles, takes)?;
        self.tell(&table, &samples, talk);
        Ok(samples)
    }

    /// Prints a line about the samples, and lines about missing values.
    pub fn tell(&self, table: &Table, samples: &Samples, talk: &Talk) {
        talk.say(line_of(table, samples));
        if samples.dropped > 0 {
            let dropped = count(samples.dropped, "row");
            talk.say(format!("{dropped} left out, in which a value is missing"));
        }
        if samples.fills_gaps {
            talk.say("means stand in the place of missing values");
        }
    }

    /// Refuses options that a fit to streamed tables does not have.
    pub fn require_streamable(&self, is_cluster: bool) -> Result<(), Error> {
        let refused = |what: &str| Err(Error::Usage(format!("tables are streamed, and {what}")));
        if self.source.tables.iter().any(|name| name == "-") {
            return refused("read twice, which the standard input cannot be");
        }
        let is_local = |name: &String| {
            let path = Path::new(name);
            matches!(
                self.source.format.map_or_else(|| Format::of(path), Ok),
                Ok(Format::Npy | Format::Libsvm)
            )
        };
        if is_cluster && self.source.tables.iter().any(is_local) {
            return refused("a cluster reads csv, tsv, parquet and arrow files alone");
        }
        if self.rows.is_some() {
            return refused("all their rows are taken: without --rows, or a query by --sql");
        }
        if self.time.is_some() {
            return refused("sums of some of the rows are no best so far: without --time");
        }
        Ok(())
    }

    /// The work, which ends with the best so far when the time is over.
    pub fn work(&self, talk: &Talk) -> Work {
        Work::new(self.time, talk.progress)
    }

    /// Refuses to write the file of a table that is read.
    pub fn refuse_input(&self, output: &Path) -> Result<(), Error> {
        let is_input = |name: &String| Path::new(name) == output;
        if self.source.tables.iter().any(is_input) {
            return Err(Error::Usage(format!(
                "{} is a table that is read; -o names another file",
                output.display()
            )));
        }
        Ok(())
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number: &usize| number >= 1);
    number.ok_or_else(|| "it is a whole number, at least 1".to_owned())
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
            let classes = labels.iter().collect::<BTreeSet<_>>().len();
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
