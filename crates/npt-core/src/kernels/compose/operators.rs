//! Operators on the kernels of this crate.

use super::{Centered, Columns, FnKernel, Normalized, Product, Scaled, Sum, Tensor, WeightedSum};
use crate::kernels::{
    AdditiveChiSquared, Anova, ChiSquared, Cosine, Exponential, Gaussian, HistogramIntersection,
    Jaccard, Laplacian, LengthScales, Linear, Matern, MinMax, Mismatch, Periodic, Polynomial,
    Precomputed, RationalQuadratic, Sigmoid, Sparse, Spectrum, Spline, Subsequence, Tanimoto,
    WeisfeilerLehman,
};
use crate::{Kernel, Samples};
use std::ops::{Add, Mul};

/// `+`, `*`, and the composing methods of [`Kernel`] as inherent ones: the trait's need to know the
/// type of the samples, which a kernel for several types of samples leaves open.
macro_rules! composable {
    ($kernel:ty $(, $generic:ident $(: $bound:path)?)*) => {
        impl<$($generic $(: $bound)?,)* Other> Add<Other> for $kernel {
            type Output = Sum<Self, Other>;

            fn add(self, other: Other) -> Self::Output {
                Sum::new(self, other)
            }
        }

        impl<$($generic $(: $bound)?,)* Other> Mul<Other> for $kernel {
            type Output = Product<Self, Other>;

            fn mul(self, other: Other) -> Self::Output {
                Product::new(self, other)
            }
        }

        impl<$($generic $(: $bound)?),*> $kernel {
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
composable!(Exponential<F>, F);
composable!(Matern<F>, F);
composable!(RationalQuadratic<F>, F);
composable!(Periodic<F>, F);
composable!(Cosine);
composable!(Tanimoto);
composable!(ChiSquared<F>, F);
composable!(AdditiveChiSquared);
composable!(HistogramIntersection);
composable!(MinMax);
composable!(Anova<F>, F);
composable!(Spline);
composable!(LengthScales<K, F>, K, F);
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
composable!(Normalized<K>, K);
composable!(Centered<S, K>, S: Samples, K: Kernel<S>);
composable!(Tensor<K, L>, K, L);
composable!(Columns<K>, K);
composable!(FnKernel<Function>, Function);
