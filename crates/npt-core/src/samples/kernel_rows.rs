//! Samples known by their kernel values alone.

use super::{Samples, check_matrix};
use crate::{Error, Scalar, watch};
use linfa::dataset::Records;
use ndarray::{ArrayView1, ArrayView2, Axis};
use std::sync::Arc;

/// Samples known by their kernel values with n reference samples: the rows of a precomputed kernel
/// matrix. Their kernel is [`Precomputed`](crate::Precomputed).
///
/// The reference samples themselves are made by [`training`](Self::training) from a matrix of the shape (n, n); any
/// selection of them can be fitted. Further samples are made by [`new_samples`](Self::new_samples) from a matrix of the
/// shape (m, n).
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, KernelRows, KernelSpace, Precomputed, SpaceBuilder};
///
/// let matrix = array![[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]];
/// let space = Exact::new(Precomputed::new()).fit_space(&KernelRows::training(matrix.view())?)?;
/// assert_eq!(space.rank(), 2);
///
/// let new = KernelRows::new_samples(array![[1.0, 1.0, 1.0]].view())?;
/// assert_eq!(space.coordinates(&new)?.dim(), (1, 2));
/// let new = new.with_self_values(array![3.0].view())?;
/// assert!(space.residuals(&new)?[0] > 0.0);
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KernelRows<F> {
    rows: Vec<KernelRow<F>>,
}

/// One sample of [`KernelRows`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KernelRow<F> {
    /// The kernel values κ of this sample with each reference sample.
    values: Arc<[F]>,
    /// The number of this sample among the reference samples, if it is one of them.
    reference: Option<usize>,
    /// The kernel value κ of this sample with itself, if known.
    self_value: Option<F>,
}

impl<F: Scalar> KernelRows<F> {
    /// The reference samples, from their kernel matrix, shape (n, n).
    ///
    /// # Errors
    /// [`Error::NoSamples`], [`Error::SampleNotFinite`]; [`Error::NotSquare`]; [`Error::Asymmetric`]
    /// where two entries that should be equal differ by more than 64·ε times the largest magnitude.
    pub fn training(matrix: ArrayView2<'_, F>) -> Result<Self, Error> {
        let (rows, columns) = matrix.dim();
        if rows != columns {
            return Err(Error::NotSquare { rows, columns });
        }
        let mut samples = Self::new_samples(matrix)?;
        check_symmetric(matrix)?;
        for (index, row) in samples.rows.iter_mut().enumerate() {
            row.reference = Some(index);
            row.self_value = Some(matrix[[index, index]]);
        }
        Ok(samples)
    }

    /// Other samples, from their cross kernel matrix with the reference samples, shape (m, n).
    ///
    /// # Errors
    /// [`Error::NoSamples`], [`Error::NoFeatures`] or [`Error::SampleNotFinite`].
    pub fn new_samples(cross: ArrayView2<'_, F>) -> Result<Self, Error> {
        check_matrix(cross)?;
        let rows = cross.outer_iter().map(|row| KernelRow {
            values: row.iter().copied().collect(),
            reference: None,
            self_value: None,
        });
        Ok(Self {
            rows: rows.collect(),
        })
    }

    /// Adds the values κ(x, x) of the samples, shape (m): residuals need them, coordinates do not.
    ///
    /// # Errors
    /// [`Error::SelfValueCount`] if there are more or fewer values than samples,
    /// [`Error::KernelNotFinite`] for one that is not finite.
    pub fn with_self_values(mut self, values: ArrayView1<'_, F>) -> Result<Self, Error> {
        if values.len() != self.rows.len() {
            return Err(Error::SelfValueCount {
                samples: self.rows.len(),
                values: values.len(),
            });
        }
        for (index, (row, &value)) in self.rows.iter_mut().zip(values).enumerate() {
            if !value.is_finite() {
                return Err(Error::KernelNotFinite {
                    row: index,
                    column: index,
                    value: value.as_f64(),
                });
            }
            row.self_value = Some(value);
        }
        Ok(self)
    }
}

