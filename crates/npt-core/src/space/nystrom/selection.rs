//! The choice of landmarks: the trait of selections, and what they select.

use crate::{Error, Kernel, Samples, space::factor::Factor};

/// Chooses the landmarks of a [`Nystrom`](super::Nystrom) space.
///
/// [`Pivoting`](super::Pivoting) is the selection to begin with; [`Given`] takes samples that are known.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Error, Kernel, KernelSpace, LandmarkSelection, Linear, Nystrom, Samples, Selected, SpaceBuilder};
///
/// /// Every k-th training sample.
/// struct Every(usize);
///
/// impl<S: Samples> LandmarkSelection<S> for Every {
///     fn select<K: Kernel<S>>(&self, _: &K, x: &S) -> Result<Selected<S, K::Scalar>, Error> {
///         Ok(Selected::rows((0..x.len()).step_by(self.0).collect()))
///     }
/// }
///
/// let x = array![[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [0.0, 5.0]];
/// let space = Nystrom::new(Linear::new(), Every(2)).centered(false).fit_space(&x)?;
/// // (3, 0) is along (1, 0): one landmark, which sees first coordinates only.
/// assert_eq!(space.rank(), 1);
/// assert_eq!(space.training_coordinates().column(0), array![1.0, 2.0, 3.0, 0.0]);
/// assert_eq!(space.training_residuals(), array![0.0, 1.0, 0.0, 25.0]);
/// # Ok::<(), npt_core::Error>(())
/// ```
pub trait LandmarkSelection<S: Samples>: Send + Sync {
    /// Selects the landmarks for a kernel on training samples.
    ///
    /// # Errors
    /// An error for invalid parameters, and for what is wrong with the kernel or the samples.
    fn select<K: Kernel<S>>(&self, kernel: &K, x: &S) -> Result<Selected<S, K::Scalar>, Error>;
}

/// Chosen landmarks. A space leaves out a landmark that others explain to rounding, or so nearly that the
/// direction of what is left is not known well enough: samples that extend along it would not be known to √ε.
pub struct Selected<S, F>(pub(super) Choice<S, F>);

pub(super) enum Choice<S, F> {
    Rows(Vec<usize>),
    Samples(S),
    /// The landmarks as pivots of the factor that choosing them has computed.
    Factor(Factor<F>),
}

impl<S, F> Selected<S, F> {
    /// Selects training samples, by their rows from 0.
    pub fn rows(rows: Vec<usize>) -> Self {
        Self(Choice::Rows(rows))
    }

    /// Selects samples of any origin.
    pub fn samples(samples: S) -> Self {
        Self(Choice::Samples(samples))
    }

    pub(super) fn of_factor(factor: Factor<F>) -> Self {
        Self(Choice::Factor(factor))
    }
}

/// A selection of landmarks that are known: samples of any origin.
///
/// # Errors
/// [`Error::ColumnCount`] if the training samples are of another kind, [`Error::KernelNotFinite`].
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Gaussian, Given, KernelSpace, Nystrom, Rows, SpaceBuilder};
///
/// let landmarks = Rows::new(array![[0.0], [1.0], [1.0]])?;
/// let space = Nystrom::new(Gaussian::new(0.5), Given(landmarks)).fit_space(&array![[0.2], [0.7], [3.0]])?;
/// // Of two landmarks at one place, one is left.
/// assert_eq!(space.rank(), 2);
/// # Ok::<(), npt_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Given<S>(pub S);

impl<S: Samples> LandmarkSelection<S> for Given<S> {
    fn select<K: Kernel<S>>(&self, _: &K, _: &S) -> Result<Selected<S, K::Scalar>, Error> {
        Ok(Selected::samples(self.0.clone()))
    }
}
