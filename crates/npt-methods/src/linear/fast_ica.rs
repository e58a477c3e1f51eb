//! Independent component analysis.

use super::{
    Contrast, Weights, largest, parameters, project, projection, rounding, sign_of_largest,
    weighed_records, whitening::whiten,
};
use crate::{Error, error::require_finite};
use linfa::{
    DatasetBase,
    dataset::AsTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView2, Axis, Data, Ix2};
use npt_core::{Scalar, catalogue::Range, linalg, watch::Progress};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

parameters! {
    FastIca: FastIcaParams, FastIcaValidParams;
    default {
        contrast: Contrast = Contrast::LogCosh, Range::Word(Contrast::WORDS), "The contrast function, which tells sources from Gaussian noise.";
        /// The tolerance must be > 0. A tolerance below the rounding of the scalar is raised to that rounding.
        tolerance: f64 = 1e-4, Range::Positive, "The change of a row of W, of length 1, in the last iteration at which it stops.";
        /// Some tens of iterations are usual.
        max_iterations: usize = 1000, Range::AtLeast(1), "The most iterations.";
        seed: u64 = 0, Range::AtLeast(0), "The seed of the random start.";
    }
    optional {
        /// The default is the rank.
        components: usize, Range::AtLeast(1), "The number of sources, looked for among as many principal components.";
    }
}

/// Independent component analysis by symmetric FastICA, which finds all sources at once. The records are a linear mixture of
/// sources that are as independent as possible, that is, as far from Gaussian as possible.
///
/// # Definition
/// The records are centred, and whitened along their principal components to z. From an orthogonal
/// W, drawn at random, rows follow w ← E z g(wᵀz) − E g′(wᵀz)·w, and all of them
/// W ← (WWᵀ)^-½W, until they change no more. The sources of x are s = Wz, uncorrelated and of variance
/// 1 (divided by n) over the training records: s = U(x − x̄), U the unmixing matrix. The mixing
/// matrix A = E (x − x̄)sᵀ gives the records back, x̄ + As, as far as the components kept do.
///
/// Order and signs of sources are not determined by the records. Here the least Gaussian source comes first,
/// by (E G(s) − E G(ν))², ν Gaussian, and each source is positive where its magnitude is largest. With sample weights all means
/// are weighted: a weight of 2 is a sample twice.
///
/// # Errors
/// [`Error::NotConverged`] after the last iteration, which is likely for Gaussian records, and where
/// the rows of a step are dependent;
/// [`Error::Parameter`]; [`Error::Components`] for more than the rank of the records, which is 0 for
/// a single one; [`Error::Overflow`] for records whose differences or sources are out of range;
/// [`npt_core::Error::Weight`], and [`npt_core::Error::NoWeight`] if all weights are 0; [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::{Array2, array};
/// use npt_methods::linear::FastIca;
///
/// // Every combination of a source of ±1 with one of −2, 0 and 2, mixed.
/// let sources: Array2<f64> =
///     array![[1.0, -2.0], [1.0, 0.0], [1.0, 2.0], [-1.0, -2.0], [-1.0, 0.0], [-1.0, 2.0]];
/// let mixture = sources.dot(&array![[1.0, 0.3], [0.5, 1.0]]);
/// let ica = FastIca::params().tolerance(1e-12).fit(&DatasetBase::from(mixture.clone()))?;
/// let found = ica.transform(mixture);
/// // The first source, up to its sign; the second at variance 1.
/// let first = &found.column(0) * found[[0, 0]].signum();
/// assert!((&first - &sources.column(0)).iter().all(|d| d.abs() < 1e-12));
/// assert!((found[[2, 1]].abs() - 1.5_f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// A. Hyvärinen, "Fast and Robust Fixed-Point Algorithms for Independent Component Analysis", IEEE
/// Transactions on Neural Networks 10(3), 1999. doi:10.1109/72.761722
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FastIca<F> {
    mean: Array1<F>,
    /// U, one row per source.
    unmixing: Array2<F>,
    /// A, one column per source.
    mixing: Array2<F>,
    iterations: usize,
}

impl FastIca<f64> {
    /// Parameters for as many sources as the rank, with contrast log cosh and tolerance 10⁻⁴.
    pub fn params() -> FastIcaParams {
        FastIcaParams(FastIcaValidParams::new())
    }
}

