//! Landmarks that are not samples themselves: the centroids of clusters of samples.

use crate::linear::rough_centroids;
use ndarray::{ArrayView1, ArrayView2};
use npt_core::{Error, Kernel, LandmarkSelection, Rows, Scalar, Selected};
use std::cmp::Ordering;

/// The number of k-means iterations. The first few do nearly all of the work.
const ITERATIONS: usize = 10;

/// Selects the landmarks of a [`Nystrom`](npt_core::Nystrom) space of vectors: the centroids of k-means clusters of the
/// samples, found by a few iterations from a greedy k-means++ start. For a kernel of distances that is smooth at the size of a
/// cluster, m centroids leave less of the trace than m samples do. An iteration takes n·m·d operations or fewer; the start takes
/// 2 + log₂ m times as many.
///
/// # Errors
/// [`Error::Parameter`] for no landmarks, [`Error::Landmarks`] for more than there are distinct samples.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Gaussian, KernelSpace, Nystrom, SpaceBuilder};
/// use npt_methods::Centroids;
///
/// let x = array![[0.0], [0.2], [5.0], [5.2], [9.0], [9.2]];
/// let space = Nystrom::new(Gaussian::new(0.5), Centroids::new(3)).centered(false).fit_space(&x)?;
/// // Each sample is 0.1 from a centroid.
/// let residual = 1.0 - (-2.0_f64 * 0.5 * 0.1 * 0.1).exp();
/// assert_eq!(space.rank(), 3);
/// assert!(space.training_residuals().iter().all(|r| (r - residual).abs() < 1e-4));
/// # Ok::<(), npt_core::Error>(())
/// ```
///
/// # References
/// K. Zhang, I. W. Tsang, J. T. Kwok, "Improved Nyström Low-Rank Approximation and Error Analysis", ICML
/// 2008. doi:10.1145/1390156.1390311
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Centroids {
    landmarks: usize,
    seed: u64,
}

impl Centroids {
    /// Selects `landmarks` centroids.
    pub fn new(landmarks: usize) -> Self {
        Self { landmarks, seed: 0 }
    }

    /// The seed of the random start, 0 by default.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}

impl<F: Scalar> LandmarkSelection<Rows<F>> for Centroids {
    fn select<K: Kernel<Rows<F>>>(
        &self,
        _: &K,
        x: &Rows<F>,
    ) -> Result<Selected<Rows<F>, K::Scalar>, Error> {
        let requested = self.landmarks;
        if requested == 0 {
            return Err(Error::Parameter {
                of: "Centroids",
                parameter: "landmarks",
                value: 0.0,
                allowed: "at least 1",
            });
        }
        let available = distinct(x.view());
        if requested > available {
            return Err(Error::Landmarks {
                requested,
                available,
            });
        }
        let centroids = rough_centroids(x.view().to_owned(), requested, ITERATIONS, self.seed);
        Ok(Selected::samples(Rows::new(centroids)?))
    }
}

/// Returns the number of distinct rows.
fn distinct<F: Scalar>(x: ArrayView2<'_, F>) -> usize {
    let order = |a: &ArrayView1<'_, F>, b: &ArrayView1<'_, F>| {
        a.iter().partial_cmp(b).unwrap_or(Ordering::Equal)
    };
    let mut rows: Vec<_> = x.outer_iter().collect();
    rows.sort_unstable_by(order);
    rows.dedup();
    rows.len()
}
