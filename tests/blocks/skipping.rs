//! Tests that blocks in memory, without their bad rows, are blocks of the good ones.

use super::{blocks, labelled};
use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis, Ix1, array};
use npt::{
    Error, Scalar,
    methods::{
        linear::{KMeans, Svc},
        streaming::{CoordinateMoments, Moments, Reservoir, skip_bad_rows},
    },
    prelude::*,
};
use npt_testkit::data;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

type Block<F> = Dataset<F, F, Ix1>;

fn good<T: Clone + 'static>(
    given: &[Dataset<f64, T, Ix1>],
    skipped: &Arc<AtomicUsize>,
) -> Vec<Dataset<f64, T, Ix1>> {
    let given = given.iter().cloned().map(Ok::<_, npt::methods::Error>);
    let good = skip_bad_rows(given, skipped);
    good.collect::<Result<_, _>>().expect("none is an error")
}

fn count(skipped: &Arc<AtomicUsize>) -> usize {
    skipped.load(Ordering::Relaxed)
}

/// Checks that a row is taken by both `skip_bad_rows` and moments, or by neither.
fn check<F: Scalar>(block: &Block<F>, features: usize, is_good: bool) {
    let skipped = Arc::new(AtomicUsize::new(7));
    let one = [Ok::<_, npt::methods::Error>(block.clone())];
    let left = skip_bad_rows(one, &skipped).count();
    assert_eq!(
        (left == 1, count(&skipped)),
        (is_good, usize::from(!is_good))
    );
    let added = Moments::new(features).add(block);
    assert_eq!(added.is_ok(), is_good, "{block:?}: {added:?}");
}

/// The rows that are left out are those that moments refuse.
#[test]
fn what_is_left_out_is_what_moments_refuse() {
    let row = |x: f64, t: f64| Dataset::new(array![[x, 1.0]], array![t]);
    let weighed = |s: f32| row(1.0, 2.0).with_weights(array![s]);
    let of_f32 = |x: f32, t: f32| Dataset::new(array![[x]], array![t]);
    for (block, is_good) in [
        (row(1.0, 2.0), true),
        (row(f64::MAX, f64::MIN_POSITIVE / 4.0), true),
        (row(f64::NAN, 2.0), false),
        (row(-f64::INFINITY, 2.0), false),
        (row(1.0, f64::NAN), false),
        (row(1.0, f64::INFINITY), false),
        (weighed(0.0), true),
        (weighed(f32::MAX), true),
        (weighed(-0.5), false),
        (weighed(f32::NAN), false),
        (weighed(f32::INFINITY), false),
        (row(1.0, 2.0).with_weights(array![1.0, 1.0]), false),
        (Dataset::new(array![[1.0, 2.0]], array![1.0, 2.0]), false),
        (Dataset::new(array![[1.0, 2.0]], array![]), false),
    ] {
        check(&block, 2, is_good);
    }
    check(&of_f32(1.0, f32::NAN), 1, false);
    check(&of_f32(f32::INFINITY, 1.0), 1, false);
    check(&of_f32(f32::MAX, 1.0), 1, true);
    let no_features: Block<f64> = Dataset::new(Array2::zeros((1, 0)), array![1.0]);
    assert_eq!(good(&[no_features], &Arc::default()).len(), 0);
}

