//! Cross-validation of linear methods in kernel spaces.

use super::{
    Folds, Scores, SubsetBuilder,
    problem::{Outcome, Problem, failed},
};
use crate::Error;
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::{Fit, PredictInplace},
};
use ndarray::{Array, Array2};
use npt_core::{AsSamples, KernelSpace, Kernelized, KernelizedError, SpaceBuilder};

/// Cross-validation of every method in every space: which kernel, and which parameters.
///
/// A space evaluates its kernel once; a fold's coordinates are found from these values once and
/// serve all methods. The scores are those of fitting [`Kernelized`] to the training samples of
/// each fold from the start, or of [`KernelMethod`](npt_core::KernelMethod) by
/// [`kernel_scores`](Self::kernel_scores): nothing of the samples held out, not even a mean, reaches a fit.
/// Folds run in parallel, on the threads of rayon. After every space, an event of the target
/// `npt::model_selection` tells how far the search is ([`tracing`] at level `INFO`).
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::Array;
/// use npt_core::{Exact, Gaussian};
/// use npt_methods::{linear::Svc, model_selection::{Folds, GridSearch, accuracy}};
///
/// // Two rings.
/// let x = Array::from_shape_fn((60, 2), |(i, j)| {
///     let (angle, radius) = (0.7 * i as f64, if i % 2 == 0 { 1.0 } else { 2.0 });
///     if j == 0 { radius * angle.cos() } else { radius * angle.sin() }
/// });
/// let data = Dataset::new(x, Array::from_shape_fn(60, |i| i % 2 == 0));
///
/// let spaces = [1e-4, 1.0].map(|gamma| Exact::new(Gaussian::new(gamma)));
/// let methods = [0.1, 10.0].map(|c| Svc::<f64>::params().c(c));
/// let search = GridSearch::new(spaces, methods);
/// let folds = Folds::stratified(&data, 5, 0)?;
/// let scores = search.scores(&data, &folds, |predicted, truth| accuracy(predicted, truth))?;
///
/// let best = scores.best().unwrap();
/// assert_eq!((best.space, scores.mean(best)), (1, Ok(1.0)));
/// let model = search.estimator(best).fit(&data).unwrap();
/// assert_eq!(&model.predict(&data), data.targets());
/// # Ok::<(), npt_methods::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GridSearch<M, B> {
    pub(super) spaces: Vec<B>,
    pub(super) methods: Vec<M>,
}

impl<M, B> GridSearch<M, B> {
    /// All pairs of these spaces and methods. Spaces with kernels of several types go in as
    /// `Exact<Arc<dyn Kernel<_, Scalar = _>>>`.
    pub fn new(spaces: impl Into<Vec<B>>, methods: impl Into<Vec<M>>) -> Self {
        Self {
            spaces: spaces.into(),
            methods: methods.into(),
        }
    }

    /// A candidate, to be fitted to all samples.
    ///
    /// # Panics
    /// Panics if there is no such candidate.
    pub fn estimator(&self, candidate: super::Candidate) -> Kernelized<M, B>
    where
        M: Clone,
        B: Clone,
    {
        let method = self.methods[candidate.method].clone();
        Kernelized::new(method, self.spaces[candidate.space].clone())
    }

    /// The scores of all candidates on all folds, by `score(predicted, truth)` on the samples held
    /// out: the larger the better. An error of a fit stands in the place of its score. Sample weights are for the fits: of the
    /// samples held out each counts once.
    ///
    /// # Errors
    /// What concerns all candidates: [`Error::NoCandidates`]; [`Error::FoldsOfOthers`] if the folds
    /// are of another number of samples; [`Error::Core`] with what is wrong with the records, or
    /// with the number of targets or weights.
    pub fn scores<R, T, U, E, S>(
        &self,
        dataset: &DatasetBase<R, T>,
        folds: &Folds,
        score: S,
    ) -> Result<Scores<E>, Error>
    where
        R: Records + AsSamples,
        T: AsTargets,
        T::Elem: Clone + Send + Sync,
        T::Ix: Send + Sync,
        B: SubsetBuilder<R::Samples>,
        M: Fit<Array2<Scalar<R, B>>, Array<T::Elem, T::Ix>, E> + Sync,
        M::Object: PredictInplace<Array2<Scalar<R, B>>, U>,
        E: std::error::Error + From<linfa::Error> + Send,
        S: Fn(&U, &Array<T::Elem, T::Ix>) -> f64 + Sync,
    {
        self.each_space(dataset, folds, |problem, space, samples| {
            let subsets = space.subsets(samples)?;
            Ok(problem.evaluate(|fold| {
                let (y, new) = match subsets.coordinates(&fold.training, fold.held_out) {
                    Ok(coordinates) => coordinates,
                    Err(error) => return failed(&error, self.methods.len()),
                };
                let data = fold.dataset(y);
                let outcome = |method: &M| {
                    let model = method.fit(&data).map_err(KernelizedError::Method)?;
                    Ok(fold.score(&model, &new, &score))
                };
                self.methods.iter().map(outcome).collect()
            }))
        })
    }

    /// The outcomes of every space, as `evaluate` finds them; its error is that of all fits in a space.
    pub(super) fn each_space<R, T, E>(
        &self,
        dataset: &DatasetBase<R, T>,
        folds: &Folds,
        evaluate: impl Fn(&Problem<'_, T>, &B, &R::Samples) -> Result<Vec<Outcome<E>>, npt_core::Error>,
    ) -> Result<Scores<E>, Error>
    where
        R: Records + AsSamples,
        T: AsTargets,
        T::Elem: Clone,
    {
        let problem = Problem::new(dataset, folds)?;
        if self.spaces.is_empty() || self.methods.is_empty() {
            return Err(Error::NoCandidates);
        }
        let samples = dataset.records().as_samples()?;
        let mut outcomes = Vec::new();
        for (done, space) in self.spaces.iter().enumerate() {
            let of_space = evaluate(&problem, space, samples.as_ref());
            let fits = folds.len() * self.methods.len();
            outcomes.extend(of_space.unwrap_or_else(|error| failed(&error, fits)));
            report(done + 1, self.spaces.len(), self.methods.len(), folds.len());
        }
        Ok(Scores {
            methods: self.methods.len(),
            folds: folds.len(),
            outcomes,
        })
    }
}

/// The scalar of the coordinates.
pub(super) type Scalar<R, B> =
    <<B as SpaceBuilder<<R as AsSamples>::Samples>>::Space as KernelSpace>::Scalar;

fn report(done: usize, spaces: usize, methods: usize, folds: usize) {
    tracing::info!(
        target: "npt::model_selection",
        done,
        spaces,
        fits = done * methods * folds,
        "space evaluated"
    );
}
