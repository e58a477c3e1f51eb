//! Fits to tables that are read twice: once for a sample, by which the estimator is chosen, and once for sums.

use super::{Chosen, Fit, with_names_and_selection};
use crate::{
    Error, Outcome,
    choice::{Asked, Purpose},
    roles::Samples,
    streams, tables,
    talk::Talk,
};
use npt_core::{
    memory_limit,
    wording::{bytes, count},
};
use npt_estimator::{Estimator, Targets};
use std::time::Instant;

/// The method for numbers, if none is given: its penalties are compared in the pass over the rows. [`KFD`] is the method for classes.
const RIDGE: &str = "ridge(penalty = [0.000001, 0.0001, 0.01, 1, 100])";
const KFD: &str = "kfd";

/// The methods that can be fitted to sums of coordinates.
const METHODS: [&str; 4] = ["ridge", "pls", "kpca", "kfd"];

/// The number of rows that are drawn at random. Transformers are fitted to them, landmarks are taken from them, and parameters are chosen
/// by them.
const SAMPLE: usize = 10_000;

/// Returns whether the tables are streamed: on a cluster, if the user asks for it, or if they would not fit in the memory.
pub fn is_needed(fit: &Fit, talk: &Talk) -> Result<bool, Error> {
    if fit.stream || fit.place.is_cluster() {
        return Ok(true);
    }
    // All other methods are fitted in memory, on landmarks if need be.
    if fit
        .task
        .asked
        .method_name()
        .is_some_and(|name| !METHODS.contains(&name))
    {
        return Ok(false);
    }
    let (Some(needed), Some(allowed)) = (tables::forecast(&fit.task.source)?, memory_limit())
    else {
        return Ok(false);
    };
    if needed > allowed {
        talk.say(format!(
            "the tables would take {}, and there are {}: they are streamed",
            bytes(needed),
            bytes(allowed)
        ));
    }
    Ok(needed > allowed)
}

pub fn run(fit: &Fit, talk: &Talk) -> Result<Outcome, Error> {
    let start = Instant::now();
    let task = &fit.task;
    task.require_streamable(fit.place.is_cluster())?;
    if let Some(name) = task
        .asked
        .method_name()
        .filter(|name| !METHODS.contains(name))
    {
        return Err(Error::Usage(format!(
            "{name} is not fitted to sums over streamed tables; {} are",
            METHODS.join(", ")
        )));
    }
    let takes = task.asked.takes(!task.roles.target.is_empty())?;
    let table = streams::sample(
        &fit.place,
        &task.source,
        &task.roles,
        SAMPLE,
        task.seed,
        talk,
    )?;
    // Weights count in the sums.
    let mut of_sample = task.roles.clone();
    of_sample.weights = None;
    of_sample.ignore = task.roles.weights.iter().cloned().collect();
    let samples = Samples::of(&table, &of_sample, takes)?;
    task.tell(&table, &samples, talk);
    let work = task.work(talk);
    let candidates = work.run(|| candidates(&task.asked, &samples))?;
    let Chosen {
        estimator,
        selection,
        ..
    } = fit.chosen(&candidates, &samples, &work, talk)?;
    talk.say(&estimator);
    let begun = work.run(|| Ok(estimator.sums(&samples.data)?))?;
    let before = Instant::now();
    let sums = streams::sums(&fit.place, &task.source, &task.roles, &begun, talk)?;
    let seconds = before.elapsed().as_secs_f64();
    talk.say(format!(
        "sums of {} in {seconds:.1} s: {:.0} rows/s",
        count(sums.count(), "row"),
        sums.count() as f64 / seconds
    ));
    let model = work.run(|| Ok(sums.fit()?))?;
    let model = with_names_and_selection(model, &task.roles.target, selection);
    fit.save(&model, sums.count(), start, talk)?;
    Ok(Outcome::Done)
}

/// The estimators that are compared on the sample.
fn candidates(asked: &Asked, samples: &Samples) -> Result<Vec<Estimator>, Error> {
    let of_target = match samples.targets {
        Targets::Labels(_) => KFD,
        _ => RIDGE,
    };
    let asked = Asked {
        method: Some(asked.method.clone().unwrap_or_else(|| of_target.to_owned())),
        ..asked.clone()
    };
    Ok(asked.choose(samples, Purpose::Sums)?.candidates)
}
