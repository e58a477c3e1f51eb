//! Kernels, kernel spaces, and the adapter that kernelizes any linfa estimator.
//!
//! A kernel method is a linear method run in the right coordinates. The data's way through this
//! crate, module by module:
//!
//! 1. [`Samples`]: training samples of any type, checked once at the border.
//! 2. [`Kernel`]: κ of two samples; blocks of the kernel matrix.
//! 3. [`KernelSpace`]: the subspace that the training samples span in feature space, fitted by a
//!    [`SpaceBuilder`] such as [`Exact`]; it gives every sample coordinates.
//! 4. [`Kernelized`]: fits a [`LinearMethod`] to the coordinates and predicts through them.
//!
//! # Kernels
//!
//! | of | kernels |
//! |---|---|
//! | vectors, by inner products | [`Linear`], [`Polynomial`], [`Sigmoid`], [`Cosine`], [`Tanimoto`] |
//! | vectors, by distances | [`Gaussian`], [`Laplacian`], [`Exponential`], [`Matern`], [`RationalQuadratic`], [`Periodic`]; [`LengthScales`] gives each feature its own |
//! | histograms | [`ChiSquared`], [`AdditiveChiSquared`], [`HistogramIntersection`], [`MinMax`] |
//! | vectors, feature by feature | [`Anova`], [`Spline`] |
//! | sparse vectors | [`Sparse`] around most of these |
//! | strings | [`Spectrum`], [`Mismatch`], [`Subsequence`] |
//! | sets, graphs | [`Jaccard`], [`WeisfeilerLehman`] |
//! | anything with a known matrix | [`Precomputed`] |
//! | other kernels | [`Sum`], [`Product`], [`Scaled`], [`WeightedSum`], [`Normalized`], [`Centered`], [`Tensor`], [`Columns`] |
//! | your own | [`FnKernel`] around a closure, or the trait [`Kernel`] |
//!
//! # References
//! N. Kwak, "Nonlinear Projection Trick in Kernel Methods: An Alternative to the Kernel Trick",
//! IEEE TNNLS 24(12), 2013. doi:10.1109/TNNLS.2013.2272292

mod error;
mod kernel;
mod kernelized;
mod kernels;
pub mod linalg;
mod samples;
mod scalar;
mod space;

pub use error::Error;
pub use kernel::Kernel;
pub use kernelized::{
    FoldBack, FoldedModel, Kernelized, KernelizedError, KernelizedModel, LinearFunctions,
    LinearMethod,
};
pub use kernels::{
    AdditiveChiSquared, Anova, Centered, ChiSquared, Columns, Cosine, Exponential, FiniteSet,
    FnKernel, Gaussian, HistogramIntersection, IgnoresCommonZeros, Jaccard, Laplacian,
    LengthScales, Linear, Matern, MinMax, Mismatch, Normalized, Periodic, Polynomial, Precomputed,
    Product, RationalQuadratic, Scaled, Sigmoid, Sparse, Spectrum, Spline, Subsequence, Sum,
    Tanimoto, Tensor, WeightedSum, WeisfeilerLehman,
};
pub use samples::{AsSamples, Items, KernelRow, KernelRows, Rows, Samples, SparseRow, SparseRows};
pub use scalar::Scalar;
pub use space::{
    Axes, Exact, Expansion, Indefinite, KernelSpace, LandmarkSpace, Rank, SpaceBuilder, Subsets,
};
