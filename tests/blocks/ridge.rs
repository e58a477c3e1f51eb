//! Tests ridge regression on blocks that are read again for each iteration.

use super::blocks;
use linfa::{Dataset, DatasetBase, traits::Predict};
use ndarray::{Array1, Array2, ArrayView1, Axis, Ix2, concatenate, s};
use npt::{
    KernelizedModel, Scalar, Spectrum,
    methods::{
        Error,
        linear::{IterativeRidge, Ridge},
        streaming::{FitMoments, Moments},
    },
    prelude::*,
    tables::CsvBlocks,
};
use npt_testkit::data;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;
use std::fmt::Write;

type Block<F> = Dataset<F, F, Ix2>;

/// Samples with two targets, one of them far from 0.
fn samples<F: Scalar>(rows: usize) -> Block<F> {
    let x = data::normal(rows, 3, 1);
    let waves = (x.column(0).mapv(f64::sin) + x.column(1)).insert_axis(Axis(1));
    let far = x.column(2).mapv(|v| v * v + 1e4).insert_axis(Axis(1));
    let targets = concatenate![Axis(1), waves, far];
    Dataset::new(x.mapv(F::cast), targets.mapv(F::cast))
}

fn norm<F: Scalar>(a: ArrayView1<'_, F>) -> f64 {
    let squares = a.iter().map(|v| v.as_f64() * v.as_f64());
    squares.sum::<f64>().sqrt()
}

/// The penalty λ.
const PENALTY: f64 = 0.1;

/// Checks that the model is the one that the moments of all coordinates give.
fn assert_is_that_of_moments<F: Scalar, P>(
    what: &str,
    space: &npt::Fitted<P>,
    data: &Block<F>,
    tolerance: f64,
) where
    P: npt::ExpansionSpace<Samples = Rows<F>, Scalar = F>,
{
    for intercept in [true, false] {
        let mut moments = Moments::of_targets(space.space().rank(), 2);
        let coordinates = space.space().coordinates(&data.records).unwrap();
        let mapped = Dataset::new(coordinates.clone(), data.targets.clone());
        moments.add(&mapped).unwrap();
        let ridge = Ridge::params().penalty(PENALTY).intercept(intercept);
        let expected: Ridge<F, Ix2> = ridge.fit_moments(&moments).unwrap();
        let expected = expected.predict(&coordinates);
        for ends in [&[][..], &[1, 700, 700, 2500]] {
            let params = IterativeRidge::params()
                .penalty(PENALTY)
                .intercept(intercept);
            let all = blocks(data, ends);
            let pass = || Ok::<_, Error>(all.iter().cloned().map(Ok));
            let found = params.tolerance(tolerance).fit_blocks(space, pass).unwrap();
            assert!(found.relative_residual() <= tolerance, "{what}");
            let found = found.predict(&coordinates);
            for column in 0..2 {
                // (YᵀY + λI)δ = r with ‖r‖ ≤ tolerance·‖Yᵀt‖ allows ‖Yδ‖ to be the share tolerance·σ₁/(2√λ) of ‖t‖, where σ₁² ≤ n
                // as κ(x, x) = 1. A solution by Cholesky has an error of ε·σ₁²/λ.
                let (found, expected) = (found.column(column), expected.column(column));
                let targets = data.targets.column(column).mapv(Scalar::as_f64);
                let mean = if intercept {
                    targets.mean().unwrap()
                } else {
                    0.0
                };
                let rows = data.records.nrows() as f64;
                let epsilon = F::epsilon().as_f64();
                let share = tolerance * rows.sqrt() / (2.0 * PENALTY.sqrt())
                    + 4.0 * epsilon * rows / PENALTY;
                let rounding = 16.0 * epsilon * norm(targets.view());
                let allowed = share * norm(targets.mapv(|t| t - mean).view()) + rounding;
                let off = norm((&found - &expected).view());
                assert!(
                    off <= allowed,
                    "{what}, {intercept}, {column}: {off:e} > {allowed:e}"
                );
            }
        }
    }
}

#[test]
fn the_model_is_that_of_moments() {
    let data = samples::<f64>(3000);
    let some = data.records.slice(s![..400, ..]).to_owned();
    let kernel = Gaussian::new(0.3);
    for axes in [Axes::Principal, Axes::Cholesky] {
        for centered in [true, false] {
            let what = format!("{axes:?}, {centered}");
            let nystrom = Nystrom::new(kernel, Pivoting::random(60)).axes(axes);
            let space = nystrom.centered(centered).fit_space(&some).unwrap();
            assert_is_that_of_moments(&what, &space, &data, 1e-9);
            // This is the whole space of few samples, whose mean is not that of all.
            let few = some.slice(s![..40, ..]).to_owned();
            let exact = Exact::new(kernel).axes(axes).centered(centered);
            assert_is_that_of_moments(&what, &exact.fit_space(&few).unwrap(), &data, 1e-9);
        }
    }
}

#[test]
fn in_single_precision() {
    let data = samples::<f32>(3000);
    let some = data.records.slice(s![..400, ..]).to_owned();
    let few = Nystrom::new(Gaussian::new(0.3_f32), Pivoting::random(40));
    let space = few.fit_space(&some).unwrap();
    assert_is_that_of_moments("few landmarks", &space, &data, 1e-6);
    // 26 landmarks are nearly as many as rounding allows (29).
    let many = Nystrom::new(Gaussian::new(0.02_f32), Pivoting::uniform(26));
    let space = many.fit_space(&some).unwrap();
    assert_is_that_of_moments("rounding", &space, &data, 1e-6);
}

