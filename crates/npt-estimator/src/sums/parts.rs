//! Moments of coordinates, which merge.

use super::Sums;
use crate::{Error, Label, methods::Fit};
use ndarray::Ix2;
use npt_methods::streaming::{ClassMoments, Moments};

/// Moments of coordinates.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) enum Parts {
    /// The moments of each fold.
    Numbers(Vec<Moments<Ix2>>),
    Classes(ClassMoments<Label>),
}

/// Sums over some of the samples, without their space. One machine sends them to another.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PartialSums {
    pub(super) fingerprint: u64,
    pub(super) moments: Option<Parts>,
}

impl PartialSums {
    /// Adds the sums over other samples.
    ///
    /// # Errors
    /// [`Error::OtherSums`] for sums of another space, method or division into folds; [`Error::Fit`] for sums of other targets.
    /// Nothing is added then.
    pub fn merge(&mut self, others: &Self) -> Result<(), Error> {
        let (expected, found) = (self.fingerprint, others.fingerprint);
        let is_merged = match (&self.moments, &others.moments) {
            _ if expected != found => false,
            (_, None) => true,
            (None, Some(more)) => {
                self.moments = Some(more.clone());
                true
            }
            (Some(moments), Some(more)) => {
                let mut moments = moments.clone();
                let is_merged = moments.merge(more)?;
                if is_merged {
                    self.moments = Some(moments);
                }
                is_merged
            }
        };
        if is_merged {
            return Ok(());
        }
        Err(Error::OtherSums { expected, found })
    }
}

impl Parts {
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Numbers(folds) => folds.iter().map(Moments::count).sum(),
            Self::Classes(moments) => moments.count(),
        }
    }

    /// One of the labels, if these are moments of classes.
    pub(super) fn label(&self) -> Option<Label> {
        match self {
            Self::Numbers(_) => None,
            Self::Classes(moments) => moments.classes().next().cloned(),
        }
    }

    /// Adds the moments of other samples. Returns `false` if they are of another kind; nothing is added then.
    fn merge(&mut self, others: &Self) -> Result<bool, npt_methods::Error> {
        match (self, others) {
            (Self::Numbers(folds), Self::Numbers(others)) if folds.len() == others.len() => {
                let mut folds = folds.iter_mut().zip(others);
                folds.try_for_each(|(fold, others)| fold.merge(others))?;
            }
            (Self::Classes(moments), Self::Classes(others)) => moments.merge(others)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Refuses moments that do not belong to these sums; a file may hold such moments.
    pub(super) fn check(&self, sums: &Sums) -> Result<(), Error> {
        let rank = sums.rank();
        let (is_of_labels, features, folds) = match self {
            Self::Numbers(folds) => (
                false,
                folds.iter().map(|fold| fold.mean().len()).collect(),
                folds.len(),
            ),
            Self::Classes(moments) => (true, vec![moments.within_scatter().nrows()], sums.folds),
        };
        let of_labels = matches!(sums.estimator.method_of_list()?.fit, Fit::Labels(_));
        if is_of_labels != of_labels || folds != sums.folds {
            let (expected, found) = (sums.fingerprint, sums.fingerprint);
            return Err(Error::OtherSums { expected, found });
        }
        match features.into_iter().find(|&found| found != rank) {
            Some(found) => {
                let expected = rank;
                Err(npt_core::Error::ColumnCount { expected, found }.into())
            }
            None => Ok(()),
        }
    }
}
