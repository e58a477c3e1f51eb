//! Model files.

use ndarray::{Array1, Array2, array};
use npt::{
    linfa::{Dataset, DatasetBase},
    methods::{
        linear::{Lda, MulticlassSvc, Pca, Ridge},
        pre_image::{PreImageExt, PreImageRidge},
        streaming::{Moments, Reservoir},
    },
    model_file::{Contents, from_bytes, to_bytes},
    prelude::*,
};
use serde::{Serialize, de::DeserializeOwned};
use std::error::Error;

/// A question to each model: write it as a file, or read a file as it.
trait Asked {
    fn ask<M: Serialize + DeserializeOwned>(
        &mut self,
        fit: impl FnOnce() -> Result<M, Box<dyn Error>>,
        predict: impl FnOnce(&M) -> Result<(), Box<dyn Error>>,
    );
}

/// The files of all models below.
struct Files(Vec<Vec<u8>>);

impl Asked for Files {
    fn ask<M: Serialize + DeserializeOwned>(
        &mut self,
        fit: impl FnOnce() -> Result<M, Box<dyn Error>>,
        _: impl FnOnce(&M) -> Result<(), Box<dyn Error>>,
    ) {
        let model = fit().expect("the samples are right");
        self.0.push(to_bytes(&model).expect("a model is written"));
    }
}

/// Loads bytes as each model below.
struct Loads<'b>(&'b [u8]);

impl Asked for Loads<'_> {
    fn ask<M: Serialize + DeserializeOwned>(
        &mut self,
        _: impl FnOnce() -> Result<M, Box<dyn Error>>,
        predict: impl FnOnce(&M) -> Result<(), Box<dyn Error>>,
    ) {
        let Ok(model) = from_bytes::<M>(self.0) else {
            return;
        };
        // Samples of another width, and an overflow, are typed errors.
        let _ = predict(&model);
        let again = to_bytes(&model).expect("what was read is written");
        assert!(
            from_bytes::<M>(&again).is_ok(),
            "what was written is not read"
        );
    }
}

/// Loads the bytes as several types, with their length and their checksum made right, and without types.
///
/// # Panics
/// If a model that was read panics when it predicts, or is not written and read again.
pub fn run(bytes: &[u8]) {
    let sealed = sealed(bytes);
    for bytes in [bytes, &sealed] {
        if let Ok(contents) = Contents::from_bytes(bytes) {
            let _ = (contents.to_string(), contents.kernel(), contents.columns());
        }
    }
    each(&mut Loads(&sealed));
}

/// The files of all models, one of each type.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut files = Files(Vec::new());
    each(&mut files);
    files.0
}

/// Makes bytes look like a whole file: with their length at byte 12, and their checksum at the end.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let length = bytes.len() as u64;
    if let Some(place) = bytes.get_mut(12..20) {
        place.copy_from_slice(&length.to_le_bytes());
    }
    if let Some((covered, checksum)) = bytes.split_last_chunk_mut::<4>() {
        *checksum = crc32fast::hash(covered).to_le_bytes();
    }
    bytes
}

fn x() -> Array2<f64> {
    array![[0.0, 1.0], [0.5, 0.0], [3.0, 3.0], [4.0, 2.0], [2.0, -1.0]]
}

fn x_new() -> Array2<f64> {
    array![[1.0, 1.0], [-2.0, 0.5]]
}

fn sides() -> Dataset<f64, bool, ndarray::Ix1> {
    DatasetBase::new(x(), array![false, false, true, true, true])
}

fn classes() -> Dataset<f64, usize, ndarray::Ix1> {
    DatasetBase::new(x(), array![0, 1, 2, 2, 1])
}

fn values() -> Dataset<f64, f64, ndarray::Ix1> {
    DatasetBase::new(x(), array![0.5, 1.0, -1.0, 2.0, 0.0])
}

fn alone() -> DatasetBase<Array2<f64>, Array1<()>> {
    DatasetBase::from(x())
}

fn each(asked: &mut impl Asked) {
    kernel_methods(asked);
    spaces(asked);
    linear_methods(asked);
    sums(asked);
}

fn kernel_methods(asked: &mut impl Asked) {
    let kernel = Gaussian::new(0.3);
    asked.ask(
        || Ok(KernelSvc::params(kernel).fit(&sides())?),
        |m| m.decision_function(&x_new()).map(drop).map_err(Into::into),
    );
    asked.ask(
        || Ok(KernelRidge::params(kernel + Linear::new()).fit(&values())?),
        |m| {
            let _: Array1<f64> = m.try_predict(&x_new())?;
            Ok(())
        },
    );
    asked.ask(
        || {
            let process = GaussianProcess::params(kernel).noises(&[0.1, 1.0]);
            Ok(process.fit(&values())?)
        },
        |m| {
            m.predict_with_variance(&x_new())
                .map(drop)
                .map_err(Into::into)
        },
    );
    asked.ask(
        || {
            let back = PreImageRidge::new(Gaussian::new(0.1), 0.1);
            Ok(Kpca::params(2, kernel).pre_image(back).fit(&alone())?)
        },
        |m| m.denoise(&x_new()).map(drop).map_err(Into::into),
    );
    asked.ask(
        || {
            let space = Nystrom::new(kernel, Pivoting::random(3));
            Ok(Kernelized::new(Lda::params(), space).fit(&classes())?)
        },
        |m| {
            let _: Array1<usize> = m.try_predict(&x_new())?;
            Ok(())
        },
    );
}

fn spaces(asked: &mut impl Asked) {
    let kernel = Gaussian::new(0.3);
    asked.ask(
        || {
            Ok(RandomFourier::new(kernel, 3)
                .structured(true)
                .fit_space(&x())?)
        },
        |m| {
            m.coordinates_and_residuals(&x_new())
                .map(drop)
                .map_err(Into::into)
        },
    );
    asked.ask(
        || {
            let words = ["ab", "abba", "cab"].map(str::to_owned).to_vec();
            Ok(Exact::new(Mismatch::new(2, 1, "abc")).fit_space(&Items::new(words)?)?)
        },
        |m| {
            let words = Items::new(vec!["bac".to_owned()])?;
            m.coordinates(&words).map(drop).map_err(Into::into)
        },
    );
}

fn linear_methods(asked: &mut impl Asked) {
    asked.ask(
        || Ok(MulticlassSvc::params().fit(&classes())?),
        |m| {
            let _ = m.decision_function(&Array2::ones((2, m.weights().nrows())));
            Ok(())
        },
    );
    asked.ask(
        || Ok(Pca::params(1).fit(&alone())?),
        |m| {
            let _: Array2<f64> = m.transform(Array2::ones((2, m.axes().ncols())));
            Ok(())
        },
    );
    asked.ask(
        || Ok(Ridge::params().fit(&values())?),
        |m| {
            let _: Array1<f64> = m.predict(&Array2::ones((2, m.weights().nrows())));
            Ok(())
        },
    );
}

fn sums(asked: &mut impl Asked) {
    asked.ask(
        || {
            let mut moments = Moments::new(2);
            moments.add(&values())?;
            Ok(moments)
        },
        |m| m.clone().add(&values()).map_err(Into::into),
    );
    asked.ask(
        || {
            let mut some = Reservoir::new(3);
            some.add(&x())?;
            Ok(some)
        },
        |m| {
            let mut more = m.clone();
            more.add(&x())?;
            more.into_samples().map(drop).map_err(Into::into)
        },
    );
}
