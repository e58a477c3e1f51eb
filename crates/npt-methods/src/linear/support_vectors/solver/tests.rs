mod stuck;

use super::{
    FEW_ACTIVE, IN_ROWS, Inputs, PATIENCE, Pace, Problem, ROUNDING, ROUNDS, minimise,
    minimise_with, numbers_in_rows,
};
use crate::inner_products::Gram;
use ndarray::{Array1, Array2, Axis, array};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;

/// Returns a problem of two groups of three variables between 0 and 10 that start at 2.
fn two_groups() -> Problem {
    Problem {
        samples: 6,
        linear: vec![0.0; 6],
        lower: vec![0.0; 6],
        upper: vec![10.0; 6],
        group: vec![0, 1, 0, 1, 0, 1],
        groups: 2,
        start: vec![2.0; 6],
        scores: None,
    }
}

/// The largest terms are of samples as they were given, in their own unit and not from their mean: Σ|xⱼwⱼ| is 7, 17, 3 and 3.
#[test]
fn the_largest_terms_of_a_sample() {
    let inputs = Inputs::centered(array![[3.0, -1.0], [5.0, 7.0], [-1.0, 1.0], [1.0, 1.0]]);
    assert_eq!(inputs.largest_terms(&array![2.0, -1.0]), 17.0);
}

/// The terms are Σ|βᵢ|‖xᵢ‖ times the largest ‖xᵢ‖ of samples that count, in units of 4. A matrix in single precision is known to
/// that precision.
#[test]
fn terms_of_scores() {
    let inputs = Inputs::uncentered(array![[3.0, 4.0], [0.0, 2.0]]);
    assert_eq!(inputs.terms(&[2.0, -4.0], |_| true), 4.5 * 1.25);
    assert_eq!(inputs.terms(&[2.0, -4.0], |sample| sample == 1), 4.5 * 0.5);
    let single = Inputs::of_matrix(Array2::<f32>::eye(2));
    assert_eq!(single.rounding(), 4.0 * f64::from(f32::EPSILON));
}

/// The variable that is farthest from its bounds takes what is missing of a sum, or too much.
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
    // Room is to either bound: 4.25, 4.375 and 3.375 in the first group, which lacks a half.
    let problem = Problem {
        lower: vec![1.0; 6],
        start: vec![6.0; 6],
        ..problem
    };
    let mut point = vec![5.25, 6.0, 5.625, 6.0, 6.625, 6.0];
    problem.restore_sums(&mut point);
    assert_eq!(point, [5.25, 6.0, 6.125, 6.0, 6.625, 6.0]);
}

/// Returns two classes of n samples in four features, which overlap, and their program with C = `bound`.
pub(super) fn overlapping(n: usize, bound: f64) -> (Array2<f64>, Problem) {
    let mut rng = Xoshiro256Plus::seed_from_u64(1);
    let x = Array2::from_shape_simple_fn((n, 4), || rng.sample::<f64, _>(StandardNormal));
    let signs = x.map_axis(Axis(1), |row| (row[0] + 2.0 * row[3].sin()).signum());
    let problem = two_classes(&signs, bound);
    (x, problem)
}

/// Returns the program of two classes with C = `bound`.
fn two_classes(signs: &Array1<f64>, bound: f64) -> Problem {
    let samples = signs.len();
    Problem {
        samples,
        linear: signs.iter().map(|y| -y).collect(),
        lower: signs.iter().map(|y| y.min(0.0) * bound).collect(),
        upper: signs.iter().map(|y| y.max(0.0) * bound).collect(),
        group: vec![0; samples],
        groups: 1,
        start: vec![0.0; samples],
        scores: None,
    }
}

