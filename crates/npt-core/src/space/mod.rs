//! Kernel spaces: the fitted subspace of the feature space, and the coordinates of samples in it.
//!
//! Every space is a raw map, then a shift, then a rotation ([`Space`]); its builder says where the
//! raw map comes from.

mod centering;
mod exact;
mod expansion;
mod expansion_space;
pub(crate) mod factor;
mod fitted;
mod from_samples;
mod homogeneous;
mod kernel_errors;
mod kernel_map;
mod linear_form;
mod nystrom;
mod options;
mod panels;
mod pointers;
mod principal_axes;
mod random_fourier;
mod raw_map;
mod rotation;
mod rows;
mod shifted;
mod spectral;
mod subsets;
mod tensor_sketch;

pub use centering::{centered_gram, gram_to_center};
pub(crate) use centering::{finite_gram, require_digits};
pub use exact::{Exact, ExactSpace};
pub use expansion::Expansion;
pub use expansion_space::ExpansionSpace;
pub use fitted::Fitted;
pub use from_samples::FromSamples;
pub use homogeneous::{HomogeneousFeatures, HomogeneousMap};
pub use kernel_errors::KernelErrors;
pub use kernel_map::{AllSamples, KernelMap, Landmarks};
pub use linear_form::LinearForm;
pub use nystrom::{
    Given, LandmarkForecast, LandmarkSelection, Nystrom, Pivoting, Selected, SpaceAdvice,
};
pub use options::{Axes, Indefinite, Rank};
pub use random_fourier::{FourierMap, RandomFourier};
pub use raw_map::{RawFeatures, RawMap};
pub(crate) use rows::{center_columns, column_means};
pub use shifted::Space;
pub use subsets::{KernelMatrixOf, Subsets, SubsetsOf};
pub use tensor_sketch::{SketchMap, TensorSketch};

use crate::{AsSamples, Error, KernelProducts, Samples, Scalar, linalg::PANEL};
use ndarray::{Array1, Array2, ArrayView1, Axis};
use num_traits::Float;

/// Fits a [`KernelSpace`] to training samples.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
///
/// let x = array![[0.0], [1.0], [3.0]];
/// let space = Exact::new(Gaussian::new(0.5)).fit_space(&x)?;
/// assert_eq!(space.training_coordinates().dim(), (3, space.rank()));
/// # Ok::<(), npt_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` builds no kernel space for these samples",
    label = "here a builder of kernel spaces is needed",
    note = "a kernel becomes one by `Exact::new(kernel)`, or for many samples by `Nystrom`",
    note = "several kernels become those of a search by `Candidates::new().kernels(name, values, Gaussian::new)`"
)]
pub trait SpaceBuilder<S: Samples>: Send + Sync {
    /// The space that is fitted.
    type Space: KernelSpace<Samples = S>;

    /// Fits the space to records of any type.
    ///
    /// # Errors
    /// An [`Error`] for invalid records, for a parameter out of range, for a kernel that is not finite or not
    /// positive semidefinite on the samples, and for samples that span no space.
    fn fit_space(&self, records: &dyn AsSamples<Samples = S>)
    -> Result<Fitted<Self::Space>, Error>;

    /// Fits the space for a method to which directions that are partly rounding do no harm: a penalty gives
    /// these directions no weight, they count for as little as they are long, or a [`Rank`] far above rounding
    /// leaves them out. Such directions may be kept, because cutting them would lose what they hold of new
    /// samples. By default, this is [`fit_space`](Self::fit_space).
    ///
    /// # Errors
    /// The errors of [`fit_space`](Self::fit_space).
    fn fit_for_expansion(
        &self,
        records: &dyn AsSamples<Samples = S>,
    ) -> Result<Fitted<Self::Space>, Error> {
        self.fit_space(records)
    }

