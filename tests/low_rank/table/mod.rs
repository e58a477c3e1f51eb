//! Tests every ready-made method on every builder of low rank.
//!
//! | method | by coordinates | as an expansion on landmarks | sample weights |
//! |---|---|---|---|
//! | those of [`each_method`] | on every builder | yes | see there |
//! | `GaussianProcess` | on every builder | yes | refused |
//! | `KernelCca` | on every builder | yes | two records have none |
//! | `NoveltyDetector` | on every builder | no: the residual of a sample is no linear function of kernel values | refused |
//! | `GaussianProcess::optimized` | no: it moves the kernel, and with it the space; the exact one is fitted to each | | refused |
//! | `RobustKpca` | no: it moves the samples, by the gradients of kernel values with all of them | | refused |
//!
//! Random features have no expansion on samples: `KernelMethod::fit` on them does not compile, and
//! `tests/compile_errors/expanded_random_features.rs` has the message.

use linfa::{Dataset, DatasetBase};
use ndarray::{Array1, Array2, Axis, Ix1, concatenate};
use npt::{
    AsSamples, Error as SpaceError, Fitted, Given,
    methods::{
        Centroids, Error,
        linear::{Contrast, MulticlassSvc},
    },
    model_file::{from_bytes, to_bytes},
    prelude::*,
};
use npt_testkit::data;
use serde::{Serialize, de::DeserializeOwned};

/// Lists every method that is a pair of a linear method and a space: its name, its parameters, the space that it needs, the data,
/// the question to the model, the part of the answer that is determined, and its treatment of weights.
macro_rules! each_method {
    ($row:ident) => {
        $row!("Kpca", Kpca::params(3, kernel()), centered, alone, transform Array2, Signs, Taken);
        $row!("KpcaL1", KpcaL1::params(1, kernel()).method(|m| m.starts(200)), centered, alone, transform Array2, Signs, Taken);
        $row!("KernelIca", KernelIca::params(2, kernel()).method(|m| m.contrast(Contrast::Cube).tolerance(1e-12)), centered, alone, transform Array2, Signs, Taken);
        $row!("Kfd", Kfd::params(kernel()).method(|m| m.ridge(0.01)), centered, classes, transform Array2, Signs, Taken);
        $row!("KpcaLda", KpcaLda::params(4, kernel()), centered, classes, transform Array2, Signs, Taken);
        $row!("KernelSvc", KernelSvc::params(kernel()).method(|m| m.tolerance(SOLVER)), centered, sides, transform Array1, Values, Taken);
        $row!("KernelSvc of classes", KernelSvc::params(kernel()).method(|m| m.tolerance(SOLVER)), centered, classes, transform Array2, Values, Taken);
        $row!("MulticlassSvc", KernelSvc::params(kernel()).method(|_| MulticlassSvc::params().tolerance(SOLVER)), centered, classes, transform Array2, Values, Taken);
        $row!("KernelNuSvc", KernelNuSvc::params(0.31, kernel()).method(|m| m.tolerance(SOLVER)), centered, sides, transform Array1, Values, Taken);
        $row!("KernelHardMarginSvc", KernelHardMarginSvc::params(kernel()).method(|m| m.tolerance(SOLVER)), centered, apart, transform Array1, Values, Counted);
        $row!("KernelOneClassSvm", KernelOneClassSvm::params(0.31, kernel()).method(|m| m.tolerance(SOLVER)), plain, alone, transform Array1, Values, Taken);
        $row!("KernelCalibratedSvc", KernelCalibratedSvc::params(kernel()).method(|m| m.folds(2).tolerance(SOLVER)), centered, classes, transform Array2, Values, Taken);
        $row!("KernelSvr", KernelSvr::params(kernel()).method(|m| m.tolerance(SOLVER)), centered, values, predict Array1, Values, Taken);
        $row!("KernelLogistic", KernelLogistic::params(kernel()).method(|m| m.penalty(0.1)), centered, classes, transform Array2, Values, Taken);
        $row!("KernelRidge", KernelRidge::params(kernel()).method(|m| m.penalty(0.1)), centered, values, predict Array1, Values, Taken);
        $row!("KernelRidge, its penalty chosen", KernelRidge::params(kernel()).method(|m| m.penalties(&[0.1, 1.0])), centered, values, predict Array1, Values, Refused);
        $row!("IterativeKernelRidge", IterativeKernelRidge::params(kernel()).method(|m| m.penalty(0.1).tolerance(1e-12)), centered, values, predict Array1, Values, Taken);
        $row!("KernelPls", KernelPls::params(2, kernel()), centered, values, predict Array1, Values, Taken);
        $row!("KernelKMeans", KernelKMeans::params(2, kernel()).method(|m| m.starts(2000)), centered, alone, transform Array2, Clusters, Taken);
        $row!("KernelRegressionDiscriminant", KernelRegressionDiscriminant::params(1, kernel()).method(|m| m.ridge(0.01)), centered, values, transform Array2, Signs, Refused);
    };
}

