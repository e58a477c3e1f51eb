//! Kernel support vector classification of any number of classes.

use crate::linear::{MulticlassSvc, MulticlassSvcParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Support vector classification of any number of classes with a kernel: [`MulticlassSvc`] in
/// kernel coordinates.
///
/// # Definition
/// The functions of [`MulticlassSvc`], one a pair of classes or one a class, each that of a
/// [`KernelSvc`](crate::KernelSvc). All share one kernel space. The fitted model `predict`s classes
/// and `transform`s to the decision values. [`KernelSvc`](crate::KernelSvc) is the same for labels that are not `bool`; this one takes
/// `bool`, too, and any label without an [`SvcLabel`](crate::linear::SvcLabel).
///
/// # Dual coefficients of each machine
/// Fitted to kernel values, as it is unless a rank was asked for, column m of the coefficients of the model's
/// [`expansion`](npt_core::FoldedModel::expansion) and its offset m are the βᵢ = yᵢαᵢ and the b of machine m, fₘ(x) = Σ βᵢκ(xᵢ, x) + b:
/// 0 ≤ yᵢβᵢ ≤ C and Σβᵢ = 0, and 0 for samples of other classes than the two of a pair. Row k belongs to the training sample
/// `inner().support()[k]`. One against one of more than 16 classes, the expansion is the kernel values themselves, and
/// [`pair_coefficients`](MulticlassSvc::pair_coefficients) has the βᵢ: a support vector has one for each other class. In a space of landmarks the coefficients are those of the landmarks, and no αᵢ are kept.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`MulticlassSvc`] documents.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::KernelMulticlassSvc;
///
/// let rings = Dataset::new(
///     array![[0.0, 0.1], [0.1, 0.0], [2.0, 0.0], [-2.0, 0.1], [0.1, 5.0], [0.0, -5.0]],
///     array!["in", "in", "middle", "middle", "out", "out"],
/// );
/// let model = KernelMulticlassSvc::params(Gaussian::new(0.5)).method(|m| m.c(10.0)).fit(&rings)?;
/// assert_eq!(&model.predict(&rings), rings.targets());
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// C.-W. Hsu, C.-J. Lin, "A Comparison of Methods for Multiclass Support Vector Machines", IEEE
/// Transactions on Neural Networks 13(2), 2002. doi:10.1109/72.991427
#[derive(Debug, Clone, Copy)]
pub struct KernelMulticlassSvc;

impl KernelMulticlassSvc {
    /// The classifier in the exact space of `kernel`, with the defaults of
    /// [`MulticlassSvc::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<MulticlassSvcParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(MulticlassSvc::params(), builder)
    }
}
