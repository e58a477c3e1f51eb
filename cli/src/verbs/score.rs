//! `npt score`

use super::{cv, load};
use crate::{
    Error, Outcome,
    choice::score_of,
    roles::{data_for, targets_for_score},
    tables,
    talk::Talk,
    work::Work,
};
use std::path::PathBuf;

/// Scores a model by rows of which the target is known
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt score magic.npt held-out.csv
  npt score magic.npt held-out.csv --metric accuracy,area_under_curve")]
pub struct Score {
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    #[command(flatten)]
    source: tables::Source,
    /// The target, where the model does not name it
    #[arg(short, long, value_name = "COLUMN,…", value_delimiter = ',')]
    target: Vec<String>,
    /// The scores; by default accuracy for classes, r2 and mean_squared_error for numbers
    #[arg(long, value_name = "SCORE,…", value_delimiter = ',', value_parser = cv::score)]
    metric: Vec<npt_estimator::Score>,
}

impl Score {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        let model = load(&self.model)?;
        let table = tables::read(&self.source)?;
        let targets = targets_for_score(&model, &table, &self.target, talk)?;
        let scores = match (self.metric.is_empty(), score_of(&targets)?) {
            (false, _) => self.metric,
            (true, npt_estimator::Score::R2) => vec![
                npt_estimator::Score::R2,
                npt_estimator::Score::MeanSquaredError,
            ],
            (true, score) => vec![score],
        };
        let data = data_for(&model, &table)?;
        let work = Work::new(None, talk.progress);
        let mut values = serde_json::Map::new();
        for score in scores {
            let value = work.run(|| Ok(score.of(&model, &data, &targets)?))?;
            if !talk.json {
                talk.print(format!("{score}\t{value:.6}"))?;
            }
            values.insert(score.to_string(), value.into());
        }
        if talk.json {
            talk.print(serde_json::Value::from(values))?;
        }
        Ok(Outcome::Done)
    }
}
