//! The scores of all samples.

use super::{Inputs, ROUNDING, optimality::dual, working_set::WorkingSet};
use crate::Error;
use ndarray::Array1;

/// The scores ⟨xⱼ, w⟩ of all samples with w = Σ βᵢxᵢ, and that β.
#[derive(Clone)]
pub(in super::super) struct Scores {
    pub(in super::super) dual: Vec<f64>,
    pub(super) values: Array1<f64>,
    /// The rounding that has added up since the scores were computed from β. Since then, each change of β was added to the scores
    /// before it.
    drift: f64,
}

impl Scores {
    /// Makes the scores of w = 0.
    pub(super) fn new(samples: usize) -> Self {
        Self {
            dual: vec![0.0; samples],
            values: Array1::zeros(samples),
            drift: 0.0,
        }
    }

    /// Returns the scores of `dual`, which is β times `ratio` to rounding.
    pub(in super::super) fn scaled(&self, ratio: f64, dual: Vec<f64>, inputs: &Inputs<'_>) -> Self {
        Self {
            values: &self.values * ratio,
            drift: self.drift * ratio + rounding(inputs, &dual),
            dual,
        }
    }

    /// Follows β to another point. Where scores take a sum over support vectors, only the samples whose β
    /// has changed are added.
    pub(super) fn follow(
        &mut self,
        point: &[f64],
        inputs: &Inputs<'_>,
        set: &WorkingSet<'_>,
    ) -> Result<(), Error> {
        let before = std::mem::replace(&mut self.dual, dual(point, self.values.len()));
        if self.dual == before {
            return Ok(());
        }
        let changes = self
            .dual
            .iter()
            .zip(&before)
            .map(|(now, before)| now - before);
        let changes: Vec<f64> = changes.collect();
        let count = |values: &[f64]| values.iter().filter(|&&v| v != 0.0).count();
        if inputs.has_rows() || count(&changes) >= count(&self.dual) {
            return self.renew(inputs, set);
        }
        self.values += &set.scores(inputs, &changes)?;
        self.drift += rounding(inputs, &before) + rounding(inputs, &self.dual);
        Ok(())
    }

    /// Computes the scores anew from β.
    pub(super) fn renew(&mut self, inputs: &Inputs<'_>, set: &WorkingSet<'_>) -> Result<(), Error> {
        self.values = set.scores(inputs, &self.dual)?;
        self.drift = 0.0;
        Ok(())
    }

    pub(super) fn drift(&self) -> f64 {
        self.drift
    }
}

/// Returns how far scores of β may be off, by their rounding and by that of the inner products.
fn rounding(inputs: &Inputs<'_>, dual: &[f64]) -> f64 {
    inputs.rounding().max(ROUNDING) * inputs.terms(dual, |_| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{inner_products::Gram, linear::support_vectors::solver::IN_ROWS};
    use ndarray::Array2;
    use rand::{Rng, SeedableRng};
    use rand_distr::StandardNormal;
    use rand_xoshiro::Xoshiro256Plus;

    const SAMPLES: usize = 40;

    /// Checks that the scores are apart from Kβ by no more than they say.
    fn check(scores: &Scores, inputs: &Inputs<'_>, drift: f64) {
        let expected = inputs
            .gram()
            .unwrap()
            .dot(&Array1::from(scores.dual.clone()));
        let terms = inputs.terms(&scores.dual, |_| true);
        let off = (&scores.values - &expected).fold(0.0, |m: f64, v| m.max(v.abs()));
        assert!(off <= scores.drift() + ROUNDING * terms, "{off:e}");
        let of_drift = (scores.drift() - drift).abs();
        assert!(of_drift <= 1e-9 * drift, "{:e} {drift:e}", scores.drift());
    }

    /// Scores from inner products add few changes, with their rounding. Many changes, and all changes of rows, are computed anew.
    #[test]
    fn scores_follow_what_changes() {
        let mut rng = Xoshiro256Plus::seed_from_u64(5);
        let x = Array2::from_shape_simple_fn((SAMPLES, 3), || rng.sample(StandardNormal));
        let products = Gram(x.dot(&x.t()));
        let by_products = Inputs::of_products::<f64>(&products, (0..SAMPLES).collect());
        let by_rows = Inputs::uncentered(x);
        for (inputs, has_rows) in [(&by_products, false), (&by_rows, true)] {
            let set = WorkingSet::new(inputs, IN_ROWS).unwrap();
            let unit = inputs.rounding().max(ROUNDING);
            let sum = |dual: &[f64]| inputs.terms(dual, |_| true);
            let mut scores = Scores::new(SAMPLES);
            let mut point: Vec<f64> = (0..SAMPLES).map(|i| 0.25 + i as f64 % 3.0).collect();
            scores.follow(&point, inputs, &set).unwrap();
            check(&scores, inputs, 0.0);

            // Fewer samples change than have a β.
            let mut drift = 0.0;
            for changed in [3, 7] {
                let before = point.clone();
                for value in &mut point[..changed] {
                    *value = -*value;
                }
                scores.follow(&point, inputs, &set).unwrap();
                drift += unit * (sum(&before) + sum(&point));
                check(&scores, inputs, if has_rows { 0.0 } else { drift });
            }
            let half: Vec<f64> = point.iter().map(|v| 0.5 * v).collect();
            let scaled = scores.scaled(0.5, half.clone(), inputs);
            let known = if has_rows { 0.0 } else { 0.5 * drift };
            check(&scaled, inputs, known + unit * sum(&half));

            // As many samples change as have a β.
            for value in &mut point {
                *value *= 2.0;
            }
            scores.follow(&point, inputs, &set).unwrap();
            check(&scores, inputs, 0.0);
        }
    }
}
