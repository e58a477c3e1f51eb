"""Components: directions in feature space."""

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, MultiOutputMixin, RegressorMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_array
from sklearn.utils.validation import _num_samples, check_is_fitted

from .base import KernelEstimator, as_precise, is_function, is_items, require_whole, seed_of, to_samples, written
from .progress import warn
from .targets import as_numbers

__all__ = ["KernelCCA", "KernelICA", "KernelPCA", "KernelPCAL1", "KernelPLS", "RobustKernelPCA"]


class Components(ClassNamePrefixFeaturesOutMixin, TransformerMixin, KernelEstimator):
    """The parts that transformers share."""

    def transform(self, X):
        """The components of samples, one row a sample."""
        return self._ask("transform", X)

    @property
    def _n_features_out(self):
        return self.n_components_


class KernelPCA(Components):
    """Kernel principal component analysis.

    Parameters
    ----------
    n_components : int or None, default=None
        The number of components; ``None`` keeps all whose eigenvalue is above rounding. For a kernel that is not positive semidefinite
        it has to be given, and is at most the number of positive eigenvalues.
    kernel : str, npt.Kernel or callable, default="linear"
        One of scikit-learn's names, a text of the catalogue, a kernel, or a function of two samples.
    gamma : float or None, default=None
        ``None`` is 1 / features.
    degree : int, default=3
        The degree of ``"poly"``.
    coef0 : float, default=1
        The constant of ``"poly"`` and ``"sigmoid"``.
    kernel_params : dict or None, default=None
        Further arguments of a callable kernel.
    alpha : float, default=1.0
        The penalty of the regression behind ``fit_inverse_transform``.
    fit_inverse_transform : bool, default=False
        Whether :meth:`inverse_transform` is learned, by ridge regression of inputs on components.
    remove_zero_eig : bool, default=False
        Whether components without an eigenvalue above rounding are left out. Otherwise they are columns of zeros, as many as
        ``n_components`` asks for, up to one a sample; the model that :meth:`save` keeps has none of them.
    precision : {"full", "single"}, default="full"
        The precision of the n × n eigenproblem. ``"single"`` takes half of the memory and evaluates kernel values twice. Its directions
        are eigenvectors to 1e-3 of their length, often 1e-5; where they are not, the fit is in full precision. So it is if all components are
        asked for, and for ``fit_inverse_transform``.
    eigen_solver, tol, max_iter, iterated_power, random_state, copy_X, n_jobs
        Accepted as in scikit-learn, and without effect: there is one solver, whose components are exact and above rounding, and which
        has all threads.
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None
        The time after which a fit ends with ``TimeoutError``.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        Eigenvalues of the centred kernel matrix, descending; 0 where they are not above rounding.
    n_components_ : int
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import KernelPCA
    >>> x = np.random.default_rng(0).normal(size=(50, 3))
    >>> KernelPCA(n_components=2, kernel="rbf").fit_transform(x).shape
    (50, 2)
    """

    def __init__(self, n_components=None, *, kernel="linear", gamma=None, degree=3, coef0=1, kernel_params=None, alpha=1.0,
                 fit_inverse_transform=False, eigen_solver="auto", tol=0, max_iter=None, iterated_power="auto", remove_zero_eig=False,
                 random_state=None, copy_X=True, n_jobs=None, precision="full", verbose=False, max_seconds=None):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.precision = precision
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y=None):
        """Fits the components to samples."""
        if self.fit_inverse_transform and (self.kernel == "precomputed" or is_function(self.kernel)):
            raise ValueError("Cannot fit_inverse_transform with a precomputed kernel, nor with a function of samples.")
        for learned in ("_found", "eigenvalues_", "X_fit_", "n_components_"):
            self.__dict__.pop(learned, None)
        X = self._checked(X, reset=True, ensure_min_samples=2)
        if self.n_components is not None:
            require_whole(n_components=self.n_components)
        asked = None if self.n_components is None else min(self.n_components, _num_samples(X))
        space = self._fit_components(X, asked)
        found = self.model_.learned["eigenvalues"] if hasattr(self, "model_") else np.empty(0)
        self._found = len(found)
        if self.fit_inverse_transform:
            pre_image = written("ridge", alpha=float(self.alpha))
            self._fit_model(self._method(self._found), X, space=space, pre_image=pre_image)
        self.X_fit_ = X
        self.n_components_ = self._found if asked is None or self.remove_zero_eig else max(asked, self._found)
        self.eigenvalues_ = np.append(found, np.zeros(self.n_components_ - self._found))
        return self

    def _method(self, components):
        return written("kpca", components=components, precision=self.precision)

    def _fit_components(self, X, asked):
        """Fits as many components as are asked for, or as there are; returns the space that they are fitted in."""
        every = asked is None or asked == _num_samples(X)
        try:
            self._fit_model("coordinates" if every else self._method(asked), X)
        except ValueError as error:
            if hasattr(error, "smallest_eigenvalue"):
                return self._fit_positive(X, asked, error)
            if not hasattr(error, "available") or (error.available == 0 and self.fit_inverse_transform):
                raise
            if error.available == 0:
                warn(f"all components are 0: {error}", UserWarning)
            else:
                self._fit_model("coordinates", X)
        return None

    def _fit_positive(self, X, asked, error):
        """Fits the components of an indefinite kernel with the largest eigenvalues, all of which must be positive."""
        space = written("exact", indefinite="clip")
        if asked is None:
            raise ValueError(
                "There are significant negative eigenvalues, as the kernel is not positive semidefinite; set n_components to at most "
                f"the number of positive ones: {error}"
            ) from error
        try:
            self._fit_model(self._method(asked), X, space=space)
        except ValueError as fewer:
            raise ValueError(
                "There are significant negative eigenvalues, as the kernel is not positive semidefinite, so that there are no "
                f"{asked} components: {fewer}"
            ) from error
        return space

    def transform(self, X):
        """The components of samples, one row a sample; components beyond the span of the training samples are 0."""
        check_is_fitted(self, "eigenvalues_")
        if self._found == 0:
            X = self._checked(X, reset=False)
            return self._with_zeros(as_precise(np.empty((_num_samples(X), 0)), X))
        return self._with_zeros(super().transform(X))

    def _with_zeros(self, columns):
        """Appends columns of zeros, for the components beyond those that were found."""
        missing = self.n_components_ - self._found
        return np.pad(columns, [(0, 0), (0, missing)]) if missing else columns

    @property
    def gamma_(self):
        """The gamma of the kernel, if it has one."""
        return self._gamma

    @property
    def eigenvectors_(self):
        """Eigenvectors of the centred kernel matrix, one column a component."""
        check_is_fitted(self)
        if self._found and (self._kernel == "precomputed" or callable(self._kernel)):
            training = self.model_._model.transform(self._training_samples(self.X_fit_, None))
        else:
            training = self.transform(self.X_fit_)
        # The eigenvectors of components that are 0 are 0, too.
        return self._with_zeros(training[:, : self._found] / np.sqrt(self.eigenvalues_[: self._found]))

    def _the_model(self):
        check_is_fitted(self, "eigenvalues_")
        if self._found == 0:
            raise ValueError("the samples of the fit had no variance, so there is no model to save")
        return self.model_

    def fit_transform(self, X, y=None):
        """Fits the components, and returns those of the same samples."""
        return self.fit(X).transform(X)

    def inverse_transform(self, X):
        """Inputs that have these components, or nearly."""
        check_is_fitted(self)
        if not self.fit_inverse_transform:
            raise NotFittedError("The fit_inverse_transform parameter was not set to True when instantiating, so there is no inverse")
        components = check_array(X, dtype=np.float64)
        if components.shape[1] != self.n_components_:
            raise ValueError(f"X has {components.shape[1]} components, but the fit has {self.n_components_}")
        return self.model_._model.inverse_transform(np.ascontiguousarray(components[:, : self._found]))


