//! The closest training samples, in place of pre-images.

use super::{PreImage, PreImageMap, Training, known::Known};
use crate::Error;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use npt_core::{Fitted, KernelSpace, Rows, Scalar};

/// The training sample whose φ is closest to a point, in place of its pre-image: the prototype of a cluster is then a
/// training sample, mostly one of the cluster. It takes every kernel.
///
/// # Definition
/// z = xᵢ with ‖φ(xᵢ) − p‖² smallest, the first of several.
/// [`nearest_samples`] finds the same xᵢ for samples of any type.
///
/// # Errors
/// [`Error::Overflow`] where squares of the coordinates overflow; the errors of [`PreImageMap::pre_images`] for the
/// points.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Laplacian;
/// use npt_methods::{KernelKMeans, pre_image::{NearestSample, PreImageExt}};
///
/// let x = DatasetBase::from(array![[0.0], [0.2], [0.5], [7.0], [7.2], [7.3]]);
/// let means = KernelKMeans::params(2, Laplacian::new(0.1)).pre_image(NearestSample);
/// let model = means.fit(&x)?;
/// let of_first = model.predict(&x)[0];
/// assert_eq!(model.prototypes()[[of_first, 0]], 0.2);
/// assert_eq!(model.prototypes()[[1 - of_first, 0]], 7.2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// B. Schölkopf, S. Mika, C. Burges, P. Knirsch, K.-R. Müller, G. Rätsch, A. Smola, "Input Space Versus Feature Space
/// in Kernel-Based Methods", IEEE Transactions on Neural Networks 10(5), 1999. doi:10.1109/72.788641
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NearestSample;

/// Fitted [`NearestSample`]: the training samples, and the points of their φ.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NearestMap<F> {
    samples: Array2<F>,
    known: Known<F>,
}

impl<F, P> PreImage<P> for NearestSample
where
    F: Scalar,
    P: KernelSpace<Samples = Rows<F>, Scalar = F>,
{
    type Map = NearestMap<F>;

    fn fit(&self, training: &Training<'_, P>) -> Result<NearestMap<F>, Error> {
        Ok(NearestMap {
            samples: training.samples().view().to_owned(),
            known: Known::new(training.points(), training.residuals()),
        })
    }
}

impl<F, P> PreImageMap<P> for NearestMap<F>
where
    F: Scalar,
    P: KernelSpace<Samples = Rows<F>, Scalar = F>,
{
    fn pre_images(&self, _: &P, points: ArrayView2<'_, F>) -> Result<Array2<F>, Error> {
        let nearest = nearest("NearestSample", &self.known, points)?;
        Ok(self.samples.select(Axis(0), &nearest.to_vec()))
    }
}

/// Finds the training samples, of any type, whose φ are closest to points of the space. The points are given by their coordinates, shape
/// (points, r). Returns the positions of the samples among the training samples, shape (points).
///
/// # Errors
/// The errors of the coordinates as records, [`npt_core::Error::ColumnCount`] if there are more or fewer than r,
/// [`Error::Overflow`] where their squares overflow.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::Fit};
/// use ndarray::Array1;
/// use npt_core::{Exact, Items, Normalized, SpaceBuilder, Spectrum};
/// use npt_methods::{linear::KMeans, pre_image::nearest_samples};
///
/// // The word in the middle of each cluster.
/// let words = ["night", "nights", "knight", "flower", "flowers", "flow"].map(String::from);
/// let fitted = Exact::new(Normalized::new(Spectrum::new(2))).fit_space(&Items::new(words.to_vec())?)?;
/// let y = fitted.training_coordinates().to_owned();
/// let means = KMeans::params(2).fit(&DatasetBase::from(y))?;
/// let mut middle: Vec<&str> =
///     nearest_samples(&fitted, means.centroids())?.iter().map(|&i| &*words[i]).collect();
/// middle.sort();
/// assert_eq!(middle, ["flower", "night"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nearest_samples<P: KernelSpace>(
    fitted: &Fitted<P>,
    points: ArrayView2<'_, P::Scalar>,
) -> Result<Array1<usize>, Error> {
    let known = Known::new(fitted.training_coordinates(), fitted.training_residuals());
    nearest("nearest_samples", &known, points)
}

fn nearest<F: Scalar>(
    of: &'static str,
    known: &Known<F>,
    points: ArrayView2<'_, F>,
) -> Result<Array1<usize>, Error> {
    let nearness = known.nearness(of, points)?;
    let nearest = nearness.outer_iter().map(|of_point| {
        let first = (0, of_point[0]);
        let closer = |a: (usize, F), b: (usize, F)| if b.1 < a.1 { b } else { a };
        of_point.iter().copied().enumerate().fold(first, closer).0
    });
    Ok(nearest.collect())
}

npt_core::checked! { NearestMap<F> { samples: Array2<F>, known: Known<F> } where F: Scalar }

#[cfg(feature = "serde")]
impl<F: Scalar> NearestMap<F> {
    fn check_parts(&self) -> Result<(), String> {
        self.known.check_inputs(&self.samples)
    }
}
