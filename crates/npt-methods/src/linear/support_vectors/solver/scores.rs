//! The scores of all samples.

use super::{Inputs, ROUNDING, optimality::dual, working_set::WorkingSet};
use crate::Error;
use ndarray::Array1;

/// ⟨xⱼ, w⟩ of all samples with w = Σ βᵢxᵢ, and that β.
#[derive(Clone)]
pub(in super::super) struct Scores {
    pub(in super::super) dual: Vec<f64>,
    pub(super) values: Array1<f64>,
    /// What rounding has added up to since they were computed from β: they are then what they were
    /// before it changed, and what that changed.
    drift: f64,
}

impl Scores {
    /// Of w = 0.
    pub(super) fn new(samples: usize) -> Self {
        Self {
            dual: vec![0.0; samples],
            values: Array1::zeros(samples),
            drift: 0.0,
        }
    }

    /// The scores of `dual`, which is β times `ratio` to rounding.
    pub(in super::super) fn scaled(&self, ratio: f64, dual: Vec<f64>, inputs: &Inputs<'_>) -> Self {
        Self {
            values: &self.values * ratio,
            drift: self.drift * ratio + rounding(inputs, &dual),
            dual,
        }
    }

    /// Of the β of another point. Where scores take a sum over support vectors, those are added whose β
    /// has changed.
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

    /// From β.
    pub(super) fn renew(&mut self, inputs: &Inputs<'_>, set: &WorkingSet<'_>) -> Result<(), Error> {
        self.values = set.scores(inputs, &self.dual)?;
        self.drift = 0.0;
        Ok(())
    }

    pub(super) fn drift(&self) -> f64 {
        self.drift
    }
}

/// How far scores of β may be from what they are, by their rounding and by that of the inner products.
fn rounding(inputs: &Inputs<'_>, dual: &[f64]) -> f64 {
    inputs.rounding().max(ROUNDING) * inputs.terms(dual, |_| true)
}
