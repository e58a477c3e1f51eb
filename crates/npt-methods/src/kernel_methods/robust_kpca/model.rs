//! Fitted robust kernel PCA.

use super::energy::Energy;
use crate::{Error, descent::Point, linear::Pca};
use linfa::traits::Transformer;
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, ArrayView2, Axis, Data, Ix2};
use npt_core::{
    AsMatrix, ExpansionModel, FeatureNames, Gaussian, Rows, Scalar, require_feature_names,
    watch::Carrier,
};
use rayon::prelude::*;

/// A fitted [`RobustKpca`](crate::RobustKpca): the components, and the reconstructions that they were found from.
///
/// # Panics
/// linfa's `transform` has no error to return: it panics where [`try_transform`](Self::try_transform) returns one.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RobustKpcaModel<F> {
    pub(super) kpca: ExpansionModel<Pca<F>, Rows<F>, Gaussian<F>, F>,
    pub(super) energy: Energy,
    pub(super) units: Units,
    pub(super) reconstructions: Array2<F>,
    pub(super) objectives: Vec<f64>,
}

/// The largest distance of an input, in widths of the kernel. Squares of sums of such lengths are in the range of numbers.
const FARTHEST: f64 = 1e150;

/// The origin of inputs, and their unit, which is the kernel's width.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Units {
    origin: Array1<f64>,
    pub(super) width: f64,
}

impl Units {
    /// Takes the medians as the origin, as a few wrong values do not move them.
    pub(super) fn new<F: Scalar>(kernel: &Gaussian<F>, medians: ArrayView1<'_, F>) -> Self {
        Self {
            origin: medians.mapv(F::as_f64),
            width: kernel.gamma().as_f64().sqrt().recip(),
        }
    }

    /// Converts inputs to units of the kernel; NaN stays. Refuses inputs so many widths away that their squares overflow.
    pub(super) fn of_inputs<F: Scalar>(&self, x: ArrayView2<'_, F>) -> Result<Array2<f64>, Error> {
        let x = (x.mapv(F::as_f64) - &self.origin) / self.width;
        if x.iter().any(|value| value.abs() > FARTHEST) {
            return Err(Error::Overflow { of: "RobustKpca" });
        }
        Ok(x)
    }

    pub(super) fn inputs<F: Scalar>(&self, z: ArrayView2<'_, f64>) -> Array2<F> {
        (&z * self.width + &self.origin).mapv(F::cast)
    }
}

impl<F: Scalar> RobustKpcaModel<F> {
    /// The names of the features that the model takes, in their order; empty if it was fitted to features without names.
    pub fn feature_names(&self) -> &[String] {
        self.kpca.feature_names()
    }

    /// Kernel PCA of the reconstructions: eigenvalues, scores of samples without gaps.
    pub fn kpca(&self) -> &ExpansionModel<Pca<F>, Rows<F>, Gaussian<F>, F> {
        &self.kpca
    }

