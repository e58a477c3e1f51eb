//! Export of expansions f(x) = Σ αᵢκ(xᵢ, x) + b to programs that know nothing of this workspace.
//!
//! [`onnx`] writes a model as a graph of primitive operators, which every runtime of ONNX evaluates;
//! [`libsvm`] writes and reads the text format of LIBSVM.
//!
//! A kernel is written by its description ([`Kernel::describe`](npt_core::Kernel::describe)), so that kernels
//! behind `Arc<dyn Kernel>` are exported, too.
//!
//! The words of these pages are in the glossary, `docs/glossary.md` of the repository.

mod error;
mod functions;
pub mod libsvm;
pub mod onnx;

pub use error::Error;
