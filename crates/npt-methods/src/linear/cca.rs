//! Canonical correlation analysis.

use super::{
    Weights, axes_projection, checked_targets, largest, parameters, predict_scores, project,
    rounding, sign_of_largest, weighed_records,
    whitening::{Whitening, whiten},
};
use crate::{
    Error,
    error::require_finite,
    streaming::{FitMoments, Moments},
};
use linfa::{
    DatasetBase, ParamGuard,
    dataset::{AsTargets, TargetDim},
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Ix2, s};
use npt_core::{Scalar, catalogue::Range, linalg};

parameters! {
    Cca: CcaParams, CcaValidParams;
    required {
        components: usize, Range::AtLeast(1), "The number of pairs of directions.";
    }
    default {
        /// The ridge must be ≥ 0. Each view has a mean squared distance of its own.
        ridge: f64 = 0.0, Range::NotNegative, "The ridge ρ, in units of the mean squared distance from the mean.";
    }
}

/// Canonical correlation analysis of two views of the same samples. It finds pairs of directions, one for each view,
/// whose scores correlate most. The records are the first view, the targets the second.
///
/// # Definition
/// C_xx and C_yy are the covariances of the two views, C_xy is the covariance between them (divided by n). The pairs a, b
/// maximise, one after the other,
///
/// aᵀC_xy b / √(aᵀ(C_xx + κ_x I)a · bᵀ(C_yy + κ_y I)b)
///
/// with κ = ρ·tr(C) of each view. Both factors of the denominator are 1, and each pair is uncorrelated with
/// the others in the metric of the denominator. The scores are aᵀ(x − x̄) and bᵀ(y − ȳ). In the first
/// view each direction points to where the training score of largest magnitude is positive; the sign in the second
/// view follows from that.
///
/// The correlations are the values of the criterion. Without a ridge they are the correlations of the training scores;
/// with a ridge they are smaller. Without a ridge, where views of r and s dimensions have more than n − 1
/// together, r + s − (n − 1) correlations are 1 whatever the samples. Directions in which a view has
/// no variance take no part. With sample weights means and covariances are weighted: a weight of 2 is a sample twice.
///
/// # Errors
/// [`Error::Parameter`]; [`Error::Components`] for more pairs than there are correlations above
/// rounding level (that is, above the root of the rounding level of the first correlation), of which a constant view has
/// none; [`npt_core::Error::TargetNotFinite`]; [`Error::NoTargets`]; [`Error::Overflow`] for views whose
/// differences or directions are out of range; [`npt_core::Error::Weight`], and [`npt_core::Error::NoWeight`] if all weights are 0;
/// [`Error::Core`] for the records and for views of different numbers of samples.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Fit};
/// use ndarray::array;
/// use npt_methods::linear::Cca;
///
/// // One feature a view: xᵀy = 1, xᵀx = yᵀy = 2.
/// let views = Dataset::new(array![[-1.0], [0.0], [1.0]], array![[0.0], [-1.0], [1.0]]);
/// let cca = Cca::params(1).fit(&views)?;
/// assert!((cca.correlations()[0] - 0.5_f64).abs() < 1e-15);
/// let cca = Cca::params(1).ridge(1.0).fit(&views)?;
/// assert!((cca.correlations()[0] - 0.25_f64).abs() < 1e-15);
/// // a²(2/3 + 2/3) = 1
/// let a = cca.first().axes()[[0, 0]];
/// assert!((a * a - 0.75).abs() < 1e-15);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// H. Hotelling, "Relations Between Two Sets of Variates", Biometrika 28(3/4), 1936.
/// doi:10.1093/biomet/28.3-4.321
///
/// H. D. Vinod, "Canonical ridge and econometrics of joint production", Journal of Econometrics
/// 4(2), 1976. doi:10.1016/0304-4076(76)90010-5
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cca<F> {
    correlations: Array1<F>,
    first: CcaView<F>,
    second: CcaView<F>,
}

