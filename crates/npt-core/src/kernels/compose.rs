//! Sums, products and positive multiples of kernels.
//!
//! Each is a kernel again wherever its parts are. The kernels of this crate take `+`, `*` and the
//! methods `plus`, `times`, `scaled`; kernels of others have the methods from [`Kernel`].

use super::{
    Gaussian, Jaccard, Laplacian, Linear, Mismatch, Polynomial, Precomputed, Sigmoid, Sparse,
    Spectrum, Subsequence, WeightedSum, WeisfeilerLehman,
};
use crate::{Error, Kernel, Samples, Scalar, error};
use ndarray::{Array1, Array2};
use std::ops::{Add, Mul};

/// The sum of two kernels: its feature space is both side by side.
///
/// # Definition
/// κ(a, b) = κ₁(a, b) + κ₂(a, b)
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, Laplacian, Linear};
///
/// let (a, b) = ([1.0, 2.0], [2.0, 2.0]);
/// let kernel = Gaussian::new(1.0) + Linear::new().scaled(0.1);
/// assert_eq!(kernel.eval(&a, &b), (-1.0_f64).exp() + 0.1 * 6.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum<K, L> {
    first: K,
    second: L,
}

impl<K, L> Sum<K, L> {
    /// κ₁ + κ₂.
    pub fn new(first: K, second: L) -> Self {
        Self { first, second }
    }
}

/// The product of two kernels: its features are the products of a feature of each.
///
/// # Definition
/// κ(a, b) = κ₁(a, b) · κ₂(a, b)
///
/// # Example
/// ```
/// use npt_core::{Gaussian, Kernel, Linear};
///
/// let (a, b) = ([1.0, 2.0], [2.0, 2.0]);
/// assert_eq!((Gaussian::new(1.0) * Linear::new()).eval(&a, &b), (-1.0_f64).exp() * 6.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product<K, L> {
    first: K,
    second: L,
}

impl<K, L> Product<K, L> {
    /// κ₁ · κ₂.
    pub fn new(first: K, second: L) -> Self {
        Self { first, second }
    }
}

/// A positive multiple of a kernel.
///
/// # Definition
/// κ(a, b) = c · κ₁(a, b)
///
/// # Parameters
/// `factor` c > 0.
///
/// # Errors
/// At fit, [`Error::Parameter`] naming `factor`.
///
/// # Example
/// ```
/// use npt_core::{Kernel, Linear};
///
/// assert_eq!(Linear::new().scaled(0.5).eval(&[1.0, 2.0], &[2.0, 2.0]), 0.5 * 6.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled<K, F> {
    kernel: K,
    factor: F,
}

impl<K, F> Scaled<K, F> {
    /// c · κ₁; the range of c is checked at fit.
    pub fn new(kernel: K, factor: F) -> Self {
        Self { kernel, factor }
    }
}

/// A kernel made pointwise of two others.
macro_rules! pointwise {
    ($composed:ident, $operator:tt) => {
        impl<S, K, L> Kernel<S> for $composed<K, L>
        where
            S: Samples,
            K: Kernel<S>,
            L: Kernel<S, Scalar = K::Scalar>,
        {
            type Scalar = K::Scalar;

            fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
                self.first.eval(a, b) $operator self.second.eval(a, b)
            }

            fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
                self.first.cross(a, b) $operator self.second.cross(a, b)
            }

            fn gram(&self, x: &S) -> Array2<K::Scalar> {
                self.first.gram(x) $operator self.second.gram(x)
            }

            fn diag(&self, x: &S) -> Array1<K::Scalar> {
                self.first.diag(x) $operator self.second.diag(x)
            }

            fn check(&self, x: &S) -> Result<(), Error> {
                self.first.check(x)?;
                self.second.check(x)
            }

            fn is_positive_semidefinite(&self) -> bool {
                self.first.is_positive_semidefinite() && self.second.is_positive_semidefinite()
            }
        }
    };
}

pointwise!(Sum, +);
pointwise!(Product, *);

impl<S: Samples, K: Kernel<S>> Kernel<S> for Scaled<K, K::Scalar> {
    type Scalar = K::Scalar;

    fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        self.factor * self.kernel.eval(a, b)
    }

    fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
        self.kernel.cross(a, b) * self.factor
    }

    fn gram(&self, x: &S) -> Array2<K::Scalar> {
        self.kernel.gram(x) * self.factor
    }

    fn diag(&self, x: &S) -> Array1<K::Scalar> {
        self.kernel.diag(x) * self.factor
    }

    fn check(&self, x: &S) -> Result<(), Error> {
        error::positive("Scaled", "factor", self.factor.as_f64())?;
        self.kernel.check(x)
    }

    fn is_positive_semidefinite(&self) -> bool {
        self.kernel.is_positive_semidefinite()
    }
}

/// `+`, `*`, and the composing methods of [`Kernel`] as inherent ones: the trait's need to know the
/// type of the samples, which a kernel for several types of samples leaves open.
macro_rules! composable {
    ($kernel:ty $(, $generic:ident)*) => {
        impl<$($generic,)* Other> Add<Other> for $kernel {
            type Output = Sum<Self, Other>;

            fn add(self, other: Other) -> Self::Output {
                Sum::new(self, other)
            }
        }

        impl<$($generic,)* Other> Mul<Other> for $kernel {
            type Output = Product<Self, Other>;

            fn mul(self, other: Other) -> Self::Output {
                Product::new(self, other)
            }
        }

        impl<$($generic),*> $kernel {
            /// The kernel κ₁ + κ₂.
            pub fn plus<Other>(self, other: Other) -> Sum<Self, Other> {
                Sum::new(self, other)
            }

            /// The kernel κ₁·κ₂.
            pub fn times<Other>(self, other: Other) -> Product<Self, Other> {
                Product::new(self, other)
            }

            /// The kernel c·κ with c > 0.
            pub fn scaled<Factor>(self, factor: Factor) -> Scaled<Self, Factor> {
                Scaled::new(self, factor)
            }
        }
    };
}

composable!(Linear);
composable!(Polynomial<F>, F);
composable!(Gaussian<F>, F);
composable!(Laplacian<F>, F);
composable!(Sigmoid<F>, F);
composable!(Spectrum);
composable!(Mismatch);
composable!(Subsequence);
composable!(Jaccard);
composable!(WeisfeilerLehman);
composable!(Precomputed);
composable!(Sparse<K>, K);
composable!(WeightedSum<K, W>, K, W);
composable!(Sum<K, L>, K, L);
composable!(Product<K, L>, K, L);
composable!(Scaled<K, C>, K, C);
