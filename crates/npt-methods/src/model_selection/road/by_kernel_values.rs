//! Candidates that are kernel methods: each is fitted to kernel values or to coordinates.

use super::{Evaluate, Outcome, Plan, Problem, Road, ScalarOf, failed};
use crate::{
    Error,
    model_selection::{Answer, Score, problem::Fold},
};
use linfa::{
    dataset::{AsTargets, Records, TargetDim},
    traits::Fit,
};
use ndarray::{Array, Array2};
use npt_core::{
    AsSamples, Expand, ExpansionMethod, ExpansionSpace, KernelMethod, KernelSpace, KernelizedError,
    Samples, SpaceBuilder, TrainingSamples,
};

/// The road of [`KernelMethod`]s: a method with a dual form runs on kernel values, which is many times faster than on
/// coordinates where the rank is about the number of samples. Where memory has room for the kernel matrix, it is computed once, for all
/// folds and methods. Methods that are fitted to coordinates share the coordinates of each fold.
///
/// On this road the mean of a [`GaussianProcess`](crate::GaussianProcess) is an expansion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ByKernelValues;

impl<M, B> Road<M, B> for ByKernelValues {
    type Estimator = KernelMethod<M, B>;

    fn estimator(&self, method: M, builder: B) -> KernelMethod<M, B> {
        KernelMethod::new(method, builder)
    }
}

impl<M, B, R, T, E> Evaluate<M, B, R, T, KernelizedError<E>> for ByKernelValues
where
    R: Records + AsSamples + Sync,
    T: AsTargets,
    T::Elem: Clone + Send + Sync + 'static,
    B: SpaceBuilder<R::Samples>,
    B::Space: ExpansionSpace,
    M: ExpansionMethod<ScalarOf<R::Samples, B>, Array<T::Elem, T::Ix>, E> + Sync,
    E: std::error::Error + From<linfa::Error> + Send + 'static,
{
    type Method = Expanded<M, ScalarOf<R::Samples, B>, Array<T::Elem, T::Ix>, E>;
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
        let samples = samples.as_ref();
        Ok(plan.each_space(problem, |space, methods| {
            if M::has_cross_validator()
                && space.has_one_kernel()
                && let Some(outcomes) = together(methods, space, samples, problem, score)
            {
                return Ok(outcomes);
            }
            // A fold alone has no values to share.
            let shared = if problem.is_whole() {
                space.kernel_matrix(samples)?
            } else {
                None
            };
            Ok(match shared {
                Some((builder, matrix)) => {
                    problem.evaluate(|fold| evaluate(methods, &builder, &matrix, fold, score))
                }
                None => problem.evaluate(|fold| evaluate(methods, space, samples, fold, score)),
            })
        }))
    }
}

/// Returns the outcomes of methods that are fitted to all folds together; `None` if they cannot be.
fn together<S, B, M, R, L, I, U, E, F, V>(
    methods: &[M],
    builder: &B,
    samples: &S,
    problem: &Problem<'_, R, L, I>,
    score: &(impl Fn(&U, &Array<L, I>) -> V + Sync),
) -> Option<Vec<Outcome<V, KernelizedError<E>>>>
where
    S: Samples,
    B: SpaceBuilder<S>,
    B::Space: ExpansionSpace + KernelSpace<Scalar = F>,
    M: ExpansionMethod<F, Array<L, I>, E>,
    U: Answer<Expanded<M, F, Array<L, I>, E>, Array2<F>>,
    R: Records + Sync,
    L: Clone + Send + Sync + 'static,
    I: TargetDim,
    V: Score,
    E: std::error::Error + From<linfa::Error> + Send + 'static,
    F: npt_core::Scalar,
{
    // Errors of the samples or targets are left to the fits of the folds.
    let products = builder.inner_products(samples, false).ok()??;
    let (targets, weights) = (problem.targets(), problem.weights());
    let validator = M::cross_validator(methods, &products, targets, weights).ok()??;
    let count = methods.len();
    Some(problem.evaluate(|fold| {
        if let Err(error) = products.require_variance(&fold.training) {
            return failed(&error, count);
        }
        let fits = validator.fit(&fold.training, fold.held_out).into_iter();
        fits.map(|fit| {
            let (method, values) = fit.map_err(KernelizedError::Method)?;
            Ok(fold.score(&method, &values, score))
        })
        .collect()
    }))
}

/// The part of a fitted method that is kept beside its expansion.
type Expanded<M, F, T, E> = <<M as Fit<Array2<F>, T, E>>::Object as Expand<F>>::Expanded;

/// The outcomes of one fold.
fn evaluate<S, B, M, L, I, U, E, F, V>(
    methods: &[M],
    builder: &B,
    samples: &S,
    fold: &Fold<'_, L, I>,
    score: &impl Fn(&U, &Array<L, I>) -> V,
) -> Vec<Outcome<V, KernelizedError<E>>>
where
    S: Samples,
    L: Clone + 'static,
    I: TargetDim,
    B: SpaceBuilder<S>,
    B::Space: ExpansionSpace + KernelSpace<Scalar = F>,
    M: ExpansionMethod<F, Array<L, I>, E>,
    U: Answer<Expanded<M, F, Array<L, I>, E>, Array2<F>>,
    E: std::error::Error + From<linfa::Error> + 'static,
    F: npt_core::Scalar,
{
    let (training, held_out) = (
        samples.select(&fold.training),
        samples.select(fold.held_out),
    );
    let training = TrainingSamples::new(builder, &training).shared(methods.len() > 1);
    // A dataset of targets and weights alone.
    let data = fold.dataset(());
    let outcome = |method: &M| {
        let model = training.fit(method, &data)?;
        let values = model.expansion().evaluate(&held_out)?;
        Ok(fold.score(model.inner(), &values, score))
    };
    fold.each(methods, outcome)
}
