use ndarray::{Array2, array};
use npt::Error;
use npt::prelude::*;
use npt_testkit::data;

type AnyKernel = Box<dyn Kernel<Rows<f64>, Scalar = f64>>;

fn fit(kernel: impl Kernel<Rows<f64>, Scalar = f64>, x: &Array2<f64>) -> Option<Error> {
    Exact::new(kernel).fit_space(x).err()
}

/// Checks that a bad sample is refused at fit, and as a new sample with the same error; a space is fitted without it.
#[track_caller]
fn assert_refused<K>(kernel: &K, good: &Array2<f64>, bad: &[f64], expected: &Error)
where
    K: Kernel<Rows<f64>, Scalar = f64>,
{
    let row = match expected {
        Error::SampleOutsideDomain { row, .. } | Error::KernelNotFinite { row, .. } => *row,
        other => panic!("{other:?} names no sample"),
    };
    let mut x = good.clone();
    x.row_mut(row).assign(&array![bad[0], bad[1], bad[2]]);
    assert_eq!(fit(kernel, &x).as_ref(), Some(expected), "at fit");
    for axes in [Axes::Principal, Axes::Cholesky] {
        let space = Exact::new(kernel).axes(axes).fit_space(good).unwrap();
        assert_eq!(space.coordinates(&x).as_ref(), Err(expected), "new sample");
        assert_eq!(space.residuals(&x).as_ref(), Err(expected), "new sample");
    }
}

#[track_caller]
fn assert_parameter(kernel: AnyKernel, owner: &str, name: &str, refused: f64) {
    let x = data::normal(5, 2, 1).mapv(f64::abs);
    super::assert_parameter(super::fit(kernel, &x), owner, name, refused);
}

#[test]
fn parameters_above_zero() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let of = |kernel, owner, name| assert_parameter(kernel, owner, name, bad);
        of(Box::new(Exponential::new(bad)), "Exponential", "gamma");
        of(Box::new(Matern::half(bad)), "Matern", "length_scale");
        of(
            Box::new(Matern::three_halves(bad)),
            "Matern",
            "length_scale",
        );
        of(Box::new(Matern::five_halves(bad)), "Matern", "length_scale");
        let owner = "RationalQuadratic";
        of(
            Box::new(RationalQuadratic::new(bad, 1.0)),
            owner,
            "length_scale",
        );
        of(Box::new(RationalQuadratic::new(1.0, bad)), owner, "alpha");
        of(
            Box::new(Periodic::new(bad, 1.0)),
            "Periodic",
            "length_scale",
        );
        of(Box::new(Periodic::new(1.0, bad)), "Periodic", "period");
        of(Box::new(ChiSquared::new(bad)), "ChiSquared", "gamma");
        of(Box::new(Anova::new(bad, 2)), "Anova", "gamma");
        let scales = LengthScales::new(Linear::new(), vec![1.0, bad]);
        of(Box::new(scales), "LengthScales", "length_scales");
    }
    assert_parameter(Box::new(Anova::new(1.0, 0)), "Anova", "degree", 0.0);
}

/// A wrapper passes on the errors of the kernel inside.
#[test]
fn parameters_inside_wrappers() {
    let x = data::normal(5, 2, 1);
    let bad = || Matern::half(-1.0);
    let wrapped: [AnyKernel; 6] = [
        Box::new(Normalized::new(bad())),
        Box::new(LengthScales::new(bad(), vec![1.0, 2.0])),
        Box::new(Columns::new(bad(), 1..2)),
        Box::new(Linear::new() + bad()),
        Box::new(bad() * Linear::new()),
        Box::new(bad().scaled(2.0)),
    ];
    for kernel in wrapped {
        assert_parameter(kernel, "Matern", "length_scale", -1.0);
    }
    let error = Centered::fit(bad(), &x).err();
    assert!(matches!(error, Some(Error::Parameter { of: "Matern", .. })));
    let pairs = Items::new(vec![(1.0, 2.0), (2.0, 3.0)]).unwrap();
    let product = Tensor::new(number().scaled(-1.0), number());
    let error = Exact::new(product).fit_space(&pairs).err();
    assert!(matches!(error, Some(Error::Parameter { of: "Scaled", .. })));
}

/// The product of two numbers.
fn number() -> FnKernel<impl Fn(&f64, &f64) -> f64 + Send + Sync + Copy> {
    FnKernel::new(|a: &f64, b: &f64| a * b)
}