class KernelPCAL1(Components):
    """Kernel principal components by the L1 norm, which outliers move less.

    Parameters
    ----------
    n_components : int, default=1
    kernel, gamma, degree, coef0, verbose, max_seconds
        As in :class:`KernelPCA`.
    n_init : int, default=10
        The number of directions from which each component starts.
    max_iter : int, default=1000
        The most iterations from one start.
    random_state : int, RandomState or None, default=None
        The seed of the starts; ``None`` is 0.

    Attributes
    ----------
    n_components_ : int
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import KernelPCAL1
    >>> x = np.random.default_rng(0).normal(size=(50, 3))
    >>> KernelPCAL1(n_components=2, kernel="rbf").fit_transform(x).shape
    (50, 2)
    """

    def __init__(self, n_components=1, *, kernel="rbf", gamma="scale", degree=3, coef0=1, n_init=10, max_iter=1000, random_state=None,
                 verbose=False, max_seconds=None):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y=None, sample_weight=None):
        """Fits the components to samples; a sample of weight 2 counts twice."""
        X = self._checked(X, reset=True, ensure_min_samples=2)
        method = written("kpca_l1", components=self.n_components, starts=self.n_init, max_iterations=self.max_iter,
                         seed=seed_of(self.random_state))
        self._fit_model(method, *self._distinct(X, self._weights(sample_weight, X)))
        self.n_components_ = self.n_components
        self.n_iter_ = self._iterations_of("an L1 component")
        return self


