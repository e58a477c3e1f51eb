//! Discriminant analysis for regression.

mod scatter;

use super::{
    axes_projection, center, checked_targets, largest, parameters, predict_scores, project,
    regular_cholesky, require_extent, rounding, sign_of_largest, unweighted_records,
};
use crate::{Error, error::require_finite};
use linfa::{
    DatasetBase,
    dataset::AsSingleTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Ix2, s};
use npt_core::{Scalar, catalogue::Range, linalg};
use scatter::{Scatters, deviation, laplacian_products, scatters};

parameters! {
    RegressionDiscriminant: RegressionDiscriminantParams, RegressionDiscriminantValidParams;
    required {
        components: usize, Range::AtLeast(1), "The number of directions.";
    }
    default {
        /// The threshold must be > 0.
        threshold: f64 = 0.5, Range::Positive, "The threshold α between near and distant targets, in units of the targets' standard deviation.";
        weight: PairWeight = PairWeight::Distance, Range::Word(PairWeight::WORDS), "The weight of a pair of samples.";
        /// The ridge must be ≥ 0.
        ridge: f64 = 1.0, Range::NotNegative, "The ridge ρ, in units of the n-th part of both scatters together.";
    }
}

const NAME: &str = "RegressionDiscriminant";

/// The weight of a pair of samples, from the difference d of its targets and the threshold τ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PairWeight {
    /// ||d| − τ|
    #[default]
    Distance,
    /// √||d| − τ|
    Root,
    /// 1, for every pair.
    Equal,
}

npt_core::words_of_parameter!(PairWeight {
    Distance: "distance",
    Root: "root",
    Equal: "equal"
});

/// Discriminant analysis for regression: directions along which samples with distant targets are far
/// apart, and samples with near targets close together.
///
/// # Definition
/// Targets are near if they differ by no more than τ = ασ, with σ their standard deviation (the
/// root of the mean square). f is the weight of a pair, n_b and n_w are the numbers of pairs i < j with
/// distant and with near targets. With
///
/// S_b = 1/n_b Σ f(yᵢ − yⱼ)(xᵢ − xⱼ)(xᵢ − xⱼ)ᵀ over the distant ones,
/// S_w the same sum over the near ones (0 if there are none),
///
/// the directions w maximise, one after the other,
///
/// wᵀS_b w / (wᵀS_w w + μ‖w‖²), μ = ρ·tr(S_b + S_w)/n,
///
/// normalised to wᵀS_w w + μ‖w‖² = 1. The scores of x are wₖᵀ(x − x̄). Each direction points to where
/// the training score of largest magnitude is positive.
///
/// A scatter is XᵀLX with the Laplacian L = D − F of the weights F and their row sums D. Only some rows of L are
/// formed at a time: the work is n² for each feature, the memory that of X.
///
/// # Errors
/// [`Error::NoContrast`] where no targets are distant, as for targets that are all the same;
/// [`Error::Components`] for more directions than features; [`Error::Parameter`] for 0 components,
/// α ≤ 0, ρ < 0 or NaN; [`Error::Singular`] where ρ is too small, 0 in particular, for a singular S_w;
/// [`npt_core::Error::TargetNotFinite`], [`Error::Overflow`]; [`Error::Weights`] for samples with weights; [`Error::Core`] for the
/// records, with `NoVariance` if they are all the same.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Transformer}};
/// use ndarray::array;
/// use npt_methods::linear::{PairWeight, RegressionDiscriminant};
///
/// // The targets are along the second feature; the first varies more.
/// let data = Dataset::new(
///     array![[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [4.0, 1.0]],
///     array![0.0, 0.0, 1.0, 1.0_f64],
/// );
/// let model = RegressionDiscriminant::params(1)
///     .threshold(1.0)
///     .weight(PairWeight::Equal)
///     .ridge(2.0)
///     .fit(&data)?;
/// // τ = σ = ½. S_w = diag(16, 0); of four distant pairs, two differ by (0, 1), two by (±4, 1):
/// // S_b = diag(8, 1). μ = 2·25/4. The first direction has 8/(16 + 12.5), the second 1/12.5.
/// assert!((model.eigenvalues()[0] - 8.0 / 28.5).abs() < 1e-15);
/// let model = RegressionDiscriminant::params(1).weight(PairWeight::Equal).ridge(0.01).fit(&data)?;
/// // μ = 1/16: 8/(16 + 1/16) and 16.
/// assert!((model.eigenvalues()[0] - 16.0).abs() < 1e-13);
/// assert!(model.axes()[[0, 0]].abs() < 1e-13);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// N. Kwak, J.-W. Lee, "Feature extraction based on subspace methods for regression problems",
/// Neurocomputing 73, 2010.
///
/// N. Kwak, "Kernel discriminant analysis for regression problems", Pattern Recognition 45(5), 2012.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RegressionDiscriminant<F> {
    mean: Array1<F>,
    /// One row per direction.
    axes: Array2<F>,
    eigenvalues: Array1<F>,
    threshold: F,
    /// μ
    mu: F,
}

impl RegressionDiscriminant<f64> {
    /// Parameters for `components` directions, at least 1, with threshold ½σ and ridge 1.
    pub fn params(components: usize) -> RegressionDiscriminantParams {
        RegressionDiscriminantParams(RegressionDiscriminantValidParams::new(components))
    }
}