/// The canonical directions of one view. `transform` gives scores.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CcaView<F> {
    mean: Array1<F>,
    /// One row per component.
    axes: Array2<F>,
}

impl Cca<f64> {
    /// Parameters for `components` pairs of directions, at least 1, without a ridge.
    pub fn params(components: usize) -> CcaParams {
        CcaParams(CcaValidParams::new(components))
    }
}

impl<F: Scalar> Cca<F> {
    /// The canonical correlations, descending.
    pub fn correlations(&self) -> ArrayView1<'_, F> {
        self.correlations.view()
    }

    /// The directions of the records.
    pub fn first(&self) -> &CcaView<F> {
        &self.first
    }

    /// The directions of the targets.
    pub fn second(&self) -> &CcaView<F> {
        &self.second
    }

    /// The correlations, and the directions of both views.
    pub fn into_parts(self) -> (Array1<F>, CcaView<F>, CcaView<F>) {
        (self.correlations, self.first, self.second)
    }
}

impl<F: Scalar> CcaView<F> {
    /// The canonical directions, shape (components, features).
    pub fn axes(&self) -> ArrayView2<'_, F> {
        self.axes.view()
    }

    /// The mean of the training rows.
    pub fn mean(&self) -> ArrayView1<'_, F> {
        self.mean.view()
    }

    fn scores(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        project(x, &self.mean, self.axes.view())
    }
}

impl CcaParams {
    pub(crate) fn has_dual_coefficients(&self) -> bool {
        self.0.ridge > 0.0
    }

