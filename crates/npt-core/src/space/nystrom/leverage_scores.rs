//! Ridge leverage scores from few kernel values.

use crate::{
    Error, Kernel, Samples, Scalar, error,
    linalg::{self, PANEL},
    parallel, require_memory,
    space::factor::{check_diagonal, check_finite, draw, running_sums},
    watch::Progress,
};
use linfa::Float as _;
use ndarray::Array1;
use num_traits::{Float as _, ToPrimitive as _};
use rand::seq::index;
use rand_xoshiro::Xoshiro256Plus;

/// The number of ε by which a score is off at a penalty of the largest κ(x, x), divided by the root of the number of
/// samples.
const FEW: f64 = 16.0;

/// The factor by which the penalty falls from level to level.
const STEP: f64 = 2.0;

/// The number of samples that are looked at, in units of the largest sum of scores that there may be. This and
/// [`KEPT`] were found to be enough for estimates within a factor of three.
const LOOKED_AT: f64 = 4.0;

/// The number of draws that make a dictionary, in units of the sum of scores.
const KEPT: f64 = 8.0;

/// Estimates of the ridge leverage scores ℓᵢ = [𝒦(𝒦 + λI)⁻¹]ᵢᵢ of all samples.
///
/// The penalty falls from a large one down to λ. At each level a dictionary of a few weighted samples stands for
/// all samples. It gives the scores of some other samples at the next smaller penalty, and from these samples the
/// next dictionary is drawn by their scores. So the work is that of as many samples as there are effective
/// dimensions, Σℓᵢ.
///
/// # References
/// A. Rudi, D. Calandriello, L. Carratino, L. Rosasco, "On Fast Leverage Score Sampling and Optimal
/// Learning", NeurIPS 31, 2018, algorithm 1. arXiv:1810.13258
pub(super) fn ridge_leverage_scores<S: Samples, K: Kernel<S>>(
    kernel: &K,
    x: &S,
    penalty: f64,
    rng: &mut Xoshiro256Plus,
) -> Result<Array1<f64>, Error> {
    error::positive("Pivoting", "penalty", penalty)?;
    let diagonal = kernel.diag(x);
    let trace = check_diagonal(&diagonal)?.as_f64();
    let diagonal = diagonal.mapv(Scalar::as_f64);
    let (n, largest) = (x.len(), diagonal.fold(0.0_f64, |m, &v| m.max(v)));
    let mut dictionary = Dictionary::default();
    // At a smaller penalty, what is left of a sample is rounding.
    let least = FEW * K::Scalar::epsilon().as_f64() * (n as f64).sqrt() * largest;
    let penalty = penalty.max(least);
    // No eigenvalue is larger than the trace.
    let mut level = trace.max(penalty);
    let levels = (level / penalty).log(STEP).ceil().to_usize();
    let mut progress = Progress::start("leverage scores", levels);
    for done in 0.. {
        progress.at(done);
        if level <= penalty {
            break;
        }
        let next = (level / STEP).max(penalty);
        // No score is above this.
        let bound = (largest / next).min(1.0);
        let looked_at = at_most(n, LOOKED_AT * n as f64 * bound);
        let rows = index::sample(rng, n, looked_at).into_vec();
        let Some(scores) = dictionary.scores(kernel, x, &rows, &diagonal, next)? else {
            break;
        };
        dictionary = Dictionary::draw(&rows, &scores, n, rng);
        level = next;
    }
    let all: Vec<usize> = (0..n).collect();
    let scores = dictionary.scores(kernel, x, &all, &diagonal, level)?;
    Ok(scores.unwrap_or_else(|| Array1::ones(n)))
}

/// Rounds a count up to a whole number from 1 to `most`.
fn at_most(most: usize, count: f64) -> usize {
    count
        .ceil()
        .to_usize()
        .map_or(most, |count| count.clamp(1, most))
}

/// A few samples, and the number of samples that each stands for. The scores of others are estimated from them.
#[derive(Default)]
struct Dictionary {
    rows: Vec<usize>,
    weights: Vec<f64>,
}

impl Dictionary {
    /// Draws a dictionary from the `rows` of n samples by their scores.
    fn draw(rows: &[usize], scores: &Array1<f64>, n: usize, rng: &mut Xoshiro256Plus) -> Self {
        let sums = running_sums(scores.iter().copied());
        let sum = sums.last().copied().unwrap_or(0.0);
        if !(sum > 0.0) {
            return Self::default();
        }
        let share = rows.len() as f64 / n as f64;
        let draws = at_most(n, KEPT * sum / share);
        let mut counts = vec![0_usize; rows.len()];
        for _ in 0..draws {
            counts[draw(&sums, rng)] += 1;
        }
        let mut drawn = Self::default();
        for ((&row, &score), count) in rows.iter().zip(scores).zip(counts) {
            if count > 0 {
                drawn.rows.push(row);
                // The weight is such that the sum of weighted squares is expected to be that of all samples.
                let expected = share * draws as f64 * score / sum;
                drawn.weights.push(count as f64 / expected);
            }
        }
        drawn
    }

