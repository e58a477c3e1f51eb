//! Choosing kernels and parameters by cross-validation, with the kernel evaluated once.

mod answers;
mod any_exact;
mod best;
mod candidates;
mod folds;
mod grid;
mod nested;
mod problem;
mod ranking;
mod records;
mod road;
mod scores;
mod table;

pub use answers::{Answer, Decisions, Probabilities};
pub use any_exact::AnyExact;
pub use best::{Best, SearchError};
pub use candidates::{Candidates, log_uniform};
pub use folds::Folds;
pub use grid::GridSearch;
pub use nested::NestedScores;
pub use ranking::{area_under_curve, log_loss, roc_curve};
pub use records::SelectRecords;
use road::Plan;
pub use road::{After, ByCoordinates, ByKernelValues, Evaluate, Road};
pub use scores::{Candidate, Score, Scores};

use linfa::Label;
use ndarray::{ArrayBase, Data, Ix1};
use std::collections::BTreeMap;

/// The share of labels that are predicted right, in [0, 1]: a score for [`GridSearch`].
///
/// # Panics
/// Panics if there are not as many labels as predictions, or none.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_methods::model_selection::accuracy;
///
/// assert_eq!(accuracy(&array!["a", "b", "b", "a"], &array!["a", "b", "a", "a"]), 0.75);
/// ```
pub fn accuracy<P, L, A, B>(predicted: &ArrayBase<A, Ix1>, truth: &ArrayBase<B, Ix1>) -> f64
where
    P: PartialEq<L>,
    A: Data<Elem = P>,
    B: Data<Elem = L>,
{
    assert_counts(predicted.len(), truth.len());
    let right = predicted.iter().zip(truth).filter(|(p, t)| p == t).count();
    right as f64 / truth.len() as f64
}

/// The mean, over the classes of the truth, of the share of a class that is predicted right, in [0, 1]: rare classes count as much as
/// frequent ones. A score for [`GridSearch`].
///
/// # Panics
/// Panics if there are not as many labels as predictions, or none.
///
/// # Example
/// ```
/// use ndarray::{Array1, array};
/// use npt_methods::model_selection::balanced_accuracy;
///
/// let truth = array!["frequent", "frequent", "frequent", "rare"];
/// assert_eq!(balanced_accuracy(&Array1::from_elem(4, "frequent"), &truth), 0.5);
/// ```
pub fn balanced_accuracy<P, L, A, B>(
    predicted: &ArrayBase<A, Ix1>,
    truth: &ArrayBase<B, Ix1>,
) -> f64
where
    P: PartialEq<L>,
    L: Label,
    A: Data<Elem = P>,
    B: Data<Elem = L>,
{
    assert_counts(predicted.len(), truth.len());
    // The number of members of each class, and how many of them are predicted right.
    let mut classes: BTreeMap<&L, [usize; 2]> = BTreeMap::new();
    for (predicted, truth) in predicted.iter().zip(truth) {
        let [members, right] = classes.entry(truth).or_default();
        *members += 1;
        *right += usize::from(predicted == truth);
    }
    let shares = classes
        .values()
        .map(|&[members, right]| right as f64 / members as f64);
    shares.sum::<f64>() / classes.len() as f64
}

fn assert_counts(predictions: usize, labels: usize) {
    assert_eq!(predictions, labels, "one prediction a label");
    assert!(labels > 0, "there are labels");
}
