use super::{Features, Problem, minimise};
use ndarray::{Array2, Axis};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;

/// Two groups of three variables between 0 and 10 that start at 2.
fn two_groups() -> Problem {
    Problem {
        samples: 6,
        linear: vec![0.0; 6],
        lower: vec![0.0; 6],
        upper: vec![10.0; 6],
        group: vec![0, 1, 0, 1, 0, 1],
        groups: 2,
        start: vec![2.0; 6],
    }
}

/// What is missing of a sum, or too much, goes to the variable that is farthest from its bounds.
#[test]
fn a_sum_that_drifted_is_restored() {
    let problem = two_groups();
    let mut point = vec![2.5, 3.0, 0.0, 1.0, 3.0, 1.5];
    problem.restore_sums(&mut point);
    assert_eq!(point, [2.5, 3.5, 0.0, 1.0, 3.5, 1.5]);
    let mut point = vec![9.0, 0.25, 0.0, 9.0, 0.5, 0.5];
    problem.restore_sums(&mut point);
    // 3.5 too much in the first group, where none has room for it, and 3.75 in the second.
    assert_eq!(point, [9.0, 0.25, 0.0, 9.0, 0.5, 0.5]);
    let mut point = vec![6.0, 5.0, 0.0, 1.0, 0.5, 0.5];
    problem.restore_sums(&mut point);
    assert_eq!(point, [5.5, 4.5, 0.0, 1.0, 0.5, 0.5]);
}

/// Overlapping classes in few features: many moves, each of them rounded.
#[test]
fn sums_hold_after_many_moves() {
    let mut rng = Xoshiro256Plus::seed_from_u64(1);
    let x = Array2::from_shape_simple_fn((300, 4), || rng.sample::<f64, _>(StandardNormal));
    let signs = x.map_axis(Axis(1), |row| (row[0] + 2.0 * row[3].sin()).signum());
    let features = Features::centred(&x.view());
    // A power of two: what is at its bound adds up without rounding.
    let bound = 1024.0;
    let problem = Problem {
        samples: 300,
        linear: signs.iter().map(|y| -y).collect(),
        lower: signs.iter().map(|y| y.min(0.0) * bound).collect(),
        upper: signs.iter().map(|y| y.max(0.0) * bound).collect(),
        group: vec![0; 300],
        groups: 1,
        start: vec![0.0; 300],
    };
    let dual = minimise(&features, &problem, 1e-12, "Test").unwrap().dual;
    let (at_bound, free): (Vec<f64>, Vec<f64>) =
        dual.into_iter().partition(|value| value.abs() == bound);
    let sum = at_bound.iter().sum::<f64>() + free.iter().sum::<f64>();
    // Without it the drift is some ten times as large.
    assert!(sum.abs() <= 4.0 * bound * f64::EPSILON, "{sum:e}");
}
