//! Ridge regression on plain matrices, its path, and its kernel version where it is hard.

use approx::assert_abs_diff_eq;
use linfa::{
    Dataset, DatasetBase,
    traits::{Fit, Predict, PredictInplace},
};
use ndarray::{Array1, Array2, Axis, array, concatenate, s};
use npt_core::{
    Axes, Exact, Gaussian, KernelSpace, Kernelized, KernelizedError, Linear, Rank, SpaceBuilder,
};
use npt_methods::{
    Error, KernelRidge,
    linear::{Ridge, RidgePath, RidgePathPoint},
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

fn random(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || rng.gen_range(-1.0..1.0))
}

fn without(i: usize, x: &Array2<f64>) -> Array2<f64> {
    let others: Vec<usize> = (0..x.nrows()).filter(|&j| j != i).collect();
    x.select(Axis(0), &others)
}

/// The residual of each sample, predicted by a fit to the others.
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

/// scikit-learn 1.9.1: `Ridge(alpha=0.7, solver='svd').fit(X, Y)` and `KernelRidge(alpha=0.2,
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

/// Tall records by XᵀX, wide ones by XXᵀ; by one factor or by the decomposition: one answer, the
/// one whose gradient Xᵀ(y − ŷ) − λw vanishes.
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

/// Without a penalty: least squares, of which a tall matrix leaves something.
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

/// A penalty far below the eigenvalues that every sample needs: 1 − hᵢᵢ is 10⁻¹⁰ here, and still
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

/// The two meanings of leaving one out. In a space of full rank they agree; in one of reduced rank
/// refitting in the same coordinates is what is computed, and starting anew is something else.
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

/// A thousand times the data, a million times the penalty: the same function. And f32.
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

/// Far from the origin wᵀx and b cancel: predictions have the error of the records, not of b.
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
    // A column-major place for the predictions is filled as it is meant.
    let mut place = Array2::zeros((3, 6)).reversed_axes();
    model.predict_inplace(&x, &mut place);
    assert_eq!(place, all);
}

/// Targets that are all the same are predicted exactly, and leave nothing out.
#[test]
fn constant_targets_and_constant_records() {
    let data = Dataset::new(random(8, 3, 15), Array1::from_elem(8, 4.25));
    let path = RidgePath::params(&[0.0, 1.0]).fit(&data).unwrap();
    assert_eq!(path.predict(&random(3, 3, 16)), Array1::from_elem(3, 4.25));
    assert_eq!(path.points()[1].leave_one_out_error(), 0.0);
    // Without any difference between records, the mean of the others is the prediction.
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

#[test]
fn one_sample() {
    let data = Dataset::new(array![[2.0, 1.0]], array![5.0]);
    let model = Ridge::params().fit(&data).unwrap();
    assert_eq!(model.predict(&array![[9.0, 9.0]]), array![5.0]);
    let few = Error::TooFewSamples {
        found: 1,
        needed: 2,
    };
    let error = RidgePath::params(&[1.0]).fit(&data).err();
    assert_eq!(error, Some(few));
    // An uncentred space has room for it: w = x·y/(‖x‖² + λ).
    let model = KernelRidge::params(Linear::new())
        .space(|s| s.centered(false))
        .method(|m| m.intercept(false))
        .fit(&data)
        .unwrap();
    assert_abs_diff_eq!(
        model.predict(&array![[4.0, 2.0]]),
        array![50.0 / 6.0],
        epsilon = 1e-14
    );
}

#[test]
fn penalties_out_of_range() {
    let data = Dataset::new(random(5, 2, 1), Array1::<f64>::zeros(5));
    for penalty in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = |error: Option<Error>| {
            matches!(error, Some(Error::Parameter { of: "Ridge", parameter: "penalty", value, .. })
                if value.total_cmp(&penalty).is_eq())
        };
        assert!(refused(Ridge::params().penalty(penalty).fit(&data).err()));
        assert!(refused(RidgePath::params(&[1.0, penalty]).fit(&data).err()));
        let kernel = KernelRidge::params(Linear::new())
            .method(|m| m.penalty(penalty))
            .fit(&data);
        assert!(
            matches!(kernel.err(), Some(KernelizedError::Method(e)) if refused(Some(e.clone())))
        );
    }
    let none = RidgePath::params(&[]).fit(&data).err();
    assert!(matches!(
        none,
        Some(Error::Parameter {
            parameter: "number of penalties",
            ..
        })
    ));
}

