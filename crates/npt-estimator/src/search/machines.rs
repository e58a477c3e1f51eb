//! Support vector machines of two classes, which are fitted to the folds together.
//!
//! A group of machines differs in its parameters alone. It shares one kernel matrix: one for all folds, or one a fold if there are
//! transformers, which are fitted anew to each fold. The penalties come one after the other, each from the solution of the one before.
//! Groups with the same transformers share the samples behind them, and all groups the memory of their matrices.

mod groups;

use crate::{AnySamples, Data, Error, Estimator, Label, Score, label::classes_of};
use groups::{Group, groups};
use ndarray::{Array1, ArrayView1, Axis};
use npt_core::{
    ExpansionMethod, SpaceBuilder,
    linalg::Spare,
    memory_limit,
    watch::{Carrier, Steps},
};
use npt_methods::{
    KernelSvc,
    linear::SvcParams,
    model_selection::{Folds, accuracy, area_under_curve, balanced_accuracy},
};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// A score on a fold, or the reason why there is none.
pub(super) type Outcome = Result<f64, String>;

/// The outcomes of the machines of a group on each fold; `None` where the machines have to be fitted one by one.
type OfGroup = Option<Vec<Vec<Outcome>>>;

/// Fits machines to some of the samples, and scores them on others.
type Fitted<'a> = dyn Fn(&[usize], &[usize]) -> Vec<Outcome> + Sync + 'a;

/// The samples that machines are fitted to, and the folds that they are scored on.
pub(super) struct Machines<'a> {
    data: &'a Data,
    /// `true` for samples of the second class.
    sides: Array1<bool>,
    score: Score,
    folds: &'a Folds,
    steps: &'a Steps,
    spare: Spare,
}

impl<'a> Machines<'a> {
    /// The samples and the folds of machines; `None` unless there are two classes and the score is one of sides or decision values. Each
    /// fit is one of `steps`.
    pub(super) fn new(
        data: &'a Data,
        labels: &[Label],
        score: Score,
        folds: &'a Folds,
        steps: &'a Steps,
    ) -> Option<Self> {
        let is_of_sides = matches!(
            score,
            Score::Accuracy | Score::BalancedAccuracy | Score::AreaUnderCurve
        );
        let (classes, positions) = classes_of(labels, data.weights()).ok()?;
        if !is_of_sides || classes.len() != 2 {
            return None;
        }
        Some(Self {
            data,
            sides: positions.mapv(|position| position == 1),
            score,
            folds,
            steps,
            spare: Spare::default(),
        })
    }

    /// The outcomes of the machines that can be fitted together, with the places of their candidates; those of a candidate are in the order
    /// of the folds. All other candidates are left out.
    pub(super) fn outcomes(&self, candidates: &[Estimator]) -> Vec<(usize, Outcome)> {
        let mut outcomes = Vec::new();
        for together in groups(candidates) {
            let of_groups = if together[0].first.has_transformers() {
                self.by_fold(&together)
            } else {
                self.by_group(&together)
            };
            for (group, by_fold) in together.iter().zip(of_groups) {
                let by_fold = by_fold.into_iter().flatten();
                outcomes
                    .extend(by_fold.flat_map(|of_fold| group.places.iter().copied().zip(of_fold)));
            }
        }
        outcomes
    }

    /// The outcomes of groups without transformers: all folds of a group share its kernel matrix.
    ///
    /// Several groups share the threads: one group alone leaves threads without work while its last fold is fitted.
    fn by_group(&self, groups: &[Group<'_>]) -> Vec<OfGroup> {
        let Ok((samples, categories)) = groups[0].first.behind_transformers(self.data, self.data)
        else {
            return vec![None; groups.len()];
        };
        let of_group = |group: &Group<'_>| {
            group.first.check_kernel_on(&samples, &categories).ok()?;
            self.with_kernel_values(group, &samples, |fitted| {
                one_by_one(self.folds.len(), &|fold| self.of_fold(fold, fitted))
            })
        };
        let mut outcomes = Vec::with_capacity(groups.len());
        for together in groups.chunks(self.groups_at_once()) {
            outcomes.extend(one_by_one(together.len(), &|place| {
                of_group(&together[place])
            }));
        }
        outcomes
    }

