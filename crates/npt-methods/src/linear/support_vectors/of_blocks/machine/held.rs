//! The best function that the samples that are held can make.

use super::{Held, Machine, Place, side};
use crate::{
    Error,
    error::require_finite,
    linear::support_vectors::{
        scaled_penalty,
        solver::{self, Inputs, Problem},
    },
};
use ndarray::{Array1, Array2, ArrayView1};
use std::cmp::Ordering;

impl Machine {
    /// Finds the function of the samples that the machine holds, which are all samples.
    pub(in super::super) fn solve_all(&mut self) -> Result<(), Error> {
        self.accuracy = self.params.tolerance();
        self.solve(1.0)
    }

    /// Finds a first function from the samples that the machine holds for now, which stand for `share` times as many.
    pub(in super::super) fn solve_some(&mut self, share: f64) -> Result<(), Error> {
        self.solve(share)?;
        self.held.clear();
        self.rows.clear();
        Ok(())
    }

    /// Finds the best function with the samples that are not held where they are. Then lets go of the held samples that are
    /// farthest from the margin.
    pub(in super::super) fn solve_held(&mut self) -> Result<(), Error> {
        self.is_solved = self.balance();
        if !self.is_solved {
            return Ok(());
        }
        self.solve(1.0)?;
        self.gather();
        self.let_go();
        Ok(())
    }

    fn solve(&mut self, share: f64) -> Result<(), Error> {
        if self.held.is_empty() {
            // A random sample may have nothing of rare classes.
            self.weights.assign(&self.of_others.0);
            return Ok(());
        }
        let shape = (self.held.len(), self.weights.len());
        let rows = std::mem::take(&mut self.rows);
        let rows = Array2::from_shape_vec(shape, rows).expect("a row for each that is held");
        let scores = rows.dot(&self.of_others.0);
        let inputs = Inputs::uncentered(rows);
        let problem = self.problem(&inputs, &scores, share)?;
        let solution = solver::minimise(&inputs, &problem, self.accuracy, "Svc")?;
        let (dual, weights) = inputs.dual_and_weights(&solution.scores.dual);
        self.weights = weights + &self.of_others.0;
        self.bias = solution.levels[0];
        let ends: Vec<f64> = self.held.iter().map(|h| self.end_of(h)).collect();
        for (t, held) in self.held.iter_mut().enumerate() {
            // One of the two bounds is 0.
            let is_at_end = solution.scores.dual[t] == problem.lower[t] + problem.upper[t];
            held.value = if is_at_end { ends[t] } else { dual[t] };
        }
        if let Some(rows) = inputs.into_uncentered() {
            self.rows = rows.into_raw_vec_and_offset().0;
        }
        Ok(())
    }

    /// Makes the problem of the held samples, with penalties times `share`, and the other samples where they are.
    fn problem(
        &self,
        inputs: &Inputs<'_>,
        of_others: &Array1<f64>,
        share: f64,
    ) -> Result<Problem, Error> {
        let penalties = self.params.penalties().into_iter().zip(self.factors);
        let mut scaled = [0.0; 2];
        for (scaled, ((parameter, c), factor)) in scaled.iter_mut().zip(penalties) {
            *scaled = scaled_penalty(inputs, "Svc", parameter, c)? * factor * share;
        }
        let [positive, negative] = scaled;
        require_finite("Svc", scaled.iter())?;
        let of = |value: &dyn Fn(&Held) -> f64| self.held.iter().map(value).collect::<Vec<_>>();
        let lower = of(&|h| {
            if h.sign > 0.0 {
                0.0
            } else {
                -negative * self.weight(h.sample)
            }
        });
        let upper = of(&|h| {
            if h.sign > 0.0 {
                positive * self.weight(h.sample)
            } else {
                0.0
            }
        });
        let mut start = of(&|h| h.value * inputs.unit());
        // Σβ = 0 over all samples.
        let mut missing = -self.of_others.1 * inputs.unit() - start.iter().sum::<f64>();
        for (value, (&lower, &upper)) in start.iter_mut().zip(lower.iter().zip(&upper)) {
            let before = *value;
            *value = (before + missing).clamp(lower, upper);
            missing -= *value - before;
        }
        Ok(Problem {
            samples: self.held.len(),
            linear: self
                .held
                .iter()
                .zip(of_others)
                .map(|(h, score)| score - h.sign)
                .collect(),
            lower,
            upper,
            group: vec![0; self.held.len()],
            groups: 1,
            start,
            scores: None,
        })
    }

