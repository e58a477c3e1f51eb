//! Fisher's linear discriminant.

mod generalised_eigh;
mod of_moments;

use super::{
    Weights, axes_projection, classifier, groups, largest, parameters, project, regular_cholesky,
    require_extent, rounding, sign_of_largest, weighed_records,
};
use crate::{Error, error::require_finite};
use generalised_eigh::generalised_eigh;
use linfa::{
    DatasetBase, Label,
    dataset::AsSingleTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Ix2};
use npt_core::{Scalar, catalogue::Range, linalg};

parameters! {
    Lda: LdaParams, LdaValidParams;
    default {
        /// The ridge must be ≥ 0.
        ridge: f64 = 1.0, Range::NotNegative, "The ridge ρ, in units of the mean squared distance from the mean.";
        scatter: Scatter = Scatter::Between, Range::Word(Scatter::WORDS), "The scatter that is maximised against the one within classes.";
        /// A fit to moments then needs the scatter within each class
        /// ([`ClassMoments::with_class_scatters`](crate::streaming::ClassMoments::with_class_scatters)).
        balanced: bool = false, Range::Boolean, "Whether all classes count as much, as if each sample of a rarer class were several.";
    }
    optional {
        components: usize, Range::AtLeast(1), "The number of discriminants; by default one less than there are classes, or the number of features if that is smaller.";
    }
}

/// The scatter that the discriminant maximises against the scatter within classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Scatter {
    /// The scatter of the class means: Fisher's criterion.
    #[default]
    Between,
    /// The scatter of all samples, as in equations 22 and 25 of N. Kwak 2013. Without a ridge it gives the
    /// same directions, with eigenvalues larger by 1; with a ridge, slightly different directions.
    Total,
}

npt_core::words_of_parameter!(Scatter {
    Between: "between",
    Total: "total"
});

/// Fisher's linear discriminant for any number of classes, regularised by a ridge: directions in
/// which class means are far apart and classes narrow.
///
/// # Definition
/// The directions w maximise, one after the other,
///
/// J(w) = wᵀSw / (wᵀS_W w + μ‖w‖²)
///
/// with S_W = Σᵢ (xᵢ − m_c(i))(xᵢ − m_c(i))ᵀ and μ = ρ·tr(S_T)/n. S is either S_B = Σ_c n_c (m_c − x̄)(m_c − x̄)ᵀ or
/// S_T = S_B + S_W. The directions are normalised to wᵀS_W w + μ‖w‖² = 1. The scores of x are
/// wₖᵀ(x − x̄); `predict` gives the class whose mean has the nearest scores. Each direction points
/// to where the class mean of largest magnitude is positive. With sample weights, means and scatters are weighted, and
/// n_c and n are sums of weights: a weight of 2 is a sample twice. [`balanced`](LdaParams::balanced) makes all classes
/// count equally.
///
/// # Errors
/// [`Error::Classes`] for fewer than two classes, [`Error::Components`] for more discriminants than
/// there are, [`Error::Parameter`] for ρ < 0, NaN or infinite. [`Error::Singular`] where ρ is too
/// small, 0 in particular, for a singular S_W; [`Error::Overflow`]; [`npt_core::Error::Weight`], and
/// [`npt_core::Error::NoWeight`] if all weights are 0; [`Error::Core`] for the records, with `NoVariance` if they are all the same.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict, Transformer}};
/// use ndarray::array;
/// use npt_methods::linear::Lda;
///
/// let data = Dataset::new(
///     array![[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [4.0, 1.0]],
///     array!["low", "low", "high", "high"],
/// );
/// // S_W = diag(16, 0), S_B = diag(0, 1), μ = 2·tr(S_T)/4 = 8.5
/// let lda = Lda::params().ridge(2.0).fit(&data)?;
/// assert!((lda.eigenvalues()[0] - 1.0_f64 / 8.5).abs() < 1e-15);
/// assert_eq!(&lda.predict(&data), data.targets());
/// assert_eq!(lda.transform(array![[9.0, 2.0]]).dim(), (1, 1));
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// R. Fisher, "The Use of Multiple Measurements in Taxonomic Problems", Annals of Eugenics 7(2),
/// 1936. doi:10.1111/j.1469-1809.1936.tb02137.x
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Lda<F, L> {
    /// The classes, ascending.
    classes: Vec<L>,
    mean: Array1<F>,
    /// One row per discriminant.
    axes: Array2<F>,
    /// The scores of the class means, one row per class.
    class_scores: Array2<F>,
    eigenvalues: Array1<F>,
}

