//! Checks of parameters and results.

use super::Error;
use npt_core::{ParameterValue, catalogue::Range};

/// Refuses a parameter that is not a finite number from zero up.
pub(crate) fn require_not_negative(
    of: &'static str,
    parameter: &'static str,
    value: f64,
) -> Result<(), Error> {
    let holds = value >= 0.0 && value.is_finite();
    require(holds, of, parameter, value, "finite and at least 0")
}

/// Refuses a parameter that is not a finite number above zero.
pub(crate) fn require_positive(
    of: &'static str,
    parameter: &'static str,
    value: f64,
) -> Result<(), Error> {
    let holds = value > 0.0 && value.is_finite();
    require(holds, of, parameter, value, "finite and above 0")
}

/// Refuses sample weights, which would be ignored.
pub(crate) fn require_no_weights<R: linfa::dataset::Records, T>(
    of: &'static str,
    dataset: &linfa::DatasetBase<R, T>,
) -> Result<(), Error> {
    // Asks the field, as the method panics on weights that are not contiguous.
    if dataset.weights.is_empty() {
        Ok(())
    } else {
        Err(Error::Weights { of })
    }
}

/// Refuses results that are NaN or infinite.
pub(crate) fn require_finite<'a, F: npt_core::Scalar>(
    of: &'static str,
    mut results: impl Iterator<Item = &'a F>,
) -> Result<(), Error> {
    if results.all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(Error::Overflow { of })
    }
}

/// Refuses a parameter unless `holds`.
pub(crate) fn require(
    holds: bool,
    of: &'static str,
    parameter: &'static str,
    value: f64,
    allowed: &'static str,
) -> Result<(), Error> {
    if holds {
        Ok(())
    } else {
        Err(Error::Parameter {
            of,
            parameter,
            value,
            allowed,
        })
    }
}

/// Refuses the value of a parameter that is outside its range.
pub(crate) fn require_in(
    of: &'static str,
    parameter: &'static str,
    range: Range,
    value: &ParameterValue,
) -> Result<(), Error> {
    let number = match value {
        ParameterValue::Integer(value) => *value as f64,
        _ => value.reals().first().copied().unwrap_or(f64::NAN),
    };
    let allowed = range.words().unwrap_or("a value of its list");
    require(range.holds(value), of, parameter, number, allowed)
}