/// Checks that the two triangles agree, up to the rounding of products that were computed in either order.
fn check_symmetric<F: Scalar>(matrix: ArrayView2<'_, F>) -> Result<(), Error> {
    let largest = matrix.iter().fold(F::zero(), |m, v| m.max(v.abs()));
    let tolerance = F::cast(64) * F::epsilon() * largest;
    for (row, values) in matrix.axis_iter(Axis(0)).enumerate() {
        watch::check();
        for column in 0..row {
            let (value, mirrored) = (values[column], matrix[[column, row]]);
            if (value - mirrored).abs() > tolerance {
                return Err(Error::Asymmetric {
                    row,
                    column,
                    value: value.as_f64(),
                    mirrored: mirrored.as_f64(),
                });
            }
        }
    }
    Ok(())
}

impl<F: Scalar> KernelRow<F> {
    /// The kernel value κ of two samples of which one is a reference sample, or of one sample with itself; `None` if it is
    /// not known.
    pub(crate) fn value(&self, other: &Self) -> Option<F> {
        match (self.reference, other.reference) {
            (_, Some(index)) => self.values.get(index).copied(),
            (Some(index), None) => other.values.get(index).copied(),
            (None, None) if Arc::ptr_eq(&self.values, &other.values) => self.self_value,
            (None, None) => None,
        }
    }

    /// The number of this sample among the reference samples, if it is one of them.
    pub(crate) fn reference(&self) -> Option<usize> {
        self.reference
    }

    /// Copies the values κ of this sample with some of the reference samples; NaN for a reference sample that does not
    /// exist.
    pub(crate) fn copy_values(&self, references: &[usize], into: &mut [F]) {
        for (value, &index) in into.iter_mut().zip(references) {
            *value = self.values.get(index).copied().unwrap_or_else(F::nan);
        }
    }

    pub(crate) fn self_value(&self) -> Option<F> {
        self.self_value
    }
}

impl<F: Scalar> Samples for KernelRows<F> {
    type Sample = KernelRow<F>;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn get(&self, index: usize) -> &KernelRow<F> {
        &self.rows[index]
    }

    /// Selects samples; their values are shared, not copied.
    fn select(&self, indices: &[usize]) -> Self {
        let rows = indices.iter().map(|&index| self.rows[index].clone());
        Self {
            rows: rows.collect(),
        }
    }

    /// Appends samples; their values are shared, not copied.
    fn append(&self, more: &Self) -> Result<Self, Error> {
        self.check_compatible(more)?;
        let rows = [self.rows.as_slice(), &more.rows].concat();
        Ok(Self { rows })
    }

    fn check_compatible(&self, new: &Self) -> Result<(), Error> {
        let (expected, found) = (self.nfeatures(), new.nfeatures());
        if expected == found {
            Ok(())
        } else {
            Err(Error::ColumnCount { expected, found })
        }
    }
}

impl<F> Records for KernelRows<F> {
    type Elem = F;

    fn nsamples(&self) -> usize {
        self.rows.len()
    }

    /// The number of reference samples.
    fn nfeatures(&self) -> usize {
        self.rows.first().map_or(0, |row| row.values.len())
    }
}

crate::checked! { KernelRows<F> { rows: Vec<KernelRow<F>> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> KernelRows<F> {
    fn check_parts(&self) -> Result<(), String> {
        use crate::serial::{agree, finite};
        let Some(first) = self.rows.first() else {
            return Err(Error::NoSamples.to_string());
        };
        let references = first.values.len();
        for row in &self.rows {
            agree(
                "kernel values",
                row.values.len(),
                "training samples",
                references,
            )?;
            finite(
                "the kernel values",
                row.values.iter().chain(&row.self_value),
            )?;
            if row
                .reference
                .is_some_and(|reference| reference >= references)
            {
                return Err(format!(
                    "a row is of a sample beyond the {references} of the fit"
                ));
            }
        }
        Ok(())
    }
}