    /// The outcomes of groups with the same transformers, which are fitted once to each fold.
    ///
    /// A thread takes a fold. When all folds are taken, threads without work take groups of the folds of others.
    fn by_fold(&self, groups: &[Group<'_>]) -> Vec<OfGroup> {
        // A group that cannot be fitted together on one fold is not tried on others.
        let alone: Vec<AtomicBool> = groups.iter().map(|_| AtomicBool::new(false)).collect();
        let outcomes_of = |place: usize, fold, samples: &AnySamples, categories: &[String]| {
            if alone[place].load(Ordering::Relaxed) {
                return None;
            }
            let group: &Group<'_> = &groups[place];
            let checked = group.first.check_kernel_on(samples, categories).ok();
            let outcomes = checked.and_then(|()| {
                self.with_kernel_values(group, samples, |fitted| self.of_fold(fold, fitted))
            });
            if outcomes.is_none() {
                alone[place].store(true, Ordering::Relaxed);
            }
            outcomes
        };
        let each_has_room = self.pairs_that_fit() >= rayon::current_num_threads();
        let of_fold = |fold: usize| {
            let training = self.data.rows(&self.folds.split(fold).0);
            let behind = groups[0].first.behind_transformers(&training, self.data);
            let Ok((samples, categories)) = behind else {
                for group in &alone {
                    group.store(true, Ordering::Relaxed);
                }
                return vec![None; groups.len()];
            };
            let of_group = |place| outcomes_of(place, fold, &samples, &categories);
            if each_has_room {
                one_by_one(groups.len(), &of_group)
            } else {
                (0..groups.len()).map(of_group).collect()
            }
        };
        let by_fold = one_by_one(self.folds.len(), &of_fold);
        let mut outcomes: Vec<OfGroup> = vec![Some(Vec::new()); groups.len()];
        for of_groups in by_fold {
            for (all, of_fold) in outcomes.iter_mut().zip(of_groups) {
                *all = all.take().zip(of_fold).map(|(mut all, of_fold)| {
                    all.push(of_fold);
                    all
                });
            }
        }
        outcomes
    }

    /// The number of groups that have their kernel matrices in memory at once. It is one more than the number that gives each thread a
    /// fold, so that no thread is left without work, and at most the number for which two matrices a group fit into the memory.
    fn groups_at_once(&self) -> usize {
        let wanted = rayon::current_num_threads().div_ceil(self.folds.len().max(1)) + 1;
        wanted.min(self.pairs_that_fit()).max(1)
    }

    /// The number of pairs of kernel matrices that fit into the memory that may be taken.
    fn pairs_that_fit(&self) -> usize {
        let samples = self.data.len() as u64;
        let pair = samples.saturating_pow(2).saturating_mul(16).max(1);
        let fitting = memory_limit().map_or(u64::MAX, |allowed| allowed / pair);
        usize::try_from(fitting).unwrap_or(usize::MAX)
    }

    fn of_fold(&self, fold: usize, fitted: &Fitted<'_>) -> Vec<Outcome> {
        let (training, held_out) = self.folds.split(fold);
        let outcomes = fitted(&training, held_out);
        self.steps.take(outcomes.len());
        outcomes
    }

    /// Calls `then` with a function that fits all machines of a group to some of the samples and scores them on others; `None` where the
    /// machines have to be fitted one by one. The kernel matrix is made in memory that an earlier one has left.
    fn with_kernel_values<T>(
        &self,
        group: &Group<'_>,
        samples: &AnySamples,
        then: impl FnOnce(&Fitted<'_>) -> T,
    ) -> Option<T> {
        self.spare.over(|| {
            let builder = KernelSvc::params(group.first.any_kernel().clone());
            let products = builder.builder().inner_products(samples, false).ok()??;
            let weights = self.data.weights();
            let weights = (!weights.is_empty()).then(|| weights.view());
            let methods = &group.methods;
            let validator =
                SvcParams::cross_validator(methods, &products, &self.sides, weights).ok()??;
            Some(then(&|training, held_out| {
                if let Err(error) = products.require_variance(training) {
                    return vec![Err(Error::from(error).to_string()); methods.len()];
                }
                let truth = self.sides.select(Axis(0), held_out);
                let fits = validator.fit(training, held_out).into_iter();
                fits.map(|fit| match fit {
                    Ok((_, values)) => self.scored(values.column(0), &truth),
                    Err(error) => Err(Error::from(error).to_string()),
                })
                .collect()
            }))
        })
    }

    fn scored(&self, values: ArrayView1<'_, f64>, truth: &Array1<bool>) -> Outcome {
        let sides = || values.mapv(|value| value >= 0.0);
        let score = match self.score {
            Score::AreaUnderCurve => area_under_curve(&values.to_owned(), truth),
            Score::BalancedAccuracy => balanced_accuracy(&sides(), truth),
            _ => accuracy(&sides(), truth),
        };
        finite(score)
    }
}

/// The results of `work` for 0 to count − 1, in order. Threads take the items one by one, so that none keeps an item that another has time
/// for.
fn one_by_one<R: Send>(count: usize, work: &(dyn Fn(usize) -> R + Sync)) -> Vec<R> {
    let carrier = Carrier::new();
    let items = (0..count).into_par_iter().with_max_len(1);
    items.map(|item| carrier.over(|| work(item))).collect()
}

/// Refuses a score that is not finite.
pub(super) fn finite(score: f64) -> Outcome {
    if score.is_finite() {
        return Ok(score);
    }
    Err(format!("the score is {score}; it must be finite"))
}
