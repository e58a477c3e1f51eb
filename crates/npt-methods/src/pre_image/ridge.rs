//! Pre-images by a learned map.

use super::{PreImage, PreImageMap, Training, check_points};
use crate::{
    Error,
    error::{require_finite, require_not_negative},
    magnitude::rounding,
};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use npt_core::{Kernel, KernelSpace, Rows, Scalar, linalg};

const OF: &str = "PreImageRidge";

/// Pre-images in spaces of any kernel, by a map that is learned from the training samples: kernel
/// ridge regression from points to inputs.
///
/// # Definition
/// With pᵢ the points of the training samples xᵢ, x̄ their mean, and ℓ a kernel on coordinates with
/// Lᵢⱼ = ℓ(pᵢ, pⱼ), the pre-image of p is
///
/// z = x̄ + Σᵢ cᵢ ℓ(pᵢ, p) with C = (L + αI)⁻¹(X − 1x̄ᵀ).
///
/// [`Linear`](npt_core::Linear) as ℓ gives a linear map. scikit-learn's `KernelPCA` with
/// `fit_inverse_transform=True` takes the kernel of the space for ℓ, and leaves x̄ out: on samples of
/// mean 0 it gives the values of this map.
///
/// # Parameters
/// The kernel ℓ, and α ≥ 0.
///
/// # Errors
/// [`Error::Parameter`] for α, [`Error::Singular`] where α is too small for L, [`Error::Overflow`]
/// where kernel values or inputs are not finite; the errors of ℓ; the errors of [`PreImageMap::pre_images`] for
/// the points.
///
/// # Example
/// ```
/// use ndarray::array;
/// use npt_core::{Exact, KernelSpace, Linear, Polynomial, SpaceBuilder};
/// use npt_methods::pre_image::{PreImage, PreImageMap, PreImageRidge, Training};
///
/// let x = array![[1.0], [2.0], [4.0]];
/// let fitted = Exact::new(Polynomial::new(2, 1.0, 1.0)).fit_space(&x)?;
/// let map = PreImageRidge::new(Linear::new(), 1e-9).fit(&Training::new(&fitted, &x)?)?;
/// let z = map.pre_images(fitted.space(), fitted.coordinates(&array![[3.0]])?.view())?;
/// assert!((z[[0, 0]] - 3.0_f64).abs() < 1e-6);
/// # Ok::<(), npt_methods::Error>(())
/// ```
///
/// # References
/// G. Bakır, J. Weston, B. Schölkopf, "Learning to Find Pre-Images", NIPS 16, 2003.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PreImageRidge<L> {
    kernel: L,
    alpha: f64,
}

impl<L> PreImageRidge<L> {
    /// Makes the method of regression with the kernel ℓ on coordinates and the penalty α.
    pub fn new(kernel: L, alpha: f64) -> Self {
        Self { kernel, alpha }
    }

    /// The Cholesky factor of L + αI.
    fn factor<F: Scalar>(&self, mut matrix: Array2<F>) -> Result<Array2<F>, Error> {
        let level = rounding::<F>(matrix.nrows());
        let longest = matrix.diag().fold(F::zero(), |m, &v| m.max(v));
        let singular = || Error::Singular {
            of: OF,
            parameter: "alpha",
            value: self.alpha,
            least: (level * longest).as_f64(),
        };
        let alpha = F::cast(self.alpha);
        matrix.diag_mut().mapv_inplace(|value| value + alpha);
        require_finite(OF, matrix.iter())?;
        let lower = linalg::cholesky(&matrix).map_err(|error| match error {
            npt_core::Error::NotPositiveDefinite { .. } => singular(),
            other => other.into(),
        })?;
        // The square of a root is the part of a diagonal entry that the rows before it leave; where it is rounding, so is the map.
        let mut left = lower.diag().into_iter().zip(matrix.diag());
        if left.any(|(&root, &entry)| root * root <= level * entry) {
            return Err(singular());
        }
        Ok(lower)
    }
}

