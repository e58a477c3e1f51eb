//! PCA-L1 written for kernel matrices, to compare the method on coordinates with.

use ndarray::{Array1, Array2, ArrayView2};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

/// Finds the signs pᵢ of the first `components` directions w = Σ pᵢφ(xᵢ)/√(pᵀKp), from the centred kernel
/// matrix.
///
/// Algorithm 2 is written in terms of K: the training scores are Kp/√(pᵀKp) =: s, and after deflation
/// the kernel matrix is K − ssᵀ. The starts are those of the linear method: the longest sample, then random
/// signs from the seed. The case of a score that is exactly 0 (step 4b) is left out; callers use
/// data without it.
pub fn directions(
    k: ArrayView2<'_, f64>,
    components: usize,
    starts: usize,
    seed: u64,
) -> Directions {
    let mut k = k.to_owned();
    let n = k.nrows();
    let floor = 1e-13 * k.diag().iter().fold(0.0_f64, |m, v| m.max(*v));
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    let mut found = Directions {
        signs: Vec::new(),
        margin: f64::INFINITY,
    };
    for _ in 0..components {
        let longest = (0..n).max_by(|&i, &j| k[[i, i]].total_cmp(&k[[j, j]]).then(j.cmp(&i)));
        let longest = longest.expect("there are samples");
        for i in 0..n {
            // This is another sample; if it is as long as the longest, either may be the start.
            if k[[i, i]] + k[[longest, longest]] - 2.0 * k[[i, longest]] > floor {
                found.margin = found.margin.min(1.0 - k[[i, i]] / k[[longest, longest]]);
            }
        }
        let mut start = Array1::zeros(n);
        start[longest] = 1.0;
        let mut best = ascend(&k, start, floor);
        let mut margin = best.margin;
        for _ in 1..starts {
            let signs = (0..n)
                .map(|_| if rng.r#gen::<bool>() { 1.0 } else { -1.0 })
                .collect();
            let other = ascend(&k, signs, floor);
            let gain = other.objective / best.objective - 1.0;
            let same = other.signs == best.signs || other.signs == -&best.signs;
            margin = margin.min(other.margin);
            if !same {
                margin = margin.min(gain.abs());
            }
            if gain > f64::EPSILON.sqrt() {
                best = other;
            }
        }
        let scores = training_scores(&k, &best.signs);
        found.margin = found
            .margin
            .min(margin)
            .min(super::sign_margin(scores.view()));
        k -= &outer(&scores, &scores);
        found.signs.push(best.signs);
    }
    found
}

/// The result of [`directions`].
pub struct Directions {
    /// The signs of the samples, ±1, one array a component.
    pub signs: Vec<Array1<f64>>,
    /// The smallest margin of all decisions on the way: the distance, relative to the numbers that are compared, from the opposite decision.
    /// Decisions compare the lengths of starts, scores with 0, objectives with one another, and the two largest scores of opposite sign.
    /// Rounding of about this size leads to another local maximum, which is as good.
    pub margin: f64,
}

/// The scores of new samples along the directions with these signs, shape (m, components), and the
/// objectives Σ |⟨w, φ(xᵢ)⟩| after deflation by the components before, from the centred kernel matrix and
/// the centred kernel values of new with training samples. Each direction points to the side on which the
/// training score of largest magnitude is positive.
pub fn scores(
    k: ArrayView2<'_, f64>,
    k_new: ArrayView2<'_, f64>,
    signs: &[Array1<f64>],
) -> (Array2<f64>, Array1<f64>) {
    let (mut k, mut k_new) = (k.to_owned(), k_new.to_owned());
    let mut all_scores = Array2::zeros((k_new.nrows(), signs.len()));
    let mut objectives = Array1::zeros(signs.len());
    for (component, signs) in signs.iter().enumerate() {
        let scores = training_scores(&k, signs);
        let upwards = super::sign_of_largest(scores.view());
        let new_scores = k_new.dot(&normalised(&k, signs)) * upwards;
        let scores = scores * upwards;
        objectives[component] = scores.mapv(f64::abs).sum();
        k -= &outer(&scores, &scores);
        k_new -= &outer(&new_scores, &scores);
        all_scores.column_mut(component).assign(&new_scores);
    }
    (all_scores, objectives)
}

struct Maximum {
    signs: Array1<f64>,
    objective: f64,
    margin: f64,
}

/// Returns the local maximum reached from a start. Samples whose squared length is below `floor` are used
/// up by deflation, and do not count.
fn ascend(k: &Array2<f64>, start: Array1<f64>, floor: f64) -> Maximum {
    let mut signs = start;
    let mut margin = f64::INFINITY;
    let mut objective = 0.0;
    for _ in 0..1000 {
        let scores = training_scores(k, &signs);
        objective = scores.mapv(f64::abs).sum();
        for (score, &squared) in scores.iter().zip(k.diag()) {
            if squared > floor {
                // A sample that is nearly used up counts as undecided.
                let length = squared.max(1e8 * floor).sqrt();
                margin = margin.min(score.abs() / length);
            }
        }
        let next = ndarray::Zip::from(&scores)
            .and(k.diag())
            .map_collect(|&s, &squared| {
                if s < 0.0 && squared > floor {
                    -1.0
                } else {
                    1.0
                }
            });
        if next == signs {
            return Maximum {
                signs,
                objective,
                margin,
            };
        }
        signs = next;
    }
    // Every step raises the objective, so that only rounding can lead around in circles.
    Maximum {
        signs,
        objective,
        margin: 0.0,
    }
}

fn training_scores(k: &Array2<f64>, signs: &Array1<f64>) -> Array1<f64> {
    k.dot(&normalised(k, signs))
}

fn normalised(k: &Array2<f64>, direction: &Array1<f64>) -> Array1<f64> {
    let length = direction.dot(&k.dot(direction)).sqrt();
    direction / length
}

fn outer(a: &Array1<f64>, b: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn((a.len(), b.len()), |(i, j)| a[i] * b[j])
}