#[test]
fn negative_features() {
    fn check(kernel: &AnyKernel, name: &'static str) {
        let good = data::normal(6, 3, 1).mapv(f64::abs);
        let expected = Error::SampleOutsideDomain {
            row: 4,
            column: Some(2),
            kernel: name,
            needs: "features of at least 0",
        };
        assert_refused(kernel, &good, &[1.0, 0.0, -1e-300], &expected);
        // Minus zero is zero.
        let mut x = good;
        x[[0, 0]] = -0.0;
        assert_eq!(fit(kernel, &x), None, "{name}");
    }
    check(&(Box::new(ChiSquared::new(1.0)) as AnyKernel), "ChiSquared");
    check(
        &(Box::new(AdditiveChiSquared::new()) as AnyKernel),
        "AdditiveChiSquared",
    );
    check(
        &(Box::new(HistogramIntersection::new()) as AnyKernel),
        "HistogramIntersection",
    );
    check(&(Box::new(MinMax::new()) as AnyKernel), "MinMax");
    check(&(Box::new(Spline::new()) as AnyKernel), "Spline");
    // The domain of a part is that of the whole.
    check(
        &(Box::new(Linear::new() + MinMax::new()) as AnyKernel),
        "MinMax",
    );
}

/// Features of 0 in all samples, and samples of 0 in all features, are histograms.
#[test]
fn empty_bins_and_empty_histograms() {
    let x = array![
        [0.0, 1.0, 2.0],
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
        [0.0, 3.0, 0.0]
    ];
    let kernels: [AnyKernel; 5] = [
        Box::new(ChiSquared::new(1.0)),
        Box::new(AdditiveChiSquared::new()),
        Box::new(HistogramIntersection::new()),
        Box::new(MinMax::new()),
        Box::new(Tanimoto::new()),
    ];
    for kernel in kernels {
        assert_eq!(
            Exact::new(kernel).fit_space(&x).map(|space| space.rank()),
            Ok(2)
        );
    }
}

#[test]
fn samples_without_a_direction() {
    let good = data::normal(6, 3, 1);
    let expected = Error::SampleOutsideDomain {
        row: 2,
        column: None,
        kernel: "Cosine",
        needs: "a vector that is not zero",
    };
    assert_refused(&Cosine::new(), &good, &[0.0, -0.0, 0.0], &expected);
    assert_eq!(
        expected.to_string(),
        "sample 2 is outside the domain of Cosine, which needs a vector that is not zero"
    );
    let expected = Error::SampleOutsideDomain {
        row: 2,
        column: None,
        kernel: "Normalized",
        needs: "a kernel value of the sample with itself above 0",
    };
    let normalized = Normalized::new(Linear::new());
    assert_refused(&normalized, &good, &[0.0, 0.0, 0.0], &expected);
    // The square of 1e-200 is below the smallest number.
    assert_refused(&normalized, &good, &[1e-200, 0.0, 0.0], &expected);
}

/// A sample whose square is infinite is named, with that value.
#[test]
fn normalized_overflow() {
    let expected = Error::KernelNotFinite {
        row: 3,
        column: 3,
        value: f64::INFINITY,
    };
    let good = data::normal(6, 3, 1);
    assert_refused(
        &Normalized::new(Linear::new()),
        &good,
        &[1e200, 0.0, 0.0],
        &expected,
    );
}

#[test]
fn samples_with_a_direction_at_the_ends_of_the_range() {
    for scale in [1e-300, 1e-150, 1e150, 1e300] {
        let x = data::normal(8, 3, 1) * scale;
        let rank = Exact::new(Cosine::new())
            .fit_space(&x)
            .map(|space| space.rank());
        assert_eq!(rank, Ok(3), "{scale}");
    }
}

#[test]
fn another_number_of_length_scales() {
    for expected in [0, 1, 3] {
        let kernel = LengthScales::new(Gaussian::new(1.0), vec![1.0; expected]);
        let error = Error::FeatureCount {
            kernel: "LengthScales",
            expected,
            found: 2,
        };
        assert_eq!(fit(kernel, &data::normal(5, 2, 1)), Some(error));
    }
}

