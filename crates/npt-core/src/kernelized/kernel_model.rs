//! Access to the linear method and its records that models of dense vectors have in common.

use super::{ExpansionModel, KernelizedModel};
use crate::{Error, Kernel, KernelSpace, Rows, Scalar};
use linfa::traits::PredictInplace;
use ndarray::{Array1, Array2, ArrayView2};

/// A fitted kernel method whose samples are dense vectors: a linear method, and the records that it makes of samples.
///
/// The records are coordinates in a [`KernelizedModel`], and values of the expansion in an [`ExpansionModel`]. In a
/// [`PipelineModel`](crate::PipelineModel) they are the records that its model makes of the transformer's output. Implement
/// the trait for a model of your own, and a pipeline around it has `try_predict`, `try_transform`, `predict_row`,
/// `decision_function`, `classes` and `predict_probabilities`.
///
/// # Example
/// ```
/// use linfa::Dataset;
/// use linfa_linear::LinearRegression;
/// use ndarray::{Array1, array};
/// use npt_core::{Exact, Gaussian, KernelModel, KernelSpace, Kernelized};
///
/// let data = Dataset::new(array![[0.0], [1.0], [3.0]], array![0.0, 1.0, 0.5]);
/// let model = Kernelized::new(LinearRegression::new(), Exact::new(Gaussian::new(0.5))).fit(&data)?;
/// let new = array![[2.0]];
/// let records = model.method_records(new.view())?;
/// assert_eq!(records, model.space().coordinates(&new)?);
/// let by_hand: Array1<f64> = linfa::traits::Predict::predict(model.fitted_method(), &records);
/// assert_eq!(model.predict_row(&[2.0])?, by_hand[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait KernelModel {
    /// The floating point type of the samples.
    type Scalar: Scalar;

    /// The type of the fitted linear method.
    type Method;

    /// The fitted linear method.
    fn fitted_method(&self) -> &Self::Method;

    /// The records of the linear method, one row for each row of `x`.
    ///
    /// # Errors
    /// What is wrong with `x`, [`Error::ColumnCount`] if it has other columns than the samples at the fit,
    /// [`Error::KernelNotFinite`], [`Error::Overflow`].
    fn method_records(
        &self,
        x: ArrayView2<'_, Self::Scalar>,
    ) -> Result<Array2<Self::Scalar>, Error>;
}

impl<O, F, P> KernelModel for KernelizedModel<O, P>
where
    F: Scalar,
    P: KernelSpace<Samples = Rows<F>, Scalar = F>,
{
    type Scalar = F;
    type Method = O;

    fn fitted_method(&self) -> &O {
        self.inner()
    }

    fn method_records(&self, x: ArrayView2<'_, F>) -> Result<Array2<F>, Error> {
        self.space().coordinates(&x)
    }
}

impl<Q, F, K> KernelModel for ExpansionModel<Q, Rows<F>, K, F>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
{
    type Scalar = F;
    type Method = Q;

    fn fitted_method(&self) -> &Q {
        self.inner()
    }

    fn method_records(&self, x: ArrayView2<'_, F>) -> Result<Array2<F>, Error> {
        self.expansion().evaluate(&x)
    }
}

/// The prediction for one sample.
pub(super) fn predict_row<M, L>(model: &M, row: &[M::Scalar]) -> Result<L, Error>
where
    M: KernelModel,
    M::Method: PredictInplace<Array2<M::Scalar>, Array1<L>>,
{
    let row = ArrayView2::from_shape((1, row.len()), row).expect("one row of all values");
    let records = model.method_records(row)?;
    let method = model.fitted_method();
    let mut targets = method.default_target(&records);
    method.predict_inplace(&records, &mut targets);
    let (targets, samples) = (targets.into_raw_vec_and_offset().0, 1);
    let rows = targets.len();
    let mut targets = targets.into_iter();
    targets.next().ok_or(Error::OutputRows { samples, rows })
}

/// Implements `predict_row` for a model, which is given with its generics.
macro_rules! predict_row {
    ([$($generics:tt)*] $model:ty, $scalar:ty, $method:ty) => {
        impl<$($generics)*> $model {
            /// Predicts the target of one sample: its label or number.
            ///
            /// # Errors
            /// As [`try_predict`](Self::try_predict).
            ///
            /// # Example
            /// ```
            /// use linfa::Dataset;
            /// use linfa_linear::LinearRegression;
            /// use ndarray::array;
            /// use npt_core::{Error, Exact, Kernelized, Linear};
            ///
            /// let data = Dataset::new(array![[1.0], [2.0], [4.0]], array![1.0, 3.0, 7.0]);
            /// let estimator = Kernelized::new(LinearRegression::new(), Exact::new(Linear::new()));
            /// let model = estimator.fit(&data).unwrap();
            /// assert!((model.predict_row(&[3.0])? - 5.0_f64).abs() < 1e-12);
            /// let wide: Result<f64, Error> = model.predict_row(&[3.0, 4.0]);
            /// assert_eq!(wide, Err(Error::ColumnCount { expected: 1, found: 2 }));
            /// # Ok::<(), Error>(())
            /// ```
            pub fn predict_row<L>(&self, row: &[$scalar]) -> Result<L, Error>
            where
                $method: PredictInplace<Array2<$scalar>, Array1<L>>,
            {
                predict_row(self, row)
            }
        }
    };
}

predict_row!([O, F: Scalar, P: KernelSpace<Samples = Rows<F>, Scalar = F>] KernelizedModel<O, P>, F, O);
predict_row!([Q, F: Scalar, K: Kernel<Rows<F>, Scalar = F>] ExpansionModel<Q, Rows<F>, K, F>, F, Q);