    /// Returns whether the samples that are held can make Σβ = 0 with the others. If not, as many of the others as are too many go to
    /// 0, and the next pass tells which of them should not have.
    fn balance(&self) -> bool {
        let ends = self.held.iter().map(|h| self.end_of(h));
        let (up, down) = ends.fold((0.0, 0.0), |(up, down): (f64, f64), end| {
            (up + end.max(0.0), down + end.min(0.0))
        });
        let sum = self.of_others.1;
        let excess = (sum + down).max(0.0) + (sum + up).min(0.0);
        if excess == 0.0 {
            return true;
        }
        let (place, sign) = if excess > 0.0 {
            (Place::Most, 1.0)
        } else {
            (Place::Least, -1.0)
        };
        let there = || (0..self.places.len()).filter(|&sample| self.places.get(sample) == place);
        let share = excess / there().map(|sample| self.end(sample, sign)).sum::<f64>();
        let (mut due, mut kept) = (0.0, None);
        for sample in there() {
            let end = self.end(sample, sign).abs();
            due += share * end;
            if due >= end {
                due -= end;
                self.places.set(sample, Place::Zero);
            } else {
                kept = Some(sample);
            }
        }
        // The excess that is left is a part of the range of one sample.
        if let Some(sample) = kept {
            self.places.set(sample, Place::FromEnd);
        }
        false
    }

    fn end_of(&self, held: &Held) -> f64 {
        self.end(held.sample, held.sign)
    }

    fn is_free(&self, held: &Held) -> bool {
        held.value != 0.0 && held.value != self.end_of(held)
    }

    /// Returns the held samples between the ends of their range.
    fn free(&self) -> Vec<usize> {
        let held = self.held.iter().enumerate();
        held.filter(|(_, held)| self.is_free(held))
            .map(|(t, _)| t)
            .collect()
    }

    /// Moves equal samples so that one is between the ends of its range and the others are at an end, with the same sum. Only
    /// samples at an end can be let go, and many equal samples need no room.
    fn gather(&mut self) {
        let rank = self.weights.len();
        let mut free = self.free();
        if free.len() <= rank + 1 {
            return;
        }
        let key = |t: usize| (self.held[t].sign, &self.rows[t * rank..][..rank]);
        let by_key =
            |&a: &usize, &b: &usize| key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal);
        free.sort_by(by_key);
        let equal: Vec<Vec<usize>> = free
            .chunk_by(|&a, &b| key(a) == key(b))
            .map(<[_]>::to_vec)
            .collect();
        for equal in equal {
            let mut sum: f64 = equal.iter().map(|&t| self.held[t].value).sum();
            for t in equal {
                let end = self.end_of(&self.held[t]);
                let value = if sum / end >= 1.0 { end } else { sum };
                self.held[t].value = value;
                sum -= value;
            }
        }
    }

    /// Lets go of samples that are safe at an end of their range, the safest first, until half the room is free.
    fn let_go(&mut self) {
        let rank = self.weights.len();
        let safety = |(held, row): (&Held, &[f64])| {
            let inside = 1.0 - held.sign * (ArrayView1::from(row).dot(&self.weights) + self.bias);
            match held.value {
                0.0 => -inside,
                _ if self.is_free(held) => f64::NEG_INFINITY,
                _ => inside,
            }
        };
        let rows = self.rows.chunks_exact(rank);
        let safety: Vec<f64> = self.held.iter().zip(rows).map(safety).collect();
        let mut order: Vec<usize> = (0..safety.len()).collect();
        order.sort_by(|&a, &b| safety[a].total_cmp(&safety[b]));
        let mut kept = vec![true; order.len()];
        for &t in order.iter().skip(self.free().len().max(self.most / 2)) {
            kept[t] = false;
            let held = &self.held[t];
            self.places
                .set(held.sample, side(held.value == 0.0, held.sign));
        }
        let kept_rows = (0..kept.len()).filter(|&t| kept[t]);
        for (place, t) in kept_rows.enumerate() {
            self.rows
                .copy_within(t * rank..(t + 1) * rank, place * rank);
        }
        let mut kept = kept.into_iter();
        self.held.retain(|_| kept.next().unwrap_or_default());
        self.rows.truncate(self.held.len() * rank);
    }
}