/// w is equal whether K is held whole, as rows, as rows until they do not fit, or of a working set only, and
/// whatever the start.
#[test]
fn what_is_held_of_the_kernel_matrix_changes_nothing() {
    let (n, all) = (900, (0..900).collect::<Vec<usize>>());
    let (x, mut problem) = overlapping(n, 1.0);
    let gram = Gram(gaussian(&x));
    let inputs = Inputs::of_products::<f64>(&gram, all);
    let mut scores = |in_rows: usize| {
        let solution = minimise_with((in_rows, ROUNDS), &inputs, &problem, 1e-9, "Test").unwrap();
        let dual = Array1::from(solution.scores.dual);
        let scores = gram.0.dot(&dual) + solution.levels[0];
        problem.start = dual.to_vec();
        problem.start.iter_mut().for_each(|value| *value *= 0.5);
        scores
    };
    let expected = scores(IN_ROWS);
    for in_rows in [0, 200 * n, 500 * n, IN_ROWS] {
        let off = (&scores(in_rows) - &expected).fold(0.0_f64, |m, v| m.max(v.abs()));
        assert!(off <= 1e-7, "{in_rows}: {off:e}");
    }
}

/// Returns a kernel matrix that is not of few dimensions: many samples move.
fn gaussian(x: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn((x.nrows(), x.nrows()), |(i, j)| {
        let d = &x.row(i) - &x.row(j);
        (-0.5 * d.dot(&d)).exp()
    })
}

/// No variable that can rise gains more than one of its group that can fall. More samples move than at a time, with one sum for
/// each class as in ν-SVC, or one sum for all.
#[test]
fn many_samples_and_groups() {
    let n = 1500;
    let (x, one_group) = overlapping(n, 1.0);
    let k = gaussian(&x);
    let group: Vec<usize> = one_group
        .linear
        .iter()
        .map(|&p| usize::from(p > 0.0))
        .collect();
    let start = group
        .iter()
        .map(|&g| if g == 0 { 0.3 } else { -0.3 })
        .collect();
    let groups = 2;
    let two_groups = Problem {
        linear: vec![0.0; n],
        group,
        groups,
        start,
        ..overlapping(n, 1.0).1
    };
    for (problem, tolerance) in [(one_group, 1e-3), (two_groups, 1e-10)] {
        let inputs = Inputs::of_matrix(k.clone());
        let dual = minimise(&inputs, &problem, tolerance, "Test")
            .unwrap()
            .scores
            .dual;
        let scores = k.dot(&Array1::from(dual.clone()));
        for group in 0..problem.groups {
            let (mut up, mut down, mut sum) = (f64::NEG_INFINITY, f64::INFINITY, 0.0);
            for i in (0..n).filter(|&i| problem.group[i] == group) {
                assert!(problem.lower[i] <= dual[i] && dual[i] <= problem.upper[i]);
                let gain = -(scores[i] + problem.linear[i]);
                if dual[i] < problem.upper[i] {
                    up = up.max(gain);
                }
                if dual[i] > problem.lower[i] {
                    down = down.min(gain);
                }
                sum += dual[i] - problem.start[i];
            }
            assert!(up - down <= tolerance + 1e-11, "{group}: {:e}", up - down);
            assert!(sum.abs() < 1e-11, "{group}: {sum:e}");
        }
    }
}

/// One sample is against two thousand, which at the start violate optimality as much as it does. It is solved by rows of
/// the kernel matrix, and by the matrix of a working set.
#[test]
fn one_sample_against_all_others() {
    let n = 2000;
    let (x, _) = overlapping(n, 1.0);
    let gram = Gram(gaussian(&x));
    let signs = Array1::from_shape_fn(n, |i| if i == 1 { 1.0_f64 } else { -1.0 });
    let problem = two_classes(&signs, 1.0);
    for in_rows in [0, 300 * n, IN_ROWS] {
        let inputs = Inputs::of_products::<f64>(&gram, (0..n).collect());
        let solution = minimise_with((in_rows, ROUNDS), &inputs, &problem, 1e-6, "Test").unwrap();
        assert_eq!(solution.scores.dual[1], 1.0);
        assert!((solution.scores.dual.iter().sum::<f64>()).abs() < 1e-12);
    }
}

