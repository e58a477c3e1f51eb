//! A kernel of a catalogue.

use crate::{
    Description, Error, Kernel, ParameterError, ParameterValue, Samples, Scalar, kernel::forward,
};
use ndarray::{Array1, Array2, ArrayView2};
use std::fmt;

/// A kernel that was chosen at run time: it has the values of the kernel that it was made from, to the bit, and its closed
/// forms.
///
/// It prints as its [description](Kernel::describe), which [`Catalogue::read`](super::Catalogue::read) reads.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::{Array1, array};
/// use npt_core::{Exact, Gaussian, Kernelized, NamedKernel, ReadyKernels, Rows};
/// use linfa_clustering::KMeans;
///
/// let named = Rows::ready_kernels().read("gaussian(gamma = 0.5)")?;
/// let x = array![[0.0, 0.1], [0.1, 0.0], [3.0, 3.1], [3.1, 3.0]];
/// let space = Exact::new(named).rank(npt_core::Rank::Components(1));
/// let model = Kernelized::new(KMeans::params(2), space).fit(&Dataset::from(x.clone()))?;
/// let clusters: Array1<usize> = model.predict(&x);
/// assert!(clusters[0] == clusters[1] && clusters[2] == clusters[3] && clusters[0] != clusters[2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct NamedKernel<S, F>(Box<dyn Erased<S, F>>);

/// A kernel behind `dyn` that can be cloned.
trait Erased<S: Samples, F: Scalar>: Kernel<S, Scalar = F> {
    fn boxed(&self) -> Box<dyn Erased<S, F>>;
}

impl<S: Samples, F: Scalar, K: Kernel<S, Scalar = F> + Clone + 'static> Erased<S, F> for K {
    fn boxed(&self) -> Box<dyn Erased<S, F>> {
        Box::new(self.clone())
    }
}

impl<S: Samples, F: Scalar> NamedKernel<S, F> {
    /// A kernel of any type, whose type is then forgotten.
    pub fn new(kernel: impl Kernel<S, Scalar = F> + Clone + 'static) -> Self {
        Self(Box::new(kernel))
    }
}

forward!(
    impl[S: Samples, F: Scalar] Kernel<S> for NamedKernel<S, F>,
    F,
    this => (*this.0),
    that => Some(&mut *that.0)
);

impl<S: Samples, F: Scalar> Clone for NamedKernel<S, F> {
    fn clone(&self) -> Self {
        Self((*self.0).boxed())
    }
}

impl<S: Samples, F: Scalar> fmt::Display for NamedKernel<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe().fmt(f)
    }
}

impl<S: Samples, F: Scalar> fmt::Debug for NamedKernel<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NamedKernel({self})")
    }
}

/// Whether they have the same description.
impl<S: Samples, F: Scalar> PartialEq for NamedKernel<S, F> {
    fn eq(&self, other: &Self) -> bool {
        self.describe() == other.describe()
    }
}
