//! Which samples hold the planes in place.

use super::Machine;
use crate::linear::Weights;
use npt_core::Scalar;
use std::collections::BTreeMap;

/// The support vectors of all machines.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Support {
    /// Their positions among all training samples, ascending.
    pub(super) rows: Vec<usize>,
    /// How many each class has.
    pub(super) counts: Vec<usize>,
}

impl Support {
    pub(super) fn of<F: Scalar, L>(
        machines: &[Machine<F>],
        members: &BTreeMap<L, Vec<usize>>,
        weights: &Weights<F>,
    ) -> Self {
        let mut is = vec![false; weights.count()];
        for machine in machines {
            for (&row, coefficient) in machine.rows.iter().zip(machine.svc.dual()) {
                is[row] |= !coefficient.is_zero();
            }
        }
        let count = |rows: &Vec<usize>| rows.iter().filter(|&&row| is[row]).count();
        let named = |row: usize| weights.rows().map_or(row, |rows| rows[row]);
        Self {
            counts: members.values().map(count).collect(),
            rows: (0..is.len()).filter(|&row| is[row]).map(named).collect(),
        }
    }
}
