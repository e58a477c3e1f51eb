use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, array};
use npt::{
    KernelizedError,
    methods::{
        Error, IterativeKernelRidge,
        linear::{IterativeRidge, IterativeRidgeParams},
    },
    prelude::*,
};
use npt_testkit::data;

fn sums(n: usize) -> DatasetBase<Array2<f64>, Array1<f64>> {
    let x = data::normal(n, 2, 1);
    let sums = x.map_axis(ndarray::Axis(1), |row| row.sum());
    DatasetBase::new(x, sums)
}

#[test]
fn parameters() {
    let params = IterativeRidge::params;
    let found = |params: IterativeRidgeParams| match params.fit(&sums(10)) {
        Err(Error::Parameter {
            of,
            parameter,
            value,
            ..
        }) => (of, parameter, value.to_bits()),
        other => panic!("{other:?}"),
    };
    let expected = |parameter, value: f64| ("IterativeRidge", parameter, value.to_bits());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(found(params().penalty(bad)), expected("penalty", bad));
        assert_eq!(found(params().tolerance(bad)), expected("tolerance", bad));
    }
    assert_eq!(found(params().iterations(0)), expected("iterations", 0.0));
}

/// What was left after as many iterations as were allowed.
#[test]
fn too_few_iterations() {
    let params = IterativeKernelRidge::params(Gaussian::new(1.0));
    let params = params.method(|m| m.penalty(1e-6).pivots(0).iterations(3));
    match params.fit(&sums(300)) {
        Err(KernelizedError::Method(Error::NotConverged { value, .. })) => {
            assert!(value > 1e-6 && value < 10.0, "{value}");
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}

#[test]
fn targets() {
    let x = data::normal(3, 2, 1);
    let found =
        IterativeRidge::params().fit(&DatasetBase::new(x.clone(), array![1.0, f64::NAN, 2.0]));
    assert!(matches!(
        found,
        Err(Error::TargetNotFinite {
            row: 1,
            column: 0,
            ..
        })
    ));
    let none = DatasetBase::new(x.clone(), Array2::<f64>::zeros((3, 0)));
    assert_eq!(
        IterativeRidge::params().fit(&none).err(),
        Some(Error::NoTargets)
    );
    let few = DatasetBase::new(x, array![1.0]);
    let (samples, targets) = (3, 1);
    let error = npt::Error::TargetCount { samples, targets };
    assert_eq!(
        IterativeRidge::params().fit(&few).err(),
        Some(Error::Core(error))
    );
}

/// Has no value for the samples 1 and 599.
struct Holes;

impl Kernel<Rows<f64>> for Holes {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        if a[0] * b[0] == 599.0 {
            f64::NAN
        } else {
            (-(a[0] - b[0]).abs()).exp()
        }
    }

    fn is_positive_semidefinite(&self) -> bool {
        true
    }
}

/// In whatever tile it is.
#[test]
fn values_that_are_no_numbers() {
    let x = Array2::from_shape_fn((600, 1), |(i, _)| i as f64);
    let data = DatasetBase::new(x, Array1::from_shape_fn(600, |i| (i as f64).sin()));
    for pivots in [0, 600] {
        let params = IterativeKernelRidge::params(Holes).method(|m| m.pivots(pivots));
        match params.fit(&data) {
            Err(KernelizedError::Method(Error::Core(npt::Error::KernelNotFinite {
                row,
                column,
                value,
            }))) => {
                assert!(row * column == 599 && value.is_nan(), "{row}, {column}");
            }
            other => panic!("{:?}", other.map(|_| ())),
        }
    }
}
