//! Tests which samples become landmarks, and at what cost.

use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis, array, s};
use npt::prelude::*;
use npt::{Error, Given, KernelMap, LandmarkSelection, Selected, methods::streaming::RandomPivots};
use npt_testkit::data;
use std::sync::atomic::{AtomicUsize, Ordering};

fn by_leverage(landmarks: usize) -> Pivoting {
    Pivoting::by_leverage(landmarks, 0.1)
}

fn indices(x: &Array2<f64>, kernel: Gaussian<f64>, landmarks: Pivoting) -> Vec<usize> {
    let builder = Nystrom::new(kernel, landmarks).centered(false);
    let space = builder.fit_space(x).unwrap();
    match space.space().raw_map() {
        KernelMap::Landmarks(map) => map.indices().unwrap().to_vec(),
        KernelMap::AllSamples(_) => panic!("landmarks are few"),
    }
}

/// Random pivots, which are drawn in blocks with rejection, have the distribution of those drawn one by one: the first by
/// κ(xᵢ, xᵢ), the second by what the first leaves.
#[test]
fn random_pivots_have_their_distribution() {
    const DRAWS: u64 = 20_000;
    let x = array![[0.0], [0.4], [0.5], [1.7], [6.0]];
    let kernel = Gaussian::new(0.5);
    let n = x.nrows();
    let mut counts = Array2::<f64>::zeros((n, n));
    for seed in 0..DRAWS {
        let found = indices(&x, kernel, Pivoting::random(2).seed(seed));
        counts[[found[0], found[1]]] += 1.0;
    }
    let gram = kernel.gram(&Rows::new(x).unwrap());
    for i in 0..n {
        let left: Array1<f64> = gram.row(i).mapv(|k| 1.0 - k * k);
        for j in 0..n {
            let expected = left[j] / left.sum() / n as f64;
            // The tolerance is five standard deviations of a count.
            let deviation = (expected / DRAWS as f64).sqrt();
            let found = counts[[i, j]] / DRAWS as f64;
            assert!(
                (found - expected).abs() <= 5.0 * deviation,
                "{i}, {j}: {found}"
            );
        }
    }
}

/// Uniform pivots have their distribution: all pairs are equally frequent.
#[test]
fn uniform_pivots_have_theirs() {
    const DRAWS: u64 = 20_000;
    let x = array![[0.0], [0.4], [0.5], [1.7]];
    let mut counts = Array2::<f64>::zeros((4, 4));
    for seed in 0..DRAWS {
        let found = indices(&x, Gaussian::new(0.5), Pivoting::uniform(2).seed(seed));
        counts[[found[0], found[1]]] += 1.0;
    }
    for ((i, j), count) in counts.indexed_iter() {
        let expected = if i == j { 0.0 } else { 1.0 / 12.0 };
        let off = (count / DRAWS as f64 - expected).abs();
        assert!(
            off <= 5.0 * (expected / DRAWS as f64).sqrt(),
            "{i}, {j}: {count}"
        );
    }
}

/// Samples of which most are in one spot, and few in each of many others.
fn crowded() -> Array2<f64> {
    let mut x = data::normal(1000, 2, 1) * 0.05;
    for (i, mut row) in x.outer_iter_mut().enumerate().skip(900) {
        row += &array![4.0 * (i % 10) as f64 + 4.0, 0.0];
    }
    x
}

/// Random pivots leave a share of the trace that is near the least of any space of as many dimensions. Greedy ones do where there are no
/// outliers; uniform ones miss what is rare.
#[test]
fn random_pivots_are_near_the_best() {
    let (crowded, even) = (crowded(), data::normal(1000, 3, 2));
    for (x, count, uniform_fails) in [(crowded, 15, true), (even, 100, false)] {
        let kernel = Gaussian::new(0.5);
        let exact = Exact::new(kernel).centered(false).fit_space(&x).unwrap();
        let values = exact.eigenvalues();
        let best = values.slice(s![count..]).sum() / values.sum();
        let median = |rule: fn(usize) -> Pivoting| {
            let share = |seed| {
                let builder = Nystrom::new(kernel, rule(count).seed(seed)).centered(false);
                builder.fit_space(&x).unwrap().relative_trace_residual()
            };
            let mut shares: Vec<f64> = (0..9).map(share).collect();
            shares.sort_by(f64::total_cmp);
            shares[4] / best
        };
        let [random, greedy, uniform, leverage] = [
            Pivoting::random,
            Pivoting::greedy,
            Pivoting::uniform,
            by_leverage,
        ]
        .map(median);
        assert!((1.0..4.0).contains(&random), "{random}");
        assert!((1.0..6.0).contains(&greedy), "{greedy}");
        // Landmarks by leverage are drawn without regard to each other, and miss some of what is rare.
        let share = if uniform_fails { 0.6 } else { 1.2 };
        assert!(leverage < share * uniform, "{leverage}");
        assert!(
            uniform > random && (uniform > 10.0) == uniform_fails,
            "{uniform}"
        );
    }
}

