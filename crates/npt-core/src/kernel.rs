//! The trait of all kernels.

mod about;
mod description;
mod parameters;
mod pointers;

pub(crate) use about::About;
#[cfg(feature = "serde")]
pub(crate) use about::check_origin;
pub use description::{Description, Parameter};
pub use parameters::{ParameterError, ParameterType, ParameterValue};
pub(crate) use pointers::forward;

use crate::{
    Error, HomogeneousKernel, Samples, Scalar, SpectralMeasure,
    kernels::{Gaussian, Product, Scaled, Sum, finite, logarithm_from_distance},
    linalg, watch,
};
use ndarray::{Array1, Array2, ArrayView2};

/// The number of kernel values between two checks whether the computation has been cancelled. Values of graphs take long;
/// values of vectors must not be held up.
const LOOK: usize = 16;

/// A kernel κ: the inner product of two samples in a feature space.
///
/// One method is required, [`eval`](Self::eval). It has to be symmetric, κ(a, b) = κ(b, a), and positive semidefinite: no
/// kernel matrix of it has a negative eigenvalue. The other methods are derived from it, and worth overriding where a whole
/// block costs less than its entries one by one.
///
/// # Write your own
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Items, Kernel, KernelSpace, SpaceBuilder};
///
/// /// Number of letters that two words share.
/// struct SharedLetters;
///
/// impl Kernel<Items<&'static str>> for SharedLetters {
///     type Scalar = f64;
///
///     fn eval(&self, a: &&'static str, b: &&'static str) -> f64 {
///         ('a'..='z').filter(|&c| a.contains(c) && b.contains(c)).count() as f64
///     }
/// }
///
/// let words = Items::new(vec!["trick", "track", "matrix"])?;
/// assert_eq!(SharedLetters.gram(&words), array![[5.0, 4.0, 3.0], [4.0, 5.0, 3.0], [3.0, 3.0, 6.0]]);
/// assert_eq!(Exact::new(SharedLetters).fit_space(&words)?.rank(), 2);
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// Two macros are optional. [`composable!`](crate::composable) gives the kernel the operators `+` and `*`;
/// [`parameters!`](crate::parameters) gives it a name, and parameters that can be read and set by name.
///
/// # Laws
/// `npt_testkit::laws::check_all` checks them all in a test. For samples x and z, up to rounding:
/// `cross(x, z)[[i, j]] == eval(x.get(i), z.get(j))`, `gram(x) == cross(x, x)` and
/// `diag(x)[i] == eval(x.get(i), x.get(i))`. The values about an origin satisfy the same equations.
///
/// # References
/// B. Schölkopf, A. Smola, *Learning with Kernels*, MIT Press 2002, chapter 2.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kernel on these samples",
    label = "here a kernel is needed",
    note = "a closure `|a: &[f64], b: &[f64]| …` becomes one by `FnKernel::new(closure)`",
    note = "a type of your own becomes one by `impl Kernel<Rows<f64>>`, or for other samples, with the method `eval`"
)]
pub trait Kernel<S: Samples>: Send + Sync {
    /// The floating point type of the kernel's values.
    type Scalar: Scalar;

    /// The kernel value κ(a, b).
    fn eval(&self, a: &S::Sample, b: &S::Sample) -> Self::Scalar;

    /// The cross kernel matrix: κ of each sample of `a` with each sample of `b`, shape (a, b).
    fn cross(&self, a: &S, b: &S) -> Array2<Self::Scalar> {
        let mut matrix = linalg::arbitrary((a.len(), b.len()));
        linalg::fill_values(&mut matrix, |i, row| {
            for (j, value) in row.iter_mut().enumerate() {
                if j.is_multiple_of(LOOK) {
                    watch::check();
                }
                *value = self.eval(a.get(i), b.get(j));
            }
        });
        matrix
    }

    /// The kernel matrix of `x`, shape (x, x).
    fn gram(&self, x: &S) -> Array2<Self::Scalar> {
        self.cross(x, x)
    }

    /// The kernel values κ(xᵢ, xᵢ) of the samples with themselves.
    fn diag(&self, x: &S) -> Array1<Self::Scalar> {
        let own = |i: usize| {
            if i.is_multiple_of(LOOK) {
                watch::check();
            }
            self.eval(x.get(i), x.get(i))
        };
        (0..x.len()).map(own).collect()
    }

