//! The samples that are optimised together, and their kernel matrix.

use super::{
    Inputs, Problem,
    kernel_rows::{KernelRows, row_of, weighted_sum},
    optimality::Optimality,
    smo::Active,
};
use crate::Error;
use ndarray::{Array1, Array2, CowArray, Ix2, s};
use npt_core::memory_limit;
use std::cmp::Ordering;

/// The number of samples up to which all are optimised together.
const FEW: usize = 512;

/// The least number of samples that are taken in together.
const BATCH: usize = 256;

/// The number of samples whose kernel matrix is held at a time, 128 MB of it, unless more of them move.
const LARGEST: usize = 4096;

/// A working set that takes in samples that violate optimality. Most of the kernel values that are computed are then
/// those of support vectors, and most other samples never enter.
pub(super) struct WorkingSet<'a> {
    members: Vec<usize>,
    held: Held<'a>,
}

/// Kernel values in memory.
enum Held<'a> {
    /// The kernel values of all samples, which are then all members.
    All(CowArray<'a, f64, Ix2>),
    /// The kernel values of the members with all samples.
    Rows(KernelRows),
    /// The kernel values of the members with each other. These are held where samples are rows (scores are cheap then), and where
    /// rows of kernel values no longer fit.
    Members(Array2<f64>),
}

impl<'a> WorkingSet<'a> {
    /// Makes a working set with at most `in_rows` numbers in rows of the kernel matrix.
    pub(super) fn new(inputs: &'a Inputs<'_>, in_rows: usize) -> Result<Self, Error> {
        let samples = inputs.samples();
        if samples <= FEW || inputs.has_matrix() {
            return Ok(Self {
                members: (0..samples).collect(),
                held: Held::All(inputs.gram()?),
            });
        }
        let held = if inputs.has_rows() {
            Held::Members(Array2::zeros((0, 0)))
        } else {
            let fits = memory_limit().map_or(in_rows, |bytes| bytes as usize / size_of::<f64>());
            Held::Rows(KernelRows::new(samples, in_rows.min(fits)))
        };
        Ok(Self {
            members: Vec::new(),
            held,
        })
    }

    /// Returns ⟨xⱼ, Σ βᵢxᵢ⟩ of all samples, members or not.
    pub(super) fn scores(&self, inputs: &Inputs<'_>, dual: &[f64]) -> Result<Array1<f64>, Error> {
        let known = match &self.held {
            Held::Rows(rows) => rows.scores(dual),
            Held::All(k) if !inputs.has_rows() => Some(weighted_sum(dual, |i| row_of(k, i))),
            _ => None,
        };
        known.map_or_else(|| inputs.scores(dual), Ok)
    }

