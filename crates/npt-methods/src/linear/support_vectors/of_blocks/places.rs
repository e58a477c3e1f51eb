//! Where the coefficients of samples are.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Where the coefficient β of a sample is: at 0, at the other end of its range, or on its way.
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
pub(super) enum Place {
    Zero,
    /// C, of a sample with y = 1.
    Most,
    /// −C, of a sample with y = −1.
    Least,
    Held,
    /// At 0 until the sample is held.
    FromZero,
    /// At C or −C until the sample is held.
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

/// One for each of all samples; threads set those of different samples.
pub(super) struct Places(Vec<AtomicU8>);

impl Places {
    /// All at 0.
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
