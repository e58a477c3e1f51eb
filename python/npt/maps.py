"""Kernel coordinates, exact and by features."""

import copy

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import _num_samples, check_is_fitted

from .base import as_precise, as_samples, is_function, of_rows, positive, require_whole, seed_of, to_samples, written
from .components import Components
from .kernels import as_kernel
from .sums import Sums

__all__ = ["KernelMap", "Nystroem", "PolynomialCountSketch", "RBFSampler"]


class _Landmarks(Components):
    def _fit_on_landmarks(self, X, count, space, landmarks=None):
        """Fits coordinates on ``count`` landmarks, or on as many as the samples span; on the ``landmarks`` themselves, if they are given."""
        count = min(count, _num_samples(X))
        try:
            self._fit_model("coordinates", X, space=space(count), landmarks=landmarks)
        except ValueError as error:
            if not getattr(error, "available", 0) or landmarks is not None:
                raise
            self._fit_model("coordinates", X, space=space(error.available))


class KernelMap(_Landmarks):
    """Kernel coordinates: a linear method on them is the kernel method.

    The inner products of coordinates are kernel values, exactly in the exact space, centred or not; on landmarks and random features as
    nearly as their number allows.

    Parameters
    ----------
    kernel : str, npt.Kernel or callable, default="gaussian"
        A text of the catalogue, a kernel, one of scikit-learn's names, ``"precomputed"``, or a function of two samples.
    space : {"auto", "exact", "nystroem", "fourier"}, default="auto"
        All samples, landmarks, or random Fourier features. ``"auto"`` is exact for up to 5000 samples, and beyond on 1000 landmarks.
    n_components : int or None, default=None
        The number of coordinates; ``None`` keeps all above rounding.
    n_landmarks : int, default=1000
        For ``"nystroem"`` the number of samples that are landmarks, each chosen at random by the residuals on the landmarks before it. For
        ``"fourier"`` the number of frequencies.
    axes : {"principal", "cholesky"}, default="principal"
        Axes by variance, or a rotation of them that costs a tenth. With ``"fourier"`` all features are kept as they are, unless
        ``n_components`` is given: axes by variance would be those of the training samples' span alone.
    centered : bool, default=True
        Whether the mean of the samples is the origin.
    landmarks : array-like, sparse matrix, list or None, default=None
        Landmarks of one's own, of any origin, in the place of those that ``"nystroem"`` would choose.
    pre_image : str or None, default=None
        The way of :meth:`inverse_transform` back to samples, which is fitted, too: ``"fixed_point"``, ``"distance_constraints"``,
        ``"ridge(alpha = 0.1)"`` or ``"nearest_sample"``. It takes dense vectors, centred coordinates and principal axes.
    gamma, degree, coef0
        Parameters of kernels by scikit-learn's names.
    random_state : int, RandomState or None, default=None
        The seed of landmarks and frequencies; ``None`` is 0.
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None
        The time after which a fit ends with ``TimeoutError``.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        The sums of squares along the axes, descending.
    relative_trace_residual_ : float
        The share of the training samples' variance outside of the space; not after :meth:`partial_fit`.
    n_components_ : int
    model_ : npt.Model
    sums_ : npt.sums.Sums
        The sums of :meth:`partial_fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from npt import KernelMap
    >>> x = np.random.default_rng(0).normal(size=(30, 2))
    >>> y = KernelMap("gaussian(gamma = 0.5)", centered=False).fit_transform(x)
    >>> squares = ((x[:, None] - x) ** 2).sum(axis=2)
    >>> bool(np.allclose(y @ y.T, np.exp(-0.5 * squares)))
    True
    """

    # For more samples the exact space takes minutes; a fit that would not fit in memory is a MemoryError.
    _EXACT = 5000

    def __init__(self, kernel="gaussian", space="auto", n_components=None, *, n_landmarks=1000, axes="principal", centered=True,
                 landmarks=None, pre_image=None, gamma="scale", degree=3, coef0=1, random_state=None, verbose=False, max_seconds=None):
        self.kernel = kernel
        self.space = space
        self.n_components = n_components
        self.n_landmarks = n_landmarks
        self.axes = axes
        self.centered = centered
        self.landmarks = landmarks
        self.pre_image = pre_image
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.random_state = random_state
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y=None):
        """Fits the space to samples."""
        X = self._checked(X, reset=True)
        self._forget()
        landmarks = None if self.landmarks is None else to_samples(as_samples(self.landmarks))
        self._fit_on_landmarks(X, self.n_landmarks, lambda count: self._space(X, count), landmarks)
        learned = self.model_.learned
        self.eigenvalues_ = learned["eigenvalues"]
        self.relative_trace_residual_ = learned["relative_trace_residual"]
        self.n_components_ = len(self.eigenvalues_)
        if self.pre_image is not None:
            self._fit_inverse(X, landmarks)
        return self

    def partial_fit(self, X, y=None):
        """Adds samples. The coordinates are those along the principal axes of all samples so far, on landmarks of the first block.

        Only sums are kept. The coordinates are centred, and residuals are not known. ``"nystroem"`` chooses ``n_landmarks`` landmarks among
        the samples of the first block, and ``"exact"`` takes all of these, unless ``landmarks`` are given. The parameters are those of the
        first block.
        """
        begins = not hasattr(self, "sums_")
        X = self._checked(X, reset=begins)
        if begins:
            sums = self._begun(X)
        else:
            sums = copy.deepcopy(self.sums_)
        sums.partial_fit(self._as_at_first(X))
        most = min(sums.rank, sums.count - 1)
        count = most if self.n_components is None else min(self.n_components, most)
        try:
            model = sums.fit(self.max_seconds, components=count)
        except ValueError as error:
            if not getattr(error, "available", 0):
                raise
            model = sums.fit(self.max_seconds, components=error.available)
        self._forget()
        self.sums_, self.model_ = sums, model
        self.eigenvalues_ = model.learned["eigenvalues"]
        self.n_components_ = len(self.eigenvalues_)
        return self

    def _begun(self, X):
        """Sums without samples, on landmarks among these samples or on those that are given."""
        self._require_principal("partial_fit")
        if self.pre_image is not None:
            raise ValueError("pre_image needs all samples at once; with partial_fit it must be None")
        if self.space not in ("auto", "exact", "nystroem"):
            raise ValueError(f"space is {self.space!r}; with partial_fit it must be 'auto', 'exact' or 'nystroem'")
        if self.n_components is not None:
            require_whole(n_components=self.n_components)
        kernel = self._resolved(X, None)
        if callable(kernel) or kernel == "precomputed":
            raise ValueError("partial_fit takes kernels by name, no function and not 'precomputed'")
        self._kernel, self._sparse_fit = kernel, sparse.issparse(X)
        landmarks = X if self.landmarks is None else self._as_at_first(as_samples(self.landmarks))
        there = _num_samples(landmarks)
        if there < 2:
            raise ValueError("the first block has 1 sample; it must have at least 2, or landmarks be given")
        all_of_them = self.landmarks is not None or self.space == "exact" or self.n_landmarks >= there
        return self._sums(kernel, landmarks, None if all_of_them else self.n_landmarks)

    def _as_at_first(self, X):
        """Converts samples to sparse or dense ones, whichever the first ones were."""
        if self._sparse_fit:
            return sparse.csr_matrix(X)
        return X.toarray(order="C") if sparse.issparse(X) else X

    def _sums(self, kernel, landmarks, count):
        """Sums on ``count`` of the landmarks, or on as many as these span; on all of them if ``count`` is ``None``."""
        if count is None:
            return Sums("kpca(components = 1)", kernel, landmarks=landmarks)
        try:
            space = written("nystrom", landmarks=count, seed=seed_of(self.random_state))
            return Sums("kpca(components = 1)", kernel, landmarks=landmarks, space=space)
        except ValueError as error:
            if not getattr(error, "available", 0):
                raise
            return self._sums(kernel, landmarks, error.available)

    def _forget(self):
        """Removes everything of an earlier fit."""
        for learned in ("model_", "sums_", "_inverse", "eigenvalues_", "n_components_", "relative_trace_residual_"):
            self.__dict__.pop(learned, None)

    def _fit_inverse(self, X, landmarks):
        """Fits kernel principal components in the same space, which are the coordinates, with their way back to samples."""
        self._require_principal("pre_image")
        space, coordinates = self._space(X, min(self.n_landmarks, _num_samples(X))), self.model_
        method = written("kpca", components=self.n_components_)
        try:
            self._fit_model(method, X, space=space, pre_image=self.pre_image, landmarks=landmarks)
        except BaseException:
            self._forget()
            raise
        self._inverse, self.model_ = self.model_, coordinates

    def _require_principal(self, what):
        if not self.centered or self.axes != "principal":
            raise ValueError(f"{what} needs centered=True and axes='principal'")

    def transform(self, X):
        """The coordinates of samples, one row a sample."""
        if self.pre_image is None or not hasattr(self, "_inverse"):
            return super().transform(X)
        X = self._checked(X, reset=False)
        return as_precise(self._inverse._model.transform(self._samples(X)), X)

    def inverse_transform(self, X):
        """Samples that have these coordinates, or nearly; ``pre_image`` says how they are found."""
        check_is_fitted(self, "model_")
        if not hasattr(self, "_inverse"):
            raise NotFittedError("pre_image was None at the fit, so there is no inverse; set it to the method that finds one")
        return self._inverse.inverse_transform(X)

    def fit_transform(self, X, y=None):
        """Fits the space, and returns the coordinates of the same samples."""
        return self.fit(X, y).transform(X)

    def _space(self, X, landmarks):
        shape = {"components": self.n_components, "axes": self.axes, "centered": bool(self.centered)}
        count = _num_samples(X)
        space = self.space
        if self.landmarks is not None and space in ("auto", "nystroem"):
            return written("nystrom", landmarks=_num_samples(self.landmarks), **shape)
        if self.landmarks is not None:
            raise ValueError(f"landmarks were given and space is {space!r}; it must be 'nystroem'")
        if space == "auto":
            space = "exact" if count <= self._EXACT else "nystroem"
        if space == "exact":
            return written("exact", **shape)
        if space == "nystroem":
            return written("nystrom", landmarks=landmarks, seed=seed_of(self.random_state), **shape)
        if space == "fourier":
            if self.n_components is None:
                shape["axes"] = "cholesky"
            return written("random_fourier", frequencies=self.n_landmarks, seed=seed_of(self.random_state), **shape)
        raise ValueError(f"space is {space!r}; it must be 'auto', 'exact', 'nystroem' or 'fourier'")

    def residuals(self, X):
        """The squared distance of each sample from the space; not after :meth:`partial_fit`."""
        return self._ask("residuals", X)


