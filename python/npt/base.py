"""The parts that all estimators share: kernels, samples, and the model that the Rust half makes of them."""

import functools
import numbers

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, check_consistent_length, check_random_state
from sklearn.utils.validation import _check_sample_weight, _num_samples, check_is_fitted, validate_data

from . import _npt
from .kernels import Kernel, as_kernel, by_sklearn_name, with_gamma
from .model import Model
from .progress import CallbackSupportMixin, one_fit
from .views import KernelView

__all__ = ["KernelEstimator"]

# Solvers stop when another step changes nothing. A weight of 2 is then a sample twice, to the digits that scikit-learn's checks ask for.
TOLERANCE = 1e-9

# The tolerance of solvers whose violations are in units of a threshold that they look for.
TOLERANCE_OF_NU = 1e-10


def written(name, **parameters):
    """The text ``name(a = 1, b = "x")``, without parameters that are ``None``."""
    return str(Kernel(name, **{k: v for k, v in parameters.items() if v is not None}))


def positive(**given):
    """Refuses parameters that are no numbers above 0."""
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not value > 0:
            raise ValueError(f"{name} is {value!r}; it must be a number above 0")


def require_whole(**given):
    """Refuses parameters that are no whole numbers of at least 1."""
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
            raise ValueError(f"{name} is {value!r}; it must be a whole number of at least 1")


def seed_of(random_state):
    """A seed from scikit-learn's ``random_state``; 0 for ``None``, so that every run gives the same results."""
    if random_state is None:
        return 0
    if isinstance(random_state, numbers.Integral):
        if random_state < 0:
            raise ValueError(f"random_state is {random_state}; it must be at least 0")
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def is_function(kernel):
    """Returns whether a kernel is a function of samples. Kernels of scikit-learn's processes are none, although they can be called."""
    return callable(kernel) and not isinstance(kernel, Kernel) and not hasattr(kernel, "hyperparameters")


def is_items(X):
    """Returns whether samples are texts or sets of texts, and not rows of numbers."""
    if isinstance(X, np.ndarray):
        return X.ndim == 1 and X.dtype.kind in "UO" and len(X) > 0 and _is_item(X[0])
    if hasattr(X, "iloc") and getattr(X, "ndim", 2) == 1:
        return len(X) > 0 and _is_item(X.iloc[0])
    return isinstance(X, (list, tuple)) and len(X) > 0 and _is_item(X[0])


def _is_item(x):
    return isinstance(x, (str, set, frozenset))


def scale_of(X, sample_weight=None):
    """1 / (features × variance) of all entries that are not missing, weighted by rows; 1 / features if all entries are alike."""
    width = X.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        variance = _variance(X, sample_weight)
    if not np.isfinite(variance):
        raise ValueError("the variance of the samples is not finite: their values are too large, and need to be scaled")
    return 1.0 / (width * variance) if variance > 0 else 1.0 / width


def gamma_of(X, how, sample_weight=None):
    """The gamma that ``"scale"`` and ``"auto"`` stand for."""
    if not hasattr(X, "shape"):
        raise ValueError(f"gamma is {how!r}, which needs vectors; samples of another type need a kernel of their own")
    return scale_of(X, sample_weight) if how == "scale" else 1.0 / X.shape[1]


def _variance(X, sample_weight):
    """The variance of all entries that are not missing, weighted by rows."""
    if not sparse.issparse(X) and np.isnan(X).any():
        return np.nanvar(X)
    weights = np.ones(X.shape[0]) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    count = weights.sum() * X.shape[1]
    if sparse.issparse(X):
        mean = weights @ np.asarray(X.sum(axis=1)).ravel() / count
        squares = np.asarray(X.multiply(X).sum(axis=1)).ravel()
        return weights @ squares / count - mean**2
    mean = weights @ X.sum(axis=1) / count
    return weights @ ((X - mean) ** 2).sum(axis=1) / count


