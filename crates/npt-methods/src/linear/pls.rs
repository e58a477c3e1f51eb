//! Partial least squares regression.

use super::{
    Weights, checked_targets, largest, parameters, predict_targets, projection, rounding,
    sign_of_largest, weighed_records,
};
use crate::{
    Error,
    error::require_finite,
    streaming::{FitMoments, Moments},
};
use linfa::{
    DatasetBase, ParamGuard,
    dataset::{AsTargets, TargetDim},
    traits::{Fit, Transformer},
};
use ndarray::{
    Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Ix1, Ix2, concatenate, s,
};
use npt_core::{Scalar, catalogue::Range, linalg};
use std::marker::PhantomData;

parameters! {
    Pls: PlsParams, PlsValidParams;
    required {
        components: usize, Range::AtLeast(1), "The number of scores on which the targets are regressed.";
    }
}

/// Partial least squares regression of one target or several: least squares on a few scores, each
/// chosen to covary with what the ones before it left of the targets.
///
/// # Definition
/// With the columns of X and Y centred, component k has the weights w, ‖w‖ = 1, that maximise
/// ‖YᵀXw‖, and the scores t = Xw less their part along earlier scores; Y ← Y − t(tᵀY)/(tᵀt) follows.
/// X need not be deflated: what is left of Y is orthogonal to all earlier scores. With
/// T = XR, the predictions are ȳ + (x − x̄)RQᵀ, Q = YᵀT(TᵀT)⁻¹. `predict` gives targets in the
/// shape of the targets at the fit, `transform` the scores (x − x̄)R. Each score points to where the
/// training score of largest magnitude is positive. Columns are not scaled. With sample weights, means are weighted, and
/// all else is computed from rows times the roots of their weights: a weight of 2 is a sample twice.
///
/// # Errors
/// [`Error::Parameter`] for 0 components. [`Error::Components`] for more components than there are. There are at most as many as
/// the rank of the records, no more once the targets are explained to rounding, and none where the targets
/// are constant. [`npt_core::Error::Weight`], and [`npt_core::Error::NoWeight`] if all weights are 0.
/// [`npt_core::Error::TargetNotFinite`], [`Error::NoTargets`], [`Error::Overflow`] for
/// coefficients out of range, [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict, Transformer}};
/// use ndarray::array;
/// use npt_methods::linear::Pls;
///
/// // XᵀY = (−2, 1): w = (−2, 1)/√5.
/// let data = Dataset::new(
///     array![[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]],
///     array![1.0, -1.0, -0.5, 0.5],
/// );
/// let pls = Pls::params(1).fit(&data)?;
/// let scores = pls.transform(data.records().clone());
/// assert!((scores[[1, 0]] + 2.0 / 5.0_f64.sqrt()).abs() < 1e-15);
/// // tᵀt = 2 and Yᵀt = √5: the coefficients are w·√5/2.
/// assert!((&pls.coefficients() - &array![[-1.0], [0.5]]).iter().all(|d| d.abs() < 1e-15));
/// assert!((pls.predict(&data)[3] - 0.5).abs() < 1e-15);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// S. Wold, M. Sjöström, L. Eriksson, "PLS-regression: a basic tool of chemometrics", Chemometrics
/// and Intelligent Laboratory Systems 58(2), 2001. doi:10.1016/S0169-7439(01)00155-1
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "F: serde::Serialize, I: ndarray::Dimension",))
)]
pub struct Pls<F, I = Ix1> {
    mean: Array1<F>,
    target_mean: Array1<F>,
    /// W, one column per component.
    weights: Array2<F>,
    /// R, one column per component.
    rotations: Array2<F>,
    /// RQᵀ, one column per target.
    coefficients: Array2<F>,
    /// The number of axes of the targets: one or two.
    #[cfg_attr(feature = "serde", serde(with = "npt_core::serial::axes"))]
    shape: PhantomData<I>,
}

impl Pls<f64> {
    /// Parameters for regression on `components` scores, at least 1.
    pub fn params(components: usize) -> PlsParams {
        PlsParams(PlsValidParams::new(components))
    }
}

