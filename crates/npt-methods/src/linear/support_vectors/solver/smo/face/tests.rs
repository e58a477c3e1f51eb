use super::{
    super::{
        super::{Problem, kernel_rows::row_of},
        Active, Memory,
    },
    *,
};
use rand::{Rng, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256Plus;

const SAMPLES: usize = 120;

/// Returns inner products of samples in `features` features. They are singular if there are fewer features than samples.
fn products(features: usize) -> Array2<f64> {
    let mut rng = Xoshiro256Plus::seed_from_u64(3);
    let mut x =
        Array2::from_shape_simple_fn((SAMPLES, features), || rng.sample::<f64, _>(StandardNormal));
    // Lengths from 1 to 1e-3: badly conditioned.
    for (k, mut column) in x.columns_mut().into_iter().enumerate() {
        column *= 10_f64.powf(-3.0 * k as f64 / features as f64);
    }
    x.dot(&x.t())
}

/// Returns a problem of two groups, with one variable or two per sample, of which the last are at their upper bounds.
fn problem(layers: usize, room: f64) -> Problem {
    let count = layers * SAMPLES;
    let at_bound = |t: &usize| t % SAMPLES >= SAMPLES - 10;
    let start = (0..count).map(|t| if at_bound(&t) { room } else { 0.5 * room });
    Problem {
        samples: SAMPLES,
        linear: (0..count).map(|t| (t as f64).sin()).collect(),
        lower: vec![0.0; count],
        upper: vec![room; count],
        group: (0..count).map(|t| t % 2).collect(),
        groups: 2,
        start: start.collect(),
        scores: None,
    }
}

fn gradient(k: &Array2<f64>, problem: &Problem, point: &[f64]) -> Vec<f64> {
    let score = |i: usize| -> f64 {
        let terms = point.iter().enumerate();
        terms.map(|(t, value)| k[[i, t % SAMPLES]] * value).sum()
    };
    let linear = problem.linear.iter().enumerate();
    linear.map(|(t, p)| p + score(t % SAMPLES)).collect()
}

fn objective(problem: &Problem, point: &[f64], gradient: &[f64]) -> f64 {
    let terms = point.iter().zip(gradient).zip(&problem.linear);
    terms.map(|((value, g), p)| value * (g + p) / 2.0).sum()
}

/// Returns the point after some rounds of steps, its gradient as it was followed, and how far the gradients of
/// variables between their bounds are apart.
fn relaxed(k: &Array2<f64>, problem: &Problem, rounds: usize) -> (Vec<f64>, Vec<f64>, f64) {
    let all: Vec<usize> = (0..SAMPLES).collect();
    let active = Active {
        rows: all.iter().map(|&i| row_of(k, i)).collect(),
        columns: all.clone(),
        samples: all,
    };
    let first = gradient(k, problem, &problem.start);
    let memory = Memory::default();
    let mut part = Subproblem::new(problem, active, &problem.start, &first, memory);
    for _ in 0..rounds {
        part.relax(1e-9);
    }
    let mut spread = 0.0_f64;
    for group in 0..problem.groups {
        let free = (0..part.gradient.len()).filter(|&t| problem.group[t] == group);
        let free = free.filter(|&t| part.is_free(t));
        let values: Vec<f64> = free.map(|t| part.gradient[t]).collect();
        let largest = values.iter().fold(f64::NEG_INFINITY, |m, &v| m.max(v));
        let least = values.iter().fold(f64::INFINITY, |m, &v| m.min(v));
        spread = spread.max(largest - least);
    }
    let followed = part.gradient.clone();
    let mut point = problem.start.clone();
    part.write(&mut point);
    (point, followed, spread)
}

/// Bounds and sums hold, the gradient is that of the point, and the objective has not risen; without
/// bounds on the way, all gradients of a group agree.
#[test]
fn moves_all_that_are_free_towards_the_optimum() {
    let single = |k: Array2<f64>| k.mapv(|v| f64::from(v as f32));
    for (name, k, layers, room) in [
        ("without bounds on the way", products(200), 1, 1e9),
        ("with bounds", products(200), 1, 2.0),
        ("singular", products(4), 1, 2.0),
        (
            "in single precision, indefinite",
            single(products(4)),
            1,
            2.0,
        ),
        ("two variables a sample", products(200), 2, 2.0),
    ] {
        let problem = problem(layers, room);
        let first = gradient(&k, &problem, &problem.start);
        let mut before = objective(&problem, &problem.start, &first);
        for rounds in [1, 2, 4, 8] {
            let (point, followed, spread) = relaxed(&k, &problem, rounds);
            let true_gradient = gradient(&k, &problem, &point);
            let sum: f64 = point.iter().map(|v| v.abs()).sum();
            // The size of what adds up to an entry of the gradient.
            let size = sum * k.diag().fold(0.0_f64, |m, &v| m.max(v));
            for (t, (&value, (&g, &expected))) in point
                .iter()
                .zip(followed.iter().zip(&true_gradient))
                .enumerate()
            {
                assert!((0.0..=room).contains(&value), "{name}: {value:e}");
                assert!(
                    (g - expected).abs() <= 1e-15 * size,
                    "{name}, {t}: {g:e} {expected:e}"
                );
            }
            for group in 0..2 {
                let of_group = (0..point.len()).filter(|&t| problem.group[t] == group);
                let drift: f64 = of_group.map(|t| point[t] - problem.start[t]).sum();
                assert!(drift.abs() <= 1e-15 * sum, "{name}: {drift:e}");
            }
            let after = objective(&problem, &point, &true_gradient);
            assert!(
                after <= before + 1e-15 * size * room,
                "{name}: {after:e} {before:e}"
            );
            if rounds == 1 {
                assert!(after < before, "{name}: {after:e} {before:e}");
            }
            before = after;
            if rounds == 8 {
                assert!(spread <= 1e-9 + 1e-15 * size, "{name}: {spread:e}");
            }
        }
    }
}
