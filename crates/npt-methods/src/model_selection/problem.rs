//! Cross-validation in one space: the parts that do not depend on how a method is fitted.

use super::{Answer, Folds, Score};
use crate::Error;
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records, TargetDim},
};
use ndarray::{Array, Array1, ArrayView1, Axis, Dimension};
use npt_core::{
    KernelizedError,
    watch::{Carrier, Steps},
};
use rayon::prelude::*;
use std::{cell::Cell, ops::Range};

/// A score, or the error in its place.
pub(super) type Outcome<V, X> = Result<V, X>;

/// The parts of a search that are the same for every space: samples with targets, and their division into folds.
pub struct Problem<'a, R, L, I: Dimension> {
    pub(super) records: &'a R,
    targets: &'a Array<L, I>,
    weights: &'a Array1<f32>,
    names: &'a [String],
    folds: &'a Folds,
    /// The folds that are held out, one after the other.
    turns: Range<usize>,
    /// The steps of the progress: a fit is one step.
    pub(super) steps: Steps,
}

/// One fold: samples to train with, and samples held out.
pub(super) struct Fold<'a, L, I: Dimension> {
    pub(super) turn: usize,
    pub(super) training: Vec<usize>,
    pub(super) held_out: &'a [usize],
    /// The targets of the training samples.
    pub(super) targets: Array<L, I>,
    truth: Array<L, I>,
    weights: Option<Array1<f32>>,
    names: &'a [String],
    steps: Steps,
    /// Steps that were taken for this fold.
    taken: Cell<usize>,
}

impl<'a, R: Records, L: Clone, I: TargetDim> Problem<'a, R, L, I> {
    /// Divides the samples of a dataset into the folds; `targets` are the targets of the dataset.
    pub(super) fn new<T: AsTargets<Elem = L, Ix = I>>(
        dataset: &'a DatasetBase<R, T>,
        targets: &'a Array<L, I>,
        folds: &'a Folds,
        steps: Steps,
    ) -> Result<Self, Error> {
        let (samples, weights) = (dataset.nsamples(), &dataset.weights);
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
            records: dataset.records(),
            targets,
            weights,
            names: dataset.target_names(),
            folds,
            turns: 0..folds.len(),
            steps,
        })
    }

    /// Returns the problem of one fold alone, for other records of the same samples.
    pub(super) fn of_turn<'b, Q>(&'b self, turn: usize, records: &'b Q) -> Problem<'b, Q, L, I> {
        Problem {
            records,
            targets: self.targets,
            weights: self.weights,
            names: self.names,
            folds: self.folds,
            turns: turn..turn + 1,
            steps: self.steps.clone(),
        }
    }

    /// Returns the number of folds that are held out.
    pub(super) fn turns(&self) -> usize {
        self.turns.len()
    }

    /// Returns whether all folds are held out.
    pub(super) fn is_whole(&self) -> bool {
        self.turns() == self.folds.len()
    }

    /// The sample weights, if there are any: a dataset of linfa's with zero weights has none.
    pub(super) fn weights(&self) -> Option<ArrayView1<'_, f32>> {
        (!self.weights.is_empty()).then(|| self.weights.view())
    }

    pub(super) fn targets(&self) -> &Array<L, I> {
        self.targets
    }

    /// Returns the folds that are held out, one by one, so that no thread keeps a fold that another has time for.
    fn turns_one_by_one(&self) -> impl ParallelIterator<Item = usize> {
        self.turns.clone().into_par_iter().with_max_len(1)
    }

    /// Returns the outcomes by candidate, then fold; `of_fold` returns one outcome per candidate.
    pub(super) fn evaluate<V: Score, X: Send>(
        &self,
        of_fold: impl Fn(&Fold<'_, L, I>) -> Vec<Outcome<V, X>> + Sync,
    ) -> Vec<Outcome<V, X>>
    where
        R: Sync,
        L: Send + Sync,
    {
        let folds = self.turns_one_by_one();
        let carrier = Carrier::new();
        let of_turn = |turn| {
            let fold = self.fold(turn);
            let outcomes = of_fold(&fold);
            // The steps that the fold has not taken itself.
            let others = outcomes.len().saturating_sub(fold.taken.get());
            self.steps.take(others);
            outcomes
        };
        let outcomes = folds.map(|turn| carrier.over(|| of_turn(turn)));
        by_candidate(outcomes.collect())
    }

    /// Returns the outcomes as [`evaluate`](Self::evaluate) does, or the error of the first fold that has one; `of_fold` takes the steps.
    pub(super) fn try_evaluate<V: Score, X: Send>(
        &self,
        of_fold: impl Fn(&Fold<'_, L, I>) -> Result<Vec<Outcome<V, X>>, Error> + Sync,
    ) -> Result<Vec<Outcome<V, X>>, Error>
    where
        R: Sync,
        L: Send + Sync,
    {
        let folds = self.turns_one_by_one();
        let carrier = Carrier::new();
        let outcomes = folds.map(|turn| carrier.over(|| of_fold(&self.fold(turn))));
        let by_fold: Vec<_> = outcomes.collect();
        Ok(by_candidate(by_fold.into_iter().collect::<Result<_, _>>()?))
    }

    pub(super) fn fold(&self, turn: usize) -> Fold<'_, L, I> {
        let (training, held_out) = self.folds.split(turn);
        let targets = |indices: &[usize]| self.targets.select(Axis(0), indices);
        Fold {
            turn,
            targets: targets(&training),
            truth: targets(held_out),
            weights: self.weights().map(|all| all.select(Axis(0), &training)),
            names: self.names,
            training,
            held_out,
            steps: self.steps.clone(),
            taken: Cell::new(0),
        }
    }
}

