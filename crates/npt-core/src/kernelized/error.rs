//! The adapter's error.

use crate::Error;

/// An error of a kernelized method: of its space, before there are coordinates, or of its method, after that. Message and
/// source are those of the error inside.
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
///
/// let error = KernelizedError::Method("too few clusters");
/// assert_eq!(error.to_string(), "too few clusters");
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum KernelizedError<E> {
    /// The samples have no coordinates.
    #[error(transparent)]
    Space(#[from] Error),
    /// The linear method failed on the coordinates.
    #[error(transparent)]
    Method(E),
}

/// An error of linfa is taken for one of the method. linfa asks for this conversion of every error type.
impl<E: From<linfa::Error>> From<linfa::Error> for KernelizedError<E> {
    fn from(error: linfa::Error) -> Self {
        Self::Method(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::KernelizedError;
    use std::{error::Error, iter::successors};

    #[derive(Debug, thiserror::Error)]
    #[error("no convergence")]
    struct Outer(#[source] Inner);

    #[derive(Debug, thiserror::Error)]
    #[error("a NaN")]
    struct Inner;

    fn chain(error: &dyn Error) -> Vec<String> {
        let chain = successors(Some(error), |error: &&dyn Error| Error::source(*error));
        chain.map(ToString::to_string).collect()
    }

    /// Each cause is told once: a caller that prints an error prints its sources as well.
    #[test]
    fn each_cause_is_told_once() {
        let of_method = KernelizedError::Method(Outer(Inner));
        assert_eq!(chain(&of_method), ["no convergence", "a NaN"]);
        let of_space: KernelizedError<Outer> = crate::Error::NoSamples.into();
        assert_eq!(chain(&of_space), ["there are no samples"]);
    }
}
