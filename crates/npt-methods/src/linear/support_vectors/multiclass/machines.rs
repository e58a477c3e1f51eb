//! Machines of two classes, which together make one of many classes.

use super::{
    super::{
        solver::Training,
        svc::{Svc, SvcValidParams, weigh},
    },
    MulticlassSvc, MulticlassSvcValidParams, Strategy,
    own::{OfSamples, Own},
    pairs::{each_pair, pairs},
    size::{Numbers, functions},
    support::{Named, Support},
};
use crate::{Error, targets::groups, weights::Weights};
use linfa::{Label, ParamGuard, dataset::AsSingleTargets};
use ndarray::{Array2, ArrayView2};
use npt_core::{Dual, Scalar, watch::Progress};
use std::collections::BTreeMap;

/// Returns the classes of samples with positive weight, ascending, with their members, which are counted among these samples.
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
    /// Returns 1 and −1 for the classes that each machine tells apart, 0 for the other classes.
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
                .map(|(a, b)| of(a, &|class| class == b))
                .collect(),
            Strategy::OneAgainstRest => (0..classes).map(|a| of(a, &|_| true)).collect(),
        }
    }

    /// Returns the parameters and the signs of each machine, for classes of these weights.
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

    /// Returns the penalty of a pair of classes, which weighs `of_pair` of `total`. By itself a balanced machine gives each
    /// class half of what the pair weighs; here it is to give each class its share of the total.
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

    /// Trains the classifier of some samples against others. Its dual has a coefficient for each of
    /// these samples, in this order.
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

    /// Trains the machines of all pairs, or of all classes, and gives them to `take` in order. A machine comes with the classes of
    /// its pair, or with its class twice.
    fn machines<F: Scalar, L: Label>(
        &self,
        training: Training<'_, F>,
        weights: &Weights<F>,
        members: &BTreeMap<L, Vec<usize>>,
        mut take: impl FnMut((usize, usize), Machine<F>),
    ) -> Result<(), Error> {
        let rows: Vec<&Vec<usize>> = members.values().collect();
        let of_pair = |(a, b): (usize, usize)| {
            let pair = (&rows[a][..], &rows[b][..]);
            let of_pair = weights.sum_of(pair.0) + weights.sum_of(pair.1);
            let c = self.c_of_pair(of_pair, weights.sum(), rows.len());
            self.one_against_one(training, weights, c, pair)
        };
        match self.strategy {
            Strategy::OneAgainstOne => each_pair("machines", rows.len(), of_pair, take),
            Strategy::OneAgainstRest => {
                let mut progress = Progress::start("machines", rows.len());
                for (class, rows) in rows.iter().enumerate() {
                    progress.at(class);
                    let machine = self.one_against_rest(training, weights, rows)?;
                    take((class, class), machine);
                }
                Ok(())
            }
        }
    }

    /// Trains the machines on rows, as one model.
    pub(in super::super) fn model<F: Scalar, L: Label>(
        &self,
        x: ArrayView2<'_, F>,
        weights: &Weights<F>,
        members: BTreeMap<L, Vec<usize>>,
    ) -> Result<MulticlassSvc<F, L>, Error> {
        self.require_room::<F>(Numbers::Weights(x.ncols()), members.len())?;
        let count = functions(self.strategy, members.len());
        let (mut columns, mut biases) = (Array2::zeros((x.ncols(), count)), Vec::new());
        let mut named = Named::new(weights.count());
        self.machines(Training::Rows(x), weights, &members, |_, machine| {
            columns
                .column_mut(biases.len())
                .assign(&machine.svc.weights());
            biases.push(machine.svc.bias());
            named.take(&machine);
        })?;
        Ok(MulticlassSvc {
            support: Some(named.support(&members, weights)),
            classes: members.into_keys().collect(),
            strategy: self.strategy,
            weights: columns,
            biases: biases.into(),
            own: None,
        })
    }

    /// Makes one model of machines that do not know their samples.
    pub(in super::super) fn without_support<F: Scalar, L: Label>(
        &self,
        classes: Vec<L>,
        inputs: usize,
        machines: &[Svc<F>],
    ) -> MulticlassSvc<F, L> {
        let mut weights = Array2::zeros((inputs, machines.len()));
        for (mut column, machine) in weights.columns_mut().into_iter().zip(machines) {
            column.assign(&machine.weights());
        }
        MulticlassSvc {
            classes,
            strategy: self.strategy,
            weights,
            biases: machines.iter().map(Svc::bias).collect(),
            support: None,
            own: None,
        }
    }

    /// Trains the machines on inner products, as one model whose records are the values of its functions.
    pub(in super::super) fn dual<F: Scalar, L: Label>(
        &self,
        training: Training<'_, F>,
        weights: &Weights<F>,
        members: BTreeMap<L, Vec<usize>>,
    ) -> Result<Dual<MulticlassSvc<F, L>, F>, Error> {
        let functions = functions(self.strategy, members.len());
        npt_core::require_memory::<F>(
            "the coefficients of all machines",
            weights.count(),
            functions,
        )?;
        let mut coefficients = Array2::zeros((weights.count(), functions));
        let (mut offsets, mut named) = (Vec::new(), Named::new(weights.count()));
        self.machines(training, weights, &members, |_, machine| {
            let mut column = coefficients.column_mut(offsets.len());
            for (&row, &coefficient) in machine.rows.iter().zip(machine.svc.dual()) {
                column[row] = coefficient;
            }
            offsets.push(machine.svc.bias());
            named.take(&machine);
        })?;
        let support = Some(named.support(&members, weights));
        let classes = members.into_keys().collect();
        Ok(Dual {
            method: MulticlassSvc::of_values(classes, self.strategy, functions, support),
            coefficients: weights.spread(coefficients),
            offsets: offsets.into(),
        })
    }

    /// Trains the machines of all pairs as one model whose records are inner products with the support vectors. Also returns the
    /// support vectors, those of the first class first.
    pub(in super::super) fn of_own<F: Scalar, L: Label>(
        &self,
        training: Training<'_, F>,
        weights: &Weights<F>,
        members: BTreeMap<L, Vec<usize>>,
    ) -> Result<(MulticlassSvc<F, L>, Vec<usize>), Error> {
        let counts: Vec<usize> = members.values().map(Vec::len).collect();
        let mut all = OfSamples::new(weights.count(), members.len());
        self.machines(training, weights, &members, |pair, machine| {
            all.take(pair, counts[pair.0], &machine);
        })?;
        let (own, vectors) = Own::of(&all.coefficients, members.values());
        let named = |row: usize| weights.rows().map_or(row, |rows| rows[row]);
        let vectors: Vec<usize> = vectors.into_iter().map(named).collect();
        let mut rows = vectors.clone();
        rows.sort_unstable();
        let method = MulticlassSvc {
            support: Some(Support {
                rows,
                counts: own.counts.clone(),
            }),
            classes: members.into_keys().collect(),
            strategy: self.strategy,
            weights: Array2::zeros((0, all.biases.len())),
            biases: all.biases,
            own: Some(own),
        };
        Ok((method, vectors))
    }
}

/// A classifier of two classes, and the samples that it was trained on.
pub(in super::super) struct Machine<F> {
    pub(in super::super) rows: Vec<usize>,
    pub(in super::super) svc: Svc<F>,
}
