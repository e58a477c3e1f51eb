//! Scores of probabilities and of decision values.

use super::{Probabilities, assert_counts};
use ndarray::{Array1, ArrayBase, Data, Ix1};
use npt_core::Scalar;

/// The smallest probability that a logarithm is taken of, as in scikit-learn: a class of probability 0 that comes true costs 36.
const LEAST: f64 = f64::EPSILON;

/// The mean of −ln p over the samples, where p is the probability that was given to the sample's own class: 0 at best. Its negative
/// is a score for [`GridSearch`](super::GridSearch).
///
/// Probabilities below 2.2·10⁻¹⁶ count as 2.2·10⁻¹⁶, and so does the probability of a class that the model does not know.
///
/// # Panics
/// Panics if there are not as many labels as rows of probabilities, or none.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_methods::model_selection::{Probabilities, log_loss};
///
/// let p = Probabilities { classes: vec!["a", "b"], values: array![[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]] };
/// let expected = -(0.9_f64.ln() + 0.5_f64.ln() + 0.2_f64.ln()) / 3.0;
/// assert!((log_loss(&p, &array!["a", "b", "a"]) - expected).abs() < 1e-15);
/// ```
pub fn log_loss<F, L, T, D>(probabilities: &Probabilities<F, L>, truth: &ArrayBase<D, Ix1>) -> f64
where
    F: Scalar,
    L: PartialEq<T>,
    D: Data<Elem = T>,
{
    assert_counts(probabilities.values.nrows(), truth.len());
    let rows = probabilities.values.outer_iter().zip(truth);
    let losses = rows.map(|(row, truth)| {
        let place = probabilities.classes.iter().position(|l| l == truth);
        let p = place.map_or(0.0, |place| row[place].as_f64());
        // NaN stays NaN.
        -(if p < LEAST { LEAST } else { p }).ln()
    });
    losses.sum::<f64>() / truth.len() as f64
}

/// The area under the [`roc_curve`]: the share of the pairs of a `true` sample and a `false` one in which the value of the `true` sample is
/// larger; equal values count half. 1 is a perfect order, ½ none. A score for [`GridSearch`](super::GridSearch).
///
/// NaN where all of the truth is one class, or a value is NaN.
///
/// # Panics
/// Panics if there are not as many values as samples, or none.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_methods::model_selection::area_under_curve;
///
/// // Of four pairs three are in order, and one is equal.
/// let area = area_under_curve(&array![0.1, 0.4, 0.4, 0.8], &array![false, false, true, true]);
/// assert_eq!(area, 3.5 / 4.0);
/// ```
///
/// # References
/// T. Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27(8), 2006. doi:10.1016/j.patrec.2005.10.010
pub fn area_under_curve<F, D, E>(values: &ArrayBase<D, Ix1>, truth: &ArrayBase<E, Ix1>) -> f64
where
    F: Scalar,
    D: Data<Elem = F>,
    E: Data<Elem = bool>,
{
    let curve = roc_curve(values, truth);
    let of_steps = curve.windows(2).map(|step| {
        let [[x, y], [next_x, next_y]] = [step[0], step[1]];
        (next_x - x) * f64::midpoint(y, next_y)
    });
    of_steps.sum()
}

/// The shares of false and of true positives, `[false, true]`, for each level from which values may count as positive, from [0, 0] to [1, 1].
///
/// NaN where all of the truth is one class, or a value is NaN.
///
/// # Panics
/// As [`area_under_curve`].
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_methods::model_selection::roc_curve;
///
/// let curve = roc_curve(&array![0.1, 0.4, 0.35, 0.8], &array![false, false, true, true]);
/// assert_eq!(curve, [[0.0, 0.0], [0.0, 0.5], [0.5, 0.5], [0.5, 1.0], [1.0, 1.0]]);
/// ```
pub fn roc_curve<F, D, E>(values: &ArrayBase<D, Ix1>, truth: &ArrayBase<E, Ix1>) -> Vec<[f64; 2]>
where
    F: Scalar,
    D: Data<Elem = F>,
    E: Data<Elem = bool>,
{
    assert_counts(values.len(), truth.len());
    let values: Array1<f64> = values.iter().map(|value| value.as_f64()).collect();
    if values.iter().any(|value| value.is_nan()) {
        return vec![[f64::NAN; 2]; 2];
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let positives = truth.iter().filter(|&&is| is).count();
    let counts = [truth.len() - positives, positives].map(|count| count as f64);
    let (mut curve, mut above) = (vec![[0.0; 2]], [0.0; 2]);
    // Equal values are all on one side of a level. −0 and 0 are equal.
    for level in order.chunk_by(|&a, &b| values[a] == values[b]) {
        for &sample in level {
            above[usize::from(truth[sample])] += 1.0;
        }
        curve.push([above[0] / counts[0], above[1] / counts[1]]);
    }
    if counts.contains(&0.0) {
        curve[0] = [f64::NAN; 2];
    }
    curve
}
