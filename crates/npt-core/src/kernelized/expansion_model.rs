//! Models that predict by their expansion.

use super::{Expand, KernelizedModel, model::predict_referenced};
#[cfg(feature = "serde")]
use crate::serial::method::Method;
use crate::{
    AsSamples, Error, Expansion, ExpansionSpace, FeatureNames, Items, Kernel, KernelRows, Rows,
    Samples, Scalar, SparseRows, linalg, require_feature_names, space::check_coefficients,
};
use linfa::{
    dataset::Records,
    traits::{Predict, PredictInplace, Transformer},
};
use ndarray::{Array2, ArrayView1};

/// A fitted linear method, and the [`Expansion`] whose values it works on. Nothing else of a kernel method is needed to
/// predict: there are no coordinates, and no space. A new sample costs its kernel values where α ≠ 0, and one product with
/// the coefficients α.
///
/// It is made by [`KernelizedModel::expand`], and by every ready-made kernel method whose fitted method is linear. As a field
/// its type is, for kernel PCA of vectors with a Gaussian kernel, `ExpansionModel<Pca<f64>, Rows<f64>, Gaussian<f64>>`.
///
/// # Panics
/// As [`KernelizedModel`]: `predict` and `transform` panic where the records are at fault. The `try_` forms return the
/// error.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ExpansionModel<Q, S, K, F = f64> {
    method: Q,
    expansion: Expansion<S, K, F>,
    feature_names: Vec<String>,
}

impl<O, P> KernelizedModel<O, P>
where
    P: ExpansionSpace,
    O: Expand<P::Scalar>,
{
    /// Writes the model as an expansion, by which it then predicts.
    ///
    /// # Errors
    /// As [`expansion`](Self::expansion).
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::{Fit, Predict, PredictInplace}};
    /// use linfa_linear::{FittedLinearRegression, LinearRegression};
    /// use ndarray::{Array1, Array2, Axis, array};
    /// use npt_core::{Exact, Expand, Gaussian, Kernelized, KernelizedModel, LinearFunctions};
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
    /// impl Expand<f64> for Regression {
    ///     type Expanded = Identity;
    ///     fn expanded(&self) -> Identity { Identity }
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
    /// let expanded = KernelizedModel::new(Regression(regression), space).expand()?;
    /// let by_kernel_values: Array1<f64> = expanded.predict(&array![[2.0]]);
    /// assert!((by_kernel_values[0] - by_coordinates[0]).abs() < 1e-14);
    /// # Ok::<(), npt_core::KernelizedError<linfa_linear::LinearError<f64>>>(())
    /// ```
    pub fn expand(
        &self,
    ) -> Result<ExpansionModel<O::Expanded, P::Samples, P::Kernel, P::Scalar>, Error> {
        let names = self.feature_names().to_vec();
        Ok(
            ExpansionModel::new(self.inner().expanded(), self.expansion()?)
                .with_feature_names(names),
        )
    }
}

impl<Q, S, K, F> ExpansionModel<Q, S, K, F> {
    /// Puts together an expansion, and a method that was fitted to the values of this expansion.
    pub fn new(method: Q, expansion: Expansion<S, K, F>) -> Self {
        Self {
            method,
            expansion,
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

    /// The fitted linear method; its records are the values of the expansion.
    pub fn inner(&self) -> &Q {
        &self.method
    }

    /// The expansion by which the model predicts.
    pub fn expansion(&self) -> &Expansion<S, K, F> {
        &self.expansion
    }

    /// The method and the expansion.
    pub fn into_parts(self) -> (Q, Expansion<S, K, F>) {
        (self.method, self.expansion)
    }
}

impl<Q, S: Samples, K: Kernel<S>> ExpansionModel<Q, S, K, K::Scalar> {
    /// Writes the method `fitted`, which was fitted to `training` coordinates, shape (n, r), as an expansion. Known α,
    /// `dual` of the shape (n, functions), are used by [`ExpansionSpace::expand_dual`] if Σ αᵢyᵢ equals each direction to √ε of its
    /// largest entry: to half of its digits, as the rest of a gradient may be that large. Otherwise, and without α, the
    /// expansion is that of [`ExpansionSpace::expand`].
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] for α or coordinates of other shapes, and as [`ExpansionSpace::expand`].
    pub fn of_fitted<O, P>(
        fitted: &O,
        space: &P,
        training: &Array2<K::Scalar>,
        dual: Option<Array2<K::Scalar>>,
    ) -> Result<Self, Error>
    where
        O: Expand<K::Scalar, Expanded = Q>,
        P: ExpansionSpace<Samples = S, Kernel = K, Scalar = K::Scalar>,
    {
        let (directions, offsets) = fitted.linear_functions();
        check_coefficients(space.rank(), training.ncols())?;
        if let Some(dual) = &dual {
            check_coefficients(training.nrows(), dual.nrows())?;
            check_coefficients(directions.ncols(), dual.ncols())?;
        }
        let with_rest = dual.and_then(|dual| {
            let rest = rest(training, &dual, &directions)?;
            Some((dual, rest))
        });
        let (directions, offsets) = (directions.view(), offsets.view());
        let expansion = match with_rest {
            Some((dual, rest)) => space.expand_dual(directions, dual.view(), rest.view(), offsets),
            None => space.expand(directions, offsets),
        };
        Ok(Self::new(fitted.expanded(), expansion?))
    }

    /// Predicts targets for the records `x`.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`], and [`Error::FeatureNames`] for a dataset with other names, or in another order.
    pub fn try_predict<R, T>(&self, x: &R) -> Result<T, Error>
    where
        R: AsSamples<Samples = S>,
        Q: PredictInplace<Array2<K::Scalar>, T>,
    {
        let values = self.values_of(x)?;
        let mut targets = self.method.default_target(&values);
        self.method.predict_inplace(&values, &mut targets);
        Ok(targets)
    }

    /// Predicts targets for the records `x` into `y`, which has to fit what the method predicts.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`], and [`Error::FeatureNames`] for a dataset with other names, or in another order.
    pub fn try_predict_inplace<R, T>(&self, x: &R, y: &mut T) -> Result<(), Error>
    where
        R: AsSamples<Samples = S>,
        Q: PredictInplace<Array2<K::Scalar>, T>,
    {
        self.method.predict_inplace(&self.values_of(x)?, y);
        Ok(())
    }

    /// Transforms the records `x`.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`], and [`Error::FeatureNames`] for a dataset with other names, or in another order.
    pub fn try_transform<R, T>(&self, x: &R) -> Result<T, Error>
    where
        R: AsSamples<Samples = S>,
        Q: Transformer<Array2<K::Scalar>, T>,
    {
        Ok(self.method.transform(self.values_of(x)?))
    }

    /// The values of the expansion at `x`. Records whose features have other names are refused.
    pub(super) fn values_of<R>(&self, x: &R) -> Result<Array2<K::Scalar>, Error>
    where
        R: AsSamples<Samples = S>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        self.expansion.evaluate(x)
    }