impl<F: Scalar> RegressionDiscriminant<F> {
    /// The values of the criterion, descending.
    pub fn eigenvalues(&self) -> ArrayView1<'_, F> {
        self.eigenvalues.view()
    }

    /// The directions w, shape (components, features).
    pub fn axes(&self) -> ArrayView2<'_, F> {
        self.axes.view()
    }

    /// The threshold τ, in units of the targets.
    pub fn threshold(&self) -> F {
        self.threshold
    }

    fn scores(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        project(x, &self.mean, self.axes.view())
    }
}

impl<F: Scalar, T: AsSingleTargets<Elem = F>> npt_core::ExpansionMethod<F, T, Error>
    for RegressionDiscriminantParams
{
    fn has_dual_coefficients(&self) -> bool {
        self.0.ridge > 0.0
    }

    /// Computes the coefficients from μw = S_b w/θ − S_w w = Xᵀ(L_b z/θ − L_w z), for the scores z.
    fn dual_coefficients(
        &self,
        model: &RegressionDiscriminant<F>,
        data: &DatasetBase<Array2<F>, T>,
    ) -> Option<Array2<F>> {
        let y = data.as_single_targets().to_owned();
        let z = model.scores(data.records.view());
        let [between, within] = laplacian_products(&z, &y, model.threshold, self.0.weight);
        let dual = (between / &model.eigenvalues - within) / model.mu;
        dual.iter().all(|v| v.is_finite()).then_some(dual)
    }
}

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for RegressionDiscriminantValidParams
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsSingleTargets<Elem = F>,
{
    type Object = RegressionDiscriminant<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Self::Object, Error> {
        let mut x = unweighted_records("fits of RegressionDiscriminant", dataset)?;
        let y = checked_targets(dataset.targets())?.remove_axis(Axis(1));
        let (requested, available) = (self.components, x.ncols());
        if requested > available {
            return Err(Error::Components {
                requested,
                available,
            });
        }
        let mean = center(&mut x);
        let threshold = F::cast(self.threshold) * deviation(&y);
        let scatters = scatters(&x, &y, threshold, self.weight)?;
        let trace = scatters.between.diag().sum() + scatters.within.diag().sum();
        require_extent(NAME, &x, trace)?;
        let unit = trace / F::cast(x.nrows());
        let (eigenvalues, mut axes) = self.directions(scatters, unit)?;
        let scores = linalg::product(x.view(), axes.t());
        for (mut axis, scores) in axes.outer_iter_mut().zip(scores.axis_iter(Axis(1))) {
            axis *= sign_of_largest(scores);
        }
        require_finite(NAME, axes.iter().chain(&eigenvalues))?;
        Ok(RegressionDiscriminant {
            mean,
            axes,
            eigenvalues,
            threshold,
            mu: F::cast(self.ridge) * unit,
        })
    }
}

impl RegressionDiscriminantValidParams {
    /// Returns the leading θ and w (rows) of S_b w = θ(S_w + μI)w. With S_w + μI = LLᵀ, they are those of the symmetric
    /// matrix L⁻¹S_bL⁻ᵀ. `unit` is the μ of ridge 1.
    fn directions<F: Scalar>(
        &self,
        scatters: Scatters<F>,
        unit: F,
    ) -> Result<(Array1<F>, Array2<F>), Error> {
        let (between, mut within) = (scatters.between, scatters.within);
        let mu = F::cast(self.ridge) * unit;
        within.diag_mut().mapv_inplace(|v| v + mu);
        require_finite(NAME, within.iter())?;
        let terms = scatters.terms_within;
        if !regular_cholesky(&mut within, &(&terms + mu))? {
            let least = rounding::<F>(within.nrows()) * largest(&terms);
            return Err(Error::Singular {
                of: NAME,
                parameter: "ridge",
                value: self.ridge,
                least: (least / unit).as_f64(),
            });
        }
        let l = within.view();
        let half = linalg::solve_lower(l, between.view());
        let whitened = linalg::solve_lower(l, half.t());
        let (values, vectors) = linalg::eigh(&whitened)?;
        let kept = vectors.slice(s![.., ..self.components]);
        let axes = linalg::solve_lower_transposed(l, kept);
        Ok((
            values.slice(s![..self.components]).to_owned(),
            axes.reversed_axes().as_standard_layout().into_owned(),
        ))
    }
}

predict_scores!(RegressionDiscriminant);
axes_projection!(RegressionDiscriminant<F>);

npt_core::checked! {
    RegressionDiscriminant<F> {
        mean: Array1<F>,
        axes: Array2<F>,
        eigenvalues: Array1<F>,
        threshold: F,
        mu: F,
    }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> RegressionDiscriminant<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, method, not_negative};
        crate::parts::check_axes(&self.mean, &self.axes)?;
        agree(
            "eigenvalues",
            self.eigenvalues.len(),
            "axes",
            self.axes.nrows(),
        )?;
        finite("the eigenvalues", &self.eigenvalues)?;
        not_negative("the threshold", self.threshold)?;
        not_negative("μ", self.mu)?;
        method::maps::<Self>(self.mean.len(), self.axes.nrows());
        Ok(())
    }
}
