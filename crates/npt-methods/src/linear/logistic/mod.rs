//! Logistic regression.

mod hessians;
mod likelihood;
mod newton;
mod of_blocks;
mod of_records;

use super::{Weights, center, classifier, groups, parameters, weighed_records};
use crate::{Error, error::require_finite};
use linfa::{
    DatasetBase, Label,
    dataset::AsSingleTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView2, Axis, Data, Ix2, s};
use npt_core::{Scalar, catalogue::Range, linalg};
use of_records::OfRecords;

parameters! {
    Logistic: LogisticParams, LogisticValidParams;
    default {
        /// The penalty must be ≥ 0.
        penalty: f64 = 1.0, Range::NotNegative, "The penalty λ of squared weights; 1/C of other libraries.";
        /// The logarithms of a class are multiplied by n/(kn_c): n_c of all n samples of k classes are in it, counted by weight.
        balanced: bool = false, Range::Boolean, "Whether all classes count as much.";
        /// The tolerance must be > 0. Newton's method stops at a step that is expected to lower the objective by less than τ² of it, and
        /// takes that step. It also stops where rounding leaves nothing to gain.
        tolerance: f64 = 1e-8, Range::Positive, "The relative accuracy τ to which the objective is minimised.";
        /// Some ten steps are usual.
        max_iterations: usize = 100, Range::AtLeast(1), "The most steps of Newton's method.";
    }
}

/// Logistic regression with a penalty on the squared weights, for two classes or more.
///
/// # Definition
/// With c(i) the class of sample i, the weights and the intercepts minimise
///
/// −Σ log p_c(i)(xᵢ) + ½λ‖w‖².
///
/// Sample weights are factors of the logarithms: a weight of 2 is a sample twice.
///
/// For two classes there is one function f(x) = wᵀx + b, and the second class has the probability
/// p₂(x) = 1/(1 + exp(−f(x))). For more classes there is one function per class, p_c(x) is proportional to
/// exp(f_c(x)), and ‖w‖² is the sum over all functions. The intercepts are not penalised. They are
/// known up to a common summand, and made to have the sum 0; the weights of all classes have the sum 0 by
/// themselves.
///
/// `predict` gives the class of largest probability, `transform` the values of f: one column for two
/// classes, one column per class for more. Classes are in ascending order.
///
/// The minimum is found by Newton's method with conjugate gradients and a line search. For more samples than fit in memory
/// there is [`fit_blocks`](LogisticParams::fit_blocks). For λ > 0 the minimum exists on any data. For λ = 0 there is none
/// if the classes can be separated; linearly dependent columns leave several minima, of which λ = 0 finds one.
///
/// # Errors
/// [`Error::Classes`] for a single class, [`npt_core::Error::Weight`], and [`npt_core::Error::NoWeight`] if all weights are 0,
/// [`Error::Parameter`], [`Error::Separable`] for λ = 0 and classes that can be separated, [`Error::NotConverged`] for too few
/// iterations, [`Error::Overflow`], [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_methods::linear::Logistic;
///
/// // Three in four, and one in four: without a penalty these are the probabilities.
/// let data = Dataset::new(
///     array![[1.0], [1.0], [1.0], [1.0], [0.0], [0.0], [0.0], [0.0]],
///     array!["yes", "yes", "yes", "no", "yes", "no", "no", "no"],
/// );
/// let model = Logistic::params().penalty(0.0).fit(&data)?;
/// assert_eq!(model.classes(), ["no", "yes"]);
/// let p = model.predict_probabilities(&array![[1.0_f64]]);
/// assert!((p[[0, 1]] - 0.75).abs() < 1e-12);
/// // f(0) = log ⅓, f(1) = log 3.
/// assert!((model.weights()[[0, 0]] - 2.0 * 3.0_f64.ln()).abs() < 1e-12);
/// assert_eq!(model.predict(&array![[0.9], [0.1]]), array!["yes", "no"]);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// D. R. Cox, "The Regression Analysis of Binary Sequences", Journal of the Royal Statistical
/// Society B 20(2), 1958. doi:10.1111/j.2517-6161.1958.tb00292.x
///
/// J. Nocedal, S. J. Wright, *Numerical Optimization*, 2nd edition, Springer 2006, section 7.1.
/// doi:10.1007/978-0-387-40065-5
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Logistic<F, L> {
    /// The classes, ascending.
    classes: Vec<L>,
    /// The mean of the records.
    mean: Array1<F>,
    /// One column per function.
    weights: Array2<F>,
    /// The values of the functions at the mean.
    offsets: Array1<F>,
    iterations: usize,
}

