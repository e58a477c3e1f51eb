//! Classifiers: their classes, their decision functions, and their probabilities.

use super::{ExpansionModel, KernelizedModel};
use crate::{AsSamples, Error, Kernel, KernelSpace, Samples};
use ndarray::Array2;

/// A fitted method that decides for one of several classes by the values of functions.
///
/// Implement it for a method of your own, and [`KernelizedModel`] and [`ExpansionModel`] have `decision_function` and
/// `classes`.
///
/// # Example
/// ```
/// use linfa::{Dataset, DatasetBase, dataset::AsSingleTargets, traits::Fit};
/// use ndarray::{Array1, Array2, array};
/// use npt_core::{Classifier, Exact, Kernelized, Polynomial};
///
/// /// The side of the difference between the means of two classes.
/// struct Sides;
/// struct Direction(Array1<f64>);
///
/// impl<T: AsSingleTargets<Elem = bool>> Fit<Array2<f64>, T, linfa::Error> for Sides {
///     type Object = Direction;
///     fn fit(&self, data: &DatasetBase<Array2<f64>, T>) -> linfa::error::Result<Direction> {
///         let signs = data.as_single_targets().mapv(|label| if label { 1.0 } else { -1.0 });
///         Ok(Direction(signs.dot(&data.records)))
///     }
/// }
///
/// impl Classifier<f64> for Direction {
///     type Label = bool;
///     type Values = Array1<f64>;
///     fn classes(&self) -> &[bool] {
///         &[false, true]
///     }
///     fn decision_function(&self, x: &Array2<f64>) -> Array1<f64> {
///         x.dot(&self.0)
///     }
/// }
///
/// let xor = Dataset::new(
///     array![[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]],
///     array![false, false, true, true],
/// );
/// let model = Kernelized::new(Sides, Exact::new(Polynomial::new(2, 1.0, 0.0))).fit(&xor)?;
/// let values = model.decision_function(&array![[0.5, 0.5], [0.5, -0.5]])?;
/// assert!(values[0] < 0.0 && values[1] > 0.0);
/// # Ok::<(), npt_core::KernelizedError<linfa::Error>>(())
/// ```
pub trait Classifier<F> {
    /// A class.
    type Label;

    /// The values of the functions: one value, or one row of values, for each record.
    type Values;

    /// The classes in ascending order; a model that was made elsewhere keeps the order that it has.
    fn classes(&self) -> &[Self::Label];

    /// The values of the functions for each row of `x`.
    ///
    /// Each method decides for which class its values are positive. The methods of npt:
    ///
    /// | method | positive for |
    /// |---|---|
    /// | `Svc`, which `KernelSvc` is on labels `bool` | `true` |
    /// | `MulticlassSvc`, which `KernelSvc` is on other labels, and `CalibratedSvc` on any, `bool` too | the first of a pair of classes, in ascending order |
    /// | `Logistic` on two classes | the second class: `true` |
    ///
    /// Probabilities are in the order of [`classes`](Self::classes), whatever the method.
    fn decision_function(&self, x: &Array2<F>) -> Self::Values;
}

/// A fitted classifier that knows how likely each class is.
pub trait ProbabilisticClassifier<F>: Classifier<F> {
    /// The probabilities of the [`classes`](Classifier::classes) in their order, one row for each row of `x`. They are NaN
    /// where a value of the decision function is NaN.
    fn predict_probabilities(&self, x: &Array2<F>) -> Array2<F>;
}

impl<O, P: KernelSpace> KernelizedModel<O, P> {
    /// The classes, ascending: the columns of [`predict_probabilities`](Self::predict_probabilities).
    pub fn classes(&self) -> &[O::Label]
    where
        O: Classifier<P::Scalar>,
    {
        self.inner().classes()
    }

    /// The values by which the method decides for a class: [`Classifier::decision_function`] says for which class they are
    /// positive.
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`], and [`Error::FeatureNames`] for a dataset with other names, or in another order.
    pub fn decision_function<R>(&self, x: &R) -> Result<O::Values, Error>
    where
        R: AsSamples<Samples = P::Samples>,
        O: Classifier<P::Scalar>,
    {
        Ok(self.inner().decision_function(&self.coordinates_of(x)?))
    }

    /// The probabilities of the [`classes`](Self::classes), in their order, shape (m, classes).
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`], and [`Error::FeatureNames`] for a dataset with other names, or in another order.
    pub fn predict_probabilities<R>(&self, x: &R) -> Result<Array2<P::Scalar>, Error>
    where
        R: AsSamples<Samples = P::Samples>,
        O: ProbabilisticClassifier<P::Scalar>,
    {
        let coordinates = self.coordinates_of(x)?;
        Ok(self.inner().predict_probabilities(&coordinates))
    }
}

impl<Q, S: Samples, K: Kernel<S>> ExpansionModel<Q, S, K, K::Scalar> {
    /// The classes, ascending: the columns of [`predict_probabilities`](Self::predict_probabilities).
    pub fn classes(&self) -> &[Q::Label]
    where
        Q: Classifier<K::Scalar>,
    {
        self.inner().classes()
    }

    /// The values by which the method decides for a class: [`Classifier::decision_function`] says for which class they are
    /// positive.
    ///
    /// # Errors
    /// As [`Expansion::evaluate`](crate::Expansion::evaluate), and [`Error::FeatureNames`] for a dataset with other names, or in
    /// another order.
    pub fn decision_function<R>(&self, x: &R) -> Result<Q::Values, Error>
    where
        R: AsSamples<Samples = S>,
        Q: Classifier<K::Scalar>,
    {
        Ok(self.inner().decision_function(&self.values_of(x)?))
    }

    /// The probabilities of the [`classes`](Self::classes), in their order, shape (m, classes).
    ///
    /// # Errors
    /// As [`Expansion::evaluate`](crate::Expansion::evaluate), and [`Error::FeatureNames`] for a dataset with other names, or in
    /// another order.
    pub fn predict_probabilities<R>(&self, x: &R) -> Result<Array2<K::Scalar>, Error>
    where
        R: AsSamples<Samples = S>,
        Q: ProbabilisticClassifier<K::Scalar>,
    {
        let values = self.values_of(x)?;
        Ok(self.inner().predict_probabilities(&values))
    }
}
