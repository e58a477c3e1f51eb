//! Tests weights near either end of the range of single precision, and samples of almost no weight.

use super::{Weighted, class, number, side, weighted};
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array, Array1, Array2, Axis, Dimension, array};
use npt::{
    Scalar,
    methods::{
        Error, KernelNuSvc,
        linear::{KMeans, Lda, Logistic, NuSvc, OneClassSvm, Pca, PcaL1, Pls, Ridge, Svc},
    },
    prelude::*,
};

type WeightedAs<F, L> = DatasetBase<Array2<F>, Array1<L>>;

fn cast<F: Scalar, L: Clone>(data: &Weighted<L>, factor: f32) -> WeightedAs<F, L> {
    let x = data.records.mapv(F::cast);
    DatasetBase::new(x, data.targets.clone()).with_weights(&data.weights * factor)
}

fn close<F: Scalar, I: Dimension>(what: &str, a: &Array<F, I>, b: &Array<F, I>, tolerance: f64) {
    let size = b.iter().fold(0.0, |m: f64, v| m.max(v.as_f64().abs()));
    let off = a.iter().zip(b).fold(0.0, |m: f64, (a, b)| {
        let off = (a.as_f64() - b.as_f64()).abs();
        if off.is_nan() {
            f64::INFINITY
        } else {
            m.max(off)
        }
    });
    assert!(off <= tolerance * size, "{what}: {off:e} of {size:e}");
}

/// Checks that a common factor of the weights changes nothing where there is no penalty.
fn a_common_factor<F: Scalar>(tolerance: f64) {
    let (numbers, sides) = (weighted(number), weighted(side));
    let new = npt_testkit::data::normal(20, 2, 4).mapv(F::cast);
    let values = |factor: f32| {
        let of_numbers = cast::<F, f64>(&numbers, factor);
        let targets = of_numbers.targets.mapv(F::cast);
        let of_sides = cast::<F, bool>(&sides, factor);
        let with_targets = DatasetBase::new(of_numbers.records.clone(), targets);
        let with_targets = with_targets.with_weights(of_numbers.weights.clone());
        let pca = Pca::params(2).fit(&of_numbers).unwrap();
        let l1 = PcaL1::params(1).fit(&of_numbers).unwrap();
        let means = KMeans::params(3).fit(&of_numbers).unwrap();
        let pls: Pls<F> = Pls::params(2).fit(&with_targets).unwrap();
        let nu: Svc<F> = NuSvc::params(0.51).tolerance(1e-6).fit(&of_sides).unwrap();
        let mut shifted = of_numbers.clone();
        shifted.records += F::cast(2);
        let one: OneClassSvm<F> = OneClassSvm::params(0.31)
            .tolerance(1e-6)
            .fit(&shifted)
            .unwrap();
        let kernel = KernelNuSvc::params(0.51, Gaussian::new(F::cast(0.5)));
        let kernel = kernel.method(|m| m.tolerance(1e-6)).fit(&of_sides).unwrap();
        let kpca = Kpca::params(2, Gaussian::new(F::cast(0.5)))
            .fit(&of_numbers)
            .unwrap();
        let column = |values: Array1<F>| values.insert_axis(Axis(1));
        [
            ("Pca", pca.axes().to_owned()),
            ("PcaL1", l1.axes().to_owned()),
            ("KMeans", means.centroids().to_owned()),
            ("Pls", pls.coefficients().to_owned()),
            ("NuSvc", column(nu.decision_function(&new))),
            ("OneClassSvm", column(one.decision_function(&new))),
            (
                "KernelNuSvc",
                column(kernel.decision_function(&new).unwrap()),
            ),
            ("Kpca", kpca.transform(new.clone())),
        ]
    };
    let expected = values(1.0);
    // Larger factors would make eigenvalues leave the range of single precision.
    for factor in [1e-38, 1e-20, 1e20, 1e34] {
        for ((what, found), (_, expected)) in values(factor).iter().zip(&expected) {
            close(&format!("{what}, {factor:e}"), found, expected, tolerance);
        }
    }
}

#[test]
fn a_common_factor_changes_nothing() {
    a_common_factor::<f64>(1e-6);
    a_common_factor::<f32>(2e-3);
}

/// A common factor of the weights is one of the penalties.
#[test]
fn a_common_factor_of_penalties() {
    let new = npt_testkit::data::normal(20, 2, 4);
    let of = |factor: f32| {
        let scale = f64::from(factor);
        let ridge: Ridge<f64> = Ridge::params()
            .penalty(0.3 * scale)
            .fit(&cast(&weighted(number), factor))
            .unwrap();
        let svc = Svc::params().c(2.0 / scale).tolerance(1e-9);
        let svc = svc.fit(&cast(&weighted(side), factor)).unwrap();
        let logistic = Logistic::params().penalty(0.2 * scale);
        let logistic = logistic.fit(&cast(&weighted(class), factor)).unwrap();
        [
            ("Ridge", ridge.weights().to_owned()),
            ("Svc", svc.decision_function(&new).insert_axis(Axis(1))),
            ("Logistic", logistic.predict_probabilities(&new)),
        ]
    };
    let expected = of(1.0);
    for factor in [1e-20, 1e20] {
        for ((what, found), (_, expected)) in of(factor).iter().zip(&expected) {
            close(&format!("{what}, {factor:e}"), found, expected, 1e-6);
        }
    }
}

