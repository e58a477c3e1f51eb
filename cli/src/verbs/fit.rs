//! `npt fit`

mod streamed;

use super::{cv::Search, outcome, save, sums, task::Task};
use crate::{
    Error, Outcome,
    choice::{Purpose, score_of},
    roles::Samples,
    streams::Place,
    talk::Talk,
    work::Work,
};
use npt_core::wording::count;
use npt_estimator::{Estimator, Learned, Model, Selection};
use std::{path::PathBuf, time::Instant};

/// The folds by which parameters are chosen.
const FOLDS: usize = 5;

/// Fits an estimator to tables, and saves the model
///
/// Parameters that are not given are chosen by five-fold cross-validation; of more than 4000 rows, by 4000 of them.
///
/// Tables that do not fit in the memory are read twice: once for a sample, from which the landmarks come, and once for the sums from which
/// the model follows. It is the same on a cluster. Penalties are chosen by folds in the second pass.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt fit magic.csv -t class -o magic.npt
  npt fit magic.csv -t class --ignore id -m logistic -o odds.npt
  npt fit letters.csv -t letter -m svc:c=10 -k gaussian:gamma=0.5 --scale none -o plain.npt
  npt fit trips-*.parquet -t price -m ridge -k 'gaussian(gamma = 0.1) + 0.5 * linear' -o trips.npt
  npt fit letters.csv --ignore letter -m kpca:components=10 -o letters.npt
  npt fit years/*.parquet -t price --stream -o years.npt
  npt fit /data/*.parquet -t price --cluster df://10.0.0.1:50050 -o years.npt")]
pub struct Fit {
    #[command(flatten)]
    task: Task,
    #[command(flatten)]
    place: Place,
    /// Read the tables twice, and keep landmarks and sums alone in memory: ridge, pls, kpca, kfd
    #[arg(long, help_heading = "Large tables")]
    stream: bool,
    /// The file of the model
    #[arg(short, long, value_name = "MODEL")]
    output: PathBuf,
}

impl Fit {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        self.task.refuse_input(&self.output)?;
        if let Some((model, rows)) = sums::fitted(&self.task.source)? {
            talk.say(format!("sums of {}", count(rows, "row")));
            talk.say(model.estimator());
            save(
                &model.with_target_names(self.task.roles.target),
                &self.output,
                talk,
            )?;
            return Ok(Outcome::Done);
        }
        if streamed::is_needed(&self, talk)? {
            streamed::run(&self, talk)
        } else {
            self.in_memory(talk)
        }
    }

    fn in_memory(&self, talk: &Talk) -> Result<Outcome, Error> {
        let start = Instant::now();
        let samples = self.task.samples(talk)?;
        let work = self.task.work(talk);
        let purpose = match score_of(&samples.targets) {
            Ok(_) => Purpose::Search,
            Err(_) => Purpose::Fit,
        };
        let choice = self.task.asked.choose(&samples, purpose)?;
        for note in &choice.notes {
            talk.say(note);
        }
        let Chosen {
            estimator,
            selection,
            has_skipped,
        } = self.chosen(&choice.candidates, &samples, &work, talk)?;
        talk.say(&estimator);
        let model = work.run(|| Ok(estimator.fit(&samples.data, samples.targets.clone())?))?;
        let model = with_names_and_selection(model, &samples.target_names, selection);
        let training = training_score(&model, &samples, &work)?;
        let lines = [training, cross_validated(&model), Some(size_of(&model))];
        talk.say(lines.into_iter().flatten().collect::<Vec<_>>().join("; "));
        self.save(&model, samples.data.len(), start, talk)?;
        Ok(outcome(&work, talk, has_skipped))
    }

    /// Saves the model, and says how long the fit took.
    fn save(&self, model: &Model, rows: usize, start: Instant, talk: &Talk) -> Result<(), Error> {
        save(model, &self.output, talk)?;
        let seconds = start.elapsed().as_secs_f64();
        talk.say(format!("{seconds:.1} s"));
        if talk.json {
            talk.print(serde_json::json!({
                "model": self.output.display().to_string(), "estimator": model.estimator().to_string(), "rows": rows, "seconds": seconds,
            }))?;
        }
        Ok(())
    }

    /// The only candidate, or the one with the best score by cross-validation.
    fn chosen(
        &self,
        candidates: &[Estimator],
        samples: &Samples,
        work: &Work,
        talk: &Talk,
    ) -> Result<Chosen, Error> {
        if let [only] = candidates {
            return Ok(Chosen {
                estimator: only.clone(),
                selection: None,
                has_skipped: false,
            });
        }
        let Ok(score) = score_of(&samples.targets) else {
            return Err(Error::Usage(format!(
                "these are {} estimators, and there is no target by which one is better",
                candidates.len()
            )));
        };
        let search = Search {
            candidates: candidates.to_vec(),
            score,
            folds: samples.data.len().clamp(2, FOLDS),
            seed: self.task.seed,
        };
        let found = search.run_on_some(samples, work, talk)?;
        let best = found.best()?;
        Ok(Chosen {
            estimator: best.estimator.clone(),
            selection: Some(found.selection(&search)),
            has_skipped: found.skipped > 0,
        })
    }
}

/// The estimator that is fitted.
struct Chosen {
    estimator: Estimator,
    /// The candidates that it was chosen among, itself first, if there were several.
    selection: Option<Selection>,
    /// `true` if the time was too short for some of the candidates.
    has_skipped: bool,
}

/// Gives the model the names of its targets, and the candidates that it was chosen among.
fn with_names_and_selection(model: Model, names: &[String], selection: Option<Selection>) -> Model {
    let model = model.with_target_names(names);
    match selection {
        Some(selection) => model.with_selection(selection),
        None => model,
    }
}

/// The score by which the model was chosen, in words.
fn cross_validated(model: &Model) -> Option<String> {
    let selection = model.selection()?;
    let (_, mean, _) = selection.candidates.first()?;
    Some(format!("{} {mean:.4} by cross-validation", selection.score))
}

/// The score on the samples of the fit, which says nothing about new samples.
fn training_score(model: &Model, samples: &Samples, work: &Work) -> Result<Option<String>, Error> {
    let Ok(score) = score_of(&samples.targets) else {
        return Ok(None);
    };
    if !model.has(npt_estimator::Ability::Predict) {
        return Ok(None);
    }
    let value = work.run(|| Ok(score.of(model, &samples.data, &samples.targets)?))?;
    Ok(Some(format!("{score} {value:.4} on the training samples")))
}

/// The parts of a model, in words: support vectors, landmarks, or samples.
fn size_of(model: &Model) -> String {
    let learned = model.learned();
    let positions = |wanted: &str| {
        learned.iter().find_map(|(name, value)| match value {
            Learned::Positions(positions) if *name == wanted => Some(positions.len()),
            _ => None,
        })
    };
    let rows = learned.iter().find_map(|(name, value)| match value {
        Learned::Matrix(matrix) if *name == "coefficients" => Some(matrix.nrows()),
        _ => None,
    });
    match (positions("support"), positions("landmarks"), rows) {
        (Some(support), _, _) => format!("{support} support vectors"),
        (_, Some(landmarks), _) => format!("{landmarks} landmarks"),
        (_, _, Some(rows)) => format!("sums of {rows} kernel values"),
        _ => "no sums of kernel values".to_owned(),
    }
}
