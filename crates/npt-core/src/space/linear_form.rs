//! Coordinates as linear functions of features that cost less than the coordinates.

use super::{
    KernelSpace, RawMap,
    factor::check_finite,
    panels::{by_panels, kernel_values, panel_rows},
};
use crate::{
    Error, Kernel, Samples, Scalar,
    error::require_range,
    kernel::About,
    linalg::{self, PANEL},
    parallel, require_memory,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use std::{fmt, ops::Range};

/// The number of sums that are in memory at a time, for each thread.
const PARTS: usize = 4;

/// The coordinates of a space as linear functions of features that cost less than the coordinates.
///
/// # Definition
/// y(x) = Aᵀg(x) + c. With a space of s landmarks, or of s training samples, g(x) are the kernel values with these. A few
/// linear functions of the coordinates take no more than the kernel values, where coordinates take s² operations more. In
/// other spaces, g(x) are the features of the [`RawMap`], or the coordinates themselves.
///
/// So a sum over many samples needs no coordinates, if it is made of linear functions of their coordinates:
/// Yᵀu = Aᵀ Σ g(xᵢ)uᵢ + c Σ uᵢ.
///
/// # Example
/// ```
/// use ndarray::{Array1, Array2, array};
/// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
///
/// let space = Exact::new(Gaussian::new(0.5)).fit_space(&array![[0.0], [1.0], [3.0]])?;
/// let form = space.linear_form()?;
/// let new = array![[0.5], [1.5], [4.0]];
/// let sum = form.sum(
///     &npt_core::Rows::new(new.clone())?,
///     || Array1::zeros(3),
///     |sum, _, features| *sum += &features.sum_axis(ndarray::Axis(0)),
///     |sum, more| *sum += more,
/// )?;
/// let of_coordinates: Array1<f64> = form.coefficients().t().dot(&sum) + 3.0 * &form.offsets();
/// let expected = space.coordinates(&new)?.sum_axis(ndarray::Axis(0));
/// assert!((of_coordinates - expected).iter().all(|d| d.abs() < 1e-13));
/// # Ok::<(), npt_core::Error>(())
/// ```
pub struct LinearForm<'a, S, F> {
    features: Box<dyn Features<S, F> + 'a>,
    /// A, shape (features, functions).
    coefficients: Array2<F>,
    offsets: Array1<F>,
}

/// Features that a linear form is made of.
trait Features<S, F>: Send + Sync {
    /// Checks that samples have features. It is called once before features are computed.
    fn check(&self, x: &S) -> Result<(), Error>;

    /// Computes the features of some of the samples, one row a sample.
    fn of(&self, x: &S, rows: Range<usize>) -> Result<Array2<F>, Error>;

    /// Computes the features of all samples, `count` of each, in parallel. The result is row-major or column-major.
    fn of_all(&self, x: &S, count: usize) -> Result<Array2<F>, Error>
    where
        S: Samples,
        F: Scalar,
    {
        let (values, _) = by_panels(x.len(), count, false, &|rows| {
            Ok((self.of(x, rows[0]..rows[0] + rows.len())?, None))
        })?;
        Ok(values)
    }

    /// Returns an upper bound of ‖g(x)‖² where the coordinates, not centred, have the length 1. It is for spaces that keep
    /// as many coordinates as there are features.
    fn stretch(&self) -> f64 {
        1.0
    }
}

