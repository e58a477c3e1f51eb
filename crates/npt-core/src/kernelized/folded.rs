//! Models that predict by their expansion.

use super::{FoldBack, KernelizedModel, model::predict_referenced};
use crate::{
    AsSamples, Error, Expansion, Items, Kernel, KernelRows, LandmarkSpace, Rows, Samples,
    SparseRows,
};
use linfa::{
    dataset::Records,
    traits::{Predict, PredictInplace, Transformer},
};
use ndarray::Array2;

/// A fitted linear method, its kernel space, and its [`Expansion`], by which it predicts and
/// transforms: a new sample costs its kernel values and one product with the coefficients α, not the
/// product with the factor of the space that coordinates take, and kernel values only where α ≠ 0.
///
/// Made by [`KernelizedModel::fold`]; what it predicts is what that model predicts, up to rounding.
///
/// # Panics
/// As [`KernelizedModel`]: `predict` and `transform` where the records are at fault. The `try_` forms
/// return the error.
pub struct FoldedModel<O, S, K>
where
    S: Samples,
    K: Kernel<S>,
    O: FoldBack<K::Scalar>,
{
    model: KernelizedModel<O, LandmarkSpace<S, K>>,
    folded: O::Folded,
    expansion: Expansion<S, K>,
}

impl<O, S, K> KernelizedModel<O, LandmarkSpace<S, K>>
where
    S: Samples,
    K: Kernel<S>,
    O: FoldBack<K::Scalar>,
{
    /// The same model, predicting by its expansion.
    ///
    /// # Errors
    /// As [`expansion`](Self::expansion).
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::{Fit, Predict, PredictInplace}};
    /// use linfa_linear::{FittedLinearRegression, LinearRegression};
    /// use ndarray::{Array1, Array2, Axis, array};
    /// use npt_core::{Exact, FoldBack, Gaussian, Kernelized, KernelizedModel, LinearFunctions};
    ///
    /// /// A regression of linfa's: its one linear function is its prediction.
    /// struct Regression(FittedLinearRegression<f64>);
    /// struct Identity;
    ///
    /// impl LinearFunctions<f64> for Regression {
    ///     fn linear_functions(&self) -> (Array2<f64>, Array1<f64>) {
    ///         let weights = self.0.params().clone().insert_axis(Axis(1));
    ///         (weights, array![self.0.intercept()])
    ///     }
    /// }
    ///
    /// impl FoldBack<f64> for Regression {
    ///     type Folded = Identity;
    ///     fn folded(&self) -> Identity { Identity }
    /// }
    ///
    /// impl PredictInplace<Array2<f64>, Array1<f64>> for Identity {
    ///     fn predict_inplace(&self, values: &Array2<f64>, y: &mut Array1<f64>) {
    ///         y.assign(&values.column(0));
    ///     }
    ///     fn default_target(&self, values: &Array2<f64>) -> Array1<f64> {
    ///         Array1::zeros(values.nrows())
    ///     }
    /// }
    ///
    /// let data = Dataset::new(array![[0.0], [1.0], [3.0]], array![0.0, 1.0, 0.5]);
    /// let model = Kernelized::new(LinearRegression::new(), Exact::new(Gaussian::new(0.5))).fit(&data)?;
    /// let by_coordinates: Array1<f64> = model.predict(&array![[2.0]]);
    ///
    /// let (regression, space) = model.into_parts();
    /// let folded = KernelizedModel::new(Regression(regression), space).fold()?;
    /// let by_kernel_values: Array1<f64> = folded.predict(&array![[2.0]]);
    /// assert!((by_kernel_values[0] - by_coordinates[0]).abs() < 1e-14);
    /// # Ok::<(), npt_core::KernelizedError<linfa_linear::LinearError<f64>>>(())
    /// ```
    pub fn fold(self) -> Result<FoldedModel<O, S, K>, Error> {
        Ok(FoldedModel {
            expansion: self.expansion()?,
            folded: self.inner().folded(),
            model: self,
        })
    }
}

