//! Cross-validation of linear methods in kernel spaces.

use super::{
    After, Answer, ByCoordinates, ByKernelValues, Candidate, Candidates, Evaluate, Folds, Plan,
    Road, Score, Scores, problem::Problem,
};
use crate::Error;
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
};
use ndarray::Array;
use npt_core::{Pipeline, watch::Progress};

/// Cross-validation of every method in every space, to choose the kernel and the parameters.
///
/// # What is searched
/// Spaces and methods are [`Candidates`], with names or without. Each pair of them is an estimator:
///
/// | | a candidate is | for |
/// |---|---|---|
/// | `GridSearch::new(spaces, methods)` | a [`KernelMethod`](npt_core::KernelMethod) | the methods of npt |
/// | `….by_coordinates()` | a [`Kernelized`](npt_core::Kernelized) method | every method |
/// | `….after(transformer)` | a [`Pipeline`] of the transformer and either | records that are to be scaled, or filled in |
/// | `….paired()` | of the space and the method at one place | random search |
///
/// Each estimator is fitted to the training samples of each fold from the start: nothing of the samples held out,
/// not even a mean, reaches a fit. Values that the fits have in common are computed once: kernel values for all folds, coordinates for all
/// methods. Behind a transformer, or where the kernel is found from the samples, they are computed once per fold. Folds run in parallel, on
/// the threads of rayon. The stage `grid` counts fits
/// ([`watch`](npt_core::watch)). After every space, an event of the target
/// `npt::model_selection` tells how far the search is ([`tracing`] at level `INFO`); behind a transformer there are no events.
///
/// # What comes of it
/// [`scores`](Self::scores) gives the scores of all candidates, which print as a table. [`fit_best`](Self::fit_best) fits the best candidate
/// to all samples. [`nested_scores`](Self::nested_scores) tells how well the best candidate does on samples that had no part in the choice.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::Predict};
/// use ndarray::Array;
/// use npt_core::{Gaussian, Linear};
/// use npt_methods::{linear::Svc, model_selection::{Candidates, Folds, GridSearch, accuracy}};
///
/// // Two rings.
/// let x = Array::from_shape_fn((60, 2), |(i, j)| {
///     let (angle, radius) = (0.7 * i as f64, if i % 2 == 0 { 1.0 } else { 2.0 });
///     if j == 0 { radius * angle.cos() } else { radius * angle.sin() }
/// });
/// let data = Dataset::new(x, Array::from_shape_fn(60, |i| i % 2 == 0));
///
/// let spaces = Candidates::new()
///     .kernel("linear", Linear::new())
///     .kernels("gaussian γ", [1e-4, 1.0], Gaussian::new);
/// let methods = Candidates::new().over("C", [0.1, 10.0], |c| Svc::params().c(c));
/// let search = GridSearch::new(spaces, methods);
/// let folds = Folds::stratified(&data, 5, 0)?;
///
/// let found = search.fit_best(&data, &folds, |predicted, truth| accuracy(predicted, truth))?;
/// let best = "\
/// space                 method    score
/// gaussian γ = 1        C = 0.1   1.0000 ± 0.0000
/// ";
/// assert!(found.scores.to_string().starts_with(best), "{}", found.scores);
/// assert_eq!(&found.model.predict(&data), data.targets());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GridSearch<M, B, W = ByKernelValues> {
    spaces: Candidates<B>,
    methods: Candidates<M>,
    is_paired: bool,
    road: W,
    score_names: Vec<String>,
}

impl<M, B> GridSearch<M, B> {
    /// A search of all pairs of these spaces and methods, each a [`KernelMethod`](npt_core::KernelMethod).
    pub fn new(spaces: impl Into<Candidates<B>>, methods: impl Into<Candidates<M>>) -> Self {
        Self {
            spaces: spaces.into(),
            methods: methods.into(),
            is_paired: false,
            road: ByKernelValues,
            score_names: Vec::new(),
        }
    }

    /// Fits each pair as a [`Kernelized`](npt_core::Kernelized) method, to coordinates: for every method, linfa's or your own.
    ///
    /// # Example
    /// ```
    /// use linfa::Dataset;
    /// use linfa::metrics::SingleTargetRegression;
    /// use linfa_linear::LinearRegression;
    /// use ndarray::{Array1, Axis};
    /// use npt_core::{Exact, Gaussian, Rank};
    /// use npt_methods::model_selection::{Folds, GridSearch};
    ///
    /// let x = Array1::linspace(0.0, 6.0, 40).insert_axis(Axis(1));
    /// let data = Dataset::new(x.clone(), x.column(0).mapv(f64::sin));
    /// let spaces = [1, 8].map(|r| Exact::new(Gaussian::new(1.0)).rank(Rank::Components(r)));
    /// let search = GridSearch::new(spaces, [LinearRegression::new()]).by_coordinates();
    ///
    /// let folds = Folds::k(40, 4, 0)?;
    /// let r2 = |predicted: &Array1<f64>, truth: &Array1<f64>| predicted.r2(truth).unwrap();
    /// let scores = search.scores(&data, &folds, r2)?;
    /// assert_eq!(scores.best().unwrap().space, 1);
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn by_coordinates(self) -> GridSearch<M, B, ByCoordinates> {
        self.with_road(|_| ByCoordinates)
    }
}

