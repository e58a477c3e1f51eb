//! The exact kernel space.

use super::{
    Axes, Indefinite, LandmarkSpace, Rank, SpaceBuilder, Subsets, factor, spectral, subsets,
};
use crate::{Error, Kernel, Linear, Samples};
use std::sync::Arc;

/// Builds the kernel space that all training samples span, down to rounding level: the nonlinear
/// projection trick itself. Every method on its coordinates is exactly the kernel method.
///
/// The kernel matrix is factored by pivoted Cholesky, column block by column block, so that a
/// problem of numerical rank s among n samples costs n·s kernel values, n·s² flops and one matrix
/// (n, s). The default axes add an eigendecomposition of size s.
///
/// # Parameters
/// | | default | |
/// |---|---|---|
/// | [`rank`](Self::rank) | `Tolerance(0.0)` | how many dimensions to keep |
/// | [`axes`](Self::axes) | `Principal` | which axes coordinates refer to |
/// | [`centered`](Self::centered) | `true` | whether the origin is the mean of the φ(xᵢ) |
/// | [`indefinite`](Self::indefinite) | `Refuse` | what to do with a kernel that is none |
///
/// # Errors
/// [`Error::Parameter`] and [`Error::Rank`] for parameters, [`Error::NoVariance`] if all samples
/// coincide, [`Error::KernelNotFinite`], [`Error::TraceOverflow`], [`Error::Indefinite`].
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Axes, Exact, Kernel, KernelSpace, Gaussian, Rank, Rows, SpaceBuilder};
///
/// let x = array![[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0]];
/// let kernel = Gaussian::new(0.5);
/// let space = Exact::new(kernel).rank(Rank::Tolerance(1e-10)).axes(Axes::Principal).fit_space(&x)?;
/// assert_eq!(space.rank(), 3);
///
/// // Y Yᵀ is the centred kernel matrix: (I − E) 𝒦 (I − E), with all entries of E equal to 1/n.
/// let y = space.training_coordinates();
/// let k = kernel.gram(&Rows::new(x)?);
/// let mean = |i: usize| k.row(i).sum() / 4.0;
/// let centred: f64 = k[[1, 2]] - mean(1) - mean(2) + k.sum() / 16.0;
/// assert!((y.row(1).dot(&y.row(2)) - centred).abs() < 1e-15);
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, algorithm 1
/// and footnote 3. doi:10.1109/TNNLS.2013.2272292
///
/// H. Harbrecht, M. Peters, R. Schneider, "On the low-rank approximation by the pivoted Cholesky
/// decomposition", Applied Numerical Mathematics 62(4), 2012. doi:10.1016/j.apnum.2011.10.001
#[derive(Debug)]
pub struct Exact<K> {
    kernel: Arc<K>,
    rank: Rank,
    axes: Axes,
    centered: bool,
    indefinite: Indefinite,
}

impl<K> Exact<K> {
    /// The centred space of full numerical rank, on principal axes.
    pub fn new(kernel: K) -> Self {
        Self {
            kernel: Arc::new(kernel),
            rank: Rank::default(),
            axes: Axes::default(),
            centered: true,
            indefinite: Indefinite::default(),
        }
    }

    /// How many dimensions to keep.
    pub fn rank(mut self, rank: Rank) -> Self {
        self.rank = rank;
        self
    }

    /// Which axes coordinates refer to.
    pub fn axes(mut self, axes: Axes) -> Self {
        self.axes = axes;
        self
    }

    /// Whether to centre in feature space: the mean of the training coordinates is then 0, and the
    /// kernel represented is κ(a, b) − κ̄(a) − κ̄(b) + κ̄ with κ̄ the means over training samples.
    pub fn centered(mut self, centered: bool) -> Self {
        self.centered = centered;
        self
    }

    /// What to do with a kernel whose matrix has a significant negative eigenvalue. On Cholesky
    /// axes with a rank that is cut early, what lies beyond the cut is not examined in full.
    pub fn indefinite(mut self, indefinite: Indefinite) -> Self {
        self.indefinite = indefinite;
        self
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<K> Clone for Exact<K> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            ..*self
        }
    }
}

impl<S: Samples, K: Kernel<S>> SpaceBuilder<S> for Exact<K> {
    type Space = LandmarkSpace<S, K>;

    fn fit_samples(&self, x: &S) -> Result<Self::Space, Error> {
        let n = x.len();
        if n == 0 {
            return Err(Error::NoSamples);
        }
        self.rank.check(n)?;
        self.kernel.check(x)?;
        let stop = match (self.axes, self.rank) {
            (Axes::Principal, _) => factor::Stop {
                tolerance: 0.0,
                most: n,
            },
            (Axes::Cholesky, Rank::Tolerance(t)) => factor::Stop {
                tolerance: t,
                most: n,
            },
            (Axes::Cholesky, Rank::Variance(p)) => factor::Stop {
                tolerance: 1.0 - p,
                most: n,
            },
            (Axes::Cholesky, Rank::Components(m)) => factor::Stop {
                tolerance: 0.0,
                most: m,
            },
        };
        let kernel = Arc::clone(&self.kernel);
        if let Some(factor) = factor::factor(&*self.kernel, x, &stop)? {
            return LandmarkSpace::from_factor(
                kernel,
                x,
                factor,
                self.centered,
                self.axes,
                self.rank,
            );
        }
        let spectrum = spectral::decompose(&*self.kernel, x, self.centered, self.indefinite)?;
        LandmarkSpace::from_spectrum(kernel, x, spectrum, self.rank)
    }

    /// Evaluates the kernel once for all subsets: where it is positive semidefinite on the samples,
    /// a subset is fitted to their uncentred coordinates by the linear kernel.
    fn subsets<'a>(&'a self, x: &'a S) -> Result<Box<dyn Subsets<K::Scalar> + 'a>, Error> {
        let whole = Exact {
            kernel: Arc::clone(&self.kernel),
            rank: Rank::default(),
            axes: Axes::Cholesky,
            centered: false,
            indefinite: Indefinite::Refuse,
        };
        let subset = Exact {
            kernel: Arc::new(Linear::new()),
            rank: self.rank,
            axes: self.axes,
            centered: self.centered,
            indefinite: self.indefinite,
        };
        match subsets::linearised(&whole, subset, x)? {
            Some(shared) => Ok(shared),
            None => Ok(Box::new(subsets::Refitted {
                builder: self,
                samples: x,
            })),
        }
    }
}
