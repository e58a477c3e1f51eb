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

/// Too few iterations are an error with the residual that is left.
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
        Err(Error::Core(npt::Error::TargetNotFinite {
            row: 1,
            column: 0,
            ..
        }))
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

/// A kernel whose value for the samples 1 and 599 is NaN.
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

/// A kernel value that is no number is found in whatever tile it is.
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

fn block(rows: usize, features: usize) -> DatasetBase<Array2<f64>, Array1<f64>> {
    let x = data::normal(rows, features, 3);
    DatasetBase::new(x, Array1::linspace(0.0, 1.0, rows))
}

/// Fits to blocks, of which `pass` gives those of the k-th pass, in the space of 20 samples of two features.
fn of_passes(
    mut pass: impl FnMut(usize) -> Vec<DatasetBase<Array2<f64>, Array1<f64>>>,
) -> Result<IterativeRidge<f64>, Error> {
    let landmarks = Nystrom::new(Gaussian::new(0.5), Pivoting::random(5));
    let space = landmarks.fit_space(&data::normal(20, 2, 1)).unwrap();
    let mut passes = 0;
    IterativeRidge::params().fit_blocks(&space, || {
        passes += 1;
        Ok::<_, Error>(pass(passes).into_iter().map(Ok))
    })
}

/// Errors in a block count rows from the first of all blocks.
#[test]
fn a_bad_block() {
    let with = |change: &dyn Fn(&mut DatasetBase<Array2<f64>, Array1<f64>>)| {
        let mut bad = block(10, 2);
        change(&mut bad);
        of_passes(|_| vec![block(10, 2), block(0, 2), bad.clone()]).unwrap_err()
    };
    match with(&|bad| bad.records[[4, 1]] = f64::NAN) {
        Error::Core(npt::Error::SampleNotFinite { row, column, value }) => {
            assert!((row, column) == (14, 1) && value.is_nan());
        }
        other => panic!("{other}"),
    }
    let (row, column, value) = (19, 0, f64::INFINITY);
    let expected = Error::Core(npt::Error::TargetNotFinite { row, column, value });
    assert_eq!(with(&|bad| bad.targets[9] = f64::INFINITY), expected);
    let (expected, found) = (2, 3);
    let of_block = |error: npt::Error| Error::Block {
        row: 10,
        error: Box::new(error.into()),
    };
    let expected = of_block(npt::Error::ColumnCount { expected, found });
    assert_eq!(with(&|bad| *bad = block(10, 3)), expected);
    let (samples, targets) = (10, 9);
    let expected = of_block(npt::Error::TargetCount { samples, targets });
    let uneven = |bad: &mut DatasetBase<_, _>| bad.targets = Array1::zeros(9);
    assert_eq!(with(&uneven), expected);
    let weighted = |bad: &mut DatasetBase<_, _>| {
        let mut weights = Array1::ones(10);
        weights[4] = -1.0;
        *bad = block(10, 2).with_weights(weights);
    };
    let (row, value) = (14, -1.0);
    assert_eq!(
        with(&weighted),
        Error::Core(npt::Error::Weight { row, value })
    );
}

/// A block is an error if the kernel refuses a sample, or has a value that is no number.
#[test]
fn a_block_that_the_kernel_refuses() {
    let params = IterativeRidge::params();
    let fit = |bad: f64, kernel: &dyn Fn() -> Box<dyn Kernel<Rows<f64>, Scalar = f64>>| {
        let mut blocks = [block(10, 2), block(10, 2)];
        for block in &mut blocks {
            block.records.mapv_inplace(f64::abs);
        }
        let space = Exact::new(kernel()).fit_space(&blocks[0].records).unwrap();
        blocks[1].records[[3, 1]] = bad;
        let pass = || Ok::<_, Error>(blocks.iter().cloned().map(Ok));
        params.fit_blocks(&space, pass).unwrap_err()
    };
    match fit(-1.0, &|| Box::new(AdditiveChiSquared::new())) {
        Error::Core(npt::Error::SampleOutsideDomain { row, column, .. }) => {
            assert_eq!((row, column), (13, Some(1)));
        }
        other => panic!("{other}"),
    }
    match fit(1e200, &|| Box::new(Polynomial::new(3, 1.0, 1.0))) {
        Error::Core(npt::Error::KernelNotFinite { row, .. }) => assert_eq!(row, 13),
        other => panic!("{other}"),
    }
}

/// Sums that leave the range are an overflow, not a failure to converge.
#[test]
fn targets_near_the_end_of_the_range() {
    let mut large = block(1000, 2);
    large.targets.fill(1e308);
    large.targets[0] = -1e308;
    let error = of_passes(|_| vec![large.clone()]).unwrap_err();
    let of = "IterativeRidge";
    assert_eq!(error, Error::Overflow { of });
}

#[test]
fn passes_that_differ() {
    let shorter = of_passes(|pass| vec![block(if pass == 1 { 10 } else { 7 }, 2)]);
    let (first, later) = (10, 7);
    assert_eq!(shorter, Err(Error::OtherPass { first, later }));
    let once = of_passes(|pass| {
        if pass == 1 {
            vec![block(10, 2)]
        } else {
            vec![]
        }
    });
    let (first, later) = (10, 0);
    assert_eq!(once, Err(Error::OtherPass { first, later }));
    let none = Error::Core(npt::Error::NoSamples);
    assert_eq!(of_passes(|_| vec![]), Err(none.clone()));
    assert_eq!(of_passes(|_| vec![block(0, 2)]), Err(none));
}

/// An error of the source comes back as it is.
#[test]
fn a_source_that_fails() {
    let space = Exact::new(Gaussian::new(0.5));
    let space = space.fit_space(&data::normal(20, 2, 1)).unwrap();
    let broken = || Box::<dyn std::error::Error>::from("the disk is gone");
    let params = IterativeRidge::params();
    let error = params.fit_blocks(&space, || Ok([Ok(block(10, 2)), Err(broken())]));
    assert_eq!(error.unwrap_err().to_string(), "the disk is gone");
    let mut first = Some([Ok(block(10, 2))]);
    let error = params.fit_blocks(&space, || first.take().ok_or_else(broken));
    assert_eq!(error.unwrap_err().to_string(), "the disk is gone");
}
