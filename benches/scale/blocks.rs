//! Works that take their samples in blocks of rows.

use super::{BLOCK, Numbers, share_of_errors, timed};
use crate::read::Folder;
use linfa::{DatasetBase, traits::Predict};
use ndarray::{Array1, Array2, s};
use npt::{
    Fitted,
    methods::{
        Error,
        linear::{IterativeRidge, KMeans, Logistic, Ridge, Svc},
        streaming::{CoordinateMoments, FitMoments},
    },
    prelude::*,
};
use std::cell::Cell;

type Block<T> = DatasetBase<Array2<f64>, Array1<T>>;

/// The first rows, block by block.
fn blocks<'a, T: Clone>(
    x: &'a Array2<f64>,
    targets: &'a Array1<T>,
    rows: usize,
) -> impl Iterator<Item = Block<T>> + 'a {
    (0..rows).step_by(BLOCK).map(move |first| {
        let rows = first..(first + BLOCK).min(rows);
        let x = x.slice(s![rows.clone(), ..]).to_owned();
        DatasetBase::new(x, targets.slice(s![rows]).to_owned())
    })
}

/// The space of landmarks that are chosen from the first rows; the rows of the file are in no order.
fn space(
    x: &Array2<f64>,
    landmarks: usize,
    kernel: Gaussian<f64>,
) -> Fitted<npt::ExactSpace<Rows<f64>, Gaussian<f64>>> {
    let some = x.slice(s![..10 * landmarks, ..]).to_owned();
    let builder = Nystrom::new(kernel, Pivoting::random(landmarks)).axes(Axes::Cholesky);
    builder.fit_space(&some).expect("a space")
}

/// Ridge regression in the space of landmarks, from moments or by iterations over blocks. Returns also the share of the variance of the
/// last fifth of the rows that the model leaves unexplained.
pub(super) fn ridge(folder: &Folder, name: &str, landmarks: usize, solver: &str) -> Numbers {
    let (x, targets) = (folder.samples(name), folder.targets(name));
    let training = x.nrows() / 5 * 4;
    let blocks = || blocks(&x, &targets, training);
    let (seconds, (model, iterations)) = timed(|| {
        let some = x.slice(s![..2 * landmarks, ..]).to_owned();
        let builder = Nystrom::new(Gaussian::new(0.05), Pivoting::uniform(landmarks));
        let builder = builder.axes(Axes::Cholesky).centered(false);
        let space = builder.fit_space(&some).expect("a space");
        if solver == "moments" {
            let space = space.into_parts().0;
            let mut sums = CoordinateMoments::new(&space).expect("room for sums");
            for block in blocks() {
                sums.add(&block).expect("moments");
            }
            let moments = sums.into_moments().expect("numbers");
            let ridge: Ridge<f64> = Ridge::params()
                .penalty(0.1)
                .fit_moments(&moments)
                .expect("a regression");
            (KernelizedModel::new(ridge, space).expansion(), 0)
        } else {
            let params = IterativeRidge::params().penalty(0.1).tolerance(1e-4);
            let pass = || Ok::<_, Error>(blocks().map(Ok));
            let ridge = params.fit_blocks(&space, pass).expect("a regression");
            let iterations = ridge.iterations();
            let model = KernelizedModel::new(ridge, space.into_parts().0);
            (model.expansion(), iterations)
        }
    });
    let new = x.slice(s![training.., ..]).to_owned();
    let found = model
        .expect("an expansion")
        .evaluate(&new)
        .expect("predictions");
    let expected = targets.slice(s![training..]);
    let left = (&found.column(0) - &expected).mapv(|v| v * v).mean();
    vec![
        ("seconds", seconds),
        ("iterations", iterations as f64),
        ("error", left.unwrap_or(f64::NAN).sqrt()),
    ]
}

/// Logistic regression of two classes.
pub(super) fn logistic(
    folder: &Folder,
    name: &str,
    landmarks: usize,
    kernel: Gaussian<f64>,
    penalty: f64,
) -> Numbers {
    let params = Logistic::params().penalty(penalty).tolerance(1e-4);
    classified(folder, name, |x, sides, passes| {
        let space = space(x, landmarks, kernel);
        let logistic = params.fit_blocks(&space, || {
            passes.set(passes.get() + 1);
            Ok::<_, Error>(blocks(x, sides, x.nrows()).map(Ok))
        });
        KernelizedModel::new(logistic.expect("a regression"), space.into_parts().0).expand()
    })
}

/// Support vector classification of two classes.
pub(super) fn svc(
    folder: &Folder,
    name: &str,
    landmarks: usize,
    kernel: Gaussian<f64>,
    c: f64,
) -> Numbers {
    let params = Svc::params().c(c);
    classified(folder, name, |x, sides, passes| {
        let space = space(x, landmarks, kernel);
        let svc = params.fit_blocks(&space, || {
            passes.set(passes.get() + 1);
            Ok::<_, Error>(blocks(x, sides, x.nrows()).map(Ok))
        });
        KernelizedModel::new(svc.expect("a classifier"), space.into_parts().0).expand()
    })
}

/// Fits a model of two classes by `fit`, which counts its passes.
fn classified<M, E>(
    folder: &Folder,
    name: &str,
    fit: impl FnOnce(&Array2<f64>, &Array1<bool>, &Cell<u32>) -> Result<M, E>,
) -> Numbers
where
    M: for<'a> Predict<&'a Array2<f64>, Array1<bool>>,
    E: std::fmt::Debug,
{
    let sides = |name: &str| folder.targets(name).mapv(|label| label > 0.5);
    let [train, test] = ["train", "test"].map(|part| format!("{name}-{part}"));
    let (x, sides_of_x) = (folder.samples(&train), sides(&train));
    let passes = Cell::new(0);
    let (seconds, model) = timed(|| fit(&x, &sides_of_x, &passes));
    let model = model.expect("a model");
    let found = model.predict(&folder.samples(&test));
    vec![
        ("seconds", seconds),
        ("passes", f64::from(passes.get())),
        ("error", share_of_errors(&found, &sides(&test))),
    ]
}

/// k-means in the space of landmarks; returns also the inertia a row.
pub(super) fn kmeans(
    folder: &Folder,
    name: &str,
    landmarks: usize,
    kernel: Gaussian<f64>,
    clusters: usize,
) -> Numbers {
    let x = folder.samples(&format!("{name}-train"));
    let none = Array1::from_elem(x.nrows(), ());
    let (seconds, means) = timed(|| {
        let space = space(&x, landmarks, kernel);
        let params = KMeans::params(clusters).tolerance(1e-4);
        params.fit_blocks(&space, || {
            Ok::<_, Error>(blocks(&x, &none, x.nrows()).map(Ok))
        })
    });
    let means = means.expect("clusters");
    vec![
        ("seconds", seconds),
        ("iterations", means.iterations() as f64),
        ("inertia", means.inertia() / x.nrows() as f64),
    ]
}
