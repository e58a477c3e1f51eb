//! A classifier of two classes that holds only the samples near its margin, of all samples that come in blocks.

mod held;

use super::{
    super::svc::SvcValidParams,
    places::{Place, Places},
};
use ndarray::{Array1, ArrayView1, ArrayViewMut1};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

/// The accuracy of the first functions: samples that are not held change these functions anyway.
const FIRST_ACCURACY: f64 = 0.05;

/// The share of the last violation to which a function is found.
const NEARER: f64 = 0.1;

/// The distance, in units of the margin, within which samples that are where they belong are held too if there is room: the next
/// function may move them.
const NEAR: f64 = 0.1;

/// A machine that solves min ½‖w‖² + Σ Cᵢ max(0, 1 − yᵢ(wᵀxᵢ + b)) in parts. w = Σ βᵢxᵢ over all samples, and only the β of samples
/// that are held may move. The other samples are at an end of their range, 0 or yᵢCᵢ, and count by their sums.
pub(super) struct Machine {
    params: SvcValidParams,
    /// y of each class, 0 for classes that the machine is not about.
    signs: Vec<f64>,
    places: Places,
    held: Vec<Held>,
    /// The weight of each of all samples; nothing if each weighs 1.
    sample_weights: Option<Arc<[f32]>>,
    /// The coordinates of the samples that are held, row by row.
    rows: Vec<f64>,
    /// The most samples that the machine holds, or nearly so.
    most: usize,
    /// The number of samples that the machine is about.
    own: usize,
    /// The factors of the penalties of its positive and its negative class.
    factors: [f64; 2],
    /// Σβx and Σβ of the samples that are not held.
    of_others: (Array1<f64>, f64),
    weights: Array1<f64>,
    bias: f64,
    accuracy: f64,
    /// True if the function is that of the samples where they are now.
    is_solved: bool,
    is_done: bool,
    /// The largest violation that a pass has seen, by its bits: numbers that are not negative are in the order of their bits.
    violation: AtomicU64,
    /// The largest magnitude of a value that a pass has seen, by its bits.
    largest: AtomicU64,
}

/// A sample whose coefficient may move.
struct Held {
    sample: usize,
    sign: f64,
    /// β
    value: f64,
}

/// The purpose of a pass over all samples.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Look {
    /// The pass finds where each sample is, by a function that was found without it.
    First,
    /// The pass finds the samples that are not where they belong.
    Next,
}

/// The samples that a pass is at.
pub(super) struct Here<'a> {
    pub(super) look: Look,
    /// The position of the first of these samples among all.
    pub(super) first: usize,
    pub(super) classes: &'a [usize],
    /// A number from 0 to 1 that is added before rounding down: where shares are small, another pass may take a sample.
    pub(super) chance: f64,
}

impl Machine {
    /// Makes a machine with the function 0, and all `samples` samples at 0. Each class has a number of samples of positive weight
    /// (`counts`), and their total weight (`weights`).
    pub(super) fn new(
        params: SvcValidParams,
        signs: Vec<f64>,
        samples: usize,
        (counts, weights): (&[usize], &[f64]),
        rank: usize,
        most: usize,
    ) -> Self {
        let of_sides = [1.0, -1.0].map(|side| {
            let of_classes = signs.iter().zip(weights);
            let of_side = of_classes.filter(|&(&sign, _)| sign == side);
            of_side.map(|(_, weight)| weight).sum::<f64>()
        });
        let own = signs.iter().zip(counts).filter(|&(&sign, _)| sign != 0.0);
        Self {
            factors: params.factors(of_sides),
            own: own.map(|(_, count)| count).sum(),
            params,
            places: Places::new(samples),
            sample_weights: None,
            signs,
            held: Vec::new(),
            rows: Vec::with_capacity(most * rank),
            most,
            of_others: (Array1::zeros(rank), 0.0),
            weights: Array1::zeros(rank),
            bias: 0.0,
            accuracy: FIRST_ACCURACY,
            is_solved: false,
            is_done: false,
            violation: AtomicU64::new(0),
            largest: AtomicU64::new(0),
        }
    }

    /// Returns the largest magnitude of a sum on the way to a value at samples that the machine holds, or of a value at others in the last pass.
    pub(super) fn largest_value(&self) -> f64 {
        let rows = self.rows.chunks_exact(self.weights.len().max(1));
        let terms = rows.map(|row| {
            let terms = row.iter().zip(&self.weights);
            terms.map(|(x, w)| (x * w).abs()).sum::<f64>()
        });
        let of_held = terms.fold(0.0, f64::max) + self.bias.abs();
        of_held.max(f64::from_bits(self.largest.load(Relaxed)))
    }

