//! What all fitted planes have.

use super::solver::Features;
use crate::{Error, error::require_finite};
use ndarray::Array1;
use npt_core::Scalar;

/// A plane, and the samples that hold it in place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plane<F> {
    pub(super) dual: Array1<F>,
    pub(super) weights: Array1<F>,
    pub(super) bias: F,
}

impl<F: Scalar> Plane<F> {
    /// In the units of the records, of a solution in those of `features`; or an error where it
    /// leaves the range of their scalar.
    pub(super) fn new(
        of: &'static str,
        features: &Features,
        dual: &[f64],
        level: f64,
    ) -> Result<Self, Error> {
        let (dual, weights) = features.dual_and_weights(dual);
        let bias = level - features.shift(&weights);
        let plane = Self {
            dual: dual.mapv(F::cast),
            weights: weights.mapv(F::cast),
            bias: F::cast(bias),
        };
        let values = plane.dual.iter().chain(&plane.weights);
        require_finite(of, values.chain([&plane.bias]))?;
        Ok(plane)
    }
}

/// Accessors, values and expansion of a model with a field `plane`.
macro_rules! plane_model {
    ($model:ident, $dual:expr) => {
        impl<F: Scalar> $model<F> {
            /// The weights w, one a feature.
            pub fn weights(&self) -> ndarray::ArrayView1<'_, F> {
                self.plane.weights.view()
            }

            /// The bias b.
            pub fn bias(&self) -> F {
                self.plane.bias
            }

            #[doc = $dual]
            pub fn dual(&self) -> ndarray::ArrayView1<'_, F> {
                self.plane.dual.view()
            }

            /// wᵀx + b for each row of x.
            pub fn decision_function<D: ndarray::Data<Elem = F>>(
                &self,
                x: &ndarray::ArrayBase<D, ndarray::Ix2>,
            ) -> ndarray::Array1<F> {
                x.dot(&self.plane.weights) + self.plane.bias
            }
        }

        /// The values of the decision function.
        impl<F: Scalar, D: ndarray::Data<Elem = F>>
            linfa::traits::Transformer<ndarray::ArrayBase<D, ndarray::Ix2>, ndarray::Array1<F>>
            for $model<F>
        {
            fn transform(&self, x: ndarray::ArrayBase<D, ndarray::Ix2>) -> ndarray::Array1<F> {
                self.decision_function(&x)
            }
        }

        impl<F: Scalar> npt_core::LinearFunctions<F> for $model<F> {
            /// The decision function.
            fn linear_functions(&self) -> (ndarray::Array2<F>, ndarray::Array1<F>) {
                let weights = self.plane.weights.clone().insert_axis(ndarray::Axis(1));
                (weights, ndarray::Array1::from_elem(1, self.plane.bias))
            }
        }

        impl<F: Scalar> npt_core::FoldBack<F> for $model<F> {
            type Folded = Self;

            fn folded(&self) -> Self {
                let mut folded = self.clone();
                folded.plane.weights = ndarray::Array1::ones(1);
                folded.plane.bias = F::zero();
                folded
            }
        }
    };
}
pub(super) use plane_model;

/// `predict` of a model whose decision is the sign of its function.
macro_rules! side_model {
    ($model:ident) => {
        impl<F: Scalar, D: ndarray::Data<Elem = F>>
            linfa::traits::PredictInplace<
                ndarray::ArrayBase<D, ndarray::Ix2>,
                ndarray::Array1<bool>,
            > for $model<F>
        {
            fn predict_inplace<'a>(
                &'a self,
                x: &'a ndarray::ArrayBase<D, ndarray::Ix2>,
                y: &mut ndarray::Array1<bool>,
            ) {
                y.assign(&self.decision_function(x).mapv(|value| value >= F::zero()));
            }

            fn default_target(
                &self,
                x: &ndarray::ArrayBase<D, ndarray::Ix2>,
            ) -> ndarray::Array1<bool> {
                ndarray::Array1::default(x.nrows())
            }
        }
    };
}
pub(super) use side_model;
