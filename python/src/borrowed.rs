//! NumPy's memory as Rust sees it, without a copy.

use npt::estimator::{Data, Error};
use numpy::{Element, PyArray2, PyArrayMethods as _, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::Py;
use std::{slice, sync::Arc};

/// The numbers of an array in C order. The array is kept alive as long as this value.
struct Borrowed<T> {
    _array: Py<PyArray2<T>>,
    first: *const T,
    count: usize,
}

// SAFETY: the array is only read, and its memory stays where it is: NumPy does not resize an array that somebody else refers to, unless
// the caller switches this check off (`refcheck=False`). A program that writes to the array meanwhile, on another thread, gets
// predictions of a mixture of old and new values, as from all functions of NumPy that release the GIL.
#[allow(unsafe_code)]
unsafe impl<T: Sync> Send for Borrowed<T> {}
#[allow(unsafe_code)]
unsafe impl<T: Sync> Sync for Borrowed<T> {}

impl<T> AsRef<[T]> for Borrowed<T> {
    fn as_ref(&self) -> &[T] {
        if self.count == 0 {
            return &[];
        }
        // SAFETY: `count` elements are there, one after the other, in memory that `_array` keeps.
        #[allow(unsafe_code)]
        unsafe {
            slice::from_raw_parts(self.first, self.count)
        }
    }
}

/// A type of numbers in which data can be shared.
pub(crate) trait Number: Element + Copy + Sync + 'static {
    /// Makes data that own these numbers.
    fn owned(matrix: ndarray::Array2<Self>) -> Data;

    /// Makes data that use the numbers where they are.
    fn shared(
        values: Arc<dyn AsRef<[Self]> + Send + Sync>,
        shape: [usize; 2],
    ) -> Result<Data, Error>;
}

macro_rules! numbers {
    ($($number:ty: $shared:ident;)+) => {
        $(impl Number for $number {
            fn owned(matrix: ndarray::Array2<Self>) -> Data {
                Data::from(matrix)
            }

            fn shared(values: Arc<dyn AsRef<[Self]> + Send + Sync>, shape: [usize; 2]) -> Result<Data, Error> {
                Data::$shared(values, shape)
            }
        })+
    };
}

numbers! {
    f64: shared;
    f32: shared_single;
}

/// The rows of an array: used where they are, if they are aligned and in C order, and copied otherwise.
pub(crate) fn rows_of<T: Number>(matrix: &PyReadonlyArray2<'_, T>) -> Result<Data, Error> {
    let shape = [matrix.shape()[0], matrix.shape()[1]];
    if !matrix.is_c_contiguous() || !matrix.data().is_aligned() {
        return Ok(T::owned(
            matrix.as_array().as_standard_layout().into_owned(),
        ));
    }
    let values = Borrowed {
        first: matrix.data(),
        count: matrix.len(),
        _array: (**matrix).clone().unbind(),
    };
    T::shared(Arc::new(values), shape)
}
