use super::{AXES, fit, fit_rank};
use ndarray::{Array1, Array2, s};
use npt::{Error, linfa::Dataset, prelude::*};
use npt_testkit::{data, oracles::centering};

/// Squares of the linear kernel stay in the range of numbers, cubes leave it, and the Gaussian is defined everywhere.
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
    let small = &normal * 1e-150;
    // Cubes of products vanish: all samples are one point to the kernel.
    assert_eq!(
        fit(Polynomial::homogeneous(3), &small),
        Err(Error::NoVariance { samples: 8 })
    );
    // The inhomogeneous polynomial and the Gaussian are 1 and a linear part of 1e-300. About the mean of the samples the linear part is kept: its
    // rank is that of the features.
    assert_eq!(fit(Polynomial::new(3, 1.0, 1.0), &small), Ok(2));
    assert_eq!(fit(Gaussian::new(1.0), &small), Ok(2));
    // Where squares of differences vanish as well, nothing is left.
    assert_eq!(
        fit(Gaussian::new(1.0), &(small * 1e-50)),
        Err(Error::NoVariance { samples: 8 })
    );
}

/// A trace that overflows is an error although every entry is finite.
#[test]
fn trace_out_of_range() {
    let x = Array2::from_shape_fn((9, 1), |(i, _)| (i % 2) as f64 * 2.4e154 - 1.2e154);
    for axes in AXES {
        let error = fit_rank(Rank::default(), axes, &x).err();
        assert_eq!(error, Some(Error::TraceOverflow { samples: 9 }));
    }
}

/// Compares the kernel matrix with differences of the stored numbers themselves.
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
    let centered = centering::centered_gram(&gaussian, &rows);
    assert!((y.dot(&y.t()) - centered).iter().all(|v| v.abs() < 1e-11));
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
            // The tolerance is some 20 roundings of f32.
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

/// A machine's value may leave the range of f32 at the farthest sample although its coefficients and bias do not.
#[test]
fn machines_whose_values_leave_the_range() {
    let mut x = Array2::from_elem((9, 4), -4000.0_f32);
    (x[[2, 0]], x[[6, 0]]) = (1e11, -3000.0);
    let mut values = Array1::from_elem(9, -4.0_f32);
    values[7] = -3.0;
    let weights = [1.0, 1.0, 1.0, f32::MAX, 1e-30, 1e-30, 1e30, 1e30, 0.0];
    let data = Dataset::new(x, values).with_weights(Array1::from_iter(weights));
    let machine = npt::methods::linear::Svr::params().nu(0.4).c(1.0);
    assert_eq!(
        machine.fit(&data),
        Err(npt::methods::Error::Overflow { of: "Svr" })
    );
}
