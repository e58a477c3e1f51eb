//! The adapter's error.

use crate::Error;

/// What went wrong in a kernelized method: before the coordinates, or after.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use linfa_linear::LinearRegression;
/// use ndarray::array;
/// use npt_core::{Error, Exact, Gaussian, Kernelized, KernelizedError};
///
/// let data = Dataset::new(array![[1.0], [1.0]], array![0.0, 1.0]);
/// let estimator = Kernelized::new(LinearRegression::new(), Exact::new(Gaussian::new(1.0)));
/// let error = estimator.fit(&data).err();
/// assert!(matches!(error, Some(KernelizedError::Space(Error::NoVariance { samples: 2 }))));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum KernelizedError<E> {
    /// The samples have no coordinates.
    #[error(transparent)]
    Space(#[from] Error),
    /// The linear method failed on the coordinates.
    #[error("the linear method failed on the kernel coordinates")]
    Method(#[source] E),
}

/// As linfa asks of every error; its errors are taken for the method's.
impl<E: From<linfa::Error>> From<linfa::Error> for KernelizedError<E> {
    fn from(error: linfa::Error) -> Self {
        Self::Method(error.into())
    }
}
