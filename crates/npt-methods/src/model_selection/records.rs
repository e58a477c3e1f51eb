//! Selection of some of the records.

use linfa::dataset::Records;
use ndarray::{Array2, ArrayBase, Axis, Data, Ix2};
use npt_core::{Items, KernelRows, Rows, Samples, Scalar, SparseRows};

/// Records of which some can be selected: arrays of two dimensions, and samples.
pub trait SelectRecords: Records {
    /// Records of the same kind that own what they hold.
    type Selected: Records;

    /// The records at `indices`, in that order.
    ///
    /// # Panics
    /// Panics if an index is not below the number of records.
    fn select_records(&self, indices: &[usize]) -> Self::Selected;
}

impl<F: Scalar, S: Data<Elem = F>> SelectRecords for ArrayBase<S, Ix2> {
    type Selected = Array2<F>;

    fn select_records(&self, indices: &[usize]) -> Array2<F> {
        self.select(Axis(0), indices)
    }
}

macro_rules! samples {
    ($samples:ty, $generic:ident: $($bound:tt)*) => {
        impl<$generic: $($bound)*> SelectRecords for $samples {
            type Selected = Self;

            fn select_records(&self, indices: &[usize]) -> Self {
                self.select(indices)
            }
        }
    };
}

samples!(Rows<F>, F: Scalar);
samples!(SparseRows<F>, F: Scalar);
samples!(KernelRows<F>, F: Scalar);
samples!(Items<T>, T: Clone + Send + Sync);
