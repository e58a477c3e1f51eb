//! Choosing kernels and parameters by cross-validation, with the kernel evaluated once.

mod folds;
mod grid;
mod kernel_grid;
mod problem;
mod scores;
mod subsets;

pub use folds::Folds;
pub use grid::GridSearch;
pub use scores::{Candidate, Scores};
pub use subsets::{KernelMatrixOf, SubsetBuilder, Subsets, SubsetsOf};

use ndarray::{ArrayBase, Data, Ix1};

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
pub fn accuracy<L, A, B>(predicted: &ArrayBase<A, Ix1>, truth: &ArrayBase<B, Ix1>) -> f64
where
    L: PartialEq,
    A: Data<Elem = L>,
    B: Data<Elem = L>,
{
    assert_eq!(predicted.len(), truth.len(), "one prediction a label");
    assert!(!truth.is_empty(), "there are labels");
    let right = predicted.iter().zip(truth).filter(|(p, t)| p == t).count();
    right as f64 / truth.len() as f64
}
