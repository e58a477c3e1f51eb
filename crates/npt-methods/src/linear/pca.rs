//! Principal component analysis.

mod single;

use super::{
    Precision, Weights, axes_projection, parameters, predict_scores,
    principal_axes::{PrincipalAxes, principal_axes},
    project, rounding, sign_of_largest, unit_of, weighed_records,
};
use crate::{
    Error,
    error::require_finite,
    streaming::{FitMoments, Moments},
};
use linfa::{
    DatasetBase, ParamGuard,
    dataset::AsTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Dimension, Ix2, s};
use npt_core::{
    AsSamples, Dual, DualForm, ExpansionMethod, InnerProducts, Scalar, catalogue::Range, linalg,
};

parameters! {
    Pca: PcaParams, PcaValidParams;
    required {
        components: usize, Range::AtLeast(1), "The number of components.";
    }
    default {
        /// It matters where components are fitted to inner products alone, as by [`Kpca`](crate::Kpca) in its exact space.
        precision: Precision = Precision::Full, Range::Word(Precision::WORDS), "The precision of the n × n eigenproblem in the exact space; single takes half of the memory.";
    }
}

/// Principal component analysis: the directions of largest variance.
///
/// # Definition
/// With x̄ the mean of the n rows and λ₁ ≥ λ₂ ≥ … the eigenvalues of the scatter matrix
/// Σ (xᵢ − x̄)(xᵢ − x̄)ᵀ with eigenvectors wₖ, the scores of x are wₖᵀ(x − x̄). Each axis points to
/// where the training score of largest magnitude is positive. With sample weights the mean and the scatter are weighted:
/// a weight of 2 is a sample twice.
///
/// # Errors
/// [`Error::Parameter`] for 0 components, [`Error::Components`] for more than the rank of the
/// scatter matrix, [`Error::Overflow`] where an eigenvalue is no number of the type, [`npt_core::Error::Weight`],
/// [`npt_core::Error::NoWeight`] if all weights are 0, [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::array;
/// use npt_methods::linear::Pca;
///
/// let points = array![[1.0, 1.0], [3.0, 3.0], [2.0, 2.0], [4.0, 4.0]];
/// let pca = Pca::params(1).fit(&DatasetBase::from(points.clone()))?;
/// assert!((pca.eigenvalues()[0] - 10.0_f64).abs() < 1e-14);
/// assert!((pca.explained_variance_ratio()[0] - 1.0).abs() < 1e-14);
/// let scores = pca.transform(points);
/// assert!((scores[[0, 0]] - 1.5 * 2.0_f64.sqrt()).abs() < 1e-14);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// I. Jolliffe, *Principal Component Analysis*, 2nd edition, Springer 2002. doi:10.1007/b98835
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Pca<F> {
    mean: Array1<F>,
    /// One row per component.
    axes: Array2<F>,
    eigenvalues: Array1<F>,
    shares: Array1<F>,
}

impl Pca<f64> {
    /// Parameters for `components` components, at least 1.
    pub fn params(components: usize) -> PcaParams {
        PcaParams(PcaValidParams::new(components))
    }
}

