//! The façade: everything of [`npt_core`] and [`npt_methods`] under one name.
#![doc = include_str!("../README.md")]

pub use npt_core::{
    AdditiveChiSquared, Anova, AsSamples, Axes, Centered, ChiSquared, Columns, Cosine, Error,
    Exact, Expansion, Exponential, FiniteSet, FnKernel, FoldBack, FoldedModel, Gaussian,
    HistogramIntersection, IgnoresCommonZeros, Indefinite, Items, Jaccard, Kernel, KernelRow,
    KernelRows, KernelSpace, Kernelized, KernelizedError, KernelizedModel, LandmarkSpace,
    Laplacian, LengthScales, Linear, LinearFunctions, LinearMethod, Matern, MinMax, Mismatch,
    Normalized, Periodic, Polynomial, Precomputed, Product, Rank, RationalQuadratic, Rows, Samples,
    Scalar, Scaled, Sigmoid, SpaceBuilder, Sparse, SparseRow, SparseRows, Spectrum, Spline,
    Subsequence, Sum, Tanimoto, Tensor, WeightedSum, WeisfeilerLehman, linalg,
};
pub use npt_methods as methods;

/// What most programs need: spaces, kernels, methods, and linfa's traits.
pub mod prelude {
    pub use linfa::traits::{Fit, Predict, PredictInplace, Transformer};
    pub use npt_core::{
        AdditiveChiSquared, Anova, AsSamples, Axes, Centered, ChiSquared, Columns, Cosine, Exact,
        Exponential, FnKernel, Gaussian, HistogramIntersection, Indefinite, Items, Jaccard, Kernel,
        KernelRows, KernelSpace, Kernelized, KernelizedError, KernelizedModel, Laplacian,
        LengthScales, Linear, LinearMethod, Matern, MinMax, Mismatch, Normalized, Periodic,
        Polynomial, Precomputed, Rank, RationalQuadratic, Rows, Samples, Sigmoid, SpaceBuilder,
        Sparse, SparseRows, Spectrum, Spline, Subsequence, Tanimoto, Tensor, WeightedSum,
        WeisfeilerLehman,
    };
    pub use npt_methods::{
        GaussianProcess, KernelCalibratedSvc, KernelCca, KernelIca, KernelKMeans, KernelLogistic,
        KernelMulticlassSvc, KernelNuSvc, KernelOneClassSvm, KernelPls,
        KernelRegressionDiscriminant, KernelRidge, KernelSvc, KernelSvr, Kfd, Kpca, KpcaL1,
        NoveltyDetector,
    };
}
