//! Tests the measures of how near spaces come to their kernels.

use ndarray::Array2;
use npt::prelude::*;
use npt::{Error, KernelErrors};
use npt_testkit::data;

/// The errors 1 − tr YYᵀ / tr K and the others, by the formulas.
fn expected(k: &Array2<f64>, y: &Array2<f64>) -> [f64; 3] {
    let n = k.nrows() as f64;
    let centering = Array2::eye(k.nrows()) - Array2::from_elem(k.dim(), 1.0 / n);
    let k = centering.dot(k).dot(&centering);
    let off = &k - &centering.dot(y).dot(&y.t()).dot(&centering);
    let norm = |a: &Array2<f64>| a.mapv(|v| v * v).sum().sqrt();
    let most = |a: &Array2<f64>| a.fold(0.0, |m: f64, v| m.max(v.abs()));
    let diagonal = Array2::from_diag(&k.diag());
    [
        off.diag().sum() / k.diag().sum(),
        norm(&off) / norm(&k),
        most(&off) / most(&diagonal),
    ]
}

#[test]
fn they_are_the_formulas() {
    let (x, new) = (data::normal(80, 3, 1), data::normal(50, 3, 2));
    let kernel = Gaussian::new(0.3);
    let nystrom = Nystrom::new(kernel, Pivoting::random(20));
    let spaces: [Box<dyn KernelSpace<Samples = Rows<f64>, Scalar = f64>>; 4] = [
        Box::new(nystrom.clone().fit_space(&x).unwrap()),
        Box::new(
            nystrom
                .centered(false)
                .axes(Axes::Cholesky)
                .fit_space(&x)
                .unwrap(),
        ),
        Box::new(
            Exact::new(kernel)
                .rank(Rank::Components(4))
                .fit_space(&x)
                .unwrap(),
        ),
        Box::new(RandomFourier::new(kernel, 30).fit_space(&x).unwrap()),
    ];
    for space in &spaces {
        for samples in [&x, &new] {
            let found = KernelErrors::of(space, &kernel, samples).unwrap();
            let gram = kernel.gram(&Rows::new(samples.clone()).unwrap());
            let [trace, frobenius, largest] = expected(&gram, &space.coordinates(samples).unwrap());
            assert_eq!(found.samples, samples.nrows());
            assert!((found.trace - trace).abs() < 1e-12);
            assert!((found.frobenius - frobenius).abs() < 1e-12);
            assert!((found.largest - largest).abs() < 1e-12);
        }
    }
}

/// The missing trace is the sum of the residuals of the samples that landmarks were chosen from; in a whole space nothing is missing.
#[test]
fn they_are_residuals_where_these_are_known() {
    let x = data::normal(300, 3, 1);
    let kernel = Laplacian::new(0.4);
    let some = Nystrom::new(kernel, Pivoting::random(40))
        .fit_space(&x)
        .unwrap();
    let errors = KernelErrors::of(&some, &kernel, &x).unwrap();
    let gram = npt::centered_gram(&kernel, &Rows::new(x.clone()).unwrap()).unwrap();
    // Centring takes away what the mean leaves, too: a little of the trace.
    let off = errors.trace - some.training_residuals().sum() / gram.diag().sum();
    assert!(off <= 1e-12 && off > -0.02, "{off}");
    let whole = Exact::new(kernel).fit_space(&x).unwrap();
    let errors = KernelErrors::of(&whole, &kernel, &x).unwrap();
    assert!(errors.frobenius < 1e-12 && errors.largest < 1e-12 && errors.trace.abs() < 1e-12);
    // A whole space leaves something of other samples.
    let errors = KernelErrors::of(&whole, &kernel, &data::normal(200, 3, 7)).unwrap();
    assert!(errors.trace > 0.01);
}

/// An estimate from some samples is near to the value of all.
#[test]
fn estimates() {
    let x = data::normal(3000, 2, 1);
    let kernel = Gaussian::new(0.5);
    let space = Nystrom::new(kernel, Pivoting::random(15))
        .fit_space(&x)
        .unwrap();
    let all = KernelErrors::of_some(&space, &kernel, &x, 3000, 0).unwrap();
    let default = KernelErrors::of(&space, &kernel, &x).unwrap();
    assert_eq!((all.samples, default.samples), (3000, 1000));
    for seed in 0..5 {
        let some = KernelErrors::of_some(&space, &kernel, &x, 600, seed).unwrap();
        assert!(
            (0.7..1.4).contains(&(some.trace / all.trace)),
            "{some} {all}"
        );
        assert!(
            (0.7..1.4).contains(&(some.frobenius / all.frobenius)),
            "{some} {all}"
        );
        assert!(some.largest <= all.largest * 1.1);
    }
    let again = KernelErrors::of_some(&space, &kernel, &x, 1000, 0).unwrap();
    assert_eq!(again, default);
}

