//! Quadratic programs over non-negative numbers.

use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, Axis};
use npt_core::linalg;

/// The v ≥ 0 that minimises vᵀMv − 2vᵀa for a positive semidefinite M of unit diagonal.
///
/// An active set grows by the coordinate with the steepest descent, and coordinates that would turn
/// negative on the way to the set's own optimum leave it.
///
/// # References
/// C. Lawson, R. Hanson, *Solving Least Squares Problems*, Prentice-Hall 1974, chapter 23, NNLS.
pub(super) fn minimise(m: &Array2<f64>, a: ArrayView1<'_, f64>) -> Result<Array1<f64>, Error> {
    let count = a.len();
    let level = (count as f64 + 8.0) * f64::EPSILON * a.fold(0.0_f64, |m, v| m.max(v.abs()));
    let mut v = Array1::<f64>::zeros(count);
    let mut free: Vec<usize> = Vec::new();
    // Each set is visited at most once; in practice there are about as many as coordinates.
    for _ in 0..100 * count.max(1) {
        let descent = &a - &m.dot(&v);
        let steepest = (0..count)
            .filter(|k| !free.contains(k))
            .max_by(|&i, &j| descent[i].total_cmp(&descent[j]));
        let Some(entering) = steepest.filter(|&k| descent[k] > level) else {
            return Ok(v);
        };
        free.push(entering);
        while let Some(step) = blocked_step(&mut v, &free, &optimum(m, a, &free)?) {
            let inner = free.len();
            free.retain(|&k| v[k] > 0.0);
            debug_assert!(free.len() < inner && step < 1.0);
        }
    }
    let violation = (&a - &m.dot(&v)).fold(0.0_f64, |m, v| m.max(*v));
    Err(Error::NotConverged {
        method: "Alignment",
        violation,
    })
}

/// The optimum over the free coordinates, the others being 0.
fn optimum(m: &Array2<f64>, a: ArrayView1<'_, f64>, free: &[usize]) -> Result<Array1<f64>, Error> {
    let of_free = m.select(Axis(0), free).select(Axis(1), free);
    let l = linalg::cholesky(&of_free)?;
    let right = a.select(Axis(0), free).insert_axis(Axis(1));
    let half = linalg::solve_lower(l.view(), right.view());
    let solved = linalg::solve_lower_transposed(l.view(), half.view());
    Ok(solved.column(0).to_owned())
}

/// Moves to the optimum of the free coordinates, or as far as none turns negative: then that one is
/// put to 0, and the share of the way returned.
fn blocked_step(v: &mut Array1<f64>, free: &[usize], optimum: &Array1<f64>) -> Option<f64> {
    let share = |k: usize, target: f64| v[k] / (v[k] - target);
    let blocking = free
        .iter()
        .zip(optimum)
        .filter(|&(_, &target)| target <= 0.0)
        .map(|(&k, &target)| (k, share(k, target)))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let step = blocking.map_or(1.0, |(_, share)| share);
    for (&k, &target) in free.iter().zip(optimum) {
        v[k] += step * (target - v[k]);
    }
    blocking.map(|(k, share)| {
        v[k] = 0.0;
        share
    })
}
