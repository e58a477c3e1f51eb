//! Tests of the predictions of ridge regression.

use super::random;
use approx::assert_abs_diff_eq;
use linfa::{
    Dataset,
    traits::{Fit, Predict, PredictInplace},
};
use ndarray::{Array1, Array2, Axis, array, concatenate};
use npt_core::{Axes, Exact, Gaussian, KernelSpace, Kernelized, SpaceBuilder};
use npt_methods::{
    KernelRidge,
    linear::{Ridge, RidgePath},
};

/// The values are those of scikit-learn 1.9.1: `Ridge(alpha=0.7, solver='svd').fit(X, Y)` and `KernelRidge(alpha=0.2,
/// kernel='rbf', gamma=0.5).fit(X, Y)`, with i = 0, …, 7, X = (sin i, cos 2i, i/10) and
/// Y = (sin(1 + i²), i/2 + cos i).
#[test]
fn values_of_scikit_learn() {
    let i = Array1::range(0.0_f64, 8.0, 1.0);
    let columns = |columns: &[Array1<f64>]| {
        let views: Vec<_> = columns.iter().map(Array1::view).collect();
        ndarray::stack(Axis(1), &views).unwrap()
    };
    let x = columns(&[i.mapv(f64::sin), i.mapv(|i| (2.0 * i).cos()), &i * 0.1]);
    let y = columns(&[
        i.mapv(|i| (1.0 + i * i).sin()),
        i.mapv(|i| i / 2.0 + i.cos()),
    ]);
    let new = array![[0.3, -0.2, 0.5], [1.0, 1.0, -1.0]];
    let data = Dataset::new(x, y);

    let ridge = Ridge::params().penalty(0.7).fit(&data).unwrap();
    let weights = array![
        [-0.076_504_012_694_943_59, -0.202_637_701_990_385_8],
        [-0.100_463_043_723_546_59, 0.102_102_839_218_738_03],
        [-0.511_587_372_547_701_3, 1.939_037_397_034_929_3]
    ];
    assert_abs_diff_eq!(ridge.weights().to_owned(), weights, epsilon = 1e-14);
    let intercept = array![0.088_366_100_517_018_74, 1.258_831_574_849_952_8];
    assert_abs_diff_eq!(ridge.intercept(), intercept, epsilon = 1e-14);
    let predictions = array![
        [-0.170_286_180_820_605_68, 2.147_138_394_926_554],
        [0.422_986_416_646_229_8, -0.780_740_684_956_624_1]
    ];
    assert_abs_diff_eq!(ridge.predict(&new), predictions, epsilon = 1e-14);

    let kernel = Gaussian::new(0.5);
    let model = KernelRidge::params(kernel)
        .space(|s| s.centered(false))
        .method(|m| m.intercept(false).penalty(0.2))
        .fit(&data)
        .unwrap();
    let predictions = array![
        [-0.285_110_254_516_243_83, 2.734_111_817_298_058_5],
        [0.599_056_295_791_963_2, -0.419_480_114_769_440_3]
    ];
    assert_abs_diff_eq!(model.predict(&new), predictions, epsilon = 1e-13);
}

/// Every way gives the answer whose gradient Xᵀ(y − ŷ) − λw vanishes: by XᵀX for tall records, by XXᵀ for wide ones; by one factor
/// or by the decomposition.
#[test]
fn every_way_is_the_same_minimum() {
    for (rows, columns) in [(12, 3), (12, 11), (12, 12), (12, 30), (1, 4), (2, 1)] {
        let (x, y) = (random(rows, columns, 1) + 3.0, random(rows, 2, 2));
        let data = Dataset::new(x.clone(), y.clone());
        for intercept in [true, false] {
            for penalty in [1e-3, 1.0, 1e3] {
                let params = Ridge::params().intercept(intercept);
                let one = params.clone().penalty(penalty).fit(&data).unwrap();
                let residuals = &y - &one.predict(&x);
                let gradient = x.t().dot(&residuals) - &(penalty * &one.weights());
                let scale = 3.0 * rows as f64;
                assert_abs_diff_eq!(
                    gradient,
                    Array2::zeros((columns, 2)),
                    epsilon = 1e-12 * scale
                );
                if intercept {
                    let sums = residuals.sum_axis(Axis(0));
                    assert_abs_diff_eq!(sums, Array1::zeros(2), epsilon = 1e-12 * scale);
                }
                if rows > 1 {
                    let path = params.penalties(&[penalty, penalty]).fit(&data).unwrap();
                    let (a, b) = (path.weights().to_owned(), one.weights().to_owned());
                    // The rounding of n terms times the condition of XᵀX + λI.
                    let condition = 1.0 + x.mapv(|v| v * v).sum() / penalty;
                    let largest = b.fold(0.0_f64, |m, v| m.max(v.abs()));
                    let known = (rows + 8) as f64 * f64::EPSILON * condition * largest;
                    assert_abs_diff_eq!(a, b, epsilon = known);
                }
            }
        }
    }
}

