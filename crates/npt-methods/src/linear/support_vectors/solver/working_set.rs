//! The samples that are optimised together, and their kernel matrix.

use super::{Features, Problem};
use crate::Error;
use ndarray::{Array2, ArrayView2, s};

/// Samples to start with: all, if they are not more.
const FIRST: usize = 512;

/// Samples whose kernel matrix is held at a time, 128 MB of it, unless more of them move.
const LARGEST: usize = 4096;

/// A working set that takes in samples that violate optimality, for members that have no weight if
/// there are any, and grows otherwise. So most of what is computed are kernel values among support
/// vectors, and samples that are no support vectors mostly never enter.
pub(super) struct WorkingSet {
    members: Vec<usize>,
    k: Array2<f64>,
}

impl WorkingSet {
    pub(super) fn new() -> Self {
        Self {
            members: Vec::new(),
            k: Array2::zeros((0, 0)),
        }
    }

    pub(super) fn members(&self) -> &[usize] {
        &self.members
    }

    /// Their kernel matrix.
    pub(super) fn k(&self) -> ArrayView2<'_, f64> {
        self.k.view()
    }

    /// Takes in samples that violate optimality, the worst first and half as many as there are
    /// members at most. With them come all that are between their bounds: they move with any other.
    pub(super) fn extend(
        &mut self,
        features: &Features<'_>,
        dual: &[f64],
        States {
            violations,
            resting,
        }: &States,
    ) -> Result<(), Error> {
        let samples = dual.len();
        if samples <= FIRST || features.is_whole() {
            if self.members.is_empty() {
                self.members = (0..samples).collect();
                self.k = features.gram()?;
            }
            return Ok(());
        }
        let mut outside = vec![true; samples];
        for &member in &self.members {
            outside[member] = false;
        }
        let mut incoming: Vec<usize> = (0..samples)
            .filter(|&i| outside[i] && (violations[i] > 0.0 || !resting[i]))
            .collect();
        incoming.sort_by(|&i, &j| {
            let by_rest = resting[i].cmp(&resting[j]);
            by_rest.then_with(|| by_violation(violations, i, j))
        });
        incoming.truncate(FIRST.max(self.members.len() / 2));

        // Samples without weight, or, where there is no room, all that are safe at their bounds.
        let full = self.members.len() + incoming.len() > LARGEST;
        let may_leave = |&slot: &usize| {
            let sample = self.members[slot];
            let idle = dual[sample] == 0.0 || (full && resting[sample]);
            idle && violations[sample] < 0.0
        };
        let mut leaving: Vec<usize> = (0..self.members.len()).filter(may_leave).collect();
        leaving.sort_by(|&a, &b| by_violation(violations, self.members[b], self.members[a]));
        leaving.truncate(incoming.len());
        // Members that all move leave no choice but to grow.
        let room = LARGEST.saturating_sub(self.members.len()) + leaving.len();
        incoming.truncate(room.max(FIRST));
        if incoming.is_empty() {
            return Ok(());
        }
        self.replace(features, &leaving, &incoming)
    }

    /// Puts new members into the given slots, and the rest of them behind.
    fn replace(
        &mut self,
        features: &Features<'_>,
        slots: &[usize],
        incoming: &[usize],
    ) -> Result<(), Error> {
        let before = self.members.len();
        let size = before + incoming.len() - slots.len();
        let slots: Vec<usize> = slots.iter().copied().chain(before..size).collect();
        self.members.resize(size, 0);
        for (&slot, &sample) in slots.iter().zip(incoming) {
            self.members[slot] = sample;
        }
        if size > before {
            let mut k = Array2::zeros((size, size));
            k.slice_mut(s![..before, ..before]).assign(&self.k);
            self.k = k;
        }
        let rows = features.cross(incoming, &self.members)?;
        for (&slot, row) in slots.iter().zip(rows.outer_iter()) {
            self.k.row_mut(slot).assign(&row);
            self.k.column_mut(slot).assign(&row);
        }
        Ok(())
    }
}

/// Of equal ones, which at the start are all, a mixture comes first.
fn by_violation(violations: &[f64], i: usize, j: usize) -> std::cmp::Ordering {
    let mixed = |i: usize| (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let descending = violations[j].total_cmp(&violations[i]);
    descending.then(mixed(i).cmp(&mixed(j)))
}

/// How the samples stand.
pub(super) struct States {
    /// By how much each violates optimality, when the constraints have the multipliers `levels`.
    violations: Vec<f64>,
    /// Whether all its variables are at a bound.
    resting: Vec<bool>,
}

pub(super) fn states(problem: &Problem, point: &[f64], gradient: &[f64], levels: &[f64]) -> States {
    let mut violations = vec![f64::NEG_INFINITY; problem.samples];
    let mut resting = vec![true; problem.samples];
    for (t, (&value, &g)) in point.iter().zip(gradient).enumerate() {
        let gain = -g - levels[problem.group[t]];
        let (below, above) = (value < problem.upper[t], value > problem.lower[t]);
        let violation = &mut violations[t % problem.samples];
        if below {
            *violation = violation.max(gain);
        }
        if above {
            *violation = violation.max(-gain);
        }
        resting[t % problem.samples] &= !(below && above);
    }
    States {
        violations,
        resting,
    }
}
