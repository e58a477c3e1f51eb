//! Support vector methods: planes that few samples hold in place.

mod solver;
mod svc;

pub use svc::{Svc, SvcParams, SvcValidParams};

use crate::Error;
use ndarray::Array1;
use npt_core::Scalar;

/// Values in the scalar of the records, or an error where they leave its range.
fn finite<F: Scalar>(
    of: &'static str,
    values: impl IntoIterator<Item = f64>,
) -> Result<Array1<F>, Error> {
    let in_range = |value: f64| {
        let cast: F = F::cast(value);
        if cast.is_finite() {
            Ok(cast)
        } else {
            Err(Error::Parameter {
                of,
                parameter: "solution",
                value,
                allowed: "within the range of the records' scalar",
            })
        }
    };
    values.into_iter().map(in_range).collect()
}
