//! Tests linear models that are written as expansions, sums of kernel values: the same predictions without coordinates.

use ndarray::Array2;

/// Compares the values of a ready-made method, which predicts by its expansion, with those of the same method by
/// coordinates, and with those of its expansion made afterwards.
macro_rules! assert_expanded {
    ($what:expr, $params:expr, $data:expr, $new:expr, $values:ty) => {{
        let params = $params;
        let by_kernel_values: $values = params.fit($data).unwrap().transform($new.clone());
        let whole = params.by_coordinates().fit($data).unwrap();
        let by_coordinates: $values = whole.transform($new.clone());
        let expanded: $values = whole.expand().unwrap().transform($new.clone());
        let columns = |values: $values| {
            let shape = ($new.nrows(), values.len() / $new.nrows());
            values.into_shape_with_order(shape).unwrap()
        };
        let by_coordinates = columns(by_coordinates);
        assert_close($what, &columns(expanded), &by_coordinates, TOLERANCE);
        assert_close($what, &columns(by_kernel_values), &by_coordinates, ROADS);
        whole
    }};
}

mod dual_coefficients;
mod methods;
mod models;

const TOLERANCE: f64 = 1e-10;

/// The tolerance of two roads: coordinates of samples beside the span of the training samples are known to √ε, kernel values to ε.
const ROADS: f64 = 1e-8;

fn assert_close(what: &str, found: &Array2<f64>, expected: &Array2<f64>, tolerance: f64) {
    assert_eq!(found.dim(), expected.dim(), "{what}");
    let scale = expected.fold(0.0_f64, |m, v| m.max(v.abs()));
    let off = (found - expected).fold(0.0_f64, |m, v| m.max(v.abs()));
    assert!(
        off <= tolerance * scale,
        "{what}: off by {off:e} of {scale:e}"
    );
}
