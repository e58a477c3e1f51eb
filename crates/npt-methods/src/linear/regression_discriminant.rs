//! Discriminant analysis for regression.

use super::{
    centre, checked_records, checked_targets, guarded_params, project, projection, rounding,
    sign_of_largest,
};
use crate::{
    Error,
    error::{require, require_finite, require_not_negative},
};
use linfa::{
    DatasetBase,
    dataset::AsSingleTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Ix2, s};
use npt_core::{Scalar, linalg};

guarded_params!(
    RegressionDiscriminantParams,
    RegressionDiscriminantValidParams
);

/// Rows of the matrix of pair weights that are at hand at a time.
const PANEL: usize = 256;

/// How much a pair of samples counts, by how far the difference of its targets is from the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PairWeight {
    /// ||d| − τ|
    #[default]
    Distance,
    /// √||d| − τ|
    Root,
    /// 1, for every pair.
    Equal,
}

impl PairWeight {
    fn of<F: Scalar>(self, beyond: F) -> F {
        match self {
            Self::Distance => beyond.abs(),
            Self::Root => beyond.abs().sqrt(),
            Self::Equal => F::one(),
        }
    }
}

/// Parameters of [`RegressionDiscriminant`].
#[derive(Debug, Clone, PartialEq)]
pub struct RegressionDiscriminantValidParams {
    components: usize,
    threshold: f64,
    weight: PairWeight,
    ridge: f64,
}

impl RegressionDiscriminantValidParams {
    fn validate(&self) -> Result<(), Error> {
        let of = "RegressionDiscriminant";
        require(self.components > 0, of, "components", 0.0, "at least 1")?;
        let positive = self.threshold > 0.0 && self.threshold.is_finite();
        let allowed = "finite and above 0";
        require(positive, of, "threshold", self.threshold, allowed)?;
        require_not_negative(of, "ridge", self.ridge)
    }
}

impl RegressionDiscriminantParams {
    /// The threshold α > 0 between near and distant targets, ½ by default, in units of the targets'
    /// standard deviation.
    pub fn threshold(mut self, threshold: f64) -> Self {
        self.0.threshold = threshold;
        self
    }

    /// The weight of a pair, [`PairWeight::Distance`] by default.
    pub fn weight(mut self, weight: PairWeight) -> Self {
        self.0.weight = weight;
        self
    }

    /// The ridge ρ ≥ 0, 1 by default, in units of the n-th part of both scatters together.
    pub fn ridge(mut self, ridge: f64) -> Self {
        self.0.ridge = ridge;
        self
    }
}

/// Discriminant analysis for regression: directions along which samples with distant targets are far
/// apart, and samples with near targets close together.
///
/// # Definition
/// Targets are near if they differ by no more than τ = ασ, with σ their standard deviation (the
/// root of the mean square). With f the weight of a pair and n_b, n_w the numbers of pairs i < j with
/// distant and with near targets,
///
/// S_b = 1/n_b Σ f(yᵢ − yⱼ)(xᵢ − xⱼ)(xᵢ − xⱼ)ᵀ over the distant ones,
/// S_w the same over the near ones (0 if there are none),
///
/// the directions w maximise, one after the other,
///
/// wᵀS_b w / (wᵀS_w w + μ‖w‖²), μ = ρ·tr(S_b + S_w)/n,
///
/// normalised to wᵀS_w w + μ‖w‖² = 1. The scores of x are wₖᵀ(x − x̄). Each direction points to where
/// the training score of largest magnitude is positive.
///
/// A scatter is XᵀLX with the Laplacian L = D − F of the weights F and their row sums D, of which
/// some rows at a time are formed: the work is n² for each feature, the memory that of X.
///
/// # Errors
/// [`Error::NoContrast`] where no targets are distant, as for targets that are all the same;
/// [`Error::Components`] for more directions than features; [`Error::Parameter`] for 0 components,
/// α ≤ 0, ρ < 0 or NaN; [`Error::Singular`] where ρ is too small, 0 in particular, for a singular S_w;
/// [`Error::TargetNotFinite`], [`Error::Overflow`]; [`Error::Core`] for the records.
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
pub struct RegressionDiscriminant<F> {
    mean: Array1<F>,
    /// One row a direction.
    axes: Array2<F>,
    eigenvalues: Array1<F>,
    threshold: F,
}

