//! What is wrong with the input is said by name and value, in `fit` never by a panic.

use linfa::{Dataset, DatasetBase};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2, array, s};
use npt::Error;
use npt::prelude::*;
use npt_testkit::{data, oracles::centring};

fn fit<K: Kernel<Rows<f64>, Scalar = f64>>(kernel: K, x: &Array2<f64>) -> Result<usize, Error> {
    Exact::new(kernel).fit_space(x).map(|space| space.rank())
}

fn fit_rank(rank: Rank, axes: Axes, x: &Array2<f64>) -> Result<usize, Error> {
    let exact = Exact::new(Linear::new()).rank(rank).axes(axes);
    exact.fit_space(x).map(|space| space.rank())
}

const AXES: [Axes; 2] = [Axes::Principal, Axes::Cholesky];

fn regression() -> Kernelized<LinearRegression, Exact<Gaussian<f64>>> {
    Kernelized::new(LinearRegression::new(), Exact::new(Gaussian::new(0.5)))
}

/// The refused parameter: its owner and name. The value is compared apart, as NaN equals nothing.
#[track_caller]
fn assert_parameter<T: std::fmt::Debug>(
    result: Result<T, Error>,
    owner: &str,
    name: &str,
    refused: f64,
) {
    match result {
        Err(Error::Parameter {
            of,
            parameter,
            value,
            ..
        }) => {
            assert_eq!((of, parameter), (owner, name));
            assert!(value.total_cmp(&refused).is_eq(), "{value}");
        }
        other => panic!("{other:?} instead of the parameter {name} of {owner}"),
    }
}

#[test]
fn no_samples() {
    assert_eq!(
        fit(Linear::new(), &Array2::zeros((0, 3))),
        Err(Error::NoSamples)
    );
    assert_eq!(Items::<String>::new(Vec::new()), Err(Error::NoSamples));
}

#[test]
fn no_features() {
    assert_eq!(
        fit(Linear::new(), &Array2::zeros((4, 0))),
        Err(Error::NoFeatures { samples: 4 })
    );
}

#[test]
fn no_new_samples() {
    let space = Exact::new(Linear::new())
        .fit_space(&data::normal(4, 2, 1))
        .unwrap();
    assert_eq!(
        space.coordinates(&Array2::<f64>::zeros((0, 2))),
        Err(Error::NoSamples)
    );
    assert_eq!(
        space.residuals(&Array2::<f64>::zeros((0, 2))),
        Err(Error::NoSamples)
    );
}

#[test]
fn one_sample() {
    assert_eq!(
        fit(Gaussian::new(1.0), &array![[1.0, 2.0]]),
        Err(Error::NoVariance { samples: 1 })
    );
    assert_eq!(
        fit(Linear::new(), &array![[1e100]]),
        Err(Error::NoVariance { samples: 1 })
    );
}

#[test]
fn equal_samples() {
    for value in [0.0, 1.0, 0.1, -3e10, 1e-200] {
        let x = Array2::from_elem((7, 3), value);
        let expected = Err(Error::NoVariance { samples: 7 });
        for axes in AXES {
            assert_eq!(fit_rank(Rank::default(), axes, &x), expected, "{value}");
        }
        assert_eq!(fit(Gaussian::new(0.3), &x), expected, "{value}");
        assert_eq!(fit(Laplacian::new(0.3), &x), expected, "{value}");
    }
}

/// Uncentred, zero vectors have no extent either.
#[test]
fn zero_samples_uncentred() {
    let result = Exact::new(Linear::new())
        .centered(false)
        .fit_space(&Array2::<f64>::zeros((3, 2)));
    assert_eq!(result.err(), Some(Error::NoVariance { samples: 3 }));
}

#[test]
fn samples_not_finite_at_fit() {
    let mut x = data::normal(5, 3, 1);
    x[[3, 1]] = f64::INFINITY;
    let expected = Error::SampleNotFinite {
        row: 3,
        column: 1,
        value: f64::INFINITY,
    };
    assert_eq!(fit(Linear::new(), &x), Err(expected));
    x[[2, 0]] = f64::NAN;
    assert!(matches!(
        fit(Linear::new(), &x),
        Err(Error::SampleNotFinite { row: 2, column: 0, value }) if value.is_nan()
    ));
}

