//! Kernels about an origin in their feature space.

use super::Kernel;
use crate::{Error, Samples};
use ndarray::{Array1, Array2};

/// The kernel ⟨φ(a) − φ(o), φ(b) − φ(o)⟩ about an origin o, or κ itself without an origin. Spaces and inner products
/// evaluate it where a shift in feature space changes nothing.
pub(crate) struct About<'a, S, K: ?Sized> {
    kernel: &'a K,
    /// The origin o: one sample.
    origin: Option<&'a S>,
}

impl<'a, S, K: ?Sized> About<'a, S, K> {
    pub(crate) fn new(kernel: &'a K, origin: Option<&'a S>) -> Self {
        Self { kernel, origin }
    }
}

impl<S: Samples, K: Kernel<S> + ?Sized> Kernel<S> for About<'_, S, K> {
    type Scalar = K::Scalar;

    fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        match self.origin {
            Some(origin) => self.kernel.eval_about(origin.get(0), a, b),
            None => self.kernel.eval(a, b),
        }
    }

    fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
        match self.origin {
            Some(origin) => self.kernel.cross_about(origin, a, b),
            None => self.kernel.cross(a, b),
        }
    }

    fn gram(&self, x: &S) -> Array2<K::Scalar> {
        match self.origin {
            Some(origin) => self.kernel.cross_about(origin, x, x),
            None => self.kernel.gram(x),
        }
    }

    fn diag(&self, x: &S) -> Array1<K::Scalar> {
        match self.origin {
            Some(origin) => self.kernel.diag_about(origin, x),
            None => self.kernel.diag(x),
        }
    }

    fn check(&self, x: &S) -> Result<(), Error> {
        self.kernel.check(x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.kernel.is_positive_semidefinite()
    }
}

/// Checks that samples read from a file are in the kernel's domain, and that the origin is one sample of the same kind.
#[cfg(feature = "serde")]
pub(crate) fn check_origin<S: Samples, K: Kernel<S> + ?Sized>(
    kernel: &K,
    origin: Option<&S>,
    samples: &S,
) -> Result<(), String> {
    let check = |x: &S| kernel.check(x).map_err(|error| error.to_string());
    if let Some(origin) = origin {
        crate::serial::agree("samples of the origin", origin.len(), "origin", 1)?;
        let compatible = samples.check_compatible(origin);
        compatible.map_err(|error| format!("the origin: {error}"))?;
        check(origin)?;
    }
    check(samples)
}
