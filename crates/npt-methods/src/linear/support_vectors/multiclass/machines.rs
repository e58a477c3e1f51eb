//! The machines of two classes that make one of many.

use super::{
    super::{
        solver::Training,
        svc::{Svc, SvcValidParams, weigh},
    },
    MulticlassSvc, MulticlassSvcValidParams, Strategy,
    support::Support,
};
use crate::{
    Error,
    linear::{Weights, groups},
};
use linfa::{Label, ParamGuard, dataset::AsSingleTargets};
use ndarray::{Array1, Array2};
use npt_core::{
    Dual, Scalar,
    watch::{Carrier, Progress},
};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The pairs a < b of `count` classes.
pub(in super::super) fn pairs(count: usize) -> Vec<(usize, usize)> {
    (0..count)
        .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
        .collect()
}

/// What is made of each pair of `count` classes, on all threads, as a stage of that name.
pub(in super::super) fn each_pair<T: Send>(
    stage: &'static str,
    count: usize,
    work: impl Fn((usize, usize)) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let pairs = pairs(count);
    let progress = Progress::start(stage, pairs.len());
    let (steps, carrier) = (progress.steps(), Carrier::new());
    let of_pair = |pair| {
        carrier.over(|| {
            let made = work(pair);
            steps.take(1);
            made
        })
    };
    pairs.into_par_iter().map(of_pair).collect()
}

/// The classes of samples that weigh something, ascending, with their members, counted among these.
pub(in super::super) fn members<L, T, F>(
    targets: &T,
    weights: &Weights<F>,
) -> Result<BTreeMap<L, Vec<usize>>, Error>
where
    L: Label,
    T: AsSingleTargets<Elem = L>,
    F: Scalar,
{
    let members = groups(&weights.select(targets.as_single_targets().to_owned()));
    match members.len() {
        found @ ..2 => Err(Error::Classes { found }),
        _ => Ok(members),
    }
}

impl MulticlassSvcValidParams {
    /// 1 and −1 of the classes that each machine tells apart, 0 of others.
    pub(in super::super) fn signs(&self, classes: usize) -> Vec<Vec<f64>> {
        let of = |positive: usize, negative: &dyn Fn(usize) -> bool| {
            let sign = |class| match class {
                _ if class == positive => 1.0,
                _ if negative(class) => -1.0,
                _ => 0.0,
            };
            (0..classes).map(sign).collect()
        };
        match self.strategy {
            Strategy::OneAgainstOne => pairs(classes)
                .into_iter()
                .map(|(a, b)| of(a, &|class| class == b))
                .collect(),
            Strategy::OneAgainstRest => (0..classes).map(|a| of(a, &|_| true)).collect(),
        }
    }

    /// Each machine of classes that weigh so much: its parameters and signs.
    pub(in super::super) fn machines_of(
        &self,
        weights: &[f64],
    ) -> impl Iterator<Item = Result<(SvcValidParams, Vec<f64>), Error>> {
        let total: f64 = weights.iter().sum();
        self.signs(weights.len()).into_iter().map(move |signs| {
            let own = signs.iter().zip(weights).filter(|(sign, _)| **sign != 0.0);
            let own: f64 = own.map(|(_, weight)| weight).sum();
            let c = match self.strategy {
                Strategy::OneAgainstOne => self.c_of_pair(own, total, weights.len()),
                Strategy::OneAgainstRest => self.c,
            };
            Ok((self.of_two(c)?, signs))
        })
    }

    /// The penalty of a pair of so many classes that weighs `of_pair`, of `total`: by itself a balanced machine gives each
    /// class half of what the pair weighs, and is to give it the share of a class.
    pub(in super::super) fn c_of_pair(&self, of_pair: f64, total: f64, classes: usize) -> f64 {
        if self.balanced {
            self.c * (2.0 * total / (classes as f64 * of_pair))
        } else {
            self.c
        }
    }

    fn of_two(&self, c: f64) -> Result<SvcValidParams, Error> {
        let params = Svc::params().c(c).balanced(self.balanced);
        params.tolerance(self.tolerance).check()
    }

    /// The classifier of some samples against others, whose dual has a coefficient for each of
    /// them, in this order.
    pub(in super::super) fn one_against_one<F: Scalar>(
        &self,
        training: Training<'_, F>,
        weights: &Weights<F>,
        c: f64,
        (positive, negative): (&[usize], &[usize]),
    ) -> Result<Machine<F>, Error> {
        let rows = [positive, negative].concat();
        let mut signs = vec![1.0; positive.len()];
        signs.resize(rows.len(), -1.0);
        weigh(&mut signs, rows.iter().map(|&row| weights.of(row).as_f64()))?;
        let svc = (self.of_two(c)?).separate(&training.select(&rows), &signs)?;
        Ok(Machine { rows, svc })
    }

