//! Tests of the methods on plain matrices and with kernels, in one program.

mod alignment;
mod bad_input;
mod cca;
mod chain;
mod gaussian_process;
mod ica;
mod kmeans;
mod linear;
mod logistic;
mod novelty;
mod one_hot;
mod optimized_gaussian_process;
mod pls;
mod pre_image;
mod precision;
mod regression_discriminant;
mod ridge;
mod robust_kpca;
mod support_vectors;
mod svm_mkl;
