//! Tests of leave-one-out errors that are computed without leaving out.

use super::random;
use approx::assert_abs_diff_eq;
use linfa::{
    Dataset,
    traits::{Fit, Predict},
};
use ndarray::{Array2, Axis, array, s};
use npt_core::{Exact, Gaussian, Kernelized, Rank, SpaceBuilder};
use npt_methods::{
    Error, KernelRidge,
    linear::{Ridge, RidgePath, RidgePathPoint},
};

fn without(i: usize, x: &Array2<f64>) -> Array2<f64> {
    let others: Vec<usize> = (0..x.nrows()).filter(|&j| j != i).collect();
    x.select(Axis(0), &others)
}

/// Computes the residual of each sample, predicted by a fit to the other samples.
fn leave_one_out_by_refitting(
    x: &Array2<f64>,
    y: &Array2<f64>,
    penalty: f64,
    intercept: bool,
) -> Array2<f64> {
    let mut residuals = y.clone();
    for i in 0..x.nrows() {
        let data = Dataset::new(without(i, x), without(i, y));
        let params = Ridge::params().penalty(penalty).intercept(intercept);
        let model = params.fit(&data).unwrap();
        let row = x.slice(s![i..=i, ..]).to_owned();
        let mut residual = residuals.row_mut(i);
        residual -= &model.predict(&row).row(0);
    }
    residuals
}

#[test]
fn leave_one_out_is_refitting_in_the_same_coordinates() {
    for (rows, columns) in [(15, 3), (15, 13), (15, 14), (15, 15), (15, 40), (2, 1)] {
        let (x, y) = (random(rows, columns, 3) + 2.0, random(rows, 2, 4));
        let data = Dataset::new(x.clone(), y.clone());
        for intercept in [true, false] {
            let penalties = [1e-4, 1e-2, 1.0, 1e4];
            let path = RidgePath::params(&penalties).intercept(intercept);
            let path = path.fit(&data).unwrap();
            for (point, &penalty) in path.points().iter().zip(&penalties) {
                let expected = leave_one_out_by_refitting(&x, &y, penalty, intercept);
                let found = point.leave_one_out_residuals();
                let scale = expected.fold(1.0_f64, |m, v| m.max(v.abs()));
                assert_abs_diff_eq!(*found, expected, epsilon = 1e-9 * scale);
                let error = expected.mapv(|e| e * e).mean().unwrap();
                let found = point.leave_one_out_error();
                assert_abs_diff_eq!(found, error, epsilon = 1e-9 * scale * scale);
            }
            let errors = path
                .points()
                .iter()
                .map(RidgePathPoint::leave_one_out_error);
            let smallest = errors.clone().fold(f64::INFINITY, f64::min);
            let best = errors.clone().position(|error| error == smallest).unwrap();
            assert_eq!(path.best(), path.points()[best].model());
            let chosen = Ridge::params().penalties(&penalties).intercept(intercept);
            assert_eq!(chosen.fit(&data).unwrap(), *path.best());
        }
    }
}

/// Leave-one-out works without a penalty: least squares on a tall matrix leave residuals.
#[test]
fn leave_one_out_of_least_squares() {
    let (x, y) = (random(20, 4, 5), random(20, 1, 6));
    let path = RidgePath::params(&[0.0]);
    let path = path.fit(&Dataset::new(x.clone(), y.clone())).unwrap();
    let expected = leave_one_out_by_refitting(&x, &y, 0.0, true);
    let found = path.points()[0].leave_one_out_residuals();
    assert_abs_diff_eq!(*found, expected, epsilon = 1e-12);
    let freedom = path.points()[0].degrees_of_freedom();
    assert_abs_diff_eq!(freedom, 5.0, epsilon = 1e-13);
}

/// Leave-one-out works for a penalty far below the eigenvalues that every sample needs. Here 1 − hᵢᵢ is 10⁻¹⁰, and still
/// known to the rounding that the condition of the matrix leaves.
#[test]
fn leave_one_out_of_nearly_perfect_fits() {
    let (x, y) = (random(10, 9, 7), random(10, 1, 8));
    let path = RidgePath::params(&[0.0, 1e-12, 1e-10]);
    let path = path.fit(&Dataset::new(x.clone(), y.clone())).unwrap();
    let expected = leave_one_out_by_refitting(&x, &y, 1e-10, true);
    let scale = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
    for point in path.points() {
        let found = point.leave_one_out_residuals();
        assert_abs_diff_eq!(*found, expected, epsilon = 1e-5 * scale);
    }
}

/// Leaving out has two meanings, which agree in a space of full rank. In a space of reduced rank,
/// leave-one-out is a refit in the same coordinates; a refit from the start is something else.
#[test]
fn leaving_out_from_the_start_is_the_same_at_full_rank_only() {
    let x = random(25, 2, 9);
    let y = x
        .map_axis(Axis(1), |row| (3.0 * row[0]).sin() * row[1])
        .insert_axis(Axis(1));
    let (penalty, kernel) = (0.05, Gaussian::new(2.0));
    for (rank, same) in [(Rank::default(), true), (Rank::Components(5), false)] {
        let space = Exact::new(kernel).rank(rank);
        let data = Dataset::new(x.clone(), y.clone());
        let path = Kernelized::new(RidgePath::params(&[penalty]), space.clone());
        let model = path.fit(&data).unwrap();
        let found = model.inner().points()[0].leave_one_out_residuals();

        let coordinates = space
            .fit_space(&x)
            .unwrap()
            .training_coordinates()
            .to_owned();
        let in_the_same = leave_one_out_by_refitting(&coordinates, &y, penalty, true);
        assert_abs_diff_eq!(*found, in_the_same, epsilon = 1e-11);

        let mut anew = y.clone();
        for i in 0..25 {
            let params = KernelRidge::params(kernel)
                .space(|_| space.clone())
                .method(|m| m.penalty(penalty));
            let model = params
                .fit(&Dataset::new(without(i, &x), without(i, &y)))
                .unwrap();
            let prediction = model.predict(&x.slice(s![i..=i, ..]).to_owned());
            let mut row = anew.row_mut(i);
            row -= &prediction.row(0);
        }
        let largest = anew.fold(0.0_f64, |m, v| m.max(v.abs()));
        let off = (found - &anew).fold(0.0_f64, |m, v| m.max(v.abs())) / largest;
        assert_eq!(off < 1e-9, same, "off by {off:e}");
        assert!(same || off > 1e-3, "off by {off:e}");
    }
}

/// Sample 2 alone has a value in the second column, and so determines its weight alone.
#[test]
fn a_sample_that_alone_determines_a_weight() {
    let data = Dataset::new(
        array![[1.0, 0.0], [2.0, 0.0], [3.0, 5.0], [5.0, 0.0]],
        array![1.0, 2.5, 0.0, 5.0],
    );
    let (row, parameter, value) = (2, "penalty", 0.0);
    let error = RidgePath::params(&[0.0]).fit(&data).err();
    assert_eq!(
        error,
        Some(Error::LeaveOneOut {
            row,
            parameter,
            value
        })
    );
    assert!(RidgePath::params(&[1e-6]).fit(&data).is_ok());
}
