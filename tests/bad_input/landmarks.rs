use ndarray::{Array2, array, s};
use npt::prelude::*;
use npt::{Error, Given, LandmarkSelection, Selected, methods::Centroids};
use npt_testkit::data;

fn by_leverage(landmarks: usize) -> Pivoting {
    Pivoting::by_leverage(landmarks, 0.1)
}

const RULES: [fn(usize) -> Pivoting; 4] = [
    Pivoting::random,
    Pivoting::greedy,
    Pivoting::uniform,
    by_leverage,
];

fn fit<L: LandmarkSelection<Rows<f64>>>(landmarks: L, x: &Array2<f64>) -> Result<usize, Error> {
    let builder = Nystrom::new(Gaussian::new(0.5), landmarks);
    builder.fit_space(x).map(|space| space.rank())
}

#[test]
fn parameters() {
    let x = data::normal(10, 2, 1);
    for rule in RULES {
        super::assert_parameter(fit(rule(0), &x), "Pivoting", "landmarks", 0.0);
        for bad in [-0.1, 1.0, f64::NAN, f64::INFINITY] {
            let found = fit(rule(5).tolerance(bad), &x);
            super::assert_parameter(found, "Pivoting", "tolerance", bad);
        }
    }
}

#[test]
fn centroids() {
    let x = data::normal(10, 2, 1);
    super::assert_parameter(fit(Centroids::new(0), &x), "Centroids", "landmarks", 0.0);
    let (requested, available) = (11, 10);
    let expected = Error::Landmarks {
        requested,
        available,
    };
    assert_eq!(fit(Centroids::new(11), &x), Err(expected));
    // Copies count as one sample, also where only the sign of a 0 differs.
    let mut copies = data::duplicates(3, 4, 2, 1);
    copies.slice_mut(s![..;3, 0]).fill(0.0);
    copies[[3, 0]] = -0.0;
    let available = 3;
    for requested in [4, 8, 12] {
        let expected = Error::Landmarks {
            requested,
            available,
        };
        assert_eq!(fit(Centroids::new(requested), &copies), Err(expected));
    }
    // There are as many centroids as different samples, from whichever copies k-means begins.
    for seed in 0..50 {
        let builder = Nystrom::new(Gaussian::new(0.5), Centroids::new(3).seed(seed));
        let space = builder.centered(false).fit_space(&copies).unwrap();
        assert!(space.rank() == 3 && space.training_residuals().sum() < 1e-12);
        let many = data::duplicates(20, 9, 3, seed);
        let builder = Nystrom::new(Gaussian::new(0.5), Centroids::new(15).seed(seed));
        let space = builder.centered(false).fit_space(&many).unwrap();
        assert_eq!(space.rank(), 15, "{seed}");
    }
}

#[test]
fn penalties() {
    let x = data::normal(10, 2, 1);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = fit(Pivoting::by_leverage(5, bad), &x);
        super::assert_parameter(found, "Pivoting", "penalty", bad);
    }
    // The squares overflow in a sum of n of them, not alone.
    let builder = Nystrom::new(Linear::new(), Pivoting::by_leverage(1, 1.0));
    let far = array![[1e154], [1.0]];
    assert_eq!(builder.fit_space(&far).unwrap().rank(), 1);
    // One penalty is so small that rounding hides it, the other is larger than the trace.
    for good in [1e-300, 1e300] {
        assert_eq!(fit(Pivoting::by_leverage(5, good), &x), Ok(5));
    }
}

/// A rule without a tolerance chooses as many landmarks as it was asked for, or returns an error with how many there could be.
#[test]
fn fewer_samples_than_landmarks() {
    for rule in RULES {
        for (x, available) in [
            (data::normal(10, 2, 1), 10),
            (data::duplicates(7, 5, 2, 1), 7),
            (data::normal(1, 3, 1), 1),
        ] {
            let requested = 20;
            let expected = Error::Landmarks {
                requested,
                available,
            };
            assert_eq!(fit(rule(requested), &x), Err(expected));
            let builder = Nystrom::new(Gaussian::new(0.5), rule(requested).tolerance(0.0));
            let found = builder.centered(false).fit_space(&x).unwrap();
            assert_eq!(found.rank(), available);
        }
    }
    let x = data::duplicates(1, 6, 3, 1);
    let found = fit(Pivoting::random(1), &x);
    assert_eq!(found, Err(Error::NoVariance { samples: 6 }));
}

