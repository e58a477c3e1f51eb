//! The parts that all fitted planes have.

use super::solver::Inputs;
use crate::{Error, error::require_finite, weights::Weights};
use ndarray::{Array1, Axis};
use npt_core::{Dual, Scalar};

/// A plane, and the samples that hold it in place.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Plane<F> {
    pub(super) dual: Array1<F>,
    pub(super) weights: Array1<F>,
    pub(super) bias: F,
}

impl<F: Scalar> Plane<F> {
    /// Converts a solution in the units of `inputs` to the units of the samples. It is an error if the plane leaves the range of
    /// their scalar, or if a sum on the way to its value at a sample may. Without rows, the plane has no weights.
    pub(super) fn new(
        of: &'static str,
        inputs: &Inputs<'_>,
        dual: &[f64],
        level: f64,
    ) -> Result<Self, Error> {
        let (dual, weights) = inputs.dual_and_weights(dual);
        let bias = level - inputs.shift(&weights);
        let largest = F::cast(inputs.largest_terms(&weights) + bias.abs());
        require_finite(of, [&largest].into_iter())?;
        Self::of_values(of, &dual, &weights, bias)
    }

    /// Makes a plane, or an error where these values leave the range of the scalar of the samples.
    pub(super) fn of_values(
        of: &'static str,
        dual: &Array1<f64>,
        weights: &Array1<f64>,
        bias: f64,
    ) -> Result<Self, Error> {
        let plane = Self {
            dual: dual.mapv(F::cast),
            weights: weights.mapv(F::cast),
            bias: F::cast(bias),
        };
        let values = plane.dual.iter().chain(&plane.weights);
        require_finite(of, values.chain([&plane.bias]))?;
        Ok(plane)
    }

    /// Returns what is left of the plane when its records are the values of its function.
    pub(super) fn expanded(&self) -> Self {
        Self {
            dual: self.dual.clone(),
            weights: Array1::ones(1),
            bias: F::zero(),
        }
    }

    /// Gives the plane a coefficient for each sample, 0 for samples of weight 0.
    pub(super) fn of_all(mut self, weights: &Weights<F>) -> Self {
        self.dual = weights.spread(self.dual);
        self
    }

    /// Converts a plane without weights to its dual coefficients and its bias.
    pub(super) fn into_dual<Q>(self, method: Q) -> Dual<Q, F> {
        Dual {
            method,
            offsets: Array1::from_elem(1, self.bias),
            coefficients: self.dual.insert_axis(Axis(1)),
        }
    }
}

/// Implements the accessors, values and expansion of a model with a field `plane`.
macro_rules! plane_model {
    ($model:ident, $dual:expr) => {
        impl<F: Scalar> $model<F> {
            /// The weights w, one per feature. A kernel method's model has the weight 1: its function is its expansion.
            pub fn weights(&self) -> ndarray::ArrayView1<'_, F> {
                self.plane.weights.view()
            }

            /// The bias b. It is 0 for a kernel method's model, whose bias is the offset of its
            /// [`expansion`](npt_core::ExpansionModel::expansion).
            pub fn bias(&self) -> F {
                self.plane.bias
            }

            /// The support vectors: the positions of the training samples whose dual coefficient is not 0, ascending.
            pub fn support(&self) -> Vec<usize> {
                let dual = self.plane.dual.iter().enumerate();
                dual.filter(|(_, v)| !v.is_zero()).map(|(i, _)| i).collect()
            }

            #[doc = $dual]
            pub fn dual(&self) -> ndarray::ArrayView1<'_, F> {
                self.plane.dual.view()
            }

            /// Returns wᵀx + b for each row of x.
            pub fn decision_function<D: ndarray::Data<Elem = F>>(
                &self,
                x: &ndarray::ArrayBase<D, ndarray::Ix2>,
            ) -> ndarray::Array1<F> {
                x.dot(&self.plane.weights) + self.plane.bias
            }
        }

        /// Transforms rows to the values of the decision function.
        impl<F: Scalar, D: ndarray::Data<Elem = F>>
            linfa::traits::Transformer<ndarray::ArrayBase<D, ndarray::Ix2>, ndarray::Array1<F>>
            for $model<F>
        {
            fn transform(&self, x: ndarray::ArrayBase<D, ndarray::Ix2>) -> ndarray::Array1<F> {
                self.decision_function(&x)
            }
        }

        impl<F: Scalar> npt_core::LinearFunctions<F> for $model<F> {
            /// Returns the decision function.
            fn linear_functions(&self) -> (ndarray::Array2<F>, ndarray::Array1<F>) {
                let weights = self.plane.weights.clone().insert_axis(ndarray::Axis(1));
                (weights, ndarray::Array1::from_elem(1, self.plane.bias))
            }
        }

        impl<F: Scalar> npt_core::Expand<F> for $model<F> {
            type Expanded = Self;

            fn expanded(&self) -> Self {
                let mut expanded = self.clone();
                expanded.plane = self.plane.expanded();
                expanded
            }
        }
    };
}
pub(super) use plane_model;