/// Columns that depend on each other, by one way or the other, exactly or to rounding.
#[test]
fn a_penalty_is_needed() {
    let x = random(9, 2, 17);
    let twice = concatenate![Axis(1), x, x.sum_axis(Axis(1)).insert_axis(Axis(1)) / 3.0];
    let wide = random(3, 9, 18);
    for x in [twice, wide, Array2::ones((4, 2)), array![[1.0, 2.0]]] {
        let data = Dataset::new(x.clone(), Array1::ones(x.nrows()));
        for penalty in [0.0, 1e-18] {
            let error = Ridge::params().penalty(penalty).fit(&data).err();
            // Constant records have no scale above which the penalty would have to be.
            if penalty > 0.0 && (x.nrows() == 1 || x.nrows() == 4) {
                assert_eq!(error, None);
                continue;
            }
            let singular = |error: Option<Error>| {
                matches!(error, Some(Error::Singular { of: "Ridge", parameter: "penalty", value, least })
                    if value == penalty && (0.0..1e-13).contains(&least))
            };
            assert!(singular(error.clone()), "{error:?}");
            if x.nrows() > 1 {
                assert!(singular(RidgePath::params(&[penalty]).fit(&data).err()));
            }
        }
        assert!(Ridge::params().penalty(1e-9).fit(&data).is_ok());
    }
}

/// Sample 2 alone has something in the second column.
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

#[test]
fn targets_that_are_no_numbers() {
    let x = random(4, 2, 19);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let targets = array![[1.0, 2.0], [0.0, 1.0], [4.0, bad], [bad, 1.0]];
        let error = Ridge::params().fit(&Dataset::new(x.clone(), targets.clone()));
        assert!(
            matches!(error.err(), Some(Error::TargetNotFinite { row: 2, column: 1, value })
            if value.total_cmp(&bad).is_eq())
        );
        let column = targets.column(0).to_owned();
        let error = KernelRidge::params(Linear::new()).fit(&Dataset::new(x.clone(), column));
        assert!(matches!(
            error.err(),
            Some(KernelizedError::Method(Error::TargetNotFinite {
                row: 3,
                column: 0,
                ..
            }))
        ));
    }
    let none = Dataset::new(x.clone(), Array2::<f64>::zeros((4, 0)));
    assert_eq!(Ridge::params().fit(&none).err(), Some(Error::NoTargets));
    let few = DatasetBase::new(x, Array1::<f64>::zeros(3));
    let (samples, targets) = (4, 3);
    let count = npt_core::Error::TargetCount { samples, targets };
    assert_eq!(Ridge::params().fit(&few).err(), Some(Error::Core(count)));
}

#[test]
fn results_out_of_range() {
    let of = "Ridge";
    let wide = Dataset::new(random(4, 2, 20) * 1e200, Array1::ones(4));
    assert_eq!(
        Ridge::params().fit(&wide).err(),
        Some(Error::Overflow { of })
    );
    let path = RidgePath::params(&[1.0]);
    assert_eq!(path.fit(&wide).err(), Some(Error::Overflow { of }));
    // A penalty that is infinite in f32.
    let single = Dataset::new(Array2::<f32>::eye(3), Array1::ones(3));
    let error = Ridge::params().penalty(1e300).fit(&single).err();
    assert_eq!(error, Some(Error::Overflow { of }));
    let error = RidgePath::params(&[1e300]).fit(&single).err();
    assert_eq!(error, Some(Error::Overflow { of }));
    // The sum of targets is out of range; the mean of equal ones is not.
    let high = Dataset::new(random(4, 2, 21), array![f64::MAX, f64::MAX, f64::MAX, 0.0]);
    assert_eq!(
        Ridge::params().fit(&high).err(),
        Some(Error::Overflow { of })
    );
    let same = Dataset::new(random(4, 2, 21), Array1::from_elem(4, f64::MAX));
    let model = Ridge::params().fit(&same).unwrap();
    assert_eq!(model.predict(&same), same.targets);
}

/// A path of a kernel method: its expansion is that of the best point.
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
        let folded = model.expansion().evaluate(&new).unwrap();
        let whole = params.by_coordinates().fit(&data).unwrap();
        let expected = whole.predict(&new);
        assert_abs_diff_eq!(folded, expected, epsilon = 1e-11);
        let path = Kernelized::new(RidgePath::params(&[0.1, 1.0, 10.0]), space.clone());
        let model = path.fit(&data).unwrap();
        let folded = model.expansion().unwrap().evaluate(&new).unwrap();
        assert_abs_diff_eq!(folded, model.predict(&new), epsilon = 1e-11);
        assert_eq!(
            model.space().rank(),
            space.fit_space(data.records()).unwrap().rank()
        );
    }
}
