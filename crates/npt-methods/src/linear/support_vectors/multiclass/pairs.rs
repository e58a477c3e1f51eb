//! The pairs of classes, in the order of their functions.

use crate::Error;
use npt_core::watch::{Carrier, Progress};
use rayon::prelude::*;

/// The number of pairs whose machines are in memory at a time.
const AT_A_TIME: usize = 1 << 12;

/// Returns the pairs a < b of `count` classes.
pub(in super::super) fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

/// Returns the number of pairs of `count` classes, or the largest `usize` where there are more.
pub(in super::super) fn pair_count(count: usize) -> usize {
    if count.is_multiple_of(2) {
        (count / 2).saturating_mul(count.saturating_sub(1))
    } else {
        count.saturating_mul((count - 1) / 2)
    }
}

/// Returns the place of the pair a < b among all pairs.
pub(super) fn place(a: usize, b: usize, count: usize) -> usize {
    a * (2 * count - a - 1) / 2 + (b - a - 1)
}

/// Calls `work` for each pair of `count` classes, on all threads, as a stage of that name. Gives the results to `take`, in order.
pub(in super::super) fn each_pair<T: Send>(
    stage: &'static str,
    count: usize,
    work: impl Fn((usize, usize)) -> Result<T, Error> + Sync,
    mut take: impl FnMut((usize, usize), T),
) -> Result<(), Error> {
    let progress = Progress::start(stage, pair_count(count));
    let (steps, carrier) = (progress.steps(), Carrier::new());
    let of_pair = |&pair: &(usize, usize)| {
        carrier.over(|| {
            let made = work(pair);
            steps.take(1);
            made
        })
    };
    let mut pairs = pairs(count);
    loop {
        let some: Vec<(usize, usize)> = pairs.by_ref().take(AT_A_TIME).collect();
        if some.is_empty() {
            return Ok(());
        }
        let made: Result<Vec<T>, Error> = some.par_iter().with_max_len(1).map(of_pair).collect();
        for (pair, made) in some.into_iter().zip(made?) {
            take(pair, made);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_its_place() {
        for count in 0..9 {
            for (expected, (a, b)) in pairs(count).enumerate() {
                assert_eq!(place(a, b, count), expected);
            }
            assert_eq!(pair_count(count), pairs(count).count());
        }
        assert_eq!(pair_count(47_000), 1_104_476_500);
        assert_eq!(pair_count(usize::MAX), usize::MAX);
    }

    #[test]
    fn more_pairs_than_are_made_at_a_time_come_in_order() {
        let mut found = Vec::new();
        let take = |pair, made: usize| found.push((pair, made));
        each_pair("machines", 100, |(a, b)| Ok(100 * a + b), take).unwrap();
        assert_eq!(found.len(), 4950);
        assert!(
            found
                .iter()
                .zip(pairs(100))
                .all(|(f, pair)| f.0 == pair && f.1 == 100 * pair.0 + pair.1)
        );
        let error = Error::Classes { found: 7 };
        let fails = |pair| {
            if pair == (98, 99) {
                Err(error.clone())
            } else {
                Ok(())
            }
        };
        assert_eq!(
            each_pair("machines", 100, fails, |_, ()| ()),
            Err(error.clone())
        );
    }
}
