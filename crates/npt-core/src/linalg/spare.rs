//! Memory of large matrices that is used again.

use crate::{Scalar, memory_limit};
use ndarray::Array2;
use std::{
    any::Any,
    cell::RefCell,
    sync::{Arc, Mutex, PoisonError},
};

/// The number of entries from which a matrix is large, 8 MB of `f64`. The allocator keeps the memory of smaller matrices.
const LARGE: usize = 1 << 20;

/// Memory is kept only where the memory limit has room for this many more matrices of the same size. A fit that asks whether
/// its matrices fit then gets the answer that it would get without the kept memory.
const ROOM: u64 = 4;

/// The number of matrices whose memory is kept for each thread: one, and one that it is made of.
const MATRICES: usize = 2;

/// The memory of large matrices that are no longer needed. Matrices of the same size are made in it.
///
/// The system hands out memory page by page as it is written for the first time, which takes as long as computing a kernel
/// matrix. Work that makes many matrices of one size, one after the other, pays for that once. The values of a matrix do not
/// depend on the memory that it is made in, because all of them are written anew.
///
/// Clones share their memory. It is freed with the last of them.
///
/// # Example
/// ```
/// use ndarray::Array2;
/// use npt_core::{Gaussian, Kernel, Rows, linalg::Spare};
///
/// let x = Rows::new(Array2::from_shape_fn((3, 2), |(i, j)| (2 * i + j) as f64))?;
/// let expected = Gaussian::new(2.0).gram(&x);
/// let spare = Spare::of_matrices_from(9);
/// spare.over(|| {
///     let first = Gaussian::new(0.5).gram(&x);
///     let place = first.as_ptr();
///     Spare::give_back(first);
///     let second = Gaussian::new(2.0).gram(&x);
///     assert_eq!(second.as_ptr(), place);
///     assert_eq!(second, expected);
/// });
/// # Ok::<(), npt_core::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Spare {
    /// Vectors of one type and one length.
    kept: Arc<Mutex<Vec<Box<dyn Any + Send>>>>,
    least: usize,
}

thread_local! {
    /// The memory that the current thread makes large matrices in.
    static SPARE: RefCell<Option<Spare>> = const { RefCell::new(None) };
}

/// Replaces the memory of the thread as long as it lives; `drop` brings the old one back.
struct Scope(Option<Spare>);

impl Drop for Scope {
    fn drop(&mut self) {
        SPARE.set(self.0.take());
    }
}

impl Default for Spare {
    fn default() -> Self {
        Self::of_matrices_from(LARGE)
    }
}

impl Spare {
    /// Makes a store, empty at first, for matrices that have at least this number of entries.
    pub fn of_matrices_from(least: usize) -> Self {
        Self {
            kept: Arc::default(),
            least,
        }
    }

    /// Does `work` on this thread with this memory, and whatever else the thread does while `work` waits for other threads. Other
    /// threads that work for it make no large matrices in it, unless they call this function themselves.
    pub fn over<R>(&self, work: impl FnOnce() -> R) -> R {
        let _scope = Scope(SPARE.replace(Some(self.clone())));
        work()
    }

    /// Gives the memory of a matrix to the work that this thread does, for a later matrix. Outside of [`over`](Self::over),
    /// and where memory is scarce, it is freed.
    pub fn give_back<F: Scalar>(matrix: Array2<F>) {
        let Some(spare) = SPARE.with_borrow(Option::clone) else {
            return;
        };
        let entries = matrix.len();
        let bytes = (entries as u64).saturating_mul(size_of::<F>() as u64);
        let has_room = || memory_limit().is_none_or(|limit| limit / ROOM >= bytes);
        let memory = matrix.into_raw_vec_and_offset().0;
        if entries < spare.least || memory.len() != entries || !has_room() {
            return;
        }
        let mut kept = spare.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|other| is_of::<F>(&**other, entries));
        // Matrices that were made elsewhere may be given back without end.
        if kept.len() < MATRICES * rayon::current_num_threads() {
            kept.push(Box::new(memory));
        }
    }

    /// Takes memory with this number of entries out of the store, if there is any.
    fn take<F: Scalar>(&self, entries: usize) -> Option<Vec<F>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = kept.pop_if(|memory| is_of::<F>(&**memory, entries))?;
        memory.downcast().ok().map(|memory| *memory)
    }
}

