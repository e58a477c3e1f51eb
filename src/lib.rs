//! Kernel versions of all linear estimators of [`linfa`].
//!
//! A kernel method is a linear method run in the right coordinates (N. Kwak, "Nonlinear Projection Trick in Kernel Methods",
//! IEEE TNNLS 24(12), 2013). [`Exact`] gives samples of any type these coordinates, by a kernel, and [`Kernelized`] runs an
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
//! This crate is a façade: it has everything of `npt-core`; `npt-methods` is [`methods`], and [`prelude`] has what most programs need.
//!
//! # Kernel methods
//!
//! The table has a first choice for each purpose. [`methods::kernel_methods`] lists all methods; `docs/names.md` has them by name, with their
//! targets, their parameters, and the answers of their models.
//!
//! | for | use |
//! |---|---|
//! | components | [`Kpca`](methods::Kpca), of two views [`KernelCca`](methods::KernelCca) |
//! | classes | [`KernelSvc`](methods::KernelSvc) (two or more, labels of any type), with probabilities [`KernelLogistic`](methods::KernelLogistic), directions between them [`Kfd`](methods::Kfd) |
//! | numbers | [`KernelRidge`](methods::KernelRidge), with variances [`GaussianProcess`](methods::GaussianProcess), of many samples [`IterativeKernelRidge`](methods::IterativeKernelRidge) |
//! | clusters | [`KernelKMeans`](methods::KernelKMeans) |
//! | samples unlike the rest | [`NoveltyDetector`](methods::NoveltyDetector) |
//! | weights of several kernels | [`Alignment`](methods::Alignment), [`SvmMkl`](methods::SvmMkl) |
//! | any estimator of linfa or your own | [`Kernelized`]; behind a scaler, [`Pipeline`] |
#![cfg_attr(
    feature = "estimator",
    doc = "| methods, kernels and parameters that are chosen at run time | [`estimator::Estimator`] and [`estimator::Model`] |"
)]
#![cfg_attr(
    not(feature = "estimator"),
    doc = "| methods, kernels and parameters that are chosen at run time | the feature `estimator` |"
)]
//! | choosing kernels and parameters | [`GridSearch`](methods::model_selection::GridSearch) |
//! | inputs for points of a kernel space | [`pre_image`](methods::pre_image) |
//! | samples that do not fit in memory | [`streaming`](methods::streaming) |
#![cfg_attr(
    feature = "tables",
    doc = "| tables of CSV, NumPy, Parquet | [`tables`], with the features `csv`, `npy`, `parquet` |"
)]
#![cfg_attr(
    not(feature = "tables"),
    doc = "| tables of CSV, NumPy, Parquet | the features `csv`, `npy`, `parquet` |"
)]
#![cfg_attr(feature = "serde", doc = "| models in files | [`model_file`] |")]
#![cfg_attr(
    not(feature = "serde"),
    doc = "| models in files | the feature `serde` |"
)]
#![cfg_attr(feature = "export", doc = "| models for other programs | [`export`] |")]
#![cfg_attr(
    not(feature = "export"),
    doc = "| models for other programs | the feature `export` |"
)]
//! | progress, and ends of long work | [`watch`] |
//!
//! # Spaces
//!
//! | to 20,000 samples | beyond, by landmarks | beyond, by random features |
//! |---|---|---|
//! | [`Exact`] | [`Nystrom`] | [`RandomFourier`], [`TensorSketch`], [`HomogeneousFeatures`] |
//!
//! # Kernels
//!
//! [`catalogue::ReadyKernels`] lists the kernels for each type of samples; `docs/names.md` has their formulas and parameters. There are kernels
//! of vectors, histograms, categories, sparse vectors, strings, sets and graphs, and of a [known matrix](Precomputed). `+`, `*` and
//! [`kernels`] make kernels of kernels. For a kernel of your own, implement the trait [`Kernel`], which has one required method, or put a
//! closure into [`FnKernel`]. The crate `npt-testkit` checks its laws by one call: `npt_testkit::laws`.
//!
//! # Pages
//!
//! The folder `docs` of the repository has pages by purpose, listed in `docs/README.md`: a glossary, choosing, names, tables, keeping models,
//! watching long work, services, many machines, and every error with its remedy.
//!
//! # Features
//!
//! `faer` (default): linear algebra by faer, or by linfa-linalg without it. `csv`, `npy`, `parquet`: tables of these formats (`tables`); the
//! feature `tables` alone reads tables from a source of rows of your own. `serde`: models in files (`model_file`).
//! `estimator`: estimators and models by name (`estimator`). `export`: models for other programs (`export`).

/// linfa, in the version that these crates are for.
pub use linfa;
/// ndarray, in the version that linfa takes: records and targets have to be its arrays.
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

/// The names that most programs need: spaces, kernels, methods, and linfa's traits.
pub mod prelude {
    pub use linfa::traits::{Fit, Predict, PredictInplace, Transformer};
    pub use npt_core::kernels::*;
    pub use npt_core::{
        AsSamples, Axes, Exact, ExpansionSpace, FromSamples, HomogeneousFeatures, Indefinite,
        Items, Kernel, KernelMethod, KernelRows, KernelSpace, Kernelized, KernelizedError,
        KernelizedModel, LinearMethod, Nystrom, Pipeline, Pivoting, RandomFourier, Rank, Rows,
        Samples, SpaceBuilder, SparseRows, TensorSketch,
    };
    pub use npt_methods::kernel_methods::*;
    pub use npt_methods::pre_image::PreImageExt;
}

/// The pages of the documentation whose examples are run.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/by_name.md")]
    mod by_name {}
    #[doc = include_str!("../docs/choosing.md")]
    mod choosing {}
    #[doc = include_str!("../docs/keeping.md")]
    mod keeping {}
    #[doc = include_str!("../docs/recipes.md")]
    mod recipes {}
    #[doc = include_str!("../docs/service.md")]
    mod service {}
    #[doc = include_str!("../docs/tables.md")]
    mod tables {}
    #[doc = include_str!("../docs/watching.md")]
    mod watching {}
}