/// Errors are computed for strings, in single precision, and for values near the end of the range.
#[test]
fn of_any_samples() {
    let texts: Vec<String> = ["GATTACA", "CATTAGA", "TTTT", "GATTACC", "ACAC"]
        .map(String::from)
        .to_vec();
    let texts = Items::new(texts).unwrap();
    let kernel = Spectrum::new(2);
    let space = Nystrom::new(kernel, Pivoting::greedy(3))
        .fit_space(&texts)
        .unwrap();
    let errors = KernelErrors::of(&space, &kernel, &texts).unwrap();
    assert!(errors.trace > 0.0 && errors.trace < 0.5);
    let narrow = data::normal(100, 3, 1).mapv(|v| v as f32);
    let kernel = Gaussian::new(0.3_f32);
    let space = Exact::new(kernel).fit_space(&narrow).unwrap();
    let errors = KernelErrors::of(&space, &kernel, &narrow).unwrap();
    assert!(errors.frobenius < 1e-4);
    let huge = data::normal(100, 3, 1) * 1e75;
    let kernel = Polynomial::new(2, 1.0, 0.0);
    let space = Exact::new(kernel)
        .rank(Rank::Components(2))
        .fit_space(&huge)
        .unwrap();
    let errors = KernelErrors::of(&space, &kernel, &huge).unwrap();
    assert!(errors.trace > 0.1 && errors.trace < 0.9 && errors.frobenius < 1.0);
}

#[test]
fn what_is_refused() {
    let x = data::normal(20, 3, 1);
    let kernel = Gaussian::new(0.3);
    let space = Exact::new(kernel).fit_space(&x).unwrap();
    let one = KernelErrors::of(&space, &kernel, &data::normal(1, 3, 1));
    assert_eq!(one, Err(Error::NoVariance { samples: 1 }));
    let alike = KernelErrors::of(&space, &kernel, &data::duplicates(1, 6, 3, 1));
    assert_eq!(alike, Err(Error::NoVariance { samples: 6 }));
    let linear = Exact::new(Linear::new()).fit_space(&x).unwrap();
    let zeros = KernelErrors::of(&linear, &Linear::new(), &ndarray::Array2::zeros((4, 3)));
    assert_eq!(zeros, Err(Error::NoVariance { samples: 4 }));
    let small = &x * 2.0_f64.powi(-40);
    let linear = Exact::new(Linear::new()).fit_space(&small).unwrap();
    let errors = KernelErrors::of(&linear, &Linear::new(), &small).unwrap();
    assert!(errors.frobenius < 1e-10, "{errors}");
    let none = KernelErrors::of_some(&space, &kernel, &x, 0, 0);
    assert!(matches!(
        none,
        Err(Error::Parameter {
            parameter: "samples",
            ..
        })
    ));
    let (expected, found) = (3, 2);
    let narrow = KernelErrors::of(&space, &kernel, &data::normal(9, 2, 1));
    assert_eq!(narrow, Err(Error::ColumnCount { expected, found }));
    // Errors name rows as counted in all samples, whichever were looked at.
    let histograms = data::normal(40, 3, 1).mapv(f64::abs);
    let additive = AdditiveChiSquared::new();
    let space_of = Exact::new(additive).fit_space(&histograms).unwrap();
    let mut bad = histograms.clone();
    bad[[33, 2]] = -1.0;
    match KernelErrors::of(&space_of, &additive, &bad) {
        Err(Error::SampleOutsideDomain { row, column, .. }) => {
            assert_eq!((row, column), (33, Some(2)));
        }
        other => panic!("{other:?}"),
    }
    let cubic = Polynomial::new(3, 1.0, 1.0);
    let space_of = Exact::new(cubic).fit_space(&x).unwrap();
    let mut huge = x.clone();
    huge[[17, 0]] = 1e200;
    match KernelErrors::of(&space_of, &cubic, &huge) {
        Err(Error::KernelNotFinite { row, column, .. }) => {
            assert!(row == 17 || column == 17, "{row}, {column}");
        }
        other => panic!("{other:?}"),
    }
    let bad = Gaussian::new(-1.0);
    let refused = KernelErrors::of(&space, &bad, &x);
    assert!(matches!(
        refused,
        Err(Error::Parameter {
            parameter: "gamma",
            ..
        })
    ));
}
