//! Ridge regression for many penalties.

use super::{
    Array, Array1, Array2, ArrayBase, ArrayView2, AsTargets, Data, DatasetBase, Error, Fit, Ix1,
    Ix2, PATH, Problem, Projected, Ridge, RidgeSolver, RidgeValidParams, Scalar, guarded_params,
    in_target_shape, predict_targets, require_finite, require_no_weights,
};
use ndarray::Dimension;

guarded_params!(RidgePath, RidgePathParams, RidgePathValidParams);

/// Parameters of [`RidgePath`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RidgePathValidParams {
    ridge: RidgeValidParams,
}

impl RidgePathValidParams {
    pub(super) fn new(ridge: RidgeValidParams) -> Self {
        Self { ridge }
    }

    fn validate(&self) -> Result<(), Error> {
        self.ridge.validate()
    }
}

impl RidgePathParams {
    /// Sets whether there is an intercept, which is not penalised; true by default.
    pub fn intercept(mut self, intercept: bool) -> Self {
        self.0.ridge.intercept = intercept;
        self
    }
}

/// [`Ridge`] for many penalties, with the exact leave-one-out errors of each, from one
/// eigendecomposition.
///
/// # Definition
/// The matrix H = 11ᵀ/n + X(XᵀX + λI)⁻¹Xᵀ, for centred X, takes the targets to the fitted values, intercept included.
/// The residual of sample i, when it is predicted by the other samples alone, is
///
/// (yᵢ − ŷᵢ) / (1 − hᵢᵢ).
///
/// tr H is the effective number of degrees of freedom. The path `predict`s by its best point: the
/// one of smallest mean squared leave-one-out error, the first if there are several.
///
/// In kernel coordinates the space stays the one of all samples. In the exact space at full rank, with λ > 0, the residual is
/// also that of a fit without the sample from the start, space and centring included: w is a combination of the other samples
/// in both. In a space of reduced rank it is not, as the sample has had its part in the axes.
///
/// At λ = 0 with as many weights as centred samples have dimensions, every fit is perfect, and the
/// errors are those in the limit of small λ.
///
/// # Errors
/// The errors of [`Ridge`]. [`Error::Weights`] for samples with weights: of a sample that stands for several, one or all could
/// be left out. [`Error::TooFewSamples`] for one sample, [`Error::LeaveOneOut`] where λ = 0 and a
/// sample alone determines one of the weights.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::array;
/// use npt_methods::linear::RidgePath;
///
/// // Without the last sample the rest is a line through 0, 1, 2, which goes on to 3: off by 1.
/// let data = Dataset::new(array![[0.0], [1.0], [2.0], [3.0]], array![0.0_f64, 1.0, 2.0, 4.0]);
/// let path = RidgePath::params(&[0.0, 1e6]).fit(&data)?;
/// let line = &path.points()[0];
/// assert!((line.leave_one_out_residuals()[3] - 1.0).abs() < 1e-14);
/// assert!((line.degrees_of_freedom() - 2.0).abs() < 1e-14);
/// // Without a slope, each is predicted by the mean of the others.
/// let flat = &path.points()[1];
/// assert!((flat.leave_one_out_residuals()[3] - 3.0).abs() < 1e-4);
/// assert_eq!(path.best().penalty(), 0.0);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// D. M. Allen, "The Relationship Between Variable Selection and Data Augmentation and a Method for
/// Prediction", Technometrics 16(1), 1974. doi:10.1080/00401706.1974.10489157
///
/// G. H. Golub, M. Heath, G. Wahba, "Generalized Cross-Validation as a Method for Choosing a Good
/// Ridge Parameter", Technometrics 21(2), 1979. doi:10.1080/00401706.1979.10489751
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "F: serde::Serialize, I: Dimension + serde::Serialize",))
)]
pub struct RidgePath<F, I: Dimension = Ix1> {
    points: Vec<RidgePathPoint<F, I>>,
    best: usize,
}

/// The model of one penalty of a [`RidgePath`], with its leave-one-out residuals.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "F: serde::Serialize, I: Dimension + serde::Serialize",))
)]
pub struct RidgePathPoint<F, I: Dimension = Ix1> {
    model: Ridge<F, I>,
    residuals: Array<F, I>,
    mean_squared_error: F,
    degrees_of_freedom: F,
}

impl<F: Scalar, I: Dimension> RidgePathPoint<F, I> {
    /// The model.
    pub fn model(&self) -> &Ridge<F, I> {
        &self.model
    }

    /// Targets less their predictions by all other samples, in the shape of the targets.
    pub fn leave_one_out_residuals(&self) -> &Array<F, I> {
        &self.residuals
    }

    /// The mean of the squared leave-one-out residuals, over samples and columns of targets.
    pub fn leave_one_out_error(&self) -> F {
        self.mean_squared_error
    }

