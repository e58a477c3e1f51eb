use super::AXES;
use ndarray::{Array2, array};
use npt::{Error, prelude::*};
use npt_testkit::{data, oracles::centering};

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

/// A matrix with diagonal 0 and 1 elsewhere has eigenvalues n − 1 and −1; centred, 0 and −1.
#[test]
fn indefinite_with_known_eigenvalues() {
    let n = 5;
    let matrix = || Matrix(Array2::ones((n, n)) - Array2::<f64>::eye(n));
    for axes in AXES {
        for (centered, expected) in [(true, -1.0), (false, -1.0 / (n as f64 - 1.0))] {
            let exact = Exact::new(matrix()).axes(axes).centered(centered);
            match exact.fit_space(&numbers(n)).map(|space| space.rank()) {
                Err(Error::Indefinite { eigenvalue, ratio }) => {
                    assert!((eigenvalue + 1.0).abs() < 1e-10, "{eigenvalue}");
                    assert!((ratio - expected).abs() < 1e-10, "{ratio}");
                }
                other => panic!("{other:?}"),
            }
        }
        let clip = Exact::new(matrix()).axes(axes).indefinite(Indefinite::Clip);
        // The positive part of the centred matrix is 0; that of the uncentred one is 11ᵀ(n − 1)/n.
        let nothing = clip.clone().fit_space(&numbers(n)).err();
        assert_eq!(nothing, Some(Error::NoVariance { samples: n }));
        let space = clip.centered(false).fit_space(&numbers(n)).unwrap();
        assert_eq!(space.rank(), 1);
        let y = space.training_coordinates();
        let expected = (n as f64 - 1.0) / n as f64;
        assert!(y.dot(&y.t()).iter().all(|v| (v - expected).abs() < 1e-12));
    }
}

/// A matrix with two entries above a negative diagonal has eigenvalues 2 and −4, so the ratio is −1.
#[test]
fn indefinite_with_a_negative_diagonal() {
    let exact = Exact::new(Matrix(array![[-1.0, 3.0], [3.0, -1.0]])).centered(false);
    match exact.fit_space(&numbers(2)).map(|space| space.rank()) {
        Err(Error::Indefinite { eigenvalue, ratio }) => {
            assert!((eigenvalue + 4.0).abs() < 1e-10 && (ratio + 1.0).abs() < 1e-10);
        }
        other => panic!("{other:?}"),
    }
}

/// Checks that P = YYᵀ is the positive part of M, that is P ≥ 0, P − M ≥ 0 and P(P − M) = 0; YYᵀ ≥ 0 always holds.
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
            centering::centered_gram(&kernel, &rows)
        } else {
            centering::gram(&kernel, &rows)
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

/// The kernel −‖a − b‖².
struct NegativeSquaredDistance;

impl Kernel<Rows<f64>> for NegativeSquaredDistance {
    type Scalar = f64;

    fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
        -a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
    }
}

/// The kernel is positive semidefinite once centred: K = 2XXᵀ, classical multidimensional scaling.
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

        let uncentered = exact.centered(false).fit_space(&x).err();
        assert!(
            matches!(uncentered, Some(Error::Indefinite { eigenvalue, .. }) if eigenvalue < 0.0)
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
