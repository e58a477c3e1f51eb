//! Tests that a seed gives the same bits, on one thread and on two: for methods that learn from sums and in batches, and for fits so
//! large that they go ways which smaller ones do not.
//!
//! The test is apart from `threads.rs`, which compares fits to blocks and searches to rounding: here every bit counts. The tests of saving
//! have every model, but with 300 samples at most. With more than 512, support vectors are found by descents and in parts. With more than 384, few
//! eigenpairs are found from blocks of vectors.

use linfa::{Dataset, traits::FitWith};
use linfa_ftrl::Ftrl;
use ndarray::{Array1, Array2, Axis, Ix2, concatenate, s};
use npt::{
    methods::{
        Alignment,
        linear::{Cca, Pls},
        streaming::{CoordinateMoments, FitMoments},
    },
    prelude::*,
};
use npt_testkit::data;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;

/// The numbers of models, by name.
type Numbers = Vec<(&'static str, Array2<f64>)>;

/// Checks that numbers are the same twice on one thread, and on two.
fn are_the_same_bits(numbers: fn() -> Numbers) {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(numbers)
    };
    let (one, again, two) = (on(1), on(1), on(2));
    assert_eq!((one.len(), one.len()), (again.len(), two.len()));
    let bits = |values: &Array2<f64>| values.mapv(f64::to_bits);
    for (((name, one), (_, again)), (_, two)) in one.iter().zip(&again).zip(&two) {
        let size = one.fold(0.0, |most: f64, value| most.max(value.abs()));
        assert!(size > 0.01 && size.is_finite(), "{name}: {size:e}");
        assert_eq!(bits(one), bits(again), "{name}: of the same seed");
        let off = (one - two).fold(0.0, |most: f64, value| most.max(value.abs()));
        assert_eq!(
            bits(one),
            bits(two),
            "{name}: on two threads, {off:e} of {size:e}"
        );
    }
}

fn column(values: Array1<f64>) -> Array2<f64> {
    values.insert_axis(Axis(1))
}

/// Targets that are a function of the sample plus noise.
fn values(x: &Array2<f64>) -> Array1<f64> {
    let value = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1] * row[2]);
    value + data::normal(x.nrows(), 1, 7).column(0)
}

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.3)
}

#[test]
fn sums_batches_and_alignments() {
    are_the_same_bits(|| [of_moments(), of_batches(), of_alignments()].concat());
}

fn of_moments() -> Numbers {
    // These are more samples than one part of a pass has.
    let x = data::normal(1500, 3, 1);
    let landmarks = Nystrom::new(kernel(), Pivoting::random(30));
    let space = landmarks.fit_space(&x).unwrap();
    let targets = concatenate![Axis(1), column(values(&x)), x.mapv(f64::cos)];
    let mut moments = CoordinateMoments::of_targets(space.space(), 4).unwrap();
    for rows in [0..700, 700..1500] {
        let block = Dataset::new(
            x.slice(s![rows.clone(), ..]).to_owned(),
            targets.slice(s![rows, ..]).to_owned(),
        );
        moments.add(&block).unwrap();
    }
    let moments = moments.into_moments().unwrap();
    let y = space.coordinates(&data::normal(20, 3, 2)).unwrap();
    let pls: Pls<f64, Ix2> = Pls::params(4).fit_moments(&moments).unwrap();
    let cca: Cca<f64> = Cca::params(3).ridge(0.01).fit_moments(&moments).unwrap();
    vec![
        ("Pls::fit_moments", pls.predict(&y)),
        ("Cca::fit_moments", cca.first().transform(y)),
    ]
}

fn of_batches() -> Numbers {
    let x = data::normal(1500, 3, 3);
    let sides = values(&x).mapv(|value| value > 0.0);
    let method = Ftrl::<f64>::params_with_rng(Xoshiro256Plus::seed_from_u64(1));
    let method = method.alpha(1.0).l1_ratio(0.0);
    let landmarks = Nystrom::new(kernel(), Pivoting::random(30));
    let estimator = Kernelized::new(method, landmarks);
    let mut model = None;
    for rows in [0..500, 500..1500] {
        let batch = Dataset::new(
            x.slice(s![rows.clone(), ..]).to_owned(),
            sides.slice(s![rows]).to_owned(),
        );
        model = Some(estimator.fit_with(model, &batch).unwrap());
    }
    let (method, space) = model.unwrap().into_parts();
    let y = space.coordinates(&data::normal(20, 3, 2)).unwrap();
    vec![("fit_with", column(y.dot(&method.get_weights())))]
}

fn of_alignments() -> Numbers {
    let x = data::normal(600, 3, 4);
    let values = Dataset::new(x.clone(), values(&x));
    let classes = values.clone().map_targets(|&value| value > 0.0);
    let kernels = || [0.05, 0.3, 1.0].map(Gaussian::new).to_vec();
    let independent = Alignment::independent(kernels());
    let of = |weighted: npt::WeightedSum<_, f64>| column(weighted.weights().to_owned());
    vec![
        (
            "Alignment::independent of classes",
            of(independent.fit_classes(&classes).unwrap()),
        ),
        (
            "Alignment::independent of values",
            of(independent.fit_values(&values).unwrap()),
        ),
        (
            "Alignment::joint of values",
            of(Alignment::joint(kernels()).fit_values(&values).unwrap()),
        ),
    ]
}

#[test]
fn large_fits() {
    are_the_same_bits(|| {
        let x = data::normal(1500, 3, 5);
        let values = Dataset::new(x.clone(), values(&x));
        let sides = values.clone().map_targets(|&value| value > 0.0);
        let new = data::normal(40, 3, 6);

        let svc = KernelSvc::params(kernel()).method(|m| m.c(10.0));
        let svc = svc.fit(&sides).unwrap();
        let svr = KernelSvr::params(kernel()).method(|m| m.c(1.0));
        let svr = svr.fit(&values).unwrap();
        // There are so many that they do not all move at a time.
        let vectors = [svc.inner().support().len(), svr.inner().support().len()];
        assert!(vectors.iter().all(|&count| count > 512), "{vectors:?}");
        let kpca = Kpca::params(3, kernel()).fit(&values).unwrap();
        vec![
            ("KernelSvc", column(svc.decision_function(&new).unwrap())),
            ("KernelSvr", column(svr.try_predict(&new).unwrap())),
            ("Kpca", kpca.try_transform(&new).unwrap()),
        ]
    });
}