/// Lists the Nystrom spaces of each choice of landmarks.
macro_rules! each_choice_of_landmarks {
    ($work:ident) => {
        $work("uniform landmarks", &nystrom(Pivoting::uniform(LANDMARKS)));
        $work("random landmarks", &nystrom(Pivoting::random(LANDMARKS)));
        $work("greedy landmarks", &nystrom(Pivoting::greedy(LANDMARKS)));
        $work(
            "landmarks by leverage",
            &nystrom(Pivoting::by_leverage(LANDMARKS, 0.1)),
        );
        $work("centroids", &nystrom(Centroids::new(LANDMARKS)));
        $work("given landmarks", &nystrom(given()));
    };
}

/// The values of a model for new samples, one row each.
macro_rules! values {
    ($model:expr, $new:expr, $ask:ident $shape:ident) => {{
        let found: $shape<f64> = values!(@ $ask, $model, $new);
        columns(found)
    }};
    (@ transform, $model:expr, $new:expr) => { Transformer::transform($model, $new.to_owned()) };
    (@ predict, $model:expr, $new:expr) => { Predict::predict($model, $new) };
}

/// A builder, and the same one of spaces that are not centred.
macro_rules! spaces {
    ($builder:expr) => {
        Spaces {
            centered: $builder.clone(),
            plain: $builder.clone().centered(false),
        }
    };
}

mod by_coordinates;
mod expanded;
mod own_models;
mod pre_images;

const LANDMARKS: usize = 8;

/// The tolerance of the solver of support vectors, so small that the comparison is of the minimum.
const SOLVER: f64 = 1e-12;

/// The tolerance of two ways to the same numbers in one space: its rounding, which a singular factor of landmarks multiplies.
const SAME_SPACE: f64 = 1e-9;

/// The tolerance of iterations that end near the same minimum, each at another place.
const SAME_MINIMUM: f64 = 1e-6;

fn kernel() -> Gaussian<f64> {
    Gaussian::new(0.3)
}

fn nystrom<L>(landmarks: L) -> Nystrom<Gaussian<f64>, L> {
    Nystrom::new(kernel(), landmarks)
}

/// Samples that are not negative, as histograms are; four of them are there twice.
fn samples() -> Array2<f64> {
    let x = data::normal(40, 3, 1).mapv(f64::abs);
    concatenate![Axis(0), x, x.select(Axis(0), &[2, 9, 23, 31])]
}

fn new_samples() -> Array2<f64> {
    data::normal(11, 3, 2).mapv(f64::abs)
}

/// Landmarks that are samples, but for one.
fn given() -> Given<Rows<f64>> {
    let mut landmarks = samples().select(Axis(0), &[0, 5, 11, 22, 30, 33, 38, 39]);
    landmarks[[7, 0]] += 0.5;
    Given(Rows::new(landmarks).unwrap())
}

/// The samples with the targets that methods take.
struct Sets {
    new: Array2<f64>,
    alone: DatasetBase<Array2<f64>, Array1<()>>,
    classes: Dataset<f64, usize, Ix1>,
    sides: Dataset<f64, bool, Ix1>,
    /// Two classes with a gap between them.
    apart: Dataset<f64, bool, Ix1>,
    values: Dataset<f64, f64, Ix1>,
}

impl Sets {
    fn new() -> Self {
        let x = samples();
        let waves = x.map_axis(Axis(1), |row| (2.0 * row[0]).sin() + row[1] * row[2]);
        let sides = x.map_axis(Axis(1), |row| row[0] + row[1] > 1.4);
        let mut apart = x.clone();
        for (mut row, &side) in apart.outer_iter_mut().zip(&sides) {
            row[0] += if side { 1.0 } else { 0.0 };
        }
        Self {
            new: new_samples(),
            alone: DatasetBase::from(x.clone()),
            classes: Dataset::new(
                x.clone(),
                waves.mapv(|v| usize::from(v > 0.6) + usize::from(v > 1.2)),
            ),
            sides: Dataset::new(x.clone(), sides.clone()),
            apart: Dataset::new(apart, sides),
            values: Dataset::new(x, waves),
        }
    }

    /// Sets of the same samples in a space of 64 features: with fewer, frequencies are never structured.
    fn wide() -> Self {
        fn widen<L>(
            data: DatasetBase<Array2<f64>, Array1<L>>,
        ) -> DatasetBase<Array2<f64>, Array1<L>> {
            let records = in_many_features(&data.records);
            DatasetBase::new(records, data.targets)
        }
        let sets = Self::new();
        Self {
            new: in_many_features(&sets.new),
            alone: widen(sets.alone),
            classes: widen(sets.classes),
            sides: widen(sets.sides),
            apart: widen(sets.apart),
            values: widen(sets.values),
        }
    }
}

/// The samples mapped to 64 features, about as far from each other as they were.
fn in_many_features(x: &Array2<f64>) -> Array2<f64> {
    x.dot(&(data::normal(x.ncols(), 64, 3) / 8.0))
}

/// The part of a model's values that is determined, whatever the axes and the order of the samples.
#[derive(Debug, Clone, Copy)]
enum Known {
    Values,
    /// The values but for their signs: each direction has one of two senses.
    Signs,
    /// The distances from centroids in any order, less what all of them have in common.
    Clusters,
}

