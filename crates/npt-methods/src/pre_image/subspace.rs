//! The subspace of the principal components, as a kernel space.

use super::check_points;
use crate::linear::Pca;
use linfa::traits::Transformer;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use npt_core::{
    AsSamples, Error, Expansion, ExpansionSpace, Fitted, KernelSpace, KernelizedModel,
    LinearFunctions, Scalar, linalg,
};

/// The affine subspace that principal components span in a kernel space P: a kernel space itself, in
/// which coordinates are the scores of kernel PCA.
///
/// # Definition
/// Its points are p = p̄ + Σₖ tₖwₖ, with t the scores, wₖ the principal axes and p̄ the mean of the
/// training samples in P. The residual of a sample is its squared distance from P plus, within P, its squared distance from
/// the subspace: the reconstruction error.
///
/// # Example
/// ```
/// use linfa::{DatasetBase, traits::{Fit, Transformer}};
/// use ndarray::{Array2, array};
/// use npt_core::{Gaussian, KernelSpace};
/// use npt_methods::{Kpca, pre_image::{FixedPoint, PreImageExt}};
///
/// let x = array![[0.0, 1.0], [2.0, 0.0], [1.0, 1.0], [4.0, 3.0]];
/// let kpca = Kpca::params(2, Gaussian::new(0.2)).pre_image(FixedPoint::new());
/// let model = kpca.fit(&DatasetBase::from(x.clone()))?;
/// let scores: Array2<f64> = model.transform(x.clone());
/// let (coordinates, residuals) = model.subspace().coordinates_and_residuals(&x)?;
/// assert_eq!(scores, coordinates);
/// // All of the variance is in the first three components.
/// let all = Kpca::params(3, Gaussian::new(0.2)).pre_image(FixedPoint::new());
/// let all = all.fit(&DatasetBase::from(x))?;
/// let third = all.model().inner().eigenvalues()[2];
/// assert!((residuals.sum() - third).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        deserialize = "P: KernelSpace + serde::Deserialize<'de>, F: Scalar + serde::Deserialize<'de>"
    ))
)]
pub struct PrincipalSubspace<P, F = f64> {
    model: KernelizedModel<Pca<F>, P>,
}

impl<P, F> PrincipalSubspace<P, F> {
    /// The kernel PCA whose components span the subspace.
    pub fn model(&self) -> &KernelizedModel<Pca<F>, P> {
        &self.model
    }
}

impl<F: Scalar, P: KernelSpace<Scalar = F>> PrincipalSubspace<P, F> {
    /// Makes the subspace of components that were fitted to the training coordinates, for features with these names.
    pub(super) fn of(
        pca: Pca<F>,
        fitted: Fitted<P>,
        names: &[String],
    ) -> Result<Fitted<Self>, crate::Error> {
        let (space, coordinates, residuals) = fitted.into_parts();
        let scores: Array2<F> = pca.transform(coordinates.view());
        let within = squared_lengths(&(coordinates - pca.inverse_transform(&scores)?));
        let model = KernelizedModel::new(pca, space).with_feature_names(names.to_vec());
        Ok(Fitted::new(Self { model }, scores, residuals + within))
    }

    /// Makes the subspace of components that are fitted already, with the scores of some samples.
    pub(super) fn of_model(
        model: KernelizedModel<Pca<F>, P>,
        samples: &dyn AsSamples<Samples = P::Samples>,
    ) -> Result<Fitted<Self>, Error> {
        let (expected, found) = (model.space().rank(), model.inner().mean().len());
        if expected != found {
            return Err(Error::CoefficientCount { expected, found });
        }
        let subspace = Self { model };
        let (scores, residuals) = subspace.coordinates_and_residuals(samples)?;
        Ok(Fitted::new(subspace, scores, residuals))
    }
}

impl<F: Scalar, P: KernelSpace<Scalar = F>> KernelSpace for PrincipalSubspace<P, F> {
    type Samples = P::Samples;
    type Scalar = F;

    fn rank(&self) -> usize {
        self.model.inner().axes().nrows()
    }

    fn coordinates(&self, x: &dyn AsSamples<Samples = P::Samples>) -> Result<Array2<F>, Error> {
        let coordinates = self.model.space().coordinates(x)?;
        Ok(self.model.inner().transform(coordinates))
    }

    fn coordinates_and_residuals(
        &self,
        x: &dyn AsSamples<Samples = P::Samples>,
    ) -> Result<(Array2<F>, Array1<F>), Error> {
        let (coordinates, residuals) = self.model.space().coordinates_and_residuals(x)?;
        let scores: Array2<F> = self.model.inner().transform(coordinates.view());
        let within = squared_lengths(&(coordinates - self.reach(scores.view())));
        Ok((scores, residuals + within))
    }
}

impl<F: Scalar, P: ExpansionSpace<Scalar = F>> ExpansionSpace for PrincipalSubspace<P, F> {
    type Kernel = P::Kernel;

    fn kernel(&self) -> &P::Kernel {
        self.model.space().kernel()
    }

    fn expand(
        &self,
        directions: ArrayView2<'_, F>,
        offsets: ArrayView1<'_, F>,
    ) -> Result<Expansion<P::Samples, P::Kernel, F>, Error> {
        let (expected, found) = (self.rank(), directions.nrows());
        if expected != found {
            return Err(Error::CoefficientCount { expected, found });
        }
        let (expected, found) = (directions.ncols(), offsets.len());
        if expected != found {
            return Err(Error::CoefficientCount { expected, found });
        }
        let (axes, shift) = self.model.inner().linear_functions();
        let offsets = &offsets + &directions.t().dot(&shift);
        let directions = linalg::product(axes.view(), directions);
        self.model.space().expand(directions.view(), offsets.view())
    }

    fn points(
        &self,
        coordinates: ArrayView2<'_, F>,
    ) -> Result<Expansion<P::Samples, P::Kernel, F>, Error> {
        check_points(self.rank(), coordinates)?;
        self.model.space().points(self.reach(coordinates).view())
    }
}

impl<F: Scalar, P: KernelSpace<Scalar = F>> PrincipalSubspace<P, F> {
    /// The coordinates in P of the points with given scores.
    fn reach(&self, scores: ArrayView2<'_, F>) -> Array2<F> {
        let pca = self.model.inner();
        linalg::product(scores, pca.axes()) + pca.mean().insert_axis(Axis(0))
    }
}

fn squared_lengths<F: Scalar>(rows: &Array2<F>) -> Array1<F> {
    rows.outer_iter().map(|row| row.dot(&row)).collect()
}
