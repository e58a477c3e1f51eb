//! Fitted models that are linear in the coordinates, written as expansions in kernel values.

use super::KernelizedModel;
use crate::{Error, Expansion, ExpansionSpace};
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
/// Implement it for a method of your own, and [`expand`](KernelizedModel::expand) writes its kernelized models as expansions:
/// they predict from kernel values, without coordinates.
pub trait Expand<F>: LinearFunctions<F> {
    /// The method that works on the values of the linear functions.
    type Expanded;

    /// Returns the method whose records are the values βᵀy + b, one column an output. Its own linear functions are the
    /// identity.
    fn expanded(&self) -> Self::Expanded;
}

impl<O, P> KernelizedModel<O, P>
where
    P: ExpansionSpace,
    O: LinearFunctions<P::Scalar>,
{
    /// The expansion of the model: its outputs as sums Σ αᵢκ(xᵢ, x) + b (lemma 6). The outputs are the values of
    /// `transform`, and for classifiers the values by which they decide.
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] if the functions take another number of features than the space has dimensions.
    pub fn expansion(&self) -> Result<Expansion<P::Samples, P::Kernel, P::Scalar>, Error> {
        let (directions, offsets) = self.inner().linear_functions();
        self.space().expand(directions.view(), offsets.view())
    }
}