impl<'a, S: Samples, F: Scalar> LinearForm<'a, S, F> {
    /// Creates the functions ⟨βₖ, f(x)⟩ of the features of a map, one β a column.
    pub(super) fn of_map<M>(map: &'a M, directions: Array2<F>) -> Self
    where
        M: RawMap<Samples = S, Scalar = F> + ?Sized,
    {
        let none = Array1::zeros(directions.ncols());
        Self::new(OfMap(map), directions, none)
    }

    /// Creates the coordinates of a space as functions of themselves.
    ///
    /// # Errors
    /// [`Error::Memory`]
    pub(super) fn of_space<P>(space: &'a P) -> Result<Self, Error>
    where
        P: KernelSpace<Samples = S, Scalar = F> + ?Sized,
    {
        let rank = space.rank();
        require_memory::<F>("the linear form", rank, rank)?;
        Ok(Self::new(
            OfSpace(space),
            Array2::eye(rank),
            Array1::zeros(rank),
        ))
    }

    /// Creates the functions Σ αᵢₖ κ(xᵢ, ·) + bₖ.
    pub(super) fn of_kernel_values<K: Kernel<S, Scalar = F>>(
        kernel: About<'a, S, K>,
        samples: &'a S,
        coefficients: Array2<F>,
        offsets: Array1<F>,
    ) -> Self {
        Self::new(KernelValues { kernel, samples }, coefficients, offsets)
    }

    fn new(
        features: impl Features<S, F> + 'a,
        coefficients: Array2<F>,
        offsets: Array1<F>,
    ) -> Self {
        Self {
            features: Box::new(features),
            coefficients,
            offsets,
        }
    }

    /// Adds a number to each of the functions.
    pub(super) fn plus(mut self, offsets: &Array1<F>) -> Self {
        self.offsets += offsets;
        self
    }

    /// Computes a sum over samples, of anything that is made of their features.
    ///
    /// `zero` begins a sum. `add` adds to it for a few hundred samples at a time, with their positions and their features,
    /// shape (samples, features); several threads call it. `merge` adds these sums up in the order of the samples, so the
    /// result does not depend on the number of threads.
    ///
    /// # Errors
    /// [`Error::ColumnCount`] if the samples do not fit the training samples, [`Error::KernelNotFinite`], and what a
    /// kernel refuses.
    pub fn sum<T: Send + Sync>(
        &self,
        x: &S,
        zero: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, Range<usize>, ArrayView2<'_, F>) + Sync,
        merge: impl Fn(&mut T, &T),
    ) -> Result<T, Error> {
        self.features.check(x)?;
        let rows = panel_rows(self.coefficients.nrows());
        let mut sum = zero();
        let parts = x.len().div_ceil(PANEL);
        let at_a_time = PARTS * rayon::current_num_threads();
        for first in (0..parts).step_by(at_a_time) {
            let of_parts = parallel::map((parts - first).min(at_a_time), |part| {
                let mut sum = zero();
                let start = (first + part) * PANEL;
                let end = x.len().min(start + PANEL);
                for first in (start..end).step_by(rows) {
                    let panel = first..end.min(first + rows);
                    let features = self.features.of(x, panel.clone())?;
                    add(&mut sum, panel, features.view());
                }
                Ok::<T, Error>(sum)
            });
            for part in of_parts {
                merge(&mut sum, &part?);
            }
        }
        Ok(sum)
    }

    /// Computes the features of samples, shape (samples, features). Kernel values are in column-major order, which suits sums.
    ///
    /// # Errors
    /// The errors of [`sum`](Self::sum), and [`Error::Memory`].
    pub fn features(&self, x: &S) -> Result<Array2<F>, Error> {
        self.features.check(x)?;
        self.features.of_all(x, self.coefficients.nrows())
    }

    /// Returns the factor by which rounding may grow in the scatter of coordinates that is made from the scatter of the features,
    /// Σ yyᵀ = Aᵀ(Σ ggᵀ)A, compared with one that is made from coordinates. Rounding is a share of the largest eigenvalue in
    /// both. The factor is ‖A‖²‖A⁻¹‖². For kernel values with landmarks it is ‖𝒦‖/λ with the smallest eigenvalue λ of their
    /// kernel matrix 𝒦, in the Frobenius norm.
    ///
    /// The factor is infinite if there are not as many coordinates as features, because features may then be of any length where
    /// coordinates are 0. It is also infinite if kernel values are so large or small that their squares leave the range before
    /// those of coordinates do.
    ///
    /// # Errors
    /// [`Error::Eigensolver`]
    pub fn growth(&self) -> Result<f64, Error> {
        if !self.coefficients.is_square() {
            return Ok(f64::INFINITY);
        }
        let stretch = self.features.stretch();
        let most = F::epsilon().as_f64().powf(-4.0 / 3.0);
        if !(most.recip()..most).contains(&stretch) {
            return Ok(f64::INFINITY);
        }
        let squares = linalg::symmetric_rank_k(self.coefficients.view());
        if !squares.iter().all(|v| v.is_finite()) {
            return Ok(f64::INFINITY);
        }
        let (largest, _) = linalg::leading_eigh(&squares, 1)?;
        Ok(largest.sum().as_f64() * stretch)
    }

    /// The coefficients A and the offsets c.
    pub fn into_parts(self) -> (Array2<F>, Array1<F>) {
        (self.coefficients, self.offsets)
    }

    /// The coefficients A, shape (features, r).
    pub fn coefficients(&self) -> ArrayView2<'_, F> {
        self.coefficients.view()
    }

    /// The offsets c, one a coordinate.
    pub fn offsets(&self) -> ArrayView1<'_, F> {
        self.offsets.view()
    }
}