/// A sample with almost no weight has almost no effect, however far it is.
#[test]
fn next_to_none() {
    let mut data = weighted(number);
    let mut next = data.clone();
    for i in (0..60).step_by(4) {
        next.weights[i] = 1e-36;
        next.records.row_mut(i).mapv_inplace(|v| 1e8 * v);
        data.weights[i] = 0.0;
    }
    // The axis points to its largest score, which is that of a far sample: so magnitudes are compared.
    let pca = |data| Pca::params(2).fit(data).unwrap();
    let pca = |data| pca(data).axes().mapv(f64::abs);
    close("Pca", &pca(&next), &pca(&data), 1e-9);
    let ridge = |data| -> Ridge<f64> { Ridge::params().penalty(0.3).fit(data).unwrap() };
    let (found, expected) = (ridge(&next), ridge(&data));
    close(
        "Ridge",
        &found.weights().to_owned(),
        &expected.weights().to_owned(),
        1e-9,
    );
    let pls = |data| -> Pls<f64> { Pls::params(1).fit(data).unwrap() };
    let (found, expected) = (pls(&next), pls(&data));
    close(
        "Pls",
        &found.coefficients().to_owned(),
        &expected.coefficients().to_owned(),
        1e-9,
    );
    let single = |data: &Weighted<f64>| {
        let method = Kpca::params(2, Gaussian::new(0.5_f32));
        method.fit(&cast::<f32, f64>(data, 1.0)).unwrap()
    };
    let new = npt_testkit::data::normal(20, 2, 4).mapv(|v| v as f32);
    let near = |mut data: Weighted<f64>| {
        for i in (0..60).step_by(4) {
            data.records.row_mut(i).fill(0.3);
        }
        data
    };
    let [found, expected] =
        [near(next), near(data)].map(|data| single(&data).transform(new.clone()));
    close("Kpca", &found, &expected, 1e-3);
}

/// Classes may be uneven: one has almost no weight, the other almost all.
#[test]
fn uneven_classes() {
    let x = array![[0.0_f32], [1.0], [3.0], [9.0]];
    let weights = array![1e-40_f32, 1e-40, 3e38, 3e38];
    let sides = DatasetBase::new(x, array![false, false, true, true]).with_weights(weights);
    let nu: Svc<f32> = NuSvc::params(0.375).balanced(true).fit(&sides).unwrap();
    assert!((nu.weights()[0] - 1.0).abs() < 1e-3 && (nu.bias() + 2.0).abs() < 1e-2);
    // Balanced weights make each class count as two samples, whatever their weights are.
    let even = DatasetBase::new(sides.records.clone(), sides.targets.clone());
    let svc = |data| Svc::params().c(10.0).balanced(true).fit(data);
    let (found, expected) = (svc(&sides).unwrap(), svc(&even).unwrap());
    assert!((found.weights()[0] - expected.weights()[0]).abs() < 1e-2);
    let labels = sides.targets.mapv(usize::from);
    let logistic = |weights: Array1<f32>| {
        let data = DatasetBase::new(sides.records.clone(), labels.clone()).with_weights(weights);
        let params = Logistic::params().balanced(true);
        params.fit(&data).map(|model| model.weights()[[0, 0]])
    };
    let usual = logistic(array![1.0, 1.0, 3.0, 3.0]).unwrap();
    let uneven = logistic(array![1e-20, 1e-20, 3.0, 3.0]).unwrap();
    // n/k is 4 in one case and 3 in the other: the penalty counts for less by as much.
    assert!(usual > uneven && uneven > 0.7 * usual, "{usual} {uneven}");
    let lda = |weights: Array1<f32>| {
        let data = DatasetBase::new(sides.records.clone(), labels.clone()).with_weights(weights);
        let model = Lda::params().balanced(true).fit(&data);
        model.map(|model| model.predict(&data.records))
    };
    // The class means are 1/2 and 6, so 3 is nearer to the first; without balancing as well.
    let nearest = Ok(array![0, 0, 0, 1]);
    assert_eq!(lda(array![1e-40, 1e-40, 3.0, 3.0]), nearest);
    assert_eq!(lda(Array1::ones(4)), nearest);
    // The scatter of these samples leaves the range of single precision.
    let found = lda(sides.weights.clone());
    assert_eq!(found, Err(Error::Overflow { of: "Lda" }));
}
