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
//! # Spaces
//!
//! | builder | n samples cost | represents |
//! |---|---|---|
//! | [`Exact`] | n·r kernel values, n·r² time, r the rank | the kernel, to rounding |
//! | [`Nystrom`] | n·m kernel values, n·m² time | its projection on m landmarks |
//! | [`RandomFourier`] | no kernel value, n·m·d time | a mean of m random waves instead |
//! | [`HomogeneousFeatures`] | no kernel value, n·m·d time | m frequencies of an additive kernel of histograms |
//! | [`TensorSketch`] | no kernel value, n·(d·p + d·m log m) time at degree d | a mean of m random products instead of a polynomial kernel |
//! | [`Space::of_map`] | as much as its [`RawMap`] | the inner products of any features |
//!
//! # Kernels
//!
//! There are kernels of vectors, by inner products and by distances, of histograms, of categories, of sparse vectors, strings, sets and
//! graphs, [of a known matrix](Precomputed), and [of other kernels](kernels). [`catalogue::ReadyKernels`] lists them for each type of
//! samples. A kernel of your own is [`FnKernel`] around a closure, or the trait [`Kernel`].
//!
//! [`catalogue`] makes the ready-made ones by name, from texts such as `gaussian(gamma = 0.5) + 0.1 * linear`.
//!
//! [`composable!`] gives a kernel `+` and `*`. Kernels describe themselves ([`Kernel::describe`]), and
//! their parameters can be set by name ([`Kernel::set_parameter`]), through `dyn Kernel` as well.
//!
//! # References
//! N. Kwak, "Nonlinear Projection Trick in Kernel Methods: An Alternative to the Kernel Trick",
//! IEEE TNNLS 24(12), 2013. doi:10.1109/TNNLS.2013.2272292
//!
//! The words of these pages are in the glossary, `docs/glossary.md` of the repository.

pub mod catalogue;
mod error;
mod inner_products;
mod kernel;
mod kernelized;
pub mod kernels;
pub mod linalg;
mod memory;
mod parallel;
mod samples;
mod scalar;
#[doc(hidden)]
pub mod serial;
mod space;
#[doc(hidden)]
pub mod wording;

pub use npt_watch as watch;

pub use catalogue::{Catalogue, NamedKernel, Parameters, ReadyKernels};
pub use error::Error;
pub use inner_products::{
    CrossValidator, Dual, DualForm, ExpansionMethod, InnerProducts, KernelProducts,
    apply_by_blocks, low_rank_factor,
};
pub use kernel::{Description, Kernel, Parameter, ParameterError, ParameterType, ParameterValue};
pub use kernelized::{
    Classifier, Expand, ExpansionModel, KernelMethod, KernelModel, Kernelized, KernelizedError,
    KernelizedModel, LinearFunctions, LinearMethod, Pipeline, PipelineError, PipelineModel,
    ProbabilisticClassifier, TrainingSamples,
};
#[doc(no_inline)]
pub use kernels::*;
pub use memory::{affordable_landmarks, limit_memory, memory_limit, require_memory};
pub use samples::{
    AsMatrix, AsSamples, FeatureNames, Items, KernelRow, KernelRows, Rows, Samples, SparseRow,
    SparseRows, require_feature_names,
};
pub use scalar::Scalar;
pub use space::{
    AllSamples, Axes, Exact, ExactSpace, Expansion, ExpansionSpace, Fitted, FourierMap,
    FromSamples, Given, HomogeneousFeatures, HomogeneousMap, Indefinite, KernelErrors, KernelMap,
    KernelMatrixOf, KernelSpace, LandmarkForecast, LandmarkSelection, Landmarks, LinearForm,
    Nystrom, Pivoting, ProductsOf, RandomFourier, Rank, RawFeatures, RawMap, Selected, SketchMap,
    Space, SpaceAdvice, SpaceBuilder, Subsets, SubsetsOf, TensorSketch, centered_gram,
    gram_to_center,
};
