//! k-means on the coordinates of samples that are read again for every iteration.

use super::{
    KMeans, KMeansParams,
    points::{nearest, squared_distance},
};
use crate::{
    Error,
    error::require_finite,
    magnitude::{largest, unit_of},
    streaming::{PassSums, Passes},
    weights::Weights,
};
use linfa::{DatasetBase, Float as _, ParamGuard, dataset::Records, traits::Fit};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};
use npt_core::{AsSamples, Fitted, KernelSpace, Samples, Scalar, watch::Progress};

impl KMeansParams {
    /// Clusters samples that come in blocks, and come again for each iteration, by their coordinates in a space. `pass`
    /// gives an iterator over the same blocks whenever it is called ([`Passes`]).
    ///
    /// # Definition
    /// Lloyd's algorithm runs on the coordinates of all samples. It begins at the centroids that [`KMeans`] finds, with all its
    /// starts, for the samples that the space was fitted to; these should be drawn from all samples at random. An iteration takes
    /// the kernel values of all samples with those of the space, and a few operations per cluster for each value. The iterations
    /// end where no centroid changes, where an iteration gains nothing but rounding, or where it gains less than the
    /// [`tolerance`](Self::tolerance) times the inertia. That inertia is estimated from the samples of the space, each counted
    /// once. A last pass computes coordinates, and the inertia itself. Memory does not grow with the number of samples. Blocks may
    /// have sample weights; the first centroids are found without them.
    ///
    /// A cluster that runs empty takes one of the samples of the space: the one that is farthest from all other centroids and
    /// from the samples that were taken so before.
    ///
    /// # Errors
    /// The errors of `pass` and its blocks. The errors of a block, with rows counted from the first of all blocks: errors of
    /// the records, [`npt_core::Error::Weight`]. [`Error::TooFewSamples`] if all weights are 0. [`npt_core::Error::NoSamples`] without any samples,
    /// [`Error::OtherPass`] where a later pass has more or fewer samples. The errors of the fit itself are those of [`KMeans`];
    /// [`Error::Clusters`] also where clusters run empty and the samples of the space are all tried.
    ///
    /// # Example
    /// ```
    /// use linfa::{DatasetBase, traits::Predict};
    /// use ndarray::{Array2, array};
    /// use npt_core::{Gaussian, KernelizedModel, Nystrom, Pivoting, SpaceBuilder};
    /// use npt_methods::{Error, linear::KMeans, streaming::Reservoir};
    ///
    /// /// 1000 numbers at a time, near 0 or near 5.
    /// let block = |k: usize| {
    ///     let at = |i: usize| (i % 2 * 5) as f64 + ((1000 * k + i) as f64 * 0.618).fract();
    ///     DatasetBase::from(Array2::from_shape_fn((1000, 1), |(i, _)| at(i)))
    /// };
    /// let mut some = Reservoir::new(200);
    /// (0..20).try_for_each(|k| some.add(&block(k).records))?;
    /// let landmarks = Pivoting::random(20).tolerance(1e-9);
    /// let space = Nystrom::new(Gaussian::new(0.1), landmarks).fit_space(&some.into_samples()?)?;
    ///
    /// let means = KMeans::params(2).fit_blocks(&space, || Ok::<_, Error>((0..20).map(|k| Ok(block(k)))))?;
    /// let model = KernelizedModel::new(means, space.into_parts().0).expand()?;
    /// let clusters = model.predict(&array![[0.1], [5.9], [0.9], [5.0]]);
    /// assert!(clusters[0] == clusters[2] && clusters[1] == clusters[3] && clusters[0] != clusters[1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn fit_blocks<P, R, T, B, E>(
        &self,
        space: &Fitted<P>,
        pass: impl FnMut() -> Result<B, E>,
    ) -> Result<KMeans<P::Scalar>, E>
    where
        P: KernelSpace,
        R: Records + AsSamples<Samples = P::Samples>,
        B: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
        E: From<Error>,
    {
        let params = self.check_ref()?;
        let some = space.training_coordinates();
        let start = params.fit(&DatasetBase::from(some))?;
        let mut lloyd = OfBlocks::new(
            Passes::of("blocks of KMeans", space.space(), pass)?.with_weights(),
            some,
            &start,
        );
        let mut centroids = start.centroids.mapv(Scalar::as_f64) - &lloyd.origin;
        let mut before = f64::NEG_INFINITY;
        let mut progress = Progress::start("k-means", None);
        for iterations in 1..=params.max_iterations {
            let Means { next, gained, full } = lloyd.means(&centroids)?;
            // The inertia falls by twice what the centroids gain.
            let least = params.tolerance * lloyd.estimated_inertia(gained) / 2.0;
            let inertia = lloyd.estimated_inertia(gained);
            let finished = progress.should_finish(iterations, "the inertia", inertia);
            let is_last = finished || full && (next == centroids || !(gained - before > least));
            (centroids, before) = (next, gained);
            if is_last {
                let offsets = centroids.mapv(P::Scalar::cast);
                let centroids = &offsets + &start.origin;
                let inertia = lloyd.inertia(space.space(), centroids.view())?;
                require_finite("KMeans", [inertia].iter())?;
                let unit = unit_of(&offsets);
                return Ok(KMeans {
                    origin: start.origin,
                    unit,
                    offsets: offsets / unit,
                    centroids,
                    inertia,
                    iterations,
                });
            }
        }
        Err(Error::NotConverged {
            method: "KMeans",
            measure: "the inertia, as samples of the space have it,",
            value: lloyd.estimated_inertia(before),
        }
        .into())
    }
}

