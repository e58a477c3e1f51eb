//! Which samples become landmarks, and which kernels are refused, at the edge of rounding.

use ndarray::{Array1, Array2, Axis, array};
use npt::{Error, KernelMap, RawMap, prelude::*};
use npt_testkit::data;

/// A tolerance is met by the fewest pivots of their order: without the last one it is not.
#[test]
fn a_tolerance_keeps_no_surplus() {
    let x = data::normal(300, 2, 1);
    for tolerance in [0.3, 0.1, 0.01, 1e-4] {
        let builder = Exact::new(Gaussian::new(0.8))
            .axes(Axes::Cholesky)
            .centered(false)
            .rank(Rank::Tolerance(tolerance));
        let fitted = builder.fit_space(&x).unwrap();
        let left = fitted.training_residuals().sum();
        let last = fitted.training_coordinates();
        let last = last.column(fitted.rank() - 1);
        assert!(left <= tolerance * 300.0);
        assert!(left + last.dot(&last) > tolerance * 300.0, "{tolerance}");
    }
}

/// Samples that nearly coincide are one landmark, however many of them head the list of candidates.
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
    // One for the cluster, and 50 that are alone.
    assert_eq!(builder.fit_space(&x).unwrap().rank(), 51);
}

/// A symmetric matrix of given eigenvalues, on the axes of a fixed reflection.
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

/// Far above rounding, though small beside the largest: refused with its eigenvalue, or clipped.
#[test]
fn a_small_negative_eigenvalue_is_one() {
    for smallest in [-1e-3, -1e-6, -1e-9, -1e-12] {
        let values = array![1.0, 0.7, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, smallest];
        let matrix = matrix_of(&values);
        let rows = KernelRows::training(matrix.view()).unwrap();
        for axes in [Axes::Principal, Axes::Cholesky] {
            let builder = Exact::new(Precomputed::new()).axes(axes).centered(false);
            match builder.fit_space(&rows) {
                Err(Error::Indefinite { eigenvalue, .. }) => {
                    assert!((eigenvalue - smallest).abs() < 1e-14, "{eigenvalue:e}");
                }
                other => panic!("{smallest:e}: {:?}", other.map(|space| space.rank())),
            }
            let clipped = builder.indefinite(Indefinite::Clip).fit_space(&rows);
            assert_eq!(clipped.unwrap().rank(), 8);
        }
    }
}

/// The negative squared distance is positive semidefinite when centred: its linear functions fold to
/// coefficients that sum to 0, and to what coordinates say.
#[test]
fn a_conditionally_positive_kernel_folds_back() {
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
    let expansion = space.fold(directions.view(), offsets.view()).unwrap();
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
            // On principal axes the coordinates themselves are what the map gives.
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

/// Of full rank far above rounding the kernel matrix itself is decomposed; elsewhere, and for landmarks,
/// the scatter of the factor. Both find the same axes, and place new samples alike.
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

/// Both axes keep the same rank, by whatever kernel and however smooth.
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