    /// A sample o about which the values of this kernel keep digits that centring would lose. Its image φ(o) is near the
    /// images of `x`, where these are far from the origin of the feature space, or near to each other. For vectors o is the
    /// mean of `x`.
    ///
    /// Centring subtracts what all images have in common. Where that is much larger than their differences, little more than
    /// the rounding of the values is left. Then all computations that a shift of the origin does not change use
    /// [`cross_about`](Self::cross_about). `None`, the default, means that there is no such sample, or that it would gain
    /// nothing.
    fn origin(&self, x: &S) -> Option<S> {
        let _ = x;
        None
    }

    /// The kernel value about an origin o,
    /// ⟨φ(a) − φ(o), φ(b) − φ(o)⟩ = κ(a, b) − κ(a, o) − κ(o, b) + κ(o, o).
    ///
    /// Override it, together with [`origin`](Self::origin) and [`cross_about`](Self::cross_about), where a formula for it
    /// subtracts nothing large.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Kernel, Linear};
    ///
    /// // ⟨a − o, b − o⟩, where f32 does not know ⟨a, b⟩ to 1.
    /// let (a, b, o) = ([10_001.0_f32, 0.0], [10_002.0, 3.0], [10_000.0, 1.0]);
    /// assert_eq!(Linear::new().eval_about(&o, &a, &b), 1.0 * 2.0 + -1.0 * 2.0);
    /// ```
    fn eval_about(&self, origin: &S::Sample, a: &S::Sample, b: &S::Sample) -> Self::Scalar {
        let of_a = self.eval(a, b) - self.eval(a, origin);
        of_a - (self.eval(origin, b) - self.eval(origin, origin))
    }

    /// The cross kernel matrix about an origin: the values of each sample of `a` with each sample of `b`, shape (a, b). The
    /// origin is the only sample of `origin`.
    fn cross_about(&self, origin: &S, a: &S, b: &S) -> Array2<Self::Scalar> {
        let mut matrix = self.cross(a, b);
        matrix -= &self.cross(a, origin);
        matrix -= &(self.cross(origin, b) - self.diag(origin)[0]);
        matrix
    }

    /// The values about an origin of each sample with itself.
    fn diag_about(&self, origin: &S, x: &S) -> Array1<Self::Scalar> {
        let own = |i: usize| self.eval_about(origin.get(0), x.get(i), x.get(i));
        (0..x.len()).map(own).collect()
    }

    /// Checks that the parameters are in range, and that the samples are in the kernel's domain. It is called once before a
    /// set of samples is used.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a parameter. Each kernel documents the samples that it refuses.
    fn check(&self, x: &S) -> Result<(), Error> {
        let _ = x;
        Ok(())
    }

    /// Returns whether this kernel is known to be positive semidefinite with these parameters. Parameters that
    /// [`check`](Self::check) refuses need not be considered.
    ///
    /// `false`, the default, means unknown: [`Exact`](crate::Exact) then looks at every entry of
    /// the kernel matrix once, without storing it, before it believes in a low rank. `true` is believed
    /// unless a residual of the factorisation contradicts it by more than single precision explains.
    fn is_positive_semidefinite(&self) -> bool {
        false
    }

    /// Describes this kernel as data: its name, its parameters, and the kernels that it is composed of.
    /// [`parameters!`](crate::parameters) writes this method and [`set_parameter`](Self::set_parameter)
    /// from a list of fields.
    ///
    /// By default a kernel has the name of its type, and no parameters.
    fn describe(&self) -> Description {
        Description::of_type::<Self>()
    }

    /// The name of this kernel. Names of ready-made kernels are stable: `gaussian`, `sum`.
    fn name(&self) -> String {
        self.describe().name
    }

    /// The parameters of this kernel and of the kernels that it is composed of.
    fn parameters(&self) -> Vec<Parameter> {
        self.describe().all_parameters()
    }

