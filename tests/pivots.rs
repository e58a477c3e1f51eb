//! Tests which samples become landmarks, and which kernels are refused, at the edge of rounding.

use ndarray::{Array1, Array2, Axis, array};
use npt::{Error, KernelMap, RawMap, prelude::*};
use npt_testkit::data;

/// A tolerance is met by as few pivots as possible in their order: without the last one it is not met.
#[test]
fn a_tolerance_keeps_no_surplus() {
    let x = data::normal(300, 2, 1);
    let tolerances = [0.3, 0.1, 0.01, 1e-4];
    let scaled = tolerances.map(|tolerance| [1e-6, 1.0, 1e6].map(|scale| (tolerance, scale)));
    for (tolerance, scale) in scaled.into_iter().flatten() {
        let builder = Exact::new(Gaussian::new(0.8).scaled(scale))
            .axes(Axes::Cholesky)
            .centered(false)
            .rank(Rank::Tolerance(tolerance));
        let fitted = builder.fit_space(&x).unwrap();
        let left = fitted.training_residuals().sum();
        let last = fitted.training_coordinates();
        let last = last.column(fitted.rank() - 1);
        let may_be_left = tolerance * 300.0 * scale;
        assert!(left <= may_be_left);
        assert!(left + last.dot(&last) > may_be_left, "{tolerance}");
    }
    // Three of four equal pivots leave just as much as they may.
    let four = KernelRows::training(Array2::<f64>::eye(4).view()).unwrap();
    let builder = Exact::new(Precomputed::new())
        .axes(Axes::Cholesky)
        .centered(false);
    let fitted = builder
        .rank(Rank::Tolerance(0.25))
        .fit_space(&four)
        .unwrap();
    assert_eq!(fitted.rank(), 3);
    let builder = Exact::new(Linear::new()).axes(Axes::Cholesky);
    let nothing = builder
        .rank(Rank::Tolerance(0.1))
        .fit_space(&Array2::<f64>::zeros((4, 2)));
    assert_eq!(nothing.err(), Some(Error::NoVariance { samples: 4 }));
}

/// The residuals of the factor are those of the map, in every panel of samples.
#[test]
fn residuals_of_the_factor_are_those_of_the_map() {
    let x = data::normal(300, 3, 1);
    let builder = Exact::new(Gaussian::new(0.5))
        .axes(Axes::Cholesky)
        .centered(false);
    let fitted = builder.rank(Rank::Components(5)).fit_space(&x).unwrap();
    let expected = fitted.residuals(&x).unwrap();
    let off = expected - fitted.training_residuals();
    assert!(off.iter().all(|d: &f64| d.abs() < 1e-12));
    // With full rank and centred, coordinates are reflected by rows.
    let x = Array2::from_shape_fn((300, 1), |(i, _)| i as f64);
    let fitted = Exact::new(Laplacian::new(0.5))
        .axes(Axes::Cholesky)
        .fit_space(&x)
        .unwrap();
    let off = fitted.coordinates(&x).unwrap() - fitted.training_coordinates();
    assert!(off.iter().all(|d: &f64| d.abs() < 1e-12));
}

/// A residual between two levels of rounding makes no pivot: it is more than the rounding of one pivot, and less than that of a hundred.
#[test]
fn a_residual_between_two_levels_of_rounding() {
    let mut matrix = Array2::<f64>::eye(101);
    matrix[[0, 100]] = 1.0 - 2.5e-14;
    matrix[[100, 0]] = matrix[[0, 100]];
    let rows = KernelRows::training(matrix.view()).unwrap();
    let builder = Exact::new(Precomputed::new())
        .axes(Axes::Cholesky)
        .centered(false);
    assert_eq!(builder.fit_space(&rows).unwrap().rank(), 100);
}

/// A share of the variance that f32 takes for 0 asks for one dimension, on all axes.
#[test]
fn the_smallest_share_of_the_variance_is_one_dimension() {
    let x = data::normal(20, 3, 1).mapv(|v| v as f32);
    for axes in [Axes::Principal, Axes::Cholesky] {
        for share in [1e-3, 1e-9, 1e-20] {
            let builder = Exact::new(Gaussian::new(0.5_f32)).axes(axes);
            let space = builder.rank(Rank::Variance(share)).fit_space(&x).unwrap();
            assert_eq!(space.rank(), 1, "{axes:?}, {share}");
        }
    }
}

/// Ranks are the same in every unit of the kernel. The units are powers of 4, so that nothing else is rounded.
#[test]
fn ranks_have_no_unit() {
    let x = data::normal(200, 2, 1);
    for axes in [Axes::Principal, Axes::Cholesky] {
        let rank = |scale: f64| {
            let builder = Exact::new(Gaussian::new(0.05).scaled(scale)).axes(axes);
            builder.fit_space(&x).unwrap().rank()
        };
        let unscaled = rank(1.0);
        assert!(unscaled < 150);
        assert_eq!([2f64.powi(-40), 2f64.powi(40)].map(rank), [unscaled; 2]);
    }
}

