//! Checks of kernels against ready-made ones: a kernel may describe itself as one of them and be another.

use super::Parameters;
use crate::Error;
use npt_core::{Catalogue, Description, Kernel, ReadyKernels, Rows, Samples, Scalar};

/// The number of samples on which a kernel is tried.
const TRIED: usize = 8;

/// Checks, on some of the samples and to half their digits, that the kernel has the values of the kernel that it describes.
pub(in super::super) fn require_truth<F, K>(kernel: &K, samples: &Rows<F>) -> Result<(), Error>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    let description = kernel.describe();
    let catalogue = Rows::<f64>::ready_kernels();
    let ready = catalogue.kernel(&description);
    let ready = ready.map_err(|_| Parameters(unknown(&catalogue, &description)).unknown())?;
    let some: Vec<usize> = (0..samples.len().min(TRIED)).collect();
    let some = samples.select(&some);
    let in_f64 = Rows::new(some.view().mapv(F::as_f64))?;
    ready.check(&in_f64)?;
    let half_the_digits: f64 = F::epsilon().as_f64().sqrt();
    let (values, expected) = (kernel.gram(&some), ready.gram(&in_f64));
    for (value, &expected) in values.iter().zip(&expected) {
        let found: f64 = value.as_f64();
        if !((found - expected).abs() <= half_the_digits * (1.0 + expected.abs())) {
            return Err(Error::KernelValue {
                kernel: description.to_string(),
                found,
                expected,
            });
        }
    }
    Ok(())
}

/// Returns the innermost part that cannot be made, of a kernel that cannot be made.
fn unknown<'a>(catalogue: &Catalogue<Rows<f64>, f64>, kernel: &'a Description) -> &'a Description {
    let mut parts = kernel.parts.iter().map(|(_, part)| part);
    parts
        .find(|part| catalogue.kernel(part).is_err())
        .map_or(kernel, |part| unknown(catalogue, part))
}
