//! The operators `+` and `*` on kernels, and the macro that gives them to a kernel.

use crate::{Kernel, Samples, Scalar};
use std::sync::Arc;

/// A kernel that takes part in `+` and `*`: the operand on their right has to be one.
///
/// A kernel becomes composable by one line, [`composable!`](crate::composable); there is nothing to
/// implement by hand. References, boxes and `Arc`s of composable kernels are composable, and so is
/// `dyn Kernel`. On the left of an operator, where Rust's rules for `Add` and `Mul` admit neither
/// `Arc` nor `Box`, [`Kernel::plus`] and [`Kernel::times`] do the same.
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, Linear, Rows};
/// use std::sync::Arc;
///
/// let any: Arc<dyn Kernel<Rows<f64>, Scalar = f64>> = Arc::new(Linear::new());
/// let kernel = Gaussian::new(0.5) * any.clone() + any.plus(Linear::new());
/// assert_eq!(kernel.eval(&[3.0], &[3.0]), 1.0 * 9.0 + 9.0 + 9.0);
/// ```
///
/// An operand that is no kernel is refused by the compiler, before any samples are known:
/// ```compile_fail,E0277
/// # use npt_core::Gaussian;
/// let kernel = Gaussian::new(1.0) + "no kernel";
/// ```
/// ```compile_fail,E0277
/// # use npt_core::Linear;
/// let kernel = Linear::new() * 2.0;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand on the right of `+` or `*` with a kernel",
    note = "a kernel of your own joins, on either side, by the line `npt::composable!(MyKernel);`, and without it \
            has the methods `plus` and `times`",
    note = "a multiple of a kernel is `kernel.scaled(factor)`"
)]
pub trait Composable {}

impl<K: Composable + ?Sized> Composable for &K {}
impl<K: Composable + ?Sized> Composable for Box<K> {}
impl<K: Composable + ?Sized> Composable for Arc<K> {}
impl<S: Samples, F: Scalar> Composable for dyn Kernel<S, Scalar = F> + '_ {}

/// Gives a kernel `+` and `*`, and the methods `plus`, `times` and `scaled` without the trait
/// [`Kernel`](crate::Kernel) in scope.
///
/// The inherent methods do the same as those of the trait. The methods of the trait need to know the type of the samples,
/// which is open in `Linear::new().scaled(0.5)`: it may be rows of `f32` or of `f64`. The inherent methods take any other
/// kernel, also one without this macro; the result is a kernel where both are kernels.
///
/// # Parameters
/// The type of the kernel; for one with type parameters `impl<…>`, the type, and its bounds after
/// `where`: `composable!(impl<K, F> Shifted<K, F> where F: Scalar)`.
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, Rows, composable};
///
/// struct First;
///
/// composable!(First);
///
/// impl Kernel<Rows<f64>> for First {
///     type Scalar = f64;
///
///     fn eval(&self, a: &[f64], b: &[f64]) -> f64 {
///         a[0] * b[0]
///     }
/// }
///
/// let kernel = First * First + Gaussian::new(1.0) * First.scaled(0.5);
/// assert_eq!(kernel.eval(&[3.0], &[3.0]), 9.0 * 9.0 + 1.0 * (0.5 * 9.0));
/// ```
#[macro_export]
macro_rules! composable {
    (impl<$($parameter:tt),+> $kernel:ty $(where $($bounds:tt)*)?) => {
        $crate::composable!(@ [$($parameter),+] [$kernel] [$($($bounds)*)?]);
    };
    ($kernel:ty) => {
        $crate::composable!(@ [] [$kernel] []);
    };
    (@ [$($parameter:tt),*] [$kernel:ty] [$($bounds:tt)*]) => {
        impl<$($parameter),*> $crate::Composable for $kernel where $($bounds)* {}

        impl<$($parameter,)* OtherKernel> ::std::ops::Add<OtherKernel> for $kernel
        where
            OtherKernel: $crate::Composable,
            $($bounds)*
        {
            type Output = $crate::Sum<Self, OtherKernel>;

            fn add(self, other: OtherKernel) -> Self::Output {
                $crate::Sum::new(self, other)
            }
        }

        impl<$($parameter,)* OtherKernel> ::std::ops::Mul<OtherKernel> for $kernel
        where
            OtherKernel: $crate::Composable,
            $($bounds)*
        {
            type Output = $crate::Product<Self, OtherKernel>;

            fn mul(self, other: OtherKernel) -> Self::Output {
                $crate::Product::new(self, other)
            }
        }

        impl<$($parameter),*> $kernel where $($bounds)* {
            /// The kernel κ₁ + κ₂.
            pub fn plus<OtherKernel>(self, other: OtherKernel) -> $crate::Sum<Self, OtherKernel> {
                $crate::Sum::new(self, other)
            }

            /// The kernel κ₁·κ₂.
            pub fn times<OtherKernel>(
                self,
                other: OtherKernel,
            ) -> $crate::Product<Self, OtherKernel> {
                $crate::Product::new(self, other)
            }

            /// The kernel c·κ with c > 0.
            pub fn scaled<Factor>(self, factor: Factor) -> $crate::Scaled<Self, Factor> {
                $crate::Scaled::new(self, factor)
            }
        }
    };
}
