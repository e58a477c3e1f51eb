//! From coordinates back to the feature space.

use super::{LandmarkSpace, Raw};
use crate::{AsSamples, Error, Kernel, KernelSpace, Samples, linalg};
use linfa::Float as _;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use num_traits::One as _;

impl<S: Samples, K: Kernel<S>> LandmarkSpace<S, K> {
    /// Points of the space as sums over its [`landmarks`](Self::landmarks): the coefficients γ,
    /// shape (points, landmarks), from the coordinates y, shape (points, r).
    ///
    /// # Definition
    /// The point with coordinates y is p = φ̄ + Σₖ yₖwₖ = Σᵢ γᵢφ(sᵢ), with wₖ the axes and φ̄ the
    /// mean of the training samples, which is no part of the coordinates of a centred space but is
    /// of its points. So ⟨p, φ(x)⟩ = Σᵢ γᵢκ(sᵢ, x), with κ itself, not centred.
    ///
    /// # Errors
    /// [`Error::NoSamples`] and [`Error::SampleNotFinite`] for the coordinates,
    /// [`Error::ColumnCount`] if there are more or fewer than r.
    ///
    /// # Example
    /// ```
    /// use ndarray::{array, s};
    /// use npt_core::{Exact, Kernel, KernelSpace, Linear, Rank, Samples, SpaceBuilder};
    ///
    /// // With the linear kernel a point is a vector: here of a line through the mean (2, 1).
    /// let x = array![[1.0, 0.0], [3.0, 0.0], [1.0, 2.0], [3.0, 2.0], [0.0, -1.0], [4.0, 3.0]];
    /// let space = Exact::new(Linear::new()).rank(Rank::Components(1)).fit_space(&x)?;
    /// let gamma = space.combinations(array![[0.0], [2.0_f64.sqrt()]].view())?;
    /// let points = gamma.dot(&space.landmarks().view());
    /// let along = (&points.row(1) - &points.row(0)).mapv(f64::abs);
    /// assert!((&points.row(0) - &array![2.0, 1.0]).iter().all(|d| d.abs() < 1e-14));
    /// assert!((along - array![1.0, 1.0]).iter().all(|d| d.abs() < 1e-14));
    /// # Ok::<(), npt_core::Error>(())
    /// ```
    pub fn combinations(
        &self,
        points: ArrayView2<'_, K::Scalar>,
    ) -> Result<Array2<K::Scalar>, Error> {
        let points = points.as_samples()?;
        let (expected, found) = (self.rank(), points.view().ncols());
        if expected != found {
            return Err(Error::ColumnCount { expected, found });
        }
        let mut coefficients = self.fold_back(points.view().reversed_axes()).0;
        coefficients += &self.mean_coefficients().insert_axis(Axis(1));
        Ok(coefficients
            .reversed_axes()
            .as_standard_layout()
            .into_owned())
    }

    /// The origin of the coordinates as a sum over the landmarks.
    fn mean_coefficients(&self) -> Array1<K::Scalar> {
        match &self.raw {
            Raw::Cholesky { lower, shift } => {
                let shift = shift.view().insert_axis(Axis(1));
                linalg::solve_lower_transposed(lower.view(), shift).remove_axis(Axis(1))
            }
            Raw::Spectral { means, .. } => {
                let n = self.landmarks.len();
                let share = K::Scalar::one() / K::Scalar::cast(n);
                let share = if means.is_some() {
                    share
                } else {
                    num_traits::zero()
                };
                Array1::from_elem(n, share)
            }
        }
    }
}