impl Lda<f64, ()> {
    /// Parameters for one discriminant less than classes, with ridge 1 and the between-class scatter.
    pub fn params() -> LdaParams {
        LdaParams(LdaValidParams::new())
    }
}

impl<F: Scalar, L> Lda<F, L> {
    /// Returns the classes, and this discriminant with the positions of the classes as labels.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::{Fit, Predict}};
    /// use ndarray::{Array1, array};
    /// use npt_methods::linear::Lda;
    ///
    /// let x = array![[0.0], [1.0], [4.0], [5.0]];
    /// let data = Dataset::new(x.clone(), array!["a", "a", "b", "b"]);
    /// let (classes, by_position) = Lda::params().fit(&data)?.by_position();
    /// let positions: Array1<usize> = by_position.predict(&x);
    /// assert_eq!((classes, positions), (vec!["a", "b"], array![0, 0, 1, 1]));
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn by_position(self) -> (Vec<L>, Lda<F, usize>) {
        let Self {
            classes,
            mean,
            axes,
            class_scores,
            eigenvalues,
        } = self;
        let by_position = Lda {
            classes: (0..classes.len()).collect(),
            mean,
            axes,
            class_scores,
            eigenvalues,
        };
        (classes, by_position)
    }

    /// The values of J, descending.
    pub fn eigenvalues(&self) -> ArrayView1<'_, F> {
        self.eigenvalues.view()
    }

    /// The discriminant directions w, shape (components, features).
    pub fn axes(&self) -> ArrayView2<'_, F> {
        self.axes.view()
    }

    /// The classes, ascending.
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// The scores of the class means, shape (classes, components).
    pub fn class_scores(&self) -> ArrayView2<'_, F> {
        self.class_scores.view()
    }

    /// Returns ⟨z, m_c⟩ − ½‖m_c‖² for the scores z of each row and the scores m_c of the class means, shape (rows of x, classes).
    /// The largest value is that of the class with the nearest mean.
    pub fn decision_function<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        let half = F::cast(0.5);
        let lengths = self.class_scores.map_axis(Axis(1), |m| half * m.dot(&m));
        linalg::product(self.scores(x.view()).view(), self.class_scores.t()) - lengths
    }

    fn scores(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        project(x, &self.mean, self.axes.view())
    }
}

impl<F: Scalar, L: Label, T: AsSingleTargets<Elem = L>> npt_core::ExpansionMethod<F, T, Error>
    for LdaParams
{
    fn has_dual_coefficients(&self) -> bool {
        self.0.ridge > 0.0
    }

    /// Computes the coefficients from μw = S_B w/θ − S_W w. S_B w = Σ z̄ᵢxᵢ and S_W w = Σ (zᵢ − z̄ᵢ)xᵢ for the scores zᵢ and
    /// their class means z̄ᵢ; with the total scatter, S_T w = Σ zᵢxᵢ takes the place of S_B w.
    fn dual_coefficients(
        &self,
        model: &Lda<F, L>,
        data: &DatasetBase<Array2<F>, T>,
    ) -> Option<Array2<F>> {
        let weights = Weights::of_dataset(data).ok()?;
        let groups = groups(&weights.select(data.as_single_targets().to_owned()));
        let weights = weights.balanced_if(self.0.balanced, &groups);
        let mut x = weights.select(data.records.clone());
        weights.center(&mut x);
        let mu = F::cast(self.0.ridge) * mean_square(&x, &weights);
        let mut dual = linalg::product(x.view(), model.axes.t());
        for rows in groups.into_values() {
            // The mean of these very scores, from which their differences sum to 0.
            let mean = weights.mean_of(&dual, &rows);
            for i in rows {
                for (k, z) in dual.row_mut(i).iter_mut().enumerate() {
                    let explained = match self.0.scatter {
                        Scatter::Between => mean[k],
                        Scatter::Total => *z,
                    };
                    *z = (explained / model.eigenvalues[k] - (*z - mean[k])) / mu;
                }
            }
        }
        let dual = weights.spread(weights.times(dual));
        dual.iter().all(|v| v.is_finite()).then_some(dual)
    }
}