/// Fits to blocks with a bad row of each kind are the fits to the good rows.
#[test]
fn fits_go_on_without_bad_rows() {
    let mut all = labelled(3000, 2);
    let weights = Array1::from_shape_fn(3000, |i| if i % 5 == 0 { 2.0 } else { 1.0 });
    all = all.with_weights(weights);
    let bad = [0, 731, 732, 1500, 2999];
    all.records[[0, 2]] = f64::NAN;
    all.records[[731, 0]] = f64::INFINITY;
    all.weights[732] = -1.0;
    all.weights[1500] = f32::NAN;
    all.records[[2999, 1]] = -f64::INFINITY;
    let rows: Vec<usize> = (0..3000).filter(|row| !bad.contains(row)).collect();
    let of_rows = |first: usize, last: usize, rows: &[usize]| {
        let rows: Vec<usize> = rows
            .iter()
            .copied()
            .filter(|r| (first..last).contains(r))
            .collect();
        DatasetBase::new(
            all.records.select(Axis(0), &rows),
            all.targets.select(Axis(0), &rows),
        )
        .with_weights(all.weights.select(Axis(0), &rows))
    };
    let everything: Vec<usize> = (0..3000).collect();
    let ends = [(0, 700), (700, 731), (731, 733), (733, 733), (733, 3000)];
    let given: Vec<_> = ends
        .map(|(first, last)| of_rows(first, last, &everything))
        .into();
    let expected: Vec<_> = ends.map(|(first, last)| of_rows(first, last, &rows)).into();

    let skipped = Arc::new(AtomicUsize::new(0));
    let mut some = Reservoir::new(200);
    for block in good(&given, &skipped) {
        some.add(&block.records).expect("good rows");
    }
    assert_eq!((some.seen(), count(&skipped)), (2995, 5));
    let builder = Nystrom::new(Gaussian::new(0.3), Pivoting::random(20));
    let space = builder.fit_space(&some.into_samples().unwrap()).unwrap();

    let of_blocks = |given: &[Dataset<f64, usize, Ix1>]| {
        let mut moments = CoordinateMoments::of_classes(space.space()).unwrap();
        for block in good(given, &skipped) {
            moments.add(&block).expect("good rows");
        }
        moments.into_moments().unwrap()
    };
    assert_eq!(of_blocks(&given), of_blocks(&expected));

    let sides = |blocks: &[Dataset<f64, usize, Ix1>]| -> Vec<_> {
        let side = |block: &Dataset<f64, usize, Ix1>| {
            DatasetBase::new(
                block.records.clone(),
                block.targets.mapv(|class| class == 0),
            )
            .with_weights(block.weights.clone())
        };
        blocks.iter().map(side).collect()
    };
    let passes = AtomicUsize::new(0);
    let svc = |blocks: &[Dataset<f64, bool, Ix1>]| {
        let pass = || {
            passes.fetch_add(1, Ordering::Relaxed);
            let blocks = blocks.iter().cloned().map(Ok::<_, npt::methods::Error>);
            Ok(skip_bad_rows(blocks, &skipped))
        };
        Svc::params().c(0.5).fit_blocks(&space, pass).unwrap()
    };
    let found = svc(&sides(&given));
    assert!(passes.load(Ordering::Relaxed) > 1);
    // Each pass counts anew.
    assert_eq!(count(&skipped), 5);
    assert_eq!(found, svc(&sides(&expected)));
    assert_eq!(count(&skipped), 0);
}

/// Every row of a block is left out if its shape is not that of the first good block.
#[test]
fn blocks_of_another_shape_are_left_out() {
    let targets = |columns: usize| Dataset::new(data::normal(3, 2, 1), data::normal(3, columns, 2));
    let wide = Dataset::new(data::normal(4, 3, 1), data::normal(4, 2, 2));
    let mut bad = wide.clone();
    bad.records.fill(f64::NAN);
    let skipped = Arc::new(AtomicUsize::new(0));
    let given = [bad, targets(2), wide, targets(1), targets(2)];
    let given = given.into_iter().map(Ok::<_, npt::methods::Error>);
    let left: Vec<_> = skip_bad_rows(given, &skipped).map(Result::unwrap).collect();
    assert_eq!(
        left.iter().map(|b| b.records.nrows()).collect::<Vec<_>>(),
        [3, 3]
    );
    assert_eq!(count(&skipped), 4 + 4 + 3);
}

/// Labels of any type are good, names stay, and an error of the source stays an error.
#[test]
fn labels_names_and_errors_stay() {
    let block = Dataset::new(
        array![[1.0, f64::NAN], [2.0, 3.0]],
        array!["a".to_owned(), String::new()],
    );
    let block = block
        .with_feature_names(vec!["x", "y"])
        .with_target_names(vec!["t"]);
    let skipped = Arc::new(AtomicUsize::new(0));
    let left = &good(&[block], &skipped)[0];
    assert_eq!((left.targets[0].as_str(), count(&skipped)), ("", 1));
    assert_eq!(left.feature_names(), ["x", "y"]);
    assert_eq!(left.target_names(), ["t"]);

    let whole = blocks(&labelled(10, 2), &[4]);
    let broken = || Err(npt::methods::Error::from(Error::NoSamples));
    let given = [Ok(whole[0].clone()), broken(), Ok(whole[1].clone())];
    let mut left = skip_bad_rows(given, &skipped);
    assert_eq!(left.next().unwrap().unwrap(), whole[0]);
    assert_eq!(left.next().unwrap().unwrap_err(), Error::NoSamples.into());
    assert_eq!(left.next().unwrap().unwrap(), whole[1]);
    assert_eq!((left.next().is_none(), count(&skipped)), (true, 0));
}

/// Blocks with bad rows alone are an error of the method: there are no samples.
#[test]
fn of_bad_rows_alone_there_are_no_samples() {
    let space = Exact::new(Linear::new())
        .fit_space(&array![[1.0], [9.0]])
        .unwrap();
    let skipped = Arc::new(AtomicUsize::new(0));
    let bad = Dataset::new(array![[f64::NAN], [f64::INFINITY]], array![(), ()]);
    let found = KMeans::params(1).fit_blocks(&space, || {
        let blocks = [Ok::<_, npt::methods::Error>(bad.clone())];
        Ok(skip_bad_rows(blocks, &skipped))
    });
    assert_eq!(found.unwrap_err(), Error::NoSamples.into());
    assert_eq!(count(&skipped), 2);
}
