//! Support vector classification with probabilities.

use super::{
    coupling::{SMALLEST, couple},
    multiclass::{
        Machine, MulticlassSvc, MulticlassSvcValidParams, Numbers, Strategy, each_pair, members,
    },
    platt::{Sigmoid, Weighed},
    solver::Training,
};
use crate::{
    Error,
    linear::{classifier, parameters},
    weights::{Weights, weighed_records},
};
use linfa::{
    DatasetBase, Label, ParamGuard,
    dataset::AsSingleTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Data, Ix2};
use npt_core::{
    Dual, DualForm, Expand, ExpansionMethod, InnerProducts, LinearFunctions,
    ProbabilisticClassifier, Scalar, catalogue::Range,
};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256Plus;
use std::collections::BTreeMap;

parameters! {
    CalibratedSvc: CalibratedSvcParams, CalibratedSvcValidParams;
    default {
        /// The penalty must be > 0.
        c: f64 = 1.0, Range::Positive, "The penalty C of margin violations.";
        /// See [`MulticlassSvcParams::balanced`](super::MulticlassSvcParams::balanced). The probabilities are those of samples as they
        /// come, balanced or not.
        balanced: bool = false, Range::Boolean, "Whether all classes count as much.";
        /// The tolerance must be > 0. See [`SvcParams::tolerance`](super::SvcParams::tolerance).
        tolerance: f64 = 1e-3, Range::Positive, "The largest violation of the optimality conditions at which the solver stops, in units of the margin.";
        /// The number must be at least 2.
        folds: usize = 5, Range::AtLeast(2), "The number of folds of the cross-validation.";
        seed: u64 = 0, Range::AtLeast(0), "The seed of the folds.";
    }
}

/// Support vector classification of two or more classes with probabilities: a sigmoid for the
/// decision values of each pair of classes, and their coupling.
///
/// # Definition
/// Each function f of a [`MulticlassSvc`], one per pair of classes (i, j), becomes a probability
/// rᵢⱼ = 1/(1 + exp(A f + B)). A and B have the largest likelihood on values of f for samples that f was
/// not trained with. These values come from cross-validation, with the members of each class dealt to the folds in
/// random order. The probabilities pᵢ minimise Σ (rⱼᵢpᵢ − rᵢⱼpⱼ)² over Σ pᵢ = 1; with more than two
/// classes, each rᵢⱼ is kept 10⁻⁷ from 0 and 1. `predict` gives the class of the largest probability, the first of equal ones.
/// That may differ from what the decision values alone say; `transform` gives the decision values.
///
/// Sample weights are those of [`Svc`](super::Svc), and factors of the logarithms of the likelihood. A sample is in one
/// fold, whatever it weighs.
///
/// # Errors
/// [`Error::ClassMembers`] for a class with fewer members than folds, [`Error::Classes`] for fewer
/// than two classes, and all other errors of [`Svc`](super::Svc).
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::{Array2, array};
/// use npt_methods::linear::CalibratedSvc;
///
/// // At 4 and 5 the classes overlap, symmetrically.
/// let x = Array2::from_shape_fn((10, 1), |(i, _)| i as f64);
/// let labels = array![false, false, false, false, true, false, true, true, true, true];
/// let model = CalibratedSvc::params().folds(2).fit(&Dataset::new(x, labels))?;
/// let p = model.predict_probabilities(&array![[0.0], [9.0]]);
/// assert!(p[[0, 0]] > 0.7 && p[[1, 1]] > 0.7);
/// assert!((p.sum() - 2.0_f64).abs() < 1e-15);
/// assert_eq!(model.predict(&array![[0.0], [9.0]]), array![false, true]);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// H.-T. Lin, C.-J. Lin, R. Weng, "A Note on Platt's Probabilistic Outputs for Support Vector
/// Machines", Machine Learning 68(3), 2007. doi:10.1007/s10994-007-5018-6
///
/// T.-F. Wu, C.-J. Lin, R. Weng, "Probability Estimates for Multi-class Classification by Pairwise
/// Coupling", JMLR 5, 2004.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CalibratedSvc<F, L> {
    svc: MulticlassSvc<F, L>,
    /// The sigmoids, one per pair.
    sigmoids: Vec<Sigmoid>,
}

