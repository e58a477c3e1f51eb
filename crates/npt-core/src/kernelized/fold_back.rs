//! Fitted models that are linear in the coordinates, folded back to kernel values.

use super::KernelizedModel;
use crate::{Error, Expansion, Foldable};
use ndarray::{Array1, Array2};

/// A fitted method whose outputs are linear functions of its records: scores of components, values
/// of a decision function, predictions of a regression.
///
/// Implement it for a method of your own, and its kernelized models have an
/// [`expansion`](KernelizedModel::expansion).
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2, array};
/// use npt_core::LinearFunctions;
///
/// struct Plane(Array1<f64>, f64);
///
/// impl LinearFunctions<f64> for Plane {
///     fn linear_functions(&self) -> (Array2<f64>, Array1<f64>) {
///         (self.0.clone().insert_axis(ndarray::Axis(1)), array![self.1])
///     }
/// }
///
/// assert_eq!(Plane(array![1.0, 2.0], 3.0).linear_functions().0.dim(), (2, 1));
/// ```
pub trait LinearFunctions<F> {
    /// Directions β, shape (features, outputs), and offsets b, one an output: the outputs for a
    /// record y are βᵀy + b.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>);
}

/// A fitted method that needs no more of a record than the values of its linear functions.
///
/// Implement it for a method of your own, and its kernelized models
/// [`fold`](KernelizedModel::fold): they predict from kernel values, without coordinates.
pub trait FoldBack<F>: LinearFunctions<F> {
    /// What is left of the method.
    type Folded;

    /// The method whose records are the values βᵀy + b, one column an output: its own linear
    /// functions are the identity.
    fn folded(&self) -> Self::Folded;
}

impl<O, P> KernelizedModel<O, P>
where
    P: Foldable,
    O: LinearFunctions<P::Scalar>,
{
    /// The model's outputs as sums Σ αᵢκ(xᵢ, x) + b (lemma 6): the values of
    /// `transform`, and for classifiers what they decide by.
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] if the functions are not of as many features as the space has
    /// dimensions.
    pub fn expansion(&self) -> Result<Expansion<P::Samples, P::Kernel, P::Scalar>, Error> {
        let (directions, offsets) = self.inner().linear_functions();
        self.space().fold(directions.view(), offsets.view())
    }
}