#[test]
fn samples_not_finite_at_predict() {
    let x = data::normal(5, 2, 1);
    let model = regression()
        .fit(&Dataset::new(x.clone(), x.column(0).to_owned()))
        .unwrap();
    let bad = array![[0.0, 1.0], [f64::NEG_INFINITY, 0.0]];
    let expected = Error::SampleNotFinite {
        row: 1,
        column: 0,
        value: f64::NEG_INFINITY,
    };
    assert_eq!(
        model.try_predict::<_, Array1<f64>>(&bad),
        Err(expected.clone())
    );
    assert_eq!(model.space().residuals(&bad), Err(expected));
    assert!(matches!(
        model.try_predict::<_, Array1<f64>>(&array![[0.0, f64::NAN]]),
        Err(Error::SampleNotFinite { row: 0, column: 1, value }) if value.is_nan()
    ));
}

#[test]
fn targets_of_another_length() {
    for targets in [0, 4, 6] {
        let dataset = DatasetBase::new(data::normal(5, 2, 1), Array1::<f64>::zeros(targets));
        assert!(matches!(
            regression().fit(&dataset).err(),
            Some(KernelizedError::Space(Error::TargetCount { samples: 5, targets: t })) if t == targets
        ));
    }
}

#[test]
fn weights_of_another_length() {
    for weights in [1, 4, 6] {
        let dataset = DatasetBase::new(data::normal(5, 2, 1), Array1::<f64>::zeros(5))
            .with_weights(Array1::ones(weights));
        assert!(matches!(
            regression().fit(&dataset).err(),
            Some(KernelizedError::Space(Error::WeightCount { samples: 5, weights: w })) if w == weights
        ));
    }
}

#[test]
fn gamma_out_of_range() {
    let x = data::normal(4, 2, 1);
    for gamma in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_parameter(fit(Gaussian::new(gamma), &x), "Gaussian", "gamma", gamma);
        assert_parameter(fit(Laplacian::new(gamma), &x), "Laplacian", "gamma", gamma);
        assert_parameter(
            fit(Polynomial::new(2, gamma, 1.0), &x),
            "Polynomial",
            "gamma",
            gamma,
        );
        assert_parameter(fit(Sigmoid::new(gamma, 1.0), &x), "Sigmoid", "gamma", gamma);
        let scaled = Linear::new().scaled(gamma);
        assert_parameter(fit(scaled, &x), "Scaled", "factor", gamma);
        let inside = Linear::new() + Gaussian::new(gamma) * Linear::new();
        assert_parameter(fit(inside, &x), "Gaussian", "gamma", gamma);
    }
}

/// The other conventions of width pass on what they cannot mean.
#[test]
fn width_out_of_range() {
    let x = data::normal(4, 2, 1);
    assert_parameter(
        fit(Gaussian::from_linfa_eps(-2.0), &x),
        "Gaussian",
        "gamma",
        -0.5,
    );
    assert_parameter(
        fit(Gaussian::from_linfa_eps(0.0), &x),
        "Gaussian",
        "gamma",
        f64::INFINITY,
    );
    let flat = Gaussian::from_length_scale(f64::INFINITY);
    assert_parameter(fit(flat, &x), "Gaussian", "gamma", 0.0);
}

#[test]
fn constant_out_of_range() {
    let x = data::normal(4, 2, 1);
    for c in [f64::NAN, f64::INFINITY] {
        assert_parameter(
            fit(Polynomial::new(2, 1.0, c), &x),
            "Polynomial",
            "constant",
            c,
        );
        assert_parameter(fit(Sigmoid::new(1.0, c), &x), "Sigmoid", "constant", c);
    }
}

#[test]
fn degree_zero() {
    let result = fit(Polynomial::new(0, 1.0, 1.0), &data::normal(4, 2, 1));
    assert_parameter(result, "Polynomial", "degree", 0.0);
}

