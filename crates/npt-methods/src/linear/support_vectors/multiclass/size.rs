//! The memory that functions of many classes take, before any of them is trained.

use super::{MulticlassSvcValidParams, Strategy, pairs::pair_count};
use crate::Error;
use npt_core::memory_limit;

/// The number of classes up to which each pair has a column of coefficients of its own, as the formula is written. Beyond it, each
/// support vector has a coefficient for each other class; these are fewer by a factor of half the number of classes.
pub(super) const CLASSES_IN_COLUMNS: usize = 16;

/// The number of bytes below which the memory limit is not asked for.
const SMALL: u64 = 1 << 20;

/// The numbers that a model keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) enum Numbers {
    /// Weights of this number of features, one column per function.
    Weights(usize),
    /// Dual coefficients of this number of samples.
    Dual(usize),
    /// Machines of samples that come in blocks, on this number of coordinates.
    Blocks(usize),
}

impl MulticlassSvcValidParams {
    /// Returns whether each support vector has a coefficient for each other class, in place of one for each pair.
    pub(in super::super) fn is_of_own(&self, classes: usize) -> bool {
        self.strategy == Strategy::OneAgainstOne && classes > CLASSES_IN_COLUMNS
    }

    /// Refuses classes whose functions do not fit into memory.
    pub(in super::super) fn require_room<F>(
        &self,
        numbers: Numbers,
        classes: usize,
    ) -> Result<(), Error> {
        let size = size_of::<F>();
        if bytes(self.strategy, numbers, classes, size) < SMALL {
            return Ok(());
        }
        foresee(self.strategy, numbers, classes, size, memory_limit())
    }
}

/// Returns the number of functions of `classes` classes.
pub(super) fn functions(strategy: Strategy, classes: usize) -> usize {
    match strategy {
        Strategy::OneAgainstOne => pair_count(classes),
        Strategy::OneAgainstRest => classes,
    }
}

/// Returns the bytes that the functions take.
fn bytes(strategy: Strategy, numbers: Numbers, classes: usize, size: usize) -> u64 {
    let (count, functions) = (classes as u64, functions(strategy, classes) as u64);
    let of_pairs = strategy == Strategy::OneAgainstOne;
    // Each function has a bias besides.
    let columns = match numbers {
        Numbers::Dual(samples) if of_pairs && classes > CLASSES_IN_COLUMNS => {
            (samples as u64).saturating_mul(count - 1)
        }
        Numbers::Dual(rows) | Numbers::Weights(rows) => (rows as u64).saturating_mul(functions),
        // Each machine also keeps a sign for each class.
        Numbers::Blocks(rows) => (rows as u64 + count).saturating_mul(functions),
    };
    let numbers = columns.saturating_add(functions);
    numbers.saturating_mul(size as u64)
}

fn foresee(
    strategy: Strategy,
    numbers: Numbers,
    classes: usize,
    size: usize,
    allowed: Option<u64>,
) -> Result<(), Error> {
    let needed = bytes(strategy, numbers, classes, size);
    let Some(allowed) = allowed.filter(|&allowed| allowed < needed) else {
        return Ok(());
    };
    let of_rest = bytes(Strategy::OneAgainstRest, numbers, classes, size);
    let instead = if of_rest <= allowed && strategy == Strategy::OneAgainstOne {
        "`Strategy::OneAgainstRest` takes one machine a class and fits; or put rare classes together"
    } else {
        "put rare classes together, or raise the limit by `limit_memory` where there is more"
    };
    Err(Error::ManyClasses {
        strategy,
        classes,
        machines: functions(strategy, classes),
        needed,
        allowed,
        instead,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(
        strategy: Strategy,
        numbers: Numbers,
        classes: usize,
        allowed: u64,
    ) -> Option<Error> {
        foresee(strategy, numbers, classes, 8, Some(allowed)).err()
    }

    /// A class for each of 47,000 samples takes 47,000·46,999 coefficients and 47,000·46,999/2 biases, of eight bytes.
    #[test]
    fn a_class_a_sample_is_foreseen() {
        let needed = 8 * (47_000 * 46_999 + 47_000 * 46_999 / 2);
        let (of, numbers) = (Strategy::OneAgainstOne, Numbers::Dual(47_000));
        assert_eq!(refused(of, numbers, 47_000, needed), None);
        for (allowed, names_rest) in [(needed - 1, true), (8 * 47_000 * 47_000, false)] {
            let Some(Error::ManyClasses {
                classes,
                machines,
                needed: n,
                allowed: a,
                instead,
                ..
            }) = refused(of, numbers, 47_000, allowed)
            else {
                panic!("one against one fits into {allowed} bytes");
            };
            assert_eq!(
                (classes, machines, n, a),
                (47_000, 1_104_476_500, needed, allowed)
            );
            assert_eq!(instead.contains("OneAgainstRest"), names_rest);
        }
        let of = Strategy::OneAgainstRest;
        assert!(refused(of, numbers, 47_000, 8 * 47_000 * 47_001 - 1).is_some());
        assert_eq!(refused(of, numbers, 47_000, 8 * 47_000 * 47_001), None);
    }

    /// 1000 classes of 5 samples take 40 MB of coefficients and 4 MB of biases, where one column per pair would take 20 GB.
    #[test]
    fn a_thousand_classes_have_room() {
        let of = Strategy::OneAgainstOne;
        assert_eq!(
            bytes(of, Numbers::Dual(5000), 1000, 8),
            8 * (5000 * 999 + 499_500)
        );
        assert_eq!(bytes(of, Numbers::Weights(10), 1000, 4), 4 * 11 * 499_500);
        assert_eq!(bytes(of, Numbers::Dual(100), 16, 8), 8 * 101 * 120);
        assert_eq!(bytes(of, Numbers::Dual(100), 17, 8), 8 * (100 * 16 + 136));
        assert_eq!(bytes(of, Numbers::Blocks(3), 4, 8), 8 * 6 * (3 + 4 + 1));
        assert_eq!(foresee(of, Numbers::Dual(5000), 1000, 8, None), Ok(()));
    }
}