impl<F: Scalar, I> Pls<F, I> {
    /// Returns this regression as one that predicts a matrix, with one column per target.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::{Fit, Predict}};
    /// use ndarray::{Array1, Array2, Axis, array};
    /// use npt_methods::linear::Pls;
    ///
    /// let x = array![[0.0], [1.0], [2.0]];
    /// let model = Pls::params(1).fit(&Dataset::new(x.clone(), array![1.0, 2.0, 4.0]))?;
    /// let numbers: Array1<f64> = model.predict(&x);
    /// let column: Array2<f64> = model.of_columns().predict(&x);
    /// assert_eq!(column, numbers.insert_axis(Axis(1)));
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn of_columns(self) -> Pls<F, ndarray::Ix2> {
        Pls {
            mean: self.mean,
            target_mean: self.target_mean,
            weights: self.weights,
            rotations: self.rotations,
            coefficients: self.coefficients,
            shape: PhantomData,
        }
    }

    /// The regression coefficients RQᵀ, shape (features, targets).
    pub fn coefficients(&self) -> ArrayView2<'_, F> {
        self.coefficients.view()
    }

    /// The intercepts ȳ − x̄RQᵀ, one per target.
    pub fn intercept(&self) -> Array1<F> {
        &self.target_mean - &self.mean.dot(&self.coefficients)
    }

    /// The means of the training targets, one per target, which are predicted at the mean of the records.
    pub fn target_mean(&self) -> ArrayView1<'_, F> {
        self.target_mean.view()
    }

    /// The weights w, shape (features, components).
    pub fn weights(&self) -> ArrayView2<'_, F> {
        self.weights.view()
    }

    /// The matrix R of the scores (x − x̄)R, shape (features, components).
    pub fn rotations(&self) -> ArrayView2<'_, F> {
        self.rotations.view()
    }

    fn targets(&self) -> usize {
        self.target_mean.len()
    }

    fn values(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        linalg::product((&x - &self.mean).view(), self.coefficients.view()) + &self.target_mean
    }

    fn scores(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        linalg::product((&x - &self.mean).view(), self.rotations.view())
    }
}

impl<F: Scalar, T: AsTargets<Elem = F>> npt_core::ExpansionMethod<F, T, Error> for PlsParams {
    fn has_dual_coefficients(&self) -> bool {
        true
    }

