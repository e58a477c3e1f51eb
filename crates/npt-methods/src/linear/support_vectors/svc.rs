//! Support vector classification.

use super::{
    labels::{SvcKind, SvcLabel},
    multiclass::{MulticlassSvcValidParams, Strategy},
    plane::{Plane, plane_model, side_model},
    scaled_penalty,
    solver::{self, Inputs, Problem, Solution},
};
use crate::{
    Error,
    error::{require, require_positive},
    linear::parameters,
    weights::Weights,
};
use linfa::{DatasetBase, ParamGuard, dataset::AsSingleTargets, traits::Fit};
use ndarray::{Array1, ArrayBase, ArrayView1, Data, Ix2};
use npt_core::{
    CrossValidator, Dual, DualForm, ExpansionMethod, InnerProducts, Scalar, catalogue::Range,
};

parameters! {
    Svc: SvcParams, SvcValidParams;
    default {
        /// The penalties are multiplied by (n₊ + n₋)/(2n₊) and (n₊ + n₋)/(2n₋), with n₊ and n₋ samples, counted by weight. For
        /// more classes see [`MulticlassSvcParams::balanced`](super::MulticlassSvcParams::balanced).
        balanced: bool = false, Range::Boolean, "Whether both classes count as much.";
        /// The tolerance must be > 0. The default is LIBSVM's. The solver also ends where rounding leaves no less.
        tolerance: f64 = 1e-3, Range::Positive, "The largest violation of the optimality conditions at which the solver stops, in units of the margin.";
        strategy: Strategy = Strategy::OneAgainstOne, Range::Word(Strategy::WORDS), "For labels other than `bool`, the way in which classifiers of two classes make one of many.";
    }
    held {
        c: f64 = 1.0, Range::Positive, "The penalty C of margin violations, for both classes unless each has its own.";
    }
    held_optional {
        class_c: Vec<f64>, Range::Positives, "The penalties of two classes, of the positive one (the second, or `true`) and of the negative one, in the place of c.";
    }
    check check_penalties;
}

impl SvcValidParams {
    fn check_penalties(&self) -> Result<(), Error> {
        if let Some(of_classes) = &self.class_c {
            let count = of_classes.len();
            let allowed = "two numbers: of the positive class, and of the negative";
            require(count == 2, "Svc", "class_c", count as f64, allowed)?;
        }
        self.penalties()
            .into_iter()
            .try_for_each(|(parameter, value)| require_positive("Svc", parameter, value))
    }

    /// Returns the penalties of the positive and the negative class, with the names under which they were set.
    pub(super) fn penalties(&self) -> [(&'static str, f64); 2] {
        let (positive, negative) = match self.class_c.as_deref() {
            Some(&[positive, negative]) => (positive, negative),
            _ => (self.c, self.c),
        };
        // By bits, so that NaN is the same as NaN.
        let names = if positive.to_bits() == negative.to_bits() {
            ["c"; 2]
        } else {
            ["class_c (positive)", "class_c (negative)"]
        };
        [(names[0], positive), (names[1], negative)]
    }
}

impl SvcValidParams {
    /// Returns the factors of the penalties, for a positive and a negative class of these weights.
    pub(super) fn factors(&self, of_classes: [f64; 2]) -> [f64; 2] {
        if self.balanced {
            balancing_factors(of_classes)
        } else {
            [1.0; 2]
        }
    }
}

/// Returns the factors with which each of two classes of these weights has half the total weight.
pub(super) fn balancing_factors(of_classes: [f64; 2]) -> [f64; 2] {
    let half: f64 = of_classes.iter().map(|of_class| of_class / 2.0).sum();
    of_classes.map(|of_class| half / of_class)
}

impl SvcParams {
    /// Sets the penalty C > 0 of margin violations, 1 by default, for both classes.
    pub fn c(mut self, c: f64) -> Self {
        (self.0.c, self.0.class_c) = (c, None);
        self
    }

