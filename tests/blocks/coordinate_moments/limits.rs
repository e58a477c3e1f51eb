//! Tests moments of few rows, axes that are left out, and numbers that leave the range.

use super::{block, of_blocks, plain};
use linfa::DatasetBase;
use ndarray::{Array1, Array2, Axis, array};
use npt::{
    Error as Core,
    methods::{
        Error,
        linear::{Pca, Ridge},
        streaming::{CoordinateMoments, FitMoments},
    },
    prelude::*,
};
use npt_testkit::data;

/// A stream of four different rows has three axes, though the landmarks are well apart. Along all other axes there is rounding, more of it
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
    // There are three axes and the target, which follows from them; one row more than dimensions.
    assert!(few.records.nrows() <= 5, "{}", few.records.nrows());
}

/// Sums contain nothing of the samples along the axes that a space leaves out, however far samples extend there.
#[test]
fn axes_that_are_left_out() {
    let two = Exact::new(Gaussian::new(0.5)).fit_space(&array![[-1.0], [1.0]]);
    let two = two.unwrap().into_parts().0;
    assert_eq!(two.rank(), 1);
    // The rows are nearly in the middle of both samples, or far away from both.
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

/// The means of no rows, and of rows with weight 0, are 0; the scatter of one row is 0.
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
    // Moments of few rows are known as well after they are merged with others.
    let mut both = one.clone();
    both.merge(&nothing).unwrap();
    assert_eq!(both, one);
}

/// Numbers that leave the range are an error, whichever sums are taken.
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

    // The condition overflows: so coordinates are summed.
    let long = space
        .axes(Axes::Cholesky)
        .fit_space(&array![[1.0, 0.0], [0.0, 1e-155]]);
    let long = long.unwrap().into_parts().0;
    let mut sums = CoordinateMoments::of_records(&long).unwrap();
    sums.add_records(&array![[1.0, 1.0], [2.0, 0.0]]).unwrap();
    assert_eq!(sums.into_moments().unwrap().rounding(), 0.0);
}

/// A kernel value that is no number is found where kernel values are summed, too, and named by its row in the stream.
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
