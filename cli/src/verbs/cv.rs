//! `npt cv`

use super::{outcome, save, task::Task};
use crate::{
    Error, Outcome,
    choice::{Purpose, score_of},
    roles::Samples,
    tables::some_rows,
    talk::Talk,
    work::Work,
};
use ndarray::Array1;
use npt_core::wording::count;
use npt_estimator::{Data, Estimator, Score, Scored, Selection, Targets};
use npt_methods::model_selection::Folds;
use std::{path::PathBuf, time::Instant};

/// The most rows by which parameters are chosen: a search over 15 candidates then takes seconds.
const ROWS: usize = 4000;

/// Compares estimators by cross-validation: each value may be a list or a range
///
/// Prints the candidates, the best first, with the mean of the score over the folds and its standard deviation.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt cv magic.csv -t class
  npt cv magic.csv -t class -m svc:c=0.1..1000 -k gaussian:gamma=0.001..1
  npt cv houses.csv -t price -m ridge -k 'laplacian:gamma=0.01,0.1,1' --nested -o houses.npt")]
pub struct Cv {
    #[command(flatten)]
    task: Task,
    /// The number of folds, stratified by class
    #[arg(long, default_value_t = 5)]
    folds: usize,
    #[arg(long, value_parser = score, help = format!("The score: {}", Score::WORDS.join(", ")))]
    metric: Option<Score>,
    /// Score the whole search as well, by folds that had no part in it
    #[arg(long)]
    nested: bool,
    /// Fit the best to all rows, and save the model
    #[arg(short, long, value_name = "MODEL")]
    output: Option<PathBuf>,
}

impl Cv {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        let start = Instant::now();
        if let Some(output) = &self.output {
            self.task.refuse_input(output)?;
        }
        let samples = self.task.samples(talk)?;
        let work = self.task.work(talk);
        let choice = self.task.asked.choose(&samples, Purpose::Search)?;
        for note in &choice.notes {
            talk.say(note);
        }
        let score = self.metric.map_or_else(|| score_of(&samples.targets), Ok)?;
        let search = Search {
            candidates: choice.candidates,
            score,
            folds: self.folds,
            seed: self.task.seed,
        };
        talk.say(format!(
            "{} in {}",
            count(search.candidates.len(), "candidate"),
            count(self.folds, "fold")
        ));
        let found = search.run(&samples.data, &samples.targets, &work)?;
        let nested = if self.nested {
            Some(search.nested(&samples, &work)?)
        } else {
            None
        };
        let best = found.best()?;
        if let Some(path) = &self.output {
            let model =
                work.run(|| Ok(best.estimator.fit(&samples.data, samples.targets.clone())?))?;
            let model = model
                .with_target_names(samples.target_names.clone())
                .with_selection(found.selection(&search));
            save(&model, path, talk)?;
        }
        let (nested, skipped) = nested.unzip();
        if talk.json {
            talk.print(found.json(score, nested.as_deref()))?;
        } else {
            talk.print(found.table(score))?;
        }
        if let Some(scores) = nested.filter(|_| !talk.json) {
            let (mean, deviation) = mean_and_deviation(&scores);
            talk.print(format!(
                "{mean:.4} ± {deviation:.4}\tthe search, by folds that had no part in it"
            ))?;
        }
        talk.say(format!("{:.1} s", start.elapsed().as_secs_f64()));
        Ok(outcome(
            &work,
            talk,
            found.skipped + skipped.unwrap_or(0) > 0,
        ))
    }
}

/// A score by its name.
pub fn score(name: &str) -> Result<Score, String> {
    serde_json::from_value(name.into()).map_err(|_| {
        format!(
            "there is no score {name}; there are {}",
            Score::WORDS.join(", ")
        )
    })
}

/// A search over candidates by cross-validation.
pub struct Search {
    pub candidates: Vec<Estimator>,
    pub score: Score,
    pub folds: usize,
    pub seed: u64,
}

/// Candidates with their scores.
pub struct Found {
    /// The candidates, the best first.
    pub ranked: Vec<Scored>,
    /// The number of candidates that the time was too short for.
    pub skipped: usize,
    /// The number of rows that were divided into folds.
    rows: usize,
}

