//! Novelty detection by kernel principal components.

use crate::{
    Error,
    error::{require, require_no_weights},
};
use linfa::{
    DatasetBase,
    dataset::{AsTargets, Records},
    traits::{Fit, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, Data, Ix2};
use npt_core::{
    AsSamples, Exact, FeatureNames, Items, KernelRows, KernelSpace, KernelizedError, Rank, Rows,
    Scalar, SpaceBuilder, SparseRows, catalogue::Range, require_feature_names,
};

/// Novelty detection: finds samples that are unlike the training samples, by how badly kernel principal
/// components describe them.
///
/// # Definition
/// The reconstruction error of x is the squared distance of φ(x) from the space of the first q
/// principal components of the training samples,
///
/// e(x) = κ_c(x, x) − Σ_{k≤q} scoreₖ(x)²,
///
/// with κ_c the kernel centred at the training samples: the part of φ(x) outside the span of all
/// training samples counts, too. x is novel if e(x) exceeds the threshold. The threshold is the smallest training
/// error that a share of at least p of the training errors does not exceed, plus 64 ε of the largest
/// κ_c(x, x), so that rounding does not make a training sample novel. The training errors are those of the fit, or those that the
/// model itself finds for the training samples, whichever give the larger threshold.
///
/// The fitted model `predict`s `bool`, `true` for novel, and `transform`s to the errors e(x).
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | [`rank`](NoveltyDetectorParams::rank) | `Rank::Variance(0.9)` | q, by count, share of variance or tolerance |
/// | [`quantile`](NoveltyDetectorParams::quantile) | 0.95 | p, in (0, 1]; with 1 no training sample is novel, when they are predicted together |
///
/// # Errors
/// [`KernelizedError::Space`] for samples, kernel and rank, [`KernelizedError::Method`] for the
/// quantile, and for samples with weights.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Predict}};
/// use ndarray::{Array2, array};
/// use npt_core::{Gaussian, Rank};
/// use npt_methods::NoveltyDetector;
///
/// // A ring of some width, and three samples: in it, in its middle, and far away.
/// let ring = Array2::from_shape_fn((60, 2), |(i, k)| {
///     let angle = i as f64 * std::f64::consts::TAU / 60.0;
///     let radius = if i % 2 == 0 { 0.9 } else { 1.1 };
///     if k == 0 { radius * angle.cos() } else { radius * angle.sin() }
/// });
/// let params = NoveltyDetector::params(Gaussian::new(2.0)).rank(Rank::Components(12)).quantile(1.0);
/// let model = params.fit(&DatasetBase::from(ring))?;
/// let novel = model.predict(&array![[0.6, 0.8], [0.0, 0.0], [5.0, 5.0]]);
/// assert_eq!(novel, array![false, true, true]);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// H. Hoffmann, "Kernel PCA for novelty detection", Pattern Recognition 40(3), 2007.
/// doi:10.1016/j.patcog.2006.07.009
#[derive(Debug, Clone, Copy)]
pub struct NoveltyDetector;

impl NoveltyDetector {
    /// Parameters for as many components of `kernel` as explain 0.9 of the variance, and the 0.95 quantile.
    pub fn params<K>(kernel: K) -> NoveltyDetectorParams<Exact<K>> {
        NoveltyDetectorParams {
            builder: Exact::new(kernel).rank(Rank::Variance(0.9)),
            quantile: 0.95,
        }
    }
}

/// Parameters of [`NoveltyDetector`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NoveltyDetectorParams<B> {
    builder: B,
    quantile: f64,
}

npt_core::parameters_by_name! {
    impl[B] Parameters for NoveltyDetectorParams<B>, "NoveltyDetector"; {
        default {
            quantile: f64 = 0.95, Range::Share, "The share p of the training samples that are not novel.";
        }
    }
}

impl<K> NoveltyDetectorParams<Exact<K>> {
    /// The number of principal components that describe the training samples; by default as many as explain 0.9 of the variance.
    pub fn rank(mut self, rank: Rank) -> Self {
        self.builder = self.builder.rank(rank);
        self
    }
}

impl<B> NoveltyDetectorParams<B> {
    /// The builder of the kernel space.
    pub fn builder(&self) -> &B {
        &self.builder
    }

