//! The exact kernel space.

use super::{
    AllSamples, Axes, Fitted, Indefinite, KernelMap, Nystrom, ProductsOf, Rank, Space,
    SpaceBuilder,
    centering::finite_gram,
    factor::{self, RoundingLevel},
    options::{Shape, shape_setters},
    spectral,
    subsets::{self, KernelMatrixOf, SubsetsOf},
};
use crate::{
    AsSamples, Description, Error, Kernel, KernelProducts, Parameter, ParameterType as _, Samples,
    inner_products::Origin,
    kernel::About,
    linalg::{self, Means},
};
use ndarray::{Array2, Axis};
use num_traits::Float as _;
use std::sync::Arc;

/// The space that [`Exact`] fits: features from kernel values, shifted and turned.
pub type ExactSpace<S, K> =
    Space<KernelMap<S, K, <K as Kernel<S>>::Scalar>, <K as Kernel<S>>::Scalar>;

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
/// | [`indefinite`](Self::indefinite) | `Refuse` | what to do with a kernel that is not positive semidefinite |
/// | [`landmarks_only`](Self::landmarks_only) | `false` | whether new samples are mapped by few kernel values |
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
/// let centered: f64 = k[[1, 2]] - mean(1) - mean(2) + k.sum() / 16.0;
/// assert!((y.row(1).dot(&y.row(2)) - centered).abs() < 1e-15);
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Exact<K> {
    kernel: Arc<K>,
    shape: Shape,
    indefinite: Indefinite,
    landmarks_only: bool,
}

impl<K> Exact<K> {
    /// Creates a builder of the centred space of full numerical rank, on principal axes.
    pub fn new(kernel: K) -> Self {
        Self {
            kernel: Arc::new(kernel),
            shape: Shape::default(),
            indefinite: Indefinite::default(),
            landmarks_only: false,
        }
    }

    shape_setters!();

    /// Sets whether new samples are mapped by their kernel values with the landmarks alone, even where all
    /// training samples would do it better; [`KernelMap`] says what either costs. With smooth
    /// kernels, landmarks are many times faster for new samples. New samples are then known to √τ along all axes
    /// (see [`KernelSpace`](super::KernelSpace), on accuracy), and their residuals to a few roundings.
    pub fn landmarks_only(mut self, landmarks_only: bool) -> Self {
        self.landmarks_only = landmarks_only;
        self
    }

    /// Describes the space by its name and all its parameters, as a space is chosen by name. The kernel is left out.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Axes, Exact, Linear, Rank};
    ///
    /// let space = Exact::new(Linear::new()).rank(Rank::Components(3)).axes(Axes::Cholesky);
    /// let text = "exact(components = 3, axes = \"cholesky\", centered = true, indefinite = \"refuse\", landmarks_only = false)";
    /// assert_eq!(space.describe().to_string(), text);
    /// ```
    pub fn describe(&self) -> Description {
        let mut description = Description::new("exact");
        description.parameters.extend(self.shape.parameters());
        description.parameters.extend([
            Parameter::new("indefinite", self.indefinite.value()),
            Parameter::new("landmarks_only", self.landmarks_only),
        ]);
        description
    }

    /// Returns the builder of the space of landmarks alone, with the same kernel and shape.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::{Exact, Gaussian, KernelSpace, Nystrom, Pivoting, SpaceBuilder};
    ///
    /// let x = array![[0.0], [1.0], [3.0], [4.5]];
    /// let exact = Exact::new(Gaussian::new(0.5)).centered(false);
    /// let space = exact.with_landmarks(Pivoting::random(2)).fit_space(&x)?;
    /// let expected = Nystrom::new(Gaussian::new(0.5), Pivoting::random(2)).centered(false).fit_space(&x)?;
    /// assert_eq!(space.training_coordinates(), expected.training_coordinates());
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    pub fn with_landmarks<L>(self, landmarks: L) -> Nystrom<K, L> {
        Nystrom::of_shape(self.kernel, landmarks, self.shape)
    }

