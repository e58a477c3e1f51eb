//! Models for other programs: what these make of them, where they are there, and what is refused.

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
