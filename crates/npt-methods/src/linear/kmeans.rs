//! k-means clustering.

mod assignment;
mod expanded;
mod lloyd;
mod of_blocks;
mod points;
mod seeds;
mod sums;

pub use expanded::NearestCentroid;

use super::{Weights, center, parameters, unit_of, weighed_records};
use crate::{Error, error::require_finite};
use linfa::{
    DatasetBase,
    dataset::AsTargets,
    traits::{Fit, PredictInplace, Transformer},
};
use lloyd::Lloyd;
use ndarray::{Array1, Array2, ArrayBase, ArrayView2, Data, Ix2};
use npt_core::{Scalar, catalogue::Range, linalg::row_major, watch::Progress};
use points::{nearest, squared_distance};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256Plus;

parameters! {
    KMeans: KMeansParams, KMeansValidParams;
    required {
        clusters: usize, Range::AtLeast(1), "The number of clusters.";
    }
    default {
        starts: usize = 10, Range::AtLeast(1), "The number of sets of starting centroids; the smallest inertia wins.";
        /// Some tens of iterations are usual.
        max_iterations: usize = 1000, Range::AtLeast(1), "The most iterations from one start.";
        /// Numbers that are known exactly need 0. Kernel coordinates of equal samples differ by rounding:
        /// [`KernelKMeans`](crate::KernelKMeans) takes 8.
        resolution: f64 = 0.0, Range::NotNegative, "The squared distance, in ε of the largest squared distance from the mean, up to which samples are one and the same.";
        /// The iterations end where no sample moves if this is 0. Of many samples, a few go on moving for long and change nothing; 10⁻⁴
        /// is usual then.
        tolerance: f64 = 0.0, Range::NotNegative, "The share of the inertia by which an iteration has to lower it, or is the last one.";
        seed: u64 = 0, Range::AtLeast(0), "The seed of the starting centroids.";
    }
}

/// k-means clustering: a partition of the samples around centroids.
///
/// # Definition
/// The clusters minimise the inertia Σ ‖xᵢ − mean of the cluster of xᵢ‖². Lloyd's algorithm begins at starting centroids:
/// each sample goes to the nearest centroid and each centroid to the mean of its samples, until no
/// sample moves. That is a local minimum, and the best of several starts is kept.
///
/// Starting centroids are samples drawn one after the other (greedy k-means++). The probability of a sample is proportional
/// to its squared distance from the samples drawn before, which is computed by products, to a sixteenth of it. Each time the
/// best of a few draws is taken.
///
/// A cluster that runs empty takes the sample that is farthest from its own centroid, so that no cluster is empty in the end.
/// With sample weights, centroids are weighted means of their clusters, and the inertia is weighted: a weight of 2 is a sample
/// twice, except that an empty cluster takes one row. More samples than fit in
/// memory are clustered by [`fit_blocks`](KMeansParams::fit_blocks).
///
/// The fitted model `predict`s clusters, numbered from 0, and `transform`s to squared distances from
/// all centroids, shape (samples, clusters).
///
/// # Errors
/// [`Error::Parameter`] for a parameter out of range, [`Error::Clusters`] for fewer distinct samples
/// than clusters, [`Error::NotConverged`] with the inertia, [`Error::Overflow`] where the inertia is
/// no number of the type, [`npt_core::Error::Weight`], [`npt_core::Error::NoWeight`] if all weights are 0, [`Error::Core`] for the
/// records.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_methods::linear::KMeans;
///
/// let data = DatasetBase::from(array![[0.0], [2.0], [10.0], [14.0]]);
/// let means = KMeans::params(2).fit(&data)?;
/// assert_eq!(means.inertia(), 1.0 + 1.0 + 4.0 + 4.0);
/// let clusters = means.predict(&data);
/// assert_eq!(means.centroids()[[clusters[3], 0]], 12.0);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// S. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28(2), 1982.
/// doi:10.1109/TIT.1982.1056489
///
/// D. Arthur, S. Vassilvitskii, "k-means++: The Advantages of Careful Seeding", SODA 2007.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KMeans<F> {
    /// The (weighted) mean of all training samples. Distances are computed relative to it, where they lose the fewest digits.
    origin: Array1<F>,
    /// The unit of the lengths in `offsets`, with which their squares neither overflow nor vanish.
    unit: F,
    /// The centroids relative to the origin, in this unit.
    offsets: Array2<F>,
    centroids: Array2<F>,
    inertia: F,
    iterations: usize,
}

impl KMeans<f64> {
    /// Parameters for `clusters` clusters, at least 1.
    pub fn params(clusters: usize) -> KMeansParams {
        KMeansParams(KMeansValidParams::new(clusters))
    }
}

