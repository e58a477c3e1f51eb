//! Moments of coordinates: of kernel values where these suffice, the same as of the coordinates themselves.

use super::spaces;
use linfa::{Dataset, DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, ArrayView2, Axis, Ix1, Ix2, array, s};
use npt::{
    Error as Core, Given, linalg,
    methods::{
        Error,
        linear::{Lda, Pca, Ridge, Scatter},
        pre_image::FixedPoint,
        streaming::{ClassMoments, CoordinateMoments, FitMoments, Moments},
    },
    model_file::{from_bytes, to_bytes},
    prelude::*,
};
use npt_testkit::data;

fn largest_eigenvalue(scatter: ArrayView2<'_, f64>) -> f64 {
    linalg::eigh(&scatter.to_owned()).unwrap().0[0]
}

/// Entries of two matrices are apart by this, at the most.
fn apart(found: ArrayView2<'_, f64>, expected: ArrayView2<'_, f64>) -> f64 {
    assert_eq!(found.dim(), expected.dim());
    (&found - &expected).fold(0.0, |most: f64, d| most.max(d.abs()))
}

/// Rows with a waving target, and weights if they are to have some: zeros among them.
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

/// Of the coordinates as they are.
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

/// Of every space, with weights and without; blocks are longer than what is summed at once, and empty ones among them. What is apart
/// is what the moments say of themselves, or rounding of sums.
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
            // What is linear in the coefficients knows the root of their condition.
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

/// Whether kernel values are summed depends on the condition of the landmarks' kernel matrix, on its scale not at all, unless
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

/// In single precision the condition has to be a small one.
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

/// Of classes; the discriminants are those of all coordinates at once.
#[test]
fn of_classes() {
    let x = data::normal(600, 3, 1);
    let side = |row: ndarray::ArrayView1<'_, f64>| {
        usize::from(row[0] > 0.0) + 3 * usize::from(row[1] > 1.0)
    };
    let labels = x.map_axis(Axis(1), side);
    let builder = Nystrom::new(Gaussian::new(0.3), Pivoting::random(20));
    let space = builder.fit_space(&x).unwrap().into_parts().0;
    let y = space.coordinates(&x).unwrap();
    let weights = Array1::from_shape_fn(600, |i| (i % 3) as f32);
    for weights in [Array1::zeros(0), weights] {
        let mut sums = CoordinateMoments::with_class_scatters(&space).unwrap();
        for rows in [0..250, 250..250, 250..600] {
            let part = DatasetBase::new(
                x.slice(s![rows.clone(), ..]).to_owned(),
                labels.slice(s![rows.clone()]).to_owned(),
            );
            let weights = weights.iter().skip(rows.start).take(rows.len()).copied();
            sums.add(&part.with_weights(weights.collect())).unwrap();
        }
        let found = sums.into_moments().unwrap();
        let mut expected: ClassMoments<usize> = ClassMoments::with_class_scatters(space.rank());
        let all = DatasetBase::new(y.clone(), labels.clone()).with_weights(weights);
        expected.add(&all).unwrap();
        assert!(found.rounding() > 0.0);
        assert_eq!((found.count(), found.weight()), (600, expected.weight()));
        let unit = largest_eigenvalue(expected.within_scatter());
        let off = apart(found.within_scatter(), expected.within_scatter());
        assert!(off <= found.rounding() * unit, "{off:e} of {unit:e}");
        let linear = (found.rounding() * f64::EPSILON).sqrt();
        let linear = linear.max(600.0 * f64::EPSILON);
        for class in expected.classes() {
            assert_eq!(found.class_count(class), expected.class_count(class));
            let (mean, other) = (found.class_mean(class), expected.class_mean(class));
            let off = &mean.unwrap() - &other.unwrap();
            assert!(off.iter().all(|d| d.abs() <= linear));
            let [a, b] = [&found, &expected].map(|m| m.class_scatter(class).unwrap());
            assert!(apart(a, b) <= found.rounding() * unit);
        }
        let kinds = [Scatter::Between, Scatter::Total];
        for (scatter, balanced) in kinds.into_iter().flat_map(|s| [(s, false), (s, true)]) {
            let params = Lda::params().ridge(0.1).scatter(scatter);
            let params = params.balanced(balanced);
            let found: Lda<f64, usize> = params.fit_moments(&found).unwrap();
            let expected: Lda<f64, usize> = params.fit(&all).unwrap();
            let off = &found.eigenvalues() / &expected.eigenvalues() - 1.0;
            assert!(off.iter().all(|d: &f64| d.abs() < 1e-9), "{off}");
        }
    }
}