impl RegressionDiscriminant<f64> {
    /// `components` directions, at least 1; threshold ½σ, ridge 1.
    pub fn params(components: usize) -> RegressionDiscriminantParams {
        RegressionDiscriminantParams(RegressionDiscriminantValidParams {
            components,
            threshold: 0.5,
            weight: PairWeight::default(),
            ridge: 1.0,
        })
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

impl<F, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for RegressionDiscriminantValidParams
where
    F: Scalar,
    D: Data<Elem = F>,
    T: AsSingleTargets<Elem = F>,
{
    type Object = RegressionDiscriminant<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Self::Object, Error> {
        let mut x = checked_records(dataset)?;
        let y = checked_targets(dataset.targets())?.remove_axis(Axis(1));
        let (requested, available) = (self.components, x.ncols());
        if requested > available {
            return Err(Error::Components {
                requested,
                available,
            });
        }
        let mean = centre(&mut x);
        let threshold = F::cast(self.threshold) * deviation(&y);
        let [between, within] = scatters(&x, &y, threshold, self.weight)?;
        let trace = between.diag().sum() + within.diag().sum();
        let mu = F::cast(self.ridge) * trace / F::cast(x.nrows());
        let (eigenvalues, mut axes) = self.directions(&between, within, mu)?;
        let scores = linalg::product(x.view(), axes.t());
        for (mut axis, scores) in axes.outer_iter_mut().zip(scores.axis_iter(Axis(1))) {
            axis *= sign_of_largest(scores);
        }
        require_finite("RegressionDiscriminant", axes.iter().chain(&eigenvalues))?;
        Ok(RegressionDiscriminant {
            mean,
            axes,
            eigenvalues,
            threshold,
        })
    }
}

impl RegressionDiscriminantValidParams {
    /// The leading θ and w (rows) of S_b w = θ(S_w + μI)w, with S_w + μI = LLᵀ those of the symmetric
    /// matrix L⁻¹S_bL⁻ᵀ.
    fn directions<F: Scalar>(
        &self,
        between: &Array2<F>,
        mut within: Array2<F>,
        mu: F,
    ) -> Result<(Array1<F>, Array2<F>), Error> {
        let level = rounding::<F>(within.nrows());
        let least = level * within.diag().fold(F::zero(), |m, &v| m.max(v));
        within.diag_mut().mapv_inplace(|v| v + mu);
        require_finite("RegressionDiscriminant", within.iter())?;
        let singular = || Error::Singular {
            of: "RegressionDiscriminant",
            parameter: "ridge",
            value: self.ridge,
            least: if mu > F::zero() {
                self.ridge * (least / mu).as_f64()
            } else {
                0.0
            },
        };
        let l = linalg::cholesky(&within).map_err(|_| singular())?;
        let mut pivots = l.diag().into_iter().zip(within.diag());
        if pivots.any(|(&p, &d)| p * p <= level * d) {
            return Err(singular());
        }
        let half = linalg::solve_lower(l.view(), between.view());
        let whitened = linalg::solve_lower(l.view(), half.t());
        let (values, vectors) = linalg::eigh(&whitened)?;
        let kept = vectors.slice(s![.., ..self.components]);
        let axes = linalg::solve_lower_transposed(l.view(), kept);
        Ok((
            values.slice(s![..self.components]).to_owned(),
            axes.reversed_axes().as_standard_layout().into_owned(),
        ))
    }
}

/// The root of the mean squared distance from the mean; 0 for equal values.
fn deviation<F: Scalar>(y: &Array1<F>) -> F {
    let largest = y.fold(F::zero(), |m, &v| m.max(v.abs()));
    if !(largest > F::zero()) || y.iter().all(|&v| v == y[0]) {
        return F::zero();
    }
    // Scaled, so that squares neither overflow nor vanish.
    let scaled = y / largest;
    let mean = scaled.mean().expect("there are targets");
    let mean_square = scaled.mapv(|v| (v - mean) * (v - mean)).mean();
    mean_square.expect("there are targets").sqrt() * largest
}

/// S_b and S_w.
fn scatters<F: Scalar>(
    x: &Array2<F>,
    y: &Array1<F>,
    threshold: F,
    weight: PairWeight,
) -> Result<[Array2<F>; 2], Error> {
    let features = x.ncols();
    // Both from one pass, side by side: Σ over pairs of either kind is XᵀLX.
    let mut sums = [(); 2].map(|()| Array2::<F>::zeros((features, features)));
    let mut counts = [0_usize; 2];
    for start in (0..y.len()).step_by(PANEL) {
        let end = (start + PANEL).min(y.len());
        let rows = x.slice(s![start..end, ..]);
        let mut weights = [(); 2].map(|()| Array2::<F>::zeros((end - start, y.len())));
        for i in start..end {
            for j in 0..y.len() {
                if i == j {
                    continue;
                }
                let beyond = (y[i] - y[j]).abs() - threshold;
                let kind = usize::from(!(beyond > F::zero()));
                counts[kind] += 1;
                weights[kind][[i - start, j]] = weight.of(beyond);
            }
        }
        for (sum, weights) in sums.iter_mut().zip(&weights) {
            let degrees = weights.sum_axis(Axis(1)).insert_axis(Axis(1));
            let laplacian = &rows * &degrees - linalg::product(weights.view(), x.view());
            *sum += &linalg::product(rows.t(), laplacian.view());
        }
    }
    if counts[0] == 0 {
        return Err(Error::NoContrast {
            threshold: threshold.as_f64(),
        });
    }
    for (sum, &count) in sums.iter_mut().zip(&counts) {
        // Each pair was counted from both ends, in the Laplacian once.
        let pairs = F::cast(count.max(2) / 2);
        *sum = (&*sum + &sum.t()) / (pairs + pairs);
    }
    require_finite("RegressionDiscriminant", sums.iter().flatten())?;
    Ok(sums)
}

impl<F: Scalar, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array2<F>>
    for RegressionDiscriminant<F>
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array2<F>) {
        y.assign(&self.scores(x.view()));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        Array2::zeros((x.nrows(), self.axes.nrows()))
    }
}

projection!(RegressionDiscriminant<F>);

impl<F: Scalar> npt_core::LinearFunctions<F> for RegressionDiscriminant<F> {
    /// The scores.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        super::projection_functions(&self.mean, self.axes.view())
    }
}

impl<F: Scalar> npt_core::FoldBack<F> for RegressionDiscriminant<F> {
    type Folded = Self;

    fn folded(&self) -> Self {
        Self {
            mean: Array1::zeros(self.axes.nrows()),
            axes: Array2::eye(self.axes.nrows()),
            ..self.clone()
        }
    }
}