#[test]
fn components_out_of_range() {
    let x = data::low_rank(9, 5, 2, 1);
    for axes in AXES {
        assert_parameter(
            fit_rank(Rank::Components(0), axes, &x),
            "Rank",
            "components",
            0.0,
        );
        // More than samples, and more than dimensions.
        let error = Error::Rank {
            requested: 10,
            available: 9,
        };
        assert_eq!(fit_rank(Rank::Components(10), axes, &x), Err(error));
        for requested in [3, 9] {
            let error = Error::Rank {
                requested,
                available: 2,
            };
            assert_eq!(
                fit_rank(Rank::Components(requested), axes, &x),
                Err(error),
                "{axes:?}"
            );
        }
        assert_eq!(fit_rank(Rank::Components(2), axes, &x), Ok(2));
    }
}

/// Centred, n samples have n − 1 dimensions on every axes.
#[test]
fn components_beyond_the_centred_rank() {
    let x = data::normal(6, 2, 1);
    for axes in AXES {
        let exact = Exact::new(Laplacian::new(1.0))
            .axes(axes)
            .rank(Rank::Components(6));
        let error = Error::Rank {
            requested: 6,
            available: 5,
        };
        assert_eq!(exact.fit_space(&x).err(), Some(error), "{axes:?}");
        assert_eq!(
            exact.centered(false).fit_space(&x).map(|s| s.rank()),
            Ok(6),
            "{axes:?}"
        );
    }
}

#[test]
fn tolerance_out_of_range() {
    let x = data::normal(4, 2, 1);
    for axes in AXES {
        for t in [-1e-12, 1.0, 7.0, f64::NAN, f64::INFINITY] {
            assert_parameter(
                fit_rank(Rank::Tolerance(t), axes, &x),
                "Rank",
                "tolerance",
                t,
            );
        }
    }
}

#[test]
fn variance_out_of_range() {
    let x = data::normal(4, 2, 1);
    for axes in AXES {
        for p in [0.0, -0.5, 1.0 + 1e-12, f64::NAN, f64::INFINITY] {
            assert_parameter(fit_rank(Rank::Variance(p), axes, &x), "Rank", "variance", p);
        }
        assert_eq!(fit_rank(Rank::Variance(1.0), axes, &x), Ok(2));
    }
}

/// A kernel given by its matrix, on the row numbers as samples.
struct Matrix(Array2<f64>);

impl Kernel<Items<usize>> for Matrix {
    type Scalar = f64;

    fn eval(&self, &a: &usize, &b: &usize) -> f64 {
        self.0[[a, b]]
    }
}

fn numbers(n: usize) -> Items<usize> {
    Items::new((0..n).collect()).unwrap()
}

/// Diagonal 0, all else 1: eigenvalues n − 1 and −1; centred, 0 and −1.
#[test]
fn indefinite_with_known_eigenvalues() {
    let n = 5;
    let matrix = || Matrix(Array2::ones((n, n)) - Array2::<f64>::eye(n));
    for axes in AXES {
        for (centered, expected) in [(true, -1.0), (false, -1.0 / (n as f64 - 1.0))] {
            let exact = Exact::new(matrix()).axes(axes).centered(centered);
            match exact.fit_space(&numbers(n)) {
                Err(Error::Indefinite { eigenvalue, ratio }) => {
                    assert!((eigenvalue + 1.0).abs() < 1e-10, "{eigenvalue}");
                    assert!((ratio - expected).abs() < 1e-10, "{ratio}");
                }
                other => panic!("{other:?}"),
            }
        }
        let clip = Exact::new(matrix()).axes(axes).indefinite(Indefinite::Clip);
        // Nothing positive is left of the centred matrix; of the other one, 11ᵀ(n − 1)/n.
        let nothing = clip.clone().fit_space(&numbers(n)).err();
        assert_eq!(nothing, Some(Error::NoVariance { samples: n }));
        let space = clip.centered(false).fit_space(&numbers(n)).unwrap();
        assert_eq!(space.rank(), 1);
        let y = space.training_coordinates();
        let expected = (n as f64 - 1.0) / n as f64;
        assert!(y.dot(&y.t()).iter().all(|v| (v - expected).abs() < 1e-12));
    }
}

/// Two entries above a negative diagonal: eigenvalues 2 and −4, so the ratio is −1.
#[test]
fn indefinite_with_a_negative_diagonal() {
    let exact = Exact::new(Matrix(array![[-1.0, 3.0], [3.0, -1.0]])).centered(false);
    match exact.fit_space(&numbers(2)) {
        Err(Error::Indefinite { eigenvalue, ratio }) => {
            assert!((eigenvalue + 4.0).abs() < 1e-10 && (ratio + 1.0).abs() < 1e-10);
        }
        other => panic!("{other:?}"),
    }
}