struct Rowless;

impl<S: npt::Samples> LandmarkSelection<S> for Rowless {
    fn select<K: Kernel<S>>(&self, _: &K, _: &S) -> Result<Selected<S, K::Scalar>, Error> {
        Ok(Selected::rows(Vec::new()))
    }
}

struct Row(usize);

impl<S: npt::Samples> LandmarkSelection<S> for Row {
    fn select<K: Kernel<S>>(&self, _: &K, _: &S) -> Result<Selected<S, K::Scalar>, Error> {
        Ok(Selected::rows(vec![0, self.0]))
    }
}

#[test]
fn landmarks_that_are_none() {
    let x = data::normal(10, 2, 1);
    let origin = Given(Rows::new(array![[0.0, 0.0]]).unwrap());
    let found = Nystrom::new(Linear::new(), origin).fit_space(&x).err();
    assert_eq!(found, Some(Error::NoVariance { samples: 10 }));
    let none = Nystrom::new(Linear::new(), Rowless).fit_space(&x).err();
    let (requested, available) = (0, 0);
    assert_eq!(
        none,
        Some(Error::Landmarks {
            requested,
            available
        })
    );
    super::assert_parameter(fit(Row(10), &x), "Selected", "row", 10.0);
    let other = Given(Rows::new(data::normal(3, 5, 1)).unwrap());
    let (expected, found) = (5, 2);
    assert_eq!(fit(other, &x), Err(Error::ColumnCount { expected, found }));
}

/// An indefinite kernel is refused where its negative eigenvalue shows: at a landmark, or at a sample that
/// landmarks explain more than fully.
#[test]
fn indefinite_kernels() {
    let x = data::normal(60, 3, 1);
    let kernel = Sigmoid::new(2.0, 0.5);
    let given = Given(Rows::new(data::normal(20, 3, 2)).unwrap());
    for error in [
        Nystrom::new(kernel, Pivoting::random(40))
            .fit_space(&x)
            .err(),
        Nystrom::new(kernel, Pivoting::greedy(40))
            .fit_space(&x)
            .err(),
        Nystrom::new(kernel, Pivoting::uniform(40))
            .fit_space(&x)
            .err(),
        Nystrom::new(kernel, given).fit_space(&x).err(),
    ] {
        let Some(Error::Indefinite { eigenvalue, ratio }) = error else {
            panic!("{error:?}");
        };
        assert!(eigenvalue < 0.0 && (-1.0..0.0).contains(&ratio));
    }
    let negative = FnKernel::new(|a: &[f64], b: &[f64]| -a[0] * b[0]);
    let found = Nystrom::new(negative, Pivoting::random(1)).fit_space(&array![[2.0], [1.0]]);
    let expected = Error::Indefinite {
        eigenvalue: -4.0,
        ratio: -1.0,
    };
    assert_eq!(found.err(), Some(expected));
}

/// A kernel value that is no number names its samples, whichever columns are evaluated.
#[test]
fn values_that_are_no_numbers() {
    let x = Array2::from_shape_fn((50, 1), |(i, _)| i as f64);
    let kernel = FnKernel::new(|a: &[f64], b: &[f64]| {
        if a[0] + b[0] == 80.0 && a[0] != b[0] {
            f64::NAN
        } else {
            (-(a[0] - b[0]).powi(2)).exp()
        }
    });
    for rule in RULES {
        match Nystrom::new(&kernel, rule(45)).fit_space(&x).err() {
            Some(Error::KernelNotFinite { row, column, value }) => {
                assert!(row + column == 80 && value.is_nan(), "{row}, {column}");
            }
            other => panic!("{other:?}"),
        }
    }
}
