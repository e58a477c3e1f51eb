use linfa::DatasetBase;
use ndarray::{Array1, Array2, array, s};
use npt::{Error, KernelRows, Precomputed, prelude::*};
use npt_testkit::{data::normal, laws};

fn gram(x: &Array2<f64>) -> Array2<f64> {
    Gaussian::new(0.3).gram(&Rows::new(x.clone()).unwrap())
}

/// The laws hold where a selection of the reference samples is fitted, and the others are new.
#[test]
fn laws_hold() {
    let all = KernelRows::training(gram(&normal(32, 3, 1)).view()).unwrap();
    let [x, x_new]: [Vec<usize>; 2] = [(0..25).collect(), (25..32).rev().collect()];
    laws::check_all(&Precomputed::new(), &all.select(&x), &all.select(&x_new));
}

#[test]
fn in_single_precision_too() {
    let single = gram(&normal(32, 3, 1)).mapv(|v| v as f32);
    let all = KernelRows::training(single.view()).unwrap();
    let [x, x_new]: [Vec<usize>; 2] = [(0..25).collect(), (25..32).collect()];
    laws::check_all(&Precomputed::new(), &all.select(&x), &all.select(&x_new));
}

#[test]
fn is_what_the_kernel_itself_gives() {
    let (x, new) = (normal(30, 3, 1), normal(9, 3, 2));
    let kernel = Gaussian::new(0.3);
    let rows = [&x, &new].map(|x| Rows::new(x.clone()).unwrap());
    let cross = kernel.cross(&rows[1], &rows[0]);

    let training = KernelRows::training(gram(&x).view()).unwrap();
    let new_rows = KernelRows::new_samples(cross.view()).unwrap();
    let direct = Exact::new(kernel).fit_space(&x).unwrap();
    let looked_up = Exact::new(Precomputed::new()).fit_space(&training).unwrap();
    let close = |a: Array2<f64>, b: Array2<f64>| (a - b).iter().all(|d| d.abs() < 1e-9);
    assert!(close(
        looked_up.coordinates(&new_rows).unwrap(),
        direct.coordinates(&new).unwrap()
    ));
    let new_rows = new_rows.with_self_values(Array1::ones(9).view()).unwrap();
    let residuals = looked_up.residuals(&new_rows).unwrap();
    let expected = direct.residuals(&new).unwrap();
    assert!((residuals - expected).iter().all(|d| d.abs() < 1e-9));

    // A method gives the same by the matrix, which is n×n to fit and m×n to predict.
    let labels = x.column(0).mapv(|v| v > 0.0);
    let by_samples = KernelSvc::params(kernel).fit(&DatasetBase::new(x, labels.clone()));
    let data = DatasetBase::new(training, labels);
    let by_matrix = KernelSvc::params(Precomputed::new()).fit(&data).unwrap();
    let expected: Array1<bool> = by_samples.unwrap().predict(&new);
    assert_eq!(by_matrix.predict(&new_rows), expected);
}

#[test]
fn matrices_that_are_none_of_a_kernel_are_refused() {
    let matrix = gram(&normal(6, 2, 1));
    let error = KernelRows::training(matrix.slice(s![..4, ..])).unwrap_err();
    let (rows, columns) = (4, 6);
    assert_eq!(error, Error::NotSquare { rows, columns });

    let mut lopsided = matrix.clone();
    lopsided[[4, 1]] += 1e-9;
    let error = KernelRows::training(lopsided.view()).unwrap_err();
    let (value, mirrored) = (lopsided[[4, 1]], matrix[[1, 4]]);
    let (row, column) = (4, 1);
    assert_eq!(
        error,
        Error::Asymmetric {
            row,
            column,
            value,
            mirrored
        }
    );
    let mut rounded = matrix.clone();
    rounded[[4, 1]] *= 1.0 + 2.0 * f64::EPSILON;
    assert!(KernelRows::training(rounded.view()).is_ok());

    let mut not_finite = matrix;
    not_finite[[2, 3]] = f64::NEG_INFINITY;
    let (row, column, value) = (2, 3, f64::NEG_INFINITY);
    assert_eq!(
        KernelRows::training(not_finite.view()).unwrap_err(),
        Error::SampleNotFinite { row, column, value }
    );
    let none = KernelRows::<f64>::training(Array2::zeros((0, 0)).view());
    assert_eq!(none.unwrap_err(), Error::NoSamples);
    let indefinite = KernelRows::training(array![[1.0, 2.0], [2.0, 1.0]].view()).unwrap();
    let builder = Exact::new(Precomputed::new()).centered(false);
    let error = builder.fit_space(&indefinite).unwrap_err();
    assert!(
        matches!(error, Error::Indefinite { eigenvalue, .. } if (eigenvalue + 1.0).abs() < 1e-14)
    );
}

#[test]
fn new_rows_of_another_length_and_missing_self_values() {
    let training = KernelRows::training(gram(&normal(6, 2, 1)).view()).unwrap();
    let space = Exact::new(Precomputed::new()).fit_space(&training).unwrap();
    let short = KernelRows::new_samples(Array2::ones((2, 5)).view()).unwrap();
    let (expected, found) = (6, 5);
    assert_eq!(
        space.coordinates(&short).unwrap_err(),
        Error::ColumnCount { expected, found }
    );

    let new = KernelRows::new_samples(Array2::from_elem((3, 6), 0.5).view()).unwrap();
    assert_eq!(space.coordinates(&new).unwrap().dim(), (3, 5));
    let error = space.residuals(&new).unwrap_err();
    assert!(matches!(error, Error::KernelNotFinite { row: 0, column: 0, value } if value.is_nan()));
    let known = new.clone().with_self_values(array![1.0, 1.0, 1.0].view());
    assert_eq!(space.residuals(&known.unwrap()).unwrap().len(), 3);

    let error = new.clone().with_self_values(array![1.0].view());
    let (samples, values) = (3, 1);
    assert_eq!(
        error.unwrap_err(),
        Error::SelfValueCount { samples, values }
    );
    let error = new.with_self_values(array![1.0, f64::INFINITY, 1.0].view());
    let (row, column, value) = (1, 1, f64::INFINITY);
    assert_eq!(
        error.unwrap_err(),
        Error::KernelNotFinite { row, column, value }
    );
}
