//! Cross-validation in one space: the parts that do not depend on how a method is fitted.

use super::Folds;
use crate::Error;
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::PredictInplace,
};
use ndarray::{Array, Array1, ArrayView1, Axis};
use npt_core::KernelizedError;
use rayon::prelude::*;

/// A score, or why there is none.
pub(super) type Outcome<E> = Result<f64, KernelizedError<E>>;

/// All that is the same for every space.
pub(super) struct Problem<'a, T: AsTargets> {
    targets: Array<T::Elem, T::Ix>,
    weights: &'a Array1<f32>,
    names: &'a [String],
    folds: &'a Folds,
}

/// One fold: samples to train with, and samples held out.
pub(super) struct Fold<'a, T: AsTargets> {
    pub(super) training: Vec<usize>,
    pub(super) held_out: &'a [usize],
    /// Of the training samples.
    pub(super) targets: Array<T::Elem, T::Ix>,
    truth: Array<T::Elem, T::Ix>,
    weights: Option<Array1<f32>>,
    names: &'a [String],
}

impl<'a, T: AsTargets> Problem<'a, T>
where
    T::Elem: Clone,
{
    pub(super) fn new<R: Records>(
        dataset: &'a DatasetBase<R, T>,
        folds: &'a Folds,
    ) -> Result<Self, Error> {
        let (samples, weights) = (dataset.nsamples(), &dataset.weights);
        let targets = dataset.as_targets().to_owned();
        if targets.len_of(Axis(0)) != samples {
            let targets = targets.len_of(Axis(0));
            return Err(npt_core::Error::TargetCount { samples, targets }.into());
        }
        if !weights.is_empty() && weights.len() != samples {
            let weights = weights.len();
            return Err(npt_core::Error::WeightCount { samples, weights }.into());
        }
        if folds.samples() != samples {
            let expected = samples;
            let found = folds.samples();
            return Err(Error::FoldsOfOthers { expected, found });
        }
        Ok(Self {
            targets,
            weights,
            names: dataset.target_names(),
            folds,
        })
    }

    /// The sample weights, if there are any: linfa's datasets have none where they have zero of them.
    pub(super) fn weights(&self) -> Option<ArrayView1<'_, f32>> {
        (!self.weights.is_empty()).then(|| self.weights.view())
    }

    pub(super) fn targets(&self) -> &Array<T::Elem, T::Ix> {
        &self.targets
    }

    /// The outcomes of one space, by method, then fold; `of_fold` gives one a method.
    pub(super) fn evaluate<E: Send>(
        &self,
        of_fold: impl Fn(&Fold<'_, T>) -> Vec<Outcome<E>> + Sync,
    ) -> Vec<Outcome<E>>
    where
        T::Elem: Send + Sync,
        T::Ix: Send + Sync,
    {
        let by_fold: Vec<Vec<_>> = (0..self.folds.len())
            .into_par_iter()
            .map(|fold| of_fold(&self.fold(fold)))
            .collect();
        let methods = by_fold[0].len();
        let mut by_fold: Vec<_> = by_fold.into_iter().map(Vec::into_iter).collect();
        let mut of_method = || by_fold.iter_mut().filter_map(Iterator::next).collect();
        let by_method: Vec<Vec<_>> = (0..methods).map(|_| of_method()).collect();
        by_method.into_iter().flatten().collect()
    }

    fn fold(&self, fold: usize) -> Fold<'_, T> {
        let (training, held_out) = self.folds.split(fold);
        let targets = |indices: &[usize]| self.targets.select(Axis(0), indices);
        Fold {
            targets: targets(&training),
            truth: targets(held_out),
            weights: self.weights().map(|all| all.select(Axis(0), &training)),
            names: self.names,
            training,
            held_out,
        }
    }
}

impl<T: AsTargets> Fold<'_, T>
where
    T::Elem: Clone,
{
    /// Those of the training samples, if there are any.
    pub(super) fn weights(&self) -> Option<ArrayView1<'_, f32>> {
        self.weights.as_ref().map(Array1::view)
    }

    /// The training samples' records with their targets and weights.
    pub(super) fn dataset<R: Records>(&self, records: R) -> DatasetBase<R, Array<T::Elem, T::Ix>> {
        let data = DatasetBase::new(records, self.targets.clone());
        let data = data.with_target_names(self.names.to_vec());
        match &self.weights {
            Some(weights) => data.with_weights(weights.clone()),
            None => data,
        }
    }

    /// The score of a model, from the records held out.
    pub(super) fn score<M, R, U>(
        &self,
        model: &M,
        records: &R,
        score: impl Fn(&U, &Array<T::Elem, T::Ix>) -> f64,
    ) -> f64
    where
        R: Records,
        M: PredictInplace<R, U>,
    {
        let mut predicted = model.default_target(records);
        model.predict_inplace(records, &mut predicted);
        score(&predicted, &self.truth)
    }
}

/// One error for all of so many fits.
pub(super) fn failed<E>(error: &npt_core::Error, count: usize) -> Vec<Outcome<E>> {
    let outcome = || Err(KernelizedError::Space(error.clone()));
    std::iter::repeat_with(outcome).take(count).collect()
}
