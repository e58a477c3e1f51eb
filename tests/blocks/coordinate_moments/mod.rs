//! Tests moments of coordinates. Where kernel values are summed in their place, the moments are those of the coordinates.

mod classes;
mod limits;

use super::spaces;
use linfa::{Dataset, DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, ArrayView2, Axis, Ix1, Ix2};
use npt::{
    linalg,
    methods::{
        pre_image::FixedPoint,
        streaming::{CoordinateMoments, Moments},
    },
    prelude::*,
};
use npt_testkit::data;

fn largest_eigenvalue(scatter: ArrayView2<'_, f64>) -> f64 {
    linalg::eigh(&scatter.to_owned()).unwrap().0[0]
}

/// The largest difference of the entries of two matrices.
fn apart(found: ArrayView2<'_, f64>, expected: ArrayView2<'_, f64>) -> f64 {
    assert_eq!(found.dim(), expected.dim());
    (&found - &expected).fold(0.0, |most: f64, d| most.max(d.abs()))
}

/// Rows with a waving target, and if `with_weights` with weights, zeros among them.
fn block(x: Array2<f64>, with_weights: bool) -> Dataset<f64, f64, Ix1> {
    let targets = x.map_axis(Axis(1), |row| row[0].sin() + row.sum());
    let weights = Array1::from_shape_fn(x.nrows(), |i| (i % 4) as f32 / 2.0);
    let block = Dataset::new(x, targets);
    if with_weights {
        block.with_weights(weights)
    } else {
        block
    }
}

/// The moments of the coordinates themselves.
fn plain<P>(space: &P, blocks: &[Dataset<f64, f64, Ix1>]) -> Moments
where
    P: KernelSpace<Samples = Rows<f64>, Scalar = f64>,
{
    let mut moments = Moments::new(space.rank());
    for block in blocks.iter().filter(|block| !block.records.is_empty()) {
        let y = space.coordinates(&block.records).unwrap();
        let block = Dataset::new(y, block.targets.clone()).with_weights(block.weights.clone());
        moments.add(&block).unwrap();
    }
    moments
}

fn of_blocks<P>(space: &P, blocks: &[Dataset<f64, f64, Ix1>]) -> Moments
where
    P: KernelSpace<Samples = Rows<f64>, Scalar = f64>,
{
    let mut sums = CoordinateMoments::new(space).unwrap();
    for block in blocks {
        sums.add(block).unwrap();
    }
    sums.into_moments().unwrap()
}

/// Moments are those of the coordinates in every space, with weights and without. Some blocks are longer than what is summed at once,
/// others are empty. The differences are at most what the moments report as their rounding, or rounding of sums.
#[test]
fn they_are_those_of_the_coordinates() {
    let some = data::normal(40, 3, 1);
    for (what, space) in spaces(&some) {
        for with_weights in [false, true] {
            let lengths = [500, 0, 9000];
            let rows = lengths
                .iter()
                .zip(2..)
                .map(|(&rows, seed)| data::normal(rows, 3, seed));
            let blocks: Vec<_> = rows.map(|x| block(x + 0.3, with_weights)).collect();
            let (found, expected) = (of_blocks(&space, &blocks), plain(&space, &blocks));
            assert_eq!(found.count(), 9500, "{what}");
            assert_eq!(found.weight(), expected.weight(), "{what}");
            let known = found.rounding().max(9500.0 * f64::EPSILON);
            // The means and the cross scatter are linear in the coefficients: their error grows with the root of the coefficients' condition.
            let linear = (found.rounding() * f64::EPSILON).sqrt();
            let linear = linear.max(9500.0 * f64::EPSILON);
            let unit = largest_eigenvalue(expected.scatter());
            let off = apart(found.scatter(), expected.scatter());
            assert!(
                off <= known * unit,
                "{what}: {off:e} of {unit:e}, {known:e}"
            );
            let of_targets = (unit * expected.target_scatter()[[0, 0]]).sqrt();
            let off = apart(found.cross_scatter(), expected.cross_scatter());
            assert!(
                off <= linear * of_targets,
                "{what}: {off:e} of {of_targets:e}"
            );
            assert_eq!(found.target_scatter(), expected.target_scatter(), "{what}");
            let off = (&found.mean() - &expected.mean()).fold(0.0, |m: f64, d| m.max(d.abs()));
            assert!(off <= linear, "{what}: {off:e}");
        }
    }
}

