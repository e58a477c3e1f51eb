//! Closures as kernels.

use crate::{Kernel, Samples, Scalar};
use std::fmt;

/// A closure as a kernel, on any type of samples. It has to be symmetric.
///
/// # Definition
/// κ(a, b) = `function(a, b)`
///
/// Call [`assume_positive_semidefinite`](Self::assume_positive_semidefinite) if you know that the kernel is; a fit is then
/// faster ([`Kernel::is_positive_semidefinite`]). Implement [`Kernel`] instead where a whole block costs less than its
/// entries one by one, or where samples can be outside the domain.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, FnKernel, Kernel, KernelSpace, Rows, SpaceBuilder};
///
/// // The covariance of Brownian motion
/// let smaller = FnKernel::new(|a: &[f64], b: &[f64]| a[0].min(b[0])).assume_positive_semidefinite();
/// let x = Rows::new(array![[1.0], [2.0], [4.0]])?;
/// assert_eq!(smaller.gram(&x), array![[1.0, 1.0, 1.0], [1.0, 2.0, 2.0], [1.0, 2.0, 4.0]]);
/// assert_eq!(Exact::new(smaller).fit_space(&x)?.rank(), 2);
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct FnKernel<Function> {
    function: Function,
    is_positive_semidefinite: bool,
}

crate::composable!(impl<Function> FnKernel<Function>);

impl<Function> FnKernel<Function> {
    /// The kernel whose values a closure gives, not known to be positive semidefinite. State the
    /// types of the closure's arguments: `|a: &[f64], b: &[f64]| …`.
    pub fn new(function: Function) -> Self {
        Self {
            function,
            is_positive_semidefinite: false,
        }
    }

    /// Takes the kernel to be positive semidefinite, without a look at all its values.
    pub fn assume_positive_semidefinite(mut self) -> Self {
        self.is_positive_semidefinite = true;
        self
    }
}

/// Prints what is known of the closure, which need not be `Debug`.
impl<Function> fmt::Debug for FnKernel<Function> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FnKernel")
            .field("is_positive_semidefinite", &self.is_positive_semidefinite)
            .finish_non_exhaustive()
    }
}

impl<S, F, Function> Kernel<S> for FnKernel<Function>
where
    S: Samples,
    F: Scalar,
    Function: Fn(&S::Sample, &S::Sample) -> F + Send + Sync,
{
    type Scalar = F;

    crate::parameters!("function");

    fn eval(&self, a: &S::Sample, b: &S::Sample) -> F {
        (self.function)(a, b)
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.is_positive_semidefinite
    }
}
