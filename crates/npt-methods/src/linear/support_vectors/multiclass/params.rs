//! Parameters, and how classifiers of two classes make one of many.

use super::{super::require_positive, MulticlassSvc, pairs::pairs};
use crate::{Error, linear::guarded_params};
use ndarray::ArrayView1;
use npt_core::Scalar;

guarded_params!(MulticlassSvc, MulticlassSvcParams, MulticlassSvcValidParams);

/// How classifiers of two classes make one of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Strategy {
    /// A classifier for each pair of classes, which votes for one of them. The class with most
    /// votes wins; of several, the one with the largest sum of its decision values; of several
    /// still, the first.
    #[default]
    OneAgainstOne,
    /// A classifier for each class, against all others. The class with the largest decision value
    /// wins; of several, the first.
    OneAgainstRest,
}

/// Parameters of [`MulticlassSvc`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MulticlassSvcValidParams {
    pub(in super::super) c: f64,
    pub(in super::super) tolerance: f64,
    pub(in super::super) strategy: Strategy,
    pub(in super::super) balanced: bool,
}

impl MulticlassSvcValidParams {
    fn validate(&self) -> Result<(), Error> {
        require_positive("MulticlassSvc", "c", self.c)?;
        require_positive("MulticlassSvc", "tolerance", self.tolerance)
    }
}

impl MulticlassSvcParams {
    /// The penalty C > 0 of margin violations, 1 by default.
    pub fn c(mut self, c: f64) -> Self {
        self.0.c = c;
        self
    }

    /// Whether all classes count as much: in each pair, the penalty of a class is times n/(kn_c), with n_c of all n samples of
    /// k classes, or sums of sample weights. Of one class against the rest, each side is one class. False by default.
    pub fn balanced(mut self, balanced: bool) -> Self {
        self.0.balanced = balanced;
        self
    }

    /// See [`SvcParams::tolerance`](crate::linear::SvcParams::tolerance); 10⁻³ by default.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.0.tolerance = tolerance;
        self
    }

    /// One classifier a pair of classes (the default), or one a class.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.0.strategy = strategy;
        self
    }
}

impl MulticlassSvc<f64, ()> {
    /// C = 1, one classifier a pair of classes, tolerance 10⁻³.
    pub fn params() -> MulticlassSvcParams {
        MulticlassSvcParams(MulticlassSvcValidParams {
            c: 1.0,
            tolerance: 1e-3,
            strategy: Strategy::default(),
            balanced: false,
        })
    }
}

impl Strategy {
    /// The position of the class, of so many, that the values of the functions decide for.
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