class Nystroem(_Landmarks):
    """Features on landmarks whose inner products are nearly those of the kernel.

    Parameters
    ----------
    kernel : str, npt.Kernel or callable, default="rbf"
    gamma : float or None, default=None
        ``None`` is 1 / features.
    coef0 : float or None, default=None
        ``None`` is 1.
    degree : float or None, default=None
        ``None`` is 3.
    kernel_params : dict or None, default=None
        Further arguments of a callable kernel.
    n_components : int, default=100
        The number of landmarks; as many as the samples span, if that is fewer.
    random_state : int, RandomState or None, default=None
        The seed of the landmarks; ``None`` is 0.
    n_jobs
        Accepted as in scikit-learn, and without effect: all threads work.
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None

    Attributes
    ----------
    components_ : ndarray, sparse matrix or list
        The landmarks, in the order in which they were chosen.
    component_indices_ : ndarray
        The positions of the landmarks among the samples: as many as ``n_components_``, or more, if the kernel is a function and samples
        repeat.
    n_components_ : int
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import Nystroem
    >>> x = np.random.default_rng(0).normal(size=(300, 2))
    >>> Nystroem(gamma=0.2, n_components=50).fit_transform(x).shape
    (300, 50)
    """

    def __init__(self, kernel="rbf", *, gamma=None, coef0=None, degree=None, kernel_params=None, n_components=100, random_state=None,
                 n_jobs=None, verbose=False, max_seconds=None):
        self.kernel = kernel
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.kernel_params = kernel_params
        self.n_components = n_components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y=None):
        """Chooses the landmarks."""
        has_own = is_function(self.kernel) or self.kernel == "precomputed"
        if has_own and not (self.gamma is None and self.coef0 is None and self.degree is None):
            raise ValueError("Don't pass gamma, coef0 or degree to Nystroem if the kernel is a function or 'precomputed': these have them inside")
        X = self._checked(X, reset=True)
        require_whole(n_components=self.n_components)
        seed = seed_of(self.random_state)
        if callable(self._resolved(X, None)):
            self._fit_function(X, seed)
        else:
            self._fit_on_landmarks(X, self.n_components, lambda count: written("nystrom", landmarks=count, seed=seed, centered=False))
            self.component_indices_ = self.model_.learned["landmarks"]
        self.n_components_ = len(self.model_.learned["eigenvalues"])
        self.components_ = of_rows(X, self.component_indices_, self._kernel)
        return self

    def _fit_function(self, X, seed):
        """Chooses landmarks at random: a choice by residuals would take a value of the function for each sample and landmark."""
        order = np.random.RandomState(seed).permutation(_num_samples(X))[: self.n_components]
        self._fit_model("coordinates", of_rows(X, order, self.kernel), space=written("exact", centered=False))
        self.component_indices_ = order


