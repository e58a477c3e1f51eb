//! The scores of all samples.

use super::{Inputs, optimality::dual, working_set::WorkingSet};
use crate::Error;
use ndarray::Array1;

/// ⟨xⱼ, w⟩ of all samples with w = Σ βᵢxᵢ, and that β.
pub(super) struct Scores {
    pub(super) dual: Vec<f64>,
    pub(super) values: Array1<f64>,
    /// Whether they were computed from β, not from what they were before it changed.
    new: bool,
}

impl Scores {
    /// Of w = 0.
    pub(super) fn new(samples: usize) -> Self {
        Self {
            dual: vec![0.0; samples],
            values: Array1::zeros(samples),
            new: true,
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
        self.new = false;
        Ok(())
    }

    /// From β.
    pub(super) fn renew(&mut self, inputs: &Inputs<'_>, set: &WorkingSet<'_>) -> Result<(), Error> {
        self.values = set.scores(inputs, &self.dual)?;
        self.new = true;
        Ok(())
    }

    pub(super) fn are_new(&self) -> bool {
        self.new
    }
}