/// Each class is two samples on both sides of 0, between which the even ones of the axes do not tell: the scatters along these are
/// rounding, and sum to that of all no better than they are known. They can be kept.
#[test]
fn scatters_within_classes_are_kept() {
    let x = array![[-2.5], [-1.5], [-0.5], [0.5], [1.5], [2.5]];
    let builder = Nystrom::new(Gaussian::new(0.5), Given(Rows::new(x.clone()).unwrap()));
    let builder = builder.centered(false);
    let space = builder.fit_space(&x).unwrap().into_parts().0;
    let (near, far) = ([-0.7, 0.7], [-1.6, 1.6]);
    let rows = (0..200).map(|i| [near, far][i % 2][i / 2 % 2]);
    let rows = rows.collect::<Array1<f64>>().insert_axis(Axis(1));
    let block = Dataset::new(rows, (0..200).map(|i| i % 2).collect::<Array1<usize>>());
    let mut sums = CoordinateMoments::with_class_scatters(&space).unwrap();
    sums.add(&block).unwrap();
    let moments = sums.into_moments().unwrap();
    assert!(moments.rounding() > 0.0);
    let within = moments.within_scatter().diag().to_owned();
    assert!(within.iter().any(|v| v.abs() < 1e-14 * within.sum()));
    let kept: ClassMoments<usize> = from_bytes(&to_bytes(&moments).unwrap()).unwrap();
    assert_eq!(kept, moments);
}

/// Landmarks are well apart, but the stream has four different rows. Three axes are there, and what is beyond is rounding, though more of it
/// than of coordinates.
#[test]
fn a_stream_of_few_different_rows() {
    let x = data::normal(300, 3, 1);
    let builder = Nystrom::new(Gaussian::new(1.0), Pivoting::random(40));
    let builder = builder.axes(Axes::Cholesky).centered(false);
    let space = builder.fit_space(&x).unwrap().into_parts().0;
    let few = data::normal(4, 3, 7);
    let rows = few.select(
        Axis(0),
        &(0..2000).map(|i| (i * i / 7) % 4).collect::<Vec<_>>(),
    );
    let blocks = [block(rows, false)];
    let moments = of_blocks(&space, &blocks);
    assert!(moments.rounding() > 0.0);

    let components = Pca::params(4).fit_moments(&moments);
    let found: Result<Pca<f64>, Error> = components;
    let (requested, available) = (4, 3);
    let error = Error::Components {
        requested,
        available,
    };
    assert_eq!(found.unwrap_err(), error);
    let _: Pca<f64> = Pca::params(3).fit_moments(&moments).unwrap();

    let of_penalty = |penalty: f64| -> Result<Ridge<f64>, Error> {
        Ridge::params().penalty(penalty).fit_moments(&moments)
    };
    let trace = moments.scatter().diag().sum();
    assert!(matches!(
        of_penalty(0.0),
        Err(Error::Singular { least, .. }) if least >= moments.rounding() * trace
    ));
    let expected: Ridge<f64> = Ridge::params()
        .penalty(0.1)
        .fit_moments(&plain(&space, &blocks))
        .unwrap();
    let off = &of_penalty(0.1).unwrap().weights() - &expected.weights();
    assert!(off.iter().all(|d| d.abs() < 1e-8), "{off}");

    let few: DatasetBase<Array2<f64>, Array1<f64>> = moments.condensed().unwrap();
    // Three axes and the target, which follows from them; one row more than dimensions.
    assert!(few.records.nrows() <= 5, "{}", few.records.nrows());
}

/// Parts of a stream, merged; samples that are no vectors.
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

/// Samples may extend as far as they like where a space has no axis: nothing of that may be in the sums.
#[test]
fn axes_that_are_left_out() {
    let two = Exact::new(Gaussian::new(0.5)).fit_space(&array![[-1.0], [1.0]]);
    let two = two.unwrap().into_parts().0;
    assert_eq!(two.rank(), 1);
    // Nearly in the middle of both, or far away from both.
    let rows = Array2::from_shape_fn((1000, 1), |(i, _)| if i % 2 == 0 { 1e-6 } else { 100.0 });
    let blocks = [block(rows, false)];
    let found = of_blocks(&two, &blocks);
    assert_eq!(found, plain(&two, &blocks));
    assert_eq!(found.rounding(), 0.0);

    let x = data::normal(300, 3, 1);
    let landmarks = Nystrom::new(Gaussian::new(1.0), Pivoting::random(40)).centered(false);
    let blocks = [block(data::normal(500, 3, 2), true)];
    for (rank, whole) in [(39, false), (40, true)] {
        let builder = landmarks.clone().rank(Rank::Components(rank));
        let space = builder.fit_space(&x).unwrap().into_parts().0;
        let found = of_blocks(&space, &blocks);
        assert_eq!(found.rounding() > 0.0, whole);
        assert_eq!(found == plain(&space, &blocks), !whole);
    }
}

