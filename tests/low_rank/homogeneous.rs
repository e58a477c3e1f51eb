//! Tests features of additive kernels of histograms.

use ndarray::{Array2, array, s};
use npt::prelude::*;
use npt::{Error, HomogeneousMap, Scalar};
use npt_testkit::{data, laws};

/// Histograms with empty bins; one bin is empty in all of them.
fn histograms<F: Scalar>(rows: usize, columns: usize, seed: u64) -> Rows<F> {
    let mut x = data::normal(rows, columns, seed).mapv(|v: f64| (v - 0.3).max(0.0) * 5.0);
    x.column_mut(columns - 1).fill(0.0);
    Rows::new(x.mapv(F::cast)).unwrap()
}

/// Checks that the space is that of the kernel that the frequencies make, under all laws.
fn check<F: Scalar, K>(kernel: K, x: &Rows<F>)
where
    K: Kernel<Rows<F>, Scalar = F> + Copy,
{
    let new = histograms::<F>(7, x.view().ncols(), 5);
    for frequencies in [1, 4] {
        for centered in [true, false] {
            let builder = HomogeneousFeatures::new(kernel, frequencies).centered(centered);
            let space = builder.fit_space(x).unwrap();
            let represented: HomogeneousMap<K, F> = space.space().raw_map().clone();
            assert_eq!(represented.kernel().describe(), kernel.describe());
            laws::check_kernel(&represented, x);
            laws::check_space(&builder, &represented, centered, x, &new);
        }
    }
}

/// Waves have a period: values whose logarithms differ by a whole period of all waves have the kernel value of equal ones, but for the root
/// of their product.
#[test]
fn waves_have_a_period() {
    let builder = HomogeneousFeatures::new(AdditiveChiSquared::new(), 3);
    let space = builder.fit_space(&array![[1.0], [2.0]]).unwrap();
    let represented = space.space().raw_map();
    let ratio: f64 = (std::f64::consts::TAU / represented.step()).exp();
    let found = represented.eval(&[1.0], &[ratio]);
    let expected = ratio.sqrt() * represented.eval(&[1.0], &[1.0]);
    assert!((found / expected - 1.0).abs() < 1e-13, "{found} {expected}");
}

/// The represented kernel is that of the features, also for bins that are empty on either side, or on both.
#[test]
fn the_represented_kernel_is_that_of_the_features() {
    let x = array![[0.5, 0.0, 2.0], [0.0, 3.0, 1.5], [1.7, 0.2, 0.0]];
    let builder = HomogeneousFeatures::new(AdditiveChiSquared::new(), 3).centered(false);
    let fitted = builder.axes(Axes::Cholesky).fit_space(&x).unwrap();
    let y = fitted.training_coordinates();
    let represented: Array2<f64> = fitted.space().raw_map().gram(&Rows::new(x).unwrap());
    let off = represented - y.dot(&y.t());
    assert!(off.iter().all(|d| d.abs() < 1e-13), "{off}");
}

#[test]
fn laws_of_the_represented_kernel() {
    for (rows, columns) in [(60, 3), (6, 20), (30, 2)] {
        check(
            AdditiveChiSquared::new(),
            &histograms::<f64>(rows, columns, 1),
        );
        check(
            HistogramIntersection::new(),
            &histograms::<f64>(rows, columns, 1),
        );
        check(
            AdditiveChiSquared::new(),
            &histograms::<f32>(rows, columns, 1),
        );
    }
}

/// The largest difference from κ of single values, relative to the larger value, at any scale.
fn error<F: Scalar, K>(kernel: K, frequencies: usize) -> f64
where
    K: Kernel<Rows<F>, Scalar = F> + Copy,
{
    let mut largest = 0.0_f64;
    for scale in [1.0, 3e-30, 7e29] {
        let ratios = (0..400).map(|i| {
            if i == 399 {
                0.0
            } else {
                scale * (-0.04 * f64::from(i)).exp()
            }
        });
        let values: Array2<F> =
            Array2::from_shape_vec((400, 1), ratios.map(F::cast).collect()).unwrap();
        let builder = HomogeneousFeatures::new(kernel, frequencies);
        let builder = builder.axes(Axes::Cholesky).centered(false);
        let space = builder.fit_space(&values).unwrap();
        let y = space.training_coordinates();
        let expected = kernel.cross(
            &Rows::new(values.slice(s![..1, ..]).to_owned()).unwrap(),
            &Rows::new(values).unwrap(),
        );
        let off = y.slice(s![..1, ..]).dot(&y.t()) - expected;
        largest = off.fold(largest, |m, d| m.max(d.as_f64().abs() / scale));
    }
    largest
}

/// The errors are those of the documentation's table, to 5 %.
#[test]
fn errors_are_those_of_the_table() {
    for (frequencies, of_chi_squared, of_intersection) in [
        (1, 0.032, 0.105),
        (2, 0.013, 0.079),
        (3, 0.0058, 0.064),
        (5, 0.00152, 0.047),
        (8, 0.000_286, 0.0343),
    ] {
        let found = error::<f64, _>(AdditiveChiSquared::new(), frequencies);
        assert!(
            (0.95..1.05).contains(&(found / of_chi_squared)),
            "{frequencies}: {found}"
        );
        let found = error::<f64, _>(HistogramIntersection::new(), frequencies);
        assert!(
            (0.95..1.05).contains(&(found / of_intersection)),
            "{frequencies}: {found}"
        );
    }
    let single = error::<f32, _>(AdditiveChiSquared::new(), 3);
    assert!((single - error::<f64, _>(AdditiveChiSquared::new(), 3)).abs() < 1e-5);
    assert!(error::<f64, _>(AdditiveChiSquared::new(), 30) < 1e-6);
    assert!(error::<f64, _>(AdditiveChiSquared::new(), 80) < 1e-10);
}

#[test]
fn what_is_no_histogram() {
    let builder = HomogeneousFeatures::new(AdditiveChiSquared::new(), 3);
    let negative = builder.fit_space(&array![[1.0, 2.0], [0.5, -0.1]]).err();
    match negative {
        Some(Error::SampleOutsideDomain { row, column, .. }) => {
            assert_eq!((row, column), (1, Some(1)));
        }
        other => panic!("{other:?}"),
    }
    let space = builder.fit_space(&array![[1.0, 2.0], [0.5, 0.0]]).unwrap();
    let (expected, found) = (2, 3);
    let wide = space.coordinates(&array![[1.0, 2.0, 3.0]]);
    assert_eq!(wide, Err(Error::ColumnCount { expected, found }));
    let negative = space.coordinates(&array![[1.0, -2.0]]);
    assert!(matches!(
        negative,
        Err(Error::SampleOutsideDomain {
            row: 0,
            column: Some(1),
            ..
        })
    ));
    let none = HomogeneousFeatures::new(AdditiveChiSquared::new(), 0).fit_space(&array![[1.0]]);
    assert!(matches!(
        none.err(),
        Some(Error::Parameter {
            parameter: "frequencies",
            ..
        })
    ));
    let empty = builder.fit_space(&array![[0.0, 0.0], [0.0, 0.0]]).err();
    assert_eq!(empty, Some(Error::NoVariance { samples: 2 }));
    let one = builder.fit_space(&array![[1.0, 0.0]]).err();
    assert_eq!(one, Some(Error::NoVariance { samples: 1 }));
}
