//! The fitted adapter.

#[cfg(feature = "serde")]
use crate::serial::method::Method;
use crate::{
    AsSamples, Error, FeatureNames, Items, KernelRows, KernelSpace, Rows, SparseRows,
    require_feature_names,
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::{Predict, PredictInplace, Transformer},
};
use ndarray::{Array2, ArrayBase, Data, Ix2};

/// A fitted linear method and the kernel space that it lives in.
///
/// It predicts and transforms whatever the method does: `predict` in linfa's four forms, and on
/// [`Rows`], [`SparseRows`], [`KernelRows`] and [`Items`]; `transform` on records, references to
/// them, and datasets.
///
/// # Panics
/// linfa's `predict` and `transform` have no error to return: they panic where the records are
/// empty, not finite, of another width than at fit, or a dataset whose features have other names. [`try_predict`](Self::try_predict),
/// [`try_predict_inplace`](Self::try_predict_inplace) and [`try_transform`](Self::try_transform)
/// return these errors.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KernelizedModel<O, P> {
    method: O,
    space: P,
    feature_names: Vec<String>,
}

impl<O, P> KernelizedModel<O, P> {
    /// Puts together a method that was fitted to coordinates of `space`, and that space.
    ///
    /// [`Kernelized`](crate::Kernelized) does this itself. Call it where a fitted method comes by another way: mini-batch
    /// k-means, for example, returns its method in its error until it has converged.
    pub fn new(method: O, space: P) -> Self {
        Self {
            method,
            space,
            feature_names: Vec::new(),
        }
    }

    /// Sets the names of the features that the model takes. A model that was fitted to a dataset has the names of the
    /// dataset.
    pub fn with_feature_names(mut self, names: Vec<String>) -> Self {
        self.feature_names = names;
        self
    }

    /// The names of the features that the model takes, in their order; empty if it was fitted to features without names.
    pub fn feature_names(&self) -> &[String] {
        &self.feature_names
    }

    /// The fitted linear method and the fitted kernel space.
    pub fn into_parts(self) -> (O, P) {
        (self.method, self.space)
    }

    /// The fitted linear method; its records are coordinates.
    pub fn inner(&self) -> &O {
        &self.method
    }

    /// The fitted kernel space.
    pub fn space(&self) -> &P {
        &self.space
    }
}

