//! Pointers to spaces and to builders.

use super::{
    Expansion, Fitted, KernelMatrixOf, KernelSpace, LinearForm, ProductsOf, SpaceBuilder, SubsetsOf,
};
use crate::{AsSamples, Error, ExpansionSpace, Samples};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use std::sync::Arc;

/// Makes a pointer to a space a space, and a pointer to a builder a builder: either can be `dyn`.
macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<P: KernelSpace + ?Sized> KernelSpace for $pointer {
            type Samples = P::Samples;
            type Scalar = P::Scalar;

            fn rank(&self) -> usize {
                (**self).rank()
            }

            fn coordinates(
                &self,
                x: &dyn AsSamples<Samples = P::Samples>,
            ) -> Result<Array2<P::Scalar>, Error> {
                (**self).coordinates(x)
            }

            fn coordinates_and_residuals(
                &self,
                x: &dyn AsSamples<Samples = P::Samples>,
            ) -> Result<(Array2<P::Scalar>, Array1<P::Scalar>), Error> {
                (**self).coordinates_and_residuals(x)
            }

            fn linear_form(&self) -> Result<LinearForm<'_, P::Samples, P::Scalar>, Error> {
                (**self).linear_form()
            }

            fn linear_features(&self, x: &P::Samples) -> Result<Array2<P::Scalar>, Error> {
                (**self).linear_features(x)
            }
        }

        impl<P: ExpansionSpace + ?Sized> ExpansionSpace for $pointer {
            type Kernel = P::Kernel;

            fn kernel(&self) -> &P::Kernel {
                (**self).kernel()
            }

            fn expand(
                &self,
                directions: ArrayView2<'_, P::Scalar>,
                offsets: ArrayView1<'_, P::Scalar>,
            ) -> Result<Expansion<P::Samples, P::Kernel, P::Scalar>, Error> {
                (**self).expand(directions, offsets)
            }

            fn expand_dual(
                &self,
                directions: ArrayView2<'_, P::Scalar>,
                dual: ArrayView2<'_, P::Scalar>,
                rest: ArrayView2<'_, P::Scalar>,
                offsets: ArrayView1<'_, P::Scalar>,
            ) -> Result<Expansion<P::Samples, P::Kernel, P::Scalar>, Error> {
                (**self).expand_dual(directions, dual, rest, offsets)
            }

            fn points(
                &self,
                coordinates: ArrayView2<'_, P::Scalar>,
            ) -> Result<Expansion<P::Samples, P::Kernel, P::Scalar>, Error> {
                (**self).points(coordinates)
            }
        }

        impl<S: Samples, P: SpaceBuilder<S> + ?Sized> SpaceBuilder<S> for $pointer {
            type Space = P::Space;

            fn fit_space(
                &self,
                records: &dyn AsSamples<Samples = S>,
            ) -> Result<Fitted<P::Space>, Error> {
                (**self).fit_space(records)
            }

            fn fit_for_expansion(
                &self,
                records: &dyn AsSamples<Samples = S>,
            ) -> Result<Fitted<P::Space>, Error> {
                (**self).fit_for_expansion(records)
            }

            fn inner_products<'a>(
                &self,
                x: &'a S,
                centered: bool,
            ) -> Result<Option<ProductsOf<'a, S, P::Space>>, Error>
            where
                P::Space: ExpansionSpace,
            {
                (**self).inner_products(x, centered)
            }

            fn subsets<'a>(&'a self, x: &'a S) -> Result<SubsetsOf<'a, S, P>, Error> {
                (**self).subsets(x)
            }

            fn has_one_kernel(&self) -> bool {
                (**self).has_one_kernel()
            }

            fn kernel_matrix(&self, x: &S) -> Result<Option<KernelMatrixOf<S, P>>, Error> {
                (**self).kernel_matrix(x)
            }
        }
    )*};
}

forward!(&P, Box<P>, Arc<P>);
