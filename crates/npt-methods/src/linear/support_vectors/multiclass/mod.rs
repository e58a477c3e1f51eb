//! Support vector classification of any number of classes.

mod machines;
mod support;

pub(super) use machines::{Machine, each_pair, members, pairs};

use super::{require_positive, solver::Training};
use crate::{
    Error,
    linear::{Weights, classifier, guarded_params, weighed_records},
};
use linfa::{
    DatasetBase, Label, ParamGuard,
    dataset::AsSingleTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Data, Ix2};
use npt_core::{
    Dual, DualForm, FoldBack, FoldableMethod, InnerProducts, LinearFunctions, Scalar, linalg,
};
use support::Support;

guarded_params!(MulticlassSvcParams, MulticlassSvcValidParams);

/// How classifiers of two classes make one of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Strategy {
    /// A classifier for each pair of classes, which votes for one of them. The class with most
    /// votes wins; of several, the one with the largest sum of its decision values; of several
    /// still, the first.
    #[default]
    OneAgainstOne,
    /// A classifier for each class, against all others. The class with the largest decision value
    /// wins; of several, the first.
    OneAgainstRest,
}

/// Parameters of [`MulticlassSvc`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MulticlassSvcValidParams {
    pub(super) c: f64,
    pub(super) tolerance: f64,
    pub(super) strategy: Strategy,
    pub(super) balanced: bool,
}

impl MulticlassSvcValidParams {
    fn validate(&self) -> Result<(), Error> {
        require_positive("MulticlassSvc", "c", self.c)?;
        require_positive("MulticlassSvc", "tolerance", self.tolerance)
    }
}

impl MulticlassSvcParams {
    /// The penalty C > 0 of margin violations, 1 by default.
    pub fn c(mut self, c: f64) -> Self {
        self.0.c = c;
        self
    }

    /// Whether all classes count as much: in each pair, the penalty of a class is times n/(kn_c), with n_c of all n samples of
    /// k classes, or sums of sample weights. Of one class against the rest, each side is one class. False by default.
    pub fn balanced(mut self, balanced: bool) -> Self {
        self.0.balanced = balanced;
        self
    }

    /// See [`SvcParams::tolerance`](super::SvcParams::tolerance); 10⁻³ by default.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.0.tolerance = tolerance;
        self
    }

    /// One classifier a pair of classes (the default), or one a class.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.0.strategy = strategy;
        self
    }
}

/// Support vector classification of any number of classes, by several [`Svc`](crate::linear::Svc).
///
/// # Definition
/// Each of the functions wᵀx + b is that of a [`Svc`](crate::linear::Svc): one a pair of classes, trained on these two
/// and positive for the first, or one a class, trained on all and positive for that class. How
/// they decide is documented at [`Strategy`]. Sample weights are those of [`Svc`](crate::linear::Svc). More samples than
/// fit in memory are for [`fit_blocks`](MulticlassSvcParams::fit_blocks).
///
/// # Errors
/// [`Error::Classes`] for fewer than two classes, all others as [`Svc`](crate::linear::Svc).
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict, Transformer}};
/// use ndarray::array;
/// use npt_methods::linear::{MulticlassSvc, Strategy};
///
/// let data = Dataset::new(array![[0.0], [2.0], [6.0]], array!["a", "b", "c"]);
/// let pairs = MulticlassSvc::params().c(10.0).tolerance(1e-9).fit(&data)?;
/// assert_eq!(&pairs.predict(&data), data.targets());
/// // a against b at 1, a against c at 3, b against c at 4; each pair at ±1
/// let values = pairs.transform(array![[1.0]]);
/// let expected = array![[0.0, 2.0 / 3.0, 1.5]];
/// assert!((values - expected).iter().all(|d: &f64| d.abs() < 1e-8));
///
/// let each = MulticlassSvc::params().strategy(Strategy::OneAgainstRest).fit(&data)?;
/// assert_eq!(each.transform(array![[1.0]]).dim(), (1, 3));
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// C.-W. Hsu, C.-J. Lin, "A Comparison of Methods for Multiclass Support Vector Machines", IEEE
/// Transactions on Neural Networks 13(2), 2002. doi:10.1109/72.991427
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MulticlassSvc<F, L> {
    classes: Vec<L>,
    strategy: Strategy,
    /// One column a function.
    weights: Array2<F>,
    biases: Array1<F>,
    support: Option<Support>,
}

impl MulticlassSvc<f64, ()> {
    /// C = 1, one classifier a pair of classes, tolerance 10⁻³.
    pub fn params() -> MulticlassSvcParams {
        MulticlassSvcParams(MulticlassSvcValidParams {
            c: 1.0,
            tolerance: 1e-3,
            strategy: Strategy::default(),
            balanced: false,
        })
    }
}

