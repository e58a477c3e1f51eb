//! Pre-images by distances from training samples.

use super::{PreImage, PreImageMap, Training, known::Known};
use crate::{
    Error,
    error::{require, require_finite},
    magnitude::largest,
    records::center,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use npt_core::{ExpansionSpace, Kernel, Rows, Scalar, catalogue::Range, linalg, watch::Progress};

/// Pre-images from distances: the distances of the point from its nearest training samples are turned into
/// distances of inputs, and the pre-image is the input that meets these best. It takes no iteration, and no start.
///
/// # Definition
/// For the k training samples whose φ are nearest to the point, let X be the k rows less their mean x̄,
/// d² their squared distances from the pre-image by
/// [`Kernel::squared_distance_of_inputs`], and d₀² the squared lengths of
/// the rows of X. The pre-image is x̄ + ½X⁺(d₀² − d²), by the singular values of X above rounding. It
/// lies in the affine space of the k samples, which is a restriction with fewer than features + 1 of them.
/// Samples for which the distance is `None` are left out.
///
/// The formula uses only the differences of the dᵢ². With the Gaussian kernel, φ of every input has
/// length 1. A point far inside the unit sphere, as the projections on few principal components are,
/// is nearly as far from each of the k samples as from any other. The dᵢ² are then nearly equal, and
/// the pre-image is near the place that is equally far from all k samples, in the middle of the
/// neighbours: the difference of the point from this middle is shrunk.
///
/// # Errors
/// [`Error::Parameter`] for 0 neighbours; [`npt_core::Error::UnsuitableKernel`] for a kernel whose distances do not determine
/// the distances of inputs; [`Error::NoPreImage`], with the nearest sample as iterate,
/// where even this sample is too far; [`Error::Overflow`] where squares of the coordinates overflow;
/// the errors of [`PreImageMap::pre_images`] for the points.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, Gaussian, SpaceBuilder};
/// use npt_methods::pre_image::{DistanceConstraints, PreImage, PreImageMap, Training};
///
/// let x = array![[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0]];
/// let fitted = Exact::new(Gaussian::new(0.1)).fit_space(&x)?;
/// let map = DistanceConstraints::new().neighbours(3).fit(&Training::new(&fitted, &x)?)?;
/// let z = map.pre_images(fitted.space(), fitted.training_coordinates())?;
/// assert!((z - x).iter().all(|d: &f64| d.abs() < 1e-10));
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// J. Kwok, I. Tsang, "The Pre-Image Problem in Kernel Methods", IEEE Transactions on Neural Networks
/// 15(6), 2004. doi:10.1109/TNN.2004.837781
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DistanceConstraints {
    neighbours: usize,
}

npt_core::parameters_by_name! {
    impl Parameters for DistanceConstraints, "DistanceConstraints"; {
        default {
            neighbours: usize = 10, Range::AtLeast(1), "The number of nearest training samples to use; all, where there are fewer.";
        }
    }
}

impl Default for DistanceConstraints {
    fn default() -> Self {
        Self { neighbours: 10 }
    }
}

impl DistanceConstraints {
    /// Parameters with 10 neighbours.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of nearest training samples to use, at least 1; all, where there are fewer.
    pub fn neighbours(mut self, neighbours: usize) -> Self {
        self.neighbours = neighbours;
        self
    }
}

/// Fitted [`DistanceConstraints`]: the training samples, and the points of their φ.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DistanceMap<F> {
    neighbours: usize,
    /// The training samples, shape (n, features).
    samples: Array2<F>,
    known: Known<F>,
}

impl<F, P> PreImage<P> for DistanceConstraints
where
    F: Scalar,
    P: ExpansionSpace<Samples = Rows<F>, Scalar = F, Kernel: Kernel<Rows<F>, Scalar = F>>,
{
    type Map = DistanceMap<F>;

    fn fit(&self, training: &Training<'_, P>) -> Result<DistanceMap<F>, Error> {
        let (of, parameter) = ("DistanceConstraints", "neighbours");
        require(self.neighbours > 0, of, parameter, 0.0, "at least 1")?;
        let kernel = training.space().kernel();
        // Kernels whose distances determine the distances of inputs give 0 for 0.
        if kernel.squared_distance_of_inputs(F::zero()).is_none() {
            return Err(npt_core::Error::UnsuitableKernel {
                of,
                kernel: kernel.describe().to_string(),
                needs: "distances in feature space that tell those of inputs, as radial kernels and the linear one have",
            }
            .into());
        }
        Ok(DistanceMap {
            neighbours: self.neighbours,
            samples: training.samples().view().to_owned(),
            known: Known::new(training.points(), training.residuals()),
        })
    }
}