/// The function is the same for a thousand times the data with a million times the penalty, and in f32.
#[test]
fn scales() {
    let (x, y) = (random(20, 3, 10), random(20, 1, 11).remove_axis(Axis(1)));
    let fit = |scale: f64, lift: f64| {
        let data = Dataset::new(&x * scale, &y * lift);
        let params = Ridge::params().penalties(&[0.1 * scale * scale, scale * scale]);
        let model = params.fit(&data).unwrap();
        model.predict(&(&x * scale)) / lift
    };
    let expected = fit(1.0, 1.0);
    for (scale, lift) in [(1e-150, 1.0), (1e150, 1.0), (1.0, 1e-150), (1.0, 1e150)] {
        assert_abs_diff_eq!(fit(scale, lift), expected, epsilon = 1e-12);
    }
    let single = Dataset::new(x.mapv(|v| v as f32), y.mapv(|v| v as f32));
    let model = Ridge::params().penalties(&[0.1, 1.0]).fit(&single).unwrap();
    let found = model.predict(single.records()).mapv(f64::from);
    assert_abs_diff_eq!(found, expected, epsilon = 2e-6);
}

/// Predictions far from the origin, where wᵀx and b cancel, have the error of the records, not of b.
#[test]
fn records_far_from_the_origin() {
    let (x, y) = (random(20, 3, 12), random(20, 1, 13).remove_axis(Axis(1)));
    let near = Ridge::params()
        .fit(&Dataset::new(x.clone(), y.clone()))
        .unwrap();
    let shifted = &x + 1e8;
    let far = Ridge::params()
        .fit(&Dataset::new(shifted.clone(), y))
        .unwrap();
    // The shifted records are rounded to 10⁻⁸.
    assert_abs_diff_eq!(far.predict(&shifted), near.predict(&x), epsilon = 1e-7);
}

#[test]
fn targets_keep_their_shape() {
    let x = random(6, 2, 14);
    let column = x.column(0).to_owned();
    let model = Ridge::params()
        .fit(&Dataset::new(x.clone(), column.clone()))
        .unwrap();
    let one: Array1<f64> = model.predict(&x);
    let matrix = column.insert_axis(Axis(1));
    let three = concatenate![Axis(1), matrix, matrix, matrix];
    let model = Ridge::params()
        .fit(&Dataset::new(x.clone(), three))
        .unwrap();
    let all: Array2<f64> = model.predict(&x);
    assert_eq!(all.dim(), (6, 3));
    for column in all.columns() {
        assert_abs_diff_eq!(column.to_owned(), one, epsilon = 1e-15);
    }
    // Predictions in a column-major array are in their right places.
    let mut place = Array2::zeros((3, 6)).reversed_axes();
    model.predict_inplace(&x, &mut place);
    assert_eq!(place, all);
}

/// Targets that are all the same are predicted exactly, and their leave-one-out errors are 0.
#[test]
fn constant_targets_and_constant_records() {
    let data = Dataset::new(random(8, 3, 15), Array1::from_elem(8, 4.25));
    let path = RidgePath::params(&[0.0, 1.0]).fit(&data).unwrap();
    assert_eq!(path.predict(&random(3, 3, 16)), Array1::from_elem(3, 4.25));
    assert_eq!(path.points()[1].leave_one_out_error(), 0.0);
    // Without any difference between records, the mean of the other targets is the prediction.
    let data = Dataset::new(Array2::from_elem((3, 2), 7.0), array![0.0, 3.0, 6.0]);
    let path = RidgePath::params(&[1.0]).fit(&data).unwrap();
    let point = &path.points()[0];
    assert_abs_diff_eq!(
        *point.leave_one_out_residuals(),
        array![-4.5, 0.0, 4.5],
        epsilon = 1e-14
    );
    assert_abs_diff_eq!(point.degrees_of_freedom(), 1.0);
}

/// The expansion of a path of a kernel method is the expansion of the best point.
#[test]
fn expansions() {
    let x = random(30, 2, 22);
    let y = concatenate![Axis(1), x.mapv(|v| v * v), x];
    let data = Dataset::new(x, y);
    let new = random(7, 2, 23);
    for axes in [Axes::Principal, Axes::Cholesky] {
        let space = Exact::new(Gaussian::new(1.0)).axes(axes);
        let params = KernelRidge::params(Gaussian::new(1.0))
            .space(|_| space.clone())
            .method(|m| m.penalty(0.1));
        let model = params.fit(&data).unwrap();
        let expanded = model.expansion().evaluate(&new).unwrap();
        let whole = params.by_coordinates().fit(&data).unwrap();
        let expected = whole.predict(&new);
        assert_abs_diff_eq!(expanded, expected, epsilon = 1e-11);
        let path = Kernelized::new(RidgePath::params(&[0.1, 1.0, 10.0]), space.clone());
        let model = path.fit(&data).unwrap();
        let expanded = model.expansion().unwrap().evaluate(&new).unwrap();
        assert_abs_diff_eq!(expanded, model.predict(&new), epsilon = 1e-11);
        assert_eq!(
            model.space().rank(),
            space.fit_space(data.records()).unwrap().rank()
        );
    }
}
