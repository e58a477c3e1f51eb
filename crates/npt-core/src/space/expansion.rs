//! Linear functions of coordinates as expansions, sums of kernel values.

use super::{
    check_coefficients,
    panels::{OfRecords, kernel_values, panel_rows},
};
use crate::{
    AsSamples, Error, Kernel, Samples, Scalar, error::require_range, kernel::About, linalg,
};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, concatenate};
use num_traits::Zero as _;
use std::{fmt, ops::Range, sync::Arc};

/// An expansion: linear functions of the coordinates, written as sums of kernel values. It predicts from its
/// samples and coefficients alone, without coordinates.
///
/// # Definition
/// fₖ(x) = Σᵢ αᵢₖ κ(xᵢ, x) + bₖ, with one column of α an output.
///
/// [`ExpansionSpace::expand`](crate::ExpansionSpace::expand) makes an expansion from any linear functions of the coordinates,
/// [`KernelizedModel::expansion`](crate::KernelizedModel::expansion) from a fitted model that is
/// linear. Samples whose coefficients are all 0 are left out.
///
/// Methods with very many functions work on the kernel values themselves. With
/// [`of_kernel_values`](Self::of_kernel_values) the functions are fᵢ(x) = κ(xᵢ, x), and there are no α.
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2, array};
/// use npt_core::{Exact, ExpansionSpace, Gaussian, KernelSpace, SpaceBuilder};
///
/// let x = array![[0.0], [1.0], [3.0]];
/// let space = Exact::new(Gaussian::new(0.5)).fit_space(&x)?;
/// let (weights, offset) = (array![[1.0], [-2.0]], array![0.5]);
/// let expansion = space.space().expand(weights.view(), offset.view())?;
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Expansion<S, K, F> {
    kernel: Arc<K>,
    /// The origin o, one sample, if kernel values are about one. The α of each output add up to 0 then.
    origin: Option<S>,
    samples: S,
    /// α, shape (samples, outputs); shape (samples, 0) where the outputs are the kernel values.
    coefficients: Array2<F>,
    /// The offsets of the sums of kernel values about the origin.
    offsets: Array1<F>,
}