struct OfBlocks<'a, S, F, N> {
    passes: Passes<'a, S, F, N>,
    /// The coordinates of the samples of the space.
    some: ArrayView2<'a, F>,
    /// The point from which distances are taken.
    origin: Array1<f64>,
    /// The mean of the squared distances of the samples of the space from the origin.
    mean_square: f64,
    /// The sum of the weights of all samples.
    weight: f64,
    /// The positions of the samples of the space that have become centroids of empty clusters.
    tried: Vec<usize>,
}

/// The result of an iteration.
struct Means {
    /// The means of the samples nearest to each centroid, relative to the origin.
    next: Array2<f64>,
    /// Σ ⟨y, c⟩ − ½‖c‖² for all samples and their nearest centroids, relative to the origin. The inertia is less by twice this
    /// than with all centroids at the origin.
    gained: f64,
    /// True if each cluster has samples.
    full: bool,
}

impl<'a, S, F, N, I, R, T, E> OfBlocks<'a, S, F, N>
where
    S: Samples,
    F: Scalar,
    N: FnMut() -> Result<I, E>,
    I: IntoIterator<Item = Result<DatasetBase<R, T>, E>>,
    R: Records + AsSamples<Samples = S>,
    E: From<Error>,
{
    fn new(passes: Passes<'a, S, F, N>, some: ArrayView2<'a, F>, start: &KMeans<F>) -> Self {
        let origin = start.origin.mapv(Scalar::as_f64);
        let square = |y: ArrayView1<'_, F>| squared_distance(y, start.origin.view()).as_f64();
        let squares = some.outer_iter().map(square);
        Self {
            passes,
            mean_square: squares.sum::<f64>() / some.nrows() as f64,
            weight: 0.0,
            some,
            origin,
            tried: Vec::new(),
        }
    }

    /// Estimates the inertia of all samples from what the centroids gain.
    fn estimated_inertia(&self, gained: f64) -> f64 {
        (self.weight * self.mean_square - 2.0 * gained).max(0.0)
    }

    fn means(&mut self, centroids: &Array2<f64>) -> Result<Means, E> {
        let clusters = centroids.nrows();
        let halves = centroids.outer_iter().map(|c| c.dot(&c) / 2.0);
        let constants = -centroids.dot(&self.origin) - halves.collect::<Array1<f64>>();
        let PassSums {
            of_coordinates,
            of_ones,
        } = self.passes.sum(
            (centroids.t(), constants.view()),
            |block| Ok(Weights::<f64>::of_block(block)?.of_all()),
            |weights, rows, scores| {
                let mut u = Array2::zeros((scores.nrows(), clusters + 1));
                let weights = weights.slice(s![rows]);
                let samples = scores.outer_iter().zip(weights).zip(u.outer_iter_mut());
                for ((scores, &weight), mut u) in samples {
                    let nearest = (0..clusters).fold(0, |best, cluster| {
                        if scores[cluster] > scores[best] {
                            cluster
                        } else {
                            best
                        }
                    });
                    if weight > 0.0 {
                        u[nearest] = weight;
                        u[clusters] = weight * scores[nearest];
                    }
                }
                u
            },
        )?;
        self.weight = of_ones.slice(s![..clusters]).sum();
        if self.weight == 0.0 {
            let (found, needed) = (0, 1);
            return Err(Error::TooFewSamples { found, needed }.into());
        }
        let mut next = centroids.clone();
        for (cluster, mut mean) in next.outer_iter_mut().enumerate() {
            if of_ones[cluster] > 0.0 {
                mean.assign(&(&of_coordinates.column(cluster) / of_ones[cluster] - &self.origin));
            }
        }
        let empty: Vec<usize> = (0..clusters).filter(|&c| of_ones[c] == 0.0).collect();
        if !empty.is_empty() {
            self.fill(&mut next, &empty)?;
        }
        Ok(Means {
            next,
            gained: of_ones[clusters],
            full: empty.is_empty(),
        })
    }

    /// Gives each empty cluster the sample of the space that is farthest from all other centroids and from the samples
    /// that were tried.
    fn fill(&mut self, centroids: &mut Array2<f64>, empty: &[usize]) -> Result<(), Error> {
        let y = self.some.mapv(Scalar::as_f64) - &self.origin;
        let mut distances = Array1::from_elem(y.nrows(), f64::INFINITY);
        let closer = |distances: &mut Array1<f64>, point: ArrayView1<'_, f64>| {
            for (distance, y) in distances.iter_mut().zip(y.outer_iter()) {
                *distance = distance.min(squared_distance(y, point));
            }
        };
        for (cluster, centroid) in centroids.outer_iter().enumerate() {
            if !empty.contains(&cluster) {
                closer(&mut distances, centroid);
            }
        }
        let level = 8.0 * F::epsilon().as_f64() * largest(&distances);
        for &row in &self.tried {
            closer(&mut distances, y.row(row));
        }
        for &cluster in empty {
            let farther = |best, i| {
                if distances[i] > distances[best] {
                    i
                } else {
                    best
                }
            };
            let farthest = (0..distances.len()).fold(0, farther);
            if !(distances[farthest] > level) {
                return Err(Error::Clusters {
                    requested: centroids.nrows(),
                    distinct: centroids.nrows() - empty.len(),
                });
            }
            centroids.row_mut(cluster).assign(&y.row(farthest));
            closer(&mut distances, y.row(farthest));
            self.tried.push(farthest);
        }
        Ok(())
    }

    /// Computes the inertia from distances of coordinates, in which nothing cancels.
    fn inertia<P>(&mut self, space: &P, centroids: ArrayView2<'_, F>) -> Result<F, E>
    where
        P: KernelSpace<Samples = S, Scalar = F>,
    {
        let mut inertia = 0.0;
        self.passes.for_each_block(|block| {
            let weights = Weights::<f64>::of_block(block)?.of_all();
            let y = space.coordinates(block.records.as_samples()?.as_ref())?;
            let clusters = nearest(y.view(), centroids);
            for ((y, &cluster), weight) in y.outer_iter().zip(&clusters).zip(weights) {
                if weight > 0.0 {
                    inertia += weight * squared_distance(y, centroids.row(cluster)).as_f64();
                }
            }
            Ok(())
        })?;
        Ok(F::cast(inertia))
    }
}
