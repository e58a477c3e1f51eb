//! `npt report`

use super::load;
use crate::{
    Error, Outcome,
    report::{self, Took},
    tables::{self, whole_file},
    talk::Talk,
    work::Work,
};
use std::{path::PathBuf, time::Instant};

/// Writes a page on a model: what it is, how it was chosen, how well it does on the rows of a table, with pictures
///
/// The page is one HTML file that loads nothing from elsewhere. The rows must be others than those of the fit, or all scores are too good.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt report magic.npt held-out.csv -o magic.html")]
pub struct Report {
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    #[command(flatten)]
    source: tables::Source,
    /// The target, where the model does not name it
    #[arg(short, long, value_name = "COLUMN,…", value_delimiter = ',')]
    target: Vec<String>,
    /// The file of the page, x.html
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Report {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        if self.output.extension().is_none_or(|end| end != "html") {
            return Err(Error::Usage(format!(
                "{}: a report is written as x.html",
                self.output.display()
            )));
        }
        let start = Instant::now();
        let model = load(&self.model)?;
        let loaded = start.elapsed();
        let table = tables::read(&self.source)?;
        let took = Took {
            load: loaded,
            read: start.elapsed() - loaded,
            bytes: std::fs::metadata(&self.model).map_or(0, |file| file.len()),
        };
        let name = self.model.display().to_string();
        let work = Work::new(None, talk.progress);
        let page = work.run(|| report::page(&name, &model, &table, &self.target, &took))?;
        whole_file(&self.output, |file| {
            file.write_all(page.as_bytes())
                .map_err(|error| Error::file(&self.output, error))
        })?;
        talk.say(format!(
            "{}: {name} on {}",
            self.output.display(),
            table.words()
        ));
        Ok(Outcome::Done)
    }
}
