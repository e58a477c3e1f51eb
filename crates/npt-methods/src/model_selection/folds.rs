//! Folds: sets of samples that are held out together.

use crate::Error;
use linfa::{Label, dataset::AsSingleTargets};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256Plus;
use std::collections::BTreeMap;

/// A partition of the samples into folds: each fold is held out once, and all other samples train.
///
/// # Example
/// ```
/// use npt_methods::model_selection::Folds;
///
/// let folds = Folds::k(5, 2, 42)?;
/// let mut held_out: Vec<usize> = folds.held_out().flatten().copied().collect();
/// held_out.sort_unstable();
/// assert_eq!(held_out, [0, 1, 2, 3, 4]);
/// # Ok::<(), npt_methods::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Folds {
    samples: usize,
    /// The samples of each fold, ascending.
    held_out: Vec<Vec<usize>>,
}

impl Folds {
    /// Divides the samples into k folds in random order; the sizes of the folds differ by one at most.
    ///
    /// # Errors
    /// [`Error::Folds`] unless 2 ≤ k ≤ samples.
    pub fn k(samples: usize, k: usize, seed: u64) -> Result<Self, Error> {
        let mut order: Vec<usize> = (0..samples).collect();
        order.shuffle(&mut Xoshiro256Plus::seed_from_u64(seed));
        Self::deal(&order, k)
    }

    /// Divides the samples into k folds with the same share of every class, as nearly as the size of the class allows. The numbers of
    /// members of a class differ by one at most between folds, and so do the sizes of the folds.
    ///
    /// # Errors
    /// [`Error::Folds`] unless 2 ≤ k ≤ samples.
    pub fn stratified<L: Label>(
        labels: &impl AsSingleTargets<Elem = L>,
        k: usize,
        seed: u64,
    ) -> Result<Self, Error> {
        let mut members: BTreeMap<L, Vec<usize>> = BTreeMap::new();
        for (i, label) in labels.as_single_targets().iter().enumerate() {
            members.entry(label.clone()).or_default().push(i);
        }
        let mut rng = Xoshiro256Plus::seed_from_u64(seed);
        let mut order = Vec::new();
        for mut class in members.into_values() {
            class.shuffle(&mut rng);
            order.append(&mut class);
        }
        Self::deal(&order, k)
    }

    /// Makes one fold per sample.
    ///
    /// # Errors
    /// [`Error::Folds`] for fewer than two samples.
    pub fn leave_one_out(samples: usize) -> Result<Self, Error> {
        let order: Vec<usize> = (0..samples).collect();
        Self::deal(&order, samples)
    }

    /// Deals the samples out, one after the other to the next fold.
    fn deal(order: &[usize], folds: usize) -> Result<Self, Error> {
        let samples = order.len();
        if folds < 2 || folds > samples {
            return Err(Error::Folds { folds, samples });
        }
        let mut held_out = vec![Vec::new(); folds];
        for (position, &sample) in order.iter().enumerate() {
            held_out[position % folds].push(sample);
        }
        for fold in &mut held_out {
            fold.sort_unstable();
        }
        Ok(Self { samples, held_out })
    }

    /// The number of samples.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The number of folds.
    pub fn len(&self) -> usize {
        self.held_out.len()
    }

    /// Returns whether there are no folds: always false.
    pub fn is_empty(&self) -> bool {
        self.held_out.is_empty()
    }

    /// The samples of each fold, ascending.
    pub fn held_out(&self) -> impl Iterator<Item = &[usize]> {
        self.held_out.iter().map(Vec::as_slice)
    }

    /// Returns the samples of all folds but `fold`, ascending, and the samples of `fold`.
    ///
    /// # Panics
    /// Panics if there is no such fold.
    pub fn split(&self, fold: usize) -> (Vec<usize>, &[usize]) {
        let held_out = self.held_out[fold].as_slice();
        let training = (0..self.samples).filter(|i| held_out.binary_search(i).is_err());
        (training.collect(), held_out)
    }
}

npt_core::checked! { Folds { samples: usize, held_out: Vec<Vec<usize>> } }

#[cfg(feature = "serde")]
impl Folds {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, place, some};
        crate::parts::two("folds", self.held_out.len())?;
        let held: usize = self.held_out.iter().map(Vec::len).sum();
        agree("samples held out", held, "samples", self.samples)?;
        let mut is_held = vec![false; held];
        for fold in &self.held_out {
            some("samples in a fold", fold.len())?;
            if !fold.is_sorted() {
                return Err("the samples of a fold are not in ascending order".into());
            }
            for &sample in fold {
                place("sample", sample, self.samples)?;
                if std::mem::replace(&mut is_held[sample], true) {
                    return Err(format!("sample {sample} is held out twice"));
                }
            }
        }
        Ok(())
    }
}