impl CalibratedSvc<f64, ()> {
    /// The least probability of one class of a pair, where there are more than two classes. The other class of the pair has
    /// at most what this leaves of 1.
    pub const SMALLEST_PROBABILITY: f64 = SMALLEST;

    /// Parameters with C = 1, tolerance 10⁻³, 5 folds and seed 0.
    pub fn params() -> CalibratedSvcParams {
        CalibratedSvcParams(CalibratedSvcValidParams::new())
    }
}

impl<F: Scalar, L> CalibratedSvc<F, L> {
    /// The classes, ascending: the columns of the probabilities.
    pub fn classes(&self) -> &[L] {
        self.svc.classes()
    }

    /// Returns the classes, and this classifier with the positions of the classes as labels.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Fit};
    /// use ndarray::array;
    /// use npt_methods::linear::CalibratedSvc;
    ///
    /// let x = array![[0.0], [1.0], [4.0], [5.0]];
    /// let data = Dataset::new(x.clone(), array!["a", "a", "b", "b"]);
    /// let svc = CalibratedSvc::params().folds(2).fit(&data)?;
    /// let probabilities = svc.predict_probabilities(&x);
    /// let (classes, by_position) = svc.by_position();
    /// assert_eq!((classes, by_position.classes()), (vec!["a", "b"], [0, 1].as_slice()));
    /// assert_eq!(by_position.predict_probabilities(&x), probabilities);
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn by_position(self) -> (Vec<L>, CalibratedSvc<F, usize>) {
        let sigmoids = self.sigmoids;
        let (classes, svc) = self.svc.by_position();
        (classes, CalibratedSvc { svc, sigmoids })
    }

    /// The classifier under the probabilities.
    pub fn svc(&self) -> &MulticlassSvc<F, L> {
        &self.svc
    }

    /// A and B of the sigmoids, one row per pair of classes, in the order of the decision values; shape (pairs, 2).
    pub fn sigmoids(&self) -> Array2<f64> {
        let coefficients: Vec<[f64; 2]> = self.sigmoids.iter().map(|s| s.coefficients()).collect();
        coefficients.into()
    }

    /// The decision values, one per pair of classes: those of the [`svc`](Self::svc).
    pub fn decision_function<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        self.svc.decision_function(x)
    }

    /// The probabilities of the [`classes`](Self::classes), shape (rows of x, classes). They are NaN where a decision value is:
    /// where x is not finite, or so far out of the range of the training records that the value overflows.
    pub fn predict_probabilities<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        let (sigmoids, classes) = (&self.sigmoids, self.classes().len());
        let coupled = |values: ArrayView1<'_, F>| {
            let of_pairs = values.iter().zip(sigmoids);
            let of_pairs: Vec<f64> = of_pairs
                .map(|(value, sigmoid)| sigmoid.probability(value.as_f64()))
                .collect();
            // A matrix of NaN has no factor.
            couple(classes, &of_pairs).ok()
        };
        let mut probabilities = Array2::from_elem((x.nrows(), classes), F::nan());
        let found = self.svc.functions().at_each(x.view(), coupled);
        for (coupled, mut p) in found.into_iter().zip(probabilities.outer_iter_mut()) {
            if let Some(coupled) = coupled {
                p.assign(&coupled.mapv(F::cast));
            }
        }
        probabilities
    }
}

impl<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>> ExpansionMethod<F, T, Error>
    for CalibratedSvcParams
{
    fn dual_form(&self) -> Option<&dyn DualForm<F, T, Error, Expanded = CalibratedSvc<F, L>>> {
        Some(self)
    }
}

