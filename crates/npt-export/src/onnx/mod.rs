//! Models as graphs of ONNX, made of primitive operators in f64. Every program that runs ONNX runs them, and none needs an operator of
//! ours.
//!
//! The input is `x`, of type double and shape (N, d). One output is `values`, the f(x) of all functions, shape (N, k); the
//! other outputs depend on the method:
//!
//! | method | outputs besides `values` |
//! |---|---|
//! | `Svc`, `OneClassSvm` | `label`, 1 for `true` and 0 for `false` |
//! | `MulticlassSvc` | `label` |
//! | `Lda` | `label`, and `decision_values` of the classes, of which the largest is predicted |
//! | `Logistic`, `CalibratedSvc` | `label`, and `probabilities` of the classes, ascending |
//! | k-means | `label`, the position of the nearest centroid |
//! | `Pls` | `scores`; its `values` are the predictions |
//! | any other linear method, an [`Expansion`](npt_core::Expansion), a Gaussian process (its mean) | none |
//! | [`LibsvmMethod`](crate::libsvm::LibsvmMethod) | `label`, if it has classes |
//!
//! Labels that are numbers are of type int64, texts of type string. [`Graph::name_classes`] gives classes other names.
//!
//! The file's metadata are texts in JSON. `classes` are in the order of `probabilities`, and written as in `label` (two sides are 0 for `false`
//! and 1 for `true`). `feature_names` are the names of the columns of `x`, in their order, if the samples of the fit had names. `categories`
//! are the texts for which the numbers 0, 1, … of a column stand ([`to_onnx_with_categories`]). In Python:
//! `json.loads(session.get_modelmeta().custom_metadata_map["classes"])`.
//!
//! All kernels of dense vectors have a form, and so have their sums, products and multiples, and kernels made of them by columns, length
//! scales and normalization. Three sorts of kernels have none: [`Centered`](npt_core::Centered), whose samples are not known from outside;
//! closures and kernels of your own; and kernels of samples that are no vectors.
//!
//! A graph refuses nothing. If a kernel here has an error for a new sample, as [`Cosine`](npt_core::Cosine) has for zeros, the graph gives
//! values that are no numbers, and some label.
//!
//! # Memory
//! Distances are sums of squared differences, feature by feature: with n samples in the expansion, an operator holds N·n·d
//! numbers. Give the graph few rows at a time if n·d is large. The product form ‖a‖² + ‖b‖² − 2⟨a, b⟩ needs only
//! N·n numbers, but it loses the digits of distances inside clusters that are far apart, wherever the origin is. Kernels of inner products
//! need N·n numbers.

mod coupling;
mod graph;
mod kernel;
mod labels;
mod messages;
mod metadata;
mod method;
mod model;
mod preprocessing;
#[cfg(feature = "preprocessing")]
mod scalers;

pub use graph::{Attribute, Element, Graph, Value};
pub use kernel::require_form;
pub use labels::{Labels, OnnxLabel};
pub use method::OnnxMethod;
pub use model::{OnnxModel, OnnxTransformer, to_onnx, to_onnx_with_categories};
