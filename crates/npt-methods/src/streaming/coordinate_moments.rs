//! Moments of coordinates, summed as moments of kernel values where these suffice.

use super::{ClassMoments, Moments, counted_on};
use crate::Error;
use linfa::{
    DatasetBase, Label,
    dataset::{AsSingleTargets, AsTargets, Records, TargetDim},
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Ix2};
use npt_core::{AsSamples, KernelSpace, Scalar, require_memory};
use std::{fmt, sync::Arc};

/// Moments M of the coordinates of samples that come in blocks, with their targets ([`Moments`]) or classes
/// ([`ClassMoments`]).
///
/// # Definition
/// Coordinates are linear functions y(x) = Aᵀg(x) + c of kernel values g(x) with the landmarks, or of features
/// ([`LinearForm`](npt_core::LinearForm)). With Σ the scatter of g around its mean, the scatter of y is AᵀΣA. So blocks are summed without a
/// triangular solve for each row, which is half of the work of a stream.
///
/// The rounding of Σ grows in this product, at most by the condition of the landmarks' kernel matrix
/// ([`growth`](npt_core::LinearForm::growth)). Where it may come to more than ε^(2/3) of the largest eigenvalue, the coordinates of each block
/// are computed and summed in place of kernel values. The same is done in a space that keeps fewer axes than it has landmarks or features.
/// The choice depends on the space alone.
///
/// Either way, the sums [become](Self::into_moments) moments of coordinates. Moments of parts of a stream [merge](Moments::merge).
///
/// The space is borrowed or owned. A pointer to a space is a space, so that sums with an `Arc` borrow nothing.
/// [`anew`](Self::anew) begins other sums in the same space, as for the folds of a cross-validation.
///
/// # Example
/// ```
/// use linfa::Dataset;
/// use ndarray::{Array2, array};
/// use npt_core::{Gaussian, KernelSpace, Nystrom, Pivoting, SpaceBuilder};
/// use npt_methods::{Error, streaming::{CoordinateMoments, Moments}};
///
/// let x = Array2::from_shape_fn((300, 1), |(i, _)| (i as f64).sin());
/// let builder = Nystrom::new(Gaussian::new(0.5), Pivoting::random(3));
/// let space = builder.fit_space(&x)?.into_parts().0;
///
/// let mut sums = CoordinateMoments::new(&space)?;
/// let block = Dataset::new(array![[0.5], [-0.2], [0.9]], array![1.0, 2.0, 4.0]);
/// sums.add(&block)?;
/// let found: Moments = sums.into_moments()?;
///
/// let mut of_coordinates = Moments::new(space.rank());
/// of_coordinates.add(&Dataset::new(space.coordinates(&block.records)?, block.targets))?;
/// let apart = &found.scatter() - &of_coordinates.scatter();
/// assert!(apart.iter().all(|d| d.abs() < 1e-12));
/// # Ok::<(), Error>(())
/// ```
pub struct CoordinateMoments<P: KernelSpace, M = Moments> {
    space: P,
    shortcut: Option<Arc<Shortcut<P::Scalar>>>,
    /// The moments of the features of the shortcut, or of coordinates.
    sums: M,
}

/// Coordinates Aᵀg + c as functions of features g; the moments of g are summed in place of the moments of coordinates.
struct Shortcut<F> {
    coefficients: Array2<F>,
    offsets: Array1<F>,
    /// The rounding of the scatter of coordinates, as a share of the largest eigenvalue.
    rounding: f64,
}

impl<F: Scalar> Shortcut<F> {
    fn features(&self) -> usize {
        self.coefficients.nrows()
    }

    /// Returns the shortcut of a space, or `None` where coordinates are to be computed.
    fn of<P: KernelSpace<Scalar = F>>(space: &P) -> Result<Option<Self>, Error> {
        let form = space.linear_form()?;
        // The features are the coordinates, but for their origin.
        if form.coefficients() == Array2::<F>::eye(space.rank()) {
            return Ok(None);
        }
        let epsilon = F::epsilon().as_f64();
        let rounding = epsilon * form.growth()?;
        let is_known = rounding <= epsilon.powf(2.0 / 3.0);
        let (coefficients, offsets) = form.into_parts();
        Ok(is_known.then_some(Self {
            coefficients,
            offsets,
            rounding,
        }))
    }
}