/// A Gaussian kernel with γ = 1 that counts its values.
fn counting(values: &AtomicUsize) -> FnKernel<impl Fn(&[f64], &[f64]) -> f64 + Send + Sync + '_> {
    FnKernel::new(move |a: &[f64], b: &[f64]| {
        values.fetch_add(1, Ordering::Relaxed);
        (-a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()).exp()
    })
}

/// Only n kernel values a landmark, the diagonal, and the values among candidates are evaluated of the matrix.
#[test]
fn only_columns_of_landmarks_are_evaluated() {
    let values = AtomicUsize::new(0);
    let (kernel, n, m) = (counting(&values), 3000, 60);
    let x = data::normal(n, 3, 1);
    for rule in [Pivoting::random, Pivoting::greedy, Pivoting::uniform] {
        values.store(0, Ordering::Relaxed);
        let space = Nystrom::new(&kernel, rule(m)).fit_space(&x).unwrap();
        assert_eq!(space.rank(), m);
        let found = values.load(Ordering::Relaxed);
        assert!(
            found >= (n - m) * m && found <= n * (m + 2) + 4 * 128 * 128,
            "{found}"
        );
    }
}

/// Leverage scores take, besides what other landmarks take, n kernel values for each of eight times Σℓᵢ samples, and as many again for
/// each of the penalties 4, 2 and 1 where κ(x, x) is 1.
#[test]
fn leverage_scores_take_what_is_documented() {
    let values = AtomicUsize::new(0);
    let (kernel, n, m) = (counting(&values), 1000, 60);
    let x = data::normal(n, 3, 1);
    let exact = Exact::new(Gaussian::new(1.0)).centered(false);
    let eigenvalues = exact.fit_space(&x).unwrap().eigenvalues().to_owned();
    for (penalty, times) in [(20.0, 1.0), (1.0, 4.0)] {
        values.store(0, Ordering::Relaxed);
        let builder = Nystrom::new(&kernel, Pivoting::by_leverage(m, penalty));
        assert_eq!(builder.fit_space(&x).unwrap().rank(), m);
        let found = values.load(Ordering::Relaxed) as f64;
        let sum: f64 = eigenvalues.iter().map(|v| v / (v + penalty)).sum();
        let columns = (m + 2) as f64 + times * 8.0 * sum;
        let most = n as f64 * columns + 4.0 * 128.0 * 128.0;
        assert!(found >= most / 3.0 && found <= most, "{found} of {most}");
    }
}

/// Each pass over blocks evaluates the diagonal and the columns of the landmarks so far, of which there are none in the first pass;
/// further the values of two candidates a landmark with each other and with the landmarks.
#[test]
fn only_columns_of_landmarks_are_evaluated_of_blocks() {
    let values = AtomicUsize::new(0);
    let (kernel, n, m) = (counting(&values), 3000, 60);
    let x = data::normal(n, 3, 1);
    let blocks = [0, 1000, 2000].map(|first| {
        let rows = x.slice(s![first..first + 1000, ..]);
        DatasetBase::from(rows.to_owned())
    });
    let pass = || Ok::<_, npt::methods::Error>(blocks.iter().cloned().map(Ok));
    let chosen = RandomPivots::new(m).choose(&kernel, pass).unwrap();
    assert_eq!(chosen.samples.len(), m);
    let (found, passes) = (values.load(Ordering::Relaxed), chosen.passes);
    let most = n * (passes + (passes - 1) * m) + (passes - 1) * 2 * m * (2 * m + m + m);
    assert!(
        found >= n * (passes + m) && found <= most,
        "{found} of {most}"
    );
}

/// A tolerance ends the choice early, with no more landmarks than it needs.
#[test]
fn a_tolerance_ends_early() {
    let x = data::normal(400, 2, 1);
    let kernel = Gaussian::new(0.3);
    for rule in [
        Pivoting::random,
        Pivoting::greedy,
        Pivoting::uniform,
        by_leverage,
    ] {
        let builder = Nystrom::new(kernel, rule(400).tolerance(0.01)).centered(false);
        let space = builder.axes(Axes::Cholesky).fit_space(&x).unwrap();
        let left = space.training_residuals().sum();
        let last = space
            .training_coordinates()
            .column(space.rank() - 1)
            .to_owned();
        assert!(space.rank() < 100 && left <= 4.0 && left + last.dot(&last) > 4.0);
    }
}