    /// The values of the expansion at `x`. It panics on an error, as linfa's traits return none.
    fn values<R: AsSamples<Samples = S>>(&self, x: &R) -> Array2<K::Scalar> {
        let values = self.values_of(x);
        values.unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The directions less Σ αᵢyᵢ; `None` if for one of them that is more than half of its digits.
fn rest<F: Scalar>(y: &Array2<F>, dual: &Array2<F>, directions: &Array2<F>) -> Option<Array2<F>> {
    let rest = directions - &linalg::product(y.t(), dual.view());
    let largest = |column: ArrayView1<'_, F>| column.fold(F::zero(), |m, v| m.max(v.abs()));
    let mut columns = rest.columns().into_iter().zip(directions.columns());
    let level = F::epsilon().sqrt();
    // A direction may be nothing but rounding of the other directions.
    let rounding = F::cast(64) * F::epsilon() * directions.fold(F::zero(), |m, v| m.max(v.abs()));
    let holds = columns.all(|(rest, of)| {
        let most = rounding.max(level * largest(of));
        rest.iter().all(|v| v.abs() <= most)
    });
    holds.then_some(rest)
}

impl<R, T, Q, S, K> PredictInplace<R, T> for ExpansionModel<Q, S, K, K::Scalar>
where
    R: Records + AsSamples<Samples = S>,
    S: Samples,
    K: Kernel<S>,
    Q: PredictInplace<Array2<K::Scalar>, T>,
{
    fn predict_inplace<'a>(&'a self, x: &'a R, y: &mut T) {
        self.method.predict_inplace(&self.values(x), y);
    }

    /// The default target for values of this shape; no kernel is evaluated for it.
    fn default_target(&self, x: &R) -> T {
        let outputs = self.expansion.offsets().len();
        self.method
            .default_target(&Array2::zeros((x.nsamples(), outputs)))
    }
}

predict_referenced!([S: Samples, K: Kernel<S>, Q] ExpansionModel<Q, S, K, K::Scalar>);
crate::predict_by_names!([Q, S, K, F] ExpansionModel<Q, S, K, F>);

impl<Q, S, K, F> FeatureNames for ExpansionModel<Q, S, K, F> {
    fn feature_names(&self) -> &[String] {
        &self.feature_names
    }
}

impl<R, T, Q, S, K> Transformer<R, T> for ExpansionModel<Q, S, K, K::Scalar>
where
    R: Records + AsSamples<Samples = S>,
    S: Samples,
    K: Kernel<S>,
    Q: Transformer<Array2<K::Scalar>, T>,
{
    fn transform(&self, x: R) -> T {
        self.method.transform(self.values(&x))
    }
}

#[cfg(feature = "serde")]
impl<'de, Q, S, K, F> serde::Deserialize<'de> for ExpansionModel<Q, S, K, F>
where
    Q: serde::Deserialize<'de> + 'static,
    S: Samples + serde::Deserialize<'de>,
    K: Kernel<S, Scalar = F> + serde::Deserialize<'de>,
    F: Scalar + serde::Deserialize<'de>,
{
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "ExpansionModel")]
        struct Parts<M, E> {
            method: M,
            expansion: E,
            feature_names: Vec<String>,
        }
        let read = Parts::<Method<Q>, Expansion<S, K, F>>::deserialize(deserializer)?;
        let functions = read.expansion.offsets().len();
        let method = read.method.of(functions, "functions of the expansion");
        Ok(Self {
            method: method.map_err(serde::de::Error::custom)?,
            expansion: read.expansion,
            feature_names: read.feature_names,
        })
    }
}
