//! The error of a pipeline.

use crate::Error;

/// An error of a pipeline. Message and source are those of the error inside.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use linfa_linear::LinearRegression;
/// use linfa_preprocessing::linear_scaling::LinearScaler;
/// use ndarray::array;
/// use npt_core::{Error, Exact, Gaussian, Kernelized, Pipeline, PipelineError};
///
/// let data = Dataset::new(array![[1.0, 2.0], [1.0, f64::NAN]], array![0.0, 1.0]);
/// let kernelized = Kernelized::new(LinearRegression::new(), Exact::new(Gaussian::new(1.0)));
/// let error = Pipeline::new(LinearScaler::standard(), kernelized).fit(&data).unwrap_err();
/// assert!(matches!(error, PipelineError::Records(Error::SampleNotFinite { row: 1, column: 1, .. })));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PipelineError<A, M> {
    /// The records do not suit the transformer, or its output does not suit the estimator.
    #[error(transparent)]
    Records(#[from] Error),
    /// The transformer failed.
    #[error(transparent)]
    Transformer(A),
    /// The estimator failed on what the transformer returned.
    #[error(transparent)]
    Estimator(M),
}

/// An error of linfa is taken for one of the estimator. linfa asks for this conversion of every error type.
impl<A, M: From<linfa::Error>> From<linfa::Error> for PipelineError<A, M> {
    fn from(error: linfa::Error) -> Self {
        Self::Estimator(error.into())
    }
}
