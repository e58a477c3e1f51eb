//! Tests every kernelized method against its kernel-trick formula: relative agreement 10⁻⁸ in f64 and
//! 10⁻³ in f32, on the scale of the largest value compared or on the one stated.

mod case;
mod cca;
mod gaussian_process;
mod ica;
mod iterative_ridge;
mod kernel_kmeans;
mod kfd;
mod kmeans;
mod kpca;
mod kpca_l1;
mod logistic;
mod novelty;
mod pls;
mod pre_image;
mod regression_discriminant;
mod ridge;
mod support_vectors;
mod svc;

use case::{Precision, Regime, assert_close_on, samples};
use linfa::DatasetBase;
use ndarray::{Array1, Array2};
use npt::{Error::NoVariance, methods::Error, prelude::*};
use npt_testkit::data;

/// One sample has no centred space on either road, and every method returns that error.
#[test]
fn one_sample_is_refused_by_every_method() {
    fn no_space<T>(result: Result<T, KernelizedError<Error>>) {
        let expected = KernelizedError::Space(NoVariance { samples: 1 });
        assert_eq!(result.err(), Some(expected));
    }
    let x = data::normal(1, 3, 1);
    let kernel = Gaussian::new(0.5);
    let class = DatasetBase::new(x.clone(), Array1::from_elem(1, 0));
    let side = DatasetBase::new(x.clone(), Array1::from_elem(1, true));
    let value = DatasetBase::new(x.clone(), Array1::from_elem(1, 2.0));
    no_space(KernelPls::params(1, kernel).fit(&value));
    let x = DatasetBase::from(x);
    no_space(Kpca::params(1, kernel).fit(&x));
    no_space(KpcaL1::params(1, kernel).fit(&x));
    no_space(KernelKMeans::params(1, kernel).fit(&x));
    no_space(NoveltyDetector::params(kernel).fit(&x));
    no_space(KernelIca::params(1, kernel).fit(&x));
    no_space(Kfd::params(kernel).fit(&class));
    no_space(KernelSvc::params(kernel).fit(&side));
    no_space(KernelLogistic::params(kernel).fit(&class));
    let value = DatasetBase::new(x.records().clone(), Array1::from_elem(1, 0.5));
    no_space(KernelRidge::params(kernel).fit(&value));
    no_space(KernelRegressionDiscriminant::params(1, kernel).fit(&value));
}

/// Law 6: with the linear kernel, the predictions of a rotation-invariant method are those of the method on centred
/// data, to 10⁻¹².
#[test]
fn linear_kernel_is_the_linear_method() {
    let (x, new) = samples(30, 4, Regime::Plain, 11);
    let labels = x
        .column(0)
        .mapv(|v| usize::from(v > -0.5) + usize::from(v > 0.5));
    let data = DatasetBase::new(x, labels);
    let same = |name: &str, found: &Array2<f64>, expected: &Array2<f64>| {
        let largest = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
        assert_close_on(name, found, expected, 1e-12 / f64::TOLERANCE * largest);
    };

    let linear = npt::methods::linear::Lda::params();
    let (linear, kernel) = (linear.fit(&data), Kfd::params(Linear::new()).fit(&data));
    let expected: Array2<f64> = linear.unwrap().transform(new.clone());
    same("LDA", &kernel.unwrap().transform(new.clone()), &expected);

    let linear = npt::methods::linear::PcaL1::params(3).fit(&data);
    let kernel = KpcaL1::params(3, Linear::new()).fit(&data);
    let expected: Array2<f64> = linear.unwrap().transform(new.clone());
    same("PCA-L1", &kernel.unwrap().transform(new), &expected);
}