    pub(super) fn weights(&self) -> ArrayView1<'_, f64> {
        self.weights.view()
    }

    pub(super) fn bias(&self) -> f64 {
        self.bias
    }

    /// Takes the weights of all samples.
    pub(super) fn weigh(&mut self, weights: &Arc<[f32]>) {
        self.sample_weights = Some(Arc::clone(weights));
    }

    fn weight(&self, sample: usize) -> f64 {
        let weights = self.sample_weights.as_ref();
        weights.map_or(1.0, |weights| f64::from(weights[sample]))
    }

    /// Returns β of all samples.
    pub(super) fn dual(&self) -> Array1<f64> {
        let mut dual: Array1<f64> = (0..self.places.len())
            .map(|sample| self.value(sample))
            .collect();
        for held in &self.held {
            dual[held.sample] = held.value;
        }
        dual
    }

    /// Returns whether the machine is about samples of a class.
    pub(super) fn is_about(&self, class: usize) -> bool {
        self.signs[class] != 0.0
    }

    /// Returns y of a sample, 0 for a sample that the machine is not about.
    fn sign(&self, sample: usize, class: usize) -> f64 {
        if self.weight(sample) > 0.0 {
            self.signs[class]
        } else {
            0.0
        }
    }

    /// Returns the end of the range of a sample's β that is not 0.
    fn end(&self, sample: usize, sign: f64) -> f64 {
        let [(_, positive), (_, negative)] = self.params.penalties();
        let of_class = if sign > 0.0 {
            positive * self.factors[0]
        } else {
            -negative * self.factors[1]
        };
        of_class * self.weight(sample)
    }

    /// Returns β of a sample that is not held.
    fn value(&self, sample: usize) -> f64 {
        match self.places.get(sample) {
            Place::Most => self.end(sample, 1.0),
            Place::Least => self.end(sample, -1.0),
            _ => 0.0,
        }
    }

    pub(super) fn begin_pass(&mut self) {
        self.violation = AtomicU64::new(0);
        self.largest = AtomicU64::new(0);
    }

    /// Looks at some samples by the values of the function, and marks samples that the machine is to hold: these samples' share of the
    /// room that is left. Writes β of the samples that are not held.
    pub(super) fn look(
        &self,
        here: &Here<'_>,
        values: ArrayView1<'_, f64>,
        mut of_others: ArrayViewMut1<'_, f64>,
    ) {
        let &Here {
            look,
            first,
            classes,
            chance,
        } = here;
        let signs = (first..).zip(classes);
        let signs: Vec<f64> = signs
            .map(|(sample, &class)| self.sign(sample, class))
            .collect();
        let own = signs.iter().filter(|&&sign| sign != 0.0).count();
        let room = self.most.saturating_sub(self.held.len());
        let share = own as f64 / self.own.max(1) as f64 * room as f64;
        let mut violations: Vec<(f64, usize)> = Vec::new();
        let largest = values.iter().fold(0.0, |m: f64, value| m.max(value.abs()));
        self.largest.fetch_max(largest.to_bits(), Relaxed);
        for (sample, (&sign, value)) in (first..).zip(signs.iter().zip(values)) {
            // How far the sample is on the wrong side of its margin.
            let inside = 1.0 - sign * value;
            if look == Look::First && sign != 0.0 {
                self.places.set(sample, side(inside <= 0.0, sign));
            }
            let violation = match self.places.get(sample) {
                _ if sign == 0.0 => continue,
                Place::Zero => inside,
                Place::Most | Place::Least => -inside,
                _ => continue,
            };
            if look == Look::First || violation > -NEAR {
                violations.push((violation, sample));
            }
        }
        let worst = violations.iter().fold(0.0, |m: f64, v| m.max(v.0));
        self.violation.fetch_max(worst.to_bits(), Relaxed);
        violations.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let ranked = violations.iter().zip(1_u32..);
        for (&(_, sample), _) in ranked.take_while(|&(_, rank)| f64::from(rank) <= share + chance) {
            let place = match self.places.get(sample) {
                Place::Zero => Place::FromZero,
                _ => Place::FromEnd,
            };
            self.places.set(sample, place);
        }
        for (sample, value) in (first..).zip(&mut of_others) {
            *value = self.value(sample);
        }
    }

    /// Returns whether the machine has marked a sample to hold it.
    pub(super) fn waits_for(&self, sample: usize) -> bool {
        matches!(self.places.get(sample), Place::FromZero | Place::FromEnd)
    }

    /// Holds a sample.
    pub(super) fn hold(&mut self, sample: usize, class: usize, row: ArrayView1<'_, f64>) {
        let sign = self.signs[class];
        let value = match self.places.get(sample) {
            Place::FromEnd => self.end(sample, sign),
            _ => 0.0,
        };
        self.places.set(sample, Place::Held);
        self.held.push(Held {
            sample,
            sign,
            value,
        });
        self.rows.extend(row);
    }

    /// Takes the sums of a pass over the samples that the machine does not hold.
    pub(super) fn end_pass(&mut self, look: Look, of_others: (Array1<f64>, f64)) {
        self.of_others = of_others;
        if look == Look::First {
            return;
        }
        let (violation, enough) = (self.violation(), self.params.tolerance() / 2.0);
        self.is_done = self.is_solved && violation <= enough && self.accuracy <= enough;
        self.accuracy = self.accuracy.min(NEARER * violation).max(enough);
    }

    /// Returns whether all samples are where they belong.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    pub(super) fn violation(&self) -> f64 {
        f64::from_bits(self.violation.load(Relaxed))
    }
}

/// Returns the place of a sample that is not held.
fn side(is_outside: bool, sign: f64) -> Place {
    match (is_outside, sign > 0.0) {
        (true, _) => Place::Zero,
        (false, true) => Place::Most,
        (false, false) => Place::Least,
    }
}
