//! Methods without a `fit`: they transform the samples they are given, once.

use super::{Kernelized, KernelizedError};
use crate::{
    AsSamples, Error, Items, KernelRows, KernelSpace, Rows, Scalar, SpaceBuilder, SparseRows,
};
use linfa::{dataset::Records, traits::Transformer};
use ndarray::{Array2, ArrayView2};

impl<M, B> Kernelized<M, B> {
    /// Fits the space to the records `x` and transforms their coordinates, for methods that cannot fail. Methods that return
    /// a `Result` have linfa's `transform` instead. New samples have the [`coordinates`](KernelSpace::coordinates) of a
    /// fitted space.
    ///
    /// # Errors
    /// As [`SpaceBuilder::fit_space`].
    ///
    /// # Example
    /// ```
    /// use linfa_preprocessing::norm_scaling::NormScaler;
    /// use ndarray::{Array2, array};
    /// use npt_core::{Exact, Gaussian, Kernelized};
    ///
    /// let x = array![[0.0], [1.0], [3.0]];
    /// let scaler = Kernelized::new(NormScaler::l2(), Exact::new(Gaussian::new(1.0)).centered(false));
    /// let scaled: Array2<f64> = scaler.try_transform(&x)?;
    /// // A Gaussian kernel has samples of length 1 already: these are their inner products.
    /// assert!((scaled.row(0).dot(&scaled.row(1)) - (-1.0_f64).exp()).abs() < 1e-12);
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    pub fn try_transform<R, T>(&self, x: &R) -> Result<T, Error>
    where
        R: AsSamples,
        B: SpaceBuilder<R::Samples>,
        M: Transformer<Array2<<B::Space as KernelSpace>::Scalar>, T>,
    {
        let (_, coordinates, _) = self.builder.fit_space(x)?.into_parts();
        Ok(self.method.transform(coordinates))
    }
}

/// The kernel version of a method without `fit`, such as DBSCAN: fits the space to the records and
/// transforms their coordinates.
///
/// The method gets its records as linfa hands them to it, so a call keeps its form: `&x` for
/// DBSCAN, `x.view()` for OPTICS, `x` for t-SNE.
///
/// # Errors
/// [`KernelizedError::Space`] if the samples or the kernel are at fault,
/// [`KernelizedError::Method`] with the method's own error.
///
/// # Example
/// ```
/// use linfa::traits::Transformer;
/// use linfa_clustering::Dbscan;
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, Kernelized};
///
/// let x = array![[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0]];
/// let clusters = Kernelized::new(Dbscan::params(3).tolerance(0.4), Exact::new(Gaussian::new(1.0)));
/// let (one, two) = (Some(0), Some(1));
/// assert_eq!(clusters.transform(&x).unwrap(), array![one, one, one, two, two, two, None]);
/// ```
impl<'x, R, T, E, M, B> Transformer<&'x R, Result<T, KernelizedError<E>>> for Kernelized<M, B>
where
    R: Records + AsSamples,
    B: SpaceBuilder<R::Samples>,
    M: for<'y> Transformer<&'y Array2<<B::Space as KernelSpace>::Scalar>, Result<T, E>>,
{
    fn transform(&self, x: &'x R) -> Result<T, KernelizedError<E>> {
        let (_, coordinates, _) = self.builder.fit_space(x)?.into_parts();
        self.method
            .transform(&coordinates)
            .map_err(KernelizedError::Method)
    }
}

impl<F, T, E, M, B> Transformer<ArrayView2<'_, F>, Result<T, KernelizedError<E>>>
    for Kernelized<M, B>
where
    F: Scalar,
    B: SpaceBuilder<Rows<F>>,
    M: for<'y> Transformer<ArrayView2<'y, <B::Space as KernelSpace>::Scalar>, Result<T, E>>,
{
    fn transform(&self, x: ArrayView2<'_, F>) -> Result<T, KernelizedError<E>> {
        let space = self.builder.fit_space(&x)?;
        self.method
            .transform(space.training_coordinates())
            .map_err(KernelizedError::Method)
    }
}

/// Implements `Transformer` for one record type: a blanket implementation would claim references and views as well.
macro_rules! transform_owned {
    ($records:ty, $generic:ident) => {
        impl<$generic, T, E, M, B> Transformer<$records, Result<T, KernelizedError<E>>>
            for Kernelized<M, B>
        where
            $records: Records + AsSamples,
            B: SpaceBuilder<<$records as AsSamples>::Samples>,
            M: Transformer<Array2<<B::Space as KernelSpace>::Scalar>, Result<T, E>>,
        {
            fn transform(&self, x: $records) -> Result<T, KernelizedError<E>> {
                self.try_transform(&x)?.map_err(KernelizedError::Method)
            }
        }
    };
}

transform_owned!(Array2<F>, F);
transform_owned!(Rows<F>, F);
transform_owned!(SparseRows<F>, F);
transform_owned!(KernelRows<F>, F);
transform_owned!(Items<I>, I);
