//! The answers of a model that a score is computed from.

use linfa::{dataset::Records, traits::PredictInplace};
use ndarray::{Array, Array2, Dimension};
use npt_core::{Classifier, ProbabilisticClassifier};

/// An answer of a model that a score is computed from: predictions, [`Probabilities`], or the [`Decisions`] that classes are chosen by.
///
/// A search takes the kind of answer from the type of the score's first argument.
#[diagnostic::on_unimplemented(
    message = "a score cannot see `{Self}` of `{M}`",
    label = "here is asked for what these models do not say",
    note = "a score sees predictions (`Array1` of labels or numbers, `Array2` of several targets), of classifiers `Decisions`, and `Probabilities` of those that have them"
)]
pub trait Answer<M, R>: Sized {
    /// Returns the answer of the model, one row per record.
    #[doc(hidden)]
    fn of(model: &M, records: &R) -> Self;
}

/// Answers with predictions.
impl<M, R, L, I> Answer<M, R> for Array<L, I>
where
    R: Records,
    I: Dimension,
    M: PredictInplace<R, Self>,
{
    fn of(model: &M, records: &R) -> Self {
        let mut predicted = model.default_target(records);
        model.predict_inplace(records, &mut predicted);
        predicted
    }
}

/// The probabilities that a model gives to the classes, for scores such as [`log_loss`](super::log_loss).
///
/// # Example
/// ```
/// use linfa::Dataset;
/// use ndarray::{Array, Array1};
/// use npt_core::{Exact, Gaussian};
/// use npt_methods::{linear::Logistic, model_selection::{Candidates, Folds, GridSearch, Probabilities, log_loss}};
///
/// let x = Array::from_shape_fn((60, 2), |(i, j)| (0.7 * i as f64 + 1.6 * j as f64).sin() * (1 + i % 2) as f64);
/// let data = Dataset::new(x, Array::from_shape_fn(60, |i| if i % 2 == 0 { "inner" } else { "outer" }));
/// let spaces = Candidates::new().kernels("γ", [0.01, 1.0], Gaussian::new);
/// let search = GridSearch::new(spaces, [Logistic::params().penalty(0.1)]);
/// let folds = Folds::stratified(&data, 5, 0)?;
/// let score = |p: &Probabilities<f64, &str>, truth: &Array1<&str>| -log_loss(p, truth);
/// let found = search.fit_best(&data, &folds, score)?;
/// assert_eq!(found.candidate.space, 1);
/// # let _ = Exact::new(Gaussian::new(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Probabilities<F, L> {
    /// The classes that the model has, ascending: those of its training samples.
    pub classes: Vec<L>,
    /// The probability of each class, one row per sample.
    pub values: Array2<F>,
}

impl<M, F, L> Answer<M, Array2<F>> for Probabilities<F, L>
where
    L: Clone,
    M: ProbabilisticClassifier<F, Label = L>,
{
    fn of(model: &M, records: &Array2<F>) -> Self {
        Self {
            classes: model.classes().to_vec(),
            values: model.predict_probabilities(records),
        }
    }
}

/// The values that a model decides by, as its `decision_function` returns them, for scores of the order of values, such as
/// [`area_under_curve`](super::area_under_curve).
///
/// # Example
/// ```
/// use linfa::Dataset;
/// use ndarray::{Array, Array1};
/// use npt_core::Gaussian;
/// use npt_methods::{linear::Svc, model_selection::{Candidates, Decisions, Folds, GridSearch, area_under_curve}};
///
/// let x = Array::from_shape_fn((60, 2), |(i, j)| (0.7 * i as f64 + 1.6 * j as f64).sin() * (1 + i % 2) as f64);
/// let data = Dataset::new(x, Array::from_shape_fn(60, |i| i % 2 == 0));
/// let spaces = Candidates::new().kernels("γ", [1e-4, 1.0], Gaussian::new);
/// let folds = Folds::stratified(&data, 5, 0)?;
/// let score = |decisions: &Decisions<Array1<f64>, bool>, truth: &Array1<bool>| area_under_curve(&decisions.values, truth);
/// let found = GridSearch::new(spaces, [Svc::params()]).fit_best(&data, &folds, score)?;
/// assert_eq!(found.candidate.space, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Decisions<V, L> {
    /// The classes that the model has, ascending: those of its training samples.
    pub classes: Vec<L>,
    /// The values: one per sample, or one row per sample.
    pub values: V,
}

impl<M, F, V, L> Answer<M, Array2<F>> for Decisions<V, L>
where
    L: Clone,
    M: Classifier<F, Label = L, Values = V>,
{
    fn of(model: &M, records: &Array2<F>) -> Self {
        Self {
            classes: model.classes().to_vec(),
            values: model.decision_function(records),
        }
    }
}
