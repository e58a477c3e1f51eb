//! The data that all models of these tests share, and the visitors that look at the models.

use ndarray::{Array, Array1, Array2, Dimension};
use npt::{
    Fitted, KernelSpace, Rows,
    linfa::{Dataset, DatasetBase},
};
use npt_testkit::data;
use serde::{Serialize, de::DeserializeOwned};
use std::process::Command;

/// The predictions of a model, or the typed error of a model that was damaged.
pub(crate) type Predicted = Result<Vec<f64>, Box<dyn std::error::Error>>;

/// Looks at models, one at a time.
pub(crate) trait Visitor {
    /// Looks at one model: `fit` makes the model called `name`, and `predict` returns its predictions.
    fn model<M: Serialize + DeserializeOwned + Send + Sync>(
        &mut self,
        name: &str,
        fit: impl FnOnce() -> M,
        predict: impl Fn(&M) -> Predicted,
    );
}

/// The variable that sets the number of training samples, if it is not [`FEW`].
pub(crate) const SAMPLES: &str = "NPT_SAVING_SAMPLES";

/// The number of training samples, with which the files of models are small.
const FEW: usize = 14;

/// The training samples.
pub(crate) fn x() -> Array2<f64> {
    let samples = std::env::var(SAMPLES).map_or(FEW, |text| text.parse().unwrap());
    data::normal(samples, 3, 1)
}

/// The new samples.
pub(crate) fn x_new() -> Array2<f64> {
    data::normal(5, 3, 2)
}

/// Samples of three classes, with some samples in each.
pub(crate) fn classes() -> Dataset<f64, usize, ndarray::Ix1> {
    let x = x();
    let labels = Array1::from_iter((0..x.nrows()).map(|i| i % 3));
    let moved = Array2::from_shape_fn(x.dim(), |(i, k)| {
        x[[i, k]] + if k == labels[i] { 2.0 } else { 0.0 }
    });
    DatasetBase::new(moved, labels)
}

/// Samples of two sides.
pub(crate) fn sides() -> Dataset<f64, bool, ndarray::Ix1> {
    classes().map_targets(|class| *class == 0)
}

/// Samples with numbers as targets.
pub(crate) fn values() -> Dataset<f64, f64, ndarray::Ix1> {
    let x = x();
    let y = x.map_axis(ndarray::Axis(1), |row| row[0] - row[1] * row[2]);
    DatasetBase::new(x, y)
}

/// Samples without targets.
pub(crate) fn unlabelled() -> DatasetBase<Array2<f64>, Array1<()>> {
    DatasetBase::from(x())
}

/// The entries of an array of numbers.
pub(crate) fn numbers<D: Dimension>(array: Array<f64, D>) -> Vec<f64> {
    array.into_iter().collect()
}

/// The entries of an array of labels.
pub(crate) fn labels(array: Array1<usize>) -> Vec<f64> {
    array.into_iter().map(|label| label as f64).collect()
}

/// The entries of an array of truth values.
pub(crate) fn truths(array: Array1<bool>) -> Vec<f64> {
    array
        .into_iter()
        .map(|is| f64::from(u8::from(is)))
        .collect()
}

/// Labels, and the numbers by which they were chosen: most changes of a model leave labels as they are.
pub(crate) fn beside<D: Dimension, const N: usize>(
    labels: Vec<f64>,
    values: [Array<f64, D>; N],
) -> Vec<f64> {
    let values = values.into_iter().flat_map(numbers);
    labels.into_iter().chain(values).collect()
}

/// The coordinates of samples in a space, their residuals, and the eigenvalues of the axes.
pub(crate) fn in_space<P: KernelSpace<Samples = Rows<f64>, Scalar = f64>>(
    fitted: &Fitted<P>,
    x: &Array2<f64>,
) -> Predicted {
    let (coordinates, residuals) = fitted.coordinates_and_residuals(x)?;
    let eigenvalues = fitted.eigenvalues().to_owned();
    Ok([
        numbers(coordinates),
        numbers(residuals),
        numbers(eigenvalues),
    ]
    .concat())
}

/// Runs one test of this program in a process of its own, with this number of threads and with the command as `change` leaves it.
pub(crate) fn in_another_process(test: &str, threads: &str, change: impl FnOnce(&mut Command)) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", test])
        .env("RAYON_NUM_THREADS", threads);
    change(&mut command);
    let other = command.output().unwrap();
    let text = String::from_utf8_lossy(&other.stdout);
    assert!(
        other.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

/// The Rust type that a name in a file stands for: kernels have their names of the catalogue, all else the names of their types.
pub(crate) fn type_of(name: &str) -> String {
    if name.contains(char::is_uppercase) {
        return name.to_owned();
    }
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    });
    words.collect()
}