    /// The effective number of degrees of freedom tr H, the intercept included: from 1, or 0 without an intercept, to the number of samples.
    pub fn degrees_of_freedom(&self) -> F {
        self.degrees_of_freedom
    }
}

impl RidgePath<f64> {
    /// Parameters with these penalties, in this order, each ≥ 0, and with an intercept.
    pub fn params(penalties: &[f64]) -> RidgePathParams {
        let ridge = Ridge::params().penalties(penalties).0;
        RidgePathParams(RidgePathValidParams { ridge })
    }
}

impl<F: Scalar, I: Dimension> RidgePath<F, I> {
    /// The points of the path, one per penalty, in the order given.
    pub fn points(&self) -> &[RidgePathPoint<F, I>] {
        &self.points
    }

    /// The model with the smallest leave-one-out error.
    pub fn best(&self) -> &Ridge<F, I> {
        &self.points[self.best].model
    }

    pub(super) fn into_best(mut self) -> Ridge<F, I> {
        self.points.swap_remove(self.best).model
    }

    /// The weights of the best model, shape (features, targets).
    pub fn weights(&self) -> ArrayView2<'_, F> {
        self.best().weights()
    }

    /// The intercepts of the best model, one per target.
    pub fn intercept(&self) -> Array1<F> {
        self.best().intercept()
    }

    fn targets(&self) -> usize {
        self.best().targets()
    }

    fn values(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        self.best().values(x)
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for RidgePathValidParams
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets<Elem = F>,
{
    type Object = RidgePath<F, T::Ix>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Self::Object, Error> {
        require_no_weights(PATH, dataset)?;
        let (problem, _) = Problem::new(dataset, self.ridge.intercept)?;
        if problem.x.nrows() < 2 {
            return Err(Error::TooFewSamples {
                found: 1,
                needed: 2,
            });
        }
        let solver = RidgeSolver::new(problem.x.view(), self.ridge.intercept, "Ridge", "penalty")?;
        let targets = solver.project(problem.y.view());
        let points = self
            .ridge
            .penalty
            .iter()
            .map(|&penalty| RidgePathPoint::new(&problem, &solver, &targets, penalty))
            .collect::<Result<Vec<_>, Error>>()?;
        let mut best = 0;
        for (i, point) in points.iter().enumerate() {
            if point.mean_squared_error < points[best].mean_squared_error {
                best = i;
            }
        }
        Ok(RidgePath { points, best })
    }
}

impl<F: Scalar, I: Dimension> RidgePathPoint<F, I> {
    fn new(
        problem: &Problem<F>,
        solver: &RidgeSolver<F>,
        targets: &Projected<'_, F>,
        penalty: f64,
    ) -> Result<Self, Error> {
        solver.check_scatter(penalty)?;
        let lambda = F::cast(penalty);
        let weights = solver.weights(targets, lambda);
        let residuals = solver.leave_one_out(targets, penalty)?;
        let mean_squared_error =
            residuals.iter().map(|&e| e * e).sum::<F>() / F::cast(residuals.len());
        require_finite("Ridge", [mean_squared_error].iter())?;
        Ok(Self {
            model: problem.model(weights, penalty)?,
            residuals: in_target_shape(residuals),
            mean_squared_error,
            degrees_of_freedom: solver.degrees_of_freedom(lambda),
        })
    }
}

predict_targets!(RidgePath);

impl<F: Scalar, I: Dimension> npt_core::LinearFunctions<F> for RidgePath<F, I> {
    /// Returns the predictions, one column per target.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        self.best().linear_functions()
    }
}

npt_core::checked! {
    RidgePath<F, I> { points: Vec<RidgePathPoint<F, I>>, best: usize }
    where F: Scalar, I: Dimension + 'static
}

npt_core::checked! {
    RidgePathPoint<F, I> {
        model: Ridge<F, I>,
        residuals: Array<F, I>,
        mean_squared_error: F,
        degrees_of_freedom: F,
    }
    where F: Scalar, I: Dimension + 'static
}

#[cfg(feature = "serde")]
impl<F: Scalar, I: Dimension + 'static> RidgePath<F, I> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, method, place};
        place("best penalty", self.best, self.points.len())?;
        let (features, targets) = self.best().weights().dim();
        for point in &self.points {
            let (rows, columns) = point.model.weights().dim();
            agree("rows of weights", rows, "features", features)?;
            agree("columns of weights", columns, "targets", targets)?;
        }
        method::takes::<Self>(features);
        Ok(())
    }
}

#[cfg(feature = "serde")]
impl<F: Scalar, I: Dimension + 'static> RidgePathPoint<F, I> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, not_negative};
        let columns = self.residuals.shape().get(1).copied().unwrap_or(1);
        agree(
            "columns of residuals",
            columns,
            "targets",
            self.model.targets(),
        )?;
        finite("the residuals", &self.residuals)?;
        finite("the degrees of freedom", [&self.degrees_of_freedom])?;
        not_negative("the mean squared error", self.mean_squared_error)
    }
}