/// The residuals of short samples beside two long and nearly parallel ones are rounding.
#[test]
fn what_samples_borrow_is_rounding() {
    let mut x = data::normal(50, 2, 1);
    x.row_mut(0).assign(&array![1000.1, 0.3]);
    x.row_mut(1).assign(&array![1000.2, 1.3]);
    for scale in [1.0, 1e-6] {
        let builder = Exact::new(Linear::new())
            .axes(Axes::Cholesky)
            .centered(false);
        assert_eq!(builder.fit_space(&(&x * scale)).unwrap().rank(), 2);
        assert_eq!(
            Exact::new(Linear::new())
                .fit_space(&(&x * scale))
                .unwrap()
                .rank(),
            2
        );
    }
}

/// Kernels that do not claim to be positive semidefinite are checked against the samples.
#[test]
fn undeclared_kernels() {
    let mut x = data::normal(50, 3, 1);
    x.row_mut(7).fill(0.0);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let undeclared = Exact::new(FnKernel::new(dot))
        .axes(Axes::Cholesky)
        .centered(false);
    let declared = Exact::new(Linear::new())
        .axes(Axes::Cholesky)
        .centered(false);
    let (undeclared, declared) = (
        undeclared.fit_space(&x).unwrap(),
        declared.fit_space(&x).unwrap(),
    );
    let off = &undeclared.training_coordinates() - &declared.training_coordinates();
    assert!(off.iter().all(|d: &f64| d.abs() < 1e-12));
    // The second panel has samples that repeat one of the first.
    let repeated = Array2::from_shape_fn((300, 1), |(i, _)| if i < 256 { i as f64 } else { 0.0 });
    let equal = FnKernel::new(|a: &[f64], b: &[f64]| if a == b { 1.0 } else { 0.5 });
    let fitted = Exact::new(equal)
        .centered(false)
        .fit_space(&repeated)
        .unwrap();
    assert_eq!(fitted.rank(), 256);
    let nan = FnKernel::new(|a: &[f64], b: &[f64]| if a[0] + b[0] == 3.0 { f64::NAN } else { 1.0 });
    let rows = Rows::new(array![[1.0], [2.0], [5.0]]).unwrap();
    let error = npt::centered_gram(&nan, &rows).err();
    assert!(
        matches!(error, Some(Error::KernelNotFinite { .. })),
        "{error:?}"
    );
}

/// Samples that nearly coincide become one landmark, however many of them head the list of candidates.
#[test]
fn a_block_does_not_fill_up_with_what_it_has_explained() {
    let mut x = data::normal(200, 3, 2) * 1e-5;
    for (i, mut row) in x.outer_iter_mut().enumerate().skip(150) {
        row += 5.0 * i as f64;
    }
    let builder = Exact::new(Gaussian::new(0.5))
        .axes(Axes::Cholesky)
        .centered(false)
        .rank(Rank::Tolerance(1e-6));
    // There is one landmark for the cluster, and one for each of the 50 samples that are alone.
    assert_eq!(builder.fit_space(&x).unwrap().rank(), 51);
}

/// A symmetric matrix with given eigenvalues, on the axes of a fixed reflection.
fn matrix_of(values: &Array1<f64>) -> Array2<f64> {
    let n = values.len();
    let v = Array1::from_shape_fn(n, |i| (i as f64 + 1.3).sin());
    let v = &v / v.dot(&v).sqrt();
    let outer = |v: &Array1<f64>| {
        v.view()
            .insert_axis(Axis(1))
            .dot(&v.view().insert_axis(Axis(0)))
    };
    let q = Array2::eye(n) - outer(&v) * 2.0;
    let matrix = q.dot(&Array2::from_diag(values)).dot(&q);
    (&matrix + &matrix.t()) / 2.0
}

/// A negative eigenvalue far above rounding, though small beside the largest, is refused with its value, or clipped.
#[test]
fn a_small_negative_eigenvalue_is_one() {
    for smallest in [-1e-3, -1e-6, -1e-9, -1e-12] {
        let values = array![1.0, 0.7, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, smallest];
        let matrix = matrix_of(&values);
        let rows = KernelRows::training(matrix.view()).unwrap();
        let both = [Axes::Principal, Axes::Cholesky];
        let scaled = [1e-9, 1.0, 1e9].map(|scale| both.map(|axes| (axes, scale)));
        for (axes, scale) in scaled.into_iter().flatten() {
            let kernel = Precomputed::new().scaled(scale);
            let builder = Exact::new(kernel).axes(axes).centered(false);
            match builder.fit_space(&rows) {
                Err(Error::Indefinite { eigenvalue, .. }) => {
                    let eigenvalue = eigenvalue / scale;
                    assert!((eigenvalue - smallest).abs() < 1e-14, "{eigenvalue:e}");
                }
                other => panic!("{smallest:e}: {:?}", other.map(|space| space.rank())),
            }
            let clipped = builder.indefinite(Indefinite::Clip).fit_space(&rows);
            assert_eq!(clipped.unwrap().rank(), 8);
        }
    }
}