class KernelEstimator(CallbackSupportMixin, BaseEstimator):
    """The base of the estimators: a parameter ``kernel``, and the fitted attribute ``model_``.

    A kernel is a text of the catalogue, a :class:`npt.Kernel`, one of scikit-learn's names, ``"precomputed"``, or a function of two
    samples.
    """

    # Whether a callable kernel takes all samples at once, as in the support vector machines of scikit-learn.
    _callable_takes_matrices = False

    # Whether sparse matrices are taken.
    _takes_sparse = True

    # Whether ``kernel="precomputed"`` is taken, with all other parameters the same.
    _takes_kernel_matrices = True

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "fit" in cls.__dict__:
            cls.fit = one_fit(cls.fit)

    def __getstate__(self):
        state = super().__getstate__()
        # A copy that is made during a fit has no part in the fit.
        return {name: value for name, value in state.items() if name != "_progress"}

    def get_params(self, deep=True):
        params = super().get_params(deep=deep)
        kernel = params.get("kernel")
        # If the kernel is a name alone, its parameters are those of the estimator.
        if deep and isinstance(kernel, str) and not (hasattr(self, "gamma") and kernel.isidentifier()):
            try:
                inside = as_kernel(kernel).get_params()
            except ValueError:
                return params
            params.update({f"kernel__{key}": value for key, value in inside.items()})
        return params

    def set_params(self, **params):
        of_kernel = [key for key in params if key.startswith("kernel__")]
        kernel = params.get("kernel", getattr(self, "kernel", None))
        if of_kernel and isinstance(kernel, str):
            params = {**params, "kernel": as_kernel(kernel)}
        return super().set_params(**params)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        kernel = getattr(self, "kernel", None)
        tags.input_tags.pairwise = isinstance(kernel, str) and kernel == "precomputed"
        tags.input_tags.sparse = self._takes_sparse
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _takes_objects(self):
        """Returns whether samples may be of any type, as for a kernel that is a function of two samples."""
        return is_function(self.kernel)

    def _checked(self, X, reset, **more):
        """Checks samples by scikit-learn; texts, sets, and objects for a callable kernel pass as they are."""
        if isinstance(X, KernelView):
            return self._checked_view(X, reset)
        if is_items(X) or (self._takes_objects() and not _is_matrix(X)):
            return X if isinstance(X, list) else list(X)
        more = {"dtype": [np.float64, np.float32], "accept_sparse": "csr" if self._takes_sparse else False, **more}
        return _with_places(validate_data(self, X, reset=reset, order="C", **more))

    def _checked_with(self, X, y, **more):
        """Checks samples and targets by scikit-learn."""
        if isinstance(X, KernelView) or is_items(X) or (self._takes_objects() and not _is_matrix(X)):
            X = self._checked(X, reset=True)
            if y is None:
                raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
            check_consistent_length(X, y)
            return X, check_array(y, ensure_2d=False, dtype=None) if np.ndim(y) > 1 else np.asarray(y)
        more = {"dtype": [np.float64, np.float32], "accept_sparse": "csr" if self._takes_sparse else False, **more}
        X, y = validate_data(self, X, y, reset=True, order="C", **more)
        return _with_places(X), y

    def _checked_view(self, X, reset):
        """A view of a kernel matrix; refuses another number of columns than that of the training samples."""
        if reset:
            self.n_features_in_ = X.shape[1]
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has kernel values with {X.shape[1]} others, but the fit had {self.n_features_in_} samples")
        return X

    def _resolved(self, X, sample_weight, kernel=None):
        """The kernel as a text, in which gammas by the data are numbers; or ``"precomputed"``, or a callable."""
        kernel = self.kernel if kernel is None else kernel
        if callable(kernel) and not isinstance(kernel, Kernel):
            more = getattr(self, "kernel_params", None)
            return functools.partial(kernel, **more) if more else kernel
        if isinstance(kernel, str):
            if kernel == "precomputed":
                return kernel
            given = {name: getattr(self, name, None) for name in ("gamma", "degree", "coef0")}
            if given["gamma"] is None:
                given["gamma"] = 1.0 if kernel == "chi2" else "auto"
            given["degree"] = 3 if given["degree"] is None else given["degree"]
            given["coef0"] = 1 if given["coef0"] is None else given["coef0"]
            if float(given["degree"]).is_integer():
                given["degree"] = int(given["degree"])
            elif kernel in ("poly", "polynomial"):
                gamma = given["gamma"]
                self._gamma = gamma_of(X, gamma, sample_weight) if isinstance(gamma, str) else gamma
                return functools.partial(power, gamma=self._gamma, degree=given["degree"], coef0=given["coef0"])
            if hasattr(self, "gamma"):
                kernel = by_sklearn_name(kernel, given) or with_gamma(kernel, given["gamma"]) or as_kernel(kernel)
            else:
                kernel = as_kernel(kernel)
        if not isinstance(kernel, Kernel):
            raise ValueError(
                f"the kernel is {kernel!r}; it must be a text, a npt.Kernel, 'precomputed' or a function of two samples"
            )

        known = kernel.with_data(functools.partial(gamma_of, X, sample_weight=sample_weight))
        self._gamma = known.parameters.get("gamma", 0.0)
        return str(known)

    def _samples(self, X, training=None):
        """Converts new samples for the Rust half. With a callable kernel they are its values with the training samples."""
        kernel = self._kernel
        if callable(kernel):
            training = self._X_fit if training is None else training
            cross, own = self._values(kernel, X, training), self._own_values(kernel, X)
            return _npt.Samples.kernel_rows(cross, own)
        if kernel == "precomputed":
            return X.samples() if isinstance(X, KernelView) else _npt.Samples.kernel_rows(_kernel_values(X))
        if sparse.issparse(X) and not self._sparse_fit:
            X = X.toarray(order="C")
        elif self._sparse_fit and not sparse.issparse(X):
            X = sparse.csr_matrix(X)
        return to_samples(X)

    def _training_samples(self, X, sample_weight):
        kernel = self._kernel
        if sparse.issparse(X) and callable(kernel) and not self._callable_takes_matrices:
            raise TypeError("Sparse data was passed for X, but a function of two samples takes dense data")
        if isinstance(X, KernelView):
            samples = X.samples()
        elif callable(kernel):
            self._X_fit = X
            samples = _npt.Samples.kernel_matrix(self._values(kernel, X, X))
        elif kernel == "precomputed":
            samples = _npt.Samples.kernel_matrix(_kernel_values(X))
        else:
            samples = to_samples(X)
        self._sparse_fit = sparse.issparse(X)
        if sample_weight is not None and not np.all(sample_weight == 1):
            samples = samples.with_weights(np.asarray(sample_weight, dtype=np.float64))
        return samples

    def _values(self, kernel, X, Y):
        """The matrix of a callable kernel's values."""
        if self._callable_takes_matrices:
            values = np.asarray(kernel(X, Y), dtype=np.float64)
            expected = (_num_samples(X), _num_samples(Y))
            if values.shape != expected:
                raise ValueError(f"the kernel gave a matrix of shape {values.shape}, not {expected}")
            return values
        if X is Y:
            values = np.empty((len(X), len(X)))
            for i, x in enumerate(X):
                for j in range(i + 1):
                    values[i, j] = values[j, i] = kernel(x, X[j])
            require_symmetric(kernel, X, values)
            return values
        return np.array([[kernel(x, y) for y in Y] for x in X], dtype=np.float64).reshape(len(X), len(Y))

    def _own_values(self, kernel, X):
        if self._callable_takes_matrices:
            return None
        return np.array([kernel(x, x) for x in X], dtype=np.float64)

    def _fit_model(self, method, X, targets=None, sample_weight=None, *, space=None, pre_image=None, kernel=None,
                   landmarks=None):
        """Fits ``method``, a text of the catalogue, to checked samples, and keeps the model. A fit that fails leaves no model behind."""
        self.__dict__.pop("model_", None)
        resolved = self._resolved(X, sample_weight, kernel)
        self._kernel = resolved
        if isinstance(X, KernelView):
            known = X.kernel
        else:
            known = "precomputed" if callable(resolved) else resolved
        estimator = _npt.Estimator(method, known, space=space, pre_image=pre_image)
        samples = self._training_samples(X, sample_weight)
        work = self._work()
        self.model_ = Model(estimator.fit(samples, targets, work, landmarks))
        self._iterations, self._ended_early = dict(work.iterations()), bool(work.unfinished())
        return self

    def _iterations_of(self, stage):
        """The number of iterations of a stage of the last fit, at least 1; the largest number if the stage ran several times."""
        return max(self._iterations.get(stage, 1), 1)

    def _work(self):
        """The limits and the progress of a call of the Rust half: those of the fit that is going on, if there is one."""
        progress = self.__dict__.get("_progress")
        return _npt.Work(getattr(self, "max_seconds", None)) if progress is None else progress.work(self._most_iterations())

    def _most_iterations(self):
        """The number of iterations after which every stage of a fit ends, or ``None``."""
        return None

    def _kernel_view(self, X, sample_weight=None):
        """The kernel matrix of samples, with the kernel that a fit to them would have."""
        X = self._checked(X, reset=True)
        kernel = self._resolved(X, sample_weight)
        if callable(kernel):
            return KernelView.of_matrix(self._values(kernel, X, X))
        if kernel == "precomputed":
            return KernelView.of_matrix(np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64))
        return KernelView.of_kernel(kernel, to_samples(X), self._work())

    def _distinct(self, X, sample_weight):
        """The samples, no targets, and the weights for a fit from random starts."""
        if is_function(self.kernel) or self.kernel == "precomputed":
            return X, None, sample_weight
        few, weights = distinct(X, sample_weight)
        return few, None, weights

    def _weights(self, sample_weight, X, **more):
        """Checked weights, or ``None``."""
        if sample_weight is None:
            return None
        given = np.asarray(sample_weight)
        if given.dtype.kind in "iuf" and given.ndim == 1 and len(given) > 0 and np.all(given <= 0):
            raise ValueError("Invalid input - all samples have zero or negative weights.")
        return _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True, **more)

    def _ask(self, question, X):
        """The model's answer for new samples, in the precision that they have."""
        check_is_fitted(self, "model_")
        X = self._checked(X, reset=False)
        answer = getattr(self.model_._model, question)(self._samples(X))
        return as_precise(answer, X)

    def to_onnx(self):
        """The model as bytes of ONNX."""
        return self._the_model().to_onnx()

    def save(self, path):
        """Saves the fitted model in a file that :func:`npt.load` and programs in Rust read.

        The file holds the model that predicts, and not the parameters of this object; pickle keeps both.
        """
        self._the_model().save(path)

    def _the_model(self):
        check_is_fitted(self, "model_")
        return self.model_


