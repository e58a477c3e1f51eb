//! The places of the coefficients of samples.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The place of the coefficient β of a sample: at 0, at the other end of its range, or on its way.
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
pub(super) enum Place {
    Zero,
    /// The coefficient is C, for a sample with y = 1.
    Most,
    /// The coefficient is −C, for a sample with y = −1.
    Least,
    Held,
    /// The coefficient is 0 until the sample is held.
    FromZero,
    /// The coefficient is C or −C until the sample is held.
    FromEnd,
}

const ALL: [Place; 6] = [
    Place::Zero,
    Place::Most,
    Place::Least,
    Place::Held,
    Place::FromZero,
    Place::FromEnd,
];

/// The places of all samples, one each; threads set the places of different samples.
pub(super) struct Places(Vec<AtomicU8>);

impl Places {
    /// Puts all samples at 0.
    pub(super) fn new(samples: usize) -> Self {
        let zero = || AtomicU8::new(Place::Zero as u8);
        Self((0..samples).map(|_| zero()).collect())
    }

    pub(super) fn get(&self, sample: usize) -> Place {
        ALL[usize::from(self.0[sample].load(Relaxed))]
    }

    pub(super) fn set(&self, sample: usize, place: Place) {
        self.0[sample].store(place as u8, Relaxed);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
