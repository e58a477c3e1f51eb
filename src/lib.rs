//! Any linear estimator of [`linfa`], as its kernel version.
//!
//! A kernel method is a linear method run in the right coordinates (N. Kwak, "Nonlinear Projection Trick in Kernel Methods",
//! IEEE TNNLS 24(12), 2013). [`Exact`] gives samples these coordinates, of a kernel and samples of any type, and [`Kernelized`] runs an
//! estimator in them:
//!
//! ```
//! use linfa_clustering::KMeans;
//! use npt::prelude::*;
//!
//! let points = ndarray::array![[0.0], [0.1], [5.0], [5.1]].into();
//! let model = Kernelized::new(KMeans::params(2), Exact::new(Gaussian::new(0.5))).fit(&points)?;
//! let labels = model.predict(&points);
//! assert!(labels[0] == labels[1] && labels[0] != labels[2]);
//! # Ok::<(), npt::KernelizedError<linfa_clustering::KMeansError>>(())
//! ```
//!
//! This crate is a façade: everything of `npt-core` is here, `npt-methods` is [`methods`], and [`prelude`] has what most programs need.
//!
//! # Kernel methods
//!
//! A first choice for each purpose; [`methods::kernel_methods`] lists all, and `docs/names.md` has them by name, with their targets,
//! parameters, and what their models answer.
//!
//! | for | use |
//! |---|---|
//! | components | [`Kpca`](methods::Kpca), of two views [`KernelCca`](methods::KernelCca) |
//! | classes | [`KernelSvc`](methods::KernelSvc) (two or more, labels of any type), with probabilities [`KernelLogistic`](methods::KernelLogistic), directions between them [`Kfd`](methods::Kfd) |
//! | numbers | [`KernelRidge`](methods::KernelRidge), with variances [`GaussianProcess`](methods::GaussianProcess), of many samples [`IterativeKernelRidge`](methods::IterativeKernelRidge) |
//! | clusters | [`KernelKMeans`](methods::KernelKMeans) |
//! | what is unlike the rest | [`NoveltyDetector`](methods::NoveltyDetector) |
//! | weights of several kernels | [`Alignment`](methods::Alignment), [`SvmMkl`](methods::SvmMkl) |
//! | any estimator of linfa's or one's own | [`Kernelized`]; behind a scaler, [`Pipeline`] |
//! | methods, kernels and parameters that are chosen at run time | the feature `estimator`: `Estimator` and `Model` |
//! | choosing kernels and parameters | [`GridSearch`](methods::model_selection::GridSearch) |
//! | inputs for points of a kernel space | [`pre_image`](methods::pre_image) |
//! | samples that do not fit in memory | [`streaming`](methods::streaming) |
//! | tables of CSV, NumPy, Parquet | the features `csv`, `npy`, `parquet`: `tables` |
//!
//! # Spaces
//!
//! | to 20,000 samples | beyond, by landmarks | beyond, by random features |
//! |---|---|---|
//! | [`Exact`] | [`Nystrom`] | [`RandomFourier`], [`TensorSketch`], [`HomogeneousFeatures`] |
//!
//! # Kernels
//!
//! [`catalogue::ReadyKernels`] lists them for each type of samples, with their formulas and parameters `docs/names.md`: kernels of vectors,
//! histograms, categories, sparse vectors, strings, sets and graphs, and of a [known matrix](Precomputed). Kernels are made of kernels by
//! `+`, `*` and [`kernels`]. Your own is the trait [`Kernel`], of one method, or a closure in [`FnKernel`].
//!
//! # Pages
//!
//! In the folder `docs` of the repository: `service.md` for predictions on many threads, and what bounds memory; `recipes.md` for confusion
//! matrices, ROC and learning curves, and columns of categories; `watching.md` for progress and ends of long work; `models.md` and `export.md`
//! for files.
//!
//! # Features
//!
//! `faer` (default): linear algebra by faer, without it by linfa-linalg. `csv`, `npy`, `parquet`: tables of these (`tables`), and the feature
//! `tables` alone those of one's own source of rows. `serde`: models in files (`model_file`).
//! `estimator`: estimators and models by name (`estimator`). `export`: models for other programs (`export`).

/// In the version that these crates are for.
pub use linfa;
/// In the version that linfa takes, which records and targets have to be of.
pub use ndarray;
pub use npt_core::*;
/// Estimators and models by name.
#[cfg(feature = "estimator")]
pub use npt_estimator as estimator;
/// Models for other programs.
#[cfg(feature = "export")]
pub use npt_export as export;
pub use npt_methods as methods;
/// Models in files.
#[cfg(feature = "serde")]
pub use npt_model_file as model_file;
/// Tables that are read in blocks of rows.
#[cfg(feature = "tables")]
pub use npt_tables as tables;

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
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/watching.md")]
    mod watching {}
    #[doc = include_str!("../docs/service.md")]
    mod service {}
    #[doc = include_str!("../docs/recipes.md")]
    mod recipes {}
}
