//! Tests of novelty detection: the threshold, and the errors.

use linfa::{
    DatasetBase,
    traits::{Fit, Transformer},
};
use ndarray::{Array1, Array2, array};
use npt_core::{
    Error::NoVariance, Gaussian, Items, KernelSpace, KernelizedError, Linear, Rank, Rows, Spectrum,
};
use npt_methods::{Error, NoveltyDetector};

fn waves(rows: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, 3), |(i, j)| (3 * i + 2 * j) as f64).mapv(f64::sin)
}

/// One sample in 20 has an error above the 0.95 quantile, and no sample an error above the largest.
#[test]
fn the_quantile_counts_training_samples() {
    let x = waves(100);
    let data = DatasetBase::from(x.clone());
    for (quantile, expected) in [(1.0, 0), (0.95, 5), (0.55, 45), (0.501, 49), (1e-9, 99)] {
        let params = NoveltyDetector::params(Gaussian::new(0.7)).rank(Rank::Components(4));
        let model = params.quantile(quantile).fit(&data).unwrap();
        let novel = model
            .training_errors()
            .iter()
            .filter(|&&e| e > model.threshold())
            .count();
        assert_eq!(novel, expected, "{quantile}");
        assert_eq!(model.space().rank(), 4);
    }
}

/// The error with the linear kernel is the squared distance from a plane, computed by hand.
#[test]
fn the_error_is_the_distance_from_the_components() {
    let x = array![[-2.0, 0.1], [2.0, 0.1], [-1.0, -0.1], [1.0, -0.1]];
    let params = NoveltyDetector::params(Linear::new()).rank(Rank::Components(1));
    let model = params.fit(&DatasetBase::from(x)).unwrap();
    let errors: Array1<f64> = model.transform(array![[7.0, 0.0], [0.0, 3.0], [-5.0, 0.2]]);
    let off = errors - array![0.0, 9.0, 0.04];
    assert!(off.iter().all(|d| d.abs() < 1e-13), "{off}");
    let (expected, found) = (2, 1);
    let error = npt_core::Error::ColumnCount { expected, found };
    assert_eq!(model.try_predict(&array![[1.0]]), Err(error));
}

#[test]
fn samples_of_any_type() {
    let words = vec!["banana", "bandana", "ananas", "bananas", "anna", "nabana"];
    let words = Items::new(words.into_iter().map(String::from).collect()).unwrap();
    let params = NoveltyDetector::params(Spectrum::new(2)).quantile(1.0);
    let model = params.fit(&DatasetBase::from(words.clone())).unwrap();
    assert!(model.predict(&words).iter().all(|&novel| !novel));
    let new = Items::new(vec![String::from("xylophone")]).unwrap();
    assert_eq!(model.predict(&new), array![true]);
    assert_eq!(model.try_predict(&new), Ok(array![true]));
}

#[test]
fn bad_input() {
    let data = DatasetBase::from(waves(10));
    for quantile in [0.0, -0.5, 1.5, f64::INFINITY] {
        let params = NoveltyDetector::params(Gaussian::new(1.0)).quantile(quantile);
        let refused = Error::Parameter {
            of: "NoveltyDetector",
            parameter: "quantile",
            value: quantile,
            allowed: "above 0 and at most 1",
        };
        assert_eq!(
            params.fit(&data).err(),
            Some(KernelizedError::Method(refused))
        );
    }
    let nan = NoveltyDetector::params(Gaussian::new(1.0)).quantile(f64::NAN);
    assert!(matches!(
        nan.fit(&data).err(),
        Some(KernelizedError::Method(Error::Parameter { value, .. })) if value.is_nan()
    ));
    let params = NoveltyDetector::params(Gaussian::new(1.0));
    let one = DatasetBase::from(Rows::new(waves(1)).unwrap());
    let none = KernelizedError::Space(NoVariance { samples: 1 });
    assert_eq!(params.fit(&one).err(), Some(none));
    let many = params.clone().rank(Rank::Components(10)).fit(&data).err();
    let (requested, available) = (10, 9);
    let none = npt_core::Error::Rank {
        requested,
        available,
    };
    assert_eq!(many, Some(KernelizedError::Space(none)));

    let model = params.fit(&data).unwrap();
    let (expected, found) = (3, 2);
    let wide = model.reconstruction_errors(&array![[1.0, 2.0]]);
    assert_eq!(
        wide.err(),
        Some(npt_core::Error::ColumnCount { expected, found })
    );
}