impl<P: KernelSpace> CoordinateMoments<P> {
    /// Begins sums of no samples, with targets of one column.
    ///
    /// # Errors
    /// [`npt_core::Error::Memory`] for the coefficients of coordinates, or the scatter; [`npt_core::Error::Eigensolver`] for their
    /// condition.
    pub fn new(space: P) -> Result<Self, Error> {
        Self::of(space, Moments::new)
    }
}

impl<P: KernelSpace> CoordinateMoments<P, Moments<Ix2>> {
    /// Begins sums of no samples, without targets.
    ///
    /// # Errors
    /// As [`new`](CoordinateMoments::new).
    pub fn of_records(space: P) -> Result<Self, Error> {
        Self::of(space, Moments::of_records)
    }

    /// Begins sums of no samples, with targets of several columns.
    ///
    /// # Errors
    /// As [`new`](CoordinateMoments::new).
    pub fn of_targets(space: P, columns: usize) -> Result<Self, Error> {
        Self::of(space, |features| Moments::of_targets(features, columns))
    }

    /// Adds a block of samples without targets.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_records<R>(&mut self, records: &R) -> Result<(), Error>
    where
        R: Records + AsSamples<Samples = P::Samples>,
    {
        if records.nsamples() == 0 {
            return Ok(());
        }
        let features = self.features(records, self.sums.count())?;
        self.sums.add_rows_alone(features.into())
    }

    /// Adds a block of samples with their weights, whatever its targets are.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_weighted_records<R, T>(&mut self, block: &DatasetBase<R, T>) -> Result<(), Error>
    where
        R: Records + AsSamples<Samples = P::Samples>,
    {
        if block.nsamples() == 0 {
            return Ok(());
        }
        let features = self.features(&block.records, self.sums.count())?;
        self.sums.add_weighted_rows(features.into(), block)
    }
}

impl<P: KernelSpace, L: Label> CoordinateMoments<P, ClassMoments<L>> {
    /// Begins sums of no samples, with classes.
    ///
    /// # Errors
    /// As [`new`](CoordinateMoments::new).
    pub fn of_classes(space: P) -> Result<Self, Error> {
        Self::of(space, ClassMoments::new)
    }

    /// Begins sums of no samples, with the scatter within each class, as [`ClassMoments::with_class_scatters`] does.
    ///
    /// # Errors
    /// As [`new`](CoordinateMoments::new).
    pub fn with_class_scatters(space: P) -> Result<Self, Error> {
        Self::of(space, ClassMoments::with_class_scatters)
    }

    /// Adds a block of samples with their classes and weights; an empty block changes nothing.
    ///
    /// # Errors
    /// The errors of [`ClassMoments::add`] and of [`KernelSpace::coordinates`], with rows counted from the first of all blocks.
    pub fn add<R, T>(&mut self, block: &DatasetBase<R, T>) -> Result<(), Error>
    where
        R: Records + AsSamples<Samples = P::Samples>,
        T: AsSingleTargets<Elem = L>,
    {
        if block.nsamples() == 0 {
            return Ok(());
        }
        let features = self.features(&block.records, self.sums.count())?;
        self.sums.add_beside(features.into(), block)
    }

    /// Returns the moments of the coordinates of all blocks.
    ///
    /// # Errors
    /// [`Error::Overflow`] where these moments are not finite, though the sums of kernel values are.
    pub fn into_moments(self) -> Result<ClassMoments<L>, Error> {
        self.of_coordinates(ClassMoments::of_functions)
    }

    /// The number of samples so far.
    pub fn count(&self) -> usize {
        self.sums.count()
    }

