//! Tests that the kernels that features represent, rather than approximate, are kernels like others.

use ndarray::{Array2, array};
use npt::{Error, Kernel, prelude::*};

fn rows(x: Array2<f64>) -> Rows<f64> {
    Rows::new(x).unwrap()
}

/// Checks that a represented kernel is positive semidefinite, and returns its error for samples outside the domain of the features.
fn refusal<K: Kernel<Rows<f64>>>(represented: &K, refused: Array2<f64>) -> Error {
    assert!(represented.is_positive_semidefinite());
    assert_eq!(represented.check(&rows(array![[1.0, 2.0]])), Ok(()));
    represented.check(&rows(refused)).unwrap_err()
}

#[test]
fn represented_kernels() {
    let x = array![[0.5, 1.0], [2.0, 0.25], [1.0, 3.0]];
    let waves = RandomFourier::new(Gaussian::new(0.5), 8)
        .fit_space(&x)
        .unwrap();
    let sketch = TensorSketch::new(Polynomial::new(2, 1.0, 1.0), 8)
        .fit_space(&x)
        .unwrap();
    let chi_squared = HomogeneousFeatures::new(AdditiveChiSquared::new(), 3);
    let chi_squared = chi_squared.fit_space(&x).unwrap();

    let wider = array![[1.0, 2.0, 3.0]];
    let width = Error::ColumnCount {
        expected: 2,
        found: 3,
    };
    assert_eq!(refusal(waves.space().raw_map(), wider.clone()), width);
    assert_eq!(refusal(sketch.space().raw_map(), wider), width);
    let error = refusal(
        chi_squared.space().raw_map(),
        array![[1.0, 2.0], [1.0, -2.0]],
    );
    assert!(
        matches!(error, Error::SampleOutsideDomain { row: 1, .. }),
        "{error}"
    );
}
