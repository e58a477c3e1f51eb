//! The part of a kernel matrix that known landmarks explain.

use crate::{
    Error, Kernel, RawFeatures, Samples,
    linalg::Triangle,
    require_memory,
    space::{
        Landmarks,
        factor::{
            Factor, PivotRule, RoundingLevel, Stop, check_diagonal, factor_by, indefinite, slack,
        },
        shifted::map_panels,
    },
};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView1};
use num_traits::{Float as _, Zero as _};
use std::sync::Arc;

/// The number of ε by which a residual may be off, in units of the numbers that it was computed from. It is
/// multiplied by the root of the number of landmarks, as in every factor.
const FEW: f64 = 16.0;

/// Landmarks that are known. They are samples of any origin, and the pivots of their factor are positions among
/// the landmarks; or they are rows of the training samples x, and the pivots are positions in x.
pub(super) enum Known<'a, S> {
    Samples(&'a S),
    Rows(&'a [usize]),
}

impl<S: Samples> Known<'_, S> {
    fn len(&self) -> usize {
        match self {
            Self::Samples(samples) => samples.len(),
            Self::Rows(rows) => rows.len(),
        }
    }

    /// Returns some of the landmarks, and their positions as pivots.
    fn select(&self, x: &S, some: &[usize]) -> (S, Vec<usize>) {
        match self {
            Self::Samples(samples) => (samples.select(some), some.to_vec()),
            Self::Rows(rows) => {
                let places: Vec<usize> = some.iter().map(|&k| rows[k]).collect();
                (x.select(&places), places)
            }
        }
    }
}

/// Computes the factor of known landmarks. The landmarks with the largest residuals come first. A landmark is
/// left out if the landmarks before it explain it to rounding. It is also left out if the direction of what is
/// left of it is known so little that residuals of samples are not known to √ε of κ(x, x).
pub(super) fn factor_of_landmarks<S: Samples, K: Kernel<S>>(
    kernel: &K,
    x: &S,
    landmarks: &Known<'_, S>,
) -> Result<Factor<K::Scalar>, Error> {
    let diagonal = kernel.diag(x);
    check_diagonal(&diagonal)?;
    let mut some: Vec<usize> = (0..landmarks.len()).collect();
    loop {
        if some.is_empty() {
            return Err(Error::Landmarks {
                requested: landmarks.len(),
                available: 0,
            });
        }
        let (samples, places) = landmarks.select(x, &some);
        let own = independent(kernel, &samples).map_err(|error| at_places(error, &places))?;
        some = own.pivots.iter().map(|&k| some[k]).collect();
        let (samples, places) = landmarks.select(x, &some);
        let explained = Explained::new(kernel, x, samples, places, own.lower)?;
        let known = explained.known_directions(&diagonal);
        if known.iter().all(|&known| known) {
            return explained.into_factor(&diagonal);
        }
        let mut of_landmarks = known.into_iter();
        some.retain(|_| of_landmarks.next() == Some(true));
    }
}

/// The features and the residuals of samples by landmarks.
struct Explained<'a, S: Samples, K: Kernel<S>> {
    kernel: &'a K,
    x: &'a S,
    map: Landmarks<S, &'a K, K::Scalar>,
    /// The share of each landmark that the landmarks before it do not explain: the squared length of what is
    /// left of it, divided by its κ.
    shares: Vec<K::Scalar>,
    places: Vec<usize>,
    features: Array2<K::Scalar>,
    residuals: Array1<K::Scalar>,
}

impl<'a, S: Samples, K: Kernel<S>> Explained<'a, S, K> {
    fn new(
        kernel: &'a K,
        x: &'a S,
        landmarks: S,
        places: Vec<usize>,
        lower: Triangle<K::Scalar>,
    ) -> Result<Self, Error> {
        require_memory::<K::Scalar>("the matrix of coordinates", x.len(), places.len())?;
        let diagonal = kernel.diag(&landmarks);
        let rows = lower.rows().zip(&diagonal);
        let shares = rows
            .map(|((_, row), &own)| row[row.len() - 1].powi(2) / own)
            .collect();
        let map = Landmarks::new(Arc::new(kernel), landmarks, Some(places.clone()), lower);
        let RawFeatures { values, rest } = map_panels(&map, x, true)?;
        Ok(Self {
            kernel,
            x,
            map,
            shares,
            places,
            features: values,
            residuals: rest.unwrap_or_default(),
        })
    }

