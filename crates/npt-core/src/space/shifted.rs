//! The space that a raw map spans: its features, less their mean, turned to axes.

use super::{
    Axes, Fitted, KernelSpace, LinearForm, Rank, RawFeatures, RawMap,
    options::Shape,
    panels::{OfRecords, by_panels},
    principal_axes::principal_axes,
    rotation::Rotation,
    rows::{along, center_columns, squared_lengths},
};
use crate::{
    AsSamples, Error, Samples, Scalar, error::require_range, linalg::PANEL, require_memory,
};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView1, Axis};
use num_traits::{Float as _, Zero as _};

/// A kernel space in three parts: the features f of a [`RawMap`], a shift, and a rotation.
///
/// | | |
/// |---|---|
/// | raw | f(x) |
/// | shifted | f(x) − μ, with μ the mean of the training samples' features, if centred: the same as centring in feature space |
/// | rotated | y(x) = Vᵀ(f(x) − μ), with V the eigenvectors of Σ (f(xᵢ) − μ)(f(xᵢ) − μ)ᵀ |
///
/// On Cholesky axes there is no rotation, unless all training samples lie in one hyperplane that
/// does not pass through the origin, as n samples of rank n always do. Centred samples then have no extent
/// along the normal of the hyperplane. A reflection turns the last axis to the normal, and drops it.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Space<M, F> {
    map: M,
    shift: Array1<F>,
    rotation: Rotation<F>,
    /// True if no axis was left out along which the training samples' features extend.
    whole: bool,
}

/// The values of the training samples from which a space is fitted.
pub(super) struct Training<F> {
    /// The features, shape (n, dimension).
    pub(super) features: Array2<F>,
    /// The part of κ(xᵢ, xᵢ) that the features leave, shape (n).
    pub(super) rest: Array1<F>,
    /// The noise ε Σ κ(xᵢ, xᵢ), which is what rounding leaves unknown of sums of squares.
    pub(super) noise: F,
    /// True if the features are linearly independent on the samples, far above rounding.
    pub(super) independent: bool,
    /// The normal v of the hyperplane through the landmarks, of length 1, if the landmarks are a basis of all training
    /// samples: ⟨v, f⟩ is the same for the features f of all landmarks.
    pub(super) normal: Option<Array1<F>>,
}

impl<M: RawMap> Space<M, M::Scalar> {
    /// Fits the centred space of all features of the training samples x, on principal axes.
    ///
    /// # Errors
    /// An error for invalid records, what the map refuses, and [`Error::NoVariance`] if all
    /// features are the same.
    pub fn of_map(map: M, x: &dyn AsSamples<Samples = M::Samples>) -> Result<Fitted<Self>, Error> {
        Self::of_shape(map, x.as_samples()?.as_ref(), Shape::default())
    }

    /// Fits the space of the features of the training samples x.
    pub(super) fn of_shape(map: M, x: &M::Samples, shape: Shape) -> Result<Fitted<Self>, Error> {
        map.check(x)?;
        let RawFeatures { values, rest } = map_panels(&map, x, true)?;
        let rest = rest.unwrap_or_else(|| Array1::zeros(x.len()));
        let trace = squared_lengths(values.view()).sum() + rest.sum();
        let training = Training {
            features: values,
            rest,
            noise: M::Scalar::epsilon() * trace,
            independent: false,
            normal: None,
        };
        Self::fit(map, training, shape)
    }

