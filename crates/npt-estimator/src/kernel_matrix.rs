//! Values of kernels by name.

use crate::{AnyKernel, AnySamples, Data, Error, categories::check_kernel, data::Records};
use ndarray::{Array1, Array2, Axis};
use npt_core::{Kernel, KernelRows, Precomputed, Rows, Samples as _, require_memory};

/// The kernel matrix κ(xᵢ, xⱼ) of a kernel such as `gaussian(gamma = 0.5) + 0.1 * linear`, shape (samples, samples).
///
/// # Errors
/// [`Error::Description`] of the kernel; [`Error::Domain`], [`Error::KernelOfCategories`] for samples that the kernel is not on;
/// [`Error::Fit`] for other faults of the samples, and for a matrix that would not fit in memory.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_estimator::{Data, cross_kernel_matrix, kernel_diagonal, kernel_matrix};
///
/// let (x, y) = (Data::from(array![[0.0], [2.0]]), Data::from(array![[1.0]]));
/// let kernel = "gaussian(gamma = 0.5) + linear";
/// assert_eq!(kernel_matrix(kernel, &x)?, array![[1.0, (-2.0_f64).exp()], [(-2.0_f64).exp(), 5.0]]);
/// assert_eq!(cross_kernel_matrix(kernel, &x, &y)?, array![[(-0.5_f64).exp()], [(-0.5_f64).exp() + 2.0]]);
/// assert_eq!(kernel_diagonal(kernel, &x)?, array![1.0, 5.0]);
/// # Ok::<(), npt_estimator::Error>(())
/// ```
pub fn kernel_matrix(kernel: &str, x: &Data) -> Result<Array2<f64>, Error> {
    let kernel = read(kernel)?;
    let x = samples(&kernel, x)?;
    require_memory::<f64>("the kernel matrix", x.len(), x.len())?;
    finite(kernel.gram(&x))
}

/// The cross kernel matrix κ(xᵢ, yⱼ), shape (samples x, samples y).
///
/// # Errors
/// The errors of [`kernel_matrix`]; [`Error::Fit`] if x and y are of different kinds or widths.
pub fn cross_kernel_matrix(kernel: &str, x: &Data, y: &Data) -> Result<Array2<f64>, Error> {
    let kernel = read(kernel)?;
    let (x, y) = (samples(&kernel, x)?, samples(&kernel, y)?);
    x.check_compatible(&y)?;
    require_memory::<f64>("the cross kernel matrix", x.len(), y.len())?;
    finite(kernel.cross(&x, &y))
}

/// The kernel values κ(xᵢ, xᵢ).
///
/// # Errors
/// The errors of [`kernel_matrix`].
pub fn kernel_diagonal(kernel: &str, x: &Data) -> Result<Array1<f64>, Error> {
    let kernel = read(kernel)?;
    let x = samples(&kernel, x)?;
    let values = finite(kernel.diag(&x).insert_axis(Axis(1)))?;
    Ok(values.remove_axis(Axis(1)))
}

/// Returns the samples as rows of their kernel matrix, and the kernel that looks their values up. Fits to [selections](Data::rows) of
/// these samples do not evaluate the kernel again, whatever the parameters of the method.
///
/// The returned kernel is `precomputed`; it is declared positive semidefinite if the given kernel is. Weights are kept; the names of
/// columns and the categories are not. A model of these samples predicts for selections of them alone.
///
/// # Errors
/// The errors of [`kernel_matrix`]; [`Error::Fit`] for two matrices that would not fit in memory.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_estimator::{Data, Estimator, Label, Predictions, precompute};
///
/// let x = Data::from(array![[0.0], [1.0], [3.0], [9.0], [2.5]]);
/// let (known, kernel) = precompute("gaussian(gamma = 0.5)", &x)?;
/// assert_eq!(kernel, "precomputed(positive_semidefinite = true)");
/// let training = known.rows(&[0, 1, 2, 3]);
/// for text in ["svc(c = 1)", "svc(c = 10)"] {
///     let machine = Estimator::new(text, &kernel)?.fit(&training, vec![false, false, true, true])?;
///     let of_new = machine.predict(&known.rows(&[4]))?;
///     assert_eq!(of_new, Predictions::Labels(vec![Label::Bool(true)]));
/// }
/// # Ok::<(), npt_estimator::Error>(())
/// ```
pub fn precompute(kernel: &str, x: &Data) -> Result<(Data, String), Error> {
    require_memory::<f64>("the kernel matrix, twice", 2 * x.len(), x.len())?;
    let values = kernel_matrix(kernel, x)?;
    let mut looked_up = Precomputed::new();
    if read(kernel)?.is_positive_semidefinite() {
        looked_up = looked_up.assume_positive_semidefinite();
    }
    let known = Data::new(KernelRows::training(values.view())?);
    let description = Kernel::<KernelRows<f64>>::describe(&looked_up);
    Ok((
        known.with_weights(x.weights().clone()),
        description.to_string(),
    ))
}

pub(crate) fn read(kernel: &str) -> Result<AnyKernel, Error> {
    AnyKernel::read(kernel).map_err(|error| Error::description("kernel", error))
}

/// The samples of the data; refuses samples that the kernel is not on.
pub(crate) fn samples(kernel: &AnyKernel, data: &Data) -> Result<AnySamples, Error> {
    let columns = data.columns().iter();
    let categories = columns.filter(|column| data.categories().of(column).is_some());
    check_kernel(kernel, categories.cloned().collect())?;
    let samples = match data.records() {
        Records::Dense(matrix) => Rows::from_shared(matrix.to_double())?.into(),
        Records::Samples(samples) => samples.clone(),
    };
    kernel.require_on(&samples)?;
    kernel.check(&samples)?;
    Ok(samples)
}

fn finite(values: Array2<f64>) -> Result<Array2<f64>, Error> {
    let mut found = values.indexed_iter();
    match found.find(|(_, value)| !value.is_finite()) {
        Some(((row, column), &value)) => {
            Err(npt_core::Error::KernelNotFinite { row, column, value }.into())
        }
        None => Ok(values),
    }
}