/// Returns the mean squared length of rows.
fn mean_square<F: Scalar>(x: &Array2<F>, weights: &Weights<F>) -> F {
    let squares = x.mapv(|v| v * v);
    weights.times(squares).sum() / weights.total()
}

impl<F, L, D, T> Fit<ArrayBase<D, Ix2>, T, Error> for LdaValidParams
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
    T: AsSingleTargets<Elem = L>,
{
    type Object = Lda<F, L>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Lda<F, L>, Error> {
        let (mut x, weights) = weighed_records(dataset)?;
        let features = x.ncols();
        let members = groups(&weights.select(dataset.as_single_targets().to_owned()));
        let requested = self.discriminants(features, members.len())?;
        let weights = weights.balanced_if(self.balanced, &members);

        let mean = weights.center(&mut x);
        let unit = mean_square(&x, &weights);
        require_extent("Lda", &x, unit)?;
        let mut class_means = Array2::zeros((members.len(), features));
        let mut within = x.clone();
        for (mut class_mean, rows) in class_means.outer_iter_mut().zip(members.values()) {
            class_mean.assign(&weights.mean_of(&x, rows));
            for &row in rows {
                let mut row = within.row_mut(row);
                row -= &class_mean;
            }
        }
        let within = linalg::symmetric_rank_k(weights.times_roots(within).view());
        let lower = self.denominator(within, unit, 0.0)?;
        let numerator = match self.scatter {
            Scatter::Between => {
                let sizes: Array1<F> = members
                    .values()
                    .map(|rows| F::cast(weights.sum_of(rows)))
                    .collect();
                weighted(&class_means, &sizes)
            }
            Scatter::Total => weights.times_roots(x),
        };
        let (eigenvalues, axes) = generalised_eigh(&numerator, &lower, requested)?;
        let classes = members.into_keys().collect();
        Ok(Lda::new(classes, mean, &class_means, axes, eigenvalues))
    }
}

/// Returns the class means times the roots of the class sizes, whose scatter is S_B.
fn weighted<F: Scalar>(class_means: &Array2<F>, sizes: &Array1<F>) -> Array2<F> {
    class_means * &sizes.mapv(F::sqrt).insert_axis(Axis(1))
}

impl LdaValidParams {
    /// Returns the number of discriminants to find.
    fn discriminants(&self, features: usize, classes: usize) -> Result<usize, Error> {
        if classes < 2 {
            return Err(Error::Classes { found: classes });
        }
        let of_means = features.min(classes - 1);
        let available = match self.scatter {
            Scatter::Between => of_means,
            Scatter::Total => features,
        };
        let requested = self.components.unwrap_or(of_means);
        if requested > available {
            return Err(Error::Components {
                requested,
                available,
            });
        }
        Ok(requested)
    }

