//! Pre-images by a learned map.

use super::{PreImage, Training, check_points};
use crate::{Error, error::require};
use ndarray::{Array2, ArrayView2, Axis};
use npt_core::{Kernel, Rows, Scalar, linalg};

/// Pre-images in spaces of any kernel, by a map that is learned from the training samples: kernel
/// ridge regression from points to inputs.
///
/// # Definition
/// With pᵢ the points of the training samples xᵢ, x̄ their mean, and ℓ a kernel on coordinates with
/// Lᵢⱼ = ℓ(pᵢ, pⱼ), the pre-image of p is
///
/// z = x̄ + Σᵢ cᵢ ℓ(pᵢ, p) with C = (L + αI)⁻¹(X − 1x̄ᵀ).
///
/// ℓ [`Linear`](npt_core::Linear) gives a linear map. scikit-learn's `KernelPCA` with
/// `fit_inverse_transform=True` takes the kernel of the space for ℓ, and leaves x̄ out: on samples of
/// mean 0 it gives these values.
///
/// # Parameters
/// The kernel ℓ, and α ≥ 0.
///
/// # Errors
/// [`Error::Parameter`] for α, [`npt_core::Error::NotPositiveDefinite`] where it is too small for L,
/// as [`PreImage::pre_images`] says for the points.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, KernelSpace, Linear, Polynomial, SpaceBuilder};
/// use npt_methods::pre_image::{PreImage, PreImageRidge, Training};
///
/// let x = array![[1.0], [2.0], [4.0]];
/// let space = Exact::new(Polynomial::new(2, 1.0, 1.0)).fit_space(&x)?;
/// let training = Training::new(&space, &x)?;
/// let points = space.coordinates(&array![[3.0]])?;
/// let z = PreImageRidge::new(Linear::new(), 1e-9).pre_images(&training, points.view())?;
/// assert!((z[[0, 0]] - 3.0_f64).abs() < 1e-6);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// G. Bakır, J. Weston, B. Schölkopf, "Learning to Find Pre-Images", NIPS 16, 2003.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PreImageRidge<L> {
    kernel: L,
    alpha: f64,
}

impl<L> PreImageRidge<L> {
    /// By regression with the kernel ℓ on coordinates and the penalty α.
    pub fn new(kernel: L, alpha: f64) -> Self {
        Self { kernel, alpha }
    }
}

impl<F, K, L> PreImage<F, K> for PreImageRidge<L>
where
    F: Scalar,
    K: Kernel<Rows<F>, Scalar = F>,
    L: Kernel<Rows<F>, Scalar = F>,
{
    fn pre_images(
        &self,
        training: &Training<'_, F, K>,
        points: ArrayView2<'_, F>,
    ) -> Result<Array2<F>, Error> {
        let valid = self.alpha >= 0.0 && self.alpha.is_finite();
        let allowed = "finite, at least 0";
        require(valid, "PreImageRidge", "alpha", self.alpha, allowed)?;
        check_points(training.space(), &points)?;
        let known = Rows::new(training.points().to_owned())?;
        let points = Rows::new(points.to_owned())?;
        self.kernel.check(&known)?;
        self.kernel.check(&points)?;

        let mut matrix = self.kernel.gram(&known);
        matrix
            .diag_mut()
            .mapv_inplace(|value| value + F::cast(self.alpha));
        let mean = training.samples().mean_axis(Axis(0));
        let mean = mean.expect("training samples are not empty");
        let lower = linalg::cholesky(&matrix)?;
        let half = linalg::solve_lower(lower.view(), (&training.samples() - &mean).view());
        let coefficients = linalg::solve_lower_transposed(lower.view(), half.view());
        let values = self.kernel.cross(&points, &known);
        let inputs = linalg::product(values.view(), coefficients.view()) + &mean;
        // Kernels other than those of this crate may leave the range of numbers.
        Ok(Rows::new(inputs)?.view().to_owned())
    }
}