/// Returns whether this is a vector of this type and length.
fn is_of<F: Scalar>(memory: &dyn Any, entries: usize) -> bool {
    memory
        .downcast_ref::<Vec<F>>()
        .is_some_and(|memory| memory.len() == entries)
}

/// Returns a row-major matrix of arbitrary values, all of which the caller writes. A large matrix is made in spare memory, if
/// the work of this thread has any.
pub(crate) fn arbitrary<F: Scalar>(shape: (usize, usize)) -> Array2<F> {
    let entries = shape.0.saturating_mul(shape.1);
    let used = SPARE.with_borrow(|spare| {
        let spare = spare.as_ref().filter(|spare| entries >= spare.least)?;
        Array2::from_shape_vec(shape, spare.take(entries)?).ok()
    });
    used.unwrap_or_else(|| Array2::zeros(shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory is used again for as many entries of the same type, whatever the shape, and for nothing else.
    #[test]
    fn memory_is_used_for_matrices_of_its_size() {
        let spare = Spare::of_matrices_from(6);
        spare.over(|| {
            let matrix = Array2::from_elem((2, 3), 7.0_f64);
            let of_first = matrix.as_ptr();
            Spare::give_back(matrix);
            assert_eq!(arbitrary::<f64>((2, 4)), Array2::zeros((2, 4)));
            assert_eq!(arbitrary::<f32>((2, 3)), Array2::zeros((2, 3)));
            let again = arbitrary::<f64>((3, 2));
            assert_eq!(again.as_ptr(), of_first);
            assert_eq!(arbitrary::<f64>((3, 2)), Array2::zeros((3, 2)));
            // What is kept is of one size: that of the last matrix.
            Spare::give_back(again);
            Spare::give_back(Array2::from_elem((4, 4), 1.0_f64));
            assert_eq!(arbitrary::<f64>((3, 2)), Array2::zeros((3, 2)));
            assert_eq!(arbitrary::<f64>((4, 4)), Array2::ones((4, 4)));
        });
    }

    #[test]
    fn memory_that_is_not_used_does_not_grow() {
        let spare = Spare::of_matrices_from(1);
        spare.over(|| (0..100).for_each(|_| Spare::give_back(Array2::<f64>::ones((2, 2)))));
        let kept = spare.kept.lock().unwrap().len();
        assert!(kept > 0 && kept <= MATRICES * rayon::current_num_threads());
    }

    #[test]
    fn small_matrices_and_parts_are_not_kept() {
        let spare = Spare::of_matrices_from(6);
        spare.over(|| {
            Spare::give_back(Array2::from_elem((1, 5), 7.0_f64));
            let mut part = Array2::from_elem((4, 3), 7.0_f64);
            part.slice_collapse(ndarray::s![1..3, ..]);
            Spare::give_back(part);
            assert!(spare.kept.lock().unwrap().is_empty());
            let empty = arbitrary::<f64>((0, 3));
            assert_eq!(empty.dim(), (0, 3));
        });
    }

    /// Work within other work has its own memory. Work outside has none.
    #[test]
    fn memory_belongs_to_its_work() {
        let (outer, inner) = (Spare::of_matrices_from(1), Spare::of_matrices_from(1));
        let sevens = || Array2::from_elem((2, 2), 7.0_f64);
        outer.over(|| {
            inner.over(|| Spare::give_back(sevens()));
            assert_eq!(arbitrary::<f64>((2, 2)), Array2::zeros((2, 2)));
            Spare::give_back(sevens());
        });
        Spare::give_back(sevens());
        assert_eq!(arbitrary::<f64>((2, 2)), Array2::zeros((2, 2)));
        for spare in [outer, inner] {
            let again = spare.over(|| arbitrary::<f64>((2, 2)));
            assert_eq!(again, sevens());
        }
    }
}
