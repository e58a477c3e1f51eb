//! The classes of samples in blocks.

use super::Passes;
use crate::{Error, weights::Weights};
use linfa::{
    DatasetBase, Label,
    dataset::{AsSingleTargets, Records},
};
use npt_core::{Samples, Scalar};
use std::collections::BTreeMap;

/// The classes of samples of weight above 0, ascending, two or more.
pub(crate) struct Classes<L> {
    pub(crate) labels: Vec<L>,
    /// The number of samples of each class.
    pub(crate) counts: Vec<usize>,
    /// The weight of the samples of each class.
    pub(crate) weights: Vec<f64>,
}

/// Finds the classes by a pass.
pub(crate) fn classes_of<S, F, N, L, I, R, T, E>(
    passes: &mut Passes<'_, S, F, N>,
) -> Result<Classes<L>, E>
where
    S: Samples,
    F: Scalar,
    N: FnMut() -> Result<I, E>,
    L: Label,
    I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
    R: Records,
    T: AsSingleTargets<Elem = L>,
    E: From<Error>,
{
    let mut sizes: BTreeMap<L, (usize, f64)> = BTreeMap::new();
    passes.for_each_block(|block: &DatasetBase<R, T>| {
        let weights: Weights<f64> = Weights::of_block(block)?;
        let labels = block.as_single_targets();
        for (label, weight) in labels.iter().zip(weights.of_all()) {
            if weight == 0.0 {
                continue;
            }
            match sizes.get_mut(label) {
                Some((count, total)) => {
                    *count += 1;
                    *total += weight;
                }
                None => drop(sizes.insert(label.clone(), (1, weight))),
            }
        }
        Ok(())
    })?;
    match sizes.len() {
        0 => {
            let (found, needed) = (0, 1);
            return Err(Error::TooFewSamples { found, needed }.into());
        }
        1 => return Err(Error::Classes { found: 1 }.into()),
        _ => {}
    }
    let (counts, weights) = sizes.values().copied().unzip();
    Ok(Classes {
        labels: sizes.into_keys().collect(),
        counts,
        weights,
    })
}

/// The position of the class of each sample among all classes. A sample of weight 0 may have a class that is none of them, and counts
/// as a member of the first.
pub(crate) fn members<R: Records, L: Label, T: AsSingleTargets<Elem = L>>(
    block: &DatasetBase<R, T>,
    classes: &[L],
    weights: &Weights<f64>,
) -> Result<Vec<usize>, Error> {
    let labels = block.as_single_targets();
    let (samples, targets) = (block.records.nsamples(), labels.len());
    if samples != targets {
        return Err(npt_core::Error::TargetCount { samples, targets }.into());
    }
    let weights = weights.of_all();
    let place = |(row, label)| match classes.binary_search(label) {
        Ok(place) => Ok(place),
        Err(_) if weights[row] == 0.0 => Ok(0),
        Err(_) => Err(Error::LaterClass { row }),
    };
    labels.iter().enumerate().map(place).collect()
}
