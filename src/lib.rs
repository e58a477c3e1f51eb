//! The façade: everything of [`npt_core`] and [`npt_methods`] under one name.
#![doc = include_str!("../README.md")]

/// In the version that these crates are for.
pub use linfa;
/// In the version that linfa takes, which records and targets have to be of.
pub use ndarray;
pub use npt_core::*;
/// Models for other programs.
#[cfg(feature = "export")]
pub use npt_export as export;
pub use npt_methods as methods;
/// Models in files.
#[cfg(feature = "serde")]
pub use npt_model_file as model_file;

/// What most programs need: spaces, kernels, methods, and linfa's traits.
pub mod prelude {
    pub use linfa::traits::{Fit, Predict, PredictInplace, Transformer};
    pub use npt_core::kernels::*;
    pub use npt_core::{
        AsSamples, Axes, Exact, Foldable, FromSamples, HomogeneousFeatures, Indefinite, Items,
        Kernel, KernelMethod, KernelRows, KernelSpace, Kernelized, KernelizedError,
        KernelizedModel, LinearMethod, Nystrom, Pipeline, Pivoting, RandomFourier, Rank, Rows,
        Samples, SpaceBuilder, SparseRows, TensorSketch,
    };
    pub use npt_methods::kernel_methods::*;
    pub use npt_methods::pre_image::PreImageExt;
}

/// Pages of the documentation, whose examples are run.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/watching.md")]
    mod watching {}
}
