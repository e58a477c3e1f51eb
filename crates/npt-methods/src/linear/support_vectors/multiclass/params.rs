//! Parameters, and how classifiers of two classes make one of many.

use super::{MulticlassSvc, pairs::pairs};
use crate::linear::parameters;
use ndarray::ArrayView1;
use npt_core::{Scalar, catalogue::Range};

parameters! {
    MulticlassSvc: MulticlassSvcParams, MulticlassSvcValidParams;
    default {
        /// The penalty must be > 0.
        c: f64 = 1.0, Range::Positive, "The penalty C of margin violations.";
        /// The penalty of a class in a pair is multiplied by n/(kn_c): n_c of all n samples of k classes are in it, counted by
        /// weight. Of one class against the rest, each side is one class.
        balanced: bool = false, Range::Boolean, "Whether all classes count as much.";
        /// The tolerance must be > 0. See [`SvcParams::tolerance`](crate::linear::SvcParams::tolerance).
        tolerance: f64 = 1e-3, Range::Positive, "The largest violation of the optimality conditions at which the solver stops, in units of the margin.";
        strategy: Strategy = Strategy::OneAgainstOne, Range::Word(Strategy::WORDS), "The way in which classifiers of two classes make one of many.";
    }
}

/// The way in which classifiers of two classes make one of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Strategy {
    /// A classifier for each pair of classes, which votes for one of them. The class with most
    /// votes wins. Of several such classes, the one with the largest sum of its decision values wins; if there are
    /// still several, the first.
    #[default]
    OneAgainstOne,
    /// A classifier for each class, against all others. The class with the largest decision value
    /// wins; if there are several, the first.
    OneAgainstRest,
}

npt_core::words_of_parameter!(Strategy {
    OneAgainstOne: "one_against_one",
    OneAgainstRest: "one_against_rest"
});

impl MulticlassSvc<f64, ()> {
    /// Parameters with C = 1, one classifier per pair of classes, and tolerance 10⁻³.
    pub fn params() -> MulticlassSvcParams {
        MulticlassSvcParams(MulticlassSvcValidParams::new())
    }
}

impl Strategy {
    /// Returns the position of the class, among `classes`, that the values of the functions decide for.
    pub(super) fn decide<F: Scalar>(self, classes: usize, values: ArrayView1<'_, F>) -> usize {
        let nothing = (0, F::zero());
        let mut optimality = vec![nothing; classes];
        match self {
            Self::OneAgainstOne => {
                for ((a, b), &value) in pairs(classes).zip(values) {
                    optimality[if value >= F::zero() { a } else { b }].0 += 1;
                    optimality[a].1 += value;
                    optimality[b].1 -= value;
                }
            }
            Self::OneAgainstRest => {
                for (class, &value) in optimality.iter_mut().zip(values) {
                    class.1 = value;
                }
            }
        }
        let mut best = 0;
        for class in 1..optimality.len() {
            if optimality[class] > optimality[best] {
                best = class;
            }
        }
        best
    }
}