impl Logistic<f64, ()> {
    /// Parameters with λ = 1, tolerance 10⁻⁸ and at most 100 iterations.
    pub fn params() -> LogisticParams {
        LogisticParams(LogisticValidParams::new())
    }
}

impl<F: Scalar, L> Logistic<F, L> {
    /// The classes, ascending.
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// Returns the classes, and this regression with the positions of the classes as labels.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::{Fit, Predict}};
    /// use ndarray::{Array1, array};
    /// use npt_methods::linear::Logistic;
    ///
    /// let x = array![[0.0], [1.0], [4.0], [5.0]];
    /// let data = Dataset::new(x.clone(), array!["a", "a", "b", "b"]);
    /// let (classes, by_position) = Logistic::params().fit(&data)?.by_position();
    /// let positions: Array1<usize> = by_position.predict(&x);
    /// assert_eq!((classes, positions), (vec!["a", "b"], array![0, 0, 1, 1]));
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn by_position(self) -> (Vec<L>, Logistic<F, usize>) {
        let Self {
            classes,
            mean,
            weights,
            offsets,
            iterations,
        } = self;
        let by_position = Logistic {
            classes: (0..classes.len()).collect(),
            mean,
            weights,
            offsets,
            iterations,
        };
        (classes, by_position)
    }

    /// The weights w, shape (features, functions): one function for two classes, one per class for
    /// more.
    pub fn weights(&self) -> ArrayView2<'_, F> {
        self.weights.view()
    }

    /// The intercepts b, one per function.
    pub fn intercept(&self) -> Array1<F> {
        &self.offsets - &self.mean.dot(&self.weights)
    }

    /// The number of steps that Newton's method took.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// The values wᵀx + b for each row of x, shape (m, functions).
    pub fn decision_function<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        // Records are centred first: far from the origin, wᵀx and b cancel.
        let x = x - &self.mean;
        linalg::product(x.view(), self.weights.view()) + &self.offsets
    }

    /// The probabilities of the [`classes`](Self::classes) for each row of x, shape (m, classes).
    pub fn predict_probabilities<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        likelihood::probabilities(self.decision_function(x).view())
    }
}

impl<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>> npt_core::ExpansionMethod<F, T, Error>
    for LogisticParams
{
    fn has_dual_coefficients(&self) -> bool {
        self.0.penalty > 0.0
    }

    /// Computes the coefficients from λw = Σ (1 − p(xᵢ))xᵢ over the members of a class, less Σ p(xᵢ)xᵢ over the others.
    fn dual_coefficients(
        &self,
        model: &Logistic<F, L>,
        data: &DatasetBase<Array2<F>, T>,
    ) -> Option<Array2<F>> {
        let labels = data.as_single_targets();
        let first = model.classes.len() - model.offsets.len();
        let of_functions = model
            .predict_probabilities(&data.records)
            .slice_move(s![.., first..]);
        let mut dual = -of_functions;
        for (mut row, label) in dual.outer_iter_mut().zip(labels) {
            for (value, class) in row.iter_mut().zip(&model.classes[first..]) {
                if label == class {
                    *value += F::one();
                }
            }
        }
        let weights = Weights::of_dataset(data).ok()?;
        let groups = groups(&weights.select(labels.to_owned()));
        let weights = weights.balanced_if(self.0.balanced, &groups);
        let dual = weights.spread(weights.times(weights.select(dual)));
        let penalty = F::cast(self.0.penalty);
        (penalty > F::zero()).then(|| dual / penalty)
    }
}