    /// Fits the space of given training features.
    pub(super) fn fit(
        map: M,
        training: Training<M::Scalar>,
        shape: Shape,
    ) -> Result<Fitted<Self>, Error> {
        let Training {
            mut features,
            rest,
            noise,
            independent,
            normal,
        } = training;
        let samples = features.nrows();
        let lengths = squared_lengths(features.view());
        let trace = lengths.sum() + rest.sum();
        if !trace.is_finite() {
            return Err(Error::TraceOverflow { samples });
        }
        let shift = if shape.centered {
            center_columns(&mut features)
        } else {
            Array1::zeros(features.ncols())
        };
        // Features are known to ε of their length, so their variance is known to ε² of the squared length.
        let known = M::Scalar::cast(16) * M::Scalar::epsilon();
        let shifted = squared_lengths(features.view());
        let variance = shifted.sum();
        let unknown = known * known * trace;
        if !(variance > unknown) {
            return Err(Error::NoVariance { samples });
        }
        let normal = normal.filter(|v| shape.centered && is_normal(&features, v, noise));
        let available = features.ncols() - usize::from(normal.is_some());
        if available == 0 {
            return Err(Error::NoVariance { samples });
        }
        let (mut rotation, mut eigenvalues) = (Rotation::Identity, None);
        match (shape.axes, shape.rank) {
            // The normal is the axis of the smallest eigenvalue. It is left out after the rotation, not
            // before, because the parts of the other axes along it count far from the samples.
            (Axes::Principal, rank) => {
                let floor = if independent {
                    M::Scalar::zero()
                } else {
                    // A coordinate has as many roundings as there are features.
                    unknown * M::Scalar::cast(features.ncols())
                };
                let principal = principal_axes(features, available, floor, rank)?;
                rotation = Rotation::Principal(principal.vectors);
                features = principal.coordinates;
                eigenvalues = Some(principal.values);
            }
            (Axes::Cholesky, Rank::Components(requested)) if requested > available => {
                return Err(Error::Rank {
                    requested,
                    available,
                });
            }
            (Axes::Cholesky, _) => {
                if let Some(v) = normal {
                    rotation = Rotation::reflection(v);
                    features = rotation.apply(features);
                }
            }
        }
        let cut = shifted - squared_lengths(features.view());
        let residuals = (rest + cut).mapv_into(|residual| residual.max(M::Scalar::zero()));
        let space = Self {
            map,
            shift,
            rotation,
            whole: features.ncols() == available,
        };
        Ok(match eigenvalues {
            Some(values) => Fitted::on_principal_axes(space, features, residuals, values),
            None => Fitted::new(space, features, residuals),
        })
    }

    /// Creates a space whose coordinates are the features. `whole` is true if the features are known to represent the
    /// training samples in full.
    pub(super) fn of_coordinates(map: M, whole: bool) -> Self {
        Self {
            shift: Array1::zeros(map.dimension()),
            map,
            rotation: Rotation::Identity,
            whole,
        }
    }

    /// Returns whether the features of the training samples are known to be represented in full.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// The raw map.
    pub fn raw_map(&self) -> &M {
        &self.map
    }

    /// The shift μ of the features; 0 if the space is not centred, or its raw map is.
    pub fn shift(&self) -> ArrayView1<'_, M::Scalar> {
        self.shift.view()
    }

    pub(super) fn rotation(&self) -> &Rotation<M::Scalar> {
        &self.rotation
    }

    fn check(&self, x: &M::Samples) -> Result<(), Error> {
        if x.is_empty() {
            return Err(Error::NoSamples);
        }
        self.map.check(x)
    }

    fn place(&self, x: &M::Samples, rows: &[usize]) -> Result<Array2<M::Scalar>, Error> {
        let RawFeatures { mut values, .. } = self.map.features(x, rows, false)?;
        values -= &self.shift;
        let coordinates = self.rotation.apply(values);
        require_range("the coordinates", coordinates.view(), rows[0])?;
        Ok(coordinates)
    }

    fn place_with_residuals(
        &self,
        x: &M::Samples,
        rows: &[usize],
    ) -> Result<(Array2<M::Scalar>, Option<Array1<M::Scalar>>), Error> {
        let RawFeatures { mut values, rest } = self.map.features(x, rows, true)?;
        values -= &self.shift;
        let lengths = rest.as_ref().map(|_| squared_lengths(values.view()));
        let coordinates = self.rotation.apply(values);
        require_range("the coordinates", coordinates.view(), rows[0])?;
        let residuals = rest.zip(lengths).map(|(rest, lengths)| {
            let of_lengths = lengths.view().insert_axis(Axis(1));
            require_range("the squared lengths", of_lengths, rows[0])?;
            let cut = lengths - squared_lengths(coordinates.view());
            Ok((rest + cut).mapv_into(|residual| residual.max(M::Scalar::zero())))
        });
        Ok((coordinates, residuals.transpose()?))
    }
}