impl<O, S, K> FoldedModel<O, S, K>
where
    S: Samples,
    K: Kernel<S>,
    O: FoldBack<K::Scalar>,
{
    /// The fitted linear method; its records are coordinates.
    pub fn inner(&self) -> &O {
        self.model.inner()
    }

    /// The fitted kernel space.
    pub fn space(&self) -> &LandmarkSpace<S, K> {
        self.model.space()
    }

    /// The expansion by which the model predicts.
    pub fn expansion(&self) -> &Expansion<S, K> {
        &self.expansion
    }

    /// The model that predicts through coordinates.
    pub fn unfolded(&self) -> &KernelizedModel<O, LandmarkSpace<S, K>> {
        &self.model
    }

    /// The same, by value.
    pub fn into_unfolded(self) -> KernelizedModel<O, LandmarkSpace<S, K>> {
        self.model
    }

    /// Predicts targets for the records `x`.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`].
    pub fn try_predict<R, T>(&self, x: &R) -> Result<T, Error>
    where
        R: AsSamples<Samples = S>,
        O::Folded: PredictInplace<Array2<K::Scalar>, T>,
    {
        let values = self.expansion.evaluate(x)?;
        let mut targets = self.folded.default_target(&values);
        self.folded.predict_inplace(&values, &mut targets);
        Ok(targets)
    }

    /// Predicts targets for the records `x` into `y`, which has to fit what the method predicts.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`].
    pub fn try_predict_inplace<R, T>(&self, x: &R, y: &mut T) -> Result<(), Error>
    where
        R: AsSamples<Samples = S>,
        O::Folded: PredictInplace<Array2<K::Scalar>, T>,
    {
        self.folded.predict_inplace(&self.expansion.evaluate(x)?, y);
        Ok(())
    }

    /// Transforms the records `x`.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`].
    pub fn try_transform<R, T>(&self, x: &R) -> Result<T, Error>
    where
        R: AsSamples<Samples = S>,
        O::Folded: Transformer<Array2<K::Scalar>, T>,
    {
        Ok(self.folded.transform(self.expansion.evaluate(x)?))
    }

    /// The values of `x`, or the panic that linfa's traits leave.
    fn values<R: AsSamples<Samples = S>>(&self, x: &R) -> Array2<K::Scalar> {
        let values = self.expansion.evaluate(x);
        values.unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<R, T, O, S, K> PredictInplace<R, T> for FoldedModel<O, S, K>
where
    R: Records + AsSamples<Samples = S>,
    S: Samples,
    K: Kernel<S>,
    O: FoldBack<K::Scalar>,
    O::Folded: PredictInplace<Array2<K::Scalar>, T>,
{
    fn predict_inplace<'a>(&'a self, x: &'a R, y: &mut T) {
        self.folded.predict_inplace(&self.values(x), y);
    }

    /// Of the shape of the values only; no kernel is evaluated for it.
    fn default_target(&self, x: &R) -> T {
        let outputs = self.expansion.offsets().len();
        self.folded
            .default_target(&Array2::zeros((x.nsamples(), outputs)))
    }
}

predict_referenced!([S: Samples, K: Kernel<S>, O: FoldBack<K::Scalar>] FoldedModel<O, S, K>);

impl<R, T, O, S, K> Transformer<R, T> for FoldedModel<O, S, K>
where
    R: Records + AsSamples<Samples = S>,
    S: Samples,
    K: Kernel<S>,
    O: FoldBack<K::Scalar>,
    O::Folded: Transformer<Array2<K::Scalar>, T>,
{
    fn transform(&self, x: R) -> T {
        self.folded.transform(self.values(&x))
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<O, S, K> Clone for FoldedModel<O, S, K>
where
    S: Samples,
    K: Kernel<S>,
    O: FoldBack<K::Scalar> + Clone,
    O::Folded: Clone,
{
    fn clone(&self) -> Self {
        Self {
            model: self.model.clone(),
            folded: self.folded.clone(),
            expansion: self.expansion.clone(),
        }
    }
}

impl<O, S, K> std::fmt::Debug for FoldedModel<O, S, K>
where
    S: Samples,
    K: Kernel<S>,
    O: FoldBack<K::Scalar> + std::fmt::Debug,
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FoldedModel")
            .field("model", &self.model)
            .field("expansion", &self.expansion)
            .finish_non_exhaustive()
    }
}