impl<S: Samples, K: Kernel<S>> Expansion<S, K, K::Scalar> {
    /// Creates the functions Σ αᵢₖ κ(xᵢ, ·) + bₖ from α, shape (samples, outputs), and the b, one an output.
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] unless α has a row a sample, and as many columns as there are b.
    pub fn new(
        kernel: Arc<K>,
        samples: &S,
        coefficients: ArrayView2<'_, K::Scalar>,
        offsets: Array1<K::Scalar>,
    ) -> Result<Self, Error> {
        Self::about(kernel, None, samples, coefficients, offsets)
    }

    /// Creates the functions from kernel values about an origin o, if there is one. Written as sums of plain kernel values,
    /// their coefficients add up to 0: o itself has the coefficient that makes them do so.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub(crate) fn about(
        kernel: Arc<K>,
        origin: Option<&S>,
        samples: &S,
        coefficients: ArrayView2<'_, K::Scalar>,
        offsets: Array1<K::Scalar>,
    ) -> Result<Self, Error> {
        check_coefficients(samples.len(), coefficients.nrows())?;
        check_coefficients(offsets.len(), coefficients.ncols())?;
        if let Some(origin) = origin
            && let Some(rest) = rest_of_sums(coefficients)
        {
            let samples = samples.append(origin)?;
            let coefficients = concatenate![Axis(0), coefficients, rest.insert_axis(Axis(0))];
            return Self::of_used(kernel, Some(origin), &samples, coefficients.view(), offsets);
        }
        Self::of_used(kernel, origin, samples, coefficients, offsets)
    }

    /// Creates the functions without the samples whose coefficients are all 0.
    fn of_used(
        kernel: Arc<K>,
        origin: Option<&S>,
        samples: &S,
        coefficients: ArrayView2<'_, K::Scalar>,
        offsets: Array1<K::Scalar>,
    ) -> Result<Self, Error> {
        require_range("the coefficients", coefficients, 0)?;
        let rows = coefficients.outer_iter().enumerate();
        let used = rows.filter(|(_, row)| row.iter().any(|v| !v.is_zero()));
        let mut kept: Vec<usize> = used.map(|(i, _)| i).collect();
        if kept.is_empty() {
            // One sample is kept to compare new samples with.
            kept.push(0);
        }
        Ok(Self {
            kernel,
            origin: origin.cloned(),
            samples: samples.select(&kept),
            coefficients: coefficients.select(Axis(0), &kept),
            offsets,
        })
    }

    /// Creates an expansion whose outputs are the kernel values themselves: fᵢ(x) = κ(xᵢ, x), one output a sample, in
    /// the order of the samples.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::{Expansion, Linear, Rows};
    ///
    /// let x = Rows::new(array![[1.0, 0.0], [0.0, 2.0]])?;
    /// let values = Expansion::of_kernel_values(Linear::new().into(), &x);
    /// assert_eq!(values.evaluate(&array![[3.0, 5.0]])?, array![[3.0, 10.0]]);
    /// assert_eq!(values.coefficients().dim(), (2, 0));
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    pub fn of_kernel_values(kernel: Arc<K>, samples: &S) -> Self {
        Self::of_values_about(kernel, None, samples)
    }

    /// Creates an expansion whose outputs are the kernel values about an origin, if there is one. It is for functions of
    /// these values whose coefficients add up to 0.
    pub(crate) fn of_values_about(kernel: Arc<K>, origin: Option<&S>, samples: &S) -> Self {
        Self {
            kernel,
            origin: origin.cloned(),
            samples: samples.clone(),
            coefficients: Array2::zeros((samples.len(), 0)),
            offsets: Array1::zeros(samples.len()),
        }
    }

    /// Returns whether the outputs are the kernel values themselves, by [`of_kernel_values`](Self::of_kernel_values).
    pub fn is_of_kernel_values(&self) -> bool {
        let (samples, columns) = self.coefficients.dim();
        columns == 0 && samples > 0 && self.offsets.len() == samples
    }

    /// The offsets of the sums of kernel values about the origin, as they are kept.
    pub(crate) fn own_offsets(&self) -> &Array1<K::Scalar> {
        &self.offsets
    }

    /// Replaces the offsets of the sums of kernel values about the origin by as many others.
    pub(crate) fn with_offsets(self, offsets: Array1<K::Scalar>) -> Self {
        debug_assert_eq!(offsets.len(), self.offsets.len(), "one an output");
        Self { offsets, ..self }
    }

    /// Returns the same functions on samples of another type T, which `convert` makes from the samples here. The kernel
    /// has to have the same values on the samples of type T; that is not checked.
    ///
    /// # Errors
    /// The errors of `convert`.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::{Expansion, Linear, Rows, Sparse, SparseRows};
    ///
    /// let x = Rows::new(array![[1.0, 0.0], [0.0, 2.0]])?;
    /// let dense = Expansion::new(Linear::new().into(), &x, array![[1.0], [0.5]].view(), array![3.0])?;
    /// let sparse = dense.converted(Sparse::new(Linear::new()).into(), |x| {
    ///     SparseRows::new(&sprs::CsMat::csr_from_dense(x.view(), 0.0))
    /// })?;
    /// assert_eq!(sparse.coefficients(), dense.coefficients());
    /// assert_eq!(sparse.samples().get(1).entries(), [(1, 2.0)]);
    /// # use npt_core::Samples;
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    pub fn converted<T, L, E>(
        &self,
        kernel: Arc<L>,
        convert: impl Fn(&S) -> Result<T, E>,
    ) -> Result<Expansion<T, L, K::Scalar>, E>
    where
        T: Samples,
        L: Kernel<T, Scalar = K::Scalar>,
    {
        Ok(Expansion {
            kernel,
            origin: self.origin.as_ref().map(&convert).transpose()?,
            samples: convert(&self.samples)?,
            coefficients: self.coefficients.clone(),
            offsets: self.offsets.clone(),
        })
    }

    /// Computes the values f(x) of new records, shape (m, outputs).
    ///
    /// # Errors
    /// An error for invalid records, [`Error::ColumnCount`] if they do not fit the training samples,
    /// [`Error::KernelNotFinite`], [`Error::Overflow`], [`Error::Memory`] if m × outputs numbers do not fit into memory.
    pub fn evaluate(&self, x: &dyn AsSamples<Samples = S>) -> Result<Array2<K::Scalar>, Error> {
        let kernel = About::new(&*self.kernel, self.origin.as_ref());
        let is_constant = self.samples.is_empty();
        let place = |x: &S, rows: Range<usize>, mut values: ArrayViewMut2<'_, K::Scalar>| {
            values += &self.offsets;
            if is_constant {
                return Ok(());
            }
            let first = rows.start;
            let cross = kernel_values(&kernel, x, rows, &self.samples)?;
            if self.is_of_kernel_values() {
                values.assign(&cross);
            } else {
                values += &linalg::product(cross.view(), self.coefficients.view());
            }
            require_range("the values", values.view(), first)
        };
        let of_records = OfRecords {
            stage: "expansion",
            what: "the values of all functions",
            panel: panel_rows(self.samples.len()),
            columns: self.offsets.len(),
            check: &|x| if is_constant { Ok(()) } else { self.check(x) },
            place: &place,
        };
        of_records.values(x)
    }

    fn check(&self, x: &S) -> Result<(), Error> {
        self.samples.check_compatible(x)?;
        self.kernel.check(x)
    }

    /// The kernel κ.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The samples xᵢ.
    pub fn samples(&self) -> &S {
        &self.samples
    }

    /// The coefficients α, shape (samples, outputs). [Kernel values themselves](Self::of_kernel_values) have none: shape
    /// (samples, 0).
    pub fn coefficients(&self) -> ArrayView2<'_, K::Scalar> {
        self.coefficients.view()
    }

    /// The offsets b, one an output. For [kernel values themselves](Self::of_kernel_values) they are numbers to add to the
    /// plain kernel values. With them, functions whose coefficients add up to 0 can be evaluated without the origin.
    pub fn offsets(&self) -> Array1<K::Scalar> {
        let Some(origin) = &self.origin else {
            return self.offsets.clone();
        };
        // κ(xᵢ, x) less its value about o is κ(xᵢ, o) and a rest that is the same for all xᵢ. As Σ αᵢ = 0, the rest has
        // no effect.
        let of_origin = self.kernel.cross(origin, &self.samples);
        if self.is_of_kernel_values() {
            return -of_origin.row(0).to_owned();
        }
        &self.offsets - &of_origin.dot(&self.coefficients).row(0)
    }
}

