//! Counts of discrete features, for kernels that are inner products of counts.

use crate::linalg::fill_values;
use ndarray::Array2;
use std::{collections::HashMap, hash::Hash};

/// Numbers features in the order in which they are met.
pub(in crate::kernels::structured) struct Dictionary<K> {
    numbers: HashMap<K, usize>,
}

impl<K: Hash + Eq> Dictionary<K> {
    pub(in crate::kernels::structured) fn new() -> Self {
        Self {
            numbers: HashMap::new(),
        }
    }

    pub(in crate::kernels::structured) fn number(&mut self, feature: K) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(feature).or_insert(next)
    }

    pub(in crate::kernels::structured) fn count(
        &mut self,
        features: impl Iterator<Item = K>,
    ) -> Counts {
        Counts::new(features.map(|feature| self.number(feature)).collect())
    }
}

/// The counts of features: (number of the feature, occurrences), in ascending order of the numbers.
pub(in crate::kernels::structured) struct Counts(Vec<(usize, f64)>);

impl Counts {
    pub(in crate::kernels::structured) fn new(mut features: Vec<usize>) -> Self {
        features.sort_unstable();
        let runs = features.chunk_by(|a, b| a == b);
        Self(runs.map(|run| (run[0], run.len() as f64)).collect())
    }

    pub(in crate::kernels::structured) fn inner_product(&self, other: &Self) -> f64 {
        let (mut left, mut right) = (self.0.as_slice(), other.0.as_slice());
        let mut sum = 0.0;
        while let ([(i, a), left_rest @ ..], [(j, b), right_rest @ ..]) = (left, right) {
            if i == j {
                sum += a * b;
            }
            if i <= j {
                left = left_rest;
            }
            if j <= i {
                right = right_rest;
            }
        }
        sum
    }
}

/// The inner products of each of `a` with each of `b`.
pub(in crate::kernels::structured) fn inner_products(a: &[Counts], b: &[Counts]) -> Array2<f64> {
    let mut matrix = Array2::zeros((a.len(), b.len()));
    fill_values(&mut matrix, |i, row| {
        for (value, b) in row.iter_mut().zip(b) {
            *value = a[i].inner_product(b);
        }
    });
    matrix
}
