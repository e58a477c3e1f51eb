//! Ascents of Σ sᵢ|wᵀxᵢ| from several starts at once: products with several axes read the records once.

use crate::{Error, weights::Weights};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use npt_core::{Scalar, linalg, watch::Progress};
use rand::Rng;

/// The number of starts that climb together. Two products with 4000 × 4000 numbers take 16 ms for one axis, 21 ms for 16, and
/// 47 ms for 64 (`docs/growth.md`).
pub(super) const AT_ONCE: usize = 16;

/// The rows that vote for a direction, and how many votes each has.
#[derive(Clone, Copy)]
pub(super) struct Votes<'a, F> {
    pub(super) x: &'a Array2<F>,
    pub(super) weights: &'a Weights<F>,
}

/// A local maximum of the objective.
pub(super) struct Maximum<F> {
    pub(super) axis: Array1<F>,
    pub(super) objective: F,
    pub(super) iterations: usize,
}

/// A start on its way.
struct Climber<F> {
    start: usize,
    axis: Array1<F>,
    signs: Array1<F>,
}

impl<F: Scalar> Votes<'_, F> {
    /// Returns wᵀxᵢ, one column per axis.
    pub(super) fn scores(&self, axes: ArrayView2<'_, F>) -> Array2<F> {
        linalg::product(self.x.view(), axes)
    }

    /// Returns Σ sᵢ·signᵢ·xᵢ, one column per column of signs.
    fn sums(&self, signs: Array2<F>) -> Array2<F> {
        linalg::product(self.x.t(), self.weights.times(signs).view())
    }

    /// Returns Σ sᵢ|wᵀxᵢ|, one per axis.
    fn objectives(&self, scores: &Array2<F>) -> Array1<F> {
        let magnitudes = scores.mapv(num_traits::Float::abs);
        self.weights.times(magnitudes).sum_axis(Axis(0))
    }

    /// Returns the longest row.
    pub(super) fn farthest(&self) -> Array1<F> {
        let mut longest = (F::zero(), 0);
        for (i, row) in self.x.outer_iter().enumerate() {
            let squared = row.dot(&row);
            if squared > longest.0 {
                longest = (squared, i);
            }
        }
        self.x.row(longest.1).to_owned()
    }

    /// Returns sums of all rows with random signs, one per column.
    pub(super) fn random_sums(&self, count: usize, rng: &mut impl Rng) -> Array2<F> {
        let mut signs = Array2::zeros((self.x.nrows(), count));
        for mut column in signs.columns_mut() {
            column.mapv_inplace(|_| sign(rng.r#gen::<bool>()));
        }
        self.sums(signs)
    }

    /// Climbs from each column of `starts` to a local maximum. `scale` is the unit of the rows, in which objectives are reported.
    pub(super) fn climb(
        &self,
        starts: &Array2<F>,
        max_iterations: usize,
        scale: F,
        rng: &mut impl Rng,
    ) -> Result<Vec<Maximum<F>>, Error> {
        let lengths: Array1<F> = (self.x.outer_iter())
            .map(|row| row.dot(&row).sqrt())
            .collect();
        let mut climbers = self.climbers(starts);
        let mut maxima = Vec::with_capacity(climbers.len());
        let mut progress = Progress::start("an L1 component", None);
        let mut highest = F::zero();
        for iterations in 1..=max_iterations {
            let scores = self.scores(axes(&climbers).view());
            let objectives = self.objectives(&scores);
            highest = objectives.fold(highest, |most, &objective| most.max(objective));
            let so_far = (highest * scale).as_f64();
            let end = progress.should_finish(iterations, "the objective", so_far);
            let signs = scores.mapv(|score| sign(score >= F::zero()));
            let sums = self.sums(signs.clone());
            let mut climbing = Vec::with_capacity(climbers.len());
            for (k, mut climber) in climbers.into_iter().enumerate() {
                if !end && climber.moves(signs.column(k), sums.column(k)) {
                    climbing.push(climber);
                } else if !end && self.is_undecided(scores.column(k), &lengths) {
                    climber.nudge(self.random_sums(1, rng).column(0));
                    climbing.push(climber);
                } else {
                    let maximum = Maximum {
                        axis: climber.axis,
                        objective: objectives[k],
                        iterations,
                    };
                    maxima.push((climber.start, maximum));
                }
            }
            climbers = climbing;
            if climbers.is_empty() {
                maxima.sort_by_key(|&(start, _)| start);
                return Ok(maxima.into_iter().map(|(_, maximum)| maximum).collect());
            }
        }
        Err(Error::NotConverged {
            method: "PcaL1",
            measure: "the objective",
            value: (highest * scale).as_f64(),
        })
    }

    fn climbers(&self, starts: &Array2<F>) -> Vec<Climber<F>> {
        let farthest = || unit(self.farthest().view()).expect("the rows are not all zero");
        let climber = |(start, sum)| Climber {
            start,
            axis: unit(sum).unwrap_or_else(farthest),
            signs: Array1::zeros(self.x.nrows()),
        };
        starts
            .columns()
            .into_iter()
            .enumerate()
            .map(climber)
            .collect()
    }

    /// Returns whether the score of some row has no sign. Rows of length 0 are orthogonal to everything and have no vote.
    fn is_undecided(&self, scores: ArrayView1<'_, F>, lengths: &Array1<F>) -> bool {
        let level = F::cast(self.x.ncols().max(8)) * F::epsilon();
        let mut pairs = scores.iter().zip(lengths);
        pairs.any(|(s, &l)| l > F::zero() && s.abs() <= level * l)
    }
}

impl<F: Scalar> Climber<F> {
    /// Turns the axis to the sum of the rows with these signs, if any sign is new. Returns whether it has moved.
    fn moves(&mut self, signs: ArrayView1<'_, F>, sum: ArrayView1<'_, F>) -> bool {
        if signs == self.signs {
            return false;
        }
        self.signs.assign(&signs);
        let next = unit(sum);
        let moves = next.is_some();
        self.axis = next.unwrap_or_else(|| self.axis.clone());
        moves
    }

    /// Moves the axis slightly, so that rows without a sign get one.
    fn nudge(&mut self, sum: ArrayView1<'_, F>) {
        let moved = |nudge: Array1<F>| unit((&self.axis + &(nudge * F::epsilon().sqrt())).view());
        if let Some(axis) = unit(sum).and_then(moved) {
            self.axis = axis;
        }
        self.signs.fill(F::zero());
    }
}

fn axes<F: Scalar>(climbers: &[Climber<F>]) -> Array2<F> {
    let views: Vec<ArrayView1<'_, F>> = climbers.iter().map(|c| c.axis.view()).collect();
    ndarray::stack(Axis(1), &views).expect("axes of one length")
}

fn sign<F: Scalar>(is_positive: bool) -> F {
    if is_positive { F::one() } else { -F::one() }
}

fn unit<F: Scalar>(v: ArrayView1<'_, F>) -> Option<Array1<F>> {
    // Scaled first, so that squares neither overflow nor vanish.
    let largest = v.iter().fold(F::zero(), |m, &v| m.max(v.abs()));
    if !(largest > F::zero()) {
        return None;
    }
    let v = &v / largest;
    let length = v.dot(&v).sqrt();
    Some(v / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::PcaL1;
    use linfa::{DatasetBase, traits::Fit};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256Plus;

    fn points(samples: usize, features: usize, rng: &mut impl Rng) -> Array2<f64> {
        let mut x = Array2::from_shape_simple_fn((samples, features), || rng.gen_range(-1.0..1.0));
        x -= &x.mean_axis(Axis(0)).unwrap();
        x
    }

    /// Each climber ends where it ends alone, after as many iterations.
    #[test]
    fn climbers_do_not_know_of_each_other() {
        let mut rng = Xoshiro256Plus::seed_from_u64(2);
        let x = points(60, 5, &mut rng);
        let given: Array1<f32> = (1..=60_u8).map(|i| f32::from(i % 7 + 1)).collect();
        let weights = Weights::new(Some(given.view()), 60).unwrap();
        let votes = Votes {
            x: &x,
            weights: &weights,
        };
        let starts = votes.random_sums(20, &mut rng);
        let together = votes.climb(&starts, 100, 1.0_f64, &mut rng).unwrap();
        assert_eq!(together.len(), 20);
        for (found, start) in together.iter().zip(starts.columns()) {
            let start = start.insert_axis(Axis(1)).to_owned();
            let alone = votes.climb(&start, 100, 1.0, &mut rng).unwrap();
            assert_eq!(found.iterations, alone[0].iterations);
            let difference: f64 = found.objective - alone[0].objective;
            assert!(difference.abs() < 1e-12 * found.objective);
            let cosine: f64 = found.axis.dot(&alone[0].axis);
            assert!((cosine - 1.0).abs() < 1e-12, "{cosine}");
        }
        let iterations = together.iter().map(|found| found.iterations);
        assert!(iterations.clone().min() < iterations.max());
    }

    /// More starts find no lower objective, however many climb at once, and also where one more is left for a group of its own.
    #[test]
    fn more_starts_find_no_less() {
        let data = DatasetBase::from(points(50, 8, &mut Xoshiro256Plus::seed_from_u64(4)));
        let mut before = 0.0;
        for starts in [1, 2, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE] {
            let model = PcaL1::params(1).starts(starts).fit(&data).unwrap();
            let found = model.objectives()[0];
            assert!(found >= before, "{starts}: {found} after {before}");
            assert!(model.iterations()[0] >= starts);
            before = found;
        }
    }
}
