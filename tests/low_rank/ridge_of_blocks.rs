//! Ridge regression on blocks that are read again for each iteration.

use linfa::{Dataset, DatasetBase, traits::Predict};
use ndarray::{Array1, Array2, Axis, Ix2, concatenate, s};
use npt::{
    KernelizedModel, Scalar, Spectrum,
    methods::{
        Error,
        linear::{IterativeRidge, Ridge},
        streaming::{FitMoments, Moments},
    },
    prelude::*,
};
use npt_testkit::data;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

type Block<F> = Dataset<F, F, Ix2>;

/// Two targets, one of them far from 0.
fn samples<F: Scalar>(rows: usize) -> Block<F> {
    let x = data::normal(rows, 3, 1);
    let waves = (x.column(0).mapv(f64::sin) + x.column(1)).insert_axis(Axis(1));
    let far = x.column(2).mapv(|v| v * v + 1e4).insert_axis(Axis(1));
    let targets = concatenate![Axis(1), waves, far];
    Dataset::new(x.mapv(F::cast), targets.mapv(F::cast))
}

/// Blocks that end at these rows; where two are one, the block is empty.
fn blocks<F: Scalar>(data: &Block<F>, ends: &[usize]) -> Vec<Block<F>> {
    let firsts = [&[0], ends].concat();
    let lasts = [ends, &[data.records.nrows()]].concat();
    let rows = firsts.into_iter().zip(lasts);
    rows.map(|(first, last)| {
        let of = |a: &Array2<F>| a.slice(s![first..last, ..]).to_owned();
        Dataset::new(of(&data.records), of(&data.targets))
    })
    .collect()
}

fn largest<F: Scalar>(a: &Array2<F>) -> f64 {
    a.iter().fold(0.0, |m, v| v.as_f64().abs().max(m))
}

/// The model that the moments of all coordinates give, in spaces of each kind.
fn assert_is_that_of_moments<F: Scalar, P>(
    what: &str,
    space: &npt::Fitted<P>,
    data: &Block<F>,
    tolerance: f64,
) where
    P: npt::Foldable<Samples = Rows<F>, Scalar = F>,
{
    for intercept in [true, false] {
        let mut moments = Moments::of_targets(space.space().rank(), 2);
        let coordinates = space.space().coordinates(&data.records).unwrap();
        let mapped = Dataset::new(coordinates.clone(), data.targets.clone());
        moments.add(&mapped).unwrap();
        let ridge = Ridge::params().penalty(0.1).intercept(intercept);
        let expected: Ridge<F, Ix2> = ridge.fit_moments(&moments).unwrap();
        let expected = expected.predict(&coordinates);
        for ends in [&[][..], &[1, 700, 700, 2500]] {
            let params = IterativeRidge::params().penalty(0.1).intercept(intercept);
            let all = blocks(data, ends);
            let pass = || Ok::<_, Error>(all.iter().cloned().map(Ok));
            let found = params.tolerance(tolerance).fit_blocks(space, pass).unwrap();
            assert!(found.relative_residual() <= tolerance, "{what}");
            let found = found.predict(&coordinates);
            let off = largest(&(&found - &expected)) / largest(&expected);
            // The second target is 10⁴ times as large as what there is to be predicted of it.
            let allowed = 1e2 * tolerance + 64.0 * F::epsilon().as_f64();
            assert!(off <= allowed, "{what}, {intercept}: {off:e} > {allowed:e}");
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
            // The whole space of few samples, with a mean that is not that of all.
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
    let nystrom = Nystrom::new(Gaussian::new(0.3_f32), Pivoting::random(40));
    assert_is_that_of_moments("f32", &nystrom.fit_space(&some).unwrap(), &data, 1e-4);
}

/// The preconditioner is made of the samples of the space: of all, nothing is left to do; of more, less.
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

/// Of samples that are no vectors, folded back: the function of a ridge regression on all coordinates at once.
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
        .fold()
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