    /// Gives a parameter another value. The range of the value is checked by [`check`](Self::check).
    ///
    /// Through a `Box` this sets the kernel inside. Through an `Arc` it does so only where no other `Arc` shares the kernel:
    /// a fitted space never sees its kernel change.
    ///
    /// # Errors
    /// [`ParameterError`] for a name that is not among the [`parameters`](Self::parameters), for a value of another kind,
    /// and for a kernel that is shared.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Gaussian, Kernel, Linear, Rows};
    ///
    /// let mut kernel: Box<dyn Kernel<Rows<f64>, Scalar = f64>> =
    ///     Box::new(Gaussian::new(0.5) + Linear::new().scaled(0.1));
    /// let names: Vec<String> = kernel.parameters().into_iter().map(|p| p.name).collect();
    /// assert_eq!(names, ["first.gamma", "second.factor"]);
    /// kernel.set_parameter("second.factor", 2.0.into())?;
    /// assert_eq!(kernel.eval(&[1.0], &[1.0]), 1.0 + 2.0 * 1.0);
    /// # Ok::<(), npt_core::ParameterError>(())
    /// ```
    fn set_parameter(&mut self, name: &str, value: ParameterValue) -> Result<(), ParameterError> {
        let _ = value;
        Err(ParameterError::Unknown {
            of: self.name(),
            parameter: name.to_owned(),
        })
    }

    /// Returns this kernel with another value of a parameter.
    ///
    /// # Errors
    /// As [`set_parameter`](Self::set_parameter).
    ///
    /// # Example
    /// ```
    /// use npt_core::{Gaussian, Kernel};
    ///
    /// assert_eq!(Gaussian::new(0.5).with_parameter("gamma", 2.0)?, Gaussian::new(2.0));
    /// # Ok::<(), npt_core::ParameterError>(())
    /// ```
    fn with_parameter(
        mut self,
        name: &str,
        value: impl Into<ParameterValue>,
    ) -> Result<Self, ParameterError>
    where
        Self: Sized,
    {
        self.set_parameter(name, value.into())?;
        Ok(self)
    }

    /// The derivatives of Σᵢⱼ wᵢⱼκ(xᵢ, xⱼ) by the real numbers among the [`parameters`](Self::parameters), in their order;
    /// the numbers of a list count one by one. `weights` w is symmetric, of shape (x, x).
    ///
    /// Each derivative is that of a sum, not a matrix: any function of the kernel matrix has such a sum for its derivative,
    /// and many parameters need no more memory than one. `None` is a derivative that the kernel does not know; a caller who
    /// needs it takes differences of kernel values. The default knows no derivatives. The samples have passed
    /// [`check`](Self::check).
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::{Gaussian, Kernel, Rows};
    ///
    /// let x = Rows::new(array![[0.0], [3.0]])?;
    /// let weights = array![[1.0, 0.5], [0.5, 1.0]];
    /// // Σ wκ = 2 + exp(−9γ)
    /// let derivatives = Gaussian::new(0.5).parameter_derivatives(&x, weights.view());
    /// assert_eq!(derivatives, [Some(-9.0 * (-4.5_f64).exp())]);
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    fn parameter_derivatives(
        &self,
        x: &S,
        weights: ArrayView2<'_, Self::Scalar>,
    ) -> Vec<Option<Self::Scalar>> {
        let _ = (x, weights);
        let parameters = self.parameters();
        vec![None; parameters.iter().map(|p| p.value.reals().len()).sum()]
    }

    /// The derivatives ∂κ(xᵢ, xⱼ)/∂‖xᵢ − xⱼ‖² of all pairs, shape (x, x), for kernels that are functions of the Euclidean
    /// distance. Where the derivative does not exist, as for some kernels at equal samples, it is 0. `None`, the default, is
    /// for all other kernels. The samples have passed [`check`](Self::check).
    fn squared_distance_derivatives(&self, x: &S) -> Option<Array2<Self::Scalar>> {
        let _ = x;
        None
    }