# Features keep their own axes: principal axes would be those of the training samples' span alone.
AS_THEY_ARE = {"axes": "cholesky", "centered": False}


class _Features(Components):
    def _fit_features(self, X, space):
        X = self._checked(X, reset=True)
        # Features take dense vectors: those of sparse vectors would be as dense.
        X = X.toarray(order="C") if sparse.issparse(X) else X
        # Features depend on the samples by their width alone; the kernel has its gamma by now.
        kernel = as_kernel(self._resolved(X, None))
        self._fit_model("coordinates", X[:1], space=space, kernel=kernel)
        self.n_components_ = len(self.model_.learned["eigenvalues"])
        return X


class RBFSampler(_Features):
    """Random Fourier features of the Gaussian kernel, with orthogonal frequencies.

    Parameters
    ----------
    gamma : "scale" or float, default=1.0
    n_components : int, default=100
        The number of features, two for each frequency; for an odd number there is one feature more, as ``n_components_`` says.
    random_state : int, RandomState or None, default=None
        The seed of the frequencies; ``None`` is 0.

    Attributes
    ----------
    random_weights_ : ndarray of shape (n_features, n_components_)
        The frequencies, each twice.
    random_offset_ : ndarray of shape (n_components_,)
        −⟨ω, c⟩ for a cosine, with ω its frequency and c an origin among the samples, and π/2 less for a sine: the features are
        √(2/n_components_)·cos(X @ random_weights_ + random_offset_).
    n_components_ : int
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import RBFSampler
    >>> x = np.random.default_rng(0).normal(size=(300, 2))
    >>> RBFSampler(gamma=0.2, n_components=40).fit_transform(x).shape
    (300, 40)
    """

    kernel = "rbf"
    degree = coef0 = None

    def __init__(self, *, gamma=1.0, n_components=100, random_state=None):
        self.gamma = gamma
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X, y=None):
        """Draws the frequencies."""
        if self.gamma != "scale":
            positive(gamma=self.gamma)
        require_whole(n_components=self.n_components)
        frequencies = (self.n_components + 1) // 2
        space = written("random_fourier", frequencies=frequencies, seed=seed_of(self.random_state), **AS_THEY_ARE)
        X = self._fit_features(X, space)
        learned = self.model_.learned
        weights = np.vstack([learned["frequencies"]] * 2).T
        offset = -learned["origin"] @ weights
        offset[frequencies:] -= np.pi / 2
        self.random_weights_, self.random_offset_ = as_precise(weights, X), as_precise(offset, X)
        return self


class PolynomialCountSketch(_Features):
    """Sketched features of the polynomial kernel.

    Parameters
    ----------
    gamma : float, default=1.0
    degree : int, default=2
    coef0 : float, default=0
    n_components : int, default=100
        The number of features.
    random_state : int, RandomState or None, default=None
        The seed of the hashes; ``None`` is 0.

    Attributes
    ----------
    n_components_ : int
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import PolynomialCountSketch
    >>> x = np.random.default_rng(0).normal(size=(300, 2))
    >>> PolynomialCountSketch(degree=3, n_components=8).fit_transform(x).shape
    (300, 8)
    """

    kernel = "poly"

    def __init__(self, *, gamma=1.0, degree=2, coef0=0, n_components=100, random_state=None):
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X, y=None):
        """Draws the hashes."""
        positive(gamma=self.gamma)
        require_whole(degree=self.degree, n_components=self.n_components)
        space = written("tensor_sketch", features=self.n_components, seed=seed_of(self.random_state), **AS_THEY_ARE)
        self._fit_features(X, space)
        return self
