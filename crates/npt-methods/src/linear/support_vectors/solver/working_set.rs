//! The samples that are optimised together, and their kernel matrix.

use super::{
    Inputs, Problem,
    kernel_rows::{KernelRows, row_of},
    optimality::Optimality,
    smo::Active,
};
use crate::Error;
use ndarray::{Array1, Array2, ArrayView1, s};
use npt_core::memory_limit;

/// Samples up to which all are optimised together.
const FEW: usize = 512;

/// Samples that are taken in together, at least.
const BATCH: usize = 128;

/// Samples whose kernel matrix is held at a time, 128 MB of it, unless more of them move.
const LARGEST: usize = 4096;

/// A working set that takes in samples that violate optimality. Most of what is computed are then
/// kernel values of support vectors, and most other samples never enter.
pub(super) struct WorkingSet {
    members: Vec<usize>,
    /// Their kernel values with all samples; `None` where `k` holds all samples, where samples are rows
    /// (scores are cheap then), and where these no longer fit.
    rows: Option<KernelRows>,
    /// Their kernel values with each other, where there are no rows.
    k: Array2<f64>,
}

impl WorkingSet {
    /// With at most so many numbers in rows of the kernel matrix.
    pub(super) fn new(inputs: &Inputs<'_>, in_rows: usize) -> Result<Self, Error> {
        let samples = inputs.samples();
        if samples <= FEW {
            return Ok(Self {
                members: (0..samples).collect(),
                rows: None,
                k: inputs.gram()?,
            });
        }
        let rows = || {
            let fits = memory_limit().map_or(in_rows, |bytes| bytes as usize / size_of::<f64>());
            KernelRows::new(samples, in_rows.min(fits))
        };
        Ok(Self {
            members: Vec::new(),
            rows: (!inputs.has_rows()).then(rows),
            k: Array2::zeros((0, 0)),
        })
    }

    /// ⟨xⱼ, Σ βᵢxᵢ⟩ of all samples, members or not.
    pub(super) fn scores(&self, inputs: &Inputs<'_>, dual: &[f64]) -> Result<Array1<f64>, Error> {
        let known = match &self.rows {
            Some(rows) => rows.scores(dual),
            None => (!inputs.has_rows() && dual.len() <= FEW)
                .then(|| self.k.dot(&ArrayView1::from(dual))),
        };
        known.map_or_else(|| inputs.scores(dual), Ok)
    }

    /// Those members that may move: not members that are safe at their bounds by more than `slack`.
    pub(super) fn active(&self, states: &States, slack: f64) -> Active<'_> {
        let few = states.resting.len() <= FEW;
        let moves =
            |sample: usize| few || !states.resting[sample] || states.violations[sample] > -slack;
        match &self.rows {
            None => {
                let slots = (0..self.members.len()).filter(|&slot| moves(self.members[slot]));
                let columns: Vec<usize> = slots.collect();
                Active {
                    samples: columns.iter().map(|&slot| self.members[slot]).collect(),
                    rows: columns.iter().map(|&slot| row_of(&self.k, slot)).collect(),
                    columns,
                }
            }
            Some(rows) => {
                let mut samples = self.members.clone();
                samples.retain(|&sample| moves(sample));
                // Reading a row forwards is faster.
                samples.sort_unstable();
                Active {
                    rows: samples.iter().map(|&s| rows.row(s)).collect(),
                    columns: samples.clone(),
                    samples,
                }
            }
        }
    }

    /// Takes in samples that violate optimality, the worst first and half as many as there are
    /// members at most. With them come all that are between their bounds: they move with any other.
    pub(super) fn extend(
        &mut self,
        inputs: &Inputs<'_>,
        dual: &[f64],
        states: &States,
    ) -> Result<(), Error> {
        let States {
            violations,
            resting,
        } = states;
        let mut outside = vec![true; dual.len()];
        for &member in &self.members {
            outside[member] = false;
        }
        let mut incoming: Vec<usize> = (0..dual.len())
            .filter(|&i| outside[i] && (violations[i] > 0.0 || !resting[i]))
            .collect();
        incoming.sort_by(|&i, &j| {
            let by_rest = resting[i].cmp(&resting[j]);
            by_rest.then_with(|| by_violation(violations, i, j))
        });
        incoming.truncate(BATCH.max(self.members.len() / 2));
        if incoming.is_empty() {
            return Ok(());
        }
        if let Some(rows) = &mut self.rows {
            if rows.fetch(inputs, &incoming)? {
                self.members.extend(incoming);
                return Ok(());
            }
            self.k = rows.block(&self.members, &self.members);
            self.rows = None;
        }
        self.exchange(inputs, dual, states, incoming)
    }

    /// Puts samples into the places of members that may leave, and behind them.
    fn exchange(
        &mut self,
        inputs: &Inputs<'_>,
        dual: &[f64],
        States {
            violations,
            resting,
        }: &States,
        mut incoming: Vec<usize>,
    ) -> Result<(), Error> {
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
        incoming.truncate(room.max(BATCH));
        self.replace(inputs, &leaving, &incoming)
    }

    /// Puts new members into the given slots, and the rest of them behind.
    fn replace(
        &mut self,
        inputs: &Inputs<'_>,
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
            let mut larger = Array2::zeros((size, size));
            larger.slice_mut(s![..before, ..before]).assign(&self.k);
            self.k = larger;
        }
        let rows = inputs.cross(incoming, &self.members)?;
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

/// Of each sample, its violation, and whether it rests at its bounds.
pub(super) struct States {
    /// By how much each violates optimality, when the constraints have the multipliers `levels`.
    violations: Vec<f64>,
    /// Whether all its variables are at a bound.
    resting: Vec<bool>,
}

impl States {
    pub(super) fn new(problem: &Problem, point: &[f64], optimality: &Optimality) -> Self {
        let mut violations = vec![f64::NEG_INFINITY; problem.samples];
        let mut resting = vec![true; problem.samples];
        for (t, (&value, &g)) in point.iter().zip(&optimality.gradient).enumerate() {
            let gain = -g - optimality.levels[problem.group[t]];
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
        Self {
            violations,
            resting,
        }
    }
}