    fn dual_coefficients(
        &self,
        _: &Pls<F, T::Ix>,
        data: &DatasetBase<Array2<F>, T>,
    ) -> Option<Array2<F>> {
        let Decomposition {
            scales,
            found,
            weights,
            ..
        } = self.0.decompose(data).ok()?;
        let (x_scale, y_scale) = scales;
        let of_targets = linalg::product(found.dual.view(), found.loadings.t());
        let of_targets = of_targets * (y_scale / x_scale) / x_scale;
        let of_scores = found.dual * found.lengths / x_scale;
        let mut dual = weights.times_roots(concatenate![Axis(1), of_targets, of_scores]);
        if weights.given().is_some() {
            weights.of_uncentered(&mut dual);
        }
        Some(weights.spread(dual))
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for PlsValidParams
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets<Elem = F>,
{
    type Object = Pls<F, T::Ix>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Pls<F, T::Ix>, Error> {
        let Decomposition {
            mean,
            target_mean,
            scales: (x_scale, y_scale),
            found,
            ..
        } = self.decompose(dataset)?;
        let unit = y_scale / x_scale;
        let coefficients = linalg::product(found.unit_rotations.view(), found.loadings.t()) * unit;
        require_finite("Pls", coefficients.iter())?;
        // A unit too small to have all its digits would take them from the coefficients.
        if !unit.is_normal() {
            return Err(Error::Overflow { of: "Pls" });
        }
        Ok(Pls {
            mean,
            target_mean,
            weights: found.weights,
            rotations: found.unit_rotations * found.lengths,
            coefficients,
            shape: PhantomData,
        })
    }
}

/// Fits to a few rows that have the same moments.
impl<F: Scalar, I: TargetDim> FitMoments<F, Moments<I>> for PlsParams {
    type Object = Pls<F, I>;

    fn fit_moments(&self, moments: &Moments<I>) -> Result<Pls<F, I>, Error> {
        self.check_ref()?.fit(&moments.condensed()?)
    }
}

/// The decomposition of centred and scaled records and targets.
struct Decomposition<F> {
    mean: Array1<F>,
    target_mean: Array1<F>,
    /// The divisors of X and Y, with which squares neither overflow nor vanish.
    scales: (F, F),
    found: Found<F>,
    weights: Weights<F>,
}

impl PlsValidParams {
    fn decompose<F, D, T>(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
    ) -> Result<Decomposition<F>, Error>
    where
        F: Scalar,
        D: Data<Elem = F>,
        T: AsTargets<Elem = F>,
    {
        let (mut x, weights) = weighed_records(dataset)?;
        let mut y = weights.select(checked_targets(dataset.targets())?);
        let (mean, target_mean) = (weights.center(&mut x), weights.center(&mut y));
        let (mut x, mut y) = (weights.times_roots(x), weights.times_roots(y));
        let scales = (largest(&x), largest(&y));
        let (x_scale, y_scale) = scales;
        require_finite("Pls", [x_scale, y_scale].iter())?;
        if !(x_scale > F::zero() && y_scale > F::zero()) {
            return Err(Error::Components {
                requested: self.components,
                available: 0,
            });
        }
        x /= x_scale;
        y /= y_scale;
        Ok(Decomposition {
            mean,
            target_mean,
            scales,
            found: components(&x, y, self.components, &weights)?,
            weights,
        })
    }
}

/// The components that were found: one column, or entry, per component.
struct Found<F> {
    weights: Array2<F>,
    /// The rotations of scores of length 1.
    unit_rotations: Array2<F>,
    /// Vectors u with Xᵀu the rotations of scores of length 1, shape (samples, components).
    dual: Array2<F>,
    /// YᵀT, for scores of length 1.
    loadings: Array2<F>,
    /// The lengths of the scores.
    lengths: Array1<F>,
}

/// Finds the components of centred X and Y, times the roots of weights if there are any.
fn components<F: Scalar>(
    x: &Array2<F>,
    mut y: Array2<F>,
    requested: usize,
    weights: &Weights<F>,
) -> Result<Found<F>, Error> {
    let ((samples, features), targets) = (x.dim(), y.ncols());
    let level = rounding::<F>(samples.max(features));
    let nothing = level * frobenius(x) * frobenius(&y);
    // Beyond the rank there are no components, however many are asked for.
    let most = requested.min(samples.min(features));
    let mut scores = Array2::zeros((samples, most));
    let mut found = Found {
        weights: Array2::zeros((features, most)),
        unit_rotations: Array2::zeros((features, most)),
        dual: Array2::zeros((samples, most)),
        loadings: Array2::zeros((targets, most)),
        lengths: Array1::zeros(most),
    };
    for k in 0..requested {
        let covariance = linalg::product(x.t(), y.view());
        let exhausted = Error::Components {
            requested,
            available: k,
        };
        if k == most || frobenius(&covariance) <= nothing {
            return Err(exhausted);
        }
        let w = leading_left_vector(&covariance)?;
        let (mut t, mut r) = (x.dot(&w), w.clone());
        // w is an eigenvector of CCᵀ, C = XᵀY: with v = Cᵀw, it is XᵀYv/‖v‖².
        let v = covariance.t().dot(&w);
        let mut u = y.dot(&v) / v.dot(&v);
        let whole = t.dot(&t).sqrt();
        // Twice: one pass of Gram and Schmidt leaves rounding of what it takes away.
        for _ in 0..2 {
            let along = scores.slice(s![.., ..k]).t().dot(&t);
            t -= &scores.slice(s![.., ..k]).dot(&along);
            r -= &found.unit_rotations.slice(s![.., ..k]).dot(&along);
            u -= &found.dual.slice(s![.., ..k]).dot(&along);
        }
        let length = t.dot(&t).sqrt();
        if length <= level * whole {
            return Err(exhausted);
        }
        let sign = sign_of_largest(weights.over_roots(t.clone()).view());
        t *= sign / length;
        let q = y.t().dot(&t);
        for (mut row, &t) in y.outer_iter_mut().zip(&t) {
            row.scaled_add(-t, &q);
        }
        scores.column_mut(k).assign(&t);
        found.weights.column_mut(k).assign(&(w * sign));
        found
            .unit_rotations
            .column_mut(k)
            .assign(&(r * (sign / length)));
        found.dual.column_mut(k).assign(&(u * (sign / length)));
        found.loadings.column_mut(k).assign(&q);
        found.lengths[k] = length;
    }
    Ok(found)
}

/// Returns the unit vector w with the longest Cᵀw, by the smaller of CᵀC and CCᵀ; C is not zero.
fn leading_left_vector<F: Scalar>(c: &Array2<F>) -> Result<Array1<F>, Error> {
    let scaled = c / largest(c);
    let w = if c.nrows() <= c.ncols() {
        let (_, vectors) = linalg::eigh(&linalg::symmetric_rank_k(scaled.t()))?;
        vectors.column(0).to_owned()
    } else {
        let (_, vectors) = linalg::eigh(&linalg::symmetric_rank_k(scaled.view()))?;
        scaled.dot(&vectors.column(0))
    };
    let length = w.dot(&w).sqrt();
    Ok(w / length)
}

fn frobenius<F: Scalar>(a: &Array2<F>) -> F {
    a.iter().map(|&v| v * v).sum::<F>().sqrt()
}

predict_targets!(Pls);

projection!(Pls<F, I>);

impl<F: Scalar, I> npt_core::LinearFunctions<F> for Pls<F, I> {
    /// Returns the predictions, one column per target, then the scores.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        let directions = concatenate![Axis(1), self.coefficients, self.rotations];
        let of_mean = self.mean.dot(&directions);
        let mut offsets = Array1::zeros(directions.ncols());
        let targets = self.targets();
        offsets.slice_mut(s![..targets]).assign(&self.target_mean);
        (directions, offsets - of_mean)
    }
}

impl<F: Scalar, I> npt_core::Expand<F> for Pls<F, I> {
    type Expanded = Self;