    /// The kernel κ(a/ℓ, b/ℓ): this kernel after each feature k has been divided by `length_scales` ℓₖ. It is for kernels
    /// that are computed from differences aₖ − bₖ, or that lose nothing by quotients. [`LengthScales`](crate::LengthScales)
    /// asks for it: a quotient aₖ/ℓₖ has a rounding error of its own size, which is large beside the differences of
    /// quotients where features are far from 0.
    ///
    /// `None`, the default, means that the features are to be divided.
    ///
    /// # Example
    /// ```
    /// use npt_core::{Kernel, Laplacian};
    ///
    /// let kernel = Laplacian::new(0.5_f32);
    /// let divided = kernel.with_length_scales(&[3.0]).unwrap();
    /// // The third of a difference of 3, which the difference of two thirds is not.
    /// assert_eq!(divided.eval(&[30_001.0], &[30_004.0]), (-0.5_f32).exp());
    /// ```
    fn with_length_scales<'a>(
        &'a self,
        length_scales: &'a S::Sample,
    ) -> Option<Box<dyn Kernel<S, Scalar = Self::Scalar> + 'a>>
    where
        S: 'a,
    {
        let _ = length_scales;
        None
    }

    /// Returns whether columns that are 0 in both vectors contribute nothing to κ(a, b), so that leaving them out changes no
    /// value. This holds for functions of inner products, and of distances in which all columns weigh the same.
    /// [`Sparse`](crate::Sparse) takes only such kernels.
    ///
    /// `false`, the default, means unknown, or that the samples are no vectors.
    fn ignores_common_zeros(&self) -> bool {
        false
    }

    /// The squared Euclidean distance ‖a − b‖² of two vectors, from the squared distance
    /// ‖φ(a) − φ(b)‖² = κ(a, a) + κ(b, b) − 2κ(a, b) of their images in feature space, for kernels
    /// where the second determines the first.
    ///
    /// `None` if no vectors are that far apart, or if rounding decides how far apart they are. Kernels where the distance of
    /// the images does not determine that of the vectors return `None` for every argument. All others return 0 for 0, which
    /// tells the two sorts apart. The default knows Gaussians only, by [`gaussian_gamma`](Self::gaussian_gamma).
    ///
    /// # Example
    /// ```
    /// use npt_core::{Gaussian, Kernel};
    ///
    /// let kernel = Gaussian::new(0.5);
    /// let in_feature_space = 2.0 - 2.0 * kernel.eval(&[0.0], &[3.0]);
    /// let of_inputs: f64 = kernel.squared_distance_of_inputs(in_feature_space).unwrap();
    /// assert!((of_inputs - 3.0 * 3.0).abs() < 1e-13);
    /// assert_eq!(kernel.squared_distance_of_inputs(2.0), None); // orthogonal: infinitely far
    /// ```
    fn squared_distance_of_inputs(&self, squared: Self::Scalar) -> Option<Self::Scalar> {
        let gamma = self.gaussian_gamma()?;
        finite(-logarithm_from_distance(squared)? / gamma)
    }

    /// The factor γ, if this is the kernel exp(−γ‖a − b‖²) whatever its type: a Gaussian, a product of two Gaussians, a
    /// pointer to a Gaussian.
    fn gaussian_gamma(&self) -> Option<Self::Scalar> {
        None
    }

    /// The factor c, if this is the kernel c⟨a, b⟩ whatever its type: the linear kernel, a multiple of it, a sum of two such
    /// kernels.
    fn linear_factor(&self) -> Option<Self::Scalar> {
        None
    }

    /// The distribution of the frequencies for which this kernel is a mean of waves; [`RandomFourier`](crate::RandomFourier)
    /// draws from it.
    ///
    /// `None` for kernels that are no functions of a difference, and for those whose frequencies are not known. The default knows
    /// Gaussians only, by [`gaussian_gamma`](Self::gaussian_gamma).
    ///
    /// # Example
    /// ```
    /// use npt_core::{Kernel, Laplacian, Linear, Rows};
    ///
    /// let kernel: Box<dyn Kernel<Rows<f64>, Scalar = f64>> = Box::new(Laplacian::new(0.5));
    /// assert!(!kernel.spectral_measure().unwrap().is_isotropic());
    /// assert!(Kernel::<Rows<f64>>::spectral_measure(&Linear::new()).is_none());
    /// ```
    fn spectral_measure(&self) -> Option<Box<dyn SpectralMeasure + '_>> {
        Some(Box::new(Gaussian::new(self.gaussian_gamma()?)))
    }

    /// The spectrum of an additive kernel that grows in proportion to its arguments;
    /// [`HomogeneousFeatures`](crate::HomogeneousFeatures) are made of it. `None`, the default, is for all other kernels.
    fn homogeneous(&self) -> Option<&dyn HomogeneousKernel> {
        None
    }

    /// The kernel κ₁ + κ₂.
    fn plus<K>(self, other: K) -> Sum<Self, K>
    where
        Self: Sized,
        K: Kernel<S, Scalar = Self::Scalar>,
    {
        Sum::new(self, other)
    }

    /// The kernel κ₁·κ₂.
    fn times<K>(self, other: K) -> Product<Self, K>
    where
        Self: Sized,
        K: Kernel<S, Scalar = Self::Scalar>,
    {
        Product::new(self, other)
    }

    /// The kernel c·κ with c > 0.
    fn scaled(self, factor: Self::Scalar) -> Scaled<Self, Self::Scalar>
    where
        Self: Sized,
    {
        Scaled::new(self, factor)
    }
}
