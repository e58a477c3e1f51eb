//! Checks of the parts that fitted models have in common, for models that are read from files.

use ndarray::{Array1, Array2, Dimension};
use npt_core::{
    Scalar,
    serial::{agree, finite, some},
};

/// Checks that there are axes, one per row, with as many columns as their origin has features, and that all are finite.
pub(crate) fn check_axes<F: Scalar>(origin: &Array1<F>, axes: &Array2<F>) -> Result<(), String> {
    some("features", origin.len())?;
    some("axes", axes.nrows())?;
    agree("columns of axes", axes.ncols(), "features", origin.len())?;
    finite("the axes and their origin", axes.iter().chain(origin))
}

/// Checks that there are as many offsets as functions, one per column of the weights, and that all are finite.
pub(crate) fn check_functions<F: Scalar>(
    weights: &Array2<F>,
    offsets: &Array1<F>,
) -> Result<(), String> {
    some("features", weights.nrows())?;
    some("functions", weights.ncols())?;
    agree("offsets", offsets.len(), "functions", weights.ncols())?;
    finite("the weights and offsets", weights.iter().chain(offsets))
}

/// Checks that there are at least two of a thing.
pub(crate) fn two(what: &str, found: usize) -> Result<(), String> {
    if found < 2 {
        return Err(format!("there are {found} {what}; at least 2 are needed"));
    }
    Ok(())
}

/// Checks that there are at least two classes, in ascending order and each once.
pub(crate) fn check_classes<L: Ord>(classes: &[L]) -> Result<(), String> {
    two("classes", classes.len())?;
    if classes.is_sorted_by(|a, b| a < b) {
        return Ok(());
    }
    Err("the classes are not in ascending order, each once".into())
}

/// Checks that targets of one axis have one column.
pub(crate) fn check_target_columns<I: Dimension>(columns: usize) -> Result<(), String> {
    match I::NDIM {
        Some(1) => agree("columns of targets", columns, "axis of targets", 1),
        _ => Ok(()),
    }
}