/// A seed gives the same landmarks on any number of threads; another seed gives others.
#[test]
fn seeds() {
    let x = data::normal(700, 3, 1);
    let of = |threads: usize, seed| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            [Pivoting::random, Pivoting::uniform, by_leverage]
                .map(|rule| indices(&x, Gaussian::new(0.4), rule(150).seed(seed)))
        })
    };
    assert_eq!(of(1, 5), of(3, 5));
    assert_ne!(of(1, 5), of(1, 6));
}

/// A choice of rows in a given order: of rows that depend on each other, the first become landmarks.
struct InOrder(Vec<usize>);

impl<S: npt::Samples> LandmarkSelection<S> for InOrder {
    fn select<K: Kernel<S>>(&self, _: &K, _: &S) -> Result<Selected<S, K::Scalar>, npt::Error> {
        Ok(Selected::rows(self.0.clone()))
    }
}

#[test]
fn chosen_and_given_landmarks_are_the_same() {
    let x = data::duplicates(60, 2, 3, 1);
    let order = vec![5, 100, 65, 7, 5, 40, 119, 59, 0];
    let independent = [5, 100, 7, 119, 0];
    let builder = Nystrom::new(Gaussian::new(0.3), InOrder(order)).centered(false);
    let chosen = builder.axes(Axes::Cholesky).fit_space(&x).unwrap();
    let KernelMap::Landmarks(map) = chosen.space().raw_map() else {
        panic!("landmarks are few");
    };
    // The sample 65 is a copy of 5, 40 of 100, and 59 of 119.
    let originals = map.indices().unwrap().iter().map(|k| k % 60);
    let mut found: Vec<usize> = originals.collect();
    found.sort_unstable();
    assert_eq!(found, [0, 5, 7, 40, 59]);
    let given = Given(Rows::new(x.select(Axis(0), &independent)).unwrap());
    let builder = Nystrom::new(Gaussian::new(0.3), given).centered(false);
    let given = builder.axes(Axes::Cholesky).fit_space(&x).unwrap();
    let KernelMap::Landmarks(map) = given.space().raw_map() else {
        panic!("landmarks are few");
    };
    assert_eq!(map.indices(), None);
    let [a, b] = [&chosen, &given].map(|space| {
        let y = space.training_coordinates();
        y.dot(&y.t())
    });
    assert!((a - b).iter().all(|d| d.abs() < 1e-14));
    let off = &chosen.training_residuals() - &given.training_residuals();
    assert!(off.iter().all(|d| d.abs() < 1e-14));
}

/// There are as many landmarks as are asked for, in single precision, too, where they are far apart.
#[test]
fn many_landmarks_in_single_precision() {
    let x = data::normal(2300, 8, 1).mapv(|v| v as f32);
    for landmarks in [Pivoting::uniform(2100), Pivoting::random(2100)] {
        let builder = Nystrom::new(Gaussian::new(2.0_f32), landmarks).centered(false);
        let space = builder.axes(Axes::Cholesky).fit_space(&x).unwrap();
        assert_eq!(space.rank(), 2100);
    }
    let given = Given(Rows::new(x.slice(s![..2100, ..]).to_owned()).unwrap());
    let builder = Nystrom::new(Gaussian::new(2.0_f32), given).axes(Axes::Cholesky);
    assert_eq!(builder.centered(false).fit_space(&x).unwrap().rank(), 2100);
}

/// Landmarks from elsewhere need not be in the span of the samples, nor be fewer than the samples; their kernel need not claim
/// to be positive semidefinite.
#[test]
fn landmarks_from_elsewhere() {
    let linear = FnKernel::new(|a: &[f64], b: &[f64]| a[0] * b[0] + a[1] * b[1]);
    for seed in 0..200 {
        let near = data::normal(2, 2, seed) * 0.1 + 2.0;
        let (a, b) = (near.row(0), near.row(1));
        let sine = (a[0] * b[1] - a[1] * b[0]) / (a.dot(&a) * b.dot(&b)).sqrt();
        let builder = Nystrom::new(linear, Given(Rows::new(near.clone()).unwrap())).centered(false);
        let space = builder.fit_space(&data::normal(50, 2, seed + 1)).unwrap();
        // Where both landmarks are nearer than that to one line, rounding hides how the samples extend across it.
        let apart = sine * sine > 32.0 * f64::EPSILON.sqrt();
        assert_eq!(space.rank(), if apart { 2 } else { 1 }, "{seed}");
        let left = space.relative_trace_residual();
        assert_eq!(left < f64::EPSILON.sqrt(), apart, "{seed}: {left:e}");
    }
    let given = Given(Rows::new(data::normal(10, 2, 1)).unwrap());
    let builder = Nystrom::new(Gaussian::new(0.3), given);
    assert_eq!(builder.fit_space(&data::normal(3, 2, 2)).unwrap().rank(), 2);
    assert_eq!(
        builder
            .fit_space(&data::duplicates(2, 50, 2, 2))
            .unwrap()
            .rank(),
        1
    );
}

