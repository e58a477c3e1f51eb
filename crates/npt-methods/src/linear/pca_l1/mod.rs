//! Principal components by the sum of magnitudes.

mod ascent;

use super::{
    Weights, axes_projection, parameters, predict_scores, project, sign_of_largest, unit_of,
    weighed_records,
};

use crate::{Error, error::require_finite};
use ascent::{AT_ONCE, Maximum, Votes};
use linfa::{
    DatasetBase,
    dataset::AsTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Ix2, concatenate, s};
use npt_core::{Scalar, catalogue::Range};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256Plus;

parameters! {
    PcaL1: PcaL1Params, PcaL1ValidParams;
    required {
        components: usize, Range::AtLeast(1), "The number of components.";
    }
    default {
        /// The first start points to the sample farthest from the mean, the others are sums of all samples with random signs.
        starts: usize = 10, Range::AtLeast(1), "The number of directions from which each component starts; the best objective wins.";
        /// Some tens of iterations are usual.
        max_iterations: usize = 1000, Range::AtLeast(1), "The most iterations from one start.";
        seed: u64 = 0, Range::AtLeast(0), "The seed of the random signs.";
    }
}

/// Principal component analysis by the L1 norm: directions of largest mean *magnitude*, not
/// variance, so that outliers count once and not squared.
///
/// # Definition
/// With the rows xᵢ centred at their mean, w maximises Σ |wᵀxᵢ| over ‖w‖ = 1. From a start w, the algorithm
/// repeats w ← Σ sign(wᵀxᵢ)·xᵢ, normalised. This never lowers the objective, and ends after
/// finitely many steps in a local maximum. Where some wᵀxᵢ = 0 at the end, w is moved slightly and
/// goes on (step 4b). Further components follow greedily on xᵢ − w·wᵀxᵢ. The scores of x are
/// wₖᵀ(x − x̄). Each axis points to where the training score of largest magnitude is positive. With sample weights the
/// mean and all sums are weighted: a weight of 2 is a sample twice, except for the random starts, which see rows.
///
/// Neither starts nor moves depend on the axes of the records: rotated records give rotated axes.
///
/// # Errors
/// [`Error::Parameter`] for a parameter of 0, [`Error::Components`] for more components than the
/// rank of the records, [`Error::NotConverged`] with the objective, [`Error::Overflow`] where an
/// objective, or the length of a centred record, is no number of the type, [`npt_core::Error::Weight`],
/// [`npt_core::Error::NoWeight`] if all weights are 0, [`Error::Core`] for the records.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::Fit};
/// use ndarray::array;
/// use npt_methods::linear::{Pca, PcaL1};
///
/// // Points along the first axis, and an outlier across.
/// let mut points: Vec<[f64; 2]> = (-10..=10).map(|i| [f64::from(i), 0.0]).collect();
/// points.extend([[0.0, 30.0], [0.0, -30.0]]);
/// let points = DatasetBase::from(ndarray::Array2::from(points));
/// assert_eq!(Pca::params(1).fit(&points)?.axes()[[0, 0]].abs().round(), 0.0);
/// let robust = PcaL1::params(1).fit(&points)?;
/// assert!(robust.axes()[[0, 0]].abs() > 0.8);
/// assert!(robust.objectives()[0] > 110.0);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// N. Kwak, "Principal Component Analysis Based on L1-Norm Maximization", IEEE TPAMI 30(9), 2008,
/// algorithm 1. doi:10.1109/TPAMI.2008.114
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PcaL1<F> {
    mean: Array1<F>,
    /// One row per component.
    axes: Array2<F>,
    objectives: Array1<F>,
    iterations: Vec<usize>,
}

impl PcaL1<f64> {
    /// Parameters for `components` components, at least 1.
    pub fn params(components: usize) -> PcaL1Params {
        PcaL1Params(PcaL1ValidParams::new(components))
    }
}

impl<F: Scalar> PcaL1<F> {
    /// The objective Σ |wᵀxᵢ| of each component, on what the components before it left of the records; weighted if samples are.
    pub fn objectives(&self) -> ArrayView1<'_, F> {
        self.objectives.view()
    }

    /// The number of iterations that each component took, over all its starts.
    pub fn iterations(&self) -> &[usize] {
        &self.iterations
    }

    /// The axes, shape (components, features), orthonormal.
    pub fn axes(&self) -> ArrayView2<'_, F> {
        self.axes.view()
    }

    fn scores(&self, x: ArrayView2<'_, F>) -> Array2<F> {
        project(x, &self.mean, self.axes.view())
    }
}

impl<F: Scalar, T: AsTargets> npt_core::ExpansionMethod<F, T, Error> for PcaL1Params {
    fn has_dual_coefficients(&self) -> bool {
        true
    }

