//! Tests that fits to blocks of samples are fits to all samples.

use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, Transformer},
};
use ndarray::{Array1, Array2, Axis, Ix2, s};
use npt::prelude::*;
use npt::{
    KernelizedModel, Scalar,
    methods::{
        linear::{Pca, Ridge},
        streaming::{FitMoments, Moments, Reservoir},
    },
};
use npt_testkit::data;

fn near(found: &Array2<f64>, expected: &Array2<f64>, relative: f64) {
    assert_eq!(found.dim(), expected.dim());
    let scale = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let off = (found - expected).fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(off <= relative * scale, "{off:e} of {scale:e}");
}

fn two_targets(x: &Array2<f64>) -> Array2<f64> {
    let columns = [x.column(0).mapv(f64::sin), &x.column(1) * &x.column(0)];
    ndarray::stack(Axis(1), &[columns[0].view(), columns[1].view()]).expect("of one length")
}

/// The moments of blocks of these sizes, over and over.
fn blocks<F: Scalar>(x: &Array2<F>, t: &Array2<F>, sizes: &[usize]) -> Vec<Moments<Ix2>> {
    let (mut start, mut found) = (0, Vec::new());
    for &size in sizes.iter().cycle() {
        let end = (start + size).min(x.nrows());
        let mut moments = Moments::of_targets(x.ncols(), t.ncols());
        let rows = s![start..end, ..];
        let block = Dataset::new(x.slice(rows).to_owned(), t.slice(rows).to_owned());
        moments.add(&block).expect("finite rows");
        found.push(moments);
        if end == x.nrows() {
            return found;
        }
        start = end;
    }
    found
}

fn merged(parts: &[Moments<Ix2>]) -> Moments<Ix2> {
    let mut all = parts[0].clone();
    parts[1..]
        .iter()
        .for_each(|part| all.merge(part).expect("of one shape"));
    all
}

/// Checks that moments are the formulas of their definition, for any blocks, in any order and grouping; far from the origin, too.
fn check_moments<F: Scalar>(offset: f64, relative: f64) {
    let x = (data::normal(700, 4, 1) + offset).mapv(F::cast);
    let t = two_targets(&data::normal(700, 2, 2)).mapv(F::cast);
    let centered = |rows: &Array2<F>| {
        let rows = rows.mapv(Scalar::as_f64);
        &rows - &rows.mean_axis(Axis(0)).expect("rows")
    };
    let (a, b) = (centered(&x), centered(&t));
    let mut reversed = blocks(&x, &t, &[97]);
    reversed.reverse();
    let grouped = blocks(&x, &t, &[50]);
    let grouped = merged(&grouped.chunks(5).map(merged).collect::<Vec<_>>());
    for found in [
        merged(&blocks(&x, &t, &[700])),
        merged(&blocks(&x, &t, &[1, 0, 40, 3])),
        merged(&reversed),
        grouped,
    ] {
        assert_eq!(found.count(), 700);
        near(&found.scatter().to_owned(), &a.t().dot(&a), relative);
        near(
            &found.cross_scatter().to_owned(),
            &a.t().dot(&b),
            relative * 30.0,
        );
        near(&found.target_scatter().to_owned(), &b.t().dot(&b), relative);
        let mean = x.mapv(Scalar::as_f64).mean_axis(Axis(0)).expect("rows");
        let off = &found.mean() - &mean;
        assert!(off.iter().all(|d| d.abs() <= relative * (1.0 + offset)));
    }
}

#[test]
fn moments_are_their_definition() {
    check_moments::<f64>(0.0, 1e-13);
    check_moments::<f64>(1e6, 1e-9);
    check_moments::<f32>(0.0, 1e-5);
    check_moments::<f32>(1e3, 1e-5);
}

/// Linear methods from moments are those from all samples, with and without intercept, for one target and two.
#[test]
fn linear_methods_from_moments() {
    let x = data::normal(300, 5, 1) * 2.0 + 3.0;
    let t = two_targets(&x);
    let new = data::normal(20, 5, 2);
    let moments = merged(&blocks(&x, &t, &[64]));
    for intercept in [true, false] {
        let ridge = Ridge::params().penalty(0.3).intercept(intercept);
        let found: Ridge<f64, Ix2> = ridge.fit_moments(&moments).unwrap();
        let expected = ridge.fit(&Dataset::new(x.clone(), t.clone())).unwrap();
        near(&found.predict(&new), &expected.predict(&new), 1e-12);

        let held_out = two_targets(&new);
        let off = &held_out - &found.predict(&new);
        let expected = (&off * &off).sum_axis(Axis(0));
        let errors = merged(&blocks(&new, &held_out, &[7]))
            .squared_errors(&found)
            .unwrap();
        assert!(
            (errors - &expected)
                .iter()
                .zip(&expected)
                .all(|(d, e)| d.abs() <= 1e-11 * e)
        );
    }
    let pca = Pca::params(3);
    let found: Pca<f64> = pca.fit_moments(&moments).unwrap();
    let expected = pca.fit(&DatasetBase::from(x)).unwrap();
    let off = &found.eigenvalues() / &expected.eigenvalues() - 1.0;
    assert!(off.iter().all(|d| d.abs() < 1e-13));
    let off = found.explained_variance_ratio() - expected.explained_variance_ratio();
    assert!(off.iter().all(|d| d.abs() < 1e-13));
    let [a, b]: [Array2<f64>; 2] = [found.transform(new.clone()), expected.transform(new)];
    near(&a.mapv(f64::abs), &b.mapv(f64::abs), 1e-12);
}

