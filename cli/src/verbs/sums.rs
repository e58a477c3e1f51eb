//! `npt sums`, and fits to them.

use crate::{
    Error, Outcome,
    choice::{Asked, Purpose},
    roles::{Roles, Samples, named_data, named_targets, weights},
    streams::{self, Place},
    tables::{self, Input, Table},
    talk::Talk,
    work::Work,
};
use npt_core::{
    watch::{Carrier, Progress},
    wording::count,
};
use npt_estimator::{Model, PartialSums};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// The method, if none is given: its penalty is chosen by folds in the same pass over the rows.
const METHOD: &str = "ridge(penalty = [0.000001, 0.0001, 0.01, 1, 100])";

/// Sums over the rows of tables, a block at a time: half of a fit, which parts on other machines add to
///
/// The sums are of coordinates on landmarks, and take 4r² bytes for r landmarks, however many rows there are. The first part begins with
/// --landmarks, others with --like that part; npt fit makes a model of all parts. Methods: ridge, pls, kpca, kfd.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt sums trips-1.parquet -t price --landmarks houses.csv -o part-1.sums
  npt sums trips-2.parquet -t price --like part-1.sums -o part-2.sums
  npt fit part-*.sums -t price -o trips.npt")]
pub struct Sums {
    #[command(flatten)]
    source: tables::Source,
    #[command(flatten)]
    roles: Roles,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    place: Place,
    /// A table of landmarks: a few hundred rows like those that follow
    #[arg(
        long,
        value_name = "TABLE",
        required_unless_present = "like",
        conflicts_with = "like"
    )]
    landmarks: Option<String>,
    /// Another part, whose method, kernel and landmarks are those of this one
    #[arg(long, value_name = "SUMS")]
    like: Option<PathBuf>,
    /// The file of the sums
    #[arg(short, long, value_name = "SUMS")]
    output: PathBuf,
}

impl Sums {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        let begun = match &self.like {
            Some(path) => load(path)?.anew(),
            None => self.begin()?,
        };
        talk.say(format!(
            "{} on {}",
            begun.estimator(),
            count(begun.rank(), "landmark")
        ));
        let sums = if self.source.sql.is_some() || self.place.is_cluster() {
            streams::sums(&self.place, &self.source, &self.roles, &begun, talk)?
        } else {
            let files = tables::files(&self.source)?;
            Work::new(None, talk.progress).run(|| self.over(&begun, &files))?
        };
        save(&sums, &self.output)?;
        talk.say(format!(
            "{}: sums of {}",
            self.output.display(),
            count(sums.count(), "row")
        ));
        Ok(Outcome::Done)
    }

    /// Begins sums without rows, on the landmarks.
    fn begin(&self) -> Result<npt_estimator::Sums, Error> {
        let source = tables::Source {
            tables: self.landmarks.iter().cloned().collect(),
            sql: None,
            ..self.source.clone()
        };
        let table = tables::read(&source)?;
        let is_there = |name: &&String| table.names().any(|known| known == *name);
        let left_out = self
            .roles
            .target
            .iter()
            .chain(&self.roles.weights)
            .chain(&self.roles.ignore);
        let roles = Roles {
            target: Vec::new(),
            weights: None,
            ignore: left_out.filter(is_there).cloned().collect(),
            ..self.roles.clone()
        };
        let method = self.asked.method.clone();
        let asked = Asked {
            method: Some(method.unwrap_or_else(|| METHOD.to_owned())),
            ..self.asked.clone()
        };
        let landmarks = Samples::of(&table, &roles, None)?;
        match asked
            .choose(&landmarks, Purpose::Fit)?
            .candidates
            .as_slice()
        {
            [only] => Ok(only.sums(&landmarks.data)?),
            several => Err(Error::Usage(format!(
                "these are {} estimators, and sums are of one",
                several.len()
            ))),
        }
    }

    /// The sums over all files. Threads share the files, and the parts are added in the order of the files.
    fn over(
        &self,
        begun: &npt_estimator::Sums,
        files: &[Input],
    ) -> Result<npt_estimator::Sums, Error> {
        let steps = Progress::start("files", files.len()).steps();
        let carrier = Carrier::new();
        let of_file = |file: &Input| {
            carrier.over(|| {
                let mut sums = begun.anew();
                tables::each_block(file, &self.source, &mut |block| self.add(&mut sums, &block))?;
                steps.take(1);
                Ok(sums.part()?)
            })
        };
        let parts: Result<Vec<PartialSums>, Error> = files.par_iter().map(of_file).collect();
        let mut all = begun.clone();
        for part in parts? {
            all.merge(&part)?;
        }
        if all.count() == 0 {
            return Err(Error::Data("there are no rows".to_owned()));
        }
        Ok(all)
    }

    fn add(&self, sums: &mut npt_estimator::Sums, block: &Table) -> Result<(), Error> {
        let mut data = named_data(sums.columns(), sums.categories(), block)?;
        if let Some(name) = &self.roles.weights {
            data = data.with_weights(weights(block, block.column(name)?)?);
        }
        let targets = named_targets(&self.roles.target, sums.estimator().targets()?, block)?;
        Ok(sums.add(&data, targets)?)
    }
}

fn load(path: &Path) -> Result<npt_estimator::Sums, Error> {
    npt_estimator::Sums::load(path).map_err(|error| Error::file(path, error))
}

fn save(sums: &npt_estimator::Sums, path: &Path) -> Result<(), Error> {
    sums.save(path).map_err(|error| Error::file(path, error))
}

/// The model of all parts and its number of rows, if the files that are given are files of sums.
pub fn fitted(source: &tables::Source) -> Result<Option<(Model, usize)>, Error> {
    let is_sums = |name: &String| name.ends_with(".sums");
    if source.tables.is_empty() || !source.tables.iter().all(is_sums) {
        return Ok(None);
    }
    let mut all: Option<npt_estimator::Sums> = None;
    let paths = tables::paths(&source.tables)?;
    if let Some(manifest) = &source.manifest {
        tables::manifest::check(manifest, &paths)?;
    }
    for path in paths {
        let sums = load(&path)?;
        match &mut all {
            None => all = Some(sums),
            Some(all) => all
                .merge(&sums.part()?)
                .map_err(|error| Error::file(&path, error))?,
        }
    }
    let all = all.ok_or_else(|| Error::Usage("no sums are given".to_owned()))?;
    Ok(Some((all.fit()?, all.count())))
}
