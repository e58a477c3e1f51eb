//! Quadratic programs over non-negative numbers.

use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, Axis};
use npt_core::linalg;

/// The v ≥ 0 that minimises vᵀMv − 2vᵀa for a positive semidefinite M of unit diagonal.
///
/// An active set grows by the coordinate with the steepest descent. Coordinates that would turn
/// negative on the way to the optimum over the set leave the set. A coordinate that depends on the set, to
/// rounding, adds nothing and stays 0.
///
/// # References
/// C. Lawson, R. Hanson, *Solving Least Squares Problems*, Prentice-Hall 1974, chapter 23, NNLS.
pub(super) fn minimise(m: &Array2<f64>, a: ArrayView1<'_, f64>) -> Result<Array1<f64>, Error> {
    let count = a.len();
    let level = (count as f64 + 8.0) * f64::EPSILON * a.fold(0.0_f64, |m, v| m.max(v.abs()));
    let mut v = Array1::<f64>::zeros(count);
    // The coordinates in `free` are above 0.
    let (mut free, mut dependent) = (Vec::new(), Vec::new());
    // Each set is visited at most once; in practice there are about as many sets as coordinates.
    for _ in 0..100 * count.max(1) {
        let descent = &a - &m.dot(&v);
        let steepest = (0..count)
            .filter(|k| !free.contains(k) && !dependent.contains(k))
            .max_by(|&i, &j| descent[i].total_cmp(&descent[j]));
        let Some(entering) = steepest.filter(|&k| descent[k] > level) else {
            return Ok(v);
        };
        free.push(entering);
        let mut target = optimum(m, a, &free)?;
        if !target.as_ref().is_some_and(|t| t[free.len() - 1] > 0.0) {
            free.pop();
            dependent.push(entering);
            continue;
        }
        while let Some(reached) = target {
            if step(&mut v, &free, &reached) {
                break;
            }
            free.retain(|&k| v[k] > 0.0);
            dependent.clear();
            target = optimum(m, a, &free)?;
        }
    }
    let violation = (&a - &m.dot(&v)).fold(0.0_f64, |m, v| m.max(*v));
    Err(Error::NotConverged {
        method: "Alignment",
        measure: "the violation of optimality",
        value: violation,
    })
}

/// The optimum over the free coordinates, with all other coordinates 0; `None` if it is not unique.
fn optimum(
    m: &Array2<f64>,
    a: ArrayView1<'_, f64>,
    free: &[usize],
) -> Result<Option<Array1<f64>>, Error> {
    let of_free = m.select(Axis(0), free).select(Axis(1), free);
    let l = match linalg::cholesky(&of_free) {
        Ok(l) => l,
        Err(npt_core::Error::NotPositiveDefinite { .. }) => return Ok(None),
        Err(other) => return Err(other.into()),
    };
    let right = a.select(Axis(0), free).insert_axis(Axis(1));
    let half = linalg::solve_lower(l.view(), right.view());
    let solved = linalg::solve_lower_transposed(l.view(), half.view());
    Ok(Some(solved.column(0).to_owned()))
}

/// Moves the free coordinates to their target, or as far as none turns negative; the first that
/// would is set to 0. Returns whether the target was reached.
fn step(v: &mut Array1<f64>, free: &[usize], target: &Array1<f64>) -> bool {
    let pairs = free.iter().zip(target);
    let blocking = pairs
        .filter(|&(_, &target)| target <= 0.0)
        .map(|(&k, &target)| (k, v[k] / (v[k] - target)))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let share = blocking.map_or(1.0, |(_, share)| share);
    for (&k, &target) in free.iter().zip(target) {
        v[k] += share * (target - v[k]);
    }
    if let Some((k, _)) = blocking {
        v[k] = 0.0;
    }
    blocking.is_none()
}