    /// Begins sums of no samples in the same space, which is cloned; the shortcut computed from it is shared.
    pub fn anew(&self) -> Self
    where
        P: Clone,
    {
        self.with(self.sums.anew())
    }
}

impl<P: KernelSpace, I: TargetDim> CoordinateMoments<P, Moments<I>> {
    /// Adds a block of samples with their targets and weights; an empty block changes nothing.
    ///
    /// # Errors
    /// The errors of [`Moments::add`] and of [`KernelSpace::coordinates`], with rows counted from the first of all blocks.
    pub fn add<R, T>(&mut self, block: &DatasetBase<R, T>) -> Result<(), Error>
    where
        R: Records + AsSamples<Samples = P::Samples>,
        T: AsTargets<Elem = P::Scalar, Ix = I>,
    {
        if block.nsamples() == 0 {
            return Ok(());
        }
        let features = self.features(&block.records, self.sums.count())?;
        self.sums.add_beside(features.into(), block)
    }

    /// Returns the moments of the coordinates of all blocks.
    ///
    /// # Errors
    /// [`Error::Overflow`] where these moments are not finite, though the sums of kernel values are.
    pub fn into_moments(self) -> Result<Moments<I>, Error> {
        self.of_coordinates(Moments::of_functions)
    }

    /// The number of samples so far.
    pub fn count(&self) -> usize {
        self.sums.count()
    }

    /// Begins sums of no samples in the same space, which is cloned; the shortcut computed from it is shared.
    pub fn anew(&self) -> Self
    where
        P: Clone,
    {
        self.with(self.sums.anew())
    }
}

impl<P: KernelSpace, M> CoordinateMoments<P, M> {
    /// Begins the sums that `sums` makes for a number of features.
    fn of(space: P, sums: impl Fn(usize) -> M) -> Result<Self, Error> {
        let shortcut = Shortcut::of(&space)?.map(Arc::new);
        let features = shortcut
            .as_ref()
            .map_or(space.rank(), |shortcut| shortcut.features());
        require_memory::<f64>("the scatter", features, features)?;
        Ok(Self {
            space,
            shortcut,
            sums: sums(features),
        })
    }

    fn with(&self, sums: M) -> Self
    where
        P: Clone,
    {
        Self {
            space: self.space.clone(),
            shortcut: self.shortcut.clone(),
            sums,
        }
    }

    /// Computes the features of samples that are summed; `before` samples came before these.
    fn features<R>(&self, records: &R, before: usize) -> Result<Array2<P::Scalar>, Error>
    where
        R: AsSamples<Samples = P::Samples>,
    {
        let features = match &self.shortcut {
            Some(_) => records
                .as_samples()
                .and_then(|samples| self.space.linear_features(samples.as_ref())),
            None => self.space.coordinates(records),
        };
        features.map_err(|error| counted_on(error.into(), before))
    }

    fn of_coordinates(
        self,
        of_functions: impl Fn(M, ArrayView2<'_, f64>, ArrayView1<'_, f64>, f64) -> Result<M, Error>,
    ) -> Result<M, Error> {
        let Some(shortcut) = self.shortcut else {
            return Ok(self.sums);
        };
        let coefficients = shortcut.coefficients.mapv(Scalar::as_f64);
        let offsets = shortcut.offsets.mapv(Scalar::as_f64);
        let rounding = shortcut.rounding;
        of_functions(self.sums, coefficients.view(), offsets.view(), rounding)
    }
}

/// Clones the space and the sums; the shortcut is shared.
impl<P: KernelSpace + Clone, M: Clone> Clone for CoordinateMoments<P, M> {
    fn clone(&self) -> Self {
        self.with(self.sums.clone())
    }
}

/// Shows the sums and the number of features of the shortcut; spaces need not be `Debug`.
impl<P: KernelSpace, M: fmt::Debug> fmt::Debug for CoordinateMoments<P, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoordinateMoments")
            .field(
                "features",
                &self.shortcut.as_ref().map(|shortcut| shortcut.features()),
            )
            .field("sums", &self.sums)
            .finish_non_exhaustive()
    }
}