/// Targets that are all one number leave nothing to find, and take no iterations.
#[test]
fn targets_that_are_all_one_number() {
    let mut data = samples::<f64>(2000);
    data.targets.column_mut(1).fill(0.1);
    let some = data.records.slice(s![..400, ..]).to_owned();
    let nystrom = Nystrom::new(Gaussian::new(0.3), Pivoting::random(40));
    let space = nystrom.fit_space(&some).unwrap();
    let of = |data: &Block<f64>| {
        let all = blocks(data, &[700]);
        let pass = || Ok::<_, Error>(all.iter().cloned().map(Ok));
        IterativeRidge::params().fit_blocks(&space, pass).unwrap()
    };
    let one = of(&data);
    assert!(one.weights().column(1).iter().all(|&w| w == 0.0));
    assert_eq!(one.intercept()[1], 0.1);
    assert!(one.weights().column(0).iter().any(|&w| w != 0.0));
    data.targets.column_mut(0).fill(1e6 / 3.0);
    assert_eq!(of(&data).iterations(), 0);
}

/// Blocks may come from a file that is opened for each pass.
#[test]
fn of_a_file() {
    let mut text = String::from("x,y\n");
    for i in 0..3000 {
        let x = (f64::from(i) * 0.618).fract() * 6.0;
        writeln!(text, "{x},{}", x.sin()).unwrap();
    }
    let sample = Array2::from_shape_fn((300, 1), |(i, _)| i as f64 * 0.02);
    let nystrom = Nystrom::new(Gaussian::new(0.5), Pivoting::random(20));
    let space = nystrom.fit_space(&sample).unwrap();
    let params = IterativeRidge::params().penalty(1e-3);
    let ridge = params.fit_blocks(&space, || {
        let blocks = CsvBlocks::new(text.as_bytes())?.target("y")?.rows(700);
        Ok::<_, Box<dyn std::error::Error>>(blocks.map(|block| Ok(block?)))
    });
    let model = KernelizedModel::new(ridge.unwrap(), space.into_parts().0)
        .expand()
        .unwrap();
    let found: Array1<f64> = model.predict(&ndarray::array![[1.0], [4.5]]);
    assert!((found[0] - 1.0_f64.sin()).abs() < 1e-3 && (found[1] - 4.5_f64.sin()).abs() < 1e-3);
}

/// A preconditioner of all samples leaves nothing to iterate; one of more samples leaves less than one of few.
#[test]
fn iterations_by_samples_of_the_space() {
    let data = samples::<f64>(20_000);
    for penalty in [1.0, 1e-2, 1e-4] {
        let iterations = [1000, 4000, 20_000].map(|samples| {
            let some = data.records.slice(s![..samples, ..]).to_owned();
            let builder = Nystrom::new(Gaussian::new(0.1), Pivoting::uniform(60));
            let space = builder.fit_space(&some).unwrap();
            let params = IterativeRidge::params().penalty(penalty).tolerance(1e-6);
            let fitted = params.fit_blocks(&space, || Ok::<_, Error>([Ok(data.clone())]));
            fitted.unwrap().iterations()
        });
        let [few, many, all] = iterations;
        assert!(
            few <= 40 && many < few && all <= 2,
            "{penalty}: {iterations:?}"
        );
    }
}

/// A model of strings, fitted to blocks, is as an expansion the ridge regression on all coordinates at once.
#[test]
fn of_strings() {
    let mut rng = Xoshiro256Plus::seed_from_u64(1);
    let mut text = || {
        (0..8)
            .map(|_| ['A', 'C', 'G', 'T'][rng.gen_range(0..4)])
            .collect()
    };
    let texts: Vec<String> = (0..120).map(|_| text()).collect();
    let count = |text: &String| text.matches("AC").count() as f64;
    let counts: Array1<f64> = texts.iter().map(count).collect();
    let all = Items::new(texts.clone()).unwrap();
    let space = Nystrom::new(Spectrum::new(2), Pivoting::greedy(12));
    let space = space.fit_space(&all).unwrap();
    let block = |rows: std::ops::Range<usize>| {
        let items = Items::new(texts[rows.clone()].to_vec()).unwrap();
        DatasetBase::new(items, counts.slice(s![rows]).to_owned())
    };
    let params = IterativeRidge::params().penalty(0.01).tolerance(1e-10);
    let pass = || Ok::<_, Error>([Ok(block(0..50)), Ok(block(50..120))]);
    let ridge = params.fit_blocks(&space, pass).unwrap();
    let model = KernelizedModel::new(ridge, space.into_parts().0)
        .expand()
        .unwrap();
    let found: Array1<f64> = model.try_predict(&all).unwrap();

    let landmarks = Nystrom::new(Spectrum::new(2), Pivoting::greedy(12));
    let params = KernelRidge::params(Spectrum::new(2)).space(|_| landmarks.clone());
    let whole = params.method(|m| m.penalty(0.01));
    let expected: Array1<f64> = whole
        .fit(&DatasetBase::new(all.clone(), counts))
        .unwrap()
        .predict(&all);
    let off = (&found - &expected).fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(off < 1e-8, "{off:e}");
}
