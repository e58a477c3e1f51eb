//! Candidates behind a transformer.

use super::{Evaluate, Outcome, Plan, Problem, Road};
use crate::{Error, model_selection::Score};
use linfa::{
    dataset::TargetDim,
    traits::{Fit, Transformer},
};
use ndarray::{Array, Array2, ArrayBase, Axis, Data, Ix2};
use npt_core::{AsSamples, Pipeline, PipelineError, Scalar};

/// Candidates are [`Pipeline`]s: those of another road behind a transformer, which is fitted anew to the training samples of
/// each fold.
#[derive(Debug, Clone, PartialEq)]
pub struct After<A, W> {
    /// Of the transformer; the other road is its estimator.
    pub(in super::super) pipeline: Pipeline<A, W>,
}

impl<M, B, A: Clone, W: Road<M, B>> Road<M, B> for After<A, W> {
    type Estimator = Pipeline<A, W::Estimator>;

    fn estimator(&self, method: M, builder: B) -> Self::Estimator {
        let inner = self.pipeline.estimator().estimator(method, builder);
        let pipeline = Pipeline::new(self.pipeline.transformer().clone(), inner);
        if self.pipeline.takes_missing_values() {
            pipeline.with_missing_values()
        } else {
            pipeline
        }
    }
}

impl<M, B, F, D, L, I, U, A, W, EA, EM>
    Evaluate<M, B, ArrayBase<D, Ix2>, L, I, U, PipelineError<EA, EM>> for After<A, W>
where
    F: Scalar,
    D: Data<Elem = F> + Sync,
    L: Clone + Send + Sync,
    I: TargetDim,
    M: Sync,
    B: Sync,
    A: Fit<Array2<F>, Array<L, I>, EA> + Clone + Sync,
    A::Object: Transformer<Array2<F>, Array2<F>>,
    W: Evaluate<M, B, Array2<F>, L, I, U, EM> + Sync,
    EA: std::error::Error + From<linfa::Error> + Send,
    EM: std::error::Error + Send,
{
    fn outcomes<V, S>(
        &self,
        plan: &Plan<'_, M, B>,
        problem: &Problem<'_, ArrayBase<D, Ix2>, L, I>,
        score: &S,
    ) -> Result<Vec<Outcome<V, PipelineError<EA, EM>>>, Error>
    where
        V: Score,
        S: Fn(&U, &Array<L, I>) -> V + Sync,
    {
        let pipeline = &self.pipeline;
        if !pipeline.takes_missing_values() {
            // Of a fold's samples the row would be another.
            problem.records.as_samples()?;
        }
        problem.try_evaluate(|fold| {
            let training = problem.records.select(Axis(0), &fold.training);
            let fitted = pipeline.fit_transformer(&fold.dataset(training));
            let fitted = fitted.map_err(|error: PipelineError<EA, EM>| Error::Transformer {
                fold: fold.turn,
                message: error.to_string(),
            })?;
            let records = match fitted.apply(problem.records) {
                Ok(records) => records,
                Err(error) => {
                    let failed = || Err(PipelineError::Records(error.clone()));
                    return Ok(std::iter::repeat_with(failed)
                        .take(plan.candidates())
                        .collect());
                }
            };
            let problem = problem.of_turn(fold.turn, &records);
            let outcomes = pipeline.estimator().outcomes(plan, &problem, score)?;
            let behind = |outcome: Outcome<V, EM>| outcome.map_err(PipelineError::Estimator);
            Ok(outcomes.into_iter().map(behind).collect())
        })
    }
}