/// Classes that overlap in few features take many moves, each of them rounded.
#[test]
fn sums_hold_after_many_moves() {
    // A power of two: variables at this bound add up without rounding.
    let bound = 1024.0;
    let (x, problem) = overlapping(300, bound);
    let inputs = Inputs::centered(x);
    let dual = minimise(&inputs, &problem, 1e-12, "Test")
        .unwrap()
        .scores
        .dual;
    let (at_bound, free): (Vec<f64>, Vec<f64>) =
        dual.into_iter().partition(|value| value.abs() == bound);
    let sum = at_bound.iter().sum::<f64>() + free.iter().sum::<f64>();
    // Without restored sums the drift is some ten times as large.
    assert!(sum.abs() <= 4.0 * bound * f64::EPSILON, "{sum:e}");
}

/// Scores that were scaled and followed from penalty to penalty, as in cross-validation, and not computed
/// anew, are those of β but for a small share of the tolerance.
#[test]
fn scores_of_a_path_of_penalties_are_those_of_its_points() {
    let (n, tolerance) = (900, 1e-3);
    let (x, _) = overlapping(n, 1.0);
    let k = gaussian(&x);
    let inputs = Inputs::of_matrix(k.clone());
    let mut before: Option<super::Solution> = None;
    for penalty in [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0] {
        let (_, mut problem) = overlapping(n, penalty);
        if let Some(solution) = &before {
            problem.start = solution.scores.dual.iter().map(|v| v * 10.0).collect();
            let bounds = problem.lower.iter().zip(&problem.upper);
            for (value, (&lower, &upper)) in problem.start.iter_mut().zip(bounds) {
                *value = value.clamp(lower, upper);
            }
            let scores = &solution.scores;
            problem.scores = Some(scores.scaled(10.0, problem.start.clone(), &inputs));
        }
        let solution = minimise(&inputs, &problem, tolerance, "Test").unwrap();
        let expected = k.dot(&Array1::from(solution.scores.dual.clone()));
        for (j, (&g, &score)) in solution.gradient.iter().zip(&expected).enumerate() {
            let off = g - problem.linear[j] - score;
            assert!(
                off.abs() <= tolerance * super::DRIFT,
                "C = {penalty}: {off:e}"
            );
        }
        before = Some(solution);
    }
}

/// Returns the largest violation of optimality.
pub(super) fn violation(x: &Array2<f64>, problem: &Problem, point: &[f64]) -> f64 {
    let n = problem.samples;
    let mut dual = Array1::zeros(n);
    for (t, value) in point.iter().enumerate() {
        dual[t % n] += value;
    }
    let scores = x.dot(&x.t().dot(&dual));
    let of_group = |group: usize| {
        let (mut up, mut down) = (f64::NEG_INFINITY, f64::INFINITY);
        for t in (0..point.len()).filter(|&t| problem.group[t] == group) {
            let gain = -(scores[t % n] + problem.linear[t]);
            if point[t] < problem.upper[t] {
                up = up.max(gain);
            }
            if point[t] > problem.lower[t] {
                down = down.min(gain);
            }
        }
        up - down
    };
    (0..problem.groups).map(of_group).fold(0.0, f64::max)
}

pub(super) fn assert_feasible(problem: &Problem, point: &[f64]) {
    for (t, &value) in point.iter().enumerate() {
        assert!(problem.lower[t] <= value && value <= problem.upper[t]);
    }
    let widest = problem.upper.iter().fold(0.0_f64, |m, &v| v.max(m));
    for group in 0..problem.groups {
        let of_group = (0..point.len()).filter(|&t| problem.group[t] == group);
        let drift: f64 = of_group.map(|t| point[t] - problem.start[t]).sum();
        let rounding = f64::EPSILON * widest * point.len() as f64;
        assert!(drift.abs() <= rounding, "{drift:e}");
    }
}

/// Returns a program with two variables per sample, as regression has them, with a tube of half-width 0.1.
fn regression(n: usize, bound: f64) -> (Array2<f64>, Problem) {
    let (x, of_classes) = overlapping(n, bound);
    let targets = &of_classes.linear;
    let problem = Problem {
        linear: [1.0, -1.0]
            .iter()
            .flat_map(|side| targets.iter().map(move |y| y + 0.1 * side))
            .collect(),
        lower: [0.0, -bound].iter().flat_map(|&v| vec![v; n]).collect(),
        upper: [bound, 0.0].iter().flat_map(|&v| vec![v; n]).collect(),
        group: vec![0; 2 * n],
        start: vec![0.0; 2 * n],
        ..of_classes
    };
    (x, problem)
}