/// P is the positive part of M iff P ≥ 0, P − M ≥ 0 and P(P − M) = 0; with P = YYᵀ the first holds.
fn assert_positive_part(y: &Array2<f64>, matrix: &Array2<f64>) {
    let p = y.dot(&y.t());
    let negative = &p - matrix;
    let scale = matrix.iter().fold(0.0_f64, |m, v| m.max(v.abs())) * matrix.nrows() as f64;
    assert!(
        p.dot(&negative)
            .iter()
            .all(|v| v.abs() < 1e-13 * scale * scale)
    );
    let smallest = *npt_testkit::oracles::jacobi::eigenvalues(&negative)
        .last()
        .unwrap();
    assert!(smallest > -1e-13 * scale, "{smallest}");
}

#[test]
fn sigmoid_refused_and_clipped() {
    let x = data::normal(20, 3, 1);
    let kernel = Sigmoid::new(1.0, -1.0);
    let rows = Rows::new(x.clone()).unwrap();
    for centered in [true, false] {
        let matrix = if centered {
            centring::centred_gram(&kernel, &rows)
        } else {
            centring::gram(&kernel, &rows)
        };
        let values = npt_testkit::oracles::jacobi::eigenvalues(&matrix);
        let (largest, smallest) = (values[0], values[19]);
        for axes in AXES {
            let exact = Exact::new(kernel).axes(axes).centered(centered);
            match exact.fit_space(&x) {
                Err(Error::Indefinite { eigenvalue, ratio }) => {
                    assert!((eigenvalue - smallest).abs() < 1e-10);
                    assert!((ratio - smallest / largest.max(-smallest)).abs() < 1e-10);
                }
                other => panic!("{other:?}"),
            }
            let space = exact.indefinite(Indefinite::Clip).fit_space(&x).unwrap();
            let y = space.training_coordinates().to_owned();
            assert_positive_part(&y, &matrix);
            let again = space.coordinates(&x).unwrap();
            assert!((again - y).iter().all(|d| d.abs() < 1e-10));
            assert!(
                space
                    .residuals(&data::normal(6, 3, 2))
                    .unwrap()
                    .iter()
                    .all(|&r| r >= 0.0)
            );
        }
    }
}

/// −‖a − b‖².
struct NegativeSquaredDistance;

impl Kernel<Rows<f64>> for NegativeSquaredDistance {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        -a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
    }
}

/// Positive semidefinite once centred: K = 2XXᵀ, classical multidimensional scaling.
#[test]
fn conditionally_positive_definite_is_scaling() {
    let (x, x_new) = (data::normal(15, 3, 1), data::normal(4, 3, 2));
    for axes in AXES {
        let exact = Exact::new(NegativeSquaredDistance).axes(axes);
        let space = exact.fit_space(&x).unwrap();
        assert_eq!(space.rank(), 3);
        let distance = |a: ndarray::ArrayView1<f64>, b: ndarray::ArrayView1<f64>| {
            (&a - &b).mapv(|v| v * v).sum()
        };
        let (y, y_new) = (
            space.training_coordinates(),
            space.coordinates(&x_new).unwrap(),
        );
        for i in 0..15 {
            for j in 0..15 {
                let (inside, outside) =
                    (distance(y.row(i), y.row(j)), distance(x.row(i), x.row(j)));
                assert!((inside - 2.0 * outside).abs() < 1e-12);
            }
            for j in 0..4 {
                let (inside, outside) = (
                    distance(y.row(i), y_new.row(j)),
                    distance(x.row(i), x_new.row(j)),
                );
                assert!((inside - 2.0 * outside).abs() < 1e-12);
            }
        }
        assert!(space.residuals(&x_new).unwrap().iter().all(|&r| r < 1e-12));

        let uncentred = exact.centered(false).fit_space(&x).err();
        assert!(
            matches!(uncentred, Some(Error::Indefinite { eigenvalue, .. }) if eigenvalue < 0.0)
        );
    }
}