/// Returns the coefficients that make the sums of all coefficients 0; `None` if the sums are 0 but for rounding.
fn rest_of_sums<F: Scalar>(coefficients: ArrayView2<'_, F>) -> Option<Array1<F>> {
    let sums = coefficients.sum_axis(Axis(0));
    let sizes = coefficients.map_axis(Axis(0), |column| column.fold(F::zero(), |s, v| s + v.abs()));
    let level = F::cast(coefficients.nrows() + 8) * F::epsilon();
    let is_rounding = |(sum, &size): (&F, &F)| sum.abs() <= level * size;
    let all = sums.iter().zip(&sizes).all(is_rounding);
    (!all).then(|| -sums)
}

/// Shares the kernel; it need not be `Clone`.
impl<S: Clone, K, F: Clone> Clone for Expansion<S, K, F> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            origin: self.origin.clone(),
            samples: self.samples.clone(),
            coefficients: self.coefficients.clone(),
            offsets: self.offsets.clone(),
        }
    }
}

/// Shows the sizes; neither kernel nor samples need be `Debug`.
impl<S, K, F> fmt::Debug for Expansion<S, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expansion")
            .field("samples", &self.coefficients.nrows())
            .field("outputs", &self.offsets.len())
            .finish_non_exhaustive()
    }
}

crate::checked! {
    #[serde(bound(
        deserialize = "S: serde::Deserialize<'de>, K: serde::Deserialize<'de>, F: serde::Deserialize<'de>"
    ))]
    Expansion<S, K, F> {
        kernel: Arc<K>,
        origin: Option<S>,
        samples: S,
        coefficients: Array2<F>,
        offsets: Array1<F>,
    }
    where S: Samples, K: Kernel<S, Scalar = F>, F: Scalar
}

#[cfg(feature = "serde")]
impl<S: Samples, K: Kernel<S, Scalar = F>, F: Scalar> Expansion<S, K, F> {
    fn check_parts(&self) -> Result<(), String> {
        use crate::{
            kernel::check_origin,
            serial::{agree, finite, some},
        };
        let (rows, columns) = self.coefficients.dim();
        agree("rows of coefficients", rows, "samples", self.samples.len())?;
        if self.is_of_kernel_values() {
            some("samples", rows)?;
            if self.offsets.iter().any(|offset| !offset.is_zero()) {
                return Err(
                    "an expansion that returns the kernel values themselves has an offset".into(),
                );
            }
        } else {
            some("functions", columns)?;
            agree(
                "offsets",
                self.offsets.len(),
                "columns of coefficients",
                columns,
            )?;
        }
        finite(
            "the coefficients",
            self.coefficients.iter().chain(&self.offsets),
        )?;
        check_origin(&*self.kernel, self.origin.as_ref(), &self.samples)
    }
}