    /// Computes the coefficients of each axis: it is the sum of the records, each with the sign of its score, without what lies
    /// along the axes before it. The length of the sum is the objective.
    fn dual_coefficients(
        &self,
        model: &PcaL1<F>,
        data: &DatasetBase<Array2<F>, T>,
    ) -> Option<Array2<F>> {
        let (weights, unit_weight) = Weights::of_dataset(data).ok()?.in_unit();
        let scores = weights.select(model.scores(data.records.view()));
        let signs = scores.mapv(|z| if z < F::zero() { -F::one() } else { F::one() });
        let mut dual = weights.times(signs);
        for k in 0..dual.ncols() {
            let (before, mut axis) = dual.view_mut().split_at(Axis(1), k);
            let mut axis = axis.column_mut(0);
            let along = scores.slice(s![.., ..k]).t().dot(&axis);
            axis -= &before.dot(&along);
            axis /= model.objectives[k] / unit_weight;
        }
        if weights.given().is_some() {
            weights.of_uncentered(&mut dual);
        }
        let dual = weights.spread(dual);
        dual.iter().all(|v| v.is_finite()).then_some(dual)
    }
}

impl<F: Scalar, D: Data<Elem = F>, T: AsTargets> Fit<ArrayBase<D, Ix2>, T, Error>
    for PcaL1ValidParams
{
    type Object = PcaL1<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<PcaL1<F>, Error> {
        let (mut x, weights) = weighed_records(dataset)?;
        let (weights, unit_weight) = weights.in_unit();
        let unit = unit_of(&x);
        x /= unit;
        let mean = weights.center(&mut x) * unit;
        let mut rng = Xoshiro256Plus::seed_from_u64(self.seed);
        let lengths = x.outer_iter().map(|row| row.dot(&row).sqrt());
        let longest = lengths.fold(F::zero(), F::max);
        require_finite("PcaL1", [longest * unit].iter())?;
        // Deflation leaves rounding of this size behind.
        let noise = F::cast(x.nrows().max(8)) * F::epsilon() * longest;

        let requested = self.components;
        let mut axes = Array2::zeros((requested, x.ncols()));
        let mut objectives = Array1::zeros(requested);
        let mut iterations = Vec::with_capacity(requested);
        for available in 0..requested {
            // Rows that deflation has used up must not vote by their noise.
            for mut row in x.outer_iter_mut() {
                if row.dot(&row).sqrt() <= noise {
                    row.fill(F::zero());
                }
            }
            if x.iter().all(|&v| v == F::zero()) {
                return Err(Error::Components {
                    requested,
                    available,
                });
            }
            let votes = Votes {
                x: &x,
                weights: &weights,
            };
            let (best, steps) = self.highest(votes, unit, &mut rng)?;
            iterations.push(steps);
            let scores = votes.scores(best.axis.view().insert_axis(Axis(1)));
            let scores = scores.remove_axis(Axis(1));
            for (mut row, &score) in x.outer_iter_mut().zip(&scores) {
                row.scaled_add(-score, &best.axis);
            }
            axes.row_mut(available)
                .assign(&(&best.axis * sign_of_largest(scores.view())));
            objectives[available] = best.objective * unit * unit_weight;
        }
        require_finite("PcaL1", objectives.iter())?;
        Ok(PcaL1 {
            mean,
            axes,
            objectives,
            iterations,
        })
    }
}

impl PcaL1ValidParams {
    /// Returns the highest of the local maxima that the starts find, and the number of iterations of all starts.
    fn highest<F: Scalar>(
        &self,
        votes: Votes<'_, F>,
        unit: F,
        rng: &mut impl Rng,
    ) -> Result<(Maximum<F>, usize), Error> {
        let mut highest = None;
        let mut iterations = 0;
        for first in (0..self.starts).step_by(AT_ONCE) {
            let count = AT_ONCE.min(self.starts - first);
            let starts = if first == 0 {
                let farthest = votes.farthest().insert_axis(Axis(1));
                concatenate![Axis(1), farthest, votes.random_sums(count - 1, rng)]
            } else {
                votes.random_sums(count, rng)
            };
            let maxima = votes.climb(&starts, self.max_iterations, unit, rng)?;
            iterations += maxima.iter().map(|found| found.iterations).sum::<usize>();
            highest = highest.into_iter().chain(maxima).reduce(better);
        }
        Ok((highest.expect("at least one start"), iterations))
    }
}

/// Returns the first of two maxima unless the second is higher. Equal maxima from several starts must not change places by rounding.
fn better<F: Scalar>(best: Maximum<F>, found: Maximum<F>) -> Maximum<F> {
    if found.objective > best.objective * (F::one() + F::epsilon().sqrt()) {
        found
    } else {
        best
    }
}

predict_scores!(PcaL1);
axes_projection!(PcaL1<F>);

npt_core::checked! {
    PcaL1<F> { mean: Array1<F>, axes: Array2<F>, objectives: Array1<F>, iterations: Vec<usize> }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> PcaL1<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, method};
        let axes = self.axes.nrows();
        crate::parts::check_axes(&self.mean, &self.axes)?;
        agree("objectives", self.objectives.len(), "axes", axes)?;
        agree("numbers of iterations", self.iterations.len(), "axes", axes)?;
        finite("the objectives", &self.objectives)?;
        method::maps::<Self>(self.mean.len(), self.axes.nrows());
        Ok(())
    }
}