#[test]
fn kernel_not_finite_on_the_diagonal() {
    let mut matrix = Array2::<f64>::eye(4);
    matrix[[2, 2]] = f64::INFINITY;
    let error = Exact::new(Matrix(matrix.clone()))
        .fit_space(&numbers(4))
        .err();
    assert_eq!(
        error,
        Some(Error::KernelNotFinite {
            row: 2,
            column: 2,
            value: f64::INFINITY
        })
    );
    matrix[[2, 2]] = f64::NAN;
    assert!(matches!(
        Exact::new(Matrix(matrix)).fit_space(&numbers(4)).err(),
        Some(Error::KernelNotFinite { row: 2, column: 2, value }) if value.is_nan()
    ));
}

#[test]
fn kernel_not_finite_off_the_diagonal() {
    for n in [4, 300] {
        let mut matrix = Array2::<f64>::eye(n);
        let (i, j) = (n - 3, n - 1);
        matrix[[i, j]] = f64::NAN;
        matrix[[j, i]] = f64::NAN;
        for axes in AXES {
            let error = Exact::new(Matrix(matrix.clone()))
                .axes(axes)
                .fit_space(&numbers(n))
                .err();
            match error {
                Some(Error::KernelNotFinite { row, column, value }) => {
                    assert_eq!((row.min(column), row.max(column)), (i, j), "{axes:?}");
                    assert!(value.is_nan());
                }
                other => panic!("{other:?} at n = {n}, {axes:?}"),
            }
        }
    }
}

#[test]
fn kernel_not_finite_for_new_samples() {
    let mut matrix = Array2::<f64>::eye(6);
    matrix[[5, 1]] = f64::NEG_INFINITY;
    matrix[[1, 5]] = f64::NEG_INFINITY;
    let expected = Error::KernelNotFinite {
        row: 1,
        column: 1,
        value: f64::NEG_INFINITY,
    };
    for axes in AXES {
        let space = Exact::new(Matrix(matrix.clone()))
            .axes(axes)
            .fit_space(&numbers(4))
            .unwrap();
        let new = Items::new(vec![4, 5]).unwrap();
        assert_eq!(space.coordinates(&new), Err(expected.clone()));
        assert_eq!(space.residuals(&new), Err(expected.clone()));
    }
}

#[test]
fn more_columns_at_predict() {
    let x = data::normal(5, 2, 1);
    let model = regression()
        .fit(&Dataset::new(x.clone(), x.column(0).to_owned()))
        .unwrap();
    for found in [1, 3] {
        let wide = data::normal(2, found, 3);
        let expected = Error::ColumnCount { expected: 2, found };
        assert_eq!(
            model.try_predict::<_, Array1<f64>>(&wide),
            Err(expected.clone())
        );
        assert_eq!(model.space().coordinates(&wide), Err(expected));
    }
}

#[test]
#[should_panic(expected = "the new samples have 3 columns, the training samples 2")]
fn more_columns_at_predict_without_a_result() {
    let x = data::normal(5, 2, 1);
    let model = regression()
        .fit(&Dataset::new(x.clone(), x.column(0).to_owned()))
        .unwrap();
    let _: Array1<f64> = model.predict(&data::normal(2, 3, 3));
}

#[test]
fn coefficients_of_another_number() {
    let space = Exact::new(Linear::new())
        .fit_space(&data::normal(5, 2, 1))
        .unwrap();
    let short = Array1::zeros(4);
    let error = Error::CoefficientCount {
        expected: 5,
        found: 4,
    };
    assert_eq!(space.direction(short.view()), Err(error));
    let error = Error::CoefficientCount {
        expected: 2,
        found: 4,
    };
    assert_eq!(
        space.project(&data::normal(3, 2, 1), short.view()),
        Err(error)
    );
}

