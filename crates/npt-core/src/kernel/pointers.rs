//! Pointers to kernels are kernels: references, boxes and `Arc`s, of `dyn Kernel` as well.

use super::{Description, Kernel, ParameterError, ParameterValue};
use crate::{Error, Samples};
use ndarray::{Array1, Array2, ArrayView2};
use std::sync::Arc;

/// Implements all methods of [`Kernel`] for a pointer, by those of the kernel behind it, on samples `$S` with values `$F`.
/// After the first `=>` stands that kernel to be read; after the second, that kernel to be changed, or `None` where other
/// pointers may read it.
macro_rules! forward {
    (
        impl[$($generics:tt)*] Kernel<$S:ident> for $pointer:ty,
        $F:ty,
        $this:ident => $kernel:expr,
        $that:ident => $unique:expr
    ) => {
        impl<$($generics)*> Kernel<$S> for $pointer {
            type Scalar = $F;

            fn eval(&self, a: &$S::Sample, b: &$S::Sample) -> $F {
                let $this = self;
                $kernel.eval(a, b)
            }

            fn cross(&self, a: &$S, b: &$S) -> Array2<$F> {
                let $this = self;
                $kernel.cross(a, b)
            }

            fn gram(&self, x: &$S) -> Array2<$F> {
                let $this = self;
                $kernel.gram(x)
            }

            fn diag(&self, x: &$S) -> Array1<$F> {
                let $this = self;
                $kernel.diag(x)
            }

            fn origin(&self, x: &$S) -> Option<$S> {
                let $this = self;
                $kernel.origin(x)
            }

            fn eval_about(&self, origin: &$S::Sample, a: &$S::Sample, b: &$S::Sample) -> $F {
                let $this = self;
                $kernel.eval_about(origin, a, b)
            }

            fn cross_about(&self, origin: &$S, a: &$S, b: &$S) -> Array2<$F> {
                let $this = self;
                $kernel.cross_about(origin, a, b)
            }

            fn diag_about(&self, origin: &$S, x: &$S) -> Array1<$F> {
                let $this = self;
                $kernel.diag_about(origin, x)
            }

            fn check(&self, x: &$S) -> Result<(), Error> {
                let $this = self;
                $kernel.check(x)
            }

            fn is_positive_semidefinite(&self) -> bool {
                let $this = self;
                $kernel.is_positive_semidefinite()
            }

            fn describe(&self) -> Description {
                let $this = self;
                $kernel.describe()
            }

            fn set_parameter(
                &mut self,
                name: &str,
                value: ParameterValue,
            ) -> Result<(), ParameterError> {
                let $that = self;
                match $unique {
                    Some(kernel) => kernel.set_parameter(name, value),
                    None => Err(ParameterError::Shared {
                        parameter: name.to_owned(),
                    }),
                }
            }

            fn parameter_derivatives(
                &self,
                x: &$S,
                weights: ArrayView2<'_, $F>,
            ) -> Vec<Option<$F>> {
                let $this = self;
                $kernel.parameter_derivatives(x, weights)
            }

            fn squared_distance_derivatives(&self, x: &$S) -> Option<Array2<$F>> {
                let $this = self;
                $kernel.squared_distance_derivatives(x)
            }

            fn with_length_scales<'a>(
                &'a self,
                length_scales: &'a $S::Sample,
            ) -> Option<Box<dyn Kernel<$S, Scalar = $F> + 'a>>
            where
                $S: 'a,
            {
                let $this = self;
                $kernel.with_length_scales(length_scales)
            }

            fn ignores_common_zeros(&self) -> bool {
                let $this = self;
                $kernel.ignores_common_zeros()
            }

            fn squared_distance_of_inputs(&self, squared: $F) -> Option<$F> {
                let $this = self;
                $kernel.squared_distance_of_inputs(squared)
            }

            fn gaussian_gamma(&self) -> Option<$F> {
                let $this = self;
                $kernel.gaussian_gamma()
            }

            fn linear_factor(&self) -> Option<$F> {
                let $this = self;
                $kernel.linear_factor()
            }

            fn spectral_measure(&self) -> Option<Box<dyn $crate::SpectralMeasure + '_>> {
                let $this = self;
                $kernel.spectral_measure()
            }

            fn homogeneous(&self) -> Option<&dyn $crate::HomogeneousKernel> {
                let $this = self;
                $kernel.homogeneous()
            }
        }
    };
}

forward!(
    impl[S: Samples, K: Kernel<S> + ?Sized] Kernel<S> for &K,
    K::Scalar,
    this => (**this),
    _that => None::<&mut K>
);
forward!(
    impl[S: Samples, K: Kernel<S> + ?Sized] Kernel<S> for Box<K>,
    K::Scalar,
    this => (**this),
    that => Some(&mut **that)
);
forward!(
    impl[S: Samples, K: Kernel<S> + ?Sized] Kernel<S> for Arc<K>,
    K::Scalar,
    this => (**this),
    that => Arc::get_mut(that)
);

pub(crate) use forward;
