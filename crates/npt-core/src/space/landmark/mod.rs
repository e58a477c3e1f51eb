//! Spaces spanned by landmarks.

mod map;
mod points;

use super::{
    Axes, KernelSpace, Rank,
    factor::Factor,
    rotation::{Rotation, axis_signs, select_rank, unit},
    spectral::{Means, Spectrum},
};
use crate::{
    Error, Kernel, Samples, Scalar,
    linalg::{self, Backend, PANEL},
    scalar::rounding,
};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use num_traits::{Float as _, One as _, Zero as _};
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

/// A kernel space spanned by the feature vectors of chosen training samples, the landmarks.
///
/// With S the landmarks, LLᵀ = 𝒦 on them, and μ the mean of f over the training samples:
///
/// | | |
/// |---|---|
/// | raw | f(x) = L⁻¹κ(S, x) |
/// | shifted | f(x) − μ, if centred: the same as centring in feature space |
/// | rotated | y(x) = Vᵀ(f(x) − μ), with V the eigenvectors of Σ (f(xᵢ) − μ)(f(xᵢ) − μ)ᵀ |
///
/// On Cholesky axes there is no rotation, unless all training samples lie in one hyperplane that
/// does not pass through the origin, as n samples of rank n always do: centred, they have no extent
/// along its normal. A reflection then turns the last axis to the normal, and drops it.
pub struct LandmarkSpace<S: Samples, K: Kernel<S>> {
    kernel: Arc<K>,
    landmarks: S,
    landmark_indices: Vec<usize>,
    raw: Raw<K::Scalar>,
    rotation: Option<Rotation<K::Scalar>>,
    training_coordinates: Array2<K::Scalar>,
    /// Known from the start on principal axes, at first use on others.
    eigenvalues: OnceLock<Array1<K::Scalar>>,
}

/// The map from kernel values to coordinates before the rotation.
#[derive(Clone)]
enum Raw<F> {
    /// L⁻¹κ(S, x) − μ.
    Cholesky { lower: Array2<F>, shift: Array1<F> },
    /// Λ^-½Uᵀ(I − E)(κ(S, x) − 𝒦1/n), of all training samples.
    Spectral {
        weights: Array2<F>,
        means: Option<Means<F>>,
    },
}

impl<S: Samples, K: Kernel<S>> LandmarkSpace<S, K> {
    pub(in crate::space) fn from_factor(
        kernel: Arc<K>,
        x: &S,
        factor: Factor<K::Scalar>,
        centered: bool,
        axes: Axes,
        rank: Rank,
    ) -> Result<Self, Error> {
        let samples = x.len();
        let Factor {
            pivots,
            lower,
            mut features,
            trace,
            is_complete,
        } = factor;
        let mut shift = Array1::zeros(pivots.len());
        if centered {
            shift = column_means(features.view());
            features -= &shift;
        }
        let level = rounding::<K::Scalar>(samples);
        let variance: K::Scalar = features.iter().map(|&f| f * f).sum();
        if !(variance > level * trace) {
            return Err(Error::NoVariance { samples });
        }
        let mut space = Self {
            kernel,
            landmarks: x.select(&pivots),
            landmark_indices: pivots,
            raw: Raw::Cholesky { lower, shift },
            rotation: None,
            training_coordinates: features,
            eigenvalues: OnceLock::new(),
        };
        let noise = level * trace / K::Scalar::cast(samples);
        if axes == Axes::Principal {
            space.rotate(rank, noise)?;
            return Ok(space);
        }
        if centered && is_complete {
            space.drop_normal(noise);
        }
        match rank {
            Rank::Components(requested) if requested > space.rank() => Err(Error::Rank {
                requested,
                available: space.rank(),
            }),
            _ => Ok(space),
        }
    }

    pub(in crate::space) fn from_spectrum(
        kernel: Arc<K>,
        x: &S,
        spectrum: Spectrum<K::Scalar>,
        rank: Rank,
    ) -> Result<Self, Error> {
        let kept = select_rank(spectrum.eigenvalues.view(), rank)?;
        let eigenvalues = spectrum.eigenvalues.slice(s![..kept]).to_owned();
        let roots = eigenvalues.mapv(K::Scalar::sqrt);
        let mut vectors = spectrum.vectors.slice(s![.., ..kept]).to_owned();
        let signs = axis_signs(vectors.view());
        vectors *= &signs;
        let weights = (&vectors / &roots)
            .reversed_axes()
            .as_standard_layout()
            .into_owned();
        Ok(Self {
            kernel,
            landmarks: x.clone(),
            landmark_indices: (0..x.len()).collect(),
            raw: Raw::Spectral {
                weights,
                means: spectrum.means,
            },
            rotation: None,
            training_coordinates: vectors * &roots,
            eigenvalues: OnceLock::from(eigenvalues),
        })
    }

