//! A kernel of a catalogue.

use crate::{
    Description, Error, Kernel, ParameterError, ParameterValue, Samples, Scalar, kernel::forward,
};
use ndarray::{Array1, Array2, ArrayView2};
use std::fmt;

/// A kernel that was chosen at run time. It has the values of the kernel that it was made from, to the bit, and the closed
/// forms of that kernel.
///
/// It prints as its [description](Kernel::describe), which [`Catalogue::read`](super::Catalogue::read) reads. A file keeps
/// the description; the catalogue of [ready-made kernels](super::ReadyKernels) makes the kernel again from it. A kernel of
/// [your own](super::Catalogue::with) is not in that catalogue, and is refused when it is to be written.
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
    /// Wraps a kernel of any type; the type is erased.
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

/// Two named kernels are equal if their descriptions are.
impl<S: Samples, F: Scalar> PartialEq for NamedKernel<S, F> {
    fn eq(&self, other: &Self) -> bool {
        self.describe() == other.describe()
    }
}

/// The part of a kernel that a file keeps.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "NamedKernel")]
struct Kept(Description);

#[cfg(feature = "serde")]
impl<S: super::ReadyKernels<F>, F: Scalar> serde::Serialize for NamedKernel<S, F> {
    fn serialize<R: serde::Serializer>(&self, serializer: R) -> Result<R::Ok, R::Error> {
        let description = self.describe();
        let ready = S::ready_kernels().kernel(&description);
        ready.map_err(serde::ser::Error::custom)?;
        Kept(description).serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de, S: super::ReadyKernels<F>, F: Scalar> serde::Deserialize<'de> for NamedKernel<S, F> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Kept(description) = Kept::deserialize(deserializer)?;
        let kernel = S::ready_kernels().kernel(&description);
        kernel.map_err(serde::de::Error::custom)
    }
}