    /// Returns the builder of the same space with another kernel.
    pub fn with_kernel<Other>(&self, kernel: Other) -> Exact<Other> {
        Exact {
            kernel: Arc::new(kernel),
            shape: self.shape,
            indefinite: self.indefinite,
            landmarks_only: self.landmarks_only,
        }
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// Returns whether the origin is the mean of the φ(xᵢ).
    pub fn is_centered(&self) -> bool {
        self.shape.centered
    }

    /// Returns the rank, the axes and whether to centre, as they were asked for.
    pub fn shape(&self) -> (Rank, Axes, bool) {
        (self.shape.rank, self.shape.axes, self.shape.centered)
    }

    /// Sets the treatment of a kernel whose matrix has a significant negative eigenvalue. On Cholesky
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

impl<K> Exact<K> {
    fn fit<S: Samples>(
        &self,
        x: &S,
        level: RoundingLevel,
    ) -> Result<Fitted<ExactSpace<S, K>>, Error>
    where
        K: Kernel<S>,
    {
        if x.is_empty() {
            return Err(Error::NoSamples);
        }
        self.shape.check(x.len())?;
        self.kernel.check(x)?;
        if !self.shape.centered {
            return self.fit_about(None, x, level);
        }
        // If the rank is cut before the factor ends, its pivots span only a part of the space, and another origin would
        // give another part.
        let is_cut = self.shape.axes == Axes::Cholesky && self.shape.rank != Rank::default();
        let origin = if is_cut { None } else { self.kernel.origin(x) };
        let squares = About::new(&*self.kernel, origin.as_ref()).diag(x);
        let fitted = self.fit_about(origin, x, level)?;
        fitted.require_digits(&squares)?;
        Ok(fitted)
    }

    /// Fits the space of kernel values about an origin, if there is one.
    fn fit_about<S: Samples>(
        &self,
        origin: Option<S>,
        x: &S,
        level: RoundingLevel,
    ) -> Result<Fitted<ExactSpace<S, K>>, Error>
    where
        K: Kernel<S>,
    {
        let kernel = Arc::clone(&self.kernel);
        let values = About::new(&*self.kernel, origin.as_ref());
        let stop = factor::Stop::new(self.shape.axes, self.shape.rank, x.len(), level);
        let of_matrix = |matrix, in_full| {
            let decomposition = spectral::decompose(matrix, self.shape.centered, self.indefinite)?;
            let (kernel, origin) = (Arc::clone(&kernel), origin.clone());
            decomposition.into_space(kernel, origin, x, self.shape.rank, in_full)
        };
        if let Some(factor) = factor::factor(&values, x, &stop)? {
            let principal = self.shape.axes == Axes::Principal && !self.landmarks_only;
            if principal && factor.is_well_conditioned() {
                return of_matrix(factor.into_gram(), true);
            }
            let may_be_cut =
                self.shape.axes == Axes::Principal && self.shape.rank != Rank::default();
            let by_all = KernelMap::<S, K, K::Scalar>::takes_all(&factor, self.landmarks_only);
            let means = (may_be_cut && by_all).then(|| factor.means());
            let (map, training) = factor.into_parts(|factor| {
                let (kernel, origin) = (Arc::clone(&kernel), origin.clone());
                KernelMap::of_factor(kernel, origin, x, factor, self.landmarks_only)
            });
            let map = map?;
            let fitted = Space::fit(map, training, self.shape)?;
            return Ok(match means {
                Some(means) => self.of_leading_axes(x, origin, fitted, means),
                None => fitted,
            });
        }
        of_matrix(finite_gram(&values, x)?, false)
    }

    /// Returns the same space, with new samples mapped by theorem 2 itself, y(x) = Λ⁻¹Yᵀk(x), if axes were left out and
    /// the others are far above rounding. The coordinates along an axis of length √λ are known to
    /// ε√λ₁, so if λ > √ε·λ₁ they are known to less than √ε of their own size.
    ///
    /// Λ is YᵀY but for rounding, which is small beside the largest eigenvalue, but not beside the others. So the
    /// weights use (YᵀY)⁻¹ = (I − Λ⁻¹(YᵀY − Λ))Λ⁻¹, which holds but for the square of that rounding.
    fn of_leading_axes<S: Samples>(
        &self,
        x: &S,
        origin: Option<S>,
        fitted: Fitted<ExactSpace<S, K>>,
        means: Means<K::Scalar>,
    ) -> Fitted<ExactSpace<S, K>>
    where
        K: Kernel<S>,
    {
        let eigenvalues = fitted.eigenvalues().to_owned();
        let smallest = eigenvalues[eigenvalues.len() - 1];
        if fitted.space().is_whole() || smallest <= K::Scalar::epsilon().sqrt() * eigenvalues[0] {
            return fitted;
        }
        let (_, coordinates, residuals) = fitted.into_parts();
        let mut rounding = linalg::symmetric_rank_k(coordinates.view());
        rounding -= &Array2::from_diag(&eigenvalues);
        rounding /= &eigenvalues.view().insert_axis(Axis(1));
        let weights =
            (&coordinates - &linalg::product(coordinates.view(), rounding.view())) / &eigenvalues;
        let means = self.shape.centered.then_some(means);
        let map = AllSamples::new(Arc::clone(&self.kernel), origin, x.clone(), weights, means);
        let space = Space::of_coordinates(KernelMap::AllSamples(map), false);
        Fitted::on_principal_axes(space, coordinates, residuals, eigenvalues)
    }
}

impl<S: Samples, K: Kernel<S>> SpaceBuilder<S> for Exact<K> {
    type Space = ExactSpace<S, K>;

    fn fit_space(
        &self,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<Self::Space>, Error> {
        self.fit(records.as_samples()?.as_ref(), RoundingLevel::Highest)
    }

    fn fit_for_expansion(
        &self,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<Self::Space>, Error> {
        // Cholesky axes are cut where the factor ends: their rank is to be that of the data.
        let is_cut_later = self.shape.rank == Rank::default() || self.shape.axes == Axes::Principal;
        let level = if is_cut_later && !self.landmarks_only {
            RoundingLevel::Usual
        } else {
            RoundingLevel::Highest
        };
        self.fit(records.as_samples()?.as_ref(), level)
    }

    fn inner_products<'a>(
        &self,
        x: &'a S,
        centered: bool,
    ) -> Result<Option<ProductsOf<'a, S, Self::Space>>, Error> {
        if self.shape.rank != Rank::default() {
            return Ok(None);
        }
        self.kernel.check(x)?;
        let kernel = Arc::clone(&self.kernel);
        let origin = match (self.shape.centered, centered) {
            (true, true) => Origin::Mean,
            (false, true) => Origin::Own,
            (_, false) => Origin::Any,
        };
        let products = KernelProducts::new(kernel, x, origin)?;
        let Some(mut products) = products else {
            return Ok(None);
        };
        if !self.shape.centered {
            products = products.of_uncentered_space();
        }
        products.require_variance(&(0..x.len()).collect::<Vec<usize>>())?;
        products.require_digits()?;
        Ok(Some(products))
    }

    fn subsets<'a>(&'a self, x: &'a S) -> Result<SubsetsOf<'a, S, Self>, Error> {
        subsets::subsets(self, x)
    }

    fn has_one_kernel(&self) -> bool {
        true
    }

    fn kernel_matrix(&self, x: &S) -> Result<Option<KernelMatrixOf<S, Self>>, Error> {
        subsets::kernel_matrix(self, x)
    }
}
