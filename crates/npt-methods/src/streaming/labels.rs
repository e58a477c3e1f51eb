//! The labels of blocks.

use super::Passes;
use crate::Error;
use linfa::{
    DatasetBase, Label,
    dataset::{AsSingleTargets, Records},
};
use npt_core::{Samples, Scalar};
use std::collections::BTreeSet;

/// The classes of all samples, ascending, two or more, by a pass.
pub(crate) fn classes_of<S, F, N, L, I, R, T, E>(
    passes: &mut Passes<'_, S, F, N>,
) -> Result<Vec<L>, E>
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
    let mut classes = BTreeSet::new();
    passes.for_each_block(|block: &DatasetBase<R, T>| {
        classes.extend(block.as_single_targets().iter().cloned());
        Ok(())
    })?;
    match classes.len() {
        found @ ..2 => Err(Error::Classes { found }.into()),
        _ => Ok(classes.into_iter().collect()),
    }
}

/// The position of the class of each sample among all.
pub(crate) fn members<R: Records, L: Label, T: AsSingleTargets<Elem = L>>(
    block: &DatasetBase<R, T>,
    classes: &[L],
) -> Result<Vec<usize>, Error> {
    let labels = block.as_single_targets();
    let (samples, targets) = (block.records.nsamples(), labels.len());
    if samples != targets {
        return Err(npt_core::Error::TargetCount { samples, targets }.into());
    }
    let place = |(row, label)| {
        classes
            .binary_search(label)
            .map_err(|_| Error::LaterClass { row })
    };
    labels.iter().enumerate().map(place).collect()
}