impl<F, P> PreImageMap<P> for DistanceMap<F>
where
    F: Scalar,
    P: ExpansionSpace<Samples = Rows<F>, Scalar = F, Kernel: Kernel<Rows<F>, Scalar = F>>,
{
    fn pre_images(&self, space: &P, points: ArrayView2<'_, F>) -> Result<Array2<F>, Error> {
        let nearness = self.known.nearness("DistanceConstraints", points)?;
        let mut inputs = Array2::zeros((points.nrows(), self.samples.ncols()));
        let mut progress = Progress::start("pre-images", points.nrows());
        for (row, (point, of_point)) in points.outer_iter().zip(nearness.outer_iter()).enumerate() {
            progress.at(row);
            let nearest = self.nearest(of_point);
            let squared: Vec<F> = nearest
                .iter()
                .map(|&i| self.known.squared_distance(point, i))
                .collect();
            let kernel = space.kernel();
            let usable = nearest.iter().zip(&squared).filter_map(|(&i, &squared)| {
                Some((i, kernel.squared_distance_of_inputs(squared)?))
            });
            let (ids, of_inputs): (Vec<usize>, Vec<F>) = usable.unzip();
            if ids.is_empty() {
                return Err(Error::NoPreImage {
                    point: row,
                    iterate: self.samples.row(nearest[0]).map(|v| v.as_f64()).to_vec(),
                    residual: squared[0].as_f64(),
                });
            }
            let neighbours = self.samples.select(Axis(0), &ids);
            let input = locate(neighbours, &Array1::from(of_inputs))?;
            require_finite("DistanceConstraints", input.iter())?;
            inputs.row_mut(row).assign(&input);
        }
        Ok(inputs)
    }
}

impl<F: Scalar> DistanceMap<F> {
    /// The positions of the nearest samples, nearest first.
    fn nearest(&self, far: ArrayView1<'_, F>) -> Vec<usize> {
        let by_distance = |&a: &usize, &b: &usize| far[a].partial_cmp(&far[b]).expect("finite");
        let mut order: Vec<usize> = (0..far.len()).collect();
        let count = self.neighbours.min(order.len());
        order.select_nth_unstable_by(count - 1, by_distance);
        order.truncate(count);
        order.sort_by(by_distance);
        order
    }
}

/// The point of the affine space of the rows whose squared distances from the rows are closest to the
/// given ones, in the least squares sense.
fn locate<F: Scalar>(mut rows: Array2<F>, squared: &Array1<F>) -> Result<Array1<F>, Error> {
    let mean = center(&mut rows);
    let extent = largest(&rows);
    if !(extent > F::zero()) {
        return Ok(mean);
    }
    // Scaled, as squares of squares follow.
    rows /= extent;
    let lengths: Array1<F> = rows.outer_iter().map(|row| row.dot(&row)).collect();
    let differences = (lengths - &(squared / extent / extent)) / F::cast(2);
    // X⁺ = Xᵀ(XXᵀ)⁺; eigenvalues at rounding level belong to directions that X does not have.
    let (values, vectors) = linalg::eigh(&linalg::symmetric_rank_k(rows.t()))?;
    let floor = F::cast(rows.nrows() + rows.ncols()) * F::epsilon() * values[0];
    let mut weights = vectors.t().dot(&differences);
    for (weight, &value) in weights.iter_mut().zip(&values) {
        *weight = if value > floor {
            *weight / value
        } else {
            F::zero()
        };
    }
    Ok(rows.t().dot(&vectors.dot(&weights)) * extent + mean)
}

npt_core::checked! {
    DistanceMap<F> { neighbours: usize, samples: Array2<F>, known: Known<F> } where F: Scalar
}

#[cfg(feature = "serde")]
impl<F: Scalar> DistanceMap<F> {
    fn check_parts(&self) -> Result<(), String> {
        npt_core::serial::some("neighbours", self.neighbours)?;
        self.known.check_inputs(&self.samples)
    }
}