impl<F, L, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for LogisticValidParams
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
    T: AsSingleTargets<Elem = L>,
{
    type Object = Logistic<F, L>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Logistic<F, L>, Error> {
        let (mut x, weights) = weighed_records(dataset)?;
        let labels = weights.select(dataset.as_single_targets().to_owned());
        let groups = groups(&labels);
        if groups.len() < 2 {
            return Err(Error::Classes {
                found: groups.len(),
            });
        }
        let weights = weights.balanced_if(self.balanced, &groups);
        let mut members = vec![0; labels.len()];
        for (class, rows) in groups.values().enumerate() {
            for &row in rows {
                members[row] = class;
            }
        }
        let classes: Vec<L> = groups.into_keys().collect();
        let mean = center(&mut x);
        let functions = if classes.len() == 2 { 1 } else { classes.len() };
        let penalty = F::cast(self.penalty);
        let mut objective = OfRecords::new(x.view(), &weights, &members, functions, penalty);
        let (solution, iterations) = self.minimise(&mut objective)?;
        let (weights, offsets) = solution.view().split_at(Axis(0), x.ncols());
        let mut offsets = offsets.row(0).to_owned();
        if functions > 1 {
            offsets -= offsets.mean().expect("there are classes");
        }
        require_finite("Logistic", weights.iter().chain(&offsets))?;
        Ok(Logistic {
            classes,
            mean,
            weights: weights.to_owned(),
            offsets,
            iterations,
        })
    }
}

impl<F, L, D> PredictInplace<ArrayBase<D, Ix2>, Array1<L>> for Logistic<F, L>
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<L>) {
        let values = self.decision_function(x);
        assert_eq!(y.len(), values.nrows(), "the number of predictions");
        for (values, label) in values.outer_iter().zip(y.iter_mut()) {
            let class = if values.len() == 1 {
                usize::from(values[0] > F::zero())
            } else {
                let largest = values.fold(F::neg_infinity(), |m, &v| m.max(v));
                values.iter().position(|&v| v == largest).unwrap_or(0)
            };
            *label = self.classes[class].clone();
        }
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<L> {
        Array1::from_elem(x.nrows(), L::default())
    }
}

/// Transforms rows to the values of the decision function.
impl<F: Scalar, L, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>> for Logistic<F, L> {
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        self.decision_function(&x)
    }
}

classifier!(Logistic);

impl<F: Scalar, L> npt_core::ProbabilisticClassifier<F> for Logistic<F, L> {
    fn predict_probabilities(&self, x: &Array2<F>) -> Array2<F> {
        Logistic::predict_probabilities(self, x)
    }
}

impl<F: Scalar, L> npt_core::LinearFunctions<F> for Logistic<F, L> {
    /// Returns the decision function.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        (self.weights.clone(), self.intercept())
    }
}

impl<F: Scalar, L: Clone> npt_core::Expand<F> for Logistic<F, L> {
    type Expanded = Self;

    fn expanded(&self) -> Self {
        let functions = self.offsets.len();
        Self {
            mean: Array1::zeros(functions),
            weights: Array2::eye(functions),
            offsets: Array1::zeros(functions),
            ..self.clone()
        }
    }
}

npt_core::checked! {
    Logistic<F, L> {
        classes: Vec<L>,
        mean: Array1<F>,
        weights: Array2<F>,
        offsets: Array1<F>,
        iterations: usize,
    }
    where F: Scalar, L: Ord + 'static
}

#[cfg(feature = "serde")]
impl<F: Scalar, L: Ord + 'static> Logistic<F, L> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, method};
        let ((rows, columns), classes) = (self.weights.dim(), self.classes.len());
        crate::parts::check_classes(&self.classes)?;
        crate::parts::check_functions(&self.weights, &self.offsets)?;
        // For two classes, one function is the opposite of the other.
        let functions = if classes == 2 { 1 } else { classes };
        agree("functions", columns, "that classes need", functions)?;
        agree("rows of weights", rows, "features", self.mean.len())?;
        finite("the means", &self.mean)?;
        method::maps::<Self>(rows, columns);
        Ok(())
    }
}