class KernelICA(Components):
    """Kernel independent component analysis: FastICA on kernel principal components.

    Parameters
    ----------
    n_components : int, default=1
    kernel, gamma, degree, coef0, verbose, max_seconds
        As in :class:`KernelPCA`.
    contrast : {"log_cosh", "exp", "cube"}, default="log_cosh"
    tol : float, default=1e-4
    max_iter : int, default=1000
    random_state : int, RandomState or None, default=None
        The seed of the start; ``None`` is 0.

    Attributes
    ----------
    n_components_ : int
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import KernelICA
    >>> x = np.random.default_rng(0).normal(size=(50, 3))
    >>> KernelICA(n_components=2, kernel="rbf").fit_transform(x).shape
    (50, 2)
    """

    def __init__(self, n_components=1, *, kernel="rbf", gamma="scale", degree=3, coef0=1, contrast="log_cosh", tol=1e-4, max_iter=1000,
                 random_state=None, verbose=False, max_seconds=None):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.contrast = contrast
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y=None, sample_weight=None):
        """Fits the components to samples; a sample of weight 2 counts twice."""
        X = self._checked(X, reset=True, ensure_min_samples=2)
        method = written("ica", components=self.n_components, contrast=self.contrast, tolerance=float(self.tol),
                         max_iterations=self.max_iter, seed=seed_of(self.random_state))
        self._fit_model(method, X, None, self._weights(sample_weight, X))
        self.n_components_ = self.n_components
        self.n_iter_ = self._iterations_of("FastICA")
        return self


class RobustKernelPCA(Components):
    """Kernel principal components of samples that are partly missing, or partly wrong.

    Parameters
    ----------
    n_components : int, default=1
    gamma : {"scale", "auto"} or float, default="scale"
        The gamma of the Gaussian kernel; no other kernel is taken.
    fidelity : float, default=1.0
        The weight of the samples, relative to that of the components.
    outlier_scale : float or None, default=None
        The deviation beyond which a value counts as wrong; by default no value does.
    tol : float, default=1e-3
    max_iter : int, default=100
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None

    Attributes
    ----------
    n_components_ : int
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import RobustKernelPCA
    >>> t = np.linspace(-1, 1, 60)
    >>> x = np.column_stack([t, t**2])
    >>> x[20, 1] = np.nan
    >>> curve = RobustKernelPCA(n_components=6, gamma=1.0, fidelity=10.0).fit(x)
    >>> bool(abs(curve.reconstruct([[0.6, np.nan]])[0, 1] - 0.36) < 0.01)
    True
    """

    _takes_sparse = False
    _takes_kernel_matrices = False
    kernel = "rbf"
    degree = coef0 = None

    def __init__(self, n_components=1, *, gamma="scale", fidelity=1.0, outlier_scale=None, tol=1e-3, max_iter=100, verbose=False, max_seconds=None):
        self.n_components = n_components
        self.gamma = gamma
        self.fidelity = fidelity
        self.outlier_scale = outlier_scale
        self.tol = tol
        self.max_iter = max_iter
        self.verbose = verbose
        self.max_seconds = max_seconds

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _checked(self, X, reset, **more):
        return super()._checked(X, reset, ensure_all_finite="allow-nan", **more)

    def fit(self, X, y=None):
        """Fits the components to samples, in which NaN is a missing value."""
        X = self._checked(X, reset=True, ensure_min_samples=2)
        method = written("robust_kpca", components=self.n_components, fidelity=float(self.fidelity), outlier_scale=self.outlier_scale,
                         tolerance=float(self.tol), max_iterations=self.max_iter)
        self._fit_model(method, X)
        self.n_components_ = self.n_components
        self.n_iter_ = self._iterations_of("robust components")
        return self

    def reconstruct(self, X):
        """The samples, with the values that the components give in the place of missing and wrong ones."""
        return self._ask("reconstruct", X)


