//! Support vector machines of two classes that differ in their parameters alone: they are fitted to the folds together.
//!
//! They share one kernel matrix: one for all folds, or one a fold if there are transformers, which are fitted anew to each fold. The
//! penalties come one after the other, each from the solution of the one before.

use crate::{AnySamples, Data, Error, Estimator, Label, Score, label::classes_of, methods};
use ndarray::{Array1, ArrayView1, Axis};
use npt_core::{
    ExpansionMethod, SpaceBuilder,
    watch::{Carrier, Steps},
};
use npt_methods::{
    KernelSvc,
    linear::SvcParams,
    model_selection::{Folds, accuracy, area_under_curve, balanced_accuracy},
};
use rayon::prelude::*;

/// A score on a fold, or the reason why there is none.
pub(super) type Outcome = Result<f64, String>;

/// Fits machines to some of the samples, and scores them on others.
type Fitted<'a> = dyn Fn(&[usize], &[usize]) -> Vec<Outcome> + Sync + 'a;

/// Groups of such machines with the same kernel and transformers, at least two a group, as positions among the candidates.
pub(super) fn groups(candidates: &[Estimator]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, candidate) in candidates.iter().enumerate() {
        if !candidate.is_plain_svc() {
            continue;
        }
        let own = groups
            .iter_mut()
            .find(|group| candidates[group[0]].differs_in_parameters(candidate));
        match own {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Machines of a group, and the samples that they are fitted to.
pub(super) struct Machines<'a> {
    first: &'a Estimator,
    methods: Vec<SvcParams>,
    data: &'a Data,
    /// `true` for samples of the second class.
    sides: Array1<bool>,
    score: Score,
}

impl<'a> Machines<'a> {
    /// The machines of a group; `None` unless there are two classes and the score is one of sides or decision values.
    pub(super) fn new(
        group: &[&'a Estimator],
        data: &'a Data,
        labels: &[Label],
        score: Score,
    ) -> Option<Self> {
        let is_of_sides = matches!(
            score,
            Score::Accuracy | Score::BalancedAccuracy | Score::AreaUnderCurve
        );
        let (classes, positions) = classes_of(labels, data.weights()).ok()?;
        if !is_of_sides || classes.len() != 2 {
            return None;
        }
        let method = |estimator: &&Estimator| {
            let plain = KernelSvc::params(()).inner().clone();
            methods::set(plain, estimator.method_parameters()).ok()
        };
        Some(Self {
            first: group.first()?,
            methods: group.iter().map(method).collect::<Option<_>>()?,
            data,
            sides: positions.mapv(|position| position == 1),
            score,
        })
    }

    /// The outcomes of all machines on each fold; `None` where the machines have to be fitted one by one. Each fit is a step of the progress.
    pub(super) fn outcomes(&self, folds: &Folds, steps: &Steps) -> Option<Vec<Vec<Outcome>>> {
        let of_fold = |fold, fitted: &Fitted<'_>| {
            let (training, held_out) = folds.split(fold);
            let outcomes = fitted(&training, held_out);
            steps.take(outcomes.len());
            outcomes
        };
        // One by one, so that no thread keeps a fold that another has time for.
        let all = (0..folds.len()).into_par_iter().with_max_len(1);
        if !self.first.has_transformers() {
            let samples = self.first.behind_transformers(self.data, self.data).ok()?;
            return self.with_kernel_values(&samples, |fitted| {
                let carrier = Carrier::new();
                let of_fold = |fold| carrier.over(|| of_fold(fold, fitted));
                all.map(of_fold).collect()
            });
        }
        let carrier = Carrier::new();
        let behind = |fold| {
            let training = self.data.rows(&folds.split(fold).0);
            let samples = self.first.behind_transformers(&training, self.data).ok()?;
            self.with_kernel_values(&samples, |fitted| of_fold(fold, fitted))
        };
        all.map(|fold| carrier.over(|| behind(fold))).collect()
    }

    /// Calls `then` with a function that fits all machines to some of the samples and scores them on others; `None` where the machines have
    /// to be fitted one by one.
    fn with_kernel_values<T>(
        &self,
        samples: &AnySamples,
        then: impl FnOnce(&Fitted<'_>) -> T,
    ) -> Option<T> {
        let builder = KernelSvc::params(self.first.any_kernel().clone());
        let products = builder.builder().inner_products(samples, false).ok()??;
        let weights = self.data.weights();
        let weights = (!weights.is_empty()).then(|| weights.view());
        let validator =
            SvcParams::cross_validator(&self.methods, &products, &self.sides, weights).ok()??;
        Some(then(&|training, held_out| {
            if let Err(error) = products.require_variance(training) {
                return vec![Err(Error::from(error).to_string()); self.methods.len()];
            }
            let truth = self.sides.select(Axis(0), held_out);
            let fits = validator.fit(training, held_out).into_iter();
            fits.map(|fit| match fit {
                Ok((_, values)) => self.scored(values.column(0), &truth),
                Err(error) => Err(Error::from(error).to_string()),
            })
            .collect()
        }))
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

/// Refuses a score that is not finite.
pub(super) fn finite(score: f64) -> Outcome {
    if score.is_finite() {
        return Ok(score);
    }
    Err(format!("the score is {score}; it must be finite"))
}