struct OfMap<'a, M: ?Sized>(&'a M);

impl<M: RawMap + ?Sized> Features<M::Samples, M::Scalar> for OfMap<'_, M> {
    fn check(&self, x: &M::Samples) -> Result<(), Error> {
        self.0.check(x)
    }

    fn of(&self, x: &M::Samples, rows: Range<usize>) -> Result<Array2<M::Scalar>, Error> {
        let rows: Vec<usize> = rows.collect();
        let values = self.0.features(x, &rows, false)?.values;
        require_range("the features", values.view(), rows[0])?;
        Ok(values)
    }
}

struct OfSpace<'a, P: ?Sized>(&'a P);

impl<P: KernelSpace + ?Sized> Features<P::Samples, P::Scalar> for OfSpace<'_, P> {
    /// Checks nothing: the space checks the samples itself.
    fn check(&self, _: &P::Samples) -> Result<(), Error> {
        Ok(())
    }

    fn of(&self, x: &P::Samples, rows: Range<usize>) -> Result<Array2<P::Scalar>, Error> {
        let first = rows.start;
        let x = x.select(&rows.collect::<Vec<_>>());
        self.0
            .coordinates(&x)
            .map_err(|error| error.after_rows(first))
    }
}

struct KernelValues<'a, S, K> {
    kernel: About<'a, S, K>,
    samples: &'a S,
}

impl<S: Samples, K: Kernel<S>> Features<S, K::Scalar> for KernelValues<'_, S, K> {
    fn check(&self, x: &S) -> Result<(), Error> {
        self.samples.check_compatible(x)?;
        self.kernel.check(x)
    }

    fn of(&self, x: &S, rows: Range<usize>) -> Result<Array2<K::Scalar>, Error> {
        kernel_values(&self.kernel, x, rows, self.samples)
    }

    fn of_all(&self, x: &S, count: usize) -> Result<Array2<K::Scalar>, Error> {
        require_memory::<K::Scalar>("the kernel values of a block", x.len(), count)?;
        let values = self.kernel.cross(self.samples, x).reversed_axes();
        let (rows, columns): (Vec<_>, Vec<_>) = ((0..x.len()).collect(), (0..count).collect());
        check_finite(values.view(), &rows, &columns)?;
        Ok(values)
    }

    /// Returns the Frobenius norm of 𝒦: ‖κ(X, x)‖² ≤ ‖𝒦‖‖φ(x)‖², and the spectral norm is no larger than the Frobenius norm.
    fn stretch(&self) -> f64 {
        let gram = self.kernel.gram(self.samples);
        let squares = gram.iter().map(|value| value.as_f64() * value.as_f64());
        squares.sum::<f64>().sqrt()
    }
}

/// Shows the sizes; features need not be `Debug`.
impl<S, F> fmt::Debug for LinearForm<'_, S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinearForm")
            .field("features", &self.coefficients.nrows())
            .field("coordinates", &self.offsets.len())
            .finish_non_exhaustive()
    }
}