    /// Returns the inner products of samples in the feature space. They are centred at the mean of the samples
    /// if the space is centred and `centered` is true. The result is `None`, the default, unless the space
    /// represents its kernel as it is: if its rank is cut, or features take the place of kernel values, there
    /// are only coordinates.
    ///
    /// # Errors
    /// The errors of [`fit_space`](Self::fit_space).
    fn inner_products<'a>(
        &self,
        x: &'a S,
        centered: bool,
    ) -> Result<Option<ProductsOf<'a, S, Self::Space>>, Error>
    where
        Self::Space: ExpansionSpace,
    {
        let _ = (x, centered);
        Ok(None)
    }

    /// Prepares the samples for the spaces of many of their subsets, which cross-validation fits. [`Exact`] evaluates its
    /// kernel once for all subsets; by default each subset is fitted from its samples.
    ///
    /// # Errors
    /// The errors of [`fit_space`](Self::fit_space).
    ///
    /// # Example
    /// ```
    /// use ndarray::{array, s};
    /// use npt_core::{Exact, Gaussian, KernelSpace, Rows, SpaceBuilder};
    ///
    /// let x = array![[0.0], [1.0], [3.0], [4.5]];
    /// let (builder, samples) = (Exact::new(Gaussian::new(0.5)), Rows::new(x.clone())?);
    /// let (training, held_out) = builder.subsets(&samples)?.coordinates(&[0, 1, 2], &[3])?;
    ///
    /// let refitted = builder.fit_space(&x.slice(s![..3, ..]))?;
    /// assert!((&training - &refitted.training_coordinates()).iter().all(|d: &f64| d.abs() < 1e-14));
    /// let expected = refitted.coordinates(&x.slice(s![3.., ..]))?;
    /// assert!((&held_out - &expected).iter().all(|d| d.abs() < 1e-14));
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    fn subsets<'a>(&'a self, x: &'a S) -> Result<SubsetsOf<'a, S, Self>, Error> {
        Ok(Box::new(subsets::Refitted::new(self, x)))
    }

    /// Returns whether the kernel is the same for all subsets, which it is not if it is found from the samples. If it is
    /// the same, the kernel values of all samples may serve all folds. False by default.
    fn has_one_kernel(&self) -> bool {
        false
    }

    /// Returns the samples as rows of their kernel matrix, with the builder for such samples, if the spaces of
    /// subsets are best fitted from one matrix in memory. The result is `None` if they are not, or if the
    /// builder has no kernel.
    ///
    /// # Errors
    /// The errors of [`fit_space`](Self::fit_space).
    fn kernel_matrix(&self, x: &S) -> Result<Option<KernelMatrixOf<S, Self>>, Error> {
        let _ = x;
        Ok(None)
    }
}

/// Inner products in the feature space of a space's kernel.
pub type ProductsOf<'a, S, P> =
    KernelProducts<'a, S, <P as ExpansionSpace>::Kernel, <P as KernelSpace>::Scalar>;

/// A fitted r-dimensional subspace P of the feature space, in which every sample has coordinates.
///
/// With k the kernel that the space represents (κ, centred in feature space if the space is), φ its
/// feature map, and r the [`rank`](Self::rank):
///
/// | | |
/// |---|---|
/// | `coordinates(x)` | y(x), one row a sample, with ⟨y(x), y(x′)⟩ = k(x, x′) inside P |
/// | `residuals(x)` | k(x, x) − ‖y(x)‖², the squared distance of φ(x) from P (see there for few landmarks) |
/// | `extended_coordinates(x)` | y(x), and the distance as one coordinate more: of unit length where k(x, x) = 1 |
/// | `project(x, β)` | ⟨w, φ(x)⟩ = ⟨β, y(x)⟩ |
/// | `projections(x, β)` | ββᵀy(x)/βᵀβ, the coordinates of φ(x) projected onto w |
///
/// [`Fitted`] holds what belongs to the training samples, above all their coordinates.
///
/// # Accuracy at new samples
/// For a training sample, ⟨y(x), yᵢ⟩ = k(x, xᵢ) holds to the rounding of k. For a new sample, this is so only
/// if no direction was cut. A space ends at rounding level: a direction along which the training samples
/// extend less than √τ, with τ ≈ 10ε of κ(x, x), is no dimension of it. A new sample may extend along that
/// direction by up to √κ(x, x); the product of the two extents is missing from ⟨y(x), yᵢ⟩. So for a new
/// sample the equation holds to √τ: 10⁻⁷ in `f64`, 10⁻³ in `f32`. A classical formula cuts no direction,
/// and has no such error.
///
/// # References
/// N. Kwak, "Nonlinear Projection Trick in Kernel Methods", IEEE TNNLS 24(12), 2013, theorem 2,
/// corollary 3, lemmas 5 and 6, corollary 7. doi:10.1109/TNNLS.2013.2272292
pub trait KernelSpace: Send + Sync {
    /// The type of the samples.
    type Samples: Samples;