impl<L: Clone, I: TargetDim> Fold<'_, L, I> {
    /// Returns the outcomes of methods, one after the other. Each outcome is a step, so that a search shows its progress within a fold, too.
    pub(super) fn each<M, O>(&self, methods: &[M], mut outcome: impl FnMut(&M) -> O) -> Vec<O> {
        let of_method = |method| {
            let found = outcome(method);
            self.steps.take(1);
            self.taken.set(self.taken.get() + 1);
            found
        };
        methods.iter().map(of_method).collect()
    }

    /// Returns the dataset of the training samples: these records, with their targets and weights.
    pub(super) fn dataset<R: Records>(&self, records: R) -> DatasetBase<R, Array<L, I>> {
        let data = DatasetBase::new(records, self.targets.clone());
        let data = data.with_target_names(self.names.to_vec());
        match &self.weights {
            Some(weights) => data.with_weights(weights.clone()),
            None => data,
        }
    }

    /// The score of a model, from the records held out.
    pub(super) fn score<M, R, U, V>(
        &self,
        model: &M,
        records: &R,
        score: impl Fn(&U, &Array<L, I>) -> V,
    ) -> V
    where
        R: Records,
        U: Answer<M, R>,
    {
        score(&U::of(model, records), &self.truth)
    }
}

/// Puts the outcomes of folds, of one outcome per candidate each, into the order by candidate, then fold.
fn by_candidate<O>(by_fold: Vec<Vec<O>>) -> Vec<O> {
    let candidates = by_fold.first().map_or(0, Vec::len);
    let mut by_fold: Vec<_> = by_fold.into_iter().map(Vec::into_iter).collect();
    let mut of_candidate = || -> Vec<O> { by_fold.iter_mut().filter_map(Iterator::next).collect() };
    (0..candidates).flat_map(|_| of_candidate()).collect()
}

/// Returns one error as the outcome of `count` fits.
pub(super) fn failed<V, E>(
    error: &npt_core::Error,
    count: usize,
) -> Vec<Outcome<V, KernelizedError<E>>> {
    let outcome = || Err(KernelizedError::Space(error.clone()));
    std::iter::repeat_with(outcome).take(count).collect()
}
