"""A support vector machine whose kernel is a learned sum of kernels."""

from . import _npt
from .base import TOLERANCE, gamma_of, is_function, positive, to_samples, written
from .kernels import Kernel, as_kernel
from .svm import SVC
from .targets import Labels

__all__ = ["MultipleKernelSVC"]

# Factors of the data's own gamma.
_WIDTHS = (1 / 16, 1 / 4, 1, 4, 16)


class MultipleKernelSVC(SVC):
    """Support vector classification with several kernels, whose weights are learned from the classes.

    Parameters
    ----------
    kernels : list of str or npt.Kernel, or None, default=None
        ``None`` is five Gaussian kernels, whose gammas are from a sixteenth to sixteen times that of the data.
    C : float, default=1.0
        The penalty of margin violations.
    weighting : {"svm_mkl", "alignment", "independent_alignment"}, default="svm_mkl"
        The weights with the largest margin, the weights whose sum is most like the classes, or each kernel's own likeness with the classes.
    norm : float, default=1.0
        For ``"svm_mkl"``, the p of the norm that bounds the weights: most weights are 0 at 1, and they are more alike the larger it is.
    tol : float, default=1e-8
        The largest violation of the optimality conditions at which the machine stops.
    weight_tol : float, default=1e-3
        For ``"svm_mkl"``, the relative duality gap of the weights.
    class_weight : dict, "balanced" or None, default=None
        Factors of C for the classes, in the machine and not in the search for the weights.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
    break_ties : bool, default=False
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None
        The time after which the fit ends with ``TimeoutError``.

    Attributes
    ----------
    weights_ : ndarray of shape (n_kernels,)
    kernel_ : npt.Kernel
        The sum of the kernels whose weights are not 0.
    classes_, support_, support_vectors_, n_support_, dual_coef_, intercept_, model_
        As in :class:`npt.SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from npt import MultipleKernelSVC
    >>> x = np.linspace(-5, 5, 40).reshape(-1, 1)
    >>> kernels = ["gaussian(gamma = 1e-4)", "gaussian(gamma = 0.3)", "gaussian(gamma = 1e4)"]
    >>> machine = MultipleKernelSVC(kernels, C=10, weighting="alignment").fit(x, np.abs(x[:, 0]) < 2)
    >>> int(machine.weights_.argmax())
    1
    """

    _takes_kernel_matrices = False
    kernel = "rbf"
    gamma, degree, coef0, probability, random_state = "scale", 3, 0.0, "deprecated", None

    def __init__(self, kernels=None, *, C=1.0, weighting="svm_mkl", norm=1.0, tol=TOLERANCE, weight_tol=1e-3, class_weight=None,
                 decision_function_shape="ovr", break_ties=False, verbose=False, max_seconds=None):
        self.kernels = kernels
        self.C = C
        self.weighting = weighting
        self.norm = norm
        self.tol = tol
        self.weight_tol = weight_tol
        self.class_weight = class_weight
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y):
        """Learns the weights, and fits the machine, from samples and their classes."""
        for learned in ("model_", "kernel_", "weights_"):
            self.__dict__.pop(learned, None)
        positive(C=self.C, norm=self.norm, tol=self.tol, weight_tol=self.weight_tol)
        checked, classes = self._checked_with(X, y)
        labels = Labels(classes).require_two(type(self).__name__)
        kernels = self._kernels(checked)
        method = self.weighting
        if method == "svm_mkl":
            method = written(method, c=float(self.C), norm=float(self.norm), tolerance=float(self.weight_tol))
        self.weights_ = _npt.kernel_weights(method, [str(kernel) for kernel in kernels], to_samples(checked), labels.targets, self._work())
        terms = [weight * kernel for weight, kernel in zip(self.weights_.tolist(), kernels, strict=True) if weight > 0]
        self.kernel_ = sum(terms[1:], terms[0])
        return super().fit(X, y)

    def _kernels(self, X):
        """The kernels, in which gammas by the data are numbers."""
        if self.kernels is None:
            gamma = gamma_of(X, "scale")
            return [Kernel("gaussian", gamma=width * gamma) for width in _WIDTHS]
        if isinstance(self.kernels, str) or len(self.kernels) == 0:
            raise ValueError(f"kernels is {self.kernels!r}; it must be a list of at least one kernel")
        if any(is_function(kernel) for kernel in self.kernels):
            raise ValueError("MultipleKernelSVC takes kernels by name, no functions")
        return [as_kernel(super(MultipleKernelSVC, self)._resolved(X, None, kernel)) for kernel in self.kernels]

    def _resolved(self, X, sample_weight, kernel=None):
        return str(self.kernel_) if kernel is None else super()._resolved(X, sample_weight, kernel)