/// The negative squared distance is positive semidefinite when centred. The expansions of its linear functions have coefficients
/// that sum to 0, and the values by coordinates.
#[test]
fn a_conditionally_positive_kernel_has_expansions() {
    let distance = FnKernel::new(|a: &[f64], b: &[f64]| {
        -a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()
    });
    let (x, new) = (data::normal(30, 3, 3) + 7.0, data::normal(5, 3, 4) * 3.0);
    let (space, coordinates, _) = Exact::new(distance).fit_space(&x).unwrap().into_parts();
    assert_eq!(coordinates.dim(), (30, 3));
    let (directions, offsets) = (
        array![[1.0, 0.2], [-2.0, 0.0], [0.5, 1.0]],
        array![0.3, -1.0],
    );
    let expansion = space.expand(directions.view(), offsets.view()).unwrap();
    let sums = expansion.coefficients().sum_axis(Axis(0));
    assert!(sums.iter().all(|sum| sum.abs() < 1e-14));
    let by_coordinates = space.coordinates(&new).unwrap().dot(&directions) + &offsets;
    let off = expansion.evaluate(&new).unwrap() - by_coordinates;
    assert!(off.iter().all(|d| d.abs() < 1e-11), "{off}");
}

/// n samples of full rank lie in a hyperplane: centred, they have rank n − 1, two of them as well.
#[test]
fn centered_samples_of_full_rank_have_one_dimension_less() {
    for n in 2..12 {
        let x = Array2::from_shape_fn((n, 1), |(i, _)| i as f64);
        for axes in [Axes::Principal, Axes::Cholesky] {
            let space = Exact::new(Laplacian::new(0.5))
                .axes(axes)
                .fit_space(&x)
                .unwrap();
            // The map gives the coordinates themselves on principal axes.
            let dimension = if axes == Axes::Principal { n - 1 } else { n };
            assert_eq!(
                (space.rank(), space.space().raw_map().dimension()),
                (n - 1, dimension)
            );
            let x = x.mapv(|v| v as f32);
            let space = Exact::new(Laplacian::new(0.5_f32))
                .axes(axes)
                .fit_space(&x)
                .unwrap();
            assert_eq!(space.rank(), n - 1);
        }
    }
}

/// Either way to principal axes finds the same axes, and places new samples alike. The kernel matrix itself is decomposed if its rank is full,
/// far above rounding; otherwise, and for landmarks, the scatter of the factor is.
#[test]
fn either_road_to_principal_axes() {
    let (x, new) = (data::normal(120, 6, 3), data::normal(30, 6, 4));
    for (gamma, centered) in [(0.5, true), (0.5, false), (2.0, true), (1e-3, true)] {
        let builder = Exact::new(Gaussian::new(gamma)).centered(centered);
        let space = builder.fit_space(&x).unwrap();
        let by_landmarks = builder.landmarks_only(true).fit_space(&x).unwrap();
        let in_full = matches!(space.space().raw_map(), KernelMap::AllSamples(_))
            && space.space().raw_map().dimension() == space.rank();
        assert_eq!(in_full, gamma > 0.1, "{gamma}");
        if !in_full {
            continue;
        }
        assert_eq!(space.rank(), by_landmarks.rank());
        let (values, others) = (space.eigenvalues(), by_landmarks.eigenvalues());
        let off = (&values - &others).mapv(f64::abs);
        assert!(off.iter().all(|&d| d < 1e-13 * values[0]), "{off}");
        let (y, residuals) = space.coordinates_and_residuals(&new).unwrap();
        let (z, others) = by_landmarks.coordinates_and_residuals(&new).unwrap();
        assert!((residuals - others).iter().all(|d: &f64| d.abs() < 1e-12));
        // Neighbouring axes turn by rounding over the gap between their eigenvalues.
        assert!((&y - &z).iter().all(|d| d.abs() < 1e-8));
        let [y, z] = [
            y.dot(&space.training_coordinates().t()),
            z.dot(&by_landmarks.training_coordinates().t()),
        ];
        assert!((y - z).iter().all(|d| d.abs() < 1e-12));
    }
}

/// Both axes keep the same rank, however smooth the kernel.
#[test]
fn ranks_do_not_depend_on_the_axes() {
    for seed in 0..200 {
        let n = 5 + (seed as usize * 7) % 60;
        let x = data::normal(n, 1 + seed as usize % 4, seed);
        for gamma in [1e-3, 0.05, 0.5, 5.0] {
            for centered in [true, false] {
                let builder = Exact::new(Gaussian::new(gamma)).centered(centered);
                let principal = builder.fit_space(&x).unwrap().rank();
                let cholesky = builder
                    .clone()
                    .axes(Axes::Cholesky)
                    .fit_space(&x)
                    .unwrap()
                    .rank();
                assert_eq!(principal, cholesky, "n = {n}, gamma = {gamma}, {centered}");
            }
        }
    }
}
