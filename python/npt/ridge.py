"""Ridge regression in feature space."""

import numbers

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from .base import KernelEstimator, positive, seed_of, written
from .targets import as_numbers

__all__ = ["IterativeKernelRidge", "KernelRidge", "KernelRidgeCV"]


class _Ridge(MultiOutputMixin, RegressorMixin, KernelEstimator):
    """The parts that all of them share: the shape of the targets, and the coefficients."""

    def _fit_ridge(self, method, X, y, sample_weight, space):
        X, y = self._checked_with(X, y, multi_output=True, y_numeric=True)
        self._single = y.ndim == 1
        self._fit_model(method, X, as_numbers(y), self._weights(sample_weight, X), space=space)
        self.X_fit_ = X
        learned = self.model_.learned
        coefficients = learned["coefficients"]
        if len(coefficients) == len(y):
            self.dual_coef_ = coefficients.ravel() if self._single else coefficients
        return learned

    def predict(self, X):
        """The value at each sample, one column a target."""
        values = self._ask("predict", X)
        return values.ravel() if self._single else values


class KernelRidge(_Ridge):
    """Kernel ridge regression.

    Parameters
    ----------
    alpha : float, default=1
        The penalty.
    kernel : str, npt.Kernel or callable, default="linear"
        One of scikit-learn's names, a text of the catalogue, a kernel, or a function of two samples.
    gamma : float or None, default=None
        The gamma of ``"rbf"``, ``"poly"``, ``"laplacian"``, ``"sigmoid"`` and ``"chi2"``; ``None`` is 1 / features, and 1 for ``"chi2"``.
    degree : int, default=3
        The degree of ``"poly"``.
    coef0 : float, default=1
        The constant of ``"poly"`` and ``"sigmoid"``.
    kernel_params : dict or None, default=None
        Further arguments of a callable kernel.
    precision : {"full", "single"}, default="full"
        The precision of the n × n equations. ``"single"`` takes half of the memory and evaluates kernel values twice. Its dual
        coefficients are refined to 1e-7 of their length; where that does not succeed, the fit is in full precision.
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None
        The time after which a fit ends with ``TimeoutError``.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
    X_fit_ : ndarray or sparse matrix
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import KernelRidge
    >>> x = np.linspace(0, 3, 30).reshape(-1, 1)
    >>> curve = KernelRidge(alpha=1e-3, kernel="rbf", gamma=1.0).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(curve.predict([[1.5]])[0] - np.sin(1.5)) < 0.001)
    True
    """

    def __init__(self, alpha=1, *, kernel="linear", gamma=None, degree=3, coef0=1, kernel_params=None, precision="full", verbose=False,
                 max_seconds=None):
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.precision = precision
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y, sample_weight=None):
        """Fits the function to samples and numbers; a sample of weight 2 counts twice."""
        if isinstance(self.alpha, bool) or not isinstance(self.alpha, numbers.Real) or not self.alpha >= 0:
            raise ValueError(f"alpha is {self.alpha!r}; it must be a number of at least 0")
        method = written("ridge", penalty=[self.alpha], intercept=False, precision=self.precision)
        self._fit_ridge(method, X, y, sample_weight, "exact(centered = false)")
        return self


class KernelRidgeCV(_Ridge):
    """Kernel ridge regression with the penalty of the smallest leave-one-out error; one decomposition serves all penalties.

    Parameters
    ----------
    alphas : array-like, default=(0.001, 0.01, 0.1, 1, 10)
        The penalties to choose from.
    kernel, gamma, degree, coef0, verbose, max_seconds
        As in :class:`KernelRidge`.
    fit_intercept : bool, default=False
        Whether there is an intercept, which is not penalised.

    Attributes
    ----------
    alpha_ : float
        The penalty that was chosen.
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import KernelRidgeCV
    >>> x = np.linspace(0, 3, 30).reshape(-1, 1)
    >>> curve = KernelRidgeCV(alphas=[1e-3, 1e3], kernel="rbf", gamma=1.0).fit(x, np.sin(x[:, 0]))
    >>> curve.alpha_
    0.001
    """

    def __init__(self, alphas=(1e-3, 1e-2, 1e-1, 1.0, 10.0), *, kernel="linear", gamma=None, degree=3, coef0=1, fit_intercept=False,
                 verbose=False, max_seconds=None):
        self.alphas = alphas
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y):
        """Fits the function to samples and numbers."""
        alphas = [float(alpha) for alpha in np.atleast_1d(self.alphas)]
        method = written("ridge", penalty=alphas, intercept=bool(self.fit_intercept))
        space = None if self.fit_intercept else "exact(centered = false)"
        self.alpha_ = self._fit_ridge(method, X, y, None, space)["penalty"]
        return self


class IterativeKernelRidge(_Ridge):
    """Kernel ridge regression by preconditioned conjugate gradients, for many samples.

    Parameters
    ----------
    alpha : float, default=1
        The penalty.
    kernel, gamma, degree, coef0, verbose, max_seconds
        As in :class:`KernelRidge`.
    fit_intercept : bool, default=True
        Whether there is an intercept, which is not penalised.
    tol : float, default=1e-6
        The residual at which iterations end, as a share of the targets.
    max_iter : int, default=1000
        The most iterations.
    n_pivots : int, default=500
        The number of samples that the preconditioner is made of.
    random_state : int, RandomState or None, default=None
        The seed of the choice of these samples; ``None`` is 0.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import IterativeKernelRidge
    >>> x = np.linspace(0, 3, 300).reshape(-1, 1)
    >>> curve = IterativeKernelRidge(alpha=1e-3, kernel="rbf", gamma=1.0).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(curve.predict([[1.5]])[0] - np.sin(1.5)) < 0.001)
    True
    """

    def __init__(self, alpha=1, *, kernel="rbf", gamma="scale", degree=3, coef0=1, fit_intercept=True, tol=1e-6, max_iter=1000, n_pivots=500,
                 random_state=None, verbose=False, max_seconds=None):
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_pivots = n_pivots
        self.random_state = random_state
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y, sample_weight=None):
        """Fits the function to samples and numbers; a sample of weight 2 counts twice."""
        positive(alpha=self.alpha, tol=self.tol)
        method = written("iterative_ridge", penalty=float(self.alpha), intercept=bool(self.fit_intercept), tolerance=float(self.tol),
                         iterations=self.max_iter, pivots=self.n_pivots, seed=seed_of(self.random_state))
        self._fit_ridge(method, X, y, sample_weight, None)
        self.n_iter_ = self._iterations_of("conjugate gradients")
        return self
