//! Tests methods on blocks of samples that are read again for each iteration.

mod coordinate_moments;
mod kmeans;
mod linear_forms;
mod logistic;
mod random_pivots;
mod ridge;
mod skipping;
mod svc;

use linfa::DatasetBase;
use ndarray::{Array, Array1, Array2, Axis, RemoveAxis};
use npt::{Error, Fitted, prelude::*};
use npt_testkit::data;

/// Blocks that end at the rows `ends`; between two equal ends there is an empty block.
fn blocks<F: Clone, L: Clone, I: RemoveAxis>(
    data: &DatasetBase<Array2<F>, Array<L, I>>,
    ends: &[usize],
) -> Vec<DatasetBase<Array2<F>, Array<L, I>>> {
    let firsts = [&[0], ends].concat();
    let lasts = [ends, &[data.records.nrows()]].concat();
    let rows = firsts.into_iter().zip(lasts);
    rows.map(|(first, last)| {
        let rows: Vec<usize> = (first..last).collect();
        let targets = data.targets.select(Axis(0), &rows);
        DatasetBase::new(data.records.select(Axis(0), &rows), targets)
    })
    .collect()
}

type Labelled<L> = DatasetBase<Array2<f64>, Array1<L>>;

/// Samples with classes by the sine of a column; some samples are in the wrong class.
fn labelled(rows: usize, classes: usize) -> Labelled<usize> {
    let x = data::normal(rows, 3, 2);
    let side = x.column(0).mapv(|v| (2.0 * v).sin()) + x.column(1);
    let of = |(i, v): (usize, &f64)| {
        // The sum is between −2 and 2 for most samples.
        let above = |k: &usize| *v > 4.0 * *k as f64 / classes as f64 - 2.0;
        let here = (1..classes).filter(above).count();
        if i % 17 == 0 {
            (here + 1) % classes
        } else {
            here
        }
    };
    let labels = side.iter().enumerate().map(of).collect();
    DatasetBase::new(x, labels)
}

type BoxedSpace = Box<dyn KernelSpace<Samples = Rows<f64>, Scalar = f64>>;

/// A space of another crate, with the required methods only.
struct Foreign(BoxedSpace);

impl KernelSpace for Foreign {
    type Samples = Rows<f64>;
    type Scalar = f64;

    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn coordinates(&self, x: &dyn AsSamples<Samples = Rows<f64>>) -> Result<Array2<f64>, Error> {
        self.0.coordinates(x)
    }

    fn coordinates_and_residuals(
        &self,
        x: &dyn AsSamples<Samples = Rows<f64>>,
    ) -> Result<(Array2<f64>, Array1<f64>), Error> {
        self.0.coordinates_and_residuals(x)
    }
}

/// Spaces of each kind, fitted to some samples.
fn spaces(some: &Array2<f64>) -> Vec<(&'static str, Fitted<BoxedSpace>)> {
    fn boxed<P: KernelSpace<Samples = Rows<f64>, Scalar = f64> + 'static>(
        fitted: Fitted<P>,
    ) -> Fitted<BoxedSpace> {
        let (space, coordinates, residuals) = fitted.into_parts();
        Fitted::new(Box::new(space), coordinates, residuals)
    }
    let kernel = Gaussian::new(0.2);
    let exact = Exact::new(kernel);
    let nystrom = Nystrom::new(kernel, Pivoting::random(25));
    let cholesky = || nystrom.clone().axes(Axes::Cholesky);
    let fourier = RandomFourier::new(kernel, 15);
    let foreign = || {
        let (space, coordinates, residuals) = boxed(nystrom.fit_space(some).unwrap()).into_parts();
        boxed(Fitted::new(Foreign(space), coordinates, residuals))
    };
    vec![
        ("foreign", foreign()),
        ("exact", boxed(exact.fit_space(some).unwrap())),
        (
            "leading axes",
            boxed(
                exact
                    .clone()
                    .rank(Rank::Components(6))
                    .fit_space(some)
                    .unwrap(),
            ),
        ),
        (
            "landmarks of an exact space",
            boxed(exact.landmarks_only(true).fit_space(some).unwrap()),
        ),
        ("Nystrom", boxed(nystrom.fit_space(some).unwrap())),
        ("Cholesky axes", boxed(cholesky().fit_space(some).unwrap())),
        (
            "not centred",
            boxed(cholesky().centered(false).fit_space(some).unwrap()),
        ),
        ("random features", boxed(fourier.fit_space(some).unwrap())),
    ]
}
