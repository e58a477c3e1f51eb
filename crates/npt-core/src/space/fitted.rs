//! A fitted space with its training coordinates, apart from the space alone, which predicts.

use super::{KernelSpace, LinearForm, check_coefficients, require_digits, rows::squared_lengths};
use crate::{AsSamples, Error, linalg};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use num_traits::{Float as _, Zero as _};
use std::sync::OnceLock;

/// A fitted space, and beside it the coordinates and residuals of the samples that it was fitted
/// to.
///
/// It is a [`KernelSpace`] itself. The training coordinates are a matrix (n, r), which predictions
/// do not need: [`into_parts`](Self::into_parts) gives the space alone, to be kept.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
///
/// let x = array![[0.0], [1.0], [3.0]];
/// let fitted = Exact::new(Gaussian::new(0.5)).fit_space(&x)?;
/// assert_eq!(fitted.training_coordinates().dim(), (3, 2));
/// assert!(fitted.training_residuals().iter().all(|&r: &f64| r < 1e-15));
///
/// let (space, coordinates, _) = fitted.into_parts();
/// let again = space.coordinates(&x)?;
/// assert!((again - coordinates).iter().all(|d| d.abs() < 1e-14));
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "P: serde::Serialize, P::Scalar: serde::Serialize"))
)]
pub struct Fitted<P: KernelSpace> {
    space: P,
    coordinates: Array2<P::Scalar>,
    residuals: Array1<P::Scalar>,
    /// The eigenvalues, computed at first use: on Cholesky axes that takes an eigendecomposition.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::once"))]
    eigenvalues: OnceLock<Array1<P::Scalar>>,
}

impl<P: KernelSpace> Fitted<P> {
    /// Puts a space together with the coordinates, shape (n, r), and the residuals, shape (n), of its training
    /// samples. This is what the builder of a space returns.
    ///
    /// # Panics
    /// Panics if the shapes are others.
    pub fn new(space: P, coordinates: Array2<P::Scalar>, residuals: Array1<P::Scalar>) -> Self {
        assert_eq!(
            coordinates.dim(),
            (residuals.len(), space.rank()),
            "shape of the training coordinates"
        );
        Self {
            space,
            coordinates,
            residuals,
            eigenvalues: OnceLock::new(),
        }
    }