    /// Estimates the scores of the samples `rows`: (κ(x, x) − κ(J, x)ᵀ(𝒦_JJ + λW⁻¹)⁻¹κ(J, x)) / λ, with J the dictionary
    /// and W its weights. Returns `None` if the matrix 𝒦_JJ + λW⁻¹ is singular to rounding.
    fn scores<S: Samples, K: Kernel<S>>(
        &self,
        kernel: &K,
        x: &S,
        rows: &[usize],
        diagonal: &Array1<f64>,
        penalty: f64,
    ) -> Result<Option<Array1<f64>>, Error> {
        let score = |(&row, explained): (&usize, f64)| {
            ((diagonal[row] - explained) / penalty).clamp(0.0, 1.0)
        };
        if self.rows.is_empty() {
            return Ok(Some(rows.iter().map(|row| score((row, 0.0))).collect()));
        }
        let kept = self.rows.len();
        require_memory::<K::Scalar>("the kernel matrix of a dictionary", kept, kept)?;
        let landmarks = x.select(&self.rows);
        let mut matrix = linalg::row_major(kernel.gram(&landmarks));
        check_finite(matrix.view(), &self.rows, &self.rows)?;
        for (entry, weight) in matrix.diag_mut().iter_mut().zip(&self.weights) {
            *entry += K::Scalar::cast(penalty / weight);
        }
        let Ok(lower) = linalg::cholesky(&matrix) else {
            return Ok(None);
        };
        let chunks: Vec<&[usize]> = rows.chunks(PANEL).collect();
        let of_chunks = parallel::map(chunks.len(), |chunk| {
            let block = kernel.cross(&landmarks, &x.select(chunks[chunk]));
            check_finite(block.view(), &self.rows, chunks[chunk])?;
            let half = linalg::solve_lower(lower.view(), block.view());
            let explained = half
                .columns()
                .into_iter()
                .map(|half| half.dot(&half).as_f64());
            Ok(chunks[chunk]
                .iter()
                .zip(explained)
                .map(score)
                .collect::<Vec<f64>>())
        });
        let of_chunks = of_chunks.into_iter().collect::<Result<Vec<_>, Error>>()?;
        Ok(Some(of_chunks.concat().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gaussian, Rows};
    use ndarray::Array2;
    use rand::{Rng, SeedableRng};
    use rand_distr::StandardNormal;

    /// Drawn samples stand for all: the sum of their weights times scores is the sum of all scores, whatever was drawn.
    #[test]
    fn dictionaries_stand_for_all_samples() {
        let mut rng = Xoshiro256Plus::seed_from_u64(1);
        let (rows, scores) = ([3, 7, 11], Array1::from(vec![0.5, 0.25, 0.25]));
        let drawn = Dictionary::draw(&rows, &scores, 30, &mut rng);
        let score = |row: &usize| scores[rows.iter().position(|r| r == row).expect("drawn")];
        let pairs = drawn.rows.iter().zip(&drawn.weights);
        let sum: f64 = pairs.map(|(row, weight)| weight * score(row)).sum();
        assert!((sum - 10.0).abs() < 1e-12, "{sum}");
        let nothing = Dictionary::draw(&rows, &Array1::zeros(3), 30, &mut rng);
        assert!(nothing.rows.is_empty());
    }

    /// A power of two in the unit of the kernel changes no score, if the penalty changes with the kernel.
    #[test]
    fn scores_have_no_unit() {
        let x = Array2::from_shape_fn((200, 3), |(i, k)| ((i * (k + 2)) % 23) as f64 - 11.0);
        let scores = |unit: f64| {
            let x = Rows::new(&x * unit).expect("finite");
            let mut rng = Xoshiro256Plus::seed_from_u64(1);
            let penalty = 0.5 * unit * unit;
            ridge_leverage_scores(&crate::Linear::new(), &x, penalty, &mut rng).expect("scores")
        };
        assert_eq!(scores(1.0), scores(2.0_f64.powi(-20)));
    }

    /// Estimates are within a factor of three of the exact scores, and their sum is within a third.
    #[test]
    fn estimates_of_what_they_are() {
        let mut rng = Xoshiro256Plus::seed_from_u64(1);
        let n = 600;
        let spread = |i: usize| if i.is_multiple_of(20) { 4.0 } else { 0.5 };
        let x = Array2::from_shape_fn((n, 2), |(i, _)| {
            spread(i) * rng.sample::<f64, _>(StandardNormal)
        });
        let (kernel, x) = (Gaussian::new(0.5), Rows::new(x).expect("finite"));
        let gram = kernel.gram(&x);
        for penalty in [1e3, 1.0, 0.01] {
            let regular = &gram + &(Array2::<f64>::eye(n) * penalty);
            let half = linalg::solve_lower(
                linalg::cholesky(&regular).expect("regular").view(),
                gram.view(),
            );
            let root = linalg::cholesky(&regular).expect("regular");
            let solved = linalg::solve_lower_transposed(root.view(), half.view());
            let exact = solved.diag();
            let found = ridge_leverage_scores(&kernel, &x, penalty, &mut rng).expect("scores");
            for (i, (&found, &exact)) in found.iter().zip(exact).enumerate() {
                assert!(
                    found <= 3.0 * exact && exact <= 3.0 * found,
                    "{i}: {found} {exact}"
                );
            }
            let ratio = found.sum() / exact.sum();
            assert!((2.0 / 3.0..4.0 / 3.0).contains(&ratio), "{ratio}");
        }
    }
}
