//! Linear functions of coordinates, folded back to kernel values.

use super::{factor::check_finite, landmark::LandmarkSpace};
use crate::{AsSamples, Error, Kernel, Samples, linalg, scalar::rounding};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use num_traits::Float as _;
use std::{fmt, sync::Arc};

/// Linear functions of the coordinates as sums of kernel values: a model that predicts from its
/// samples and coefficients alone, without coordinates.
///
/// # Definition
/// fₖ(x) = Σᵢ αᵢₖ κ(xᵢ, x) + bₖ, with one column of α an output.
///
/// [`LandmarkSpace::expansion`] makes it of any linear functions of the coordinates,
/// [`KernelizedModel::expansion`](crate::KernelizedModel::expansion) of a fitted model that is
/// linear. The samples are landmarks of the space; those with coefficients at rounding level are
/// left out.
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2, array};
/// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
///
/// let x = array![[0.0], [1.0], [3.0]];
/// let space = Exact::new(Gaussian::new(0.5)).fit_space(&x)?;
/// let (weights, offset) = (array![[1.0], [-2.0]], array![0.5]);
/// let expansion = space.expansion(weights.view(), offset.view())?;
///
/// let new = array![[0.4], [2.0]];
/// let by_coordinates: Array2<f64> = space.coordinates(&new)?.dot(&weights) + 0.5;
/// let by_kernel_values = expansion.evaluate(&new)?;
/// assert!((by_kernel_values - by_coordinates).iter().all(|d| d.abs() < 1e-13));
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, lemma 6 and
/// corollary 7. doi:10.1109/TNNLS.2013.2272292
pub struct Expansion<S: Samples, K: Kernel<S>> {
    kernel: Arc<K>,
    samples: S,
    /// α, shape (samples, outputs).
    coefficients: Array2<K::Scalar>,
    offsets: Array1<K::Scalar>,
}

impl<S: Samples, K: Kernel<S>> Expansion<S, K> {
    /// Of all `samples`; those whose coefficients are at rounding level are left out.
    pub(super) fn new(
        kernel: Arc<K>,
        samples: &S,
        coefficients: &Array2<K::Scalar>,
        offsets: Array1<K::Scalar>,
    ) -> Self {
        let largest = |row: ArrayView1<'_, K::Scalar>| {
            row.iter()
                .fold(num_traits::zero(), |m: K::Scalar, v| m.max(v.abs()))
        };
        let of_rows: Vec<K::Scalar> = coefficients.outer_iter().map(largest).collect();
        let of_all = largest(ArrayView1::from(&of_rows));
        let level = rounding::<K::Scalar>(samples.len()) * of_all;
        let kept: Vec<usize> = (0..samples.len()).filter(|&i| of_rows[i] > level).collect();
        Self {
            kernel,
            samples: samples.select(&kept),
            coefficients: coefficients.select(Axis(0), &kept),
            offsets,
        }
    }

    /// The values f(x) of new records, shape (m, outputs).
    ///
    /// # Errors
    /// What is wrong with the records themselves, [`Error::ColumnCount`] if they do not fit the
    /// training samples, [`Error::KernelNotFinite`].
    pub fn evaluate<R>(&self, x: &R) -> Result<Array2<K::Scalar>, Error>
    where
        R: AsSamples<Samples = S>,
    {
        let x = x.as_samples()?;
        let mut values = Array2::zeros((x.len(), self.offsets.len()));
        values += &self.offsets;
        if self.samples.is_empty() {
            return Ok(values);
        }
        self.samples.check_compatible(&x)?;
        self.kernel.check(&x)?;
        let ids: Vec<usize> = (0..x.len()).collect();
        let columns: Vec<usize> = (0..self.samples.len()).collect();
        let blocks = ids
            .chunks(linalg::PANEL)
            .zip(values.axis_chunks_iter_mut(Axis(0), linalg::PANEL));
        for (ids, mut block) in blocks {
            let cross = self.kernel.cross(&x.select(ids), &self.samples);
            check_finite(cross.view(), ids, &columns)?;
            block += &linalg::product(cross.view(), self.coefficients.view());
        }
        Ok(values)
    }

    /// The samples xᵢ.
    pub fn samples(&self) -> &S {
        &self.samples
    }

    /// The coefficients α, shape (samples, outputs).
    pub fn coefficients(&self) -> ArrayView2<'_, K::Scalar> {
        self.coefficients.view()
    }

    /// The offsets b, one an output.
    pub fn offsets(&self) -> ArrayView1<'_, K::Scalar> {
        self.offsets.view()
    }
}

impl<S: Samples, K: Kernel<S>> LandmarkSpace<S, K> {
    /// The functions ⟨βₖ, y(x)⟩ + bₖ as sums of kernel values, from the β, shape (r, outputs), and
    /// the b.
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] unless β has r rows, and as many columns as there are b.
    pub fn expansion(
        &self,
        directions: ArrayView2<'_, K::Scalar>,
        offsets: ArrayView1<'_, K::Scalar>,
    ) -> Result<Expansion<S, K>, Error> {
        super::check_coefficients(super::KernelSpace::rank(self), directions.nrows())?;
        super::check_coefficients(offsets.len(), directions.ncols())?;
        let (coefficients, shift) = self.fold_back(directions);
        let kernel = self.shared_kernel();
        let offsets = &offsets - &shift;
        Ok(Expansion::new(
            kernel,
            self.landmarks(),
            &coefficients,
            offsets,
        ))
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<S: Samples, K: Kernel<S>> Clone for Expansion<S, K> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            samples: self.samples.clone(),
            coefficients: self.coefficients.clone(),
            offsets: self.offsets.clone(),
        }
    }
}

/// The sizes; neither kernel nor samples need be `Debug`.
impl<S: Samples, K: Kernel<S>> fmt::Debug for Expansion<S, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expansion")
            .field("samples", &self.samples.len())
            .field("outputs", &self.offsets.len())
            .finish_non_exhaustive()
    }
}