/// Computes the features of all samples.
pub(super) fn map_panels<M: RawMap>(
    map: &M,
    x: &M::Samples,
    with_rest: bool,
) -> Result<RawFeatures<M::Scalar>, Error> {
    let (values, rest) = by_panels(x.len(), map.dimension(), with_rest, &|rows| {
        let RawFeatures { values, rest } = map.features(x, rows, with_rest)?;
        Ok((values, rest))
    })?;
    Ok(RawFeatures { values, rest })
}

/// Returns whether centred samples have no extent along v above noise. If the axis along v were kept, it would count
/// a dimension that the samples do not span, and residuals would not show how far new samples are from the
/// hyperplane of the training samples.
fn is_normal<F: Scalar>(features: &Array2<F>, v: &Array1<F>, noise: F) -> bool {
    let along = along(features.view(), v);
    along.dot(&along) <= noise
}

impl<M: RawMap> KernelSpace for Space<M, M::Scalar> {
    type Samples = M::Samples;
    type Scalar = M::Scalar;

    fn rank(&self) -> usize {
        self.rotation.kept(self.map.dimension())
    }

    fn coordinates(
        &self,
        x: &dyn AsSamples<Samples = M::Samples>,
    ) -> Result<Array2<M::Scalar>, Error> {
        let of_records = OfRecords {
            stage: "coordinates",
            what: "the matrix of features",
            panel: PANEL,
            columns: self.rank(),
            check: &|x| self.check(x),
            place: &|x, rows, mut coordinates| {
                let rows: Vec<usize> = rows.collect();
                coordinates.assign(&self.place(x, &rows)?);
                Ok(())
            },
        };
        of_records.values(x)
    }

    fn coordinates_and_residuals(
        &self,
        x: &dyn AsSamples<Samples = M::Samples>,
    ) -> Result<(Array2<M::Scalar>, Array1<M::Scalar>), Error> {
        let x = x.as_samples()?;
        self.check(&x)?;
        let (coordinates, residuals) = by_panels(x.len(), self.rank(), true, &|rows| {
            self.place_with_residuals(&x, rows)
        })?;
        Ok((coordinates, residuals.unwrap_or_default()))
    }

    /// Returns the coordinates as linear functions of the kernel values with the samples of the space, or of the
    /// features of its map.
    fn linear_form(&self) -> Result<LinearForm<'_, M::Samples, M::Scalar>, Error> {
        let (features, rank) = (self.map.dimension(), self.rank());
        require_memory::<M::Scalar>("the directions of coordinates", features, rank)?;
        let directions = self.rotation.undo(Array2::eye(rank).view());
        let shift = -self.shift.dot(&directions);
        Ok(self.map.linear_form(directions)?.plus(&shift))
    }

    fn linear_features(&self, x: &M::Samples) -> Result<Array2<M::Scalar>, Error> {
        let no_functions = Array2::zeros((self.map.dimension(), 0));
        self.map.linear_form(no_functions)?.features(x)
    }
}

crate::checked! {
    Space<M, F> { map: M, shift: Array1<F>, rotation: Rotation<F>, whole: bool }
    where M: RawMap<Scalar = F>, F: Scalar
}

#[cfg(feature = "serde")]
impl<M: RawMap<Scalar = F>, F: Scalar> Space<M, F> {
    fn check_parts(&self) -> Result<(), String> {
        use crate::serial::{agree, finite};
        let features = self.map.dimension();
        agree(
            "entries of the shift",
            self.shift.len(),
            "features",
            features,
        )?;
        finite("the entries of the shift", &self.shift)?;
        self.rotation.check_parts(features)
    }
}