impl<M, B, W> GridSearch<M, B, W> {
    /// Puts a transformer of records before each candidate. It is fitted anew to the training samples of each fold. Of two transformers, the
    /// one that was given last comes first.
    ///
    /// # Example
    /// ```
    /// use linfa::{Dataset, traits::Predict};
    /// use linfa_preprocessing::linear_scaling::LinearScaler;
    /// use ndarray::Array;
    /// use npt_core::{Exact, Gaussian};
    /// use npt_methods::{linear::Svc, model_selection::{Folds, GridSearch, accuracy}};
    ///
    /// // The feature that decides is in thousandths, the other in thousands.
    /// let noise = |i: usize| 1000.0 * (37.0 * i as f64).sin();
    /// let x = Array::from_shape_fn((60, 2), |(i, j)| if j == 0 { 0.001 * (i % 3) as f64 } else { noise(i) });
    /// let data = Dataset::new(x, Array::from_shape_fn(60, |i| i % 3 == 1));
    ///
    /// let search = GridSearch::new([Exact::new(Gaussian::new(1.0))], [Svc::params().c(10.0)]);
    /// let search = search.after(LinearScaler::standard());
    /// let folds = Folds::stratified(&data, 5, 0)?;
    /// let found = search.fit_best(&data, &folds, |predicted, truth| accuracy(predicted, truth))?;
    /// assert!(found.scores.mean(found.candidate).unwrap() > 0.9);
    /// // The scaler is in the model.
    /// assert_eq!(found.model.predict(&data), data.targets);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn after<A>(self, transformer: A) -> GridSearch<M, B, After<A, W>> {
        self.with_road(|road| After {
            pipeline: Pipeline::new(transformer, road),
        })
    }

    /// Pairs the first space with the first method, the second with the second, and so on, in place of all pairs. This is random search,
    /// if both were drawn ([`log_uniform`](super::log_uniform)). Where only a few of many parameters matter, random search tries as many values
    /// of each parameter as there are candidates; a grid tries only a root of that number.
    ///
    /// # References
    /// J. Bergstra, Y. Bengio, "Random Search for Hyper-Parameter Optimization", JMLR 13, 2012.
    ///
    /// # Example
    /// ```
    /// use npt_core::Gaussian;
    /// use npt_core::Exact;
    /// use npt_methods::{linear::Svc, model_selection::{Candidates, GridSearch, log_uniform}};
    ///
    /// let widths = log_uniform(1e-3, 10.0, 20, 1);
    /// let penalties = log_uniform(0.1, 1e3, 20, 2);
    /// let spaces = Candidates::new().over("γ", widths, |gamma| Exact::new(Gaussian::new(gamma)));
    /// let methods = Candidates::new().over("C", penalties, |c| Svc::params().c(c));
    /// let search = GridSearch::new(spaces, methods).paired();
    /// assert_eq!(search.candidates().len(), 20);
    /// ```
    pub fn paired(mut self) -> Self {
        self.is_paired = true;
        self
    }

    /// Sets the names of the scores, one per score and in their order, which are the titles of columns where scores are printed. A search with
    /// another number of scores returns [`Error::ScoreNames`].
    ///
    /// # Example
    /// ```
    /// use linfa::Dataset;
    /// use ndarray::array;
    /// use npt_core::Gaussian;
    /// use npt_methods::{linear::Svc, model_selection::{Candidates, Folds, GridSearch, accuracy, balanced_accuracy}};
    ///
    /// let data = Dataset::new(array![[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]], array![true, true, true, false, false, false]);
    /// let spaces = Candidates::new().kernel("gaussian", Gaussian::new(0.5));
    /// let search = GridSearch::new(spaces, [Svc::params()]).score_names(["accuracy", "balanced"]);
    /// let scores = search.scores(&data, &Folds::stratified(&data, 3, 0)?, |predicted, truth| {
    ///     [accuracy(predicted, truth), balanced_accuracy(predicted, truth)]
    /// })?;
    /// assert!(scores.to_string().starts_with("space      method   accuracy          balanced\n"), "{scores}");
    /// # Ok::<(), npt_methods::Error>(())
    /// ```
    pub fn score_names<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.score_names = names.into_iter().map(Into::into).collect();
        self
    }

    fn with_road<Other>(self, road: impl FnOnce(W) -> Other) -> GridSearch<M, B, Other> {
        GridSearch {
            spaces: self.spaces,
            methods: self.methods,
            is_paired: self.is_paired,
            road: road(self.road),
            score_names: self.score_names,
        }
    }

    /// The spaces.
    pub fn spaces(&self) -> &Candidates<B> {
        &self.spaces
    }

    /// The methods.
    pub fn methods(&self) -> &Candidates<M> {
        &self.methods
    }

    /// All candidates, by space, then method.
    pub fn candidates(&self) -> Vec<Candidate> {
        let (spaces, methods) = (self.spaces.values().len(), self.methods.values().len());
        if self.is_paired {
            let pair = |place| Candidate {
                space: place,
                method: place,
            };
            return (0..spaces.min(methods)).map(pair).collect();
        }
        let of_space = |space| (0..methods).map(move |method| Candidate { space, method });
        (0..spaces).flat_map(of_space).collect()
    }

    /// Returns the estimator of a candidate, to be fitted to all samples.
    ///
    /// # Panics
    /// Panics if there is no such space or method.
    pub fn estimator(&self, candidate: Candidate) -> W::Estimator
    where
        M: Clone,
        B: Clone,
        W: Road<M, B>,
    {
        let method = self.methods.values()[candidate.method].clone();
        let space = self.spaces.values()[candidate.space].clone();
        self.road.estimator(method, space)
    }

    /// Computes the scores of all candidates on all folds, by `score(predicted, truth)` on the samples held
    /// out. A score is one number, or several in an array; the larger the better. The error of a failed fit stands in the place of its score.
    /// Sample weights are for the fits: each sample held out counts once.
    ///
    /// # Errors
    /// Errors that concern all candidates: [`Error::NoCandidates`], and [`Error::Unpaired`] if there are not as many spaces as methods to
    /// pair; [`Error::ScoreNames`]; [`Error::FoldsOfOthers`] if the folds are of another number of samples; [`Error::Transformer`] if the
    /// transformer cannot be fitted; [`Error::Core`] for the records, and for the number of targets or weights.
    pub fn scores<R, T, U, X, V, S>(
        &self,
        dataset: &DatasetBase<R, T>,
        folds: &Folds,
        score: S,
    ) -> Result<Scores<X, V>, Error>
    where
        R: Records,
        T: AsTargets,
        T::Elem: Clone + 'static,
        W: Evaluate<M, B, R, T, X>,
        U: Answer<W::Method, W::Values>,
        V: Score,
        S: Fn(&U, &Array<T::Elem, T::Ix>) -> V + Sync,
    {
        let targets = dataset.as_targets().to_owned();
        let progress = Progress::start("grid", self.candidates().len() * folds.len());
        let problem = Problem::new(dataset, &targets, folds, progress.steps())?;
        self.check_score_names::<V>()?;
        let outcomes = self.road.outcomes(&self.plan()?, &problem, &score)?;
        Ok(Scores {
            candidates: self.candidates(),
            is_paired: self.is_paired,
            folds: folds.len(),
            outcomes,
            spaces: self.spaces.names().to_vec(),
            methods: self.methods.names().to_vec(),
            score_names: self.score_names.clone(),
        })
    }

    pub(super) fn names_of_scores(&self) -> &[String] {
        &self.score_names
    }

    /// Refuses names that are not as many as the scores.
    pub(super) fn check_score_names<V: Score>(&self) -> Result<(), Error> {
        match self.score_names.len() {
            names if names == 0 || names == V::COUNT => Ok(()),
            names => Err(Error::ScoreNames {
                names,
                scores: V::COUNT,
            }),
        }
    }

    pub(super) fn road(&self) -> &W {
        &self.road
    }

    pub(super) fn plan(&self) -> Result<Plan<'_, M, B>, Error> {
        let (spaces, methods) = (self.spaces.values(), self.methods.values());
        if spaces.is_empty() || methods.is_empty() {
            return Err(Error::NoCandidates);
        }
        if self.is_paired && spaces.len() != methods.len() {
            let (spaces, methods) = (spaces.len(), methods.len());
            return Err(Error::Unpaired { spaces, methods });
        }
        Ok(Plan {
            spaces,
            methods,
            is_paired: self.is_paired,
        })
    }
}

impl<M, B, A, W> GridSearch<M, B, After<A, W>> {
    /// Passes records that are not finite to the transformer as well: see [`Pipeline::with_missing_values`].
    pub fn with_missing_values(self) -> Self {
        self.with_road(|road| After {
            pipeline: road.pipeline.with_missing_values(),
        })
    }
}
