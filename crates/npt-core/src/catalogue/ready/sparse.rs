//! Kernels of sparse vectors: the kernels of dense vectors that ignore common zeros.

use super::{
    super::{Catalogue, Entry, Fault, NamedKernel, Parts},
    ReadyKernels,
    composed::with_composed,
};
use crate::{Kernel as _, Rows, Scalar, Sparse, SparseRows};

impl<F: Scalar> ReadyKernels<F> for SparseRows<F> {
    fn ready_kernels() -> Catalogue<Self, F> {
        let dense = Rows::<F>::ready_kernels();
        let simple = dense.entries().iter();
        let simple = simple.filter(|entry| entry.parts() == Parts::Exactly(0));
        let lifted = simple.filter_map(of_dense);
        let around = Entry::written(
            "sparse",
            "κ of the features in which either vector has an entry",
            Parts::Exactly(1),
            |_, parts, at| {
                let kernel = Rows::<F>::ready_kernels().make(&parts[0])?;
                if kernel.ignores_common_zeros() {
                    return Ok(NamedKernel::new(Sparse::new(kernel)));
                }
                let kernel = kernel.to_string();
                Err(Fault::Kernel(crate::Error::CommonZeros { kernel }.to_string()).at(at))
            },
        );
        with_composed(lifted.fold(Catalogue::new().with(around), Catalogue::with))
    }
}

/// Turns the entry of a kernel of dense vectors into one for sparse vectors; `None` if the kernel does not ignore common
/// zeros.
fn of_dense<F: Scalar>(entry: &Entry<Rows<F>, F>) -> Option<Entry<SparseRows<F>, F>> {
    let make = {
        let entry = entry.clone();
        move || entry.make(&Catalogue::new(), &[], None)
    };
    if !make().ok()?.ignores_common_zeros() {
        return None;
    }
    let parameters = entry.parameters().to_vec();
    let lifted = Entry::written(
        entry.name(),
        entry.summary(),
        Parts::Exactly(0),
        move |_, _, _| Ok(NamedKernel::new(Sparse::new(make()?))),
    );
    Some(lifted.parameters_of_part("kernel", &parameters))
}