    /// Returns the dual coefficients α with a = Σ αᵢ(xᵢ − x̄), one column per component, and the dual coefficients of the b.
    /// With the correlation λ and the scores s and t, κ_x a = C_xy b/λ − C_xx a = Σ (tᵢ/λ − sᵢ)(xᵢ − x̄)/n, and likewise κ_y b.
    pub(crate) fn dual_coefficients<F: Scalar>(
        &self,
        model: &Cca<F>,
        x: &Array2<F>,
        y: &Array2<F>,
    ) -> Option<(Array2<F>, Array2<F>)> {
        let s = model.first.scores(x.view());
        let t = model.second.scores(y.view());
        let dual = |view: &CcaView<F>, rows: &Array2<F>, own: &Array2<F>, other: &Array2<F>| {
            let rows = rows - &view.mean;
            let total: F = rows.iter().map(|&v| v * v).sum();
            (other / &model.correlations - own) / (F::cast(self.0.ridge) * total)
        };
        let first = dual(&model.first, x, &s, &t);
        let second = dual(&model.second, y, &t, &s);
        let finite = first.iter().chain(&second).all(|v| v.is_finite());
        finite.then_some((first, second))
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for CcaValidParams
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsTargets<Elem = F>,
{
    type Object = Cca<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Cca<F>, Error> {
        let (x, weights) = weighed_records(dataset)?;
        let y = weights.select(checked_targets(dataset.targets())?);
        let (weights, _) = weights.in_unit();
        let (x_mean, x_scale, first) = self.whitened(x, &weights)?;
        let (y_mean, y_scale, second) = self.whitened(y, &weights)?;
        let others = weights.times(second.scores.clone());
        let cross = linalg::product(first.scores.t(), others.view()) / weights.total();
        let (correlations, mut left, mut right) = self.singular_vectors(cross.view())?;
        let scores = linalg::product(first.scores.view(), left.view());
        for (k, scores) in scores.columns().into_iter().enumerate() {
            let sign = sign_of_largest(scores);
            left.column_mut(k).mapv_inplace(|v| v * sign);
            right.column_mut(k).mapv_inplace(|v| v * sign);
        }
        let axes = |vectors: Array2<F>, white: &Whitening<F>, scale: F| {
            linalg::product(vectors.t(), white.axes.view()) / scale
        };
        let first = axes(left, &first, x_scale);
        let second = axes(right, &second, y_scale);
        require_finite("Cca", first.iter().chain(&second))?;
        Ok(Cca {
            correlations,
            first: CcaView {
                mean: x_mean,
                axes: first,
            },
            second: CcaView {
                mean: y_mean,
                axes: second,
            },
        })
    }
}

/// Fits to a few rows that have the same moments. Each pair of axes points to where the largest score of these rows is positive.
impl<F: Scalar, I: TargetDim> FitMoments<F, Moments<I>> for CcaParams {
    type Object = Cca<F>;

    fn fit_moments(&self, moments: &Moments<I>) -> Result<Cca<F>, Error> {
        let few = moments.condensed()?;
        let mut cca = self.check_ref()?.fit(&few)?;
        // Axes are scaled to unit variance, which is a mean over rows: the few rows stand for more.
        let unit = F::cast((moments.weight() / few.records.nrows() as f64).sqrt());
        cca.first.axes *= unit;
        cca.second.axes *= unit;
        Ok(cca)
    }
}

impl CcaValidParams {
    /// Returns the mean of a view, its scale, and the whitening of the view divided by that scale.
    fn whitened<F: Scalar>(
        &self,
        mut view: Array2<F>,
        weights: &Weights<F>,
    ) -> Result<(Array1<F>, F, Whitening<F>), Error> {
        let none = Error::Components {
            requested: self.components,
            available: 0,
        };
        let mean = weights.center(&mut view);
        // Scaled, so that squares neither overflow nor vanish.
        require_finite("Cca", view.iter())?;
        let scale = largest(&view);
        if !(scale > F::zero()) {
            return Err(none);
        }
        view /= scale;
        let whitening = whiten(view.view(), weights, self.ridge, None)?;
        Ok((mean, scale, whitening))
    }

    /// Returns the leading singular values of M, and the singular vectors of both sides, one per column. They come from
    /// the smaller of MᵀM and MMᵀ.
    fn singular_vectors<F: Scalar>(
        &self,
        m: ArrayView2<'_, F>,
    ) -> Result<(Array1<F>, Array2<F>, Array2<F>), Error> {
        if m.nrows() < m.ncols() {
            let (values, right, left) = self.singular_vectors(m.reversed_axes())?;
            return Ok((values, left, right));
        }
        let (squares, vectors) = linalg::eigh(&linalg::symmetric_rank_k(m))?;
        let level = rounding::<F>(m.nrows());
        let floor = level * squares[0].max(level);
        let available = squares.iter().take_while(|&&v| v > floor).count();
        let requested = self.components;
        if requested > available {
            return Err(Error::Components {
                requested,
                available,
            });
        }
        let right = vectors.slice(s![.., ..requested]).to_owned();
        let mut left = linalg::product(m, right.view());
        // The length of Mv gives the singular value to its own rounding, not to that of the largest value.
        let values = left.map_axis(Axis(0), |column| column.dot(&column).sqrt());
        left /= &values;
        Ok((values, left, right))
    }
}

predict_scores!(CcaView);
axes_projection!(CcaView<F>);

npt_core::checked! {
    Cca<F> { correlations: Array1<F>, first: CcaView<F>, second: CcaView<F> } where F: Scalar
}

npt_core::checked! { CcaView<F> { mean: Array1<F>, axes: Array2<F> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> Cca<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite};
        for view in [&self.first, &self.second] {
            let axes = view.axes.nrows();
            agree(
                "axes of a view",
                axes,
                "correlations",
                self.correlations.len(),
            )?;
        }
        finite("the correlations", &self.correlations)
    }
}

#[cfg(feature = "serde")]
impl<F: Scalar> CcaView<F> {
    fn check_parts(&self) -> Result<(), String> {
        crate::parts::check_axes(&self.mean, &self.axes)?;
        npt_core::serial::method::maps::<Self>(self.mean.len(), self.axes.nrows());
        Ok(())
    }
}
