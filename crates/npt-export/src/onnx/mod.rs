//! Models as graphs of ONNX, made of primitive operators in f64: whatever runs ONNX runs them, without an operator of ours.
//!
//! The input is `x`, of type double and shape (N, d); one output is `values`, the f(x) of all functions, shape (N, k), and
//! others are what the method makes of them:
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
//! The file's metadata are texts in JSON: `classes`, in the order of `probabilities` and as `label` has them (of two sides 0 for `false`
//! and 1 for `true`), `feature_names`, where the samples of the fit had names, in the order of the columns of `x`, and `categories`, the
//! texts that the numbers 0, 1, … of a column stand for ([`to_onnx_with_categories`]). In Python:
//! `json.loads(session.get_modelmeta().custom_metadata_map["classes"])`.
//!
//! All kernels of dense vectors have a form, and whatever they are composed of by sums, products, multiples, columns, length
//! scales and normalization. What has none: [`Centered`](npt_core::Centered), whose samples are not known from outside;
//! closures and kernels of one's own; and kernels of other samples than vectors.
//!
//! A graph refuses nothing: a new sample that a kernel here has an error for, as [`Cosine`](npt_core::Cosine) has for zeros, has
//! values that are no numbers, and some label.
//!
//! # Memory
//! Distances are sums of squared differences, feature by feature: an operator holds N·n·d numbers, of n samples in the
//! expansion, so give it few rows at a time where n·d is large. The product form ‖a‖² + ‖b‖² − 2⟨a, b⟩, which needs only
//! N·n, loses the digits of distances inside clusters that are far apart, wherever the origin is. Kernels of inner products
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
