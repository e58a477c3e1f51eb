//! The façade: everything of [`npt_core`] and [`npt_methods`] under one name.
#![doc = include_str!("../README.md")]

pub use npt_core::{
    AsSamples, Axes, Error, Exact, FiniteSet, Gaussian, IgnoresCommonZeros, Indefinite, Items,
    Jaccard, Kernel, KernelRow, KernelRows, KernelSpace, Kernelized, KernelizedError,
    KernelizedModel, LandmarkSpace, Laplacian, Linear, LinearMethod, Mismatch, Polynomial,
    Precomputed, Product, Rank, Rows, Samples, Scalar, Scaled, Sigmoid, SpaceBuilder, Sparse,
    SparseRow, SparseRows, Spectrum, Subsequence, Sum, WeightedSum, WeisfeilerLehman, linalg,
};
pub use npt_methods as methods;

/// What most programs need: spaces, kernels, methods, and linfa's traits.
pub mod prelude {
    pub use linfa::traits::{Fit, Predict, PredictInplace, Transformer};
    pub use npt_core::{
        AsSamples, Axes, Exact, Gaussian, Indefinite, Items, Kernel, KernelSpace, Kernelized,
        KernelizedError, KernelizedModel, Laplacian, Linear, LinearMethod, Polynomial, Rank, Rows,
        Samples, Sigmoid, SpaceBuilder,
    };
    pub use npt_methods::{KernelSvc, Kfd, Kpca, KpcaL1};
}
