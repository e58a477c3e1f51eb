//! Tests of canonical correlation on plain matrices and with kernels, and of its errors.

use approx::assert_abs_diff_eq;
use linfa::{
    Dataset,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, Axis, array, concatenate, s};
use npt_core::{Error as CoreError, Gaussian, Items, Linear, Spectrum};
use npt_methods::{
    Error, KernelCca, View,
    linear::{Cca, CcaView},
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

fn first() -> Array2<f64> {
    Array2::from_shape_fn((12, 4), |(i, j)| {
        let trend = if j == 0 { 0.1 * i as f64 } else { 0.0 };
        (1.3 * (i + 1) as f64 * (j + 1) as f64).sin() + trend
    })
}

fn second() -> Array2<f64> {
    let x = first();
    Array2::from_shape_fn((12, 3), |(i, k)| match k {
        0 => x[[i, 0]] - 2.0 * x[[i, 2]] + 0.3 * (i as f64).cos(),
        1 => x[[i, 1]].powi(2) + 0.5 * x[[i, 3]] + 4.0,
        _ => (3.0 * i as f64).cos(),
    })
}

fn scores<T>(view: &CcaView<f64>, x: Array2<f64>) -> T
where
    CcaView<f64>: Transformer<Array2<f64>, T>,
{
    view.transform(x)
}

/// R 4.2.2, `cancor(X, Y)$cor`, and scikit-learn 1.9.1's `CCA(2, scale=False)` give the
/// correlations without a ridge. For a ridge of 0.2, scipy's `eigh` of the generalised eigenproblem gives them, with
/// vectors scaled to the definition.
#[test]
fn r_and_scipy_have_the_same_values() {
    let views = Dataset::new(first(), second());
    let cca = Cca::params(3).fit(&views).unwrap();
    let expected = array![
        0.999_433_725_321_433_9,
        0.890_363_053_687_825_8,
        0.286_804_447_529_823_8
    ];
    assert_abs_diff_eq!(cca.correlations().to_owned(), expected, epsilon = 1e-12);

    let cca = Cca::params(2).ridge(0.2).fit(&views).unwrap();
    let expected = array![0.671_884_010_122_673_7, 0.324_745_224_545_371_2];
    assert_abs_diff_eq!(cca.correlations().to_owned(), expected, epsilon = 1e-12);
    let both = concatenate![Axis(1), cca.first().axes(), cca.second().axes()];
    let expected = array![
        [
            0.490_978_762_662_891,
            0.082_108_070_362_442_2,
            -0.866_354_984_369_642_6,
            -0.164_317_201_665_570_4,
            0.527_397_369_728_507,
            -0.076_431_528_514_799_6,
            0.032_716_367_335_067_4
        ],
        [
            0.455_162_592_478_47,
            -0.099_569_883_573_193,
            0.419_413_962_411_767_9,
            -0.790_805_414_847_207,
            -0.133_228_494_720_380_7,
            -1.031_808_734_930_267_8,
            -0.096_665_379_549_495_3
        ]
    ];
    for (found, expected) in both.outer_iter().zip(expected.outer_iter()) {
        let sign = found.dot(&expected).signum();
        assert_abs_diff_eq!(found.to_owned(), &expected * sign, epsilon = 1e-12);
    }
}

/// Scores without a ridge have variance 1, are uncorrelated within a view, and correlate between
/// the views as reported, at any scale.
#[test]
fn scores_are_canonical() {
    for (x_scale, y_scale) in [(1.0, 1.0), (1e-160, 1e160), (1e160, 1e-160)] {
        let (x, y) = (first() * x_scale, second() * y_scale);
        let cca = Cca::params(3).fit(&Dataset::new(x.clone(), y.clone()));
        let cca = cca.unwrap();
        let (a, b): (Array2<f64>, Array2<f64>) = (scores(cca.first(), x), scores(cca.second(), y));
        assert_abs_diff_eq!(a.t().dot(&a) / 12.0, Array2::eye(3), epsilon = 1e-12);
        assert_abs_diff_eq!(b.t().dot(&b) / 12.0, Array2::eye(3), epsilon = 1e-12);
        let between = a.t().dot(&b) / 12.0;
        let expected = Array2::from_diag(&cca.correlations());
        assert_abs_diff_eq!(between, expected, epsilon = 1e-12);
        for column in a.columns() {
            let (low, high) = column.fold((0.0_f64, 0.0_f64), |(l, h), &v| (l.min(v), h.max(v)));
            assert!(high >= -low);
        }
    }
}

/// The data are nearly singular: features a and a + 10⁻⁶b carry both signals.
#[test]
fn nearly_collinear_features() {
    let x = first();
    let mut collinear = x.clone();
    for i in 0..12 {
        collinear[[i, 1]] = x[[i, 0]] + 1e-6 * x[[i, 1]];
    }
    let whole = Cca::params(3).fit(&Dataset::new(x, second())).unwrap();
    let cca = Cca::params(3).fit(&Dataset::new(collinear.clone(), second()));
    let cca = cca.unwrap();
    let (found, expected) = (cca.correlations(), whole.correlations());
    assert_abs_diff_eq!(found.to_owned(), expected.to_owned(), epsilon = 1e-8);
    let a: Array2<f64> = scores(cca.first(), collinear);
    assert_abs_diff_eq!(a.t().dot(&a) / 12.0, Array2::eye(3), epsilon = 1e-8);
}

/// Scores are white where variances go from 1 down to below rounding level, in random axes.
#[test]
fn spectra_down_to_rounding() {
    let mut rng = Xoshiro256Plus::seed_from_u64(5);
    let mut random =
        |rows, columns| Array2::from_shape_simple_fn((rows, columns), || rng.gen_range(-1.0..1.0));
    let scales = Array2::from_diag(&Array1::from_shape_fn(30, |i| (-(i as f64)).exp2()));
    let x = random(100, 30).dot(&scales).dot(&random(30, 30));
    let y = random(100, 2);
    let cca = Cca::params(2).fit(&Dataset::new(x.clone(), y)).unwrap();
    let a: Array2<f64> = scores(cca.first(), x.clone());
    // The scores of small directions are long coefficients times rows: rounding grows by 2³⁰ at most.
    assert_abs_diff_eq!(a.t().dot(&a) / 100.0, Array2::eye(2), epsilon = 1e-6);
    // In single precision fewer directions are kept, and these are white as well.
    let single = Dataset::new(x.mapv(|v| v as f32), a.mapv(|v| v as f32));
    let cca = Cca::params(2).fit(&single).unwrap();
    let b: Array2<f32> = cca.first().transform(single.records.clone());
    let covariance = b.t().dot(&b).mapv(|v| f64::from(v) / 100.0);
    assert_abs_diff_eq!(covariance, Array2::eye(2), epsilon = 1e-2);
}

/// A feature too small for whitening still has its direction under a ridge, (C_xx + κI)a = C_xy b/λ.
#[test]
fn a_ridge_keeps_small_features() {
    let mut x = first();
    x.column_mut(3).mapv_inplace(|v| 1e-9 * v);
    let cca = Cca::params(1)
        .ridge(0.2)
        .fit(&Dataset::new(x.clone(), second()));
    let cca = cca.unwrap();
    let centered = |x: Array2<f64>| &x - &x.mean_axis(Axis(0)).unwrap();
    let (x, y) = (centered(x), centered(second()));
    let row = |view: &CcaView<f64>| view.axes().row(0).to_owned();
    let (a, b) = (row(cca.first()), row(cca.second()));
    let penalty = 0.2 * x.mapv(|v| v * v).sum() / 12.0;
    let right = x.t().dot(&y.dot(&b)) / 12.0 / cca.correlations()[0];
    let left = x.t().dot(&x.dot(&a)) / 12.0 + &a * penalty;
    let ratio = left / right;
    assert_abs_diff_eq!(ratio, Array1::ones(4), epsilon = 1e-6);
}

/// Only the rank counts: copies of features, constant features and more features than samples change nothing.
#[test]
fn rank_is_what_counts() {
    let (x, y) = (first(), second());
    let constant = Array2::from_elem((12, 1), 0.1);
    let more = concatenate![Axis(1), x, x, x, x, constant];
    assert!(more.ncols() > more.nrows());
    for ridge in [0.0, 0.2] {
        let fit = |x: &Array2<f64>| {
            let params = Cca::params(3).ridge(ridge);
            params.fit(&Dataset::new(x.clone(), y.clone())).unwrap()
        };
        let (narrow, wide) = (fit(&x), fit(&more));
        assert_abs_diff_eq!(
            narrow.correlations().to_owned(),
            wide.correlations().to_owned(),
            epsilon = 1e-12
        );
        let a: Array2<f64> = scores(narrow.first(), x.clone());
        let b: Array2<f64> = scores(wide.first(), more.clone());
        assert_abs_diff_eq!(a, b, epsilon = 1e-11);
    }
}

#[test]
fn single_precision() {
    let views = Dataset::new(first(), second());
    let single = Dataset::new(first().mapv(|v| v as f32), second().mapv(|v| v as f32));
    for ridge in [0.0, 0.2] {
        let double = Cca::params(3).ridge(ridge).fit(&views).unwrap();
        let single = Cca::params(3).ridge(ridge).fit(&single).unwrap();
        let found = single.correlations().mapv(f64::from);
        assert_abs_diff_eq!(found, double.correlations().to_owned(), epsilon = 1e-5);
    }
}

/// Views of full rank fit anything, as a correlation of 1 shows. A ridge tells noise from signal.
#[test]
fn without_a_ridge_full_rank_correlates_with_anything() {
    let unrelated = Array2::from_shape_fn((12, 1), |(i, _)| ((7 * i * i) % 11) as f64);
    let fit = |ridge| {
        let kernel = Gaussian::new(2.0);
        let params = KernelCca::params(1, kernel, Linear::new()).ridge(ridge);
        params.fit(&first(), &unrelated).unwrap().correlations()[0]
    };
    assert_abs_diff_eq!(fit(0.0), 1.0, epsilon = 1e-10);
    assert!(fit(0.1) < 0.8, "{}", fit(0.1));
    // No fit can tell duplicated samples apart that have different partners.
    let twice = concatenate![Axis(0), first(), first()];
    let others = Array2::from_shape_fn((12, 1), |(i, _)| ((5 * i + 3) % 12) as f64);
    let partners = concatenate![Axis(0), unrelated, others];
    let params = KernelCca::params(1, Gaussian::new(2.0), Linear::new()).ridge(0.0);
    let found = params.fit(&twice, &partners).unwrap().correlations()[0];
    assert!(found < 0.95 && found > 0.1, "{found}");
}

/// Linear kernels give the linear method, in both views.
#[test]
fn linear_kernels_are_the_linear_method() {
    let linear = Cca::params(2)
        .ridge(0.05)
        .fit(&Dataset::new(first(), second()));
    let (linear, kernels) = (
        linear.unwrap(),
        KernelCca::params(2, Linear::new(), Linear::new()),
    );
    let model = kernels.ridge(0.05).fit(&first(), &second()).unwrap();
    assert_abs_diff_eq!(
        model.correlations().to_owned(),
        linear.correlations().to_owned(),
        epsilon = 1e-13
    );
    let (x, y) = (first() * 0.7 + 0.1, second() * 0.7 + 0.1);
    let found: Array2<f64> = model.first().transform(x.clone());
    assert_abs_diff_eq!(
        found,
        scores::<Array2<f64>>(linear.first(), x),
        epsilon = 1e-12
    );
    let found: Array2<f64> = model.second().transform(y.clone());
    let expanded = model.second().expansion().evaluate(&y).unwrap();
    assert_abs_diff_eq!(found, expanded, epsilon = 1e-12);
    assert_abs_diff_eq!(
        found,
        scores::<Array2<f64>>(linear.second(), y),
        epsilon = 1e-12
    );
}

#[test]
fn bad_parameters() {
    let views = Dataset::new(first(), second());
    let refused = |parameter, value, allowed| Error::Parameter {
        of: "Cca",
        parameter,
        value,
        allowed,
    };
    let none = refused("components", 0.0, "at least 1");
    assert_eq!(Cca::params(0).fit(&views).err(), Some(none.clone()));
    let params = KernelCca::params(0, Linear::new(), Linear::new());
    assert_eq!(params.fit(&first(), &second()).err(), Some(none));
    for ridge in [-1.0, f64::INFINITY] {
        let error = Cca::params(1).ridge(ridge).fit(&views).err();
        assert_eq!(
            error,
            Some(refused("ridge", ridge, "finite and at least 0"))
        );
    }
    let error = Cca::params(1).ridge(f64::NAN).fit(&views).err();
    assert!(matches!(error, Some(Error::Parameter { value, .. }) if value.is_nan()));
}

#[test]
fn more_components_than_there_are() {
    let components = |x: Array2<f64>, y: Array2<f64>, requested| match Cca::params(requested)
        .fit(&Dataset::new(x, y))
        .err()
    {
        Some(Error::Components {
            requested,
            available,
        }) => (requested, available),
        other => panic!("{other:?}"),
    };
    assert_eq!(components(first(), second(), 4), (4, 3));
    // Uncorrelated views have no directions.
    let (x, y) = (
        array![[1.0], [1.0], [-1.0], [-1.0]],
        array![[1.0], [-1.0], [1.0], [-1.0]],
    );
    assert_eq!(components(x, y, 1), (1, 0));
    // Neither have constant views, nor single samples.
    assert_eq!(components(first(), Array2::ones((12, 2)), 1), (1, 0));
    assert_eq!(components(Array2::ones((12, 2)), second(), 1), (1, 0));
    let tenth = Array2::from_elem((12, 2), 0.1);
    assert_eq!(components(tenth.clone(), second(), 1), (1, 0));
    assert_eq!(components(first(), tenth, 1), (1, 0));
    assert_eq!(components(array![[1.0, 2.0]], array![[3.0]], 1), (1, 0));
}

#[test]
fn bad_views() {
    let count = CoreError::TargetCount {
        samples: 12,
        targets: 2,
    };
    let short = second().slice_move(s![..2, ..]);
    let error = Cca::params(1)
        .fit(&Dataset::new(first(), short.clone()))
        .err();
    assert_eq!(error, Some(Error::Core(count.clone())));
    let params = KernelCca::params(1, Linear::new(), Linear::new());
    assert_eq!(params.fit(&first(), &short).err(), Some(Error::Core(count)));

    let mut infinite = second();
    infinite[[3, 1]] = f64::NEG_INFINITY;
    let error = Cca::params(1)
        .fit(&Dataset::new(first(), infinite.clone()))
        .err();
    let (row, column, value) = (3, 1, f64::NEG_INFINITY);
    let expected = Error::Core(npt_core::Error::TargetNotFinite { row, column, value });
    assert_eq!(error, Some(expected));
    let of = |view, error| Some(Error::View { view, error });
    let expected = CoreError::SampleNotFinite { row, column, value };
    let error = params.fit(&first(), &infinite).err();
    assert_eq!(error, of(View::Second, expected));

    let (one, other) = (array![[1.0]], array![[2.0]]);
    let alone = CoreError::NoVariance { samples: 1 };
    assert_eq!(params.fit(&one, &other).err(), of(View::First, alone));
    let equal = CoreError::NoVariance { samples: 12 };
    let error = params.fit(&first(), &Array2::ones((12, 1))).err();
    assert_eq!(error, of(View::Second, equal));
    assert_eq!(
        error_message(),
        "in the second view: there is no variance among the 2 samples under this kernel"
    );
}

fn error_message() -> String {
    let words = Items::new(vec!["aa", "aa"]).unwrap();
    let params = KernelCca::params(1, Linear::new(), Spectrum::new(1));
    let result = params.fit(&array![[1.0], [2.0]], &words);
    result.map(|_| ()).unwrap_err().to_string()
}

/// Views are refused if directions or differences leave the range of numbers.
#[test]
fn views_out_of_range() {
    let out = Some(Error::Overflow { of: "Cca" });
    for scale in [1e-312, f64::MAX / 3.0] {
        let views = Dataset::new(first() * scale, second());
        assert_eq!(Cca::params(1).fit(&views).err(), out, "{scale:e}");
        let views = Dataset::new(second(), first() * scale);
        assert_eq!(Cca::params(1).fit(&views).err(), out, "{scale:e}");
    }
    let none = Dataset::new(first(), Array2::zeros((12, 0)));
    assert_eq!(Cca::params(1).fit(&none).err(), Some(Error::NoTargets));
}

/// A single column of targets is a view like any other.
#[test]
fn one_target() {
    let y: Array1<f64> = second().column(0).to_owned();
    let cca = Cca::params(1)
        .fit(&Dataset::new(first(), y.clone()))
        .unwrap();
    let wide = Cca::params(1).fit(&Dataset::new(first(), y.insert_axis(Axis(1))));
    assert_eq!(cca, wide.unwrap());
}