/// A quotient that overflows is an error that names the sample and the column.
#[test]
fn length_scales_too_short() {
    let kernel = LengthScales::new(Gaussian::new(1.0), vec![1.0, 1e-300]);
    let x = array![[1.0, 1.0], [2.0, -1e10], [0.0, 0.0]];
    let error = Error::SampleNotFinite {
        row: 1,
        column: 1,
        value: f64::NEG_INFINITY,
    };
    assert_eq!(fit(kernel, &x), Some(error));
}

#[test]
#[allow(clippy::reversed_empty_ranges)]
fn columns_that_are_not_there() {
    for range in [0..4, 3..4, 5..9, 1..1, 2..1, 3..3, 0..usize::MAX] {
        let error = Error::ColumnRange {
            start: range.start,
            end: range.end,
            columns: 3,
        };
        let kernel = Columns::new(Gaussian::new(1.0), range);
        assert_eq!(fit(kernel, &data::normal(5, 3, 1)), Some(error));
    }
}

#[test]
fn centered_at_samples_that_have_no_mean() {
    let kernel =
        FnKernel::new(|a: &[f64], b: &[f64]| if a[0] * b[0] == 6.0 { f64::NAN } else { 1.0 });
    let error = Centered::fit(kernel, &array![[1.0], [2.0], [3.0]]).err();
    match error {
        Some(Error::KernelNotFinite { row, column, value }) => {
            assert_eq!((row, column), (1, 2));
            assert!(value.is_nan());
        }
        other => panic!("{other:?}"),
    }
    let none = Centered::fit(Linear::new(), &Array2::<f64>::zeros((0, 2)));
    assert_eq!(none.err(), Some(Error::NoSamples));
}

/// Samples of another width than the samples of the mean are refused.
#[test]
fn centered_at_other_samples() {
    let kernel = Centered::fit(Linear::new(), &data::normal(5, 2, 1)).unwrap();
    let error = Error::ColumnCount {
        expected: 2,
        found: 3,
    };
    assert_eq!(fit(kernel, &data::normal(5, 3, 1)), Some(error));
}

/// A closure that is no kernel is found out, unless it is assumed to be one.
#[test]
fn closure_that_is_not_positive_semidefinite() {
    let distance = |a: &[f64], b: &[f64]| (a[0] - b[0]).abs();
    let error = fit(FnKernel::new(distance), &data::normal(6, 1, 1));
    assert!(matches!(error, Some(Error::Indefinite { ratio, .. }) if ratio < -0.1));
}

#[test]
fn ranges_of_gower() {
    let x = array![[1.0, 2.0], [4.0, 2.0], [2.0, 5.0]];
    let kernel = Gower::of_samples(&x, &[1]).unwrap();
    assert_eq!(kernel.ranges(), [3.0, 0.0]);
    let constant = Gower::of_samples(&array![[1.0, 7.0], [4.0, 7.0]], &[]).unwrap();
    assert_eq!(constant.ranges(), [3.0, 0.0]);
    let (start, end, columns) = (2, 3, 2);
    let expected = Error::ColumnRange {
        start,
        end,
        columns,
    };
    assert_eq!(Gower::of_samples(&x, &[2]), Err(expected));
    let expected = Error::FeatureCount {
        kernel: "Gower",
        expected: 3,
        found: 2,
    };
    let fit = |ranges: &[f64]| {
        Exact::new(Gower::new(ranges.to_vec()))
            .fit_space(&x)
            .map(|_| ())
    };
    assert_eq!(fit(&[1.0, 1.0, 1.0]), Err(expected));
    for value in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = fit(&[1.0, value]).unwrap_err();
        assert!(
            matches!(
                &refused,
                Error::Parameter {
                    of: "Gower",
                    parameter: "ranges",
                    ..
                }
            ),
            "{refused}"
        );
    }
    let wide = array![[f64::MAX, 0.0], [f64::MIN, 1.0]];
    let refused = Gower::of_samples(&wide, &[]).unwrap_err();
    assert!(
        matches!(&refused, Error::Parameter { of: "Gower", .. }),
        "{refused}"
    );
    // The column is a category here: it has no range.
    assert!(Gower::of_samples(&wide, &[0]).is_ok());
    let missing = array![[1.0, f64::NAN], [2.0, 3.0]];
    let refused = Gower::of_samples(&missing, &[]).unwrap_err();
    assert!(matches!(
        refused,
        Error::SampleNotFinite {
            row: 0,
            column: 1,
            ..
        }
    ));
}