    /// Changes the builder of the kernel space, or takes another. The dimensions of the space are the components,
    /// so the space has to be cut to as many as are wanted.
    pub fn space<Other>(self, change: impl FnOnce(B) -> Other) -> NoveltyDetectorParams<Other> {
        NoveltyDetectorParams {
            builder: change(self.builder),
            quantile: self.quantile,
        }
    }

    /// The share p of the training samples that are not novel, above 0 and at most 1; 0.95 by default.
    pub fn quantile(mut self, quantile: f64) -> Self {
        self.quantile = quantile;
        self
    }
}

impl<R, T, B> Fit<R, T, KernelizedError<Error>> for NoveltyDetectorParams<B>
where
    R: Records + AsSamples,
    T: AsTargets,
    B: SpaceBuilder<R::Samples>,
{
    type Object = NoveltyDetectorModel<B::Space>;

    fn fit(&self, dataset: &DatasetBase<R, T>) -> Result<Self::Object, KernelizedError<Error>> {
        let (of, p) = ("NoveltyDetector", self.quantile);
        let allowed = "above 0 and at most 1";
        require(p > 0.0 && p <= 1.0, of, "quantile", p, allowed)
            .map_err(KernelizedError::Method)?;
        require_no_weights("fits of NoveltyDetector", dataset).map_err(KernelizedError::Method)?;
        // The reconstruction error of a sample is its residual from the space that the principal components span.
        let (space, y, errors) = self
            .builder
            .fit_for_expansion(dataset.records())?
            .into_parts();
        // The errors that the model finds for the samples as new ones: rounding may make them larger than those of the fit.
        let own = space.residuals(dataset.records())?;
        Ok(NoveltyDetectorModel {
            threshold: larger_quantile(&own, &errors, p) + known_to(&y, &errors),
            errors,
            space,
            feature_names: dataset.feature_names().to_vec(),
        })
    }
}

/// The rounding error of a reconstruction error, whose q scores are each known to a few ε: 64 ε of the largest
/// κ_c(x, x).
fn known_to<F: Scalar>(y: &Array2<F>, errors: &Array1<F>) -> F {
    let lengths = y.outer_iter().zip(errors).map(|(y, &e)| y.dot(&y) + e);
    F::cast(64) * F::epsilon() * lengths.fold(F::zero(), F::max)
}

/// The larger of two [`quantile`]s.
fn larger_quantile<F: Scalar>(values: &Array1<F>, others: &Array1<F>, p: f64) -> F {
    quantile(values, p).max(quantile(others, p))
}

/// The smallest value such that at least the share p of the values do not exceed it.
fn quantile<F: Scalar>(values: &Array1<F>, p: f64) -> F {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).expect("residuals are finite"));
    let share = |count: usize| count as f64 / sorted.len() as f64;
    // Shares are compared, as p·n may be rounded up past the whole number that it is.
    let enough = (1..sorted.len()).find(|&count| share(count) >= p);
    sorted[enough.unwrap_or(sorted.len()) - 1]
}

/// A fitted [`NoveltyDetector`].
///
/// # Panics
/// linfa's `predict` and `transform` have no error to return: they panic where
/// [`try_predict`](Self::try_predict) and [`reconstruction_errors`](Self::reconstruction_errors) return one.
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "P: serde::Serialize, P::Scalar: serde::Serialize",))
)]
pub struct NoveltyDetectorModel<P: KernelSpace> {
    space: P,
    errors: Array1<P::Scalar>,
    threshold: P::Scalar,
    feature_names: Vec<String>,
}

impl<P: KernelSpace> NoveltyDetectorModel<P> {
    /// The names of the features that the model takes, in their order; empty if it was fitted to features without names.
    pub fn feature_names(&self) -> &[String] {
        &self.feature_names
    }