    /// Sets separate penalties for the positive (`true`) and the negative class. For labels other than `bool` they have to be the same.
    pub fn class_c(mut self, positive: f64, negative: f64) -> Self {
        (self.0.c, self.0.class_c) = (SvcValidParams::new().c, Some(vec![positive, negative]));
        self
    }
}

/// Support vector classification of two sides. Its parameters serve any number of classes, except in blocks.
///
/// # Labels
/// The model depends on the labels ([`SvcLabel`]). Labels of type `bool` give an `Svc`, one plane and a bias, for which
/// `true` is the positive side. All other labels, of two classes or more, give a [`MulticlassSvc`](super::MulticlassSvc), for which
/// the first class of a pair is the positive side. Classes that come in blocks are for
/// [`MulticlassSvcParams::fit_blocks`](super::MulticlassSvcParams::fit_blocks).
///
/// # Definition
/// With yᵢ = 1 for `true` and −1 for `false`, w and b minimise ½‖w‖² + Σ Cᵢ max(0, 1 − yᵢ(wᵀxᵢ + b)).
/// With sample weights sᵢ, as a dataset of linfa's may have them, Cᵢ is multiplied by sᵢ: a weight of 2 is a sample twice.
/// [`balanced`](SvcParams::balanced) makes a rare class count as much as the other.
/// `predict` is `true` where wᵀx + b ≥ 0, `transform` gives the values wᵀx + b. More samples than fit in memory are for
/// [`fit_blocks`](SvcParams::fit_blocks).
///
/// # Errors
/// [`Error::Classes`] unless both sides, or two classes, occur, with a weight above 0; [`npt_core::Error::Weight`],
/// [`npt_core::Error::NoWeight`] if all weights are 0, [`Error::Parameter`], [`Error::NotConverged`],
/// [`Error::Overflow`], [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_methods::linear::Svc;
///
/// // The margin lies between 1 and 3: w = 1, b = −2.
/// let data = Dataset::new(array![[0.0], [1.0], [3.0], [9.0]], array![false, false, true, true]);
/// let svc = Svc::params().c(10.0).tolerance(1e-9).fit(&data)?;
/// assert!((svc.weights()[0] - 1.0_f64).abs() < 1e-9 && (svc.bias() + 2.0).abs() < 1e-9);
/// assert_eq!(&svc.predict(&data), data.targets());
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// C. Cortes, V. Vapnik, "Support-Vector Networks", Machine Learning 20(3), 1995.
/// doi:10.1007/BF00994018
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Svc<F> {
    pub(super) plane: Plane<F>,
}

impl Svc<f64> {
    /// Parameters with C = 1 for both classes and tolerance 10⁻³.
    pub fn params() -> SvcParams {
        SvcParams(SvcValidParams::new())
    }
}

plane_model!(
    Svc,
    "The signed dual coefficients yᵢαᵢ with w = Σ yᵢαᵢxᵢ, one a training sample; 0 for all that are \
     no support vectors."
);
side_model!(Svc);

impl<F: Scalar> Svc<F> {
    /// The numbers of the [`support`](Self::support) vectors that are `false`, and that are `true`.
    pub fn support_counts(&self) -> [usize; 2] {
        let of_side = |side: F| {
            self.plane
                .dual
                .iter()
                .filter(|&&v| v * side > F::zero())
                .count()
        };
        [of_side(-F::one()), of_side(F::one())]
    }
}

/// The model that parameters give when they are fitted to labels `L`.
type ModelOf<L, F> = <<L as SvcLabel>::Kind as SvcKind<L>>::Model<F>;

impl<F: Scalar, L: SvcLabel, T: AsSingleTargets<Elem = L>> ExpansionMethod<F, T, Error>
    for SvcParams
{
    fn dual_form(&self) -> Option<&dyn DualForm<F, T, Error, Expanded = ModelOf<L, F>>> {
        Some(self)
    }

    fn has_cross_validator() -> bool {
        L::Kind::has_cross_validator()
    }

    fn cross_validator<'a>(
        methods: &[Self],
        products: &'a dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Box<dyn CrossValidator<ModelOf<L, F>, F, Error> + 'a>>, Error> {
        let methods = methods.iter().map(|m| m.check_ref().cloned()).collect();
        L::Kind::cross_validator(methods, products, targets, weights)
    }
}

impl<F: Scalar, L: SvcLabel, T: AsSingleTargets<Elem = L>> DualForm<F, T, Error> for SvcParams {
    type Expanded = ModelOf<L, F>;