impl<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>> DualForm<F, T, Error>
    for CalibratedSvcParams
{
    type Expanded = CalibratedSvc<F, L>;

    fn ignores_shift(&self) -> bool {
        true
    }

    fn fit_dual(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Dual<CalibratedSvc<F, L>, F>>, Error> {
        let params = self.check_ref()?;
        let weights = Weights::new(weights, products.samples())?;
        let members = members(targets, &weights)?;
        let (svc, room) = (params.svc(), Numbers::Dual(weights.count()));
        svc.require_room::<F>(room, members.len())?;
        let training = Training::of_products(products, &weights);
        let sigmoids = params.sigmoids(training, &weights, &members)?;
        let dual = svc.dual(training, &weights, members)?;
        Ok(Some(Dual {
            method: CalibratedSvc {
                svc: dual.method,
                sigmoids,
            },
            coefficients: dual.coefficients,
            offsets: dual.offsets,
        }))
    }

    fn foresee(&self, targets: &T, weights: Option<ArrayView1<'_, f32>>) -> Result<(), Error> {
        self.check_ref()?.svc().foresee::<F, L, T>(targets, weights)
    }

    fn fit_on_products(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<(CalibratedSvc<F, L>, Vec<usize>)>, Error> {
        let params = self.check_ref()?;
        let weights = Weights::new(weights, products.samples())?;
        let members = members(targets, &weights)?;
        let (svc, room) = (params.svc(), Numbers::Dual(weights.count()));
        if !svc.is_of_own(members.len()) {
            return Ok(None);
        }
        svc.require_room::<F>(room, members.len())?;
        let training = Training::of_products(products, &weights);
        let sigmoids = params.sigmoids(training, &weights, &members)?;
        let (svc, vectors) = svc.of_own(training, &weights, members)?;
        Ok(Some((CalibratedSvc { svc, sigmoids }, vectors)))
    }
}

impl<F, L, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for CalibratedSvcValidParams
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
    T: AsSingleTargets<Elem = L>,
{
    type Object = CalibratedSvc<F, L>;

    fn fit(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<CalibratedSvc<F, L>, Error> {
        let (x, weights) = weighed_records(dataset)?;
        let members = members(dataset.targets(), &weights)?;
        let (svc, room) = (self.svc(), Numbers::Weights(x.ncols()));
        svc.require_room::<F>(room, members.len())?;
        let training = Training::Rows(x.view());
        let sigmoids = self.sigmoids(training, &weights, &members)?;
        let svc = svc.model(x.view(), &weights, members)?;
        Ok(CalibratedSvc { svc, sigmoids })
    }
}

impl CalibratedSvcValidParams {
    /// Returns the parameters of the classifier under the probabilities.
    fn svc(&self) -> MulticlassSvcValidParams {
        MulticlassSvcValidParams {
            c: self.c,
            balanced: self.balanced,
            tolerance: self.tolerance,
            strategy: Strategy::OneAgainstOne,
        }
    }

    /// Fits the sigmoids, one per pair of classes.
    fn sigmoids<F: Scalar, L: Label>(
        &self,
        training: Training<'_, F>,
        weights: &Weights<F>,
        members: &BTreeMap<L, Vec<usize>>,
    ) -> Result<Vec<Sigmoid>, Error> {
        let smallest = members.values().map(Vec::len).min().unwrap_or(0);
        if smallest < self.folds {
            return Err(Error::ClassMembers {
                members: smallest,
                folds: self.folds,
            });
        }
        let mut rng = Xoshiro256Plus::seed_from_u64(self.seed);
        let mut shuffled: Vec<Vec<usize>> = members.values().cloned().collect();
        for rows in &mut shuffled {
            rows.shuffle(&mut rng);
        }
        let sigmoid = |(a, b): (usize, usize)| {
            let two = (&shuffled[a][..], &shuffled[b][..]);
            let of_pair = weights.sum_of(two.0) + weights.sum_of(two.1);
            let c = self.svc().c_of_pair(of_pair, weights.sum(), shuffled.len());
            self.sigmoid(training, weights, c, two)
        };
        let mut sigmoids = Vec::new();
        each_pair("sigmoids", shuffled.len(), sigmoid, |_, sigmoid| {
            sigmoids.push(sigmoid);
        })?;
        Ok(sigmoids)
    }

    /// Fits a sigmoid to the values that classifiers of the other folds give each fold.
    fn sigmoid<F: Scalar>(
        &self,
        training: Training<'_, F>,
        weights: &Weights<F>,
        c: f64,
        (first, second): (&[usize], &[usize]),
    ) -> Result<Sigmoid, Error> {
        let (mut of_first, mut of_second) = (Vec::new(), Vec::new());
        for fold in 0..self.folds {
            let divide = |rows: &[usize]| -> (Vec<usize>, Vec<usize>) {
                let numbered = rows.iter().copied().enumerate();
                let (held, kept): (Vec<_>, Vec<_>) =
                    numbered.partition(|(number, _)| number % self.folds == fold);
                let rows = |numbered: Vec<(usize, usize)>| numbered.into_iter().map(|(_, row)| row);
                (rows(held).collect(), rows(kept).collect())
            };
            let ((held_first, kept_first), (held_second, kept_second)) =
                (divide(first), divide(second));
            let kept = (&kept_first[..], &kept_second[..]);
            let machine = self.svc().one_against_one(training, weights, c, kept)?;
            let Machine { rows, svc } = machine;
            for (held, values) in [(held_first, &mut of_first), (held_second, &mut of_second)] {
                let found = training.values(&rows, svc.dual(), &held)?;
                let weighed = found.iter().zip(held).map(|(&value, row)| Weighed {
                    value: (value + svc.bias()).as_f64(),
                    weight: weights.of(row).as_f64(),
                });
                values.extend(weighed);
            }
        }
        Ok(Sigmoid::fit(&of_first, &of_second))
    }
}

impl<F, L, D> PredictInplace<ArrayBase<D, Ix2>, Array1<L>> for CalibratedSvc<F, L>
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<L>) {
        for (p, label) in self.predict_probabilities(x).outer_iter().zip(y) {
            let mut best = 0;
            for class in 1..p.len() {
                if p[class] > p[best] {
                    best = class;
                }
            }
            *label = self.classes()[best].clone();
        }
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<L> {
        Array1::from_elem(x.nrows(), L::default())
    }
}

/// Transforms rows to the decision values.
impl<F: Scalar, L, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>>
    for CalibratedSvc<F, L>
{
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        self.decision_function(&x)
    }
}

classifier!(CalibratedSvc);

impl<F: Scalar, L> ProbabilisticClassifier<F> for CalibratedSvc<F, L> {
    fn predict_probabilities(&self, x: &Array2<F>) -> Array2<F> {
        CalibratedSvc::predict_probabilities(self, x)
    }
}

impl<F: Scalar, L> LinearFunctions<F> for CalibratedSvc<F, L> {
    /// Returns the decision values, one per pair of classes.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        self.svc.linear_functions()
    }
}

impl<F: Scalar, L: Clone> Expand<F> for CalibratedSvc<F, L> {
    type Expanded = Self;

    fn expanded(&self) -> Self {
        Self {
            svc: self.svc.expanded(),
            sigmoids: self.sigmoids.clone(),
        }
    }
}

npt_core::checked! {
    CalibratedSvc<F, L> { svc: MulticlassSvc<F, L>, sigmoids: Vec<Sigmoid> } where F: Scalar, L: Ord + 'static
}

#[cfg(feature = "serde")]
impl<F: Scalar, L: Ord + 'static> CalibratedSvc<F, L> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, method};
        let planes = self.svc.biases().len();
        let pairs = self.svc.pair_count();
        agree("planes", planes, "pairs of classes", pairs)?;
        agree("sigmoids", self.sigmoids.len(), "pairs of classes", pairs)?;
        method::takes::<Self>(self.svc.columns());
        Ok(())
    }
}