impl<F: Scalar, L> MulticlassSvc<F, L> {
    /// The classes, ascending.
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// The pairs of classes, by their positions in [`classes`](Self::classes), in the order of the
    /// functions: (0, 1), (0, 2), … (1, 2), …; none with one function a class.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        match self.strategy {
            Strategy::OneAgainstOne => pairs(self.classes.len()),
            Strategy::OneAgainstRest => Vec::new(),
        }
    }

    /// The support vectors of any of the functions, by their positions among the training samples, ascending; `None` of
    /// samples that came in blocks. The dual coefficients of each machine at these are those of the expansion of a
    /// [`KernelMulticlassSvc`](crate::KernelMulticlassSvc); a linear model keeps its weights alone.
    pub fn support(&self) -> Option<&[usize]> {
        self.support.as_ref().map(|support| &support.rows[..])
    }

    /// How many of these each of the [`classes`](Self::classes) has.
    pub fn support_counts(&self) -> Option<&[usize]> {
        self.support.as_ref().map(|support| &support.counts[..])
    }

    /// The weights, shape (features, functions).
    pub fn weights(&self) -> ArrayView2<'_, F> {
        self.weights.view()
    }

    /// The biases, one a function.
    pub fn biases(&self) -> ArrayView1<'_, F> {
        self.biases.view()
    }

    /// The values wᵀx + b, shape (rows of x, functions).
    pub fn decision_function<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        linalg::product(x.view(), self.weights.view()) + &self.biases
    }

    /// The position of the class that the values of the functions decide for.
    fn decide(&self, values: ArrayView1<'_, F>) -> usize {
        let nothing = (0, F::zero());
        let mut optimality = vec![nothing; self.classes.len()];
        match self.strategy {
            Strategy::OneAgainstOne => {
                for ((a, b), &value) in pairs(self.classes.len()).into_iter().zip(values) {
                    optimality[if value >= F::zero() { a } else { b }].0 += 1;
                    optimality[a].1 += value;
                    optimality[b].1 -= value;
                }
            }
            Strategy::OneAgainstRest => {
                for (class, &value) in optimality.iter_mut().zip(values) {
                    class.1 = value;
                }
            }
        }
        let mut best = 0;
        for class in 1..optimality.len() {
            if optimality[class] > optimality[best] {
                best = class;
            }
        }
        best
    }
}

impl<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>> FoldableMethod<F, T, Error>
    for MulticlassSvcParams
{
    fn dual_form(&self) -> Option<&dyn DualForm<F, T, Error, Folded = MulticlassSvc<F, L>>> {
        Some(self)
    }
}

impl<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>> DualForm<F, T, Error>
    for MulticlassSvcParams
{
    type Folded = MulticlassSvc<F, L>;

    fn ignores_shift(&self) -> bool {
        true
    }

    fn fit_dual(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Dual<MulticlassSvc<F, L>, F>>, Error> {
        let params = self.check_ref()?;
        params.fit_products(products, targets, weights).map(Some)
    }
}

impl MulticlassSvcValidParams {
    pub(super) fn fit_products<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>>(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Dual<MulticlassSvc<F, L>, F>, Error> {
        let weights = Weights::new(weights, products.samples())?;
        let members = members(targets, &weights)?;
        let training = Training::of_products(products, &weights);
        let machines = self.machines(training, &weights, &members)?;
        self.dual(members, &weights, &machines)
    }
}

impl<F, L, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for MulticlassSvcValidParams
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
    T: AsSingleTargets<Elem = L>,
{
    type Object = MulticlassSvc<F, L>;

    fn fit(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<MulticlassSvc<F, L>, Error> {
        let (x, weights) = weighed_records(dataset)?;
        let members = members(dataset.targets(), &weights)?;
        let machines = self.machines(Training::Rows(x.view()), &weights, &members)?;
        Ok(self.model(members, &weights, x.ncols(), &machines))
    }
}

impl<F, L, D> PredictInplace<ArrayBase<D, Ix2>, Array1<L>> for MulticlassSvc<F, L>
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<L>) {
        for (values, label) in self.decision_function(x).outer_iter().zip(y) {
            *label = self.classes[self.decide(values)].clone();
        }
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<L> {
        Array1::from_elem(x.nrows(), L::default())
    }
}

/// The decision values.
impl<F: Scalar, L, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>>
    for MulticlassSvc<F, L>
{
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        self.decision_function(&x)
    }
}

impl<F: Scalar, L> LinearFunctions<F> for MulticlassSvc<F, L> {
    /// The decision values.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        (self.weights.clone(), self.biases.clone())
    }
}

classifier!(MulticlassSvc);

impl<F: Scalar, L: Clone> FoldBack<F> for MulticlassSvc<F, L> {
    type Folded = Self;

    fn folded(&self) -> Self {
        Self {
            weights: Array2::eye(self.biases.len()),
            biases: Array1::zeros(self.biases.len()),
            ..self.clone()
        }
    }
}

npt_core::checked! {
    MulticlassSvc<F, L> {
        classes: Vec<L>,
        strategy: Strategy,
        weights: Array2<F>,
        biases: Array1<F>,
        support: Option<Support>,
    }
    where F: Scalar, L: Ord
}

#[cfg(feature = "serde")]
impl<F: Scalar, L: Ord> MulticlassSvc<F, L> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, method};
        let ((features, planes), classes) = (self.weights.dim(), self.classes.len());
        crate::parts::check_classes(&self.classes)?;
        crate::parts::check_functions(&self.weights, &self.biases)?;
        match self.strategy {
            Strategy::OneAgainstOne => {
                let pairs = classes.saturating_mul(classes - 1) / 2;
                agree("planes", planes, "pairs of classes", pairs)?;
            }
            Strategy::OneAgainstRest => agree("planes", planes, "classes", classes)?,
        }
        if let Some(Support { counts, rows }) = &self.support {
            agree(
                "counts of support vectors",
                counts.len(),
                "classes",
                classes,
            )?;
            let all = counts
                .iter()
                .try_fold(0_usize, |sum, &count| sum.checked_add(count));
            let counted = all.ok_or("there cannot be so many support vectors")?;
            agree(
                "counted support vectors",
                counted,
                "that are named",
                rows.len(),
            )?;
        }
        method::takes::<Self>(features);
        Ok(())
    }
}