    /// Returns the members that may move, without those that are safe at their bounds by more than `slack`. If these are more than
    /// `most`, the worst of those that may rise, and of those that may fall, are returned.
    pub(super) fn active(&self, states: &States, slack: f64, most: usize) -> Active<'_> {
        let few = states.resting.len() <= FEW;
        let moves =
            |sample: usize| few || !states.resting[sample] || states.violation(sample) > -slack;
        let mut slots: Vec<usize> = (0..self.members.len())
            .filter(|&slot| moves(self.members[slot]))
            .collect();
        if slots.len() > most && !few {
            let mut chosen = vec![false; states.resting.len()];
            let samples = slots.iter().map(|&slot| self.members[slot]).collect();
            for sample in states.worst(samples, most) {
                chosen[sample] = true;
            }
            slots.retain(|&slot| chosen[self.members[slot]]);
        }
        // Reading a row forwards is faster.
        slots.sort_unstable_by_key(|&slot| self.members[slot]);
        let samples: Vec<usize> = slots.iter().map(|&slot| self.members[slot]).collect();
        let (rows, columns) = match &self.held {
            Held::All(k) => (
                samples.iter().map(|&s| row_of(k, s)).collect(),
                samples.clone(),
            ),
            Held::Rows(rows) => (
                samples.iter().map(|&s| rows.row(s)).collect(),
                samples.clone(),
            ),
            Held::Members(k) => (slots.iter().map(|&slot| row_of(k, slot)).collect(), slots),
        };
        Active {
            samples,
            rows,
            columns,
        }
    }

    /// Takes in samples that violate optimality, the worst of those that may rise and of those that may
    /// fall: [`BATCH`] of them, or an eighth of the members if that is more. Returns whether there were any. Samples between their
    /// bounds come first: they move with any other.
    pub(super) fn extend(
        &mut self,
        inputs: &Inputs<'_>,
        dual: &[f64],
        states: &States,
    ) -> Result<bool, Error> {
        if matches!(self.held, Held::All(_)) {
            return Ok(false);
        }
        let mut outside = vec![true; dual.len()];
        for &member in &self.members {
            outside[member] = false;
        }
        let violates = |i: usize| states.violation(i) > 0.0 || !states.resting[i];
        let candidates: Vec<usize> = (0..dual.len())
            .filter(|&i| outside[i] && violates(i))
            .collect();
        let incoming = states.worst(candidates, BATCH.max(self.members.len() / 8));
        if incoming.is_empty() {
            return Ok(false);
        }
        if let Held::Rows(rows) = &mut self.held {
            if rows.fetch(inputs, &incoming)? {
                self.members.extend(incoming);
                return Ok(true);
            }
            self.held = Held::Members(rows.block(&self.members, &self.members));
        }
        self.exchange(inputs, dual, states, incoming)?;
        Ok(true)
    }

    /// Puts samples into the places of members that may leave, and behind them.
    fn exchange(
        &mut self,
        inputs: &Inputs<'_>,
        dual: &[f64],
        states: &States,
        mut incoming: Vec<usize>,
    ) -> Result<(), Error> {
        // Samples without weight may leave, or, where there is no room, all that are safe at their bounds.
        let full = self.members.len() + incoming.len() > LARGEST;
        let may_leave = |&slot: &usize| {
            let sample = self.members[slot];
            let idle = dual[sample] == 0.0 || (full && states.resting[sample]);
            idle && states.violation(sample) < 0.0
        };
        let mut leaving: Vec<usize> = (0..self.members.len()).filter(may_leave).collect();
        leaving.sort_by(|&a, &b| {
            let (a, b) = (self.members[a], self.members[b]);
            largest_first(states.violation(b), states.violation(a), b, a)
        });
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
        let Held::Members(k) = &mut self.held else {
            unreachable!("only what is held of members with each other changes places");
        };
        let before = self.members.len();
        let size = before + incoming.len() - slots.len();
        let slots: Vec<usize> = slots.iter().copied().chain(before..size).collect();
        self.members.resize(size, 0);
        for (&slot, &sample) in slots.iter().zip(incoming) {
            self.members[slot] = sample;
        }
        if size > before {
            let mut larger = Array2::zeros((size, size));
            larger.slice_mut(s![..before, ..before]).assign(k);
            *k = larger;
        }
        let rows = inputs.cross(incoming, &self.members)?;
        for (&slot, row) in slots.iter().zip(rows.outer_iter()) {
            k.row_mut(slot).assign(&row);
            k.column_mut(slot).assign(&row);
        }
        Ok(())
    }
}

/// Returns the order of two samples by their violations, the largest first. Of equal violations, which at the start are all, a
/// mixture comes first.
fn largest_first(of_i: f64, of_j: f64, i: usize, j: usize) -> Ordering {
    let mixed = |i: usize| (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    of_j.total_cmp(&of_i).then(mixed(i).cmp(&mixed(j)))
}

/// The gain of each sample from rising, or from falling, and whether it rests at its bounds.
pub(super) struct States {
    /// The violation of each sample in that a variable of it could rise, when the constraints have the multipliers `levels`; −∞ if
    /// none can.
    rising: Vec<f64>,
    /// The violation of each sample in that a variable of it could fall.
    falling: Vec<f64>,
    /// True if all variables of a sample are at a bound.
    resting: Vec<bool>,
}

impl States {
    pub(super) fn new(problem: &Problem, point: &[f64], optimality: &Optimality) -> Self {
        let mut states = Self {
            rising: vec![f64::NEG_INFINITY; problem.samples],
            falling: vec![f64::NEG_INFINITY; problem.samples],
            resting: vec![true; problem.samples],
        };
        for (t, (&value, &g)) in point.iter().zip(&optimality.gradient).enumerate() {
            let gain = -g - optimality.levels[problem.group[t]];
            let (below, above) = (value < problem.upper[t], value > problem.lower[t]);
            let sample = t % problem.samples;
            if below {
                states.rising[sample] = states.rising[sample].max(gain);
            }
            if above {
                states.falling[sample] = states.falling[sample].max(-gain);
            }
            states.resting[sample] &= !(below && above);
        }
        states
    }

    /// Returns half of `most` samples that gain most by rising, and as many that gain most by falling, with samples
    /// between their bounds first.
    fn worst(&self, samples: Vec<usize>, most: usize) -> Vec<usize> {
        if samples.len() <= most {
            return samples;
        }
        let worst_of = |gains: &[f64]| {
            let mut samples = samples.clone();
            samples.select_nth_unstable_by(most / 2, |&i, &j| {
                let by_rest = self.resting[i].cmp(&self.resting[j]);
                by_rest.then_with(|| largest_first(gains[i], gains[j], i, j))
            });
            samples.truncate(most / 2);
            samples
        };
        let (mut worst, falling) = (worst_of(&self.rising), worst_of(&self.falling));
        worst.extend(falling);
        worst.sort_unstable();
        worst.dedup();
        worst
    }

    fn violation(&self, sample: usize) -> f64 {
        self.rising[sample].max(self.falling[sample])
    }
}

#[cfg(test)]
mod tests;
