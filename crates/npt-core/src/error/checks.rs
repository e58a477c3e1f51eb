//! Checks of parameters and of computed values.

use super::Error;
use crate::Scalar;
use ndarray::{ArrayView1, ArrayView2};

/// Refuses values that were computed from samples, one sample a row, unless all are finite. `first` is the number of the
/// first row.
pub(crate) fn require_range<F: Scalar>(
    of: &'static str,
    computed: ArrayView2<'_, F>,
    first: usize,
) -> Result<(), Error> {
    let is_number = |row: ArrayView1<'_, F>| row.iter().all(|value| value.is_finite());
    match computed.outer_iter().position(|row| !is_number(row)) {
        None => Ok(()),
        Some(row) => Err(Error::Overflow {
            of,
            row: first + row,
        }),
    }
}

/// Refuses a parameter that is not a finite number above zero. The check accepts numbers above zero instead of refusing the
/// others, so that NaN fails.
pub(crate) fn positive(of: &'static str, parameter: &'static str, value: f64) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(Error::Parameter {
        of,
        parameter,
        value,
        allowed: "finite and above 0",
    })
}

/// Refuses a parameter that is NaN or infinite.
pub(crate) fn finite(of: &'static str, parameter: &'static str, value: f64) -> Result<(), Error> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Error::Parameter {
        of,
        parameter,
        value,
        allowed: "finite",
    })
}

/// Refuses a count of zero.
pub(crate) fn at_least_one(
    of: &'static str,
    parameter: &'static str,
    value: usize,
) -> Result<(), Error> {
    if value > 0 {
        return Ok(());
    }
    Err(Error::Parameter {
        of,
        parameter,
        value: 0.0,
        allowed: "at least 1",
    })
}

/// Refuses a parameter outside (0, 1].
pub(crate) fn share(of: &'static str, parameter: &'static str, value: f64) -> Result<(), Error> {
    if value > 0.0 && value <= 1.0 {
        return Ok(());
    }
    Err(Error::Parameter {
        of,
        parameter,
        value,
        allowed: "above 0 and at most 1",
    })
}

/// Refuses a parameter that is not a finite number from zero up.
pub(crate) fn not_negative(
    of: &'static str,
    parameter: &'static str,
    value: f64,
) -> Result<(), Error> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(Error::Parameter {
        of,
        parameter,
        value,
        allowed: "finite and at least 0",
    })
}

#[cfg(test)]
mod tests {
    use super::{Error, require_range};
    use ndarray::array;

    #[test]
    fn rows_are_counted_from_the_first() {
        let computed = array![[1.0, 2.0], [3.0, 4.0], [5.0, f64::NAN]];
        let (of, row) = ("Gaussian", 12);
        assert_eq!(
            require_range(of, computed.view(), 10),
            Err(Error::Overflow { of, row })
        );
    }
}