    fn level(&self) -> K::Scalar {
        let roots = K::Scalar::cast(self.places.len() + 1).sqrt();
        K::Scalar::cast(FEW) * K::Scalar::epsilon() * roots
    }

    /// Returns, for each landmark, whether samples with this diagonal are known well enough along it. What the
    /// landmarks before it leave of a landmark, a share of its κ, is known to a level of rounding. So the
    /// direction of what is left is known to level / share, and as much of a sample's extent along it is unknown.
    fn known_directions(&self, diagonal: &Array1<K::Scalar>) -> Vec<bool> {
        // The largest share of a sample's κ(x, x) that is along each landmark.
        let mut extents = vec![K::Scalar::zero(); self.shares.len()];
        for (features, &all) in self.features.outer_iter().zip(diagonal) {
            if all > K::Scalar::zero() {
                for (extent, &f) in extents.iter_mut().zip(features) {
                    *extent = extent.max(f * f / all);
                }
            }
        }
        let level = self.level();
        // A landmark extends along itself by its share. So at least `level` has to be allowed, or no landmark is known.
        let known = K::Scalar::epsilon().sqrt().max(level);
        let pairs = extents.into_iter().zip(&self.shares);
        pairs
            .map(|(extent, &share)| extent * level <= known * share)
            .collect()
    }

    /// Returns what rounding leaves unknown of each residual, from the weights that predict a sample from the
    /// landmarks. The weight of a landmark is the sample's feature over the landmark's root: exactly for the last
    /// landmark, and about that for the others.
    fn unknown(&self, diagonal: &Array1<K::Scalar>) -> Array1<K::Scalar> {
        let level = self.level();
        let rows = self.features.outer_iter().zip(diagonal);
        let of_row = |(features, &all): (ArrayView1<'_, K::Scalar>, &K::Scalar)| {
            let pairs = features.iter().zip(&self.shares);
            let borrowed: K::Scalar = pairs.map(|(&f, &share)| f * f / share).sum();
            level * (all.sqrt() + borrowed.sqrt()).powi(2)
        };
        rows.map(of_row).collect()
    }

    fn into_factor(self, diagonal: &Array1<K::Scalar>) -> Result<Factor<K::Scalar>, Error> {
        let unknown = self.unknown(diagonal);
        let pairs = || self.residuals.iter().zip(&unknown);
        let slack: K::Scalar = slack(self.kernel.is_positive_semidefinite());
        // The comparison is negated, so that it fails where κ(x, x) < 0 has no root.
        let negative = pairs().position(|(&rest, &unknown)| !(rest >= -(slack * unknown)));
        if let Some(row) = negative {
            return Err(indefinite(&self.map.matrix_with(&self.x.select(&[row]))));
        }
        Ok(Factor {
            is_complete: pairs().all(|(rest, unknown)| rest <= unknown),
            pivots: self.places,
            lower: self.map.into_lower(),
            features: self.features,
            residuals: self.residuals.mapv_into(|rest| rest.max(K::Scalar::zero())),
            trace: diagonal.sum(),
        })
    }
}

/// Replaces the positions in a selection of samples, which an error has, by the places of these samples.
pub(in crate::space) fn at_places(error: Error, places: &[usize]) -> Error {
    match error {
        Error::KernelNotFinite { row, column, value } => Error::KernelNotFinite {
            row: places[row],
            column: places[column],
            value,
        },
        other => other,
    }
}

/// Computes the factor of the kernel matrix of the landmarks, without the landmarks that others explain.
pub(super) fn independent<S: Samples, K: Kernel<S>>(
    kernel: &K,
    landmarks: &S,
) -> Result<Factor<K::Scalar>, Error> {
    let everything = Stop {
        level: RoundingLevel::Highest,
        tolerance: 0.0,
        most: landmarks.len(),
    };
    factor_by(kernel, landmarks, &everything, PivotRule::Largest)
}
