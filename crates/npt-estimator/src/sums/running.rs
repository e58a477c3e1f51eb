//! Sums of blocks that one process adds.

use super::{hash::fold_of_each, parts::Parts, view::View};
use crate::{AnySamples, Error, Label, methods::Coordinates};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis, Ix2};
use npt_core::Samples as _;
use npt_methods::streaming::{ClassMoments, CoordinateMoments, Moments};
use std::sync::Arc;

type InSpace<M> = CoordinateMoments<Arc<Coordinates>, M>;

/// Sums of samples that come block by block, in the form that costs least.
#[derive(Debug, Clone)]
pub(super) enum Running {
    /// The sums of each fold.
    Numbers(Vec<InSpace<Moments<Ix2>>>),
    Classes(InSpace<ClassMoments<Label>>),
}

/// Targets in the form that moments take.
pub(super) enum Taken {
    Numbers(Array2<f64>),
    Labels(Array1<Label>),
}

impl Taken {
    pub(super) fn rows(&self, rows: std::ops::Range<usize>) -> Self {
        let rows = ndarray::Slice::from(rows);
        match self {
            Self::Numbers(numbers) => Self::Numbers(numbers.slice_axis(Axis(0), rows).to_owned()),
            Self::Labels(labels) => Self::Labels(labels.slice_axis(Axis(0), rows).to_owned()),
        }
    }
}

impl Running {
    pub(super) fn new(
        view: &View,
        targets: &Taken,
        folds: usize,
        by_class: bool,
    ) -> Result<Self, Error> {
        let space = view.shared_space();
        Ok(match targets {
            Taken::Numbers(numbers) => {
                let first = CoordinateMoments::of_targets(space, numbers.ncols())?;
                let others = (1..folds).map(|_| first.anew()).collect::<Vec<_>>();
                Self::Numbers(std::iter::once(first).chain(others).collect())
            }
            Taken::Labels(_) if by_class => {
                Self::Classes(CoordinateMoments::with_class_scatters(space)?)
            }
            Taken::Labels(_) => Self::Classes(CoordinateMoments::of_classes(space)?),
        })
    }

    pub(super) fn add(
        &mut self,
        samples: &AnySamples,
        targets: &Taken,
        weights: &Array1<f32>,
    ) -> Result<(), npt_methods::Error> {
        match (self, targets) {
            (Self::Classes(sums), Taken::Labels(labels)) => {
                let block = DatasetBase::new(samples.clone(), labels.clone());
                sums.add(&block.with_weights(weights.clone()))
            }
            (Self::Numbers(folds), Taken::Numbers(numbers)) => {
                if let [sums] = &mut folds[..] {
                    return add_to(sums, samples, numbers, weights);
                }
                let fold_of_each = fold_of_each(samples, folds.len());
                for (fold, sums) in folds.iter_mut().enumerate() {
                    let rows = (0..samples.len()).filter(|&row| fold_of_each[row] == fold);
                    let rows: Vec<usize> = rows.collect();
                    if rows.is_empty() {
                        continue;
                    }
                    let weights = if weights.is_empty() {
                        weights.clone()
                    } else {
                        weights.select(Axis(0), &rows)
                    };
                    let numbers = numbers.select(Axis(0), &rows);
                    add_to(sums, &samples.select(&rows), &numbers, &weights)?;
                }
                Ok(())
            }
            // A method takes targets of one kind.
            _ => Err(npt_methods::Error::NoTargets),
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Self::Numbers(folds) => folds.iter().map(InSpace::<Moments<Ix2>>::count).sum(),
            Self::Classes(sums) => sums.count(),
        }
    }

    pub(super) fn into_parts(self) -> Result<Parts, Error> {
        Ok(match self {
            Self::Numbers(folds) => {
                let folds = folds.into_iter().map(InSpace::<Moments<Ix2>>::into_moments);
                Parts::Numbers(folds.collect::<Result<_, _>>()?)
            }
            Self::Classes(sums) => Parts::Classes(sums.into_moments()?),
        })
    }
}

/// Adds samples to the sums of a fold, with their targets if these have columns.
fn add_to(
    sums: &mut InSpace<Moments<Ix2>>,
    samples: &AnySamples,
    numbers: &Array2<f64>,
    weights: &Array1<f32>,
) -> Result<(), npt_methods::Error> {
    let block = DatasetBase::new(samples.clone(), numbers.clone()).with_weights(weights.clone());
    match numbers.ncols() {
        0 => sums.add_weighted_records(&block),
        _ => sums.add(&block),
    }
}
