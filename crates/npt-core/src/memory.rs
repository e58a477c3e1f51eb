//! Limits of memory: the size of a matrix is compared with them before it is allocated.

use crate::{Error, watch::check};
use std::sync::atomic::{AtomicU64, Ordering};

/// The share of the free memory that a matrix may take by default, as numerator and denominator: 4/5.
const SHARE: (u64, u64) = (4, 5);

/// The limit that was set, in bytes; 0 if none was.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Sets the number of bytes that a single matrix may take, for the whole process. `None` goes back to the default: four
/// fifths of the memory that the system has free, as far as it tells (on Linux the free memory, or less where the process or
/// its control group is limited).
///
/// Matrices whose size grows with the number of samples are compared with it before they are
/// allocated; [`Error::Memory`] says what they would take.
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::{Error, InnerProducts, limit_memory};
///
/// let x = Array2::<f64>::ones((2000, 1));
/// limit_memory(Some(1 << 20));
/// let refused = x.gram();
/// limit_memory(None);
/// assert!(matches!(refused, Err(Error::Memory { needed: 32_000_000, .. })));
/// ```
pub fn limit_memory(bytes: Option<u64>) {
    LIMIT.store(bytes.map_or(0, |bytes| bytes.max(1)), Ordering::Relaxed);
}

/// Returns the number of bytes that a single matrix may take now, by [`limit_memory`] or by default; `None` where no limit
/// was set and the system does not tell.
///
/// # Example
/// ```
/// use npt_core::{limit_memory, memory_limit};
///
/// limit_memory(Some(1000));
/// assert_eq!(memory_limit(), Some(1000));
/// # limit_memory(None);
/// ```
pub fn memory_limit() -> Option<u64> {
    match LIMIT.load(Ordering::Relaxed) {
        0 => free().map(|free| free / SHARE.1 * SHARE.0),
        limit => Some(limit),
    }
}

/// The number of matrices of coordinates that a fit takes in a space of landmarks: one as they are made, one as they are
/// kept, one as a method takes them.
const COPIES: u64 = 3;

/// Returns the largest number of landmarks with which the space of `samples` samples, and a method in it, fit in
/// [`memory_limit`]; `None` where the limit is not known.
///
/// # Example
/// ```
/// use npt_core::{affordable_landmarks, limit_memory};
///
/// // Three matrices of 200,000 rows of f64.
/// limit_memory(Some(4_800_000_000));
/// assert_eq!(affordable_landmarks::<f64>(200_000), Some(1000));
/// assert_eq!(affordable_landmarks::<f32>(200_000), Some(2000));
/// # limit_memory(None);
/// ```
pub fn affordable_landmarks<F>(samples: usize) -> Option<usize> {
    let of_column = (samples.max(1) as u64).saturating_mul(size_of::<F>() as u64);
    memory_limit().map(|bytes| landmarks_within(bytes, of_column).min(samples))
}

/// The number of landmarks that fit in `bytes`, where a matrix takes `of_column` bytes for each of its columns.
pub(crate) fn landmarks_within(bytes: u64, of_column: u64) -> usize {
    (bytes / of_column.saturating_mul(COPIES).max(1)) as usize
}

/// The bytes that the matrices of a fit take with this number of landmarks.
pub(crate) fn bytes_of_landmarks(landmarks: usize, of_column: u64) -> u64 {
    (landmarks as u64)
        .saturating_mul(of_column)
        .saturating_mul(COPIES)
}

/// Refuses a matrix that would take more than [`memory_limit`], before it is allocated. A matrix of less than a megabyte is
/// never refused: asking the system costs more.
///
/// # Errors
/// [`Error::Memory`], which names the matrix by `what`.
///
/// # Example
/// ```
/// use npt_core::{Error, limit_memory, require_memory};
///
/// limit_memory(Some(1 << 20));
/// assert!(require_memory::<f32>("the scatter", 500, 500).is_ok());
/// let refused = require_memory::<f64>("the scatter", 500, 500);
/// assert!(matches!(refused, Err(Error::Memory { needed: 2_000_000, .. })));
/// # limit_memory(None);
/// ```
pub fn require_memory<F>(what: &'static str, rows: usize, columns: usize) -> Result<(), Error> {
    let needed = (rows as u64)
        .saturating_mul(columns as u64)
        .saturating_mul(size_of::<F>() as u64);
    if needed < 1 << 20 {
        return Ok(());
    }
    // A matrix that is this large takes time as well.
    check();
    let Some(allowed) = memory_limit().filter(|&allowed| allowed < needed) else {
        return Ok(());
    };
    Err(Error::Memory {
        what,
        rows,
        columns,
        needed,
        allowed,
    })
}

/// The bytes that the system has free for this process; `None` where it does not tell.
fn free() -> Option<u64> {
    let text = |path: &str| std::fs::read_to_string(path).ok();
    let of_system = number_after(&text("/proc/meminfo")?, "MemAvailable:")? * 1024;
    let status = text("/proc/self/status").unwrap_or_default();
    let kilobytes = |key| number_after(&status, key).unwrap_or(0) * 1024;
    let left = |limit: Option<u64>, used: u64| limit.map_or(u64::MAX, |l| l.saturating_sub(used));
    let limits = text("/proc/self/limits").unwrap_or_default();
    let of_process = left(
        number_after(&limits, "Max address space"),
        kilobytes("VmSize:"),
    )
    .min(left(
        number_after(&limits, "Max data size"),
        kilobytes("VmData:"),
    ));
    let group = text("/sys/fs/cgroup/memory.max").and_then(|limit| limit.trim().parse().ok());
    let used = text("/sys/fs/cgroup/memory.current").and_then(|used| used.trim().parse().ok());
    let of_group = left(group, used.unwrap_or(0));
    Some(of_system.min(of_process).min(of_group))
}

/// The number that follows a key on its line.
fn number_after(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}