/// Kernel values are summed or not by the condition of the landmarks' kernel matrix. Its scale does not matter, unless
/// squares of kernel values leave the range before those of coordinates do.
#[test]
fn kernel_values_are_summed_where_they_suffice() {
    let x = data::normal(300, 3, 1);
    let blocks = [block(data::normal(400, 3, 2), false)];
    let of = |gamma: f64, scale: f64| {
        let kernel = Gaussian::new(gamma).scaled(scale);
        let builder = Nystrom::new(kernel, Pivoting::random(60)).centered(false);
        let space = builder
            .axes(Axes::Cholesky)
            .fit_space(&x)
            .unwrap()
            .into_parts()
            .0;
        (of_blocks(&space, &blocks), plain(&space, &blocks))
    };
    let most = f64::EPSILON.powf(2.0 / 3.0);
    for (gamma, scale, are) in [
        (2.0, 1.0, true),
        (2.0, 1e-12, true),
        (2.0, 1e15, true),
        (0.01, 1.0, false),
        (2.0, 1e-60, false),
        (2.0, 1e60, false),
    ] {
        let (found, expected) = of(gamma, scale);
        assert_eq!(found.rounding() > 0.0, are, "{gamma} {scale}");
        assert!(found.rounding() <= most);
        if are {
            let off = apart(found.scatter(), expected.scatter());
            let unit = largest_eigenvalue(expected.scatter());
            assert!(
                0.0 < off && off <= found.rounding() * unit,
                "{off:e} of {unit:e}"
            );
        } else {
            assert_eq!(found, expected, "{gamma} {scale}");
        }
    }
}

/// Single precision sums kernel values only if the condition is small.
#[test]
fn in_single_precision() {
    let x = data::normal(300, 3, 1).mapv(|v| v as f32);
    for (landmarks, are) in [(8, true), (60, false)] {
        let builder = Nystrom::new(Gaussian::new(0.5_f32), Pivoting::random(landmarks));
        let space = builder.fit_space(&x).unwrap().into_parts().0;
        let mut sums = CoordinateMoments::of_records(&space).unwrap();
        sums.add_records(&x).unwrap();
        let found = sums.into_moments().unwrap();
        assert_eq!(found.rounding() > 0.0, are);
        let mut expected = Moments::of_records(space.rank());
        expected
            .add_records(&space.coordinates(&x).unwrap())
            .unwrap();
        let unit = largest_eigenvalue(expected.scatter());
        let off = apart(found.scatter(), expected.scatter());
        assert!(
            off <= found.rounding() * unit,
            "{landmarks}: {off:e} of {unit:e}"
        );
    }
}

/// Moments of parts of a stream can be merged, and samples need not be vectors.
#[test]
fn parts_merge_and_samples_are_of_any_type() {
    let words = [
        "ant",
        "antelope",
        "bee",
        "beetle",
        "cat",
        "caterpillar",
        "dog",
        "doge",
    ];
    let items = |from: usize, to: usize| Items::new(words[from..to].to_vec()).unwrap();
    let kernel = Normalized::new(Spectrum::new(2));
    let space = Exact::new(kernel)
        .centered(false)
        .fit_space(&items(0, 8))
        .unwrap()
        .into_parts()
        .0;
    let part = |from: usize, to: usize| -> Moments<Ix2> {
        let mut sums = CoordinateMoments::of_targets(&space, 2).unwrap();
        let targets = Array2::from_shape_fn((to - from, 2), |(i, k)| ((from + i) * (k + 1)) as f64);
        sums.add(&DatasetBase::new(items(from, to), targets))
            .unwrap();
        sums.into_moments().unwrap()
    };
    let mut found = part(0, 3);
    found.merge(&part(3, 8)).unwrap();
    let all = part(0, 8);
    assert!(all.rounding() > 0.0);
    let off = apart(found.scatter(), all.scatter());
    assert!(off <= 1e-12, "{off:e}");
    assert_eq!(found.rounding(), all.rounding());

    let mut plain = Moments::of_records(space.rank());
    plain
        .add_records(&space.coordinates(&items(0, 8)).unwrap())
        .unwrap();
    assert!(apart(all.scatter(), plain.scatter()) <= 1e-12);
}

/// Spaces whose features are the coordinates sum the coordinates, as other sums gain nothing.
#[test]
fn spaces_without_kernel_values() {
    let x = data::normal(60, 3, 1);
    let kpca = Kpca::params(4, Gaussian::new(0.3)).pre_image(FixedPoint::new());
    let kpca = kpca.fit(&DatasetBase::from(x)).unwrap();
    let blocks = [block(data::normal(500, 3, 2), true)];
    let found = of_blocks(kpca.subspace(), &blocks);
    assert_eq!(found, plain(kpca.subspace(), &blocks));
    assert_eq!(found.rounding(), 0.0);
}
