//! The sum and the product of two kernels.

use crate::{Error, Kernel, Samples, kernels::derivatives_of, linalg::Spare};
use ndarray::{Array1, Array2, ArrayView2};

/// The sum of two kernels: its feature space is the two feature spaces side by side.
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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "sum")
)]
pub struct Sum<K, L> {
    first: K,
    second: L,
}

crate::composable!(impl<K, L> Sum<K, L>);

impl<K, L> Sum<K, L> {
    /// The kernel κ₁ + κ₂.
    pub fn new(first: K, second: L) -> Self {
        Self { first, second }
    }

    /// The kernel κ₁.
    pub fn first(&self) -> &K {
        &self.first
    }

    /// The kernel κ₂.
    pub fn second(&self) -> &L {
        &self.second
    }
}

/// The product of two kernels: its features are the products of a feature of the first with a feature of the second.
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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename = "product")
)]
pub struct Product<K, L> {
    first: K,
    second: L,
}

crate::composable!(impl<K, L> Product<K, L>);

impl<K, L> Product<K, L> {
    /// The kernel κ₁ · κ₂.
    pub fn new(first: K, second: L) -> Self {
        Self { first, second }
    }

    /// The kernel κ₁.
    pub fn first(&self) -> &K {
        &self.first
    }

    /// The kernel κ₂.
    pub fn second(&self) -> &L {
        &self.second
    }
}

/// Implements [`Kernel`] for a kernel that is made pointwise of two others by an operator.
macro_rules! pointwise {
    ($composed:ident, $name:literal, $operator:tt, $($of_this:item)*) => {
        impl<S, K, L> Kernel<S> for $composed<K, L>
        where
            S: Samples,
            K: Kernel<S>,
            L: Kernel<S, Scalar = K::Scalar>,
        {
            type Scalar = K::Scalar;

            crate::parameters!($name; first, second);

            fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
                self.first.eval(a, b) $operator self.second.eval(a, b)
            }

            fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
                self.first.cross(a, b) $operator self.second.cross(a, b)
            }

            fn gram(&self, x: &S) -> Array2<K::Scalar> {
                let (first, second) = (self.first.gram(x), self.second.gram(x));
                let gram = first $operator &second;
                Spare::give_back(second);
                gram
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

            fn with_length_scales<'a>(
                &'a self,
                length_scales: &'a S::Sample,
            ) -> Option<Box<dyn Kernel<S, Scalar = K::Scalar> + 'a>>
            where
                S: 'a,
            {
                let first = self.first.with_length_scales(length_scales)?;
                let second = self.second.with_length_scales(length_scales)?;
                Some(Box::new($composed { first, second }))
            }

            fn ignores_common_zeros(&self) -> bool {
                self.first.ignores_common_zeros() && self.second.ignores_common_zeros()
            }

            $($of_this)*
        }
    };
}

pointwise!(
    Sum,
    "sum",
    +,
    fn origin(&self, x: &S) -> Option<S> {
        self.first.origin(x).or_else(|| self.second.origin(x))
    }

    fn eval_about(&self, origin: &S::Sample, a: &S::Sample, b: &S::Sample) -> K::Scalar {
        self.first.eval_about(origin, a, b) + self.second.eval_about(origin, a, b)
    }

    fn cross_about(&self, origin: &S, a: &S, b: &S) -> Array2<K::Scalar> {
        self.first.cross_about(origin, a, b) + self.second.cross_about(origin, a, b)
    }

    fn diag_about(&self, origin: &S, x: &S) -> Array1<K::Scalar> {
        self.first.diag_about(origin, x) + self.second.diag_about(origin, x)
    }

    fn parameter_derivatives(
        &self,
        x: &S,
        weights: ArrayView2<'_, K::Scalar>,
    ) -> Vec<Option<K::Scalar>> {
        let mut all = derivatives_of(&self.first, x, weights);
        all.extend(derivatives_of(&self.second, x, weights));
        all
    }

    fn squared_distance_derivatives(&self, x: &S) -> Option<Array2<K::Scalar>> {
        Some(self.first.squared_distance_derivatives(x)? + self.second.squared_distance_derivatives(x)?)
    }

    fn linear_factor(&self) -> Option<K::Scalar> {
        Some(self.first.linear_factor()? + self.second.linear_factor()?)
    }
);
pointwise!(
    Product,
    "product",
    *,
    /// Each factor weighs the derivatives of the other.
    fn parameter_derivatives(
        &self,
        x: &S,
        weights: ArrayView2<'_, K::Scalar>,
    ) -> Vec<Option<K::Scalar>> {
        let of_first = self.second.gram(x) * weights;
        let mut all = derivatives_of(&self.first, x, of_first.view());
        let of_second = self.first.gram(x) * weights;
        all.extend(derivatives_of(&self.second, x, of_second.view()));
        all
    }

    fn squared_distance_derivatives(&self, x: &S) -> Option<Array2<K::Scalar>> {
        let first = self.first.squared_distance_derivatives(x)? * self.second.gram(x);
        Some(first + self.second.squared_distance_derivatives(x)? * self.first.gram(x))
    }

    /// The sum γ₁ + γ₂: exp(−γ₁r²)·exp(−γ₂r²) is a Gaussian again.
    fn gaussian_gamma(&self) -> Option<K::Scalar> {
        Some(self.first.gaussian_gamma()? + self.second.gaussian_gamma()?)
    }
);
