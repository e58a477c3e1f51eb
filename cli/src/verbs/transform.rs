//! `npt transform`

use super::{load, predict::Output};
use crate::{
    Error, Outcome,
    roles::data_for,
    tables::{self, Column, Values},
    talk::Talk,
    work::Work,
};
use std::path::PathBuf;

/// Writes the components of the rows of tables: principal components, discriminants, kernel coordinates
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt transform letters.npt letter.csv -n 2 --keep letter -o components.csv")]
pub struct Transform {
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    #[command(flatten)]
    source: tables::Source,
    #[command(flatten)]
    output: Output,
    /// The number of components, the first ones; by default all
    #[arg(short = 'n', long, value_name = "NUMBER")]
    components: Option<usize>,
}

impl Transform {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        let model = load(&self.model)?;
        let table = tables::read(&self.source)?;
        let components = Work::new(None, talk.progress)
            .run(|| Ok(model.transform(&data_for(&model, &table)?)?))?;
        let found = components.ncols();
        let wanted = self.components.unwrap_or(found);
        if !(1..=found).contains(&wanted) {
            return Err(Error::Usage(format!(
                "the model has {found} components, of which -n takes 1 to all, not {wanted}"
            )));
        }
        let column = |k: usize| Column {
            name: format!("component_{}", k + 1),
            values: Values::computed(components.column(k).iter().copied()),
        };
        self.output
            .write(&table, (0..wanted).map(column).collect(), talk)?;
        Ok(Outcome::Done)
    }
}