    /// Returns L with LLᵀ = S_W + μI, from S_W and the μ of ridge 1 (`unit`). The share `known` of the trace of S_W is its rounding,
    /// or the rounding of its sums.
    fn denominator<F: Scalar>(
        &self,
        within: Array2<F>,
        unit: F,
        known: f64,
    ) -> Result<Array2<F>, Error> {
        let mut matrix = within;
        let unknown = F::cast(known) * matrix.diag().sum();
        let level = rounding::<F>(matrix.nrows());
        let least = (level * largest(&matrix.diag())).max(unknown);
        let mu = F::cast(self.ridge) * unit;
        matrix.diag_mut().mapv_inplace(|v| v + mu);
        require_finite("Lda", matrix.iter())?;
        let terms = matrix.diag().mapv(|v| v.max(unknown / level));
        if regular_cholesky(&mut matrix, &terms)? {
            return Ok(matrix);
        }
        Err(Error::Singular {
            of: "Lda",
            parameter: "ridge",
            value: self.ridge,
            least: (least / unit).as_f64(),
        })
    }
}

impl<F: Scalar, L> Lda<F, L> {
    /// Makes a discriminant from class means less the mean of all samples.
    fn new(
        classes: Vec<L>,
        mean: Array1<F>,
        class_means: &Array2<F>,
        axes: Array2<F>,
        eigenvalues: Array1<F>,
    ) -> Self {
        let mut lda = Self {
            classes,
            class_scores: linalg::product(class_means.view(), axes.t()),
            mean,
            axes,
            eigenvalues,
        };
        lda.fix_signs();
        lda
    }

    /// Returns whether scores are nearer to the mean of one class than to that of another, that is, on its side of the
    /// plane half-way between the two means. Far from both, the distances themselves are equal to rounding.
    fn is_nearer(&self, scores: ArrayView1<'_, F>, class: usize, than: usize) -> bool {
        let (a, b) = (self.class_scores.row(than), self.class_scores.row(class));
        let half = F::cast(0.5);
        let along = scores.iter().zip(a.iter().zip(b));
        let terms = along.map(|(&s, (&a, &b))| (b - a) * (s - half * (a + b)));
        terms.sum::<F>() > F::zero()
    }

    fn fix_signs(&mut self) {
        let columns = self.class_scores.axis_iter_mut(Axis(1));
        for (mut axis, mut scores) in self.axes.outer_iter_mut().zip(columns) {
            let sign = sign_of_largest(scores.view());
            axis *= sign;
            scores *= sign;
        }
    }
}

impl<F, L, D> PredictInplace<ArrayBase<D, Ix2>, Array1<L>> for Lda<F, L>
where
    F: Scalar,
    L: Label,
    D: Data<Elem = F>,
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<L>) {
        for (scores, label) in self.scores(x.view()).outer_iter().zip(y.iter_mut()) {
            let mut nearest = 0;
            for class in 1..self.classes.len() {
                if self.is_nearer(scores, class, nearest) {
                    nearest = class;
                }
            }
            *label = self.classes[nearest].clone();
        }
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<L> {
        Array1::from_elem(x.nrows(), L::default())
    }
}

classifier!(Lda);

axes_projection!(Lda<F, L>);

npt_core::checked! {
    Lda<F, L> {
        classes: Vec<L>,
        mean: Array1<F>,
        axes: Array2<F>,
        class_scores: Array2<F>,
        eigenvalues: Array1<F>,
    }
    where F: Scalar, L: Ord + 'static
}

#[cfg(feature = "serde")]
impl<F: Scalar, L: Ord + 'static> Lda<F, L> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, method};
        let (axes, (rows, columns)) = (self.axes.nrows(), self.class_scores.dim());
        crate::parts::check_classes(&self.classes)?;
        crate::parts::check_axes(&self.mean, &self.axes)?;
        agree("rows of class scores", rows, "classes", self.classes.len())?;
        agree("columns of class scores", columns, "axes", axes)?;
        agree("eigenvalues", self.eigenvalues.len(), "axes", axes)?;
        let numbers = self.class_scores.iter().chain(&self.eigenvalues);
        finite("the class scores and eigenvalues", numbers)?;
        method::maps::<Self>(self.mean.len(), self.axes.nrows());
        Ok(())
    }
}