    /// Turns the axes to the principal ones and keeps as many as `rank` says, none below `noise`.
    fn rotate(&mut self, rank: Rank, noise: K::Scalar) -> Result<(), Error> {
        let samples = self.training_coordinates.nrows();
        let scatter = linalg::symmetric_rank_k(self.training_coordinates.view());
        let (values, vectors) = linalg::eigh(&scatter)?;
        let floor = noise.max(rounding::<K::Scalar>(samples) * values[0]);
        let available = values.iter().take_while(|&&value| value > floor).count();
        if available == 0 {
            return Err(Error::NoVariance { samples });
        }
        let kept = select_rank(values.slice(s![..available]), rank)?;
        let mut rotation = vectors
            .slice(s![.., ..kept])
            .as_standard_layout()
            .into_owned();
        let mut coordinates = linalg::product(self.training_coordinates.view(), rotation.view());
        let signs = axis_signs(coordinates.view());
        rotation *= &signs;
        coordinates *= &signs;
        self.eigenvalues = OnceLock::from(values.slice(s![..kept]).to_owned());
        self.rotation = Some(Rotation::Principal(rotation));
        self.training_coordinates = coordinates;
        Ok(())
    }

    /// Drops the axis of the hyperplane through all landmarks, u with ⟨u, f⟩ = 1 on them, where the
    /// training samples have no extent along it above `noise`. Left in, it would count a dimension
    /// that the centred samples do not span, and hide from the residuals how far new samples are
    /// from the plane.
    fn drop_normal(&mut self, noise: K::Scalar) {
        let Raw::Cholesky { lower, .. } = &self.raw else {
            return;
        };
        let mut normal = Array2::ones((lower.nrows(), 1));
        K::Scalar::solve_lower(lower.view(), &mut normal);
        let Some(mut v) = unit(normal.remove_axis(Axis(1))) else {
            return;
        };
        let along = self.training_coordinates.dot(&v);
        if along.dot(&along) > noise {
            return;
        }
        let last = v.len() - 1;
        let sign = K::Scalar::one().copysign(v[last]);
        v[last] += sign;
        let length = v.dot(&v).sqrt();
        let reflection = Rotation::Reflection(v / length);
        self.training_coordinates = reflection.apply(self.training_coordinates.view());
        self.rotation = Some(reflection);
    }

    /// The landmarks, in the order of the Cholesky axes.
    pub fn landmarks(&self) -> &S {
        &self.landmarks
    }

    /// Which training samples the landmarks are, as rows from 0.
    pub fn landmark_indices(&self) -> &[usize] {
        &self.landmark_indices
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    pub(in crate::space) fn shared_kernel(&self) -> Arc<K> {
        Arc::clone(&self.kernel)
    }
}

/// Shares the kernel; it need not be `Clone`.
impl<S: Samples, K: Kernel<S>> Clone for LandmarkSpace<S, K> {
    fn clone(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            landmarks: self.landmarks.clone(),
            landmark_indices: self.landmark_indices.clone(),
            raw: self.raw.clone(),
            rotation: self.rotation.clone(),
            training_coordinates: self.training_coordinates.clone(),
            eigenvalues: self.eigenvalues.clone(),
        }
    }
}

/// The sizes; neither kernel nor samples need be `Debug`.
impl<S: Samples, K: Kernel<S>> fmt::Debug for LandmarkSpace<S, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LandmarkSpace")
            .field("samples", &self.training_coordinates.nrows())
            .field("landmarks", &self.landmark_indices.len())
            .field("rank", &self.rank())
            .finish_non_exhaustive()
    }
}

impl<S: Samples, K: Kernel<S>> KernelSpace for LandmarkSpace<S, K> {
    type Samples = S;
    type Scalar = K::Scalar;

    fn rank(&self) -> usize {
        self.training_coordinates.ncols()
    }

    fn eigenvalues(&self) -> ArrayView1<'_, K::Scalar> {
        let values = self.eigenvalues.get_or_init(|| {
            let scatter = linalg::symmetric_rank_k(self.training_coordinates.view());
            let values = linalg::eigh(&scatter)
                .expect("a finite symmetric matrix has eigenvalues")
                .0;
            // Sums of squares, of which rounding may leave the smallest just below 0.
            values.mapv_into(|v| v.max(K::Scalar::zero()))
        });
        values.view()
    }

    fn training_coordinates(&self) -> ArrayView2<'_, K::Scalar> {
        self.training_coordinates.view()
    }

    fn map(&self, x: &S) -> Result<Array2<K::Scalar>, Error> {
        Ok(self.map_panels(x, false)?.0)
    }

    fn map_with_residuals(&self, x: &S) -> Result<(Array2<K::Scalar>, Array1<K::Scalar>), Error> {
        let (coordinates, residuals) = self.map_panels(x, true)?;
        Ok((coordinates, residuals.unwrap_or_default()))
    }
}

/// The mean of each column, summed panel by panel so that f32 loses nothing over many rows.
fn column_means<F: Scalar>(matrix: ArrayView2<'_, F>) -> Array1<F> {
    let sums = matrix
        .axis_chunks_iter(Axis(0), PANEL)
        .map(|panel| panel.sum_axis(Axis(0)));
    sums.fold(Array1::zeros(matrix.ncols()), |total, sum| total + sum) / F::cast(matrix.nrows())
}
