//! Tests of the distance from the optimum, by weak duality: a feasible dual point never exceeds a primal
//! one, so that their difference bounds the error of both. It is computed here from the records and
//! the coefficients that a model returns.

use super::normal;
use linfa::{DatasetBase, traits::Fit};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use npt_core::Scalar;
use npt_methods::{
    Error,
    linear::{NuSvc, OneClassSvm, Svc, Svr},
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

const TOLERANCE: f64 = 1e-6;

/// A problem of random size, scale, noise and number of duplicates.
struct Problem {
    x: Array2<f64>,
    signs: Array1<f64>,
    values: Array1<f64>,
    c: f64,
    nu: f64,
    seed: u64,
}

impl Problem {
    fn new(seed: u64) -> Self {
        let mut rng = Xoshiro256Plus::seed_from_u64(seed);
        let (n, d) = (rng.gen_range(2..40), rng.gen_range(1..8));
        let scale = 10.0_f64.powf(rng.gen_range(-2.0..2.0));
        let mut x = normal(n, d, seed);
        for _ in 0..rng.gen_range(0..n) {
            let (from, to) = (rng.gen_range(0..n), rng.gen_range(0..n));
            let row = x.row(from).to_owned();
            x.row_mut(to).assign(&row);
        }
        let noise = normal(n, 1, seed + 1).remove_axis(Axis(1)) * rng.gen_range(0.0..1.0);
        let values = x.map_axis(Axis(1), |row| row[0] + 0.5 * row.sum().sin()) + noise;
        let mut signs = values.mapv(f64::signum);
        (signs[0], signs[1]) = (1.0, -1.0);
        Self {
            x: x * scale,
            signs,
            values,
            // In units in which the kernel is of order 1.
            c: 10.0_f64.powf(rng.gen_range(-2.0..2.0)) / (scale * scale),
            nu: rng.gen_range(0.01..1.0),
            seed,
        }
    }

    fn largest_nu(&self) -> f64 {
        let positive = self.signs.iter().filter(|&&y| y > 0.0).count();
        let n = self.signs.len();
        2.0 * positive.min(n - positive) as f64 / n as f64
    }

    fn x<F: Scalar>(&self) -> Array2<F> {
        self.x.mapv(F::cast)
    }

    fn sides<F: Scalar>(&self) -> DatasetBase<Array2<F>, Array1<bool>> {
        DatasetBase::new(self.x(), self.signs.mapv(|y| y > 0.0))
    }
}

/// A plane in `f64`, with w computed from the dual coefficients. Sums of size `cancelled` in these coefficients
/// may have left their rounding.
struct Found {
    dual: Array1<f64>,
    values: Array1<f64>,
    squared: f64,
    bias: f64,
    /// The size of the terms that add up to values.
    terms: f64,
}

impl Found {
    fn new<F: Scalar>(
        x: &Array2<F>,
        dual: ArrayView1<'_, F>,
        weights: ArrayView1<'_, F>,
        bias: F,
        cancelled: f64,
    ) -> Self {
        let (x, dual) = (x.mapv(F::as_f64), dual.mapv(F::as_f64));
        let w = x.t().dot(&dual);
        let terms = dual.fold(cancelled, |s, v| s + v.abs());
        let largest = x.fold(0.0_f64, |m, v| m.max(v.abs()));
        let size = largest * terms;
        let rounding = 10.0 * F::epsilon().as_f64() * size;
        let bias = bias.as_f64();
        assert!(
            (&w - &weights.mapv(F::as_f64))
                .iter()
                .all(|d| d.abs() <= rounding),
            "the weights are those of the dual coefficients"
        );
        Found {
            values: x.dot(&w) + bias,
            squared: w.dot(&w),
            dual,
            bias,
            terms: x.ncols() as f64 * largest * size + bias.abs(),
        }
    }
}

/// Asserts 0 ≤ gap ≤ `share` of the sum of all penalties, to the rounding of the terms and of the
/// values, each of which may cost its penalty.
fn assert_gap<F: Scalar>(
    seed: u64,
    found: &Found,
    primal: &[f64],
    dual: &[f64],
    penalties: f64,
    share: f64,
) {
    let gap = primal.iter().sum::<f64>() - dual.iter().sum::<f64>();
    let size: f64 = primal.iter().chain(dual).map(|v| v.abs()).sum();
    let rounding = 10.0 * F::epsilon().as_f64() * (size + penalties * found.terms);
    let bound = share * penalties;
    assert!(
        -rounding <= gap && gap <= bound + rounding,
        "seed {seed}: the gap is {gap:e}, of {size:e}; {bound:e} and {rounding:e} are allowed"
    );
}

fn classify<F: Scalar>(problem: &Problem, svc: &Svc<F>, c: f64) {
    let found = Found::new(&problem.x(), svc.dual(), svc.weights(), svc.bias(), 0.0);
    let alpha = &found.dual * &problem.signs;
    let within = c * (1.0 + 100.0 * F::epsilon().as_f64() + 10.0 * TOLERANCE);
    assert!(alpha.iter().all(|&a| 0.0 <= a && a <= within));
    let slack = (&found.values * &problem.signs).mapv(|m| (1.0 - m).max(0.0));
    let half = found.squared / 2.0;
    assert_gap::<F>(
        problem.seed,
        &found,
        &[half, c * slack.sum()],
        &[alpha.sum(), -half],
        c * alpha.len() as f64,
        TOLERANCE,
    );
}

/// At most a share ν of the samples lies `beyond` the margin or tube, to the tolerance and to
/// rounding of values of size `size`, and at least a share ν are support vectors.
fn nu_bounds<F: Scalar>(
    problem: &Problem,
    dual: ArrayView1<'_, F>,
    beyond: &Array1<f64>,
    size: f64,
    nu: f64,
) {
    let share = nu * beyond.len() as f64;
    let rounding = 100.0 * F::epsilon().as_f64();
    let level = 10.0 * TOLERANCE + rounding * size;
    let errors = beyond.iter().filter(|&&b| b > level).count() as f64;
    let support = dual.iter().filter(|v| **v != F::zero()).count() as f64;
    assert!(
        errors <= share + rounding && share - rounding <= support,
        "seed {}: {errors} beyond, {support} support vectors, for a share of {share}",
        problem.seed
    );
}

fn check<F: Scalar>(problem: &Problem) -> bool {
    let n = problem.signs.len() as f64;
    let params = Svc::params().c(problem.c).tolerance(TOLERANCE);
    classify(
        problem,
        &params.fit(&problem.sides::<F>()).unwrap(),
        problem.c,
    );

    let nu = problem.nu * problem.largest_nu();
    let separated = match NuSvc::params(nu)
        .tolerance(TOLERANCE)
        .fit(&problem.sides::<F>())
    {
        Ok(svc) => {
            let total = svc.dual().iter().map(|v| v.as_f64().abs()).sum::<f64>();
            classify(problem, &svc, total / (nu * n));
            let margins = svc.decision_function(&problem.x()).mapv(F::as_f64) * &problem.signs;
            let beyond = margins.mapv(|m| 1.0 - m);
            nu_bounds(problem, svc.dual(), &beyond, 1.0, nu);
            true
        }
        Err(error) => {
            assert_eq!(error, Error::NoMargin { method: "NuSvc" });
            false
        }
    };

    let targets = problem.values.mapv(F::cast);
    let data = DatasetBase::new(problem.x::<F>(), targets.clone());
    let targets = targets.mapv(F::as_f64);
    let params = Svr::params().c(problem.c).tolerance(TOLERANCE);
    for (params, nu) in [
        (params.clone().epsilon(0.2), None),
        (params.nu(problem.nu), Some(problem.nu)),
    ] {
        let svr = params.fit(&data).unwrap();
        // With ν, where ε = 0, the coefficients of both sides of the tube sum to Cνn/2.
        let cancelled = nu.map_or(0.0, |nu| problem.c * nu * n);
        let found = Found::new(
            &problem.x(),
            svr.dual(),
            svr.weights(),
            svr.bias(),
            cancelled,
        );
        let epsilon = svr.epsilon().as_f64();
        let beyond = (&found.values - &targets).mapv(|r| r.abs() - epsilon);
        // There is no bound at ε = 0.
        if let Some(nu) = nu.filter(|_| epsilon > 100.0 * TOLERANCE) {
            nu_bounds(problem, svr.dual(), &beyond, 1.0 + found.terms, nu);
        }
        let beyond = beyond.mapv(|b| b.max(0.0));
        let total = found.dual.fold(0.0, |s, v| s + v.abs());
        let (price, refund) = match nu {
            None => (0.0, epsilon * total),
            Some(nu) => (problem.c * nu * n * epsilon, 0.0),
        };
        let half = found.squared / 2.0;
        assert_gap::<F>(
            problem.seed,
            &found,
            &[half, problem.c * beyond.sum(), price],
            &[targets.dot(&found.dual), -refund, -half],
            2.0 * problem.c * n,
            TOLERANCE,
        );
    }
    separated
}

fn check_one_class<F: Scalar>(problem: &Problem) {
    // Most of the data are moved away from the origin.
    let x = &problem.x::<F>() + F::cast(3.0 * problem.x.fold(0.0_f64, |m, v| m.max(v.abs())));
    let params = OneClassSvm::params(problem.nu).tolerance(TOLERANCE);
    let model = params.fit(&DatasetBase::from(x.clone())).unwrap();
    let found = Found::new(&x, model.dual(), model.weights(), model.bias(), 0.0);
    let (rho, n) = (-found.bias, x.nrows() as f64);
    let beyond: f64 = found.values.iter().map(|v| (-v).max(0.0)).sum();
    let half = found.squared / 2.0;
    assert!((found.dual.sum() - 1.0).abs() < 100.0 * F::epsilon().as_f64());
    assert_gap::<F>(
        problem.seed,
        &found,
        &[half, -rho, beyond / (problem.nu * n)],
        &[-half],
        1.0 / problem.nu,
        TOLERANCE * rho,
    );
}

/// Random problems reach their optimum. `NPT_FULL=1` takes more of them.
#[test]
fn random_problems_reach_their_optimum() {
    let count = if std::env::var_os("NPT_FULL").is_some() {
        5000
    } else {
        150
    };
    let mut separated = 0;
    for seed in 0..count {
        let problem = Problem::new(seed);
        separated += u64::from(check::<f64>(&problem));
        check::<f32>(&problem);
        check_one_class::<f64>(&problem);
        check_one_class::<f32>(&problem);
    }
    assert!(
        separated > count / 2,
        "{separated} of {count} have a margin"
    );
}

/// Working sets reach the optimum for more samples than fit into one set, in few features. Nearly all coefficients of the
/// noisy labels are at their bound, and those of the smooth labels 0.
#[test]
fn working_sets_add_up_to_the_optimum() {
    for (count, noise) in [(1500, 0.1), (5000, 3.0)] {
        let x = normal(count, 3, 1);
        let noise = normal(count, 1, 2).remove_axis(Axis(1)) * noise;
        let values = x.sum_axis(Axis(1)) + noise;
        let problem = Problem {
            x,
            signs: values.mapv(f64::signum),
            values,
            c: 1.0,
            nu: 0.3,
            seed: 0,
        };
        let params = Svc::params().tolerance(TOLERANCE);
        classify(&problem, &params.fit(&problem.sides::<f64>()).unwrap(), 1.0);
    }
}
