//! Candidates that are fitted to coordinates.

use super::{Evaluate, Outcome, Plan, Problem, Road, ScalarOf, failed};
use crate::{
    Error,
    model_selection::{Answer, Score},
};
use linfa::{
    dataset::{AsTargets, Records},
    traits::Fit,
};
use ndarray::{Array, Array2};
use npt_core::{AsSamples, Kernelized, KernelizedError, SpaceBuilder};

/// The road of [`Kernelized`] methods. A space evaluates its kernel once. The coordinates of a fold are found from these values
/// once, and serve all methods.
///
///
/// On this road the model of a [`GaussianProcess`](crate::GaussianProcess) keeps the space, and predicts through it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ByCoordinates;

impl<M, B> Road<M, B> for ByCoordinates {
    type Estimator = Kernelized<M, B>;

    fn estimator(&self, method: M, builder: B) -> Kernelized<M, B> {
        Kernelized::new(method, builder)
    }
}

impl<M, B, R, T, E> Evaluate<M, B, R, T, KernelizedError<E>> for ByCoordinates
where
    R: Records + AsSamples + Sync,
    T: AsTargets,
    T::Elem: Clone + Send + Sync + 'static,
    B: SpaceBuilder<R::Samples>,
    M: Fit<Array2<ScalarOf<R::Samples, B>>, Array<T::Elem, T::Ix>, E> + Sync,
    E: std::error::Error + From<linfa::Error> + Send,
{
    type Method = M::Object;
    type Values = Array2<ScalarOf<R::Samples, B>>;

    fn check(&self, records: &R) -> Result<(), Error> {
        records.as_samples()?;
        Ok(())
    }

    fn outcomes<U, V, S>(
        &self,
        plan: &Plan<'_, M, B>,
        problem: &Problem<'_, R, T::Elem, T::Ix>,
        score: &S,
    ) -> Result<Vec<Outcome<V, KernelizedError<E>>>, Error>
    where
        U: Answer<Self::Method, Self::Values>,
        V: Score,
        S: Fn(&U, &Array<T::Elem, T::Ix>) -> V + Sync,
    {
        let samples = problem.records.as_samples()?;
        Ok(plan.each_space(problem, |space, methods| {
            let subsets = space.subsets(samples.as_ref())?;
            Ok(problem.evaluate(|fold| {
                let (y, new) = match subsets.coordinates(&fold.training, fold.held_out) {
                    Ok(coordinates) => coordinates,
                    Err(error) => return failed(&error, methods.len()),
                };
                let data = fold.dataset(y);
                let outcome = |method: &M| {
                    let model = method.fit(&data).map_err(KernelizedError::Method)?;
                    Ok(fold.score(&model, &new, score))
                };
                fold.each(methods, outcome)
            }))
        }))
    }
}
