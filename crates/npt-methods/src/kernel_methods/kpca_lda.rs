//! Discriminants of kernel principal components.

use crate::linear::{Chain, Lda, LdaParams, Pca, PcaParams};
use npt_core::{Axes, Exact, KernelMethod};

/// KPCA plus LDA: Fisher's discriminant of the first kernel principal components, as a [`Chain`] of [`Pca`] and [`Lda`]
/// in kernel coordinates.
///
/// # Definition
/// With z(x) the scores of [`Kpca`](crate::Kpca), the discriminants are the directions of z that [`Lda`] finds. With
/// all components they are the discriminants of [`Kfd`](crate::Kfd). With fewer than n − C components, for n samples in C classes, the
/// scatter within classes has an inverse, and needs no ridge; the number of components regularises in its place.
///
/// The fitted model `transform`s to discriminant scores and `predict`s classes.
///
/// # Parameters
/// The number of components, from 1 to the rank of the centred kernel matrix. The parameters of the discriminant are set by
/// `.method(|chain| chain.map_second(|lda| …))`.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`Pca`] and [`Lda`] document.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::KpcaLda;
///
/// let inner_and_outer = Dataset::new(
///     array![[0.0, 0.1], [0.1, 0.0], [2.0, 0.0], [-2.0, 0.1], [0.1, 2.0], [0.0, -2.0]],
///     array!["in", "in", "out", "out", "out", "out"],
/// );
/// let params = KpcaLda::params(3, Gaussian::new(0.5)).method(|chain| chain.map_second(|lda| lda.ridge(0.0)));
/// let model = params.fit(&inner_and_outer)?;
/// assert_eq!(&model.predict(&inner_and_outer), inner_and_outer.targets());
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// J. Yang, A. Frangi, J.-Y. Yang, D. Zhang, Z. Jin, "KPCA Plus LDA: A Complete Kernel Fisher Discriminant Framework for
/// Feature Extraction and Recognition", IEEE TPAMI 27(2), 2005, of which this is the part outside the null space of the
/// scatter within classes. doi:10.1109/TPAMI.2005.33
#[derive(Debug, Clone, Copy)]
pub struct KpcaLda;

impl KpcaLda {
    /// The first `components` components in the exact space of `kernel`, and the defaults of [`Lda::params`].
    pub fn params<K>(
        components: usize,
        kernel: K,
    ) -> KernelMethod<Chain<PcaParams, LdaParams>, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        let chain = Chain::new(Pca::params(components), Lda::params());
        KernelMethod::new(chain, builder)
    }
}
