//! `npt plot`

use super::load;
use crate::{
    Error, Outcome,
    plots::{By, Kind, chart},
    tables::{self, whole_file},
    talk::Talk,
    work::Work,
};
use std::path::PathBuf;

/// Draws what a model says, as SVG
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt plot confusion magic.npt held-out.csv -o confusion.svg
  npt plot roc magic.npt held-out.csv -o roc.svg
  npt plot calibration odds.npt held-out.csv -o calibration.svg
  npt plot regions magic.npt magic.csv --features length,width -o regions.svg
  npt plot residuals houses.npt houses.csv -o residuals.svg
  npt plot scores letters.npt letter.csv -t letter -o scores.svg
  npt plot scree letters.npt -o scree.svg
  npt plot path chosen.npt -o path.svg
  npt plot learning magic.npt magic.csv -o learning.svg")]
pub struct Plot {
    #[arg(value_enum)]
    kind: Kind,
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    #[command(flatten)]
    source: tables::Source,
    #[command(flatten)]
    by: By,
    /// The file of the picture, x.svg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Plot {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        if self.output.extension().is_none_or(|end| end != "svg") {
            return Err(Error::Usage(format!(
                "{}: a picture is written as x.svg",
                self.output.display()
            )));
        }
        let model = load(&self.model)?;
        let table = if self.kind.needs_table() {
            Some(tables::read(&self.source)?)
        } else {
            None
        };
        let work = Work::new(None, talk.progress);
        let chart = work.run(|| chart(self.kind, &model, table.as_ref(), &self.by))?;
        let svg = chart.svg()?;
        whole_file(&self.output, |file| {
            file.write_all(svg.as_bytes())
                .map_err(|error| Error::file(&self.output, error))
        })?;
        talk.say(format!("{}: {}", self.output.display(), chart.title));
        Ok(Outcome::Done)
    }
}