/// Squares of the linear kernel fit, cubes do not, and the Gaussian does not mind.
#[test]
fn samples_near_the_ends_of_the_range() {
    let normal = data::normal(8, 2, 1);
    for scale in [1e-150, 1e150] {
        let x = &normal * scale;
        assert_eq!(fit(Linear::new(), &x), Ok(2), "{scale}");
    }
    let large = &normal * 1e150;
    assert_eq!(fit(Gaussian::new(1.0), &large), Ok(7));
    assert_eq!(fit(Laplacian::new(1.0), &large), Ok(7));
    assert!(matches!(
        fit(Polynomial::homogeneous(3), &large),
        Err(Error::KernelNotFinite {
            row: 0,
            column: 0,
            value: f64::INFINITY
        })
    ));
    // Here all samples are one point to the kernel.
    let small = &normal * 1e-150;
    assert_eq!(
        fit(Polynomial::new(3, 1.0, 1.0), &small),
        Err(Error::NoVariance { samples: 8 })
    );
    assert_eq!(
        fit(Polynomial::homogeneous(3), &small),
        Err(Error::NoVariance { samples: 8 })
    );
    assert_eq!(
        fit(Gaussian::new(1.0), &small),
        Err(Error::NoVariance { samples: 8 })
    );
}

/// A trace that overflows although every entry is finite.
#[test]
fn trace_out_of_range() {
    let x = Array2::from_shape_fn((9, 1), |(i, _)| (i % 2) as f64 * 2.4e154 - 1.2e154);
    for axes in AXES {
        let error = fit_rank(Rank::default(), axes, &x).err();
        assert_eq!(error, Some(Error::TraceOverflow { samples: 9 }));
    }
}

/// The kernel matrix against differences of the stored numbers themselves.
fn assert_differences_survive(x: &Array2<f64>) {
    let rows = Rows::new(x.clone()).unwrap();
    let (gaussian, laplacian) = (Gaussian::new(0.5), Laplacian::new(0.5));
    let (g, l) = (gaussian.gram(&rows), laplacian.gram(&rows));
    let half = Rows::new(x.slice(s![..;2, ..]).to_owned()).unwrap();
    let cross = gaussian.cross(&half, &rows);
    for (i, a) in x.outer_iter().enumerate() {
        for (j, b) in x.outer_iter().enumerate() {
            let difference = &a - &b;
            let squared = difference.mapv(|v| v * v).sum();
            let city_block = difference.mapv(f64::abs).sum();
            assert!(
                (g[[i, j]] - (-0.5 * squared).exp()).abs() < 1e-12,
                "({i}, {j})"
            );
            assert!(
                (l[[i, j]] - (-0.5 * city_block).exp()).abs() < 1e-12,
                "({i}, {j})"
            );
            if i % 2 == 0 {
                assert!((cross[[i / 2, j]] - g[[i, j]]).abs() < 1e-12, "({i}, {j})");
            }
        }
    }
    let space = Exact::new(gaussian).fit_space(x).unwrap();
    let y = space.training_coordinates();
    let centred = centring::centred_gram(&gaussian, &rows);
    assert!((y.dot(&y.t()) - centred).iter().all(|v| v.abs() < 1e-11));
}

#[test]
fn samples_far_from_the_origin() {
    assert_differences_survive(&(data::normal(40, 3, 1) + 1e8));
}

#[test]
fn two_clusters_far_apart() {
    let mut x = data::normal(40, 3, 1);
    x.slice_mut(s![..20, ..]).mapv_inplace(|v| v + 1e8);
    x.slice_mut(s![20.., ..]).mapv_inplace(|v| v - 1e8);
    assert_differences_survive(&x);
}

#[test]
fn samples_far_from_the_origin_in_f32() {
    let x = data::normal(40, 3, 1).mapv(|v| v as f32 + 1e4);
    let rows = Rows::new(x.clone()).unwrap();
    let (g, l) = (
        Gaussian::new(0.5_f32).gram(&rows),
        Laplacian::new(0.5_f32).gram(&rows),
    );
    for (i, a) in x.outer_iter().enumerate() {
        for (j, b) in x.outer_iter().enumerate() {
            let difference = &a.mapv(f64::from) - &b.mapv(f64::from);
            let squared = difference.mapv(|v| v * v).sum();
            let city_block = difference.mapv(f64::abs).sum();
            // Some 20 roundings of f32.
            assert!(
                (f64::from(g[[i, j]]) - (-0.5 * squared).exp()).abs() < 2e-6,
                "({i}, {j})"
            );
            assert!(
                (f64::from(l[[i, j]]) - (-0.5 * city_block).exp()).abs() < 2e-6,
                "({i}, {j})"
            );
        }
    }
}
