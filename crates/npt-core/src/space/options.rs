//! How much of a space to keep, and along which axes.

use crate::{Error, Parameter, ParameterType as _};

/// The number of dimensions that a kernel space keeps. Whatever is asked for, nothing at rounding level is
/// kept, because numbers there are noise. The level is set sample by sample, a few ε of κ(x, x), however
/// many samples there are.
///
/// λ are the eigenvalues of the (centred) kernel matrix, in descending order; the trace is their sum. On
/// Cholesky axes there are no eigenvalues: the factor stops by the trace that it has not explained.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, KernelSpace, Linear, Rank, SpaceBuilder};
///
/// // Centred, the eigenvalues of the kernel matrix are 50 and 2.
/// let x = array![[5.0, 0.0], [-5.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
/// let rank = |rank| Exact::new(Linear::new()).rank(rank).fit_space(&x).map(|space| space.rank());
/// assert_eq!(rank(Rank::Tolerance(0.01)), Ok(2));
/// assert_eq!(rank(Rank::Tolerance(0.1)), Ok(1));
/// assert_eq!(rank(Rank::Variance(0.9)), Ok(1));
/// assert_eq!(rank(Rank::Components(1)), Ok(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Rank {
    /// Keeps all λ > t·λ₁ on principal axes; on Cholesky axes, keeps as many as leave at most t × trace.
    /// t is in [0, 1); 0, the default, keeps all down to rounding level.
    Tolerance(f64),
    /// Keeps the fewest dimensions that explain the share p of the trace, p in (0, 1].
    Variance(f64),
    /// Keeps exactly m dimensions, from 1 to the number that there are.
    Components(usize),
}

impl Default for Rank {
    fn default() -> Self {
        Self::Tolerance(0.0)
    }
}

impl Rank {
    /// Checks that the parameter is in its range, and not above the largest rank that there can be.
    pub(crate) fn check(self, available: usize) -> Result<(), Error> {
        let refuse = |parameter, value, allowed| {
            Err(Error::Parameter {
                of: "Rank",
                parameter,
                value,
                allowed,
            })
        };
        match self {
            Self::Tolerance(t) if !(0.0..1.0).contains(&t) => {
                refuse("tolerance", t, "at least 0 and below 1")
            }
            Self::Variance(p) if !(p > 0.0 && p <= 1.0) => {
                refuse("variance", p, "above 0 and at most 1")
            }
            Self::Components(0) => refuse("components", 0.0, "at least 1"),
            Self::Components(requested) if requested > available => Err(Error::Rank {
                requested,
                available,
            }),
            _ => Ok(()),
        }
    }
}

/// The axes that coordinates refer to. Inner products, distances and residuals are the same on
/// both kinds of axes, and so is every rotation-invariant method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Axes {
    /// The eigenvectors of the kernel matrix, largest eigenvalue first. Each axis points to where
    /// the training coordinate of largest magnitude is positive (the first of several equal ones).
    #[default]
    Principal,
    /// The rows of a Cholesky factor: no eigendecomposition, an order of magnitude cheaper
    /// (the paper's footnote 3).
    Cholesky,
}

crate::words_of_parameter!(Axes {
    Principal: "principal",
    Cholesky: "cholesky"
});

/// The treatment of a kernel whose matrix has a significant negative eigenvalue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Indefinite {
    /// Refuse it, with the eigenvalue in the error.
    #[default]
    Refuse,
    /// Drop the negative eigenvalues: the nearest positive semidefinite kernel matrix takes the
    /// place of the given one.
    Clip,
}

crate::words_of_parameter!(Indefinite {
    Refuse: "refuse",
    Clip: "clip"
});

/// The parameters that all builders of spaces have.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Shape {
    pub(super) rank: Rank,
    pub(super) axes: Axes,
    pub(super) centered: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            rank: Rank::default(),
            axes: Axes::default(),
            centered: true,
        }
    }
}

impl Shape {
    /// The rank, the axes and whether to centre, as parameters by name.
    pub(super) fn parameters(self) -> [Parameter; 3] {
        let rank = match self.rank {
            Rank::Components(components) => ("components", components.into()),
            Rank::Variance(share) => ("variance", share.into()),
            Rank::Tolerance(tolerance) => ("tolerance", tolerance.into()),
        };
        let all = [
            rank,
            ("axes", self.axes.value()),
            ("centered", self.centered.into()),
        ];
        all.map(|(name, value)| Parameter::new(name, value))
    }

    /// Checks the rank against the largest one that this many samples may have.
    pub(super) fn check(self, samples: usize) -> Result<(), Error> {
        self.rank
            .check(samples - usize::from(self.centered && samples > 1))
    }
}

/// Sets the `shape` of a builder.
macro_rules! shape_setters {
    () => {
        /// Sets the number of dimensions to keep.
        pub fn rank(mut self, rank: $crate::Rank) -> Self {
            self.shape.rank = rank;
            self
        }

        /// Sets the axes that coordinates refer to.
        pub fn axes(mut self, axes: $crate::Axes) -> Self {
            self.shape.axes = axes;
            self
        }

        /// Sets whether to centre in feature space. In a centred space the mean of the training coordinates is 0, and
        /// the kernel represented is κ(a, b) − κ̄(a) − κ̄(b) + κ̄ with κ̄ the means over training samples.
        pub fn centered(mut self, centered: bool) -> Self {
            self.shape.centered = centered;
            self
        }
    };
}
pub(super) use shape_setters;
