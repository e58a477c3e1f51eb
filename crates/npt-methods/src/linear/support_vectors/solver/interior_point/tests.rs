use super::{
    super::{
        ROUNDING,
        tests::{assert_feasible, overlapping, programs, violation},
    },
    Inputs, Inside, Iterations, approach,
};
use crate::inner_products::Gram;
use ndarray::{Array2, s};

/// The point is feasible and within the tolerance, whatever the penalty, and to many digits.
#[test]
fn the_point_is_feasible_and_within_the_tolerance() {
    for (name, x, problem) in programs(900) {
        let inputs = Inputs::uncentered(x.clone());
        for tolerance in [1e-3, 1e-9] {
            let point = approach(&inputs, &problem, tolerance, &mut Iterations::begin()).unwrap();
            assert_feasible(&problem, &point);
            let found = violation(&x, &problem, &point);
            // Scores are sums of as many terms as large as this.
            let terms: f64 = point.iter().map(|value| value.abs()).sum();
            let rounding = ROUNDING * terms;
            assert!(
                found <= tolerance + rounding,
                "{name}, {tolerance}: {found:e}"
            );
        }
    }
}

/// A few dozen steps, whatever the samples, penalties and digits; at each one the point is no farther from optimal than it is said to be.
#[test]
fn steps_are_few() {
    for samples in [200, 900] {
        for (name, x, problem) in programs(samples) {
            let mut inside = Inside::new(&x, &problem);
            let mut steps = 0;
            // Scores come from the middle between the bounds, with the rounding of sums that are as large as there.
            let widths = problem.upper.iter().zip(&problem.lower);
            let terms: f64 = widths.map(|(most, least)| most - least).sum();
            while inside.violation() > 1e-9 && inside.advance().is_some() {
                let point = problem.feasible(inside.point());
                let found = violation(&x, &problem, &point);
                let most = inside.violation() + ROUNDING * terms;
                assert!(found <= most, "{name}, {steps}: {found:e} {most:e}");
                steps += 1;
            }
            assert!(steps <= 40, "{name}, {samples}: {steps}");
        }
    }
}

/// Targets on a plane and a tube without width: all variables end between their bounds, and all multipliers vanish.
#[test]
fn all_variables_between_their_bounds() {
    for (samples, penalty) in [(200, 1.0), (900, 0.01), (900, 30.0)] {
        let (x, mut problem) = overlapping(samples, penalty);
        let inputs = Inputs::uncentered(x);
        let x = inputs.rows().unwrap();
        let plane = 0.3 * &x.column(0) - 0.1 * &x.column(1);
        // The targets lie on a plane that the penalty does not bound.
        problem.linear = plane.iter().map(|y| -penalty * y).collect();
        problem.lower = vec![-penalty; samples];
        problem.upper = vec![penalty; samples];
        problem.start = vec![0.0; samples];
        let mut inside = Inside::new(x, &problem);
        let mut steps = 0;
        while inside.violation() > 1e-6 * penalty && inside.advance().is_some() {
            steps += 1;
        }
        // Another implementation of the same steps, in numpy, takes 3.
        assert!(steps <= 6, "{penalty}: {steps}");
        let tolerance = 1e-6 * penalty;
        let point = approach(&inputs, &problem, tolerance, &mut Iterations::begin()).unwrap();
        assert_feasible(&problem, &point);
        let is_inside = |v: &&f64| v.abs() < 0.999 * penalty;
        assert_eq!(point.iter().filter(is_inside).count(), samples, "{penalty}");
        let found = violation(x, &problem, &point);
        assert!(found <= 2.0 * tolerance, "{penalty}: {found:e}");
    }
}

/// Rows that are all alike have no curvature.
#[test]
fn rows_of_nothing() {
    let (_, problem) = overlapping(600, 1.0);
    let inputs = Inputs::centered(Array2::<f64>::ones((600, 2)));
    let point = approach(&inputs, &problem, 1e-3, &mut Iterations::begin()).unwrap();
    assert_feasible(&problem, &point);
    let positive = problem.upper.iter().filter(|&&v| v > 0.0).count();
    let most: f64 = point.iter().map(|v| v.abs()).sum();
    assert!((most - 2.0 * positive.min(600 - positive) as f64).abs() < 1e-9);
}

#[test]
fn not_without_rows_nor_of_long_ones() {
    let (x, problem) = overlapping(600, 1.0);
    let gram = Gram(x.dot(&x.t()));
    let of_products = Inputs::of_products::<f64>(&gram, (0..600).collect());
    assert!(approach(&of_products, &problem, 1e-3, &mut Iterations::begin()).is_none());
    // Eight samples a feature are enough.
    for (features, is_long) in [(75, false), (76, true)] {
        let (mut wide, _) = overlapping(150 * features, 1.0);
        wide = wide.into_shape_with_order((600, features)).unwrap();
        wide.slice_mut(s![.., ..4]).assign(&x);
        let inputs = Inputs::uncentered(wide);
        let approached = approach(&inputs, &problem, 1e-3, &mut Iterations::begin());
        assert_eq!(approached.is_none(), is_long, "{features}");
    }
}