def power(x, y, gamma, degree, coef0):
    """The polynomial kernel of a degree that is no whole number, of two vectors or two matrices."""
    with np.errstate(invalid="ignore"):
        return np.power(gamma * (x @ y.T) + coef0, degree)


def require_symmetric(kernel, X, values):
    """Refuses a function of two samples whose values with the first sample change when its arguments are exchanged."""
    largest = np.abs(values, where=np.isfinite(values), out=np.zeros(values.shape)).max()
    for x, value in zip(X[1:], values[1:, 0].tolist()):
        mirrored = kernel(X[0], x)
        # A value that is not finite is refused later, where the values are taken.
        if np.isfinite(value) and not abs(mirrored - value) <= 64 * np.finfo(float).eps * largest:
            raise ValueError(f"the kernel of two samples is {value!r}, and {mirrored!r} if they are exchanged: a kernel must be symmetric")


def _kernel_values(X):
    """The values of a precomputed kernel, which are dense."""
    if sparse.issparse(X):
        raise TypeError("Sparse precomputed kernels are not supported: Sparse data was passed for X, but a kernel matrix is dense data")
    return np.asarray(X, dtype=np.float64)


def _with_places(X):
    """The samples; refuses a sparse matrix with a position outside of it, which scikit-learn does not look for."""
    if sparse.issparse(X):
        X.check_format(full_check=True)
    return X