/// Returns the centroids of `clusters` clusters of rows after some iterations: near a minimum, not at one.
pub(crate) fn rough_centroids<F: Scalar>(
    x: Array2<F>,
    clusters: usize,
    iterations: usize,
    seed: u64,
) -> Array2<F> {
    let mut x = row_major(x);
    let unit = unit_of(&x);
    x /= unit;
    let origin = center(&mut x) * unit;
    let weights = Weights::none(x.nrows());
    let lloyd = Lloyd::new(x.view(), &weights, F::zero());
    let mut rng = Xoshiro256Plus::seed_from_u64(seed);
    // Where too few rows differ by more than rounding, any rows will do.
    let start = lloyd.seeds(clusters, &mut rng);
    let start = start.unwrap_or_else(|_| lloyd.random_rows(clusters, &mut rng));
    lloyd.refine(start, iterations) * unit + origin
}

impl<F: Scalar> KMeans<F> {
    /// The centroids, shape (clusters, features), in the order in which their starts were drawn.
    pub fn centroids(&self) -> ArrayView2<'_, F> {
        self.centroids.view()
    }

    /// The sum of the squared distances of the training samples from their centroids, weighted if the samples are.
    pub fn inertia(&self) -> F {
        self.inertia
    }

    /// The number of iterations of the start that won; for a fit to blocks, the number of iterations over the blocks.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// The squared distances of rows from the centroids, shape (rows, clusters).
    pub fn squared_distances<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        let x = self.positions(x);
        Array2::from_shape_fn((x.nrows(), self.offsets.nrows()), |(row, cluster)| {
            let squared = squared_distance(x.row(row), self.offsets.row(cluster));
            squared * self.unit * self.unit
        })
    }

    /// Returns rows relative to the origin, in the unit of the offsets.
    fn positions<D: Data<Elem = F>>(&self, x: &ArrayBase<D, Ix2>) -> Array2<F> {
        (x - &self.origin) / self.unit
    }
}

impl<F: Scalar, D: Data<Elem = F>, T: AsTargets> Fit<ArrayBase<D, Ix2>, T, Error>
    for KMeansValidParams
{
    type Object = KMeans<F>;

    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<KMeans<F>, Error> {
        let (mut x, weights) = weighed_records(dataset)?;
        let (weights, unit_weight) = weights.in_unit();
        let unit = unit_of(&x);
        x /= unit;
        let origin = weights.center(&mut x) * unit;
        let x = row_major(x);
        let lloyd = Lloyd::new(x.view(), &weights, F::cast(self.resolution));
        let mut rng = Xoshiro256Plus::seed_from_u64(self.seed);
        // The factors are multiplied one after the other: their product may leave the range where the inertia does not.
        let in_units = |inertia: F| inertia * unit * unit * unit_weight;
        let mut progress = Progress::start("starts of k-means", self.starts);
        let mut best: Option<lloyd::Partition<F>> = None;
        for done in 0..self.starts {
            if let Some(best) = &best {
                let inertia = in_units(best.inertia).as_f64();
                if progress.should_finish(done, "the inertia", inertia) {
                    break;
                }
            }
            let start = lloyd.seeds(self.clusters, &mut rng)?;
            let found = lloyd.descend(start, self, in_units)?;
            // Equal minima reached from several starts must not change places by rounding.
            let clear = F::one() - F::epsilon().sqrt();
            if best
                .as_ref()
                .is_none_or(|best| found.inertia < best.inertia * clear)
            {
                best = Some(found);
            }
        }
        let best = best.expect("there is at least one start");
        let inertia = in_units(best.inertia);
        require_finite("KMeans", [inertia].iter())?;
        Ok(KMeans {
            centroids: &best.centroids * unit + &origin,
            origin,
            unit,
            offsets: best.centroids,
            inertia,
            iterations: best.iterations,
        })
    }
}

impl<F: Scalar, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array1<usize>> for KMeans<F> {
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<usize>) {
        let x = self.positions(x);
        y.assign(&nearest(x.view(), self.offsets.view()));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<usize> {
        Array1::zeros(x.nrows())
    }
}

/// Transforms rows to their squared distances from all centroids.
impl<F: Scalar, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>> for KMeans<F> {
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        self.squared_distances(&x)
    }
}

npt_core::checked! {
    KMeans<F> {
        origin: Array1<F>,
        unit: F,
        offsets: Array2<F>,
        centroids: Array2<F>,
        inertia: F,
        iterations: usize,
    }
    where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> KMeans<F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite, method, not_negative, positive, some};
        let ((clusters, features), (rows, columns)) = (self.offsets.dim(), self.centroids.dim());
        some("features", features)?;
        some("clusters", clusters)?;
        agree(
            "columns of offsets",
            features,
            "features",
            self.origin.len(),
        )?;
        agree("centroids", rows, "clusters", clusters)?;
        agree("columns of centroids", columns, "features", features)?;
        let numbers = self.offsets.iter().chain(&self.centroids);
        finite(
            "the centroids and their origin",
            numbers.chain(&self.origin),
        )?;
        positive("the unit", self.unit)?;
        not_negative("the inertia", self.inertia)?;
        method::takes::<Self>(features);
        Ok(())
    }
}
