//! Cross-validation of kernel methods, each by the road that it takes.

use super::{
    Candidate, Folds, GridSearch, Scores, SubsetBuilder,
    grid::Scalar,
    problem::{Fold, Outcome, Problem, failed},
};
use crate::Error;
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::{Fit, PredictInplace},
};
use ndarray::{Array, Array2};
use npt_core::{
    AsSamples, FoldBack, Foldable, FoldableMethod, KernelMethod, KernelSpace, KernelizedError,
    Samples, SpaceBuilder,
};

impl<M, B> GridSearch<M, B> {
    /// A candidate as a [`KernelMethod`], to be fitted to all samples.
    ///
    /// # Panics
    /// Panics if there is no such candidate.
    pub fn kernel_method(&self, candidate: Candidate) -> KernelMethod<M, B>
    where
        M: Clone,
        B: Clone,
    {
        let method = self.methods[candidate.method].clone();
        KernelMethod::new(method, self.spaces[candidate.space].clone())
    }

    /// As [`scores`](Self::scores), but of fitting [`KernelMethod`]: a method with a dual form runs on
    /// kernel values, which is many times faster where the rank is about the number of samples. Of up
    /// to 5792 samples the kernel matrix is computed once, for all folds and methods. A method without a
    /// dual form is fitted to coordinates of its own in each fold, where [`scores`](Self::scores) shares
    /// them; but that scores a [`Kernelized`](npt_core::Kernelized), whose predictions far from the
    /// samples are those of coordinates.
    ///
    /// # Errors
    /// As [`scores`](Self::scores).
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
    /// let methods = [0.1, 10.0].map(|c| Svc::<f64>::params().c(c));
    /// let search = GridSearch::new([Exact::new(Gaussian::new(1.0))], methods);
    /// let folds = Folds::stratified(&data, 5, 0)?;
    /// let scores = search.kernel_scores(&data, &folds, |p, truth| accuracy(p, truth))?;
    ///
    /// let model = search.kernel_method(scores.best().unwrap()).fit(&data).unwrap();
    /// assert_eq!(&model.predict(&data), data.targets());
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn kernel_scores<R, T, U, E, S>(
        &self,
        dataset: &DatasetBase<R, T>,
        folds: &Folds,
        score: S,
    ) -> Result<Scores<E>, Error>
    where
        R: Records + AsSamples,
        R::Samples: Records,
        T: AsTargets,
        T::Elem: Clone + Send + Sync,
        T::Ix: Send + Sync,
        B: SubsetBuilder<R::Samples> + Clone,
        B::Space: Foldable,
        M: FoldableMethod<Scalar<R, B>, Array<T::Elem, T::Ix>, E> + Clone + Sync,
        Folded<M, Scalar<R, B>, Array<T::Elem, T::Ix>, E>: PredictInplace<Array2<Scalar<R, B>>, U>,
        E: std::error::Error + From<linfa::Error> + Send + 'static,
        S: Fn(&U, &Array<T::Elem, T::Ix>) -> f64 + Sync,
    {
        let methods = &self.methods;
        self.each_space(dataset, folds, |problem, space, samples| {
            if M::has_cross_validator()
                && let Some(outcomes) = together(methods, space, samples, problem, &score)
            {
                return Ok(outcomes);
            }
            Ok(match space.kernel_matrix(samples)? {
                Some((builder, matrix)) => {
                    problem.evaluate(|fold| evaluate(methods, &builder, &matrix, fold, &score))
                }
                None => problem.evaluate(|fold| evaluate(methods, space, samples, fold, &score)),
            })
        })
    }
}

/// The outcomes of methods that are fitted to all folds together, if that is a way for them.
fn together<S, B, M, T, U, E, F>(
    methods: &[M],
    builder: &B,
    samples: &S,
    problem: &Problem<'_, T>,
    score: &(impl Fn(&U, &Array<T::Elem, T::Ix>) -> f64 + Sync),
) -> Option<Vec<Outcome<E>>>
where
    S: Samples,
    B: SpaceBuilder<S>,
    B::Space: Foldable + KernelSpace<Scalar = F>,
    M: FoldableMethod<F, Array<T::Elem, T::Ix>, E>,
    Folded<M, F, Array<T::Elem, T::Ix>, E>: PredictInplace<Array2<F>, U>,
    T: AsTargets,
    T::Elem: Clone + Send + Sync,
    T::Ix: Send + Sync,
    E: std::error::Error + From<linfa::Error> + Send + 'static,
    F: npt_core::Scalar,
{
    // What is wrong with the samples or targets, the fits of folds tell.
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

/// What is left of a fitted method when it is folded.
type Folded<M, F, T, E> = <<M as Fit<Array2<F>, T, E>>::Object as FoldBack<F>>::Folded;

/// The outcomes of one fold; inner products serve all methods that take them.
fn evaluate<S, B, M, T, U, E, F>(
    methods: &[M],
    builder: &B,
    samples: &S,
    fold: &Fold<'_, T>,
    score: &impl Fn(&U, &Array<T::Elem, T::Ix>) -> f64,
) -> Vec<Outcome<E>>
where
    S: Samples + Records,
    T: AsTargets,
    T::Elem: Clone,
    B: SpaceBuilder<S> + Clone,
    B::Space: Foldable + KernelSpace<Scalar = F>,
    M: FoldableMethod<F, Array<T::Elem, T::Ix>, E> + Clone,
    Folded<M, F, Array<T::Elem, T::Ix>, E>: PredictInplace<Array2<F>, U>,
    E: std::error::Error + From<linfa::Error> + 'static,
    F: npt_core::Scalar,
{
    let (training, held_out) = (
        samples.select(&fold.training),
        samples.select(fold.held_out),
    );
    // Not centred, and centred.
    let mut prepared = [None, None];
    let outcome = |method: &M| {
        if let Some(form) = method.dual_form() {
            let centre = !form.ignores_shift();
            let products = prepared[usize::from(centre)]
                .get_or_insert_with(|| builder.inner_products(&training, centre));
            if let Some(products) = products.as_ref().map_err(Clone::clone)?
                && let Some(model) = products.fit(form, &fold.targets, fold.weights())?
            {
                return Ok(fold.score(&model, &held_out, score));
            }
        }
        let data = fold.dataset(training.clone());
        let model = KernelMethod::new(method.clone(), builder.clone()).fit(&data)?;
        Ok(fold.score(&model, &held_out, score))
    };
    methods.iter().map(outcome).collect()
}