impl<F: Scalar> Pca<F> {
    /// The kept eigenvalues of the scatter matrix, descending: the sums of squared training scores, weighted if the samples are.
    /// In kernel coordinates they are eigenvalues of the centred kernel matrix.
    pub fn eigenvalues(&self) -> ArrayView1<'_, F> {
        self.eigenvalues.view()
    }

    /// The share of the total variance that each component explains.
    pub fn explained_variance_ratio(&self) -> Array1<F> {
        self.shares.clone()
    }

    /// The principal axes, shape (components, features), orthonormal.
    pub fn axes(&self) -> ArrayView2<'_, F> {
        self.axes.view()
    }

    /// The mean of the training rows.
    pub fn mean(&self) -> ArrayView1<'_, F> {
        self.mean.view()
    }

    /// Returns the points x̄ + Σₖ scoreₖwₖ with given scores, one row per point. They are the projections of the rows that
    /// have these scores on the affine space that the components span.
    ///
    /// # Errors
    /// [`npt_core::Error::ColumnCount`] unless there is one score per component, and the errors of
    /// the scores as records.
    ///
    /// # Example
    /// ```
    /// use linfa::{DatasetBase, traits::{Fit, Transformer}};
    /// use ndarray::array;
    /// use npt_methods::linear::Pca;
    ///
    /// let points = DatasetBase::from(array![[0.0, 0.0], [2.0, 2.0], [4.0, 4.0]]);
    /// let pca = Pca::params(1).fit(&points)?;
    /// let scores = pca.transform(array![[4.0, 2.0]]);
    /// let projected = pca.inverse_transform(&scores)?;
    /// assert!((projected - array![[3.0, 3.0]]).iter().all(|d: &f64| d.abs() < 1e-14));
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn inverse_transform<D: Data<Elem = F>>(
        &self,
        scores: &ArrayBase<D, Ix2>,
    ) -> Result<Array2<F>, Error> {
        let scores = scores.as_samples()?;
        let (expected, found) = (self.axes.nrows(), scores.view().ncols());
        if expected != found {
            return Err(npt_core::Error::ColumnCount { expected, found }.into());
        }
        Ok(linalg::product(scores.view(), self.axes.view()) + &self.mean)
    }

    fn scores(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        project(x, &self.mean, self.axes.view())
    }
}

impl<F: Scalar, D: Data<Elem = F>, T: AsTargets> Fit<ArrayBase<D, Ix2>, T, Error>
    for PcaValidParams
{
    type Object = Pca<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Pca<F>, Error> {
        let (mut x, weights) = weighed_records(dataset)?;
        let (weights, unit_weight) = weights.in_unit();
        let unit = unit_of(&x);
        x /= unit;
        let mean = weights.center(&mut x) * unit;
        let weighed = weights.times_roots(x.clone());
        let total: F = weighed.iter().map(|&v| v * v).sum();
        let PrincipalAxes { values, axes } = principal_axes(weighed.view(), F::zero())?;
        let (requested, available) = (self.components, values.len());
        if requested > available {
            return Err(Error::Components {
                requested,
                available,
            });
        }
        let eigenvalues = values.slice(s![..requested]).to_owned();
        let mut axes = axes.slice_move(s![..requested, ..]);
        let scores = linalg::product(x.view(), axes.t());
        for (mut axis, scores) in axes.outer_iter_mut().zip(scores.axis_iter(Axis(1))) {
            axis *= sign_of_largest(scores);
        }
        let shares = &eigenvalues / total;
        let eigenvalues = eigenvalues * unit * unit * unit_weight;
        require_finite("Pca", eigenvalues.iter())?;
        Ok(Pca {
            mean,
            axes,
            eigenvalues,
            shares,
        })
    }
}

/// Fits to the scatter of the records. Axes are known to the rounding of the longest. Each axis points to where
/// its entry of largest magnitude is positive: there are no scores to go by.
impl<F: Scalar, I: Dimension> FitMoments<F, Moments<I>> for PcaParams {
    type Object = Pca<F>;

    fn fit_moments(&self, moments: &Moments<I>) -> Result<Pca<F>, Error> {
        let requested = self.check_ref()?.components;
        moments.require_rows()?;
        let scatter = moments.scatter().mapv(F::cast);
        require_finite("Pca", scatter.diag().iter())?;
        let (values, vectors) = linalg::eigh(&scatter)?;
        // If there are fewer rows than features, or dependent ones, some eigenvalues are rounding.
        let share = rounding::<F>(values.len()).max(F::cast(moments.rounding()));
        let level = share * values[0];
        let available = values.iter().take_while(|&&value| value > level).count();
        if requested > available {
            return Err(Error::Components {
                requested,
                available,
            });
        }
        let mut axes = vectors.slice(s![.., ..requested]).t().to_owned();
        for mut axis in axes.outer_iter_mut() {
            axis *= sign_of_largest(axis.view());
        }
        let eigenvalues = values.slice(s![..requested]).to_owned();
        let shares = &eigenvalues / scatter.diag().sum();
        Ok(Pca {
            mean: moments.mean().mapv(F::cast),
            axes,
            eigenvalues,
            shares,
        })
    }
}