/// A kernel method whose samples come in blocks predicts the same as from all samples.
#[test]
fn kernel_methods_from_blocks() {
    let x = data::normal(900, 3, 1);
    let t = x.column(0).mapv(f64::sin) * x.column(1);
    let new = data::normal(50, 3, 2);
    let builder = || {
        let landmarks = Nystrom::new(Gaussian::new(0.3), Pivoting::random(60));
        landmarks.axes(Axes::Cholesky).centered(false)
    };
    let space = builder().fit_space(&x).unwrap().into_parts().0;
    let mut moments = Moments::new(space.rank());
    for start in (0..900).step_by(128) {
        let end = (start + 128).min(900);
        let coordinates = space.coordinates(&x.slice(s![start..end, ..])).unwrap();
        let targets = t.slice(s![start..end]).to_owned();
        moments.add(&Dataset::new(coordinates, targets)).unwrap();
    }
    let linear = Ridge::params().penalty(1e-3);
    let ridge: Ridge<f64> = linear.fit_moments(&moments).unwrap();
    let streamed = KernelizedModel::new(ridge, space.clone()).expand().unwrap();
    let expected = KernelRidge::params(Gaussian::new(0.3)).method(|_| linear.clone());
    let expected = expected
        .space(|_| builder())
        .fit(&Dataset::new(x.clone(), t))
        .unwrap();
    let [a, b]: [Array1<f64>; 2] = [streamed.predict(&new), expected.predict(&new)];
    near(&a.insert_axis(Axis(1)), &b.insert_axis(Axis(1)), 1e-9);

    let pca: Pca<f64> = Pca::params(4).fit_moments(&moments).unwrap();
    let streamed: Array2<f64> = KernelizedModel::new(pca, space)
        .expand()
        .unwrap()
        .transform(new.clone());
    let kpca = Kpca::params(4, Gaussian::new(0.3)).space(|_| builder());
    let expected: Array2<f64> = kpca.fit(&DatasetBase::from(x)).unwrap().transform(new);
    near(&streamed.mapv(f64::abs), &expected.mapv(f64::abs), 1e-10);
}

/// Reservoirs are fair: they keep each row with the same probability, wherever it is in the stream and in whatever blocks.
#[test]
fn reservoirs_are_fair() {
    const DRAWS: u64 = 4000;
    let rows = Array2::from_shape_fn((30, 1), |(i, _)| i as f64);
    let mut counts = Array2::<f64>::zeros((30, 1));
    for seed in 0..DRAWS {
        let mut reservoir = Reservoir::with_seed(10, seed);
        for block in rows.axis_chunks_iter(Axis(0), 7) {
            reservoir.add(&block).unwrap();
        }
        assert_eq!(reservoir.seen(), 30);
        let found = reservoir.into_samples().unwrap();
        assert_eq!(found.view().nrows(), 10);
        for row in found.view() {
            counts += &rows.mapv(|other| f64::from(u8::from(other == *row)));
        }
    }
    // The tolerance is five standard deviations.
    let off = |count: f64| (count / DRAWS as f64 - 1.0 / 3.0).abs();
    let deviation = (2.0 / 9.0 / DRAWS as f64).sqrt();
    assert!(
        counts
            .iter()
            .all(|&count: &f64| off(count) < 5.0 * deviation)
    );
    let mut all = Reservoir::new(50);
    all.add(&rows).unwrap();
    assert_eq!(all.into_samples().unwrap().view(), rows);
}

/// Merged reservoirs are fair, for parts of any sizes, and for rows that are added later.
#[test]
fn merged_reservoirs_are_fair() {
    const DRAWS: u64 = 4000;
    let rows = Array2::from_shape_fn((30, 1), |(i, _)| i as f64);
    let part = |range: std::ops::Range<usize>, most, seed| {
        let mut part = Reservoir::with_seed(most, seed);
        part.add(&rows.slice(ndarray::s![range, ..])).unwrap();
        part
    };
    // There are two parts and rows that are added later; one part has kept all of its rows.
    for (ends, most) in [([16, 24], [12, 9]), ([4, 24], [9, 12]), ([0, 20], [9, 40])] {
        let mut counts = Array1::<f64>::zeros(30);
        for seed in 0..DRAWS {
            let mut merged = part(0..ends[0], most[0], 2 * seed);
            merged
                .merge(&part(ends[0]..ends[1], most[1], 2 * seed + 1))
                .unwrap();
            merged.add(&rows.slice(ndarray::s![ends[1].., ..])).unwrap();
            assert_eq!(merged.seen(), 30);
            let found = merged.into_samples().unwrap();
            assert_eq!(found.view().nrows(), 9);
            let is_there = |row: f64| found.view().iter().any(|&found| found == row);
            let there = rows
                .column(0)
                .mapv(|row| f64::from(u8::from(is_there(row))));
            // No row is kept twice.
            assert!((there.sum() - 9.0).abs() < 0.5);
            counts += &there;
        }
        // The tolerance is five standard deviations.
        let deviation = (0.3 * 0.7 / DRAWS as f64).sqrt();
        let off = counts.mapv(|count| (count / DRAWS as f64 - 0.3).abs());
        assert!(off.iter().all(|&off| off < 5.0 * deviation), "{off}");
    }
    let mut two = Reservoir::new(5);
    two.add(&Array2::<f64>::ones((2, 2))).unwrap();
    let (expected, found) = (2, 1);
    let error = npt::Error::ColumnCount { expected, found };
    assert_eq!(two.merge(&part(0..3, 5, 1)), Err(error.into()));
    two.merge(&Reservoir::new(3)).unwrap();
    assert_eq!(
        two.into_samples().unwrap().view(),
        Array2::<f64>::ones((2, 2))
    );
}