    /// The floating point type of coordinates.
    type Scalar: Scalar;

    /// The dimension r of the space.
    fn rank(&self) -> usize;

    /// The coordinates y(x) of new records, shape (m, r).
    ///
    /// # Errors
    /// An error for invalid records, [`Error::ColumnCount`] if they do not fit the training samples,
    /// [`Error::KernelNotFinite`].
    fn coordinates(
        &self,
        x: &dyn AsSamples<Samples = Self::Samples>,
    ) -> Result<Array2<Self::Scalar>, Error>;

    /// The coordinates and the residuals of new records, shapes (m, r) and (m), for little more
    /// than the cost of one of them.
    ///
    /// # Errors
    /// The errors of [`coordinates`](Self::coordinates).
    fn coordinates_and_residuals(
        &self,
        x: &dyn AsSamples<Samples = Self::Samples>,
    ) -> Result<(Array2<Self::Scalar>, Array1<Self::Scalar>), Error>;

    /// The squared distances of φ(x) from the space, shape (m): at least 0, and 0 for training
    /// samples unless the rank was cut. They are exact to a few roundings of κ(x, x); where a rank was asked
    /// for, they are as exact as the coordinates that are left.
    ///
    /// On few landmarks (Cholesky axes at reduced rank) the mean of the training samples is itself
    /// outside the span of the landmarks. Centring then changes the coordinates, but not the distances from the span.
    ///
    /// # Errors
    /// The errors of [`coordinates`](Self::coordinates).
    fn residuals(
        &self,
        x: &dyn AsSamples<Samples = Self::Samples>,
    ) -> Result<Array1<Self::Scalar>, Error> {
        let mut residuals = Vec::new();
        x.visit_blocks(panels::rows_at_once(PANEL), &mut |_, before, block| {
            let (_, of_block) = self
                .coordinates_and_residuals(block)
                .map_err(|error| error.after_rows(before))?;
            residuals.extend(of_block);
            Ok(())
        })?;
        Ok(residuals.into())
    }

    /// The coordinates of φ(x) in the space of r + 1 dimensions that P spans together with φ(x) itself, shape (m, r + 1):
    /// y(x), and the distance of φ(x) from P, √(k(x, x) − ‖y(x)‖²) (lemma 5). The distance of a training sample is 0 as far
    /// as its [residual](Self::residuals) is. Each sample has a last axis of its own. So these coordinates give the inner
    /// products of a new sample with itself and with training samples inside P, but not with other new samples.
    ///
    /// # Errors
    /// The errors of [`coordinates`](Self::coordinates).
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::{Exact, Gaussian, KernelSpace, SpaceBuilder};
    ///
    /// let x = array![[0.0], [1.0], [3.0]];
    /// let space = Exact::new(Gaussian::new(0.5)).centered(false).fit_space(&x)?;
    /// let y = space.space().extended_coordinates(&array![[2.0], [9.0]])?;
    /// // κ(x, x) = 1, of which the far sample has next to nothing inside the space.
    /// assert!(y.outer_iter().all(|y| (y.dot(&y) - 1.0_f64).abs() < 1e-12));
    /// assert!(y[[0, 3]] < 0.7 && y[[1, 3]] > 0.999);
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    fn extended_coordinates(
        &self,
        x: &dyn AsSamples<Samples = Self::Samples>,
    ) -> Result<Array2<Self::Scalar>, Error> {
        let (mut coordinates, residuals) = self.coordinates_and_residuals(x)?;
        let distances = residuals.mapv(Float::sqrt);
        coordinates
            .push_column(distances.view())
            .expect("one residual a sample");
        Ok(coordinates)
    }