    /// The eigenvalues of the training samples' kernel matrix that the space keeps, in descending order, shape
    /// (r): the sum of squares of the training coordinates along each principal axis.
    pub fn eigenvalues(&self) -> ArrayView1<'_, P::Scalar> {
        if let Some(known) = self.eigenvalues.get() {
            return known.view();
        }
        // No lock is held here: a thread that waits for the lock may be one that this work is divided among.
        let scatter = linalg::symmetric_rank_k(self.coordinates.view());
        let (values, _) =
            linalg::eigh(&scatter).expect("a finite symmetric matrix has eigenvalues");
        // These are sums of squares, but rounding may leave the smallest just below 0.
        let values = values.mapv_into(|v| v.max(P::Scalar::zero()));
        self.eigenvalues.get_or_init(|| values).view()
    }

    /// Puts a space together with its training samples' values on principal axes, where the eigenvalues are known.
    pub(super) fn on_principal_axes(
        space: P,
        coordinates: Array2<P::Scalar>,
        residuals: Array1<P::Scalar>,
        eigenvalues: Array1<P::Scalar>,
    ) -> Self {
        Self {
            eigenvalues: OnceLock::from(eigenvalues),
            ..Self::new(space, coordinates, residuals)
        }
    }

    /// The coordinates Y of the training samples, shape (n, r): YYᵀ = K up to the eigenvalues
    /// dropped.
    pub fn training_coordinates(&self) -> ArrayView2<'_, P::Scalar> {
        self.coordinates.view()
    }

    /// The residuals of the training samples, shape (n); see [`KernelSpace::residuals`].
    pub fn training_residuals(&self) -> ArrayView1<'_, P::Scalar> {
        self.residuals.view()
    }

    /// The share of the trace of the kernel matrix that is outside the space, Σsᵢ / Σ(‖yᵢ‖² + sᵢ) with sᵢ
    /// the residuals. It is in [0, 1], and 0 for an exact space.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::{Exact, Linear, Rank, SpaceBuilder};
    ///
    /// // Centred, the eigenvalues of the kernel matrix are 50 and 2.
    /// let x = array![[5.0, 0.0], [-5.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    /// let builder = Exact::new(Linear::new()).rank(Rank::Components(1));
    /// let share: f64 = builder.fit_space(&x)?.relative_trace_residual();
    /// assert!((share - 2.0 / 52.0).abs() < 1e-15);
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    pub fn relative_trace_residual(&self) -> P::Scalar {
        let left = self.residuals.sum();
        let rows = self.coordinates.outer_iter();
        left / (left + rows.map(|y| y.dot(&y)).sum())
    }

    /// Refuses a centred space if rounding of the kernel values, with these κ(xᵢ, xᵢ), is too large a share of its variance.
    ///
    /// # Errors
    /// [`Error::Cancellation`]
    pub(super) fn require_digits(&self, squares: &Array1<P::Scalar>) -> Result<(), Error> {
        let samples = P::Scalar::cast(squares.len());
        // Numbers are divided before they are added up, as squares may be near the end of the range.
        let lengths = squared_lengths(self.coordinates.view()) + &self.residuals;
        let variance = (lengths / samples).sum();
        require_digits((squares / samples).sum(), variance)
    }

    /// The coordinates β = Yᵀα, shape (r), of the direction w = Σ αᵢφ(xᵢ) (lemma 6).
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] unless there is one coefficient a training sample.
    pub fn direction(&self, alpha: ArrayView1<'_, P::Scalar>) -> Result<Array1<P::Scalar>, Error> {
        check_coefficients(self.coordinates.nrows(), alpha.len())?;
        Ok(self.coordinates.t().dot(&alpha))
    }

    /// The space alone.
    pub fn space(&self) -> &P {
        &self.space
    }

    /// The space, the training coordinates and the training residuals.
    pub fn into_parts(self) -> (P, Array2<P::Scalar>, Array1<P::Scalar>) {
        (self.space, self.coordinates, self.residuals)
    }
}

impl<P: KernelSpace> KernelSpace for Fitted<P> {
    type Samples = P::Samples;
    type Scalar = P::Scalar;

    fn rank(&self) -> usize {
        self.space.rank()
    }

    fn coordinates(
        &self,
        x: &dyn AsSamples<Samples = P::Samples>,
    ) -> Result<Array2<P::Scalar>, Error> {
        self.space.coordinates(x)
    }

    fn coordinates_and_residuals(
        &self,
        x: &dyn AsSamples<Samples = P::Samples>,
    ) -> Result<(Array2<P::Scalar>, Array1<P::Scalar>), Error> {
        self.space.coordinates_and_residuals(x)
    }

    fn linear_form(&self) -> Result<LinearForm<'_, P::Samples, P::Scalar>, Error> {
        self.space.linear_form()
    }

    fn linear_features(&self, x: &P::Samples) -> Result<Array2<P::Scalar>, Error> {
        self.space.linear_features(x)
    }
}

crate::checked! {
    Fitted<P> {
        space: P,
        coordinates: Array2<P::Scalar>,
        residuals: Array1<P::Scalar>,
        #[serde(with = "crate::serial::once")]
        eigenvalues: OnceLock<Array1<P::Scalar>>,
    }
    where P: KernelSpace, P::Scalar: serde::de::DeserializeOwned
}

#[cfg(feature = "serde")]
impl<P: KernelSpace> Fitted<P> {
    fn check_parts(&self) -> Result<(), String> {
        use crate::serial::{agree, finite};
        let (samples, columns) = self.coordinates.dim();
        agree("columns of coordinates", columns, "axes", self.space.rank())?;
        agree("residuals", self.residuals.len(), "samples", samples)?;
        // The eigenvalues are sums of these squares, and finite if the sum is.
        // The sum is taken without a copy, as loading may take four times the file and no more.
        let squares: P::Scalar = self.coordinates.iter().map(|&value| value * value).sum();
        finite("the squares of the coordinates", [&squares])?;
        finite("the residuals", &self.residuals)?;
        self.eigenvalues.get().map_or(Ok(()), |values| {
            agree("eigenvalues", values.len(), "axes", columns)?;
            finite("the eigenvalues", values)
        })
    }
}