    fn expanded(&self) -> Self {
        let targets = self.targets();
        let functions = targets + self.rotations.ncols();
        let identity = Array2::eye(functions);
        let rotations = identity.slice(s![.., targets..]).to_owned();
        Self {
            mean: Array1::zeros(functions),
            target_mean: Array1::zeros(targets),
            coefficients: identity.slice(s![.., ..targets]).to_owned(),
            weights: rotations.clone(),
            rotations,
            shape: PhantomData,
        }
    }
}

npt_core::checked! {
    Pls<F, I> {
        mean: Array1<F>,
        target_mean: Array1<F>,
        weights: Array2<F>,
        rotations: Array2<F>,
        coefficients: Array2<F>,
        #[serde(with = "npt_core::serial::axes")]
        shape: PhantomData<I>,
    }
    where F: Scalar, I: ndarray::Dimension + 'static
}

#[cfg(feature = "serde")]
impl<F: Scalar, I: ndarray::Dimension + 'static> Pls<F, I> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, method, some};
        let (features, components) = (self.mean.len(), self.rotations.ncols());
        crate::parts::check_functions(&self.coefficients, &self.target_mean)?;
        crate::parts::check_target_columns::<I>(self.targets())?;
        some("components", components)?;
        for matrix in [&self.coefficients, &self.weights, &self.rotations] {
            agree("rows of a matrix", matrix.nrows(), "features", features)?;
            finite("the entries of a matrix", matrix)?;
        }
        agree(
            "columns of weights",
            self.weights.ncols(),
            "components",
            components,
        )?;
        finite("the means", &self.mean)?;
        method::maps::<Self>(features, components);
        Ok(())
    }
}
