//! Support vector classification.

use super::{
    finite,
    solver::{self, Features, Problem},
};
use crate::linear::{checked_records, guarded_params};
use crate::{Error, error::require};
use linfa::{
    DatasetBase,
    dataset::AsSingleTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, ArrayBase, ArrayView1, Data, Ix2};
use npt_core::Scalar;

guarded_params!(SvcParams, SvcValidParams);

/// Parameters of [`Svc`].
#[derive(Debug, Clone, PartialEq)]
pub struct SvcValidParams {
    c_positive: f64,
    c_negative: f64,
    tolerance: f64,
}

impl SvcValidParams {
    fn validate(&self) -> Result<(), Error> {
        for (parameter, value) in [
            ("c of the positive class", self.c_positive),
            ("c of the negative class", self.c_negative),
            ("tolerance", self.tolerance),
        ] {
            let holds = value > 0.0 && value.is_finite();
            require(holds, "Svc", parameter, value, "finite and above 0")?;
        }
        Ok(())
    }
}

impl SvcParams {
    /// The penalty C > 0 of margin violations, 1 by default, for both classes.
    pub fn c(self, c: f64) -> Self {
        self.class_c(c, c)
    }

    /// Separate penalties for the positive (`true`) and the negative class.
    pub fn class_c(mut self, positive: f64, negative: f64) -> Self {
        (self.0.c_positive, self.0.c_negative) = (positive, negative);
        self
    }

    /// The largest violation of the optimality conditions at which the solver stops, > 0,
    /// 10⁻³ by default (LIBSVM's), in units of the margin.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.0.tolerance = tolerance;
        self
    }
}

/// Support vector classification of two classes.
///
/// # Definition
/// With yᵢ = 1 for `true` and −1 for `false`, w and b minimise ½‖w‖² + Σ Cᵢ max(0, 1 − yᵢ(wᵀxᵢ + b)).
/// `predict` is `true` where wᵀx + b ≥ 0, `transform` gives the values wᵀx + b.
///
/// # Errors
/// [`Error::Classes`] unless both classes occur, [`Error::Parameter`], [`Error::NotConverged`],
/// [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_methods::linear::Svc;
///
/// // The margin lies between 1 and 3: w = 1, b = −2.
/// let data = Dataset::new(array![[0.0], [1.0], [3.0], [9.0]], array![false, false, true, true]);
/// let svc = Svc::<f64>::params().c(10.0).tolerance(1e-9).fit(&data)?;
/// assert!((svc.weights()[0] - 1.0_f64).abs() < 1e-9 && (svc.bias() + 2.0).abs() < 1e-9);
/// assert_eq!(&svc.predict(&data), data.targets());
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// C. Cortes, V. Vapnik, "Support-Vector Networks", Machine Learning 20(3), 1995.
/// doi:10.1007/BF00994018
#[derive(Debug, Clone, PartialEq)]
pub struct Svc<F> {
    dual: Array1<F>,
    weights: Array1<F>,
    bias: F,
}

impl<F> Svc<F> {
    /// C = 1 for both classes, tolerance 10⁻³.
    pub fn params() -> SvcParams {
        SvcParams(SvcValidParams {
            c_positive: 1.0,
            c_negative: 1.0,
            tolerance: 1e-3,
        })
    }
}

impl<F: Scalar> Svc<F> {
    /// The weights w, one a feature.
    pub fn weights(&self) -> ArrayView1<'_, F> {
        self.weights.view()
    }

    /// The bias b.
    pub fn bias(&self) -> F {
        self.bias
    }

    /// The signed dual coefficients yᵢαᵢ with w = Σ yᵢαᵢxᵢ, one a training sample; 0 for all that
    /// are no support vectors.
    pub fn dual(&self) -> ArrayView1<'_, F> {
        self.dual.view()
    }

    /// wᵀx + b for each row of x.
    pub fn decision_function<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array1<F> {
        x.dot(&self.weights) + self.bias
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for SvcValidParams
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsSingleTargets<Elem = bool>,
{
    type Object = Svc<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Svc<F>, Error> {
        let x = checked_records(dataset)?;
        let labels = dataset.as_single_targets().to_owned();
        if labels.iter().all(|label| label == &labels[0]) {
            return Err(Error::Classes { found: 1 });
        }
        let features = Features::centred(&x);
        let signs = labels.mapv(|label| if label { 1.0 } else { -1.0 });
        self.solve(&features, &signs.to_vec())
    }
}

impl SvcValidParams {
    /// For signs yᵢ of both classes.
    pub(super) fn solve<F: Scalar>(
        &self,
        features: &Features,
        signs: &[f64],
    ) -> Result<Svc<F>, Error> {
        let positive = features.penalty(self.c_positive, "Svc")?;
        let negative = features.penalty(self.c_negative, "Svc")?;
        // max Σ αᵢ − ½ Σ αᵢαⱼyᵢyⱼ⟨xᵢ, xⱼ⟩ with βᵢ = yᵢαᵢ
        let bound = |of_sign: f64, c| move |&y: &f64| if y == of_sign { of_sign * c } else { 0.0 };
        let problem = Problem {
            samples: signs.len(),
            linear: signs.iter().map(|y| -y).collect(),
            lower: signs.iter().map(bound(-1.0, negative)).collect(),
            upper: signs.iter().map(bound(1.0, positive)).collect(),
            group: vec![0; signs.len()],
            groups: 1,
            start: vec![0.0; signs.len()],
        };
        let solution = solver::minimise(features, &problem, self.tolerance, "Svc")?;
        let (dual, weights) = features.dual_and_weights(&solution.dual);
        let bias = solution.levels[0] - features.shift(&weights);
        Ok(Svc {
            dual: finite("Svc", dual)?,
            weights: finite("Svc", weights)?,
            bias: finite("Svc", [bias])?[0],
        })
    }
}

impl<F: Scalar, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array1<bool>> for Svc<F> {
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<bool>) {
        y.assign(&self.decision_function(x).mapv(|value| value >= F::zero()));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<bool> {
        Array1::default(x.nrows())
    }
}

/// The values of the decision function.
impl<F: Scalar, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array1<F>> for Svc<F> {
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array1<F> {
        self.decision_function(&x)
    }
}

impl<F: Scalar> npt_core::LinearFunctions<F> for Svc<F> {
    /// The decision function.
    fn linear_functions(&self) -> (ndarray::Array2<F>, Array1<F>) {
        let weights = self.weights.clone().insert_axis(ndarray::Axis(1));
        (weights, Array1::from_elem(1, self.bias))
    }
}

impl<F: Scalar> npt_core::FoldBack<F> for Svc<F> {
    type Folded = Self;

    fn folded(&self) -> Self {
        Self {
            weights: Array1::ones(1),
            bias: F::zero(),
            ..self.clone()
        }
    }
}
