//! The verbs of the program.

mod cv;
mod export;
mod fit;
mod inspect;
mod page;
mod plot;
mod predict;
mod report;
mod score;
mod sums;
mod svm;
mod task;
mod transform;

pub use cv::Cv;
pub use export::Export;
pub use fit::Fit;
pub use inspect::Inspect;
pub use page::Page;
pub use plot::Plot;
pub use predict::Predict;
pub use report::Report;
pub use score::Score;
pub use sums::Sums;
pub use svm::{SvmPredict, SvmTrain};
pub use transform::Transform;

use crate::{Error, Outcome, talk::Talk, work::Work};
use npt_core::wording::bytes;
use npt_estimator::Model;
use std::path::Path;

/// Loads a model.
fn load(path: &Path) -> Result<Model, Error> {
    Model::load(path).map_err(|error| Error::file(path, error))
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
