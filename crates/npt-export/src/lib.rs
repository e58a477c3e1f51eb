//! Folded models, f(x) = Σ αᵢκ(xᵢ, x) + b, for programs that know nothing of this workspace.
//!
//! [`onnx`] writes a model as a graph of primitive operators, which every runtime of ONNX evaluates;
//! [`libsvm`] writes and reads the text format of LIBSVM.
//!
//! A kernel is written by what it says of itself ([`Kernel::describe`](npt_core::Kernel::describe)), so that kernels
//! behind `Arc<dyn Kernel>` export, too.

mod error;
mod functions;
pub mod libsvm;
pub mod onnx;

pub use error::Error;
