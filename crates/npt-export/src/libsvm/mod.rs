//! Support vector machines in the text format of LIBSVM: written for `svm-predict` and other programs that read it, and read
//! from `svm-train` and other programs that write it.
//!
//! | model | `svm_type` |
//! |---|---|
//! | [`Svc`](npt_methods::linear::Svc), fitted by any method (`NuSvc`, `HardMarginSvc`) | `c_svc` of two classes |
//! | [`MulticlassSvc`](npt_methods::linear::MulticlassSvc) with one machine for each pair of classes | `c_svc` |
//! | [`OneClassSvm`](npt_methods::linear::OneClassSvm) | `one_class` |
//! | [`Svr`](npt_methods::linear::Svr), and [`Ridge`](npt_methods::linear::Ridge) of one target | `epsilon_svr` |
//! | a [`LibsvmModel`] | the type that was read |
//!
//! Kernels are linear, polynomial, Gaussian and sigmoid ones, of dense or sparse vectors. Numbers are
//! written with all their digits; LIBSVM itself writes only eight digits of the vectors.
//!
//! # References
//! C.-C. Chang, C.-J. Lin, "LIBSVM: A library for support vector machines", ACM TIST 2(3), 2011.
//! doi:10.1145/1961189.1961199

mod kernel;
mod method;
mod model;
mod pairs;
mod read;
mod vectors;
mod write;

pub use method::{LibsvmLabel, LibsvmMachine, Outputs, Pairs};
pub use model::{LibsvmMethod, LibsvmModel, SvmType};
pub(crate) use pairs::{pair_count, pairs};
pub use read::{from_text, from_text_of_columns};
pub use vectors::LibsvmVectors;
pub use write::{require_form, to_text};
