//! Pointers to kernels are kernels: references, boxes and `Arc`s, of `dyn Kernel` as well.

use super::{Description, Kernel, ParameterError, ParameterValue};
use crate::{Error, Samples};
use ndarray::{Array1, Array2, ArrayView2};
use std::sync::Arc;

/// After `=>` stands the kernel behind the pointer, to be written to where no other pointer reads it.
macro_rules! forward {
    ($pointer:ty, $this:ident => $unique:expr) => {
        impl<S: Samples, K: Kernel<S> + ?Sized> Kernel<S> for $pointer {
            type Scalar = K::Scalar;

            fn eval(&self, a: &S::Sample, b: &S::Sample) -> K::Scalar {
                (**self).eval(a, b)
            }

            fn cross(&self, a: &S, b: &S) -> Array2<K::Scalar> {
                (**self).cross(a, b)
            }

            fn gram(&self, x: &S) -> Array2<K::Scalar> {
                (**self).gram(x)
            }

            fn diag(&self, x: &S) -> Array1<K::Scalar> {
                (**self).diag(x)
            }

            fn origin(&self, x: &S) -> Option<S> {
                (**self).origin(x)
            }

            fn eval_about(&self, origin: &S::Sample, a: &S::Sample, b: &S::Sample) -> K::Scalar {
                (**self).eval_about(origin, a, b)
            }

            fn cross_about(&self, origin: &S, a: &S, b: &S) -> Array2<K::Scalar> {
                (**self).cross_about(origin, a, b)
            }

            fn diag_about(&self, origin: &S, x: &S) -> Array1<K::Scalar> {
                (**self).diag_about(origin, x)
            }

            fn check(&self, x: &S) -> Result<(), Error> {
                (**self).check(x)
            }

            fn is_positive_semidefinite(&self) -> bool {
                (**self).is_positive_semidefinite()
            }

            fn describe(&self) -> Description {
                (**self).describe()
            }

            fn set_parameter(
                &mut self,
                name: &str,
                value: ParameterValue,
            ) -> Result<(), ParameterError> {
                let $this = self;
                let unique: Option<&mut K> = $unique;
                match unique {
                    Some(kernel) => kernel.set_parameter(name, value),
                    None => Err(ParameterError::Shared {
                        parameter: name.to_owned(),
                    }),
                }
            }

            fn parameter_derivatives(
                &self,
                x: &S,
                weights: ArrayView2<'_, K::Scalar>,
            ) -> Vec<Option<K::Scalar>> {
                (**self).parameter_derivatives(x, weights)
            }

            fn squared_distance_derivatives(&self, x: &S) -> Option<Array2<K::Scalar>> {
                (**self).squared_distance_derivatives(x)
            }

            fn with_length_scales<'a>(
                &'a self,
                length_scales: &'a S::Sample,
            ) -> Option<Box<dyn Kernel<S, Scalar = K::Scalar> + 'a>>
            where
                S: 'a,
            {
                (**self).with_length_scales(length_scales)
            }

            fn ignores_common_zeros(&self) -> bool {
                (**self).ignores_common_zeros()
            }

            fn squared_distance_of_inputs(&self, squared: K::Scalar) -> Option<K::Scalar> {
                (**self).squared_distance_of_inputs(squared)
            }

            fn gaussian_gamma(&self) -> Option<K::Scalar> {
                (**self).gaussian_gamma()
            }
        }
    };
}

forward!(&K, _this => None);
forward!(Box<K>, this => Some(&mut **this));
forward!(Arc<K>, this => Arc::get_mut(this));
