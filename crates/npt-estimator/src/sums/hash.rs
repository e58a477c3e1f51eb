//! Numbers that are the same for the same values, on every machine.

use crate::{AnySamples, samples::Kind};
use npt_core::{Samples, SparseRow};
use std::fmt::Debug;

/// FNV-1a with 64 bits, whose last step mixes the high bits into the low ones.
pub(super) struct Hash(u64);

impl Hash {
    pub(super) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(super) fn finish(&self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 33)
    }
}

/// The fold of each sample, below `folds`. The values of a sample alone decide, so that equal samples are in one fold.
pub(super) fn fold_of_each(samples: &AnySamples, folds: usize) -> Vec<usize> {
    let fold = |hash: u64| (hash % folds as u64) as usize;
    let numbers = |row: &[f64]| {
        let mut hash = Hash::new();
        for &value in row {
            // 0 and −0 are equal, and have one hash.
            hash.add(&(value + 0.0).to_bits().to_le_bytes());
        }
        hash.finish()
    };
    match samples.kind() {
        Kind::Rows(rows) => rows
            .view()
            .outer_iter()
            .map(|row| numbers(&row.to_vec()))
            .map(fold)
            .collect(),
        Kind::Sparse(rows) => (0..rows.len())
            .map(|row| fold(entries(rows.get(row))))
            .collect(),
        Kind::Texts(texts) => written(texts).map(fold).collect(),
        Kind::Sets(sets) => written(sets).map(fold).collect(),
        Kind::Graphs(graphs) => written(graphs).map(fold).collect(),
        Kind::Precomputed(rows) => written(rows).map(fold).collect(),
    }
}

/// The hash of the entries that are not zero; zeros that are written out do not change it.
fn entries(row: &SparseRow<f64>) -> u64 {
    let mut hash = Hash::new();
    for &(column, value) in row.entries().iter().filter(|(_, value)| *value != 0.0) {
        hash.add(&(column as u64).to_le_bytes());
        hash.add(&value.to_bits().to_le_bytes());
    }
    hash.finish()
}

/// The hashes of the samples' debug texts, in which numbers have all of their digits.
fn written<S: Samples<Sample: Debug>>(samples: &S) -> impl Iterator<Item = u64> {
    (0..samples.len()).map(|row| {
        let mut hash = Hash::new();
        hash.add(format!("{:?}", samples.get(row)).as_bytes());
        hash.finish()
    })
}
