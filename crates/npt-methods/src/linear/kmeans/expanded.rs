//! k-means by linear functions: differences of squared distances from centroids are linear.

use super::{KMeans, KMeansParams};
use crate::{Error, weights::Weights};
use linfa::{
    DatasetBase,
    dataset::AsTargets,
    traits::{Predict, PredictInplace, Transformer},
};
use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Axis, Data, Ix2};
use npt_core::{Expand, ExpansionMethod, LinearFunctions, Scalar};

/// The linear functions are the squared distances from the centroids, less that from the mean of all samples.
impl<F: Scalar> LinearFunctions<F> for KMeans<F> {
    fn linear_functions(&self) -> (Array2<F>, Array1<F>) {
        let offsets = &self.offsets * self.unit;
        let two = F::cast(2);
        let constants = offsets.map_axis(Axis(1), |d| d.dot(&d)) + offsets.dot(&self.origin) * two;
        (offsets.reversed_axes() * -two, constants)
    }
}

impl<F: Scalar> Expand<F> for KMeans<F> {
    type Expanded = NearestCentroid<F>;

    fn expanded(&self) -> NearestCentroid<F> {
        NearestCentroid {
            inertia: self.inertia,
            iterations: self.iterations,
        }
    }
}

impl<F: Scalar, T: AsTargets> ExpansionMethod<F, T, Error> for KMeansParams {
    fn has_dual_coefficients(&self) -> bool {
        true
    }

    /// Computes the coefficients of each centroid as the mean of its cluster.
    fn dual_coefficients(
        &self,
        model: &KMeans<F>,
        data: &DatasetBase<Array2<F>, T>,
    ) -> Option<Array2<F>> {
        let (weights, _) = Weights::of_dataset(data).ok()?.in_unit();
        let clusters: Array1<usize> = weights.select(model.predict(&data.records));
        let mut sizes = Array1::zeros(model.offsets.nrows());
        for (i, &cluster) in clusters.iter().enumerate() {
            sizes[cluster] += weights.of(i);
        }
        if sizes.iter().any(|size: &F| size.is_zero()) {
            return None;
        }
        let minus_two = F::cast(-2);
        let mut dual = Array2::from_elem((clusters.len(), sizes.len()), -minus_two / sizes.sum());
        for (mut row, &cluster) in dual.outer_iter_mut().zip(&clusters) {
            row[cluster] += minus_two / sizes[cluster];
        }
        Some(weights.spread(weights.times(dual)))
    }
}

/// The model that remains of a [`KMeans`] when it is written as an expansion. Its records are squared distances from the
/// centroids, less a number that is the same for all centroids of a record. It `predict`s the nearest centroid, and
/// `transform`s to the records.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NearestCentroid<F> {
    inertia: F,
    iterations: usize,
}

impl<F: Scalar> NearestCentroid<F> {
    /// The sum of the squared distances of the training samples from their centroids, weighted if the samples are.
    pub fn inertia(&self) -> F {
        self.inertia
    }

    /// The number of iterations of the start that won.
    pub fn iterations(&self) -> usize {
        self.iterations
    }
}

impl<F: Scalar, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array1<usize>>
    for NearestCentroid<F>
{
    fn predict_inplace<'a>(&'a self, x: &'a ArrayBase<D, Ix2>, y: &mut Array1<usize>) {
        let nearest = |row: ArrayView1<'_, F>| {
            (1..row.len()).fold(0, |best, c| if row[c] < row[best] { c } else { best })
        };
        y.assign(&x.map_axis(Axis(1), nearest));
    }

    fn default_target(&self, x: &ArrayBase<D, Ix2>) -> Array1<usize> {
        Array1::zeros(x.nrows())
    }
}

impl<F: Scalar, D: Data<Elem = F>> Transformer<ArrayBase<D, Ix2>, Array2<F>>
    for NearestCentroid<F>
{
    fn transform(&self, x: ArrayBase<D, Ix2>) -> Array2<F> {
        x.into_owned()
    }
}
