//! Questions to models.

use std::fmt;

/// A question that a model may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ability {
    /// [`Model::predict`](crate::Model::predict)
    Predict,
    /// [`Model::decision_function`](crate::Model::decision_function)
    DecisionFunction,
    /// [`Model::predict_probabilities`](crate::Model::predict_probabilities)
    Probabilities,
    /// [`Model::predict_with_variance`](crate::Model::predict_with_variance)
    Variance,
    /// [`Model::transform`](crate::Model::transform)
    Transform,
    /// [`Model::residuals`](crate::Model::residuals)
    Residuals,
    /// [`Model::transform_second`](crate::Model::transform_second)
    TransformSecond,
    /// [`Model::inverse_transform`](crate::Model::inverse_transform)
    InverseTransform,
    /// [`Model::reconstruct`](crate::Model::reconstruct)
    Reconstruct,
    /// [`Model::to_onnx`](crate::Model::to_onnx)
    Onnx,
    /// [`Model::to_libsvm`](crate::Model::to_libsvm)
    Libsvm,
}

impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Predict => "predict",
            Self::DecisionFunction => "decision_function",
            Self::Probabilities => "predict_probabilities",
            Self::Variance => "predict_with_variance",
            Self::Transform => "transform",
            Self::Residuals => "residuals",
            Self::TransformSecond => "transform_second",
            Self::InverseTransform => "inverse_transform",
            Self::Reconstruct => "reconstruct",
            Self::Onnx => "to_onnx",
            Self::Libsvm => "to_libsvm",
        })
    }
}
