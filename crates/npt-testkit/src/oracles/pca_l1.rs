//! PCA-L1 written for kernel matrices, to compare coordinates with.

use ndarray::{Array1, Array2, ArrayView2};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// The scores of new samples along the first `components` directions, shape (m, components), and
/// the objectives Σ |⟨w, φ(xᵢ)⟩|, from the centred kernel matrix and the centred kernel values of
/// new with training samples.
///
/// All of algorithm 2 in terms of K: with p the signs, w = Σ pᵢφ(xᵢ)/√(pᵀKp), so the training scores
/// are Kp/√(pᵀKp) =: s; what deflation leaves has the kernel matrix K − ssᵀ. Starts, as in the
/// linear method: the longest sample, then random signs from the seed. The case of a score that is
/// exactly 0 (step 4b) is left out; callers use data without it.
pub fn scores(
    k: ArrayView2<'_, f64>,
    k_new: ArrayView2<'_, f64>,
    components: usize,
    starts: usize,
    seed: u64,
) -> (Array2<f64>, Array1<f64>) {
    let (mut k, mut k_new) = (k.to_owned(), k_new.to_owned());
    let n = k.nrows();
    let noise = 1e-12 * k.diag().iter().fold(0.0_f64, |m, v| m.max(*v)).sqrt();
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let mut all_scores = Array2::zeros((k_new.nrows(), components));
    let mut objectives = Array1::zeros(components);
    for component in 0..components {
        let longest = (0..n).max_by(|&i, &j| k[[i, i]].total_cmp(&k[[j, j]]).then(j.cmp(&i)));
        let mut start = Array1::zeros(n);
        start[longest.expect("there are samples")] = 1.0;
        let mut best = ascend(&k, start, noise);
        for _ in 1..starts {
            let signs = (0..n)
                .map(|_| if rng.r#gen::<bool>() { 1.0 } else { -1.0 })
                .collect();
            let found = ascend(&k, signs, noise);
            if found.1 > best.1 * (1.0 + f64::EPSILON.sqrt()) {
                best = found;
            }
        }
        let (mut direction, objective) = best;
        let sign = super::sign_of_largest(k.dot(&direction).view());
        direction *= sign;
        let (scores, new_scores) = (k.dot(&direction), k_new.dot(&direction));
        k -= &outer(&scores, &scores);
        k_new -= &outer(&new_scores, &scores);
        all_scores.column_mut(component).assign(&new_scores);
        objectives[component] = objective;
    }
    (all_scores, objectives)
}

/// Coefficients of the local maximum reached from a start, with ‖w‖ = 1, and its objective.
fn ascend(k: &Array2<f64>, start: Array1<f64>, noise: f64) -> (Array1<f64>, f64) {
    let mut direction = normalised(k, start);
    let mut signs = Array1::zeros(direction.len());
    for _ in 0..10_000 {
        let scores = k.dot(&direction);
        // What deflation has used up has scores of either sign, and no length to vote with.
        let new_signs = scores.mapv(|s| if s < -noise { -1.0 } else { 1.0 });
        if new_signs == signs {
            return (direction, scores.mapv(f64::abs).sum());
        }
        direction = normalised(k, new_signs.clone());
        signs = new_signs;
    }
    panic!("PCA-L1 did not converge");
}

fn normalised(k: &Array2<f64>, direction: Array1<f64>) -> Array1<f64> {
    let length = direction.dot(&k.dot(&direction)).sqrt();
    direction / length
}

fn outer(a: &Array1<f64>, b: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn((a.len(), b.len()), |(i, j)| a[i] * b[j])
}