impl<O, P: KernelSpace> KernelizedModel<O, P> {
    /// Predicts targets for the records `x`.
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`], and [`Error::FeatureNames`] for a dataset with other names, or in another order.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Fit};
    /// use linfa_linear::LinearRegression;
    /// use ndarray::{Array1, array};
    /// use npt_core::{Error, Exact, Kernelized, Linear};
    ///
    /// let data = Dataset::new(array![[1.0], [2.0], [4.0]], array![1.0, 3.0, 7.0]);
    /// let estimator = Kernelized::new(LinearRegression::new(), Exact::new(Linear::new()));
    /// let model = estimator.fit(&data).unwrap();
    ///
    /// let at_three: Array1<f64> = model.try_predict(&array![[3.0]])?;
    /// assert!((at_three[0] - 5.0).abs() < 1e-12);
    ///
    /// let wide: Result<Array1<f64>, Error> = model.try_predict(&array![[3.0, 4.0]]);
    /// assert_eq!(wide, Err(Error::ColumnCount { expected: 1, found: 2 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_predict<R, T>(&self, x: &R) -> Result<T, Error>
    where
        R: AsSamples<Samples = P::Samples>,
        O: PredictInplace<Array2<P::Scalar>, T>,
    {
        let coordinates = self.coordinates_of(x)?;
        let mut targets = self.method.default_target(&coordinates);
        self.method.predict_inplace(&coordinates, &mut targets);
        Ok(targets)
    }

    /// Predicts targets for the records `x` into `y`, which has to fit what the method predicts.
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`], and [`Error::FeatureNames`] for a dataset with other names, or in another order.
    pub fn try_predict_inplace<R, T>(&self, x: &R, y: &mut T) -> Result<(), Error>
    where
        R: AsSamples<Samples = P::Samples>,
        O: PredictInplace<Array2<P::Scalar>, T>,
    {
        self.method.predict_inplace(&self.coordinates_of(x)?, y);
        Ok(())
    }

    /// Transforms the records `x`. If the method transforms references or datasets only, compute the
    /// [`KernelSpace::coordinates`] of the [`space`](Self::space), and transform these by the [`inner`](Self::inner) method.
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`], and [`Error::FeatureNames`] for a dataset with other names, or in another order.
    pub fn try_transform<R, T>(&self, x: &R) -> Result<T, Error>
    where
        R: AsSamples<Samples = P::Samples>,
        O: Transformer<Array2<P::Scalar>, T>,
    {
        Ok(self.method.transform(self.coordinates_of(x)?))
    }

    /// The coordinates of `x`. Records whose features have other names are refused.
    pub(super) fn coordinates_of<R>(&self, x: &R) -> Result<Array2<P::Scalar>, Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        self.space.coordinates(x)
    }

    /// The coordinates of `x`. It panics on an error, as linfa's traits return none.
    fn coordinates<R>(&self, x: &R) -> Array2<P::Scalar>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        self.coordinates_of(x)
            .unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<R, T, O, P> PredictInplace<R, T> for KernelizedModel<O, P>
where
    R: Records + AsSamples<Samples = P::Samples>,
    P: KernelSpace,
    O: PredictInplace<Array2<P::Scalar>, T>,
{
    fn predict_inplace<'a>(&'a self, x: &'a R, y: &mut T) {
        self.method.predict_inplace(&self.coordinates(x), y);
    }

    /// The default target for coordinates of this shape; the samples are not mapped for it.
    fn default_target(&self, x: &R) -> T {
        self.method
            .default_target(&Array2::zeros((x.nsamples(), self.space.rank())))
    }
}

/// Implements linfa's `Predict` on references to samples for a model, which is given with its generics. linfa itself
/// implements it on references to arrays and datasets.
macro_rules! predict_referenced {
    ([$($generics:tt)*] $model:ty) => {
        predict_referenced!(Rows<X>, [$($generics)*] $model);
        predict_referenced!(SparseRows<X>, [$($generics)*] $model);
        predict_referenced!(KernelRows<X>, [$($generics)*] $model);
        predict_referenced!(Items<X>, [$($generics)*] $model);
    };
    ($samples:ty, [$($generics:tt)*] $model:ty) => {
        impl<X, T, $($generics)*> Predict<&$samples, T> for $model
        where
            $samples: Records,
            Self: PredictInplace<$samples, T>,
        {
            fn predict(&self, x: &$samples) -> T {
                let mut targets = self.default_target(x);
                self.predict_inplace(x, &mut targets);
                targets
            }
        }
    };
}
pub(super) use predict_referenced;

predict_referenced!([O, P] KernelizedModel<O, P>);
crate::predict_by_names!([O, P] KernelizedModel<O, P>);

impl<O, P> FeatureNames for KernelizedModel<O, P> {
    fn feature_names(&self) -> &[String] {
        &self.feature_names
    }
}

/// Implements `Transformer` for one record type: a blanket implementation would claim references as well.
macro_rules! transform_owned {
    ($records:ty, $($generic:ident $(: $bound:path)?),*) => {
        impl<$($generic $(: $bound)?,)* T, O, P> Transformer<$records, T> for KernelizedModel<O, P>
        where
            $records: Records + AsSamples<Samples = P::Samples>,
            P: KernelSpace,
            O: Transformer<Array2<P::Scalar>, T>,
        {
            fn transform(&self, x: $records) -> T {
                self.method.transform(self.coordinates(&x))
            }
        }
    };
}

transform_owned!(ArrayBase<D, Ix2>, D: Data);
transform_owned!(Rows<F>, F);
transform_owned!(SparseRows<F>, F);
transform_owned!(KernelRows<F>, F);
transform_owned!(Items<I>, I);

/// Transforms by a method that transforms references, such as the distances of k-means.
impl<R, T, O, P> Transformer<&R, T> for KernelizedModel<O, P>
where
    R: Records + AsSamples<Samples = P::Samples>,
    P: KernelSpace,
    O: for<'x> Transformer<&'x Array2<P::Scalar>, T>,
{
    fn transform(&self, x: &R) -> T {
        self.method.transform(&self.coordinates(x))
    }
}

/// Transforms a dataset; targets, their names, and weights are kept.
impl<R, T, U, O, P> Transformer<DatasetBase<R, T>, U> for KernelizedModel<O, P>
where
    R: Records + AsSamples<Samples = P::Samples>,
    T: AsTargets,
    P: KernelSpace,
    O: Transformer<DatasetBase<Array2<P::Scalar>, T>, U>,
{
    fn transform(&self, x: DatasetBase<R, T>) -> U {
        let coordinates = self.coordinates(&x);
        let (weights, names) = (x.weights.clone(), x.target_names().to_vec());
        let mapped = x
            .with_records(coordinates)
            .with_weights(weights)
            .with_target_names(names);
        self.method.transform(mapped)
    }
}

#[cfg(feature = "serde")]
impl<'de, O, P> serde::Deserialize<'de> for KernelizedModel<O, P>
where
    O: serde::Deserialize<'de> + 'static,
    P: KernelSpace + serde::Deserialize<'de>,
{
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "KernelizedModel")]
        struct Parts<M, P> {
            method: M,
            space: P,
            feature_names: Vec<String>,
        }
        let read = Parts::<Method<O>, P>::deserialize(deserializer)?;
        let method = read.method.of(read.space.rank(), "axes of the space");
        Ok(Self {
            method: method.map_err(serde::de::Error::custom)?,
            space: read.space,
            feature_names: read.feature_names,
        })
    }
}
