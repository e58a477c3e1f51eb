//! Tests methods in a space of landmarks.

use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2};
use npt::{methods::linear::Svc, prelude::*};
use npt_testkit::data;

fn landmarks(count: usize) -> Nystrom<Gaussian<f64>, Pivoting> {
    Nystrom::new(Gaussian::new(0.3), Pivoting::random(count)).axes(Axes::Cholesky)
}

fn near(a: &Array2<f64>, b: &Array2<f64>) {
    let scale = b.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let off = (a - b).fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(off <= 1e-9 * scale, "{off:e} of {scale:e}");
}

/// A method that is written as an expansion on landmarks predicts the same as by coordinates.
#[test]
fn expansions_are_by_coordinates() {
    let (x, new) = (data::normal(300, 3, 1), data::normal(40, 3, 2));
    let waves = x.column(0).mapv(f64::sin) + &x.column(1).mapv(|v| v * v);
    let numbers = DatasetBase::new(x.clone(), waves.clone());
    let sides = DatasetBase::new(x.clone(), waves.mapv(|v| v > 0.5));

    let ridge = KernelRidge::params(Gaussian::new(0.3)).space(|_| landmarks(40));
    let expanded = ridge.fit(&numbers).unwrap();
    let plain = ridge.by_coordinates().fit(&numbers).unwrap();
    let [a, b]: [Array1<f64>; 2] = [expanded.predict(&new), plain.predict(&new)];
    near(
        &a.insert_axis(ndarray::Axis(1)),
        &b.insert_axis(ndarray::Axis(1)),
    );
    assert_eq!(expanded.expansion().samples().len(), 40);

    let kpca = Kpca::params(5, Gaussian::new(0.3)).space(|_| landmarks(40));
    let expanded: Array2<f64> = kpca.fit(&numbers).unwrap().transform(new.clone());
    let plain: Array2<f64> = kpca
        .by_coordinates()
        .fit(&numbers)
        .unwrap()
        .transform(new.clone());
    near(&expanded, &plain);

    let svc = KernelSvc::params(Gaussian::new(0.3)).space(|_| landmarks(40));
    let expanded = svc.fit(&sides).unwrap();
    let plain = svc.by_coordinates().fit(&sides).unwrap();
    let [a, b]: [Array1<bool>; 2] = [expanded.predict(&new), plain.predict(&new)];
    assert_eq!(a, b);
}

/// Support vectors are found with large penalties, for classes that overlap: the objective and its dual come together. Pairs of
/// variables alone would take minutes.
#[test]
fn support_vectors_with_large_penalties() {
    let n = 3000;
    let (x, noise) = (data::normal(n, 10, 1), data::normal(n, 1, 2));
    let waves = x.column(0).mapv(f64::sin) + &x.column(1).mapv(|v| v * v);
    let sides = (waves + noise.column(0)).mapv(|v| v > 0.8);
    let builder = Nystrom::new(Gaussian::new(0.05), Pivoting::random(40)).axes(Axes::Cholesky);
    let coordinates = builder.fit_space(&x).unwrap().into_parts().1;
    let data = DatasetBase::new(coordinates, sides);
    for c in [1e-3, 1.0, 1e3, 1e6] {
        let svc = Svc::params().c(c).fit(&data).unwrap();
        let half = svc.weights().dot(&svc.weights()) / 2.0;
        let values = svc.decision_function(data.records());
        let pairs = values.iter().zip(data.targets());
        let losses = pairs.map(|(&value, &side)| 1.0 - if side { value } else { -value });
        let primal = half + c * losses.map(|loss| loss.max(0.0)).sum::<f64>();
        let dual = svc.dual().iter().map(|v| v.abs()).sum::<f64>() - half;
        assert!(dual <= primal * (1.0 + 1e-10), "{c}");
        assert!(primal - dual <= 1e-5 * primal, "{c}: {primal} and {dual}");
        assert!(svc.dual().iter().all(|v| v.abs() <= c * (1.0 + 1e-12)));
        assert!(svc.dual().sum().abs() <= 1e-10 * c * n as f64);
    }
}

/// A space of as many landmarks as there are independent samples gives the answers of the exact space.
#[test]
fn all_landmarks_are_exact() {
    let (x, new) = (data::normal(120, 3, 1), data::normal(40, 3, 2));
    let waves = x.column(0).mapv(f64::sin) + &x.column(1).mapv(|v| v * v);
    let numbers = DatasetBase::new(x, waves);
    let exact = KernelRidge::params(Gaussian::new(0.3)).method(|m| m.penalty(0.1));
    let low_rank = exact.clone().space(|_| {
        let all = Pivoting::random(120).tolerance(0.0);
        Nystrom::new(Gaussian::new(0.3), all).axes(Axes::Cholesky)
    });
    let a: Array1<f64> = exact.fit(&numbers).unwrap().predict(&new);
    let b: Array1<f64> = low_rank.fit(&numbers).unwrap().predict(&new);
    near(
        &a.insert_axis(ndarray::Axis(1)),
        &b.insert_axis(ndarray::Axis(1)),
    );
}

/// Few landmarks predict as well where they suffice: the error is that of the exact regression, with a tenth of the samples.
#[test]
fn few_landmarks_predict_as_well() {
    let x = data::normal(600, 2, 1);
    let waves = |x: &Array2<f64>| x.column(0).mapv(|v| (2.0 * v).sin()) * x.column(1);
    let numbers = DatasetBase::new(x.clone(), waves(&x));
    let new = data::normal(200, 2, 2) * 0.8;
    let error = |found: Array1<f64>| {
        let off = found - waves(&new);
        (off.dot(&off) / 200.0).sqrt()
    };
    let exact = KernelRidge::params(Gaussian::new(0.3)).method(|m| m.penalty(1e-4));
    let few = exact.clone().space(|_| landmarks(60));
    let uniform = Pivoting::uniform(60);
    let uniform = exact
        .clone()
        .space(|_| Nystrom::new(Gaussian::new(0.3), uniform));
    let exact = error(exact.fit(&numbers).unwrap().predict(&new));
    let few = error(few.fit(&numbers).unwrap().predict(&new));
    let uniform = error(uniform.fit(&numbers).unwrap().predict(&new));
    let none = error(Array1::zeros(200));
    assert!(
        exact < 0.05 * none && few < 2.0 * exact + 0.01 * none,
        "{exact} {few}"
    );
    assert!(uniform < 0.2 * none, "{uniform}");
}