class KernelPLS(MultiOutputMixin, RegressorMixin, KernelEstimator):
    """Kernel partial least squares regression.

    Parameters
    ----------
    n_components : int, default=2
    kernel, gamma, degree, coef0, verbose, max_seconds
        As in :class:`KernelPCA`.

    Attributes
    ----------
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import KernelPLS
    >>> x = np.linspace(0, 3, 30).reshape(-1, 1)
    >>> curve = KernelPLS(n_components=6, kernel="rbf", gamma=1.0).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(curve.predict([[1.5]])[0] - np.sin(1.5)) < 0.01)
    True
    """

    def __init__(self, n_components=2, *, kernel="rbf", gamma="scale", degree=3, coef0=1, verbose=False, max_seconds=None):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y, sample_weight=None):
        """Fits the function to samples and numbers; a sample of weight 2 counts twice."""
        X, y = self._checked_with(X, y, multi_output=True, y_numeric=True)
        self._single = y.ndim == 1
        method = written("pls", components=self.n_components)
        return self._fit_model(method, X, as_numbers(y), self._weights(sample_weight, X))

    def predict(self, X):
        """The value at each sample, one column a target."""
        values = self._ask("predict", X)
        return values.ravel() if self._single else values


class KernelCCA(Components):
    """Kernel canonical correlation analysis: directions of two views of the same samples whose scores correlate most.

    Parameters
    ----------
    n_components : int, default=1
    kernel : str or npt.Kernel, default="rbf"
        The kernel of the first view.
    second_kernel : str, npt.Kernel or None, default=None
        The kernel of the second view; ``None`` is the kernel of the first.
    gamma, degree, coef0, verbose, max_seconds
        As in :class:`KernelPCA`.
    ridge : float, default=0.01
        The ridge, in units of the mean squared distance from the mean.

    Attributes
    ----------
    correlations_ : ndarray of shape (n_components,)
        The values of the criterion, descending: without a ridge they are the correlations of the training scores, and with a ridge smaller.
    n_components_ : int
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import KernelCCA
    >>> t = np.linspace(-1, 1, 40).reshape(-1, 1)
    >>> views = KernelCCA(kernel="rbf", second_kernel="linear").fit(t, t**2)
    >>> bool(views.correlations_[0] > 0.9)
    True
    """

    _takes_kernel_matrices = False

    def __init__(self, n_components=1, *, kernel="rbf", second_kernel=None, gamma="scale", degree=3, coef0=1, ridge=0.01, verbose=False, max_seconds=None):
        self.n_components = n_components
        self.kernel = kernel
        self.second_kernel = second_kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.ridge = ridge
        self.verbose = verbose
        self.max_seconds = max_seconds

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X, y):
        """Fits the directions to samples and their second view, which may be of another type."""
        if is_items(y):
            X = self._checked(X, reset=True, ensure_min_samples=2)
        else:
            X, y = self._checked_with(X, y, multi_output=True, y_numeric=True, ensure_min_samples=2)
            y = as_numbers(y)
        first = self._resolved(X, None)
        for kernel in (first, self.second_kernel):
            if callable(kernel) or isinstance(kernel, str) and kernel == "precomputed":
                raise ValueError("KernelCCA takes kernels by name, no function and not 'precomputed'")
        second = None if self.second_kernel is None else self._resolved(y, None, self.second_kernel)
        method = written("cca", components=self.n_components, ridge=float(self.ridge), second_kernel=second)
        self._fit_model(method, X, to_samples(y))
        self.correlations_ = self.model_.learned["correlations"]
        self.n_components_ = self.n_components
        return self

    def transform_second(self, y):
        """The scores of samples of the second view."""
        check_is_fitted(self)
        numbers = y if is_items(y) else as_numbers(y)
        return as_precise(self.model_._model.transform_second(to_samples(numbers)), y)