    /// The inner products ⟨w, φ(x)⟩, shape (m), for the direction w with coordinates β
    /// (corollary 7). Divide by ‖β‖ for lengths along w.
    ///
    /// # Errors
    /// [`Error::CoefficientCount`] unless β has r entries, and the errors of
    /// [`coordinates`](Self::coordinates).
    fn project(
        &self,
        x: &dyn AsSamples<Samples = Self::Samples>,
        beta: ArrayView1<'_, Self::Scalar>,
    ) -> Result<Array1<Self::Scalar>, Error> {
        check_coefficients(self.rank(), beta.len())?;
        Ok(self.coordinates(x)?.dot(&beta))
    }

    /// The coordinates γ = ββᵀy(x)/βᵀβ of the projections of φ(x) onto the direction w with coordinates β, shape (m, r)
    /// (corollary 7). [`ExpansionSpace::points`] makes points of the feature space from them.
    ///
    /// # Errors
    /// The errors of [`project`](Self::project), and [`Error::Parameter`] unless all of β is finite and one entry is not 0.
    ///
    /// # Example
    /// ```
    /// use ndarray::array;
    /// use npt_core::{Exact, KernelSpace, Linear, SpaceBuilder};
    ///
    /// // The origin is (0, 0), the axes are those of the samples.
    /// let x = array![[-2.0, 0.0], [2.0, 0.0], [0.0, -1.0], [0.0, 1.0]];
    /// let fitted = Exact::new(Linear::new()).fit_space(&x)?;
    /// let beta = fitted.training_coordinates().row(0).to_owned();
    /// let gamma = fitted.space().projections(&array![[1.0, 7.0]], beta.view())?;
    /// assert!((gamma + beta / 2.0_f64).iter().all(|d| d.abs() < 1e-12));
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    fn projections(
        &self,
        x: &dyn AsSamples<Samples = Self::Samples>,
        beta: ArrayView1<'_, Self::Scalar>,
    ) -> Result<Array2<Self::Scalar>, Error> {
        check_coefficients(self.rank(), beta.len())?;
        let unit = unit_vector(beta)?;
        let lengths = self.coordinates(x)?.dot(&unit);
        Ok(&lengths.insert_axis(Axis(1)) * &unit)
    }

    /// Returns the coordinates as linear functions of features that cost less, for sums over many samples. By default, the
    /// features are the coordinates themselves.
    ///
    /// # Errors
    /// [`Error::Memory`] for the coefficients, up to r² or r·s of them with s landmarks.
    fn linear_form(&self) -> Result<LinearForm<'_, Self::Samples, Self::Scalar>, Error> {
        LinearForm::of_space(self)
    }

    /// The features g(x) of the [linear form](Self::linear_form), shape (samples, features). They are for sums that keep the
    /// coefficients of the form, and not the form itself, which borrows the space.
    ///
    /// # Errors
    /// The errors of [`LinearForm::features`].
    fn linear_features(&self, x: &Self::Samples) -> Result<Array2<Self::Scalar>, Error> {
        self.coordinates(x)
    }
}

pub(crate) fn check_coefficients(expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::CoefficientCount { expected, found })
    }
}

/// Returns the vector of the same direction and of length 1. It is divided by its largest entry first, because the
/// square of that may leave the range.
fn unit_vector<F: Scalar>(beta: ArrayView1<'_, F>) -> Result<Array1<F>, Error> {
    let largest = beta.fold(F::zero(), |largest, value| largest.max(value.abs()));
    let bad = beta.iter().find(|value| !value.is_finite());
    if bad.is_some() || largest == F::zero() {
        return Err(Error::Parameter {
            of: "projections",
            parameter: "the largest coefficient",
            value: bad.unwrap_or(&largest).as_f64(),
            allowed: "finite and above 0",
        });
    }
    let scaled = beta.mapv(|value| value / largest);
    let length = scaled.dot(&scaled).sqrt();
    Ok(scaled / length)
}