impl<F: Scalar> FastIca<F> {
    /// The unmixing matrix U, shape (sources, features).
    pub fn unmixing(&self) -> ArrayView2<'_, F> {
        self.unmixing.view()
    }

    /// The mixing matrix A, shape (features, sources).
    pub fn mixing(&self) -> ArrayView2<'_, F> {
        self.mixing.view()
    }

    /// The number of iterations that the fit took.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    fn scores(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        project(x, &self.mean, self.unmixing.view())
    }
}

impl<F: Scalar, T: AsTargets> npt_core::ExpansionMethod<F, T, Error> for FastIcaParams {
    fn has_dual_coefficients(&self) -> bool {
        true
    }

    /// U is the pseudoinverse of A = XᵀS/n, with S the sources of the centred records X: U =
    /// (AᵀA)⁻¹Aᵀ, and (AᵀA)⁻¹ = UUᵀ. So Uᵀ = Xᵀα for α = SUUᵀ/n.
    fn dual_coefficients(
        &self,
        model: &FastIca<F>,
        data: &DatasetBase<Array2<F>, T>,
    ) -> Option<Array2<F>> {
        let (weights, _) = Weights::of_dataset(data).ok()?.in_unit();
        let sources = weights.select(model.scores(data.records.view()));
        let dual = sources.dot(&model.unmixing.dot(&model.unmixing.t())) / weights.total();
        Some(weights.spread(weights.times(dual)))
    }
}

impl<F: Scalar, D: Data<Elem = F>, T: AsTargets> Fit<ArrayBase<D, Ix2>, T, Error>
    for FastIcaValidParams
{
    type Object = FastIca<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<FastIca<F>, Error> {
        let (mut x, weights) = weighed_records(dataset)?;
        let (weights, _) = weights.in_unit();
        let mean = weights.center(&mut x);
        // Scaled, so that squares neither overflow nor vanish.
        require_finite("FastIca", x.iter())?;
        let scale = largest(&x);
        if !(scale > F::zero()) {
            return Err(Error::Components {
                requested: self.components.unwrap_or(1),
                available: 0,
            });
        }
        x /= scale;
        let mut white = whiten(x.view(), &weights, 0.0, self.components)?;
        // Eigenvectors have either sign; the start must not depend on which.
        for (mut axis, mut scores) in white.axes.outer_iter_mut().zip(white.scores.columns_mut()) {
            let sign = sign_of_largest(scores.view());
            axis *= sign;
            scores *= sign;
        }
        let (w, iterations) = self.iterate(white.scores.view(), &weights)?;
        let (w, sources) = self.in_order(&w, white.scores.view(), &weights);
        let unmixing = linalg::product(w.view(), white.axes.view()) / scale;
        let mixing = linalg::product(x.t(), weights.times(sources).view());
        let mixing = mixing / weights.total() * scale;
        require_finite("FastIca", unmixing.iter().chain(&mixing))?;
        Ok(FastIca {
            mean,
            unmixing,
            mixing,
            iterations,
        })
    }
}

impl FastIcaValidParams {
    /// Returns the fixed point W for white z, one row per sample, and the number of iterations to it.
    fn iterate<F: Scalar>(
        &self,
        z: ArrayView2<'_, F>,
        weights: &Weights<F>,
    ) -> Result<(Array2<F>, usize), Error> {
        let size = z.ncols();
        let mut rng = Xoshiro256Plus::seed_from_u64(self.seed);
        let start =
            Array2::from_shape_simple_fn((size, size), || F::cast(rng.gen_range(-1.0..1.0)));
        let mut change = F::cast(2);
        let mut w = decorrelate(&start)?.ok_or_else(|| not_converged(change))?;
        let tolerance = F::cast(self.tolerance).max(F::cast(10) * rounding(size));
        let mut progress = Progress::start("FastICA", None);
        for iterations in 1..=self.max_iterations {
            let step = self.step(z, &w, weights);
            let next = decorrelate(&step)?.ok_or_else(|| not_converged(change))?;
            change = w
                .outer_iter()
                .zip(next.outer_iter())
                // A source may come back with the other sign.
                .map(|(old, new)| {
                    let moved = &new - &(&old * old.dot(&new).signum());
                    moved.dot(&moved).sqrt()
                })
                .fold(F::zero(), F::max);
            w = next;
            let last_change = change.as_f64();
            let finished = progress.should_finish(iterations, "the change of W", last_change);
            if finished || change <= tolerance {
                return Ok((w, iterations));
            }
        }
        Err(not_converged(change))
    }