/// Returns a program with two sums, as ν-classification has them.
fn two_sums(n: usize) -> (Array2<f64>, Problem) {
    let (x, mut problem) = overlapping(n, 1.0);
    let group = problem.linear.iter().map(|&p| usize::from(p > 0.0));
    problem.group = group.collect();
    problem.linear.fill(0.0);
    problem.start = problem.group.iter().map(|&g| [0.3, -0.3][g]).collect();
    problem.groups = 2;
    (x, problem)
}

/// The search for a tolerance that rounding does not reach ends where rounds bring it no nearer.
#[test]
fn a_tolerance_below_rounding() {
    for bound in [0.01, 1.0, 1e4] {
        let (mut x, problem) = overlapping(300, bound);
        super::to_unit(&mut x);
        let inputs = Inputs::uncentered(x.clone());
        let solution = minimise(&inputs, &problem, 1e-300, "").unwrap();
        let point = &solution.scores.dual;
        let terms: f64 = point.iter().map(|value| value.abs()).sum();
        let longest = x
            .map_axis(Axis(1), |row| row.dot(&row))
            .fold(0.0, |m: f64, &v| m.max(v));
        let found = violation(&x, &problem, point);
        let known = 16.0 * ROUNDING * (1.0 + terms * longest);
        assert!(found <= known, "{bound}: {found:e} of {known:e}");
    }
}

/// More samples may move where the violation has not halved in [`PATIENCE`] rounds; it has stalled where it was no smaller in any of these.
#[test]
fn the_pace_of_rounds() {
    let mut pace = Pace::new();
    let rounds = |pace: &mut Pace, count: usize, violation: f64| {
        (0..count).for_each(|_| pace.note(violation));
    };
    rounds(&mut pace, PATIENCE, 8.0);
    assert_eq!((pace.most_active, pace.has_stalled()), (FEW_ACTIVE, false));
    // Half of what it was, and a little more than half.
    rounds(&mut pace, PATIENCE, 4.0);
    assert_eq!((pace.most_active, pace.has_stalled()), (FEW_ACTIVE, false));
    rounds(&mut pace, 1, 2.1);
    assert_eq!(pace.most_active, 2 * FEW_ACTIVE);
    rounds(&mut pace, PATIENCE - 1, 2.1);
    assert!(!pace.has_stalled());
    rounds(&mut pace, 1, 3.0);
    assert_eq!(
        (pace.most_active, pace.has_stalled()),
        (4 * FEW_ACTIVE, true)
    );
    // The least violation so far is what counts.
    rounds(&mut pace, 1, 2.5);
    assert!(pace.has_stalled());
    rounds(&mut pace, 1, 2.0);
    assert!(!pace.has_stalled());
}

/// Returns programs with one sum or two, and one variable per sample or two, in a unit in which inputs leave the rows as they are.
pub(super) fn programs(n: usize) -> Vec<(&'static str, Array2<f64>, Problem)> {
    let programs = [
        ("small penalty", overlapping(n, 0.01)),
        ("penalty", overlapping(n, 1.0)),
        ("two sums", two_sums(n)),
        ("regression", regression(n, 1.0)),
        ("large penalty", overlapping(n, 1e4)),
        ("regression, large penalty", regression(n, 1e4)),
    ];
    let of_unit = programs.into_iter().map(|(name, (mut x, problem))| {
        super::to_unit(&mut x);
        (name, x, problem)
    });
    of_unit.collect()
}

/// Rows may take a quarter of the memory in all threads, and 256 MB at the least. Where a smaller limit forbids that, the rows ask
/// for it themselves.
#[test]
fn rows_follow_the_memory() {
    assert_eq!(numbers_in_rows(None, 8), IN_ROWS);
    assert_eq!(numbers_in_rows(Some(1 << 20), 2), IN_ROWS);
    assert_eq!(numbers_in_rows(Some(1 << 36), 2), 1 << 30);
    assert_eq!(numbers_in_rows(Some(1 << 36), 8), 1 << 28);
}