/// Implements the fits of a method, to records and to inner products. Its parameters `solve` for the plane of given inputs and of
/// targets of the given kind. With `settle_by`, the values without bias at the training samples change the bias and the model.
macro_rules! plane_fits {
    ($params:ident, $valid:ident, $model:ident, [$($target:tt)*], $ignores_shift:expr $(, $settle_by:ident)?) => {
        impl<F, D, T> linfa::traits::Fit<ndarray::ArrayBase<D, ndarray::Ix2>, T, Error> for $valid
        where
            F: Scalar,
            D: ndarray::Data<Elem = F>,
            T: $($target)*,
        {
            type Object = $model<F>;

            fn fit(
                &self,
                dataset: &linfa::DatasetBase<ndarray::ArrayBase<D, ndarray::Ix2>, T>,
            ) -> Result<$model<F>, Error> {
                let (x, weights) = crate::weights::weighed_records(dataset)?;
                let inputs = if $ignores_shift {
                    Inputs::centered(x)
                } else {
                    Inputs::uncentered(x)
                };
                let mut model = self.solve(&inputs, dataset.targets(), &weights)?;
                model.plane = model.plane.of_all(&weights);
                $(
                    let sums = dataset.records().dot(&model.plane.weights);
                    let mut bias = model.plane.bias;
                    self.$settle_by(&mut model, &mut bias, &sums, dataset.targets(), &weights);
                    model.plane.bias = bias;
                )?
                Ok(model)
            }
        }

        impl<F: Scalar, T: $($target)*> npt_core::ExpansionMethod<F, T, Error> for $params {
            fn dual_form(
                &self,
            ) -> Option<&dyn npt_core::DualForm<F, T, Error, Expanded = $model<F>>> {
                Some(self)
            }
        }

        impl<F: Scalar, T: $($target)*> npt_core::DualForm<F, T, Error> for $params {
            type Expanded = $model<F>;

            fn ignores_shift(&self) -> bool {
                $ignores_shift
            }

            fn fit_dual(
                &self,
                products: &dyn npt_core::InnerProducts<F>,
                targets: &T,
                weights: Option<ndarray::ArrayView1<'_, f32>>,
            ) -> Result<Option<npt_core::Dual<$model<F>, F>>, Error> {
                let params = linfa::ParamGuard::check_ref(self)?;
                let weights = Weights::new(weights, products.samples())?;
                let inputs = Training::of_products(products, &weights).all();
                let mut model = params.solve(&inputs, targets, &weights)?;
                let plane = model.plane.of_all(&weights);
                model.plane = plane.expanded();
                Ok(Some(plane.into_dual(model)))
            }

            $(
                fn settles(&self) -> bool {
                    true
                }

                fn settle(
                    &self,
                    method: &mut $model<F>,
                    offsets: &mut ndarray::Array1<F>,
                    sums: ndarray::ArrayView2<'_, F>,
                    targets: &T,
                    weights: Option<ndarray::ArrayView1<'_, f32>>,
                ) {
                    // The weights were checked when the plane was found.
                    if let Ok(weights) = Weights::new(weights, sums.nrows()) {
                        let sums = sums.column(0).to_owned();
                        self.0.$settle_by(method, &mut offsets[0], &sums, targets, &weights);
                    }
                }
            )?
        }
    };
}
pub(super) use plane_fits;

/// Implements `predict` and the decision function of a model that decides by the sign of its function.
macro_rules! side_model {
    ($model:ident) => {
        impl<F: Scalar> npt_core::Classifier<F> for $model<F> {
            type Label = bool;
            type Values = ndarray::Array1<F>;

            fn classes(&self) -> &[bool] {
                &[false, true]
            }

            fn decision_function(&self, x: &ndarray::Array2<F>) -> ndarray::Array1<F> {
                $model::decision_function(self, x)
            }
        }

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

#[cfg(feature = "serde")]
impl<F: Scalar> Plane<F> {
    /// Checks that the parts make a plane, of the method `M`, which takes as many columns as the plane has weights.
    pub(super) fn check_parts_of<M: 'static>(&self) -> Result<(), String> {
        use npt_core::serial::{finite, method, some};
        some("weights of a plane", self.weights.len())?;
        let numbers = self.weights.iter().chain(&self.dual).chain([&self.bias]);
        finite("the weights of a plane", numbers)?;
        method::takes::<M>(self.weights.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// A plane is refused if a value at a sample may leave the range. With x = (1, 2) and w = 1.5·10³⁸, both terms of the value at 2
    /// are finite in `f32`, but perhaps not their sum.
    #[test]
    fn values_at_samples_that_leave_the_range() {
        let inputs = Inputs::uncentered(array![[1.0_f32], [2.0]]);
        let plane = |bias| Plane::<f32>::new("Svr", &inputs, &[0.0, 3e38], bias);
        assert_eq!(plane(3e37).unwrap().weights, array![1.5e38]);
        for bias in [1e38, -1e38] {
            assert_eq!(plane(bias).err(), Some(Error::Overflow { of: "Svr" }));
        }
    }
}
