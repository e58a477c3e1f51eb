//! Kernel support vector classification.

use crate::linear::{Svc, SvcParams};
use npt_core::{Axes, Exact, KernelMethod};

/// Support vector classification with a kernel: [`Svc`] in kernel coordinates.
///
/// # Definition
/// The dual of the kernel trick, maximise Σ αᵢ − ½ Σ αᵢαⱼyᵢyⱼκ(xᵢ, xⱼ) over 0 ≤ αᵢ ≤ Cᵢ and
/// Σ αᵢyᵢ = 0 (equation 18); centring κ does not change it. The fitted model `predict`s labels and `transform`s to the values of
/// the decision function.
///
/// # Labels
/// Labels of type `bool` have one value per sample, positive for `true`. Any other labels ([`SvcLabel`](crate::linear::SvcLabel)), of two
/// classes or more, have one problem per pair of classes, each with a column of values, positive for the first class of the pair, or
/// one problem per class ([`MulticlassSvc`](crate::linear::MulticlassSvc)): `.method(|m| m.strategy(Strategy::OneAgainstRest))`. All
/// problems share one kernel space. To fit `bool` as two classes, or labels without an `SvcLabel`, take the parameters of that
/// classifier: `.method(|_| MulticlassSvc::params())`.
///
/// # Support vectors
/// The method is fitted to kernel values unless a rank was asked for. Then f(x) = Σ βᵢκ(xᵢ, x) + b is the model's
/// [`expansion`](npt_core::ExpansionModel::expansion): its samples are the support vectors, its coefficients the βᵢ = yᵢαᵢ, its
/// offset b. `inner().support()` has the positions of the support vectors among the training samples, `inner().support_counts()` their
/// number in each class. In a space of landmarks the coefficients are those of the landmarks, and no αᵢ are kept.
///
/// With several classes, each function has a column of coefficients and an offset: column m and offset m are
/// the βᵢ and the b of machine m. Here 0 ≤ yᵢβᵢ ≤ C and Σβᵢ = 0, and βᵢ is 0 for samples of other classes than the two of a pair. Row k
/// belongs to the training sample `inner().support()[k]`. With one against one and more than 16 classes, the expansion gives the kernel
/// values themselves, and [`pair_coefficients`](crate::linear::MulticlassSvc::pair_coefficients) has the βᵢ: a support vector has one for
/// each other class.
///
/// # Errors
/// [`KernelizedError::Space`](npt_core::KernelizedError::Space) for samples and kernel,
/// [`KernelizedError::Method`](npt_core::KernelizedError::Method) as [`Svc`] and [`MulticlassSvc`](crate::linear::MulticlassSvc)
/// document.
///
/// # Example
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict, Transformer}};
/// use ndarray::{Array1, array};
/// use npt_core::Polynomial;
/// use npt_methods::KernelSvc;
///
/// let xor = Dataset::new(
///     array![[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]],
///     array![false, false, true, true],
/// );
/// let params = KernelSvc::params(Polynomial::homogeneous(2)).method(|m| m.c(10.0).tolerance(1e-9));
/// let model = params.fit(&xor)?;
/// assert_eq!(&model.predict(&xor), xor.targets());
/// let values: Array1<f64> = model.transform(xor.records);
/// assert!((&values - &array![-1.0, -1.0, 1.0, 1.0]).iter().all(|d| d.abs() < 1e-8));
///
/// let (beta, b) = (model.expansion().coefficients(), model.expansion().offsets());
/// assert_eq!(model.inner().support().len(), beta.nrows());
/// // κ is 4 within a class and 0 across: the classes are two points √8 apart, where Σ αᵢ = 2·2/8.
/// assert!((beta.mapv(f64::abs).sum() - 0.5).abs() < 1e-8 && b[0].abs() < 1e-8);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// Several classes, by their names:
/// ```
/// use linfa::{Dataset, traits::{Fit, Predict}};
/// use ndarray::array;
/// use npt_core::Gaussian;
/// use npt_methods::{KernelSvc, linear::Strategy};
///
/// let rings = Dataset::new(
///     array![[0.0, 0.1], [0.1, 0.0], [2.0, 0.0], [-2.0, 0.1], [0.1, 5.0], [0.0, -5.0]],
///     array!["in", "in", "middle", "middle", "out", "out"],
/// );
/// let model = KernelSvc::params(Gaussian::new(0.5)).method(|m| m.c(10.0)).fit(&rings)?;
/// assert_eq!(&model.predict(&rings), rings.targets());
/// assert_eq!(model.classes(), ["in", "middle", "out"]);
///
/// let rest = KernelSvc::params(Gaussian::new(0.5)).method(|m| m.strategy(Strategy::OneAgainstRest));
/// assert_eq!(rest.fit(&rings)?.expansion().offsets().len(), 3);
/// # Ok::<(), npt_core::KernelizedError<npt_methods::Error>>(())
/// ```
///
/// # References
/// C. Cortes, V. Vapnik, "Support-Vector Networks", Machine Learning 20(3), 1995.
/// doi:10.1007/BF00994018. For several classes: C.-W. Hsu, C.-J. Lin, "A Comparison of Methods for Multiclass Support Vector
/// Machines", IEEE Transactions on Neural Networks 13(2), 2002. doi:10.1109/72.991427
#[doc(alias("multiclass"))]
#[derive(Debug, Clone, Copy)]
pub struct KernelSvc;

impl KernelSvc {
    /// The classifier in the exact space of `kernel`, with the defaults of [`Svc::params`].
    pub fn params<K>(kernel: K) -> KernelMethod<SvcParams, Exact<K>> {
        let builder = Exact::new(kernel).axes(Axes::Cholesky);
        KernelMethod::new(Svc::params(), builder)
    }
}
