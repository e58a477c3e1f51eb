//! Kernels as text.

use npt::{Catalogue, Items, KernelRows, ReadyKernels, Rows, Samples, SparseRows};

/// Reads the bytes as a kernel: the result is a kernel, or an error with a place in the text. A printed kernel is read as the same kernel.
///
/// # Panics
/// If one of these does not hold.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    check(&text, &Rows::<f64>::ready_kernels());
    check(&text, &Rows::<f32>::ready_kernels());
    check(&text, &SparseRows::<f64>::ready_kernels());
    check(&text, &KernelRows::<f64>::ready_kernels());
    check(&text, &Items::<String>::ready_kernels());
}

fn check<S: Samples, F: npt::Scalar>(text: &str, catalogue: &Catalogue<S, F>) {
    match catalogue.read(text) {
        Ok(kernel) => {
            let printed = kernel.to_string();
            let again = catalogue.read(&printed);
            let again =
                again.unwrap_or_else(|error| panic!("{error} in what was printed:\n{printed}"));
            assert_eq!(again.to_string(), printed, "of {text:?}");
        }
        Err(error) => {
            let length = text.chars().count();
            let is_within = error
                .position
                .is_some_and(|at| (1..=length + 1).contains(&at));
            assert!(is_within, "{error} in {text:?}");
        }
    }
}