impl Search {
    /// Scores the candidates. If the time has an end, the candidates of one kernel come after those of another, as long as there is time;
    /// the first group is always scored.
    pub fn run(&self, data: &Data, targets: &Targets, work: &Work) -> Result<Found, Error> {
        let mut left = self.candidates.as_slice();
        let mut scored = Vec::new();
        while let Some(first) = left.first() {
            if work.is_over() && !scored.is_empty() {
                break;
            }
            let is_same = |candidate: &&Estimator| candidate.differs_in_parameters(first);
            let same = match work.has_end() {
                true => left.iter().take_while(is_same).count(),
                false => left.len(),
            };
            let (these, others) = left.split_at(same);
            left = others;
            let search = npt_estimator::Search::new(these.to_vec(), self.score)
                .folds(self.folds)
                .seed(self.seed);
            let results = work.run(|| Ok(search.results(data, targets.clone())?))?;
            scored.extend(results.candidates().iter().cloned());
        }
        let mut ranked = scored;
        let worth = |scored: &Scored| {
            let mean = scored.mean().unwrap_or(f64::NAN);
            let mean = if self.score.is_loss() { -mean } else { mean };
            if mean.is_nan() {
                f64::NEG_INFINITY
            } else {
                mean
            }
        };
        ranked.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        Ok(Found {
            ranked,
            skipped: left.len(),
            rows: data.len(),
        })
    }

    /// Scores the candidates on at most [`ROWS`] of the rows, so that a search takes seconds.
    pub fn run_on_some(&self, samples: &Samples, work: &Work, talk: &Talk) -> Result<Found, Error> {
        let rows = samples.data.len();
        if rows <= ROWS {
            return self.run(&samples.data, &samples.targets, work);
        }
        talk.say(format!(
            "parameters are chosen by {ROWS} of {rows} rows; npt cv takes all"
        ));
        let some = some_rows(rows, ROWS, self.seed);
        self.run(
            &samples.data.rows(&some),
            &samples.targets.rows(&some),
            work,
        )
    }

    /// The scores of the search as a whole: for each fold, the score on it of the candidate that is best by all other folds, fitted to them.
    /// The second value is the number of candidates, in all folds, that the time was too short for.
    fn nested(&self, samples: &Samples, work: &Work) -> Result<(Vec<f64>, usize), Error> {
        let seed = self.seed.wrapping_add(1);
        let folds = match &samples.targets {
            Targets::Labels(labels) => {
                Folds::stratified(&Array1::from(labels.clone()), self.folds, seed)
            }
            _ => Folds::k(samples.data.len(), self.folds, seed),
        };
        let folds = folds.map_err(|error| Error::Estimator(error.into()))?;
        let mut skipped = 0;
        let mut of_fold = |fold: usize| {
            let (training, held_out) = folds.split(fold);
            let part = |rows: &[usize]| (samples.data.rows(rows), samples.targets.rows(rows));
            let ((data, targets), (new, truth)) = (part(&training), part(held_out));
            let found = self.run(&data, &targets, work)?;
            skipped += found.skipped;
            let best = found.best()?;
            work.run(|| {
                Ok(self
                    .score
                    .of(&best.estimator.fit(&data, targets.clone())?, &new, &truth)?)
            })
        };
        let scores: Result<Vec<f64>, Error> = (0..folds.len()).map(&mut of_fold).collect();
        Ok((scores?, skipped))
    }
}

impl Found {
    /// The best candidate.
    ///
    /// # Errors
    /// The error of the first candidate, if every candidate failed.
    pub fn best(&self) -> Result<&Scored, Error> {
        let best = self
            .ranked
            .first()
            .ok_or_else(|| Error::Usage("there are no candidates".to_owned()))?;
        match best.mean() {
            Ok(_) => Ok(best),
            Err(error) => Err(Error::Data(format!(
                "none of {} could be fitted: {error}",
                count(self.ranked.len(), "candidate")
            ))),
        }
    }

    /// The candidates as the model keeps them.
    pub fn selection(&self, search: &Search) -> Selection {
        Selection::new(search.score, search.folds, self.rows, &self.ranked)
    }

    fn table(&self, score: Score) -> String {
        let mut lines = vec![format!("{score}\tcandidate")];
        for scored in &self.ranked {
            lines.push(match (scored.mean(), scored.deviation()) {
                (Ok(mean), Ok(deviation)) => {
                    format!("{mean:.4} ± {deviation:.4}\t{}", scored.estimator)
                }
                (Err(error), _) | (_, Err(error)) => {
                    format!("failed\t{}: {error}", scored.estimator)
                }
            });
        }
        lines.join("\n")
    }

    fn json(&self, score: Score, nested: Option<&[f64]>) -> serde_json::Value {
        let candidate = |scored: &Scored| {
            let scores: Vec<_> = scored
                .scores
                .iter()
                .map(|score| score.as_ref().ok())
                .collect();
            serde_json::json!({
                "estimator": scored.estimator, "text": scored.estimator.to_string(), "scores": scores,
                "mean": scored.mean().ok(), "error": scored.mean().err(),
            })
        };
        let candidates: Vec<_> = self.ranked.iter().map(candidate).collect();
        serde_json::json!({ "score": score, "candidates": candidates, "nested": nested, "skipped": self.skipped })
    }
}

fn mean_and_deviation(scores: &[f64]) -> (f64, f64) {
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let square = scores
        .iter()
        .map(|score| (score - mean).powi(2))
        .sum::<f64>()
        / count;
    (mean, square.sqrt())
}