    fn one_against_rest<F: Scalar>(
        &self,
        training: Training<'_, F>,
        weights: &Weights<F>,
        positive: &[usize],
    ) -> Result<Machine<F>, Error> {
        let rows: Vec<usize> = (0..training.samples()).collect();
        let mut signs = vec![-1.0; rows.len()];
        for &row in positive {
            signs[row] = 1.0;
        }
        weigh(&mut signs, rows.iter().map(|&row| weights.of(row).as_f64()))?;
        let svc = (self.of_two(self.c)?).separate(&training.all(), &signs)?;
        Ok(Machine { rows, svc })
    }

    /// The machines of all pairs, or of all classes.
    pub(in super::super) fn machines<F: Scalar, L: Label>(
        &self,
        training: Training<'_, F>,
        weights: &Weights<F>,
        members: &BTreeMap<L, Vec<usize>>,
    ) -> Result<Vec<Machine<F>>, Error> {
        let rows: Vec<&Vec<usize>> = members.values().collect();
        let of_pair = |(a, b): (usize, usize)| {
            let pair = (&rows[a][..], &rows[b][..]);
            let of_pair = weights.sum_of(pair.0) + weights.sum_of(pair.1);
            let c = self.c_of_pair(of_pair, weights.sum(), rows.len());
            self.one_against_one(training, weights, c, pair)
        };
        match self.strategy {
            Strategy::OneAgainstOne => each_pair("machines", rows.len(), of_pair),
            Strategy::OneAgainstRest => {
                let mut progress = Progress::start("machines", rows.len());
                let of_class = |(class, rows): (usize, &&Vec<usize>)| {
                    progress.at(class);
                    self.one_against_rest(training, weights, rows)
                };
                rows.iter().enumerate().map(of_class).collect()
            }
        }
    }

    /// Those machines as one model, whose records are rows.
    pub(in super::super) fn model<F: Scalar, L: Label>(
        &self,
        members: BTreeMap<L, Vec<usize>>,
        weights: &Weights<F>,
        inputs: usize,
        machines: &[Machine<F>],
    ) -> MulticlassSvc<F, L> {
        let support = Support::of(machines, &members, weights);
        let classes = members.into_keys().collect();
        MulticlassSvc {
            support: Some(support),
            ..self.without_support(classes, inputs, machines)
        }
    }

    /// The same of machines that do not know their samples.
    pub(in super::super) fn without_support<F: Scalar, L: Label>(
        &self,
        classes: Vec<L>,
        inputs: usize,
        machines: &[Machine<F>],
    ) -> MulticlassSvc<F, L> {
        let mut weights = Array2::zeros((inputs, machines.len()));
        for (mut column, machine) in weights.columns_mut().into_iter().zip(machines) {
            column.assign(&machine.svc.weights());
        }
        MulticlassSvc {
            classes,
            strategy: self.strategy,
            weights,
            biases: machines.iter().map(|machine| machine.svc.bias()).collect(),
            support: None,
        }
    }

    /// Those machines as one model, whose records are values of their functions.
    pub(in super::super) fn dual<F: Scalar, L: Label>(
        &self,
        members: BTreeMap<L, Vec<usize>>,
        weights: &Weights<F>,
        machines: &[Machine<F>],
    ) -> Result<Dual<MulticlassSvc<F, L>, F>, Error> {
        let functions = machines.len();
        npt_core::require_memory::<F>("functions of all pairs of classes", functions, functions)?;
        let mut coefficients = Array2::zeros((weights.count(), machines.len()));
        for (mut column, machine) in coefficients.columns_mut().into_iter().zip(machines) {
            for (&row, &coefficient) in machine.rows.iter().zip(machine.svc.dual()) {
                column[row] = coefficient;
            }
        }
        Ok(Dual {
            method: MulticlassSvc {
                support: Some(Support::of(machines, &members, weights)),
                classes: members.into_keys().collect(),
                strategy: self.strategy,
                weights: Array2::eye(machines.len()),
                biases: Array1::zeros(machines.len()),
            },
            coefficients: weights.spread(coefficients),
            offsets: machines.iter().map(|machine| machine.svc.bias()).collect(),
        })
    }
}

/// A classifier of two classes, and the samples that it was trained on.
pub(in super::super) struct Machine<F> {
    pub(in super::super) rows: Vec<usize>,
    pub(in super::super) svc: Svc<F>,
}