predict_scores!(Pca);
axes_projection!(Pca<F>);

impl<F: Scalar, T: AsTargets> ExpansionMethod<F, T, Error> for PcaParams {
    fn dual_form(&self) -> Option<&dyn DualForm<F, T, Error, Expanded = Pca<F>>> {
        Some(self)
    }
}

/// Fits by the leading eigenvectors u of the centred matrix of inner products: w = Σ αᵢxᵢ with α = u/√λ.
impl<F: Scalar, T: AsTargets> DualForm<F, T, Error> for PcaParams {
    type Expanded = Pca<F>;

    fn ignores_shift(&self) -> bool {
        true
    }

    fn fit_dual(
        &self,
        products: &dyn InnerProducts<F>,
        _: &T,
        given: Option<ArrayView1<'_, f32>>,
    ) -> Result<Option<Dual<Pca<F>, F>>, Error> {
        let params = self.check_ref()?;
        let requested = params.components;
        let of_samples = Weights::new(given, products.samples())?;
        // Coordinates of low rank are cheaper, and show how many components there are. Approximate coordinates know the last components
        // less well than kernel values do.
        if products.coordinates().is_some() || requested >= of_samples.count() {
            return Ok(None);
        }
        if params.precision.is_below::<F>()
            && let Some(dual) = self.in_single(products, given)?
        {
            return Ok(Some(dual));
        }
        let (weights, unit_weight) = of_samples.in_unit();
        let mut k = match weights.gram(products) {
            Ok(gram) => gram,
            // Coordinates of low rank take less memory.
            Err(Error::Core(npt_core::Error::Memory { .. }))
                if products.approximate_coordinates().is_some() =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let means = weights.center_gram(&mut k);
        let centered = weights.given().map(|_| k.clone());
        weights.scale_gram(&mut k);
        let total: F = k.diag().sum();
        let (values, mut vectors) = linalg::leading_eigh(&k, requested)?;
        // An eigenvector below this level is none of the kernel's; coordinates tell which there are.
        let level = F::cast(64) * F::epsilon() * values[0];
        if !(values[requested - 1] > level) {
            return Ok(None);
        }
        for (mut vector, &value) in vectors.columns_mut().into_iter().zip(&values) {
            // The entry of a sample of little weight is rounding; its score is not.
            let scores = match &centered {
                Some(k) => k.dot(&weights.times_root_each(vector.to_owned())),
                None => vector.to_owned(),
            };
            vector *= sign_of_largest(scores.view()) / value.sqrt();
        }
        let mut coefficients = weights.times_roots(vectors);
        weights.of_uncentered(&mut coefficients);
        let offsets = -means.dot(&coefficients);
        require_finite("Pca", values.iter().chain(&coefficients))?;
        let method = Pca {
            mean: Array1::zeros(requested),
            axes: Array2::eye(requested),
            shares: &values / total,
            eigenvalues: values * unit_weight,
        };
        Ok(Some(Dual {
            method,
            coefficients: weights.spread(coefficients),
            offsets,
        }))
    }
}

npt_core::checked! {
    Pca<F> { mean: Array1<F>, axes: Array2<F>, eigenvalues: Array1<F>, shares: Array1<F> }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> Pca<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, method};
        let axes = self.axes.nrows();
        crate::parts::check_axes(&self.mean, &self.axes)?;
        agree("eigenvalues", self.eigenvalues.len(), "axes", axes)?;
        agree("shares of variance", self.shares.len(), "axes", axes)?;
        finite(
            "the eigenvalues",
            self.eigenvalues.iter().chain(&self.shares),
        )?;
        method::maps::<Self>(self.mean.len(), self.axes.nrows());
        Ok(())
    }
}
