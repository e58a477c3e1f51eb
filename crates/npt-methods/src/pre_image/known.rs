//! Points of a kernel space that are known: the φ of the training samples.

use super::check_points;
use crate::{Error, error::require_finite, records::center};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use npt_core::{Scalar, linalg};

/// The φ(xᵢ) of training samples, by their coordinates and their distances from the space.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Known<F> {
    /// The mean of the coordinates; squares far from it would lose the differences.
    origin: Array1<F>,
    /// The coordinates about the mean, shape (n, r).
    coordinates: Array2<F>,
    /// The squared distances of the φ from the space, shape (n). Where the rank was cut, they are
    /// part of the distances from all points of the space.
    outside: Array1<F>,
    /// Half the squared distances of the φ from the mean, shape (n).
    half_lengths: Array1<F>,
}

impl<F: Scalar> Known<F> {
    pub(super) fn new(coordinates: ArrayView2<'_, F>, residuals: ArrayView1<'_, F>) -> Self {
        let mut coordinates = coordinates.to_owned();
        let origin = center(&mut coordinates);
        let lengths = coordinates.outer_iter().map(|row| row.dot(&row));
        let lengths = lengths.collect::<Array1<F>>() + residuals;
        Self {
            origin,
            coordinates,
            outside: residuals.to_owned(),
            half_lengths: lengths / F::cast(2),
        }
    }

    /// The values (‖p − φ(xᵢ)‖² − ‖p‖²)/2 about the mean, one row per point p, one column per sample. They order the samples by distance.
    pub(super) fn nearness(
        &self,
        of: &'static str,
        points: ArrayView2<'_, F>,
    ) -> Result<Array2<F>, Error> {
        check_points(self.coordinates.ncols(), points)?;
        let points = &points - &self.origin;
        let products = linalg::product(points.view(), self.coordinates.t());
        let lengths: Array1<F> = points.outer_iter().map(|row| row.dot(&row)).collect();
        require_finite(of, products.iter().chain(&lengths))?;
        Ok(&self.half_lengths - &products)
    }

    /// The squared distance ‖p − φ(xᵢ)‖².
    pub(super) fn squared_distance(&self, point: ArrayView1<'_, F>, sample: usize) -> F {
        let difference = &point - &self.origin - self.coordinates.row(sample);
        difference.dot(&difference) + self.outside[sample]
    }
}

npt_core::checked! {
    Known<F> {
        origin: Array1<F>,
        coordinates: Array2<F>,
        outside: Array1<F>,
        half_lengths: Array1<F>,
    }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> Known<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, some};
        let (samples, columns) = self.coordinates.dim();
        some("training samples", samples)?;
        agree(
            "coordinates of the origin",
            self.origin.len(),
            "axes",
            columns,
        )?;
        agree("residuals", self.outside.len(), "training samples", samples)?;
        agree(
            "lengths",
            self.half_lengths.len(),
            "training samples",
            samples,
        )?;
        finite(
            "the coordinates",
            self.coordinates.iter().chain(&self.origin),
        )?;
        finite("the lengths", self.half_lengths.iter().chain(&self.outside))
    }

    /// Checks that there are as many inputs, one per row, as samples, and that all are finite.
    pub(super) fn check_inputs(&self, inputs: &Array2<F>) -> Result<(), String> {
        use npt_core::serial::{agree, finite, some};
        let (rows, columns) = inputs.dim();
        agree("inputs", rows, "training samples", self.coordinates.nrows())?;
        some("columns of inputs", columns)?;
        finite("the inputs", inputs)
    }
}
