//! Tests models for other programs: what these compute from them, where they are installed, and what is refused.

mod by_name;
mod foreign_kernels;
mod hostile_text;
mod libsvm;
mod many_classes;
mod onnx_kernels;
mod onnx_methods;
mod onnx_pipelines;
mod peers;
mod svm_predict;
