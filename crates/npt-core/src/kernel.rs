//! The trait of all kernels.

use crate::{
    Error, Samples, Scalar,
    kernels::{Product, Scaled, Sum},
    linalg,
};
use ndarray::{Array1, Array2};
use std::sync::Arc;

/// A kernel κ: the inner product of two samples in a feature space.
///
/// One method is required; it has to be symmetric, κ(a, b) = κ(b, a), and positive semidefinite:
/// no kernel matrix of it has a negative eigenvalue. The rest is derived, and worth overriding
/// where a whole block costs less than its entries one by one.
///
/// # Write your own
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Items, Kernel, KernelSpace, SpaceBuilder};
///
/// /// Number of letters that two words share.
/// struct SharedLetters;
///
/// impl Kernel<Items<&'static str>> for SharedLetters {
///     type Scalar = f64;
///
///     fn eval(&self, a: &&'static str, b: &&'static str) -> f64 {
///         ('a'..='z').filter(|&c| a.contains(c) && b.contains(c)).count() as f64
///     }
/// }
///
/// let words = Items::new(vec!["trick", "track", "matrix"])?;
/// assert_eq!(SharedLetters.gram(&words), array![[5.0, 4.0, 3.0], [4.0, 5.0, 3.0], [3.0, 3.0, 6.0]]);
/// assert_eq!(Exact::new(SharedLetters).fit_space(&words)?.rank(), 2);
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # Laws
/// For samples x and z, up to rounding:
/// `cross(x, z)[[i, j]] == eval(x.get(i), z.get(j))`, `gram(x) == cross(x, x)` and
/// `diag(x)[i] == eval(x.get(i), x.get(i))`.
///
/// # References
/// B. Schölkopf, A. Smola, *Learning with Kernels*, MIT Press 2002, chapter 2.
pub trait Kernel<S: Samples>: Send + Sync {
    /// The floating point type of the kernel's values.
    type Scalar: Scalar;

    /// κ(a, b).
    fn eval(&self, a: &S::Sample, b: &S::Sample) -> Self::Scalar;

    /// The cross kernel matrix: κ of each sample of `a` with each of `b`, shape (a, b).
    fn cross(&self, a: &S, b: &S) -> Array2<Self::Scalar> {
        let mut matrix = Array2::zeros((a.len(), b.len()));
        linalg::fill_rows(&mut matrix, |i, row| {
            for (j, value) in row.iter_mut().enumerate() {
                *value = self.eval(a.get(i), b.get(j));
            }
        });
        matrix
    }

    /// The kernel matrix of `x`, shape (x, x).
    fn gram(&self, x: &S) -> Array2<Self::Scalar> {
        self.cross(x, x)
    }

    /// κ(xᵢ, xᵢ) for each sample.
    fn diag(&self, x: &S) -> Array1<Self::Scalar> {
        (0..x.len())
            .map(|i| self.eval(x.get(i), x.get(i)))
            .collect()
    }

    /// Whether the parameters are in range and the samples in the kernel's domain. Called once
    /// before a set of samples is used.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a parameter; what a kernel refuses of the samples, it documents.
    fn check(&self, x: &S) -> Result<(), Error> {
        let _ = x;
        Ok(())
    }

    /// Whether this kernel is known to be positive semidefinite with these parameters.
    ///
    /// `false`, the default, means unknown: [`Exact`](crate::Exact) then looks at every entry of
    /// the kernel matrix once, without storing it, before it believes in a low rank.
    fn is_positive_semidefinite(&self) -> bool {
        false
    }

    /// The kernel κ₁ + κ₂.
    fn plus<K>(self, other: K) -> Sum<Self, K>
    where
        Self: Sized,
        K: Kernel<S, Scalar = Self::Scalar>,
    {
        Sum::new(self, other)
    }

    /// The kernel κ₁·κ₂.
    fn times<K>(self, other: K) -> Product<Self, K>
    where
        Self: Sized,
        K: Kernel<S, Scalar = Self::Scalar>,
    {
        Product::new(self, other)
    }

    /// The kernel c·κ with c > 0.
    fn scaled(self, factor: Self::Scalar) -> Scaled<Self, Self::Scalar>
    where
        Self: Sized,
    {
        Scaled::new(self, factor)
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<S: Samples, K: Kernel<S> + ?Sized> Kernel<S> for $pointer {
            type Scalar = K::Scalar;

            fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
                (**self).eval(a, b)
            }

            fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
                (**self).cross(a, b)
            }

            fn gram(&self, x: &S) -> Array2<K::Scalar> {
                (**self).gram(x)
            }

            fn diag(&self, x: &S) -> Array1<K::Scalar> {
                (**self).diag(x)
            }

            fn check(&self, x: &S) -> Result<(), Error> {
                (**self).check(x)
            }

            fn is_positive_semidefinite(&self) -> bool {
                (**self).is_positive_semidefinite()
            }
        }
    )*};
}

forward!(&K, Box<K>, Arc<K>);