    /// Computes E z g(wᵀz) − E g′(wᵀz)·w for each row w of W.
    fn step<F: Scalar>(
        &self,
        z: ArrayView2<'_, F>,
        w: &Array2<F>,
        weights: &Weights<F>,
    ) -> Array2<F> {
        let mut g = linalg::product(z, w.t());
        let mut slopes = Array1::zeros(w.nrows());
        for (i, mut row) in g.outer_iter_mut().enumerate() {
            let weight = weights.of(i);
            for (s, slope) in row.iter_mut().zip(slopes.iter_mut()) {
                let (_, g, derivative) = self.contrast.at(*s);
                *s = weight * g;
                *slope += weight * derivative;
            }
        }
        let own = w * &slopes.insert_axis(Axis(1));
        (linalg::product(g.t(), z) - own) / weights.total()
    }

    /// Returns the rows of W and their sources, the least Gaussian first, with their signs fixed.
    fn in_order<F: Scalar>(
        &self,
        w: &Array2<F>,
        z: ArrayView2<'_, F>,
        weights: &Weights<F>,
    ) -> (Array2<F>, Array2<F>) {
        let sources = linalg::product(z, w.t());
        let from_gaussian: Vec<F> = sources
            .columns()
            .into_iter()
            .map(|source| {
                let total = weights
                    .times_each(source.mapv(|s| self.contrast.at(s).0))
                    .sum();
                (total / weights.total() - self.contrast.of_gaussian()).abs()
            })
            .collect();
        let mut order: Vec<usize> = (0..w.nrows()).collect();
        order.sort_by(|&i, &j| {
            let descending = from_gaussian[j].partial_cmp(&from_gaussian[i]);
            descending.expect("means of finite values")
        });
        let (mut w, mut sources) = (w.select(Axis(0), &order), sources.select(Axis(1), &order));
        for (mut row, mut source) in w.outer_iter_mut().zip(sources.columns_mut()) {
            let sign = sign_of_largest(source.view());
            row *= sign;
            source *= sign;
        }
        (w, sources)
    }
}

/// Returns (WWᵀ)^-½W, the nearest orthogonal matrix, or `None` if W is singular to rounding.
fn decorrelate<F: Scalar>(w: &Array2<F>) -> Result<Option<Array2<F>>, Error> {
    let mut w = w / largest(w).max(F::min_positive_value());
    // Twice, as small eigenvalues are known only to the rounding of the largest.
    for _ in 0..2 {
        let (values, vectors) = linalg::eigh(&linalg::symmetric_rank_k(w.t()))?;
        let floor = rounding::<F>(w.nrows()) * values[0];
        if !(values[values.len() - 1] > floor) {
            return Ok(None);
        }
        let turned = linalg::product(vectors.t(), w.view());
        let scaled = turned / values.mapv(F::sqrt).insert_axis(Axis(1));
        w = linalg::product(vectors.view(), scaled.view());
    }
    Ok(Some(w))
}

fn not_converged<F: Scalar>(change: F) -> Error {
    Error::NotConverged {
        method: "FastIca",
        measure: "the change of a step",
        value: change.as_f64(),
    }
}

impl<F: Scalar, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array2<F>> for FastIca<F> {
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array2<F>) {
        y.assign(&self.scores(x.view()));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        Array2::zeros((x.nrows(), self.unmixing.nrows()))
    }
}

projection!(FastIca<F>);

impl<F: Scalar> npt_core::LinearFunctions<F> for FastIca<F> {
    /// Returns the sources as linear functions.
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        super::projection_functions(&self.mean, self.unmixing.view())
    }
}

impl<F: Scalar> npt_core::Expand<F> for FastIca<F> {
    type Expanded = Self;

    fn expanded(&self) -> Self {
        Self {
            mean: Array1::zeros(self.unmixing.nrows()),
            unmixing: Array2::eye(self.unmixing.nrows()),
            mixing: Array2::eye(self.unmixing.nrows()),
            ..self.clone()
        }
    }
}

npt_core::checked! {
    FastIca<F> { mean: Array1<F>, unmixing: Array2<F>, mixing: Array2<F>, iterations: usize }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> FastIca<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, method};
        let ((sources, features), (rows, columns)) = (self.unmixing.dim(), self.mixing.dim());
        crate::parts::check_axes(&self.mean, &self.unmixing)?;
        agree("rows of the mixing matrix", rows, "features", features)?;
        agree("columns of the mixing matrix", columns, "sources", sources)?;
        finite("the entries of the mixing matrix", &self.mixing)?;
        method::maps::<Self>(features, sources);
        Ok(())
    }
}
