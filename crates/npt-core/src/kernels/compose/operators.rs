//! Operators on the kernels of this crate.

use super::{Product, Scaled, Sum, WeightedSum};
use crate::kernels::{
    Gaussian, Jaccard, Laplacian, Linear, Mismatch, Polynomial, Precomputed, Sigmoid, Sparse,
    Spectrum, Subsequence, WeisfeilerLehman,
};
use std::ops::{Add, Mul};

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