    /// The reconstructions zᵢ of the training samples, shape (n, features).
    pub fn reconstructions(&self) -> ArrayView2<'_, F> {
        self.reconstructions.view()
    }

    /// The objective Σ e of the training samples, at the start and after each round: no value is above the one before it, beyond
    /// rounding.
    pub fn objectives(&self) -> &[f64] {
        &self.objectives
    }

    /// The reconstructions of new records, shape (m, features). NaN stands for a missing value. Each sample is reconstructed by
    /// itself.
    ///
    /// # Errors
    /// [`Error::Core`] with `ColumnCount`, and with `SampleNotFinite` for an infinite value and for a sample whose values are all
    /// missing; [`Error::Overflow`] for a sample that is too many widths of the kernel away.
    pub fn reconstruct<X: AsMatrix<Elem = F>>(&self, x: &X) -> Result<Array2<F>, Error> {
        require_feature_names(self.feature_names(), x.feature_names())?;
        let x = x.as_matrix();
        self.check(x)?;
        let inputs = self.units.of_inputs(x)?;
        let carrier = Carrier::new();
        let rows: Vec<Vec<f64>> = inputs
            .axis_iter(Axis(0))
            .into_par_iter()
            .map(|x| carrier.over(|| self.of_sample(x).position))
            .collect();
        let z = Array2::from_shape_fn(x.dim(), |(i, j)| rows[i][j]);
        Ok(self.units.inputs(z.view()))
    }

    /// The scores of the reconstructions of new records, shape (m, components).
    ///
    /// # Errors
    /// As [`reconstruct`](Self::reconstruct).
    pub fn try_transform<X: AsMatrix<Elem = F>>(&self, x: &X) -> Result<Array2<F>, Error> {
        let reconstructions = self.reconstruct(x)?;
        if reconstructions.is_empty() {
            return Ok(Array2::zeros((0, self.kpca.expansion().offsets().len())));
        }
        Ok(self.kpca.try_transform(&reconstructions)?)
    }

    fn of_sample(&self, x: ArrayView1<'_, f64>) -> Point {
        let nearest = self.energy.nearest(x);
        let values = x.iter().zip(nearest);
        let completed = values.map(|(&x, &of_nearest)| if x.is_nan() { of_nearest } else { x });
        let completed: Vec<f64> = completed.collect();
        let from_sample = self.energy.descend(x, &completed);
        let from_nearest = self.energy.descend(x, &nearest.to_vec());
        if from_nearest.cost < from_sample.cost {
            from_nearest
        } else {
            from_sample
        }
    }

    fn check(&self, x: ArrayView2<'_, F>) -> Result<(), npt_core::Error> {
        let (expected, found) = (self.reconstructions.ncols(), x.ncols());
        if expected != found {
            return Err(npt_core::Error::ColumnCount { expected, found });
        }
        check_rows(x)
    }
}

/// Refuses infinite values, and samples whose values are all missing.
pub(super) fn check_rows<F: Scalar>(x: ArrayView2<'_, F>) -> Result<(), npt_core::Error> {
    for (row, values) in x.outer_iter().enumerate() {
        let nothing_there = values.iter().all(|value| value.is_nan());
        let bad = values
            .iter()
            .position(|value| value.is_infinite() || nothing_there);
        if let Some(column) = bad {
            let value = values[column].as_f64();
            return Err(npt_core::Error::SampleNotFinite { row, column, value });
        }
    }
    Ok(())
}

impl<F: Scalar> FeatureNames for RobustKpcaModel<F> {
    fn feature_names(&self) -> &[String] {
        self.kpca.feature_names()
    }
}

/// The scores of the reconstructions.
impl<F: Scalar, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>>
    for RobustKpcaModel<F>
{
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        self.try_transform(&x)
            .unwrap_or_else(|error| panic!("{error}"))
    }
}

npt_core::checked! {
    RobustKpcaModel<F> {
        kpca: ExpansionModel<Pca<F>, Rows<F>, Gaussian<F>, F>,
        energy: Energy,
        units: Units,
        reconstructions: Array2<F>,
        objectives: Vec<f64>,
    }
    where F: Scalar
}

npt_core::checked! { Units { origin: Array1<f64>, width: f64 } }

#[cfg(feature = "serde")]
impl<F: Scalar> RobustKpcaModel<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite};
        let ((samples, features), (rows, columns)) =
            (self.energy.dim(), self.reconstructions.dim());
        let of_kernel = self.kpca.expansion().samples().view().ncols();
        agree(
            "columns of the expansion's samples",
            of_kernel,
            "features",
            features,
        )?;
        agree(
            "numbers in the origin",
            self.units.origin.len(),
            "features",
            features,
        )?;
        agree("columns of reconstructions", columns, "features", features)?;
        agree("reconstructions", rows, "samples", samples)?;
        finite("the reconstructions", &self.reconstructions)?;
        finite("the objectives", &self.objectives)
    }
}

#[cfg(feature = "serde")]
impl Units {
    fn check_parts(&self) -> Result<(), String> {
        npt_core::serial::finite("the numbers in the origin", &self.origin)?;
        npt_core::serial::positive("the width", self.width)
    }
}