/// Fitted [`PreImageRidge`]: the learned map from points to inputs.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RidgeMap<L, F = f64> {
    kernel: L,
    /// The points pᵢ of the training samples.
    known: Rows<F>,
    /// The coefficients C, shape (n, features).
    coefficients: Array2<F>,
    /// The mean x̄ of the training samples.
    mean: Array1<F>,
}

impl<F, L, P> PreImage<P> for PreImageRidge<L>
where
    F: Scalar,
    L: Kernel<Rows<F>, Scalar = F> + Clone,
    P: KernelSpace<Samples = Rows<F>, Scalar = F>,
{
    type Map = RidgeMap<L, F>;

    fn fit(&self, training: &Training<'_, P>) -> Result<RidgeMap<L, F>, Error> {
        require_not_negative(OF, "alpha", self.alpha)?;
        let known = Rows::new(training.points().to_owned())?;
        self.kernel.check(&known)?;
        let samples = training.samples().view();
        let mean = samples.mean_axis(Axis(0));
        let mean = mean.expect("training samples are not empty");
        let lower = self.factor(self.kernel.gram(&known))?;
        let half = linalg::solve_lower(lower.view(), (&samples - &mean).view());
        Ok(RidgeMap {
            kernel: self.kernel.clone(),
            known,
            coefficients: linalg::solve_lower_transposed(lower.view(), half.view()),
            mean,
        })
    }
}

impl<F, L, P> PreImageMap<P> for RidgeMap<L, F>
where
    F: Scalar,
    L: Kernel<Rows<F>, Scalar = F>,
    P: KernelSpace<Samples = Rows<F>, Scalar = F>,
{
    fn pre_images(&self, _: &P, points: ArrayView2<'_, F>) -> Result<Array2<F>, Error> {
        check_points(self.known.view().ncols(), points)?;
        let points = Rows::new(points.to_owned())?;
        self.kernel.check(&points)?;
        let values = self.kernel.cross(&points, &self.known);
        let inputs = linalg::product(values.view(), self.coefficients.view()) + &self.mean;
        require_finite(OF, inputs.iter())?;
        Ok(inputs)
    }
}

npt_core::checked! {
    RidgeMap<L, F> { kernel: L, known: Rows<F>, coefficients: Array2<F>, mean: Array1<F> }
    where F: Scalar, L: Kernel<Rows<F>, Scalar = F>
}

#[cfg(feature = "serde")]
impl<F: Scalar, L: Kernel<Rows<F>, Scalar = F>> RidgeMap<L, F> {
    fn check_parts(&self) -> Result<(), String> {
        use npt_core::serial::{agree, finite};
        let ((rows, columns), known) = (self.coefficients.dim(), self.known.view().nrows());
        agree("rows of coefficients", rows, "training samples", known)?;
        agree(
            "columns of coefficients",
            columns,
            "features",
            self.mean.len(),
        )?;
        finite(
            "the coefficients",
            self.coefficients.iter().chain(&self.mean),
        )?;
        let checked = self.kernel.check(&self.known);
        checked.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// Factors a matrix whose second row is half of the first one, but for a share of its diagonal.
    fn factor(share: f64) -> Result<Array2<f64>, Error> {
        let matrix = array![[64.0, 32.0], [32.0, 16.0 * (1.0 + share)]];
        PreImageRidge::new(npt_core::Linear::new(), 0.0).factor(matrix)
    }

    #[test]
    fn what_rounding_leaves_of_the_diagonal_is_refused() {
        let level = rounding::<f64>(2);
        let refused = Error::Singular {
            of: OF,
            parameter: "alpha",
            value: 0.0,
            least: level * 64.0,
        };
        for share in [0.0, level / 2.0] {
            assert_eq!(factor(share), Err(refused.clone()), "{share:e}");
        }
        assert_eq!(factor(2.0 * level).map(|lower| lower[[1, 0]]), Ok(4.0));
    }
}
