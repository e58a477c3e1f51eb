//! The roads by which the candidates of a search are fitted to the folds.

mod after;
mod by_coordinates;
mod by_kernel_values;

pub use after::After;
pub use by_coordinates::ByCoordinates;
pub use by_kernel_values::ByKernelValues;

use super::{
    Answer, Score,
    problem::{Outcome, Problem, failed},
};
use crate::Error;
use linfa::dataset::{AsTargets, Records, TargetDim};
use ndarray::Array;
use npt_core::{KernelSpace, KernelizedError, SpaceBuilder};

/// A way to make an estimator from a method and the builder of a space.
pub trait Road<M, B> {
    /// The estimator.
    type Estimator;

    /// Makes a candidate, to be fitted.
    fn estimator(&self, method: M, builder: B) -> Self::Estimator;
}

/// A [`Road`] whose estimators can be compared by a search. Estimators are fitted to records `R` and targets `T`, or fail with `X`; these are
/// the parameters of linfa's [`Fit`](linfa::traits::Fit).
pub trait Evaluate<M, B, R, T: AsTargets, X>: Road<M, B> {
    /// The part of a fitted candidate that a score sees: the method, or the part of it that is kept beside its expansion.
    type Method;

    /// The values that this part predicts from: coordinates of new records, or the values of its functions.
    type Values;

    /// Refuses records that no candidate could be fitted to.
    #[doc(hidden)]
    fn check(&self, records: &R) -> Result<(), Error>;

    /// The outcomes of all candidates, by candidate, then fold.
    #[doc(hidden)]
    fn outcomes<U, V, S>(
        &self,
        plan: &Plan<'_, M, B>,
        problem: &Problem<'_, R, T::Elem, T::Ix>,
        score: &S,
    ) -> Result<Vec<Outcome<V, X>>, Error>
    where
        U: Answer<Self::Method, Self::Values>,
        V: Score,
        S: Fn(&U, &Array<T::Elem, T::Ix>) -> V + Sync;
}

/// The spaces of a search, and the methods that run in them.
#[derive(Debug)]
pub struct Plan<'a, M, B> {
    pub(super) spaces: &'a [B],
    pub(super) methods: &'a [M],
    /// True if each space has one method, which is the method at its place.
    pub(super) is_paired: bool,
}

impl<M, B> Plan<'_, M, B> {
    /// The methods of a space.
    fn methods_of(&self, space: usize) -> &[M] {
        if self.is_paired {
            std::slice::from_ref(&self.methods[space])
        } else {
            self.methods
        }
    }

    /// Returns the number of pairs of a space and a method.
    fn candidates(&self) -> usize {
        if self.is_paired {
            self.spaces.len()
        } else {
            self.spaces.len() * self.methods.len()
        }
    }

    /// Returns the outcomes of every space and its methods, as `evaluate` finds them. Its error is the outcome of all fits in a space.
    fn each_space<R: Records, L: Clone, I: TargetDim, V: Clone, E>(
        &self,
        problem: &Problem<'_, R, L, I>,
        evaluate: impl Fn(&B, &[M]) -> Result<Vec<Outcome<V, KernelizedError<E>>>, npt_core::Error>,
    ) -> Vec<Outcome<V, KernelizedError<E>>> {
        let mut outcomes = Vec::new();
        for (place, space) in self.spaces.iter().enumerate() {
            let methods = self.methods_of(place);
            let fits = problem.turns() * methods.len();
            let of_space = evaluate(space, methods);
            outcomes.extend(of_space.unwrap_or_else(|error| {
                problem.steps.take(fits);
                failed(&error, fits)
            }));
            if problem.is_whole() {
                let (done, spaces) = (place + 1, self.spaces.len());
                tracing::info!(
                    target: "npt::model_selection",
                    done,
                    spaces,
                    fits = outcomes.len(),
                    "space evaluated"
                );
            }
        }
        outcomes
    }
}

/// The scalar of the coordinates.
type ScalarOf<S, B> = <<B as SpaceBuilder<S>>::Space as KernelSpace>::Scalar;
