//! Candidates behind a transformer.

use super::{Evaluate, Outcome, Plan, Problem, Road};
use crate::{
    Error,
    model_selection::{Answer, Score},
};
use linfa::{
    dataset::AsTargets,
    traits::{Fit, Transformer},
};
use ndarray::{Array, Array2, ArrayBase, Axis, Data, Ix2};
use npt_core::{Pipeline, PipelineError, Scalar};

/// The road of [`Pipeline`]s: the candidates of another road behind a transformer, which is fitted anew to the training samples of
/// each fold.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct After<A, W> {
    /// The pipeline of the transformer; the other road is its estimator.
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

impl<M, B, F, D, T, A, W, EA, EM> Evaluate<M, B, ArrayBase<D, Ix2>, T, PipelineError<EA, EM>>
    for After<A, W>
where
    F: Scalar,
    D: Data<Elem = F> + Sync,
    T: AsTargets,
    T::Elem: Clone + Send + Sync + 'static,
    M: Sync,
    B: Sync,
    A: Fit<Array2<F>, Array<T::Elem, T::Ix>, EA> + Clone + Sync,
    A::Object: Transformer<Array2<F>, Array2<F>>,
    W: Evaluate<M, B, Array2<F>, Array<T::Elem, T::Ix>, EM> + Sync,
    EA: std::error::Error + From<linfa::Error> + Send,
    EM: std::error::Error + Send,
{
    type Method = W::Method;
    type Values = W::Values;

    fn check(&self, records: &ArrayBase<D, Ix2>) -> Result<(), Error> {
        Ok(self.pipeline.check(records)?)
    }

    fn outcomes<U, V, S>(
        &self,
        plan: &Plan<'_, M, B>,
        problem: &Problem<'_, ArrayBase<D, Ix2>, T::Elem, T::Ix>,
        score: &S,
    ) -> Result<Vec<Outcome<V, PipelineError<EA, EM>>>, Error>
    where
        U: Answer<W::Method, W::Values>,
        V: Score,
        S: Fn(&U, &Array<T::Elem, T::Ix>) -> V + Sync,
    {
        let pipeline = &self.pipeline;
        // Checked before the folds: an error in the samples of a fold would name another row.
        pipeline.check(problem.records)?;
        problem.try_evaluate(|fold| {
            let failed = |error: npt_core::Error| {
                problem.steps.take(plan.candidates());
                let outcome = || Err(PipelineError::Records(error.clone()));
                Ok(std::iter::repeat_with(outcome)
                    .take(plan.candidates())
                    .collect())
            };
            let training = problem.records.select(Axis(0), &fold.training);
            let fitted = match pipeline.fit_transformer(&fold.dataset(training)) {
                Ok(fitted) => fitted,
                Err(PipelineError::Records(error)) => return failed(error),
                Err(PipelineError::Transformer(error)) => {
                    return Err(Error::Transformer {
                        fold: fold.turn,
                        message: error.to_string(),
                    });
                }
                Err(PipelineError::Estimator(never)) => match never {},
            };
            let records = match fitted.apply(problem.records) {
                Ok(records) => records,
                Err(error) => return failed(error),
            };
            let problem = problem.of_turn(fold.turn, &records);
            let outcomes = pipeline.estimator().outcomes(plan, &problem, score)?;
            let behind = |outcome: Outcome<V, EM>| outcome.map_err(PipelineError::Estimator);
            Ok(outcomes.into_iter().map(behind).collect())
        })
    }
}