    /// The reconstruction errors e(x) of new records, at least 0, shape (m).
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`].
    pub fn reconstruction_errors<R>(&self, x: &R) -> Result<Array1<P::Scalar>, npt_core::Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        require_feature_names(&self.feature_names, x.feature_names())?;
        self.space.residuals(x)
    }

    /// Returns which of the new records are novel, shape (m).
    ///
    /// # Errors
    /// As [`KernelSpace::coordinates`].
    pub fn try_predict<R>(&self, x: &R) -> Result<Array1<bool>, npt_core::Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        let errors = self.reconstruction_errors(x)?;
        Ok(errors.mapv(|error| error > self.threshold))
    }

    /// The reconstruction errors e(xᵢ) of the training samples, shape (n).
    pub fn training_errors(&self) -> ndarray::ArrayView1<'_, P::Scalar> {
        self.errors.view()
    }

    /// The error above which a sample is novel.
    pub fn threshold(&self) -> P::Scalar {
        self.threshold
    }

    /// The space of the q principal components.
    pub fn space(&self) -> &P {
        &self.space
    }

    /// Returns the reconstruction errors, or panics, as linfa's traits have no error to return.
    fn errors<R>(&self, x: &R) -> Array1<P::Scalar>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        self.reconstruction_errors(x)
            .unwrap_or_else(|error| panic!("{error}"))
    }
}

predict_row!(
    [F: Scalar, P: KernelSpace<Samples = Rows<F>, Scalar = F>] NoveltyDetectorModel<P>, F, bool,
    "Whether one new vector is novel."
);

/// Predicts `true` for novel samples.
impl<R, P> PredictInplace<R, Array1<bool>> for NoveltyDetectorModel<P>
where
    R: Records + AsSamples<Samples = P::Samples>,
    P: KernelSpace,
{
    fn predict_inplace<'a>(&'a self, x: &'a R, y: &mut Array1<bool>) {
        let novel = self.try_predict(x);
        y.assign(&novel.unwrap_or_else(|error| panic!("{error}")));
    }

    fn default_target(&self, x: &R) -> Array1<bool> {
        Array1::default(x.nsamples())
    }
}

predict_referenced!([P: KernelSpace] NoveltyDetectorModel<P>, Array1<bool>);
npt_core::predict_by_names!([P: KernelSpace] NoveltyDetectorModel<P>);

impl<P: KernelSpace> FeatureNames for NoveltyDetectorModel<P> {
    fn feature_names(&self) -> &[String] {
        &self.feature_names
    }
}

/// Implements `Transformer` for one type of records: a blanket impl would claim references as well.
macro_rules! transform_owned {
    ($records:ty, $($generic:ident $(: $bound:path)?),*) => {
        /// The reconstruction errors.
        impl<$($generic $(: $bound)?,)* P> Transformer<$records, Array1<P::Scalar>>
            for NoveltyDetectorModel<P>
        where
            $records: Records + AsSamples<Samples = P::Samples>,
            P: KernelSpace,
        {
            fn transform(&self, x: $records) -> Array1<P::Scalar> {
                self.errors(&x)
            }
        }
    };
}

transform_owned!(ArrayBase<D, Ix2>, D: Data);
transform_owned!(Rows<F>, F);
transform_owned!(SparseRows<F>, F);
transform_owned!(KernelRows<F>, F);
transform_owned!(Items<I>, I);

/// The reconstruction errors.
impl<R, P> Transformer<&R, Array1<P::Scalar>> for NoveltyDetectorModel<P>
where
    R: Records + AsSamples<Samples = P::Samples>,
    P: KernelSpace,
{
    fn transform(&self, x: &R) -> Array1<P::Scalar> {
        self.errors(x)
    }
}

npt_core::checked! {
    #[serde(bound(deserialize = "P: serde::Deserialize<'de>"))]
    NoveltyDetectorModel<P> {
        space: P,
        errors: Array1<P::Scalar>,
        threshold: P::Scalar,
        feature_names: Vec<String>,
    }
    where P: KernelSpace, P::Scalar: serde::de::DeserializeOwned
}

#[cfg(feature = "serde")]
impl<P: KernelSpace> NoveltyDetectorModel<P> {
    fn check_parts(&self) -> Result<(), String> {
        npt_core::serial::some("errors of training samples", self.errors.len())?;
        let numbers = self.errors.iter().chain([&self.threshold]);
        npt_core::serial::finite("the errors and their threshold", numbers)
    }
}
