//! Spaces spanned by landmarks.

use super::{
    Axes, KernelSpace, Rank,
    factor::{Factor, check_finite},
    rotation::{Rotation, axis_signs, select_rank, unit},
    spectral::{Means, Spectrum},
};
use crate::{
    Error, Kernel, Samples, Scalar,
    linalg::{self, Backend, PANEL},
    scalar::rounding,
};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Zip, s};
use num_traits::{Float as _, One as _, Zero as _};
use rayon::prelude::*;
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
    pub(super) fn from_factor(
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

    pub(super) fn from_spectrum(
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

    pub(super) fn shared_kernel(&self) -> Arc<K> {
        Arc::clone(&self.kernel)
    }

    /// For linear functions βᵀy of coordinates, one a column: the coefficients α of κ(S, x), shape
    /// (landmarks, functions), and what is to be taken off their sum.
    pub(super) fn fold_back(
        &self,
        directions: ArrayView2<'_, K::Scalar>,
    ) -> (Array2<K::Scalar>, Array1<K::Scalar>) {
        let raw = match &self.rotation {
            Some(rotation) => rotation.undo(directions),
            None => directions.to_owned(),
        };
        match &self.raw {
            Raw::Cholesky { lower, shift } => {
                let shift = shift.dot(&raw);
                (
                    linalg::solve_lower_transposed(lower.view(), raw.view()),
                    shift,
                )
            }
            Raw::Spectral { weights, means } => {
                let mut alpha = linalg::product(weights.t(), raw.view());
                let Some(means) = means else {
                    let none = Array1::zeros(alpha.ncols());
                    return (alpha, none);
                };
                alpha -= &column_means(alpha.view());
                let shift = means.of_rows.dot(&alpha);
                (alpha, shift)
            }
        }
    }

    /// Coordinates, and residuals if wanted, of the samples `ids` of x: one panel.
    fn map_panel(
        &self,
        x: &S,
        ids: &[usize],
        want_residuals: bool,
    ) -> Result<(Array2<K::Scalar>, Option<Array1<K::Scalar>>), Error> {
        let x = x.select(ids);
        let mut block = self.kernel.cross(&self.landmarks, &x);
        check_finite(block.t(), ids, &self.landmark_indices)?;
        let diagonal = want_residuals.then(|| self.kernel.diag(&x));
        if let Some(diagonal) = &diagonal {
            check_finite(diagonal.view().insert_axis(Axis(1)), ids, &[0])?;
        }
        // `outside`: the squared length of what the raw map cannot represent.
        let (raw, outside) = match &self.raw {
            Raw::Cholesky { lower, shift } => {
                K::Scalar::solve_lower(lower.view(), &mut block);
                let outside = diagonal.map(|d| clamped_difference(d, &squared_lengths(block.t())));
                let mut raw = block.reversed_axes().as_standard_layout().into_owned();
                raw -= shift;
                (raw, outside)
            }
            Raw::Spectral { weights, means } => {
                let mut lengths = diagonal;
                if let Some(means) = means {
                    let mean = block.mean_axis(Axis(0)).expect("there are landmarks");
                    if let Some(lengths) = &mut lengths {
                        let twice = &mean * K::Scalar::cast(2);
                        *lengths -= &(twice - means.of_all);
                    }
                    // Uᵀ1 = 0 takes the mean out as well, but only to the rounding of the
                    // eigenvectors, which belongs to the largest eigenvalue.
                    block -= &means.of_rows.view().insert_axis(Axis(1));
                    block -= &(mean - means.of_all);
                }
                let raw = linalg::product(block.t(), weights.t());
                let outside = lengths.map(|l| clamped_difference(l, &squared_lengths(raw.view())));
                (raw, outside)
            }
        };
        let Some(rotation) = &self.rotation else {
            return Ok((raw, outside));
        };
        let coordinates = rotation.apply(raw.view());
        let residuals = outside.map(|outside| {
            let cut = squared_lengths(coordinates.view());
            outside + clamped_difference(squared_lengths(raw.view()), &cut)
        });
        Ok((coordinates, residuals))
    }

    fn map_panels(
        &self,
        x: &S,
        want_residuals: bool,
    ) -> Result<(Array2<K::Scalar>, Option<Array1<K::Scalar>>), Error> {
        if x.is_empty() {
            return Err(Error::NoSamples);
        }
        self.landmarks.check_compatible(x)?;
        self.kernel.check(x)?;
        let ids: Vec<usize> = (0..x.len()).collect();
        let mut coordinates = Array2::zeros((x.len(), self.rank()));
        let mut residuals = want_residuals.then(|| Array1::zeros(x.len()));
        let panels: Vec<Result<_, Error>> = ids
            .par_chunks(PANEL)
            .map(|ids| self.map_panel(x, ids, want_residuals))
            .collect();
        for (k, panel) in panels.into_iter().enumerate() {
            let (panel, panel_residuals) = panel?;
            let rows = s![k * PANEL..k * PANEL + panel.nrows(), ..];
            coordinates.slice_mut(rows).assign(&panel);
            if let (Some(all), Some(part)) = (&mut residuals, panel_residuals) {
                all.slice_mut(s![k * PANEL..k * PANEL + part.len()])
                    .assign(&part);
            }
        }
        Ok((coordinates, residuals))
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

fn squared_lengths<F: Scalar>(rows: ArrayView2<'_, F>) -> Array1<F> {
    rows.outer_iter().map(|row| row.dot(&row)).collect()
}

/// a − b, of which b ≤ a but for rounding.
fn clamped_difference<F: Scalar>(mut a: Array1<F>, b: &Array1<F>) -> Array1<F> {
    Zip::from(&mut a)
        .and(b)
        .for_each(|a, &b| *a = (*a - b).max(F::zero()));
    a
}
