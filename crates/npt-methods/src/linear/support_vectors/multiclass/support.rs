//! The samples that hold the planes in place.

use super::Machine;
use crate::weights::Weights;
use npt_core::Scalar;
use std::collections::BTreeMap;

/// The support vectors of all machines.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Support {
    /// The positions of the support vectors among all training samples, ascending.
    pub(super) rows: Vec<usize>,
    /// The number of support vectors of each class.
    pub(super) counts: Vec<usize>,
}

/// Marks of the samples, among those of positive weight, that are support vectors of a machine.
pub(super) struct Named(Vec<bool>);

impl Named {
    pub(super) fn new(samples: usize) -> Self {
        Self(vec![false; samples])
    }

    pub(super) fn take<F: Scalar>(&mut self, machine: &Machine<F>) {
        for (&row, coefficient) in machine.rows.iter().zip(machine.svc.dual()) {
            self.0[row] |= !coefficient.is_zero();
        }
    }

    pub(super) fn support<F: Scalar, L>(
        &self,
        members: &BTreeMap<L, Vec<usize>>,
        weights: &Weights<F>,
    ) -> Support {
        let is = &self.0;
        let count = |rows: &Vec<usize>| rows.iter().filter(|&&row| is[row]).count();
        let named = |row: usize| weights.rows().map_or(row, |rows| rows[row]);
        Support {
            counts: members.values().map(count).collect(),
            rows: (0..is.len()).filter(|&row| is[row]).map(named).collect(),
        }
    }
}