/// Cholesky axes are cut where the share is reached: at the fewest landmarks, in their order, that explain it.
#[test]
fn cholesky_axes_are_cut_where_the_share_is_reached() {
    let x = data::normal(200, 3, 4);
    let builder = Nystrom::new(Gaussian::new(0.3), Pivoting::random(60))
        .axes(Axes::Cholesky)
        .centered(false);
    for share in [0.5, 0.9] {
        let space = builder.clone().rank(Rank::Variance(share)).fit_space(&x);
        let kept = space.unwrap().rank();
        assert!(kept > 2 && kept < 60, "{kept}");
        let left = |rank| {
            let space = builder.clone().rank(rank).fit_space(&x);
            space.unwrap().relative_trace_residual()
        };
        assert!(left(Rank::Variance(share)) <= 1.0 - share);
        assert!(left(Rank::Components(kept - 1)) > 1.0 - share);
        let by_tolerance = left(Rank::Tolerance(1.0 - share));
        assert_eq!(by_tolerance, left(Rank::Variance(share)));
    }
}

/// A given landmark shows an indefinite kernel: the second of (1, 0) and (1, ½) has less than nothing left beside the first.
#[test]
fn a_given_landmark_shows_an_indefinite_kernel() {
    let lorentz = FnKernel::new(|a: &[f64], b: &[f64]| a[0] * b[0] - a[1] * b[1]);
    let given = Given(Rows::new(array![[1.0, 0.0]]).unwrap());
    let builder = Nystrom::new(lorentz, given).centered(false);
    let error = builder.fit_space(&array![[2.0, 0.0], [1.0, 0.5]]);
    let Err(Error::Indefinite { eigenvalue, ratio }) = error.map(|_| ()) else {
        panic!("it is indefinite");
    };
    // The eigenvalues are those of [[1, 1], [1, ¾]].
    let (middle, apart) = (0.875_f64, (0.875_f64.powi(2) + 0.25).sqrt());
    assert!((eigenvalue - (middle - apart)).abs() < 1e-14);
    assert!((ratio - (middle - apart) / (middle + apart)).abs() < 1e-14);
    // κ(x, x) is below 0, 0 or ¾, and the sample is to the right or to the left.
    for other in [[0.0, 1.0], [1.0, 1.0], [-1.0, 0.5]] {
        let error = builder.fit_space(&array![[2.0, 0.0], other]).err();
        let is_refused = matches!(error, Some(Error::Indefinite { .. }));
        assert!(is_refused, "{other:?}: {error:?}");
    }
}

/// Landmarks may explain everything: nothing is left of a sample of zeros, nor of the last of all samples beside their mean.
#[test]
fn landmarks_that_explain_everything() {
    let given = Given(Rows::new(array![[1.0, 0.0]]).unwrap());
    let builder = Nystrom::new(Linear::new(), given).centered(false);
    let fitted = builder.fit_space(&array![[2.0, 0.0], [0.0, 0.0]]).unwrap();
    assert_eq!(fitted.rank(), 1);
    let all = Nystrom::new(Gaussian::new(0.5), Pivoting::uniform(10)).axes(Axes::Cholesky);
    assert_eq!(all.fit_space(&data::normal(10, 2, 1)).unwrap().rank(), 9);
}

/// Forecasts are no more than what was measured: each size is measured twice, and its faster time counts, in the unit of a fit.
#[test]
fn forecasts_are_no_more_than_what_was_measured() {
    let x = data::normal(1000, 3, 1);
    let start = std::time::Instant::now();
    let forecast = npt::LandmarkForecast::measure(&Linear::new(), &x).unwrap();
    let all = start.elapsed().as_secs_f64();
    assert!(
        2.0 * forecast.seconds(3) <= all,
        "{} of {all}",
        forecast.seconds(3)
    );
}

/// Leverage chooses the sample that stands alone, with nearly all of what is to be explained.
#[test]
fn leverage_chooses_what_stands_alone() {
    let x = Array2::from_shape_fn((9, 2), |(i, k)| match (i, k) {
        (0, 0) => 100.0,
        (0, _) | (_, 0) => 0.0,
        _ => 1e-3 * (i as f64 - 4.5),
    });
    for seed in 0..20 {
        let one = Pivoting::by_leverage(1, 1.0).seed(seed);
        let fitted = Nystrom::new(Linear::new(), one)
            .centered(false)
            .fit_space(&x)
            .unwrap();
        let KernelMap::Landmarks(map) = fitted.space().raw_map() else {
            panic!("landmarks are few");
        };
        assert_eq!(map.indices(), Some(&[0][..]));
    }
}