def _is_matrix(X):
    if sparse.issparse(X) or hasattr(X, "__dataframe__") or hasattr(X, "iloc"):
        return True
    if isinstance(X, np.ndarray):
        return X.ndim == 2
    return isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], (list, tuple, np.ndarray, numbers.Real))


def distinct(X, sample_weight):
    """The different samples in an order of their own, with the sums of their weights. Random starts from these do not depend on the order
    of the samples, nor on whether a sample has a weight of 2 or is there twice."""
    if not hasattr(X, "shape"):
        return X, sample_weight
    weights = np.ones(X.shape[0]) if sample_weight is None else sample_weight
    if sparse.issparse(X):
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        rows = [(row.indices.tobytes(), row.data.tobytes()) for row in X]
        keys = {key: place for place, key in enumerate(sorted(set(rows)))}
        inverse = np.array([keys[row] for row in rows])
        first = np.empty(len(keys), dtype=int)
        first[inverse[::-1]] = np.arange(len(rows))[::-1]
        few = X[first]
    else:
        few, inverse = np.unique(X, axis=0, return_inverse=True)
        inverse = inverse.ravel()
    sums = np.bincount(inverse, weights=weights, minlength=few.shape[0])
    there = sums > 0
    return few[there], sums[there]


def of_rows(X, rows, kernel):
    """Selects some of the samples; from a kernel matrix, their rows and columns."""
    if not callable(kernel) and kernel == "precomputed":
        return X[np.ix_(rows, rows)]
    return X[rows] if hasattr(X, "shape") else [X[row] for row in rows]


def as_precise(answer, X):
    """Converts numbers to single precision, if the samples have it."""
    single = getattr(X, "dtype", None) == np.float32
    is_real = isinstance(answer, np.ndarray) and answer.dtype.kind == "f"
    return answer.astype(np.float32) if single and is_real else answer


def as_samples(X, **more):
    """Samples without a fit: texts and sets in a list, rows as a matrix of numbers."""
    if is_items(X):
        return list(X)
    return check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], order="C", **more)


def to_samples(X):
    """Converts checked samples for the Rust half."""
    if is_items(X):
        if all(isinstance(x, str) for x in X):
            return _npt.Samples.texts(list(X))
        if any(isinstance(x, str) or not all(isinstance(word, str) for word in x) for x in X):
            raise ValueError("some samples are texts and some are sets of texts; all must be of one type")
        return _npt.Samples.sets([set(x) for x in X])
    if sparse.issparse(X):
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        indptr, indices = X.indptr.astype(np.int64), X.indices.astype(np.int64)
        return _npt.Samples.sparse(indptr, indices, X.data.astype(np.float64), X.shape[1])
    if X.dtype == np.float32:
        return _npt.Samples.dense_single(X)
    return _npt.Samples.dense(X)