    fn ignores_shift(&self) -> bool {
        true
    }

    fn fit_dual(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Dual<ModelOf<L, F>, F>>, Error> {
        L::Kind::fit_dual(self.check_ref()?, products, targets, weights).map(Some)
    }

    fn foresee(&self, targets: &T, weights: Option<ArrayView1<'_, f32>>) -> Result<(), Error> {
        L::Kind::foresee::<F, T>(self.check_ref()?, targets, weights)
    }

    fn fit_on_products(
        &self,
        products: &dyn InnerProducts<F>,
        targets: &T,
        weights: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<(ModelOf<L, F>, Vec<usize>)>, Error> {
        L::Kind::fit_on_products(self.check_ref()?, products, targets, weights)
    }
}

impl<F, L, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for SvcValidParams
where
    F: Scalar,
    L: SvcLabel,
    D: Data<Elem = F>,
    T: AsSingleTargets<Elem = L>,
{
    type Object = ModelOf<L, F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<ModelOf<L, F>, Error> {
        L::Kind::fit(self, dataset)
    }
}

/// Returns 1 for `true` and −1 for `false`, if both occur.
pub(super) fn signs<T: AsSingleTargets<Elem = bool>>(targets: &T) -> Result<Vec<f64>, Error> {
    let labels = targets.as_single_targets();
    if labels.iter().all(|label| label == &labels[0]) {
        return Err(Error::Classes { found: 1 });
    }
    let sign = |&label: &bool| if label { 1.0 } else { -1.0 };
    Ok(labels.iter().map(sign).collect())
}

/// Returns the signs of samples with positive weight, times the weights. Both classes must occur among these samples.
pub(super) fn weighed_signs<F: Scalar, T: AsSingleTargets<Elem = bool>>(
    targets: &T,
    weights: &Weights<F>,
) -> Result<Vec<f64>, Error> {
    let mut signs = weights.select(Array1::from(signs(targets)?)).to_vec();
    if let Some(weights) = weights.given() {
        weigh(&mut signs, weights.iter().map(|w| w.as_f64()))?;
    }
    Ok(signs)
}

/// Returns 1, −1, or 0.
fn sign(y: f64) -> f64 {
    if y == 0.0 { 0.0 } else { y.signum() }
}

/// Multiplies the signs by weights. Both classes must still have a positive weight.
pub(super) fn weigh(signs: &mut [f64], weights: impl Iterator<Item = f64>) -> Result<(), Error> {
    signs.iter_mut().zip(weights).for_each(|(y, w)| *y *= w);
    let there = |of_sign: f64| usize::from(signs.iter().any(|y| y * of_sign > 0.0));
    match there(1.0) + there(-1.0) {
        2 => Ok(()),
        found => Err(Error::Classes { found }),
    }
}

impl SvcValidParams {
    /// Returns the parameters for several classes, which have one penalty.
    pub(super) fn of_classes(&self) -> Result<MulticlassSvcValidParams, Error> {
        let [(parameter, c), (_, negative)] = self.penalties();
        let allowed = "the same as class_c (negative), unless the labels are bool";
        require(
            c.to_bits() == negative.to_bits(),
            "Svc",
            parameter,
            c,
            allowed,
        )?;
        Ok(MulticlassSvcValidParams {
            c,
            tolerance: self.tolerance,
            strategy: self.strategy,
            balanced: self.balanced,
        })
    }

    /// Solves for samples with positive weight; the targets are those of all samples.
    pub(super) fn solve<F: Scalar, T: AsSingleTargets<Elem = bool>>(
        &self,
        inputs: &Inputs<'_>,
        targets: &T,
        weights: &Weights<F>,
    ) -> Result<Svc<F>, Error> {
        self.separate(inputs, &weighed_signs(targets, weights)?)
    }

    /// Separates samples by their signs yᵢ, which are of both classes, times weights if there are any.
    pub(super) fn separate<F: Scalar>(
        &self,
        inputs: &Inputs<'_>,
        signs: &[f64],
    ) -> Result<Svc<F>, Error> {
        let problem = self.problem(inputs, signs)?;
        let solution = solver::minimise(inputs, &problem, self.tolerance, "Svc")
            .map_err(solver::in_units::<F>(1.0))?;
        let plane = Plane::new("Svc", inputs, &solution.scores.dual, solution.levels[0])?;
        Ok(Svc { plane })
    }

    /// Makes the problem of signs yᵢ of both classes, times weights if there are any, and 0 for samples that are left out.
    pub(super) fn problem(&self, inputs: &Inputs<'_>, signs: &[f64]) -> Result<Problem, Error> {
        let [positive, negative] = self
            .penalties()
            .map(|(parameter, c)| scaled_penalty(inputs, "Svc", parameter, c));
        let of_sides = [1.0, -1.0].map(|side| signs.iter().map(|y| (side * y).max(0.0)).sum());
        let factors = self.factors(of_sides);
        let (positive, negative) = (positive? * factors[0], negative? * factors[1]);
        self.require_bounds(signs, [positive, negative])?;
        // max Σ αᵢ − ½ Σ αᵢαⱼyᵢyⱼ⟨xᵢ, xⱼ⟩ with βᵢ = yᵢαᵢ
        Ok(Problem {
            samples: signs.len(),
            linear: signs.iter().map(|y| -sign(*y)).collect(),
            lower: signs.iter().map(|y| y.min(0.0) * negative).collect(),
            upper: signs.iter().map(|y| y.max(0.0) * positive).collect(),
            group: vec![0; signs.len()],
            groups: 1,
            start: vec![0.0; signs.len()],
            scores: None,
        })
    }

    /// Refuses weights that take a penalty out of the range of `f64`.
    fn require_bounds(&self, signs: &[f64], scaled: [f64; 2]) -> Result<(), Error> {
        for &y in signs {
            let side = usize::from(y < 0.0);
            let bound = y.abs() * scaled[side];
            let (parameter, value) = self.penalties()[side];
            let allowed = "neither too large nor too small for the sample weights and the squared size of \
                           the records: scale one of them";
            let holds = y == 0.0 || bound.is_normal();
            require(holds, "Svc", parameter, value, allowed)?;
        }
        Ok(())
    }

    /// Lets a problem begin at the solution with the penalties of `of_other`, times the ratio of the
    /// penalties. This needs the same ratio for both classes: then the sum stays 0, and variables at a bound stay there.
    pub(super) fn begin_at(
        &self,
        of_other: &Self,
        solution: &Solution,
        inputs: &Inputs<'_>,
        problem: &mut Problem,
    ) {
        let penalties = [self, of_other].map(|m| m.penalties().map(|(_, c)| c));
        let ratios = penalties.map(|[positive, negative]| positive / negative);
        let ratio = penalties[0][0] / penalties[1][0];
        if self.balanced != of_other.balanced
            || ratios[0] != ratios[1]
            || !ratios[0].is_normal()
            || !ratio.is_normal()
        {
            return;
        }
        let bounds = problem.lower.iter().zip(&problem.upper);
        let scaled = solution
            .scores
            .dual
            .iter()
            .zip(bounds)
            .map(|(&value, (&lower, &upper))| {
                let (value, bound) = (value * ratio, lower + upper);
                let at_bound = (value - bound).abs() <= 4.0 * f64::EPSILON * bound.abs();
                if at_bound { bound } else { value }
            });
        problem.start = scaled.collect();
        let scores = solution.scores.scaled(ratio, problem.start.clone(), inputs);
        problem.scores = Some(scores);
    }

    pub(super) fn tolerance(&self) -> f64 {
        self.tolerance
    }
}

npt_core::checked! { Svc<F> { plane: Plane<F> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> Svc<F> {
    fn check_parts(&self) -> Result<(), String> {
        self.plane.check_parts_of::<Self>()
    }
}
