//! Work that is divided among threads.
//!
//! rayon's code is compiled anew for every closure. Behind a `dyn Fn` it is compiled once, whatever kernels and samples
//! there are.

use crate::{
    Scalar,
    linalg::PANEL,
    watch::{Carrier, Progress},
};
use ndarray::{ArrayView2, Axis};
use rayon::prelude::*;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Does `work` on this number of samples on a thread of the pool. Work that is divided there, often and into small parts,
/// need not wait for a thread to wake. Work on few samples is not divided, and is done on the thread of the caller.
pub(crate) fn in_pool<R: Send>(samples: usize, work: impl FnOnce() -> R + Send) -> R {
    if samples <= PANEL {
        work()
    } else {
        let carrier = Carrier::new();
        rayon::scope(|_| carrier.over(work))
    }
}

/// Calls `work` with 0 to count − 1.
fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    if count <= 1 {
        // Done without waking another thread.
        return (0..count).for_each(work);
    }
    let carrier = Carrier::new();
    (0..count)
        .into_par_iter()
        .for_each(|i| carrier.over(|| work(i)));
}

/// The results of `work` for 0 to count − 1, in order.
pub(crate) fn map<R: Send + Sync>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let mut results = Vec::new();
    results.resize_with(count, OnceLock::new);
    for_each(count, &|i| {
        results[i].get_or_init(|| work(i));
    });
    let results = results.into_iter().map(OnceLock::into_inner);
    results
        .map(|result| result.expect("was computed"))
        .collect()
}

/// The results of `work` for each of the items, in order.
pub(crate) fn map_mut<T: Send, R: Send + Sync>(
    items: &mut [T],
    work: impl Fn(usize, &mut T) -> R + Sync,
) -> Vec<R> {
    // Each item is locked once, so that one closure may change all of them.
    let items: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
    map(items.len(), |i| {
        let mut item = items[i].lock().unwrap_or_else(PoisonError::into_inner);
        work(i, &mut item)
    })
}

/// The number of entries of a matrix that are checked in one piece.
const LOOK: usize = 1 << 16;

/// Returns whether all entries of a matrix are finite.
pub(crate) fn all_finite<F: Scalar>(matrix: ArrayView2<'_, F>) -> bool {
    // The loops have no early exit, which would keep them from being vectorised.
    if let Some(values) = matrix.to_slice_memory_order() {
        let parts: Vec<&[F]> = values.chunks(LOOK).collect();
        let are_finite = |part: usize| {
            let values = parts[part].iter();
            values.fold(true, |all, value| all & value.is_finite())
        };
        return map(parts.len(), are_finite).into_iter().all(|all| all);
    }
    let rows: Vec<_> = matrix.axis_chunks_iter(Axis(0), PANEL).collect();
    let are_finite = |panel: usize| rows[panel].fold(true, |all, value| all & value.is_finite());
    map(rows.len(), are_finite).into_iter().all(|all| all)
}

/// Calls `work` as [`map_mut`] does. If there are several items, their progress is a stage of the name `stage`.
pub(crate) fn map_mut_at_stage<T: Send, R: Send + Sync>(
    stage: &'static str,
    items: &mut [T],
    work: impl Fn(usize, &mut T) -> R + Sync,
) -> Vec<R> {
    if items.len() <= 1 {
        return map_mut(items, work);
    }
    let progress = Progress::start(stage, items.len());
    let steps = progress.steps();
    map_mut(items, |i, item| {
        let result = work(i, item);
        steps.take(1);
        result
    })
}