/// Where features are the coordinates, nothing is gained by other sums.
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

/// Of no rows, and of rows that weigh nothing, means are 0; of one row the scatter is.
#[test]
fn nothing_and_one_row() {
    let x = data::normal(100, 3, 1);
    let builder = Nystrom::new(Gaussian::new(1.0), Pivoting::random(10));
    let space = builder.fit_space(&x).unwrap().into_parts().0;
    let nothing = of_blocks(&space, &[]);
    assert_eq!(nothing, plain(&space, &[]));
    let weightless = block(data::normal(5, 3, 2), false).with_weights(Array1::zeros(5));
    let weightless = [weightless];
    let found = of_blocks(&space, &weightless);
    assert_eq!(found, plain(&space, &weightless));
    assert_eq!((found.count(), found.weight()), (5, 0.0));

    let mut classes = CoordinateMoments::of_classes(&space).unwrap();
    let labels = Array1::from_elem(5, true);
    let records = data::normal(5, 3, 2);
    let of_classes = DatasetBase::new(records, labels).with_weights(Array1::zeros(5));
    classes.add(&of_classes).unwrap();
    let classes = classes.into_moments().unwrap();
    assert_eq!((classes.count(), classes.rounding()), (5, 0.0));

    let one = of_blocks(&space, &[block(data::normal(1, 3, 2), false)]);
    assert!(one.rounding() > 0.0);
    assert_eq!(one.scatter(), Array2::<f64>::zeros((10, 10)));
    // What is of few rows only is no less known together with others.
    let mut both = one.clone();
    both.merge(&nothing).unwrap();
    assert_eq!(both, one);
}

/// Numbers that leave the range are an error of the sums, whichever are taken.
#[test]
fn sums_that_are_no_numbers() {
    let space = Exact::new(Linear::new()).centered(false);
    let tiny = space.fit_space(&array![[1e-9]]).unwrap().into_parts().0;
    let rows = array![[1e155], [-1e155]];
    let mut sums = CoordinateMoments::of_records(&tiny).unwrap();
    sums.add_records(&rows).unwrap();
    let of = "Moments";
    assert_eq!(sums.into_moments(), Err(Error::Overflow { of }));
    let mut classes = CoordinateMoments::of_classes(&tiny).unwrap();
    let labels = array![true, true];
    classes.add(&DatasetBase::new(rows, labels)).unwrap();
    let of = "ClassMoments";
    assert_eq!(classes.into_moments(), Err(Error::Overflow { of }));

    // A condition that is no number: the coordinates are summed.
    let long = space
        .axes(Axes::Cholesky)
        .fit_space(&array![[1.0, 0.0], [0.0, 1e-155]]);
    let long = long.unwrap().into_parts().0;
    let mut sums = CoordinateMoments::of_records(&long).unwrap();
    sums.add_records(&array![[1.0, 1.0], [2.0, 0.0]]).unwrap();
    assert_eq!(sums.into_moments().unwrap().rounding(), 0.0);
}

/// A kernel value that is no number is found in kernel values that are summed, too, in the row of the stream.
#[test]
fn a_kernel_that_is_no_number_somewhere() {
    struct Broken;
    impl Kernel<Rows<f64>> for Broken {
        type Scalar = f64;
        fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
            if a[0].max(b[0]) > 100.0 {
                f64::NAN
            } else {
                (-(a[0] - b[0]).powi(2)).exp()
            }
        }
    }
    let space = Exact::new(Broken)
        .centered(false)
        .fit_space(&array![[0.0], [1.0], [2.5]])
        .unwrap();
    let good = array![[0.5], [1.5]];
    let sums_of_good = || {
        let mut sums = CoordinateMoments::of_records(&space).unwrap();
        sums.add_records(&good).unwrap();
        sums
    };
    let mut sums = sums_of_good();
    let found = sums.add_records(&array![[0.5], [1.5], [200.0]]);
    assert!(matches!(
        found,
        Err(Error::Core(Core::KernelNotFinite { row: 4, .. }))
    ));
    let (found, before) = (
        sums.into_moments().unwrap(),
        sums_of_good().into_moments().unwrap(),
    );
    assert!(before.rounding() > 0.0);
    assert_eq!(found, before);
}