impl Known {
    fn of(self, mut values: Array2<f64>) -> Array2<f64> {
        match self {
            Self::Values => {}
            Self::Signs => values.mapv_inplace(f64::abs),
            Self::Clusters => {
                for mut row in values.outer_iter_mut() {
                    let mut sorted = row.to_vec();
                    sorted.sort_by(f64::total_cmp);
                    row.assign(&Array1::from_iter(sorted.iter().map(|v| v - sorted[0])));
                }
            }
        }
        values
    }
}

/// The treatment of sample weights by a method.
#[derive(Debug, Clone, Copy)]
enum Weights {
    /// A weight of 2 counts as a sample twice.
    Taken,
    /// A weight of 2 counts as a sample twice, but no weight above 0 changes anything.
    Counted,
    /// Weights are refused by an error of the method's own.
    Refused,
}

trait Columns {
    fn columns(self) -> Array2<f64>;
}

impl Columns for Array1<f64> {
    fn columns(self) -> Array2<f64> {
        self.insert_axis(Axis(1))
    }
}

impl Columns for Array2<f64> {
    fn columns(self) -> Array2<f64> {
        self
    }
}

fn columns(values: impl Columns) -> Array2<f64> {
    values.columns()
}

fn off(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    assert_eq!(a.dim(), b.dim());
    let largest = b.fold(0.0_f64, |m, v| m.max(v.abs()));
    (a - b).fold(0.0_f64, |m, v| m.max(v.abs())) / largest
}

fn assert_close(what: &str, found: &Array2<f64>, expected: &Array2<f64>, tolerance: f64) {
    let off = off(found, expected);
    assert!(off <= tolerance, "{what}: off by {off:e}");
}

/// Asserts that values are finite, and not the same for all samples.
fn assert_says_something(what: &str, values: &Array2<f64>) {
    assert!(values.iter().all(|v| v.is_finite()), "{what}: {values}");
    let spread = |column: ndarray::ArrayView1<'_, f64>| {
        let ends = column.fold((f64::MAX, f64::MIN), |(a, b), &v| (a.min(v), b.max(v)));
        ends.1 - ends.0
    };
    let says = values.columns().into_iter().any(|c| spread(c) > 1e-3);
    assert!(says, "{what}: {values}");
}

/// Asserts that a model that was written and read returns the same values, to the bit.
fn assert_kept<M: Serialize + DeserializeOwned>(
    what: &str,
    model: &M,
    ask: impl Fn(&M) -> Array2<f64>,
) {
    let bytes = to_bytes(model).unwrap_or_else(|error| panic!("{what}: {error}"));
    let again: M = from_bytes(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    let bits = |model: &M| ask(model).mapv(f64::to_bits);
    assert_eq!(bits(&again), bits(model), "{what}");
}

/// Asserts that `fit` treats weights of 2 for two samples as `weights` says: where it takes them, as the fit to these samples twice.
fn assert_weighed<L: Clone, M>(
    what: &str,
    (weights, known): (Weights, Known),
    data: &DatasetBase<Array2<f64>, Array1<L>>,
    fit: impl Fn(&DatasetBase<Array2<f64>, Array1<L>>) -> Result<M, KernelizedError<Error>>,
    ask: impl Fn(&M) -> Array2<f64>,
) {
    let some = [3, 17];
    let times = (0..data.records.nrows()).map(|i| if some.contains(&i) { 2.0 } else { 1.0 });
    let weighted = data.clone().with_weights(times.collect());
    if let Weights::Refused = weights {
        let error = fit(&weighted).err();
        let expected = matches!(error, Some(KernelizedError::Method(Error::Weights { .. })));
        assert!(expected, "{what}: {error:?}");
        return;
    }
    let rows: Vec<usize> = (0..data.records.nrows()).chain(some).collect();
    let twice = DatasetBase::new(
        data.records.select(Axis(0), &rows),
        data.targets.select(Axis(0), &rows),
    );
    let values = |data| {
        let model = fit(data).unwrap_or_else(|error| panic!("{what}: {error}"));
        known.of(ask(&model))
    };
    let (found, expected) = (values(&weighted), values(&twice));
    assert_close(&format!("{what}, weights"), &found, &expected, SAME_MINIMUM);
    let ignored = off(&values(data), &expected);
    let counts = matches!(weights, Weights::Counted);
    assert!(
        (ignored > 100.0 * SAME_MINIMUM) != counts,
        "{what}: {ignored:e} without weights"
    );
}

struct Spaces<B> {
    centered: B,
    plain: B,
}

/// A builder whose space is always this one, whatever it is fitted to.
#[derive(Clone)]
struct Fixed<P>(P);

impl<P: KernelSpace<Samples = Rows<f64>, Scalar = f64> + Clone> SpaceBuilder<Rows<f64>>
    for Fixed<P>
{
    type Space = P;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = Rows<f64>>,
    ) -> Result<Fitted<P>, SpaceError> {
        let (coordinates, residuals) = self.0.coordinates_and_residuals(records)?;
        Ok(Fitted::new(self.0.clone(), coordinates, residuals))
    }
}
