//! One linear method on the output of another.

use linfa::{
    DatasetBase,
    dataset::AsTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array, Array1, Array2, ArrayBase, Data, Ix2};
use npt_core::{
    Classifier, Expand, ExpansionMethod, LinearFunctions, LinearMethod, ProbabilisticClassifier,
    Scalar,
};

/// A method that runs on the output of another method: a classifier on discriminant scores, or clusters of principal
/// components.
///
/// Both methods are fitted to the same targets and weights. The fitted chain predicts as its second method
/// does, and transforms through both; where both are linear, so is the chain.
///
/// # Errors
/// The errors of the two methods.
///
/// # Example
/// Fisher's discriminant predicts the class of the nearest mean, so the threshold between two classes
/// lies half-way. A small class beside a large one then gets too much of the line; a support vector machine on
/// the discriminant finds a threshold from the samples near it.
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::{array, concatenate, Array1, Array2, Axis};
/// use npt_methods::linear::{Chain, Lda, Svc};
///
/// // Many samples from 0 to 4, few from 4.5 to 5: half-way between the means is 3.4.
/// let large: Array1<f64> = Array1::linspace(0.0, 4.0, 41);
/// let small = Array1::linspace(4.5, 5.0, 6);
/// let x = concatenate![Axis(0), large, small].insert_axis(Axis(1));
/// let data = Dataset::new(x, Array1::from_shape_fn(47, |i| i > 40));
///
/// let nearest_mean = Lda::params().fit(&data)?.predict(&array![[3.8], [4.4]]);
/// assert_eq!(nearest_mean, array![true, true]);
/// let chain = Chain::new(Lda::params(), Svc::params().c(1e4)).fit(&data)?;
/// assert_eq!(chain.predict(&array![[3.8], [4.4]]), array![false, true]);
/// # Ok::<(), npt_methods::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Chain<A, B> {
    first: A,
    second: B,
}

#[cfg(feature = "serde")]
impl<'de, A, B> serde::Deserialize<'de> for Chain<A, B>
where
    A: serde::Deserialize<'de> + 'static,
    B: serde::Deserialize<'de> + 'static,
{
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use npt_core::serial::method::Method;
        #[derive(serde::Deserialize)]
        #[serde(rename = "Chain")]
        struct Parts<A, B> {
            first: A,
            second: B,
        }
        let read = Parts::<Method<A>, Method<B>>::deserialize(deserializer)?;
        let (first, second) = read
            .first
            .chained::<Self, B>(read.second)
            .map_err(serde::de::Error::custom)?;
        Ok(Self::new(first, second))
    }
}

impl<A, B> Chain<A, B> {
    /// Chains `second` to the output of `first`; both may also be fitted models.
    pub fn new(first: A, second: B) -> Self {
        Self { first, second }
    }

    /// Returns the chain with its first method changed by `change`.
    ///
    /// # Example
    /// ```
    /// use npt_methods::linear::{Chain, Lda, Pca};
    ///
    /// let chain = Chain::new(Pca::params(5), Lda::params());
    /// let changed = chain.map_second(|lda| lda.ridge(0.1));
    /// assert_eq!(changed.second(), &Lda::params().ridge(0.1));
    /// ```
    pub fn map_first<Other>(self, change: impl FnOnce(A) -> Other) -> Chain<Other, B> {
        Chain::new(change(self.first), self.second)
    }

    /// Returns the chain with its second method changed by `change`; see [`map_first`](Self::map_first).
    pub fn map_second<Other>(self, change: impl FnOnce(B) -> Other) -> Chain<A, Other> {
        Chain::new(self.first, change(self.second))
    }

    /// The first method, whose output is the records of the second.
    pub fn first(&self) -> &A {
        &self.first
    }

    /// The second method, which predicts.
    pub fn second(&self) -> &B {
        &self.second
    }
}

impl<F, D, T, E, A, B> Fit<ArrayBase<D, Ix2>, T, E> for Chain<A, B>
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets,
    T::Elem: Clone,
    A: Fit<Array2<F>, Array<T::Elem, T::Ix>, E>,
    A::Object: Transformer<Array2<F>, Array2<F>>,
    B: Fit<Array2<F>, Array<T::Elem, T::Ix>, E>,
    E: std::error::Error + From<linfa::Error>,
{
    type Object = Chain<A::Object, B::Object>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Self::Object, E> {
        let with = |records| {
            DatasetBase::new(records, dataset.as_targets().to_owned())
                .with_weights(dataset.weights.clone())
                .with_target_names(dataset.target_names().to_vec())
        };
        let whole = with(dataset.records().to_owned());
        let first = self.first.fit(&whole)?;
        let second = self.second.fit(&with(first.transform(whole.records)))?;
        Ok(Chain { first, second })
    }
}

impl<F, D, T, A, B> PredictInplace<ArrayBase<D, Ix2>, T> for Chain<A, B>
where
    F: Scalar,
    D: Data<Elem = F>,
    A: Transformer<Array2<F>, Array2<F>>,
    B: PredictInplace<Array2<F>, T>,
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut T) {
        let records = self.first.transform(x.to_owned());
        self.second.predict_inplace(&records, y);
    }

    /// Maps the records, because only the first method knows how wide its output is.
    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> T {
        self.second
            .default_target(&self.first.transform(x.to_owned()))
    }
}

impl<F, D, T, A, B> Transformer<ArrayBase<D, Ix2>, T> for Chain<A, B>
where
    F: Scalar,
    D: Data<Elem = F>,
    A: Transformer<Array2<F>, Array2<F>>,
    B: Transformer<Array2<F>, T>,
{
    fn transform(&self, x: ArrayBase<D, Ix2>) -> T {
        self.second.transform(self.first.transform(x.into_owned()))
    }
}

impl<F: Scalar, A, B: Classifier<F>> Classifier<F> for Chain<A, B>
where
    A: Transformer<Array2<F>, Array2<F>>,
{
    type Label = B::Label;
    type Values = B::Values;

    fn classes(&self) -> &[B::Label] {
        self.second.classes()
    }

    fn decision_function(&self, x: &Array2<F>) -> B::Values {
        let records = self.first.transform(x.clone());
        self.second.decision_function(&records)
    }
}

impl<F: Scalar, A, B: ProbabilisticClassifier<F>> ProbabilisticClassifier<F> for Chain<A, B>
where
    A: Transformer<Array2<F>, Array2<F>>,
{
    fn predict_probabilities(&self, x: &Array2<F>) -> Array2<F> {
        let records = self.first.transform(x.clone());
        self.second.predict_probabilities(&records)
    }
}

impl<F: Scalar, A: LinearFunctions<F>, B: LinearFunctions<F>> LinearFunctions<F> for Chain<A, B> {
    /// Returns the linear functions of the second method, composed with those of the first.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        let (inner, inner_offsets) = self.first.linear_functions();
        let (outer, outer_offsets) = self.second.linear_functions();
        (inner.dot(&outer), inner_offsets.dot(&outer) + outer_offsets)
    }
}

impl<F: Scalar, A: LinearFunctions<F>, B: Expand<F>> Expand<F> for Chain<A, B> {
    type Expanded = B::Expanded;

    fn expanded(&self) -> B::Expanded {
        self.second.expanded()
    }
}

/// A chain is fitted on coordinates alone: the records of the second method are known only when the first is fitted.
impl<F, T, E, A, B> ExpansionMethod<F, T, E> for Chain<A, B>
where
    Self: LinearMethod<F, T, E, Object: Expand<F>>,
    E: std::error::Error + From<linfa::Error>,
{
}
