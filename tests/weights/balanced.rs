//! Tests balanced classes: weights by which all classes count the same.

use super::meaning::{same, value, values};
use super::{Weighted, class, repeated, side, weighted};
use linfa::{DatasetBase, ParamGuard, traits::Fit};
use ndarray::Array1;
use npt::{
    methods::{
        KernelCalibratedSvc, KernelLogistic, KernelNuSvc,
        linear::{CalibratedSvc, Lda, Logistic, MulticlassSvc, NuSvc, Strategy, Svc},
        streaming::{ClassMoments, FitMoments},
    },
    prelude::*,
};
use npt_testkit::data;

/// The data with the weight of each sample times n/(kn_c), where n is the weight of all k classes, and n_c that of its class.
fn by_class<L: Ord + Clone>(data: &Weighted<L>) -> Weighted<L> {
    let total_of = |class: Option<&L>| {
        let all = data.targets.iter().zip(&data.weights);
        let own = all.filter(|(label, _)| class.is_none_or(|class| class == *label));
        own.map(|(_, &weight)| weight).sum::<f32>()
    };
    let mut classes: Vec<&L> = data.targets.iter().collect();
    classes.sort();
    classes.dedup();
    let share = total_of(None) / classes.len() as f32;
    let weigh = |(label, &weight): (&L, &f32)| weight * share / total_of(Some(label));
    let weights: Array1<f32> = data.targets.iter().zip(&data.weights).map(weigh).collect();
    data.clone().with_weights(weights)
}

fn ones<L: Clone>(mut data: Weighted<L>) -> Weighted<L> {
    data.weights.fill(1.0);
    data
}

/// Checks that balancing is the same as those weights, and that a weight of k counts as k samples: by records, by kernel values, and by coordinates.
macro_rules! balances {
    ($linear:expr, $method:expr, $data:expr, $values:ident) => {
        let new = data::normal(20, 2, 4);
        for data in [$data, ones($data)] {
            let by_class = by_class(&data);
            let (on, off) = (
                $linear.clone().balanced(true),
                $linear.clone().balanced(false),
            );
            let found = $values(&on.fit(&data).unwrap(), &new);
            same(&found, &$values(&off.fit(&by_class).unwrap(), &new));
            same(&found, &$values(&on.fit(&repeated(&data)).unwrap(), &new));
            let other = $values(&off.fit(&data).unwrap(), &new);
            assert!((&found - &other).iter().any(|d| d.abs() > 1e-3));

            let (on, off) = (
                $method.method(|m| m.balanced(true)),
                $method.method(|m| m.balanced(false)),
            );
            let found = $values(&on.fit(&data).unwrap(), &new);
            same(&found, &$values(&off.fit(&by_class).unwrap(), &new));
            same(
                &found,
                &$values(&on.by_coordinates().fit(&data).unwrap(), &new),
            );
        }
    };
}

const KERNEL: fn() -> Gaussian<f64> = || Gaussian::new(0.5);

#[test]
fn as_by_weights() {
    let linear = Svc::params().c(0.7).tolerance(1e-9);
    let method = || KernelSvc::params(KERNEL()).method(|m| m.c(3.0).tolerance(1e-9));
    balances!(linear, method(), weighted(side), value);

    let linear = NuSvc::params(0.51).tolerance(1e-10);
    let method = || KernelNuSvc::params(0.51, KERNEL()).method(|m| m.tolerance(1e-10));
    balances!(linear, method(), weighted(side), value);

    let linear = MulticlassSvc::params().c(2.0).tolerance(1e-9);
    let method = || KernelSvc::params(KERNEL()).method(|_| linear.clone());
    balances!(linear, method(), weighted(class), values);

    let linear = Logistic::params().penalty(0.2);
    let method = || KernelLogistic::params(KERNEL()).method(|_| linear.clone());
    balances!(linear, method(), weighted(class), values);
    let two = || weighted(|row| usize::from(side(row)));
    balances!(linear, method(), two(), values);

    let linear = Lda::params().ridge(0.1);
    let method = || Kfd::params(KERNEL()).method(|_| linear.clone());
    balances!(linear, method(), weighted(class), values);
}

/// One class against the rest is balanced as two classes.
#[test]
fn one_against_the_rest() {
    let data = weighted(class);
    let rest = MulticlassSvc::params().strategy(Strategy::OneAgainstRest);
    let rest = rest.balanced(true).tolerance(1e-9).fit(&data).unwrap();
    let new = data::normal(20, 2, 4);
    let found = rest.decision_function(&new);
    for own in 0..3 {
        let sides = data.targets.mapv(|class| class == own);
        let sides = DatasetBase::new(data.records.clone(), sides);
        let sides = sides.with_weights(data.weights.clone());
        let params = Svc::params().balanced(true).tolerance(1e-9);
        let expected = params.fit(&sides).unwrap().decision_function(&new);
        let off = &found.column(own) - &expected;
        assert!(off.iter().all(|d| d.abs() < 1e-6));
    }
}

/// The machines under probabilities are balanced.
#[test]
fn under_probabilities() {
    let data = weighted(class);
    let params = |balanced| CalibratedSvc::params().folds(3).balanced(balanced);
    let new = data::normal(20, 2, 4);
    let machines = |model: CalibratedSvc<f64, usize>| model.svc().decision_function(&new);
    let found = machines(params(true).tolerance(1e-9).fit(&data).unwrap());
    let pairs = MulticlassSvc::params().balanced(true).tolerance(1e-9);
    same(&found, &pairs.fit(&data).unwrap().decision_function(&new));
    let method = KernelCalibratedSvc::params(KERNEL()).method(|_| params(true));
    let p = method.fit(&data).unwrap().predict_probabilities(&new);
    let other = method.method(|_| params(false)).fit(&data).unwrap();
    let off = p.unwrap() - other.predict_probabilities(&new).unwrap();
    assert!(off.iter().any(|d| d.abs() > 1e-2));
}

/// Balancing changes nothing where classes count the same already, in the folds of the calibration either.
#[test]
fn under_probabilities_of_equal_classes() {
    let x = data::normal(60, 2, 3);
    let labels: Array1<usize> = (0..60).map(|i| i % 3).collect();
    let data = DatasetBase::new(x, labels);
    let new = data::normal(20, 2, 4);
    let params = CalibratedSvc::params().folds(2).tolerance(1e-9);
    let [on, off] = [true, false].map(|balanced| {
        let model = params.clone().balanced(balanced).fit(&data).unwrap();
        model.predict_probabilities(&new)
    });
    assert!((on - off).iter().all(|d| d.abs() < 1e-6));
}

/// A large ν has no solution with a rare class, unless classes are balanced.
#[test]
fn any_nu() {
    let x = data::normal(60, 2, 3);
    let rare: Array1<bool> = (0..60).map(|i| i % 12 == 0).collect();
    let data = DatasetBase::new(x, rare);
    let params = NuSvc::params(0.999).check().unwrap();
    assert!(params.fit(&data).is_err());
    let params = NuSvc::params(0.999).balanced(true);
    assert!(params.fit(&data).is_ok());
}

#[test]
fn moments_without_class_scatters_cannot() {
    let data = DatasetBase::new(data::normal(60, 2, 3), weighted(class).targets);
    let mut moments = ClassMoments::new(2);
    moments.add(&data).unwrap();
    let params = Lda::params().balanced(true);
    let refused = FitMoments::<f64, _>::fit_moments(&params, &moments);
    assert!(refused.is_err_and(|error| error.to_string().contains("balanced of Lda")));
}
