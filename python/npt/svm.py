"""Support vector machines."""

import numbers
import warnings
from itertools import combinations

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin, OutlierMixin, RegressorMixin, clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import _ovr_decision_function
from sklearn.utils.validation import _num_samples, check_is_fitted

from .base import TOLERANCE, TOLERANCE_OF_NU, KernelEstimator, as_precise, of_rows, positive, seed_of, written
from .progress import warn
from .targets import Labels, as_numbers, labels_back

__all__ = ["SVC", "SVR", "CalibratedSVC", "NuSVC", "NuSVR", "OneClassSVM"]


class _Machine(KernelEstimator):
    """The parts that all machines share."""

    _callable_takes_matrices = True

    def _fit_machine(self, method, X, targets, sample_weight):
        self._fit_model(method, X, targets, sample_weight)
        learned = self.model_.learned
        self._take(X, learned["support"], learned["coefficients"].T, learned["offsets"])
        self.fit_status_ = int(self._ended_early)
        self.n_iter_ = self._iterations_of("support vectors")
        self.shape_fit_ = X.shape if hasattr(X, "shape") else (len(X),)
        return self

    def _fit_model(self, *given, **more):
        super()._fit_model(*given, **more)
        most = self._most_iterations()
        self._ended_early = self._ended_early and most is not None and self._iterations_of("support vectors") >= most
        if self._ended_early:
            warn(
                f"Solver terminated early (max_iter={most}).  Consider pre-processing your data with StandardScaler or MinMaxScaler.",
                ConvergenceWarning,
            )
        return self

    def _most_iterations(self):
        most = getattr(self, "max_iter", -1)
        if most == -1:
            return None
        if isinstance(most, bool) or not isinstance(most, numbers.Integral) or most < 1:
            raise ValueError(f"max_iter is {most!r}; it must be a whole number of at least 1, or -1 for no limit")
        return int(most)

    def _weights(self, sample_weight, X, **more):
        """Checked weights. Weights below 0 become 0, as LIBSVM leaves such samples out."""
        if sample_weight is not None and not np.isscalar(sample_weight):
            sample_weight = np.maximum(np.asarray(sample_weight, dtype=np.float64), 0.0)
        return super()._weights(sample_weight, X, **more)

    def _take(self, X, support, coefficients, offsets):
        """Sets the attributes that scikit-learn's machines have."""
        self.support_ = support.astype(np.int32)
        if callable(self._kernel) or self._kernel == "precomputed":
            self.support_vectors_ = np.empty((0, 0))
        else:
            self.support_vectors_ = X[self.support_] if hasattr(X, "shape") else [X[i] for i in self.support_]
        self._by_pair = np.ascontiguousarray(coefficients)
        self.dual_coef_ = self._as_given(self._by_pair)
        self.intercept_ = offsets

    def _as_given(self, values):
        """Coefficients as scikit-learn has them: sparse if the samples were sparse."""
        return sparse.csr_matrix(values) if self._sparse_fit else values

    @property
    def coef_(self):
        """The weights of the features, for the linear kernel."""
        check_is_fitted(self)
        if self._kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        weights = self._as_given(self._by_pair) @ self.support_vectors_
        (weights.data if self._sparse_fit else weights).flags.writeable = False
        return weights


def asks_for_probabilities(machine):
    """Returns whether a machine is to have probabilities."""
    return machine.probability is True


class _Classifier(ClassifierMixin, _Machine):
    def _fit_classifier(self, method, X, y, sample_weight, class_weight):
        X, y = self._checked_with(X, y)
        labels = Labels(y).require_two(type(self).__name__)
        own = self._weights(sample_weight, X)
        self.classes_, self._are_kept = labels.classes, labels.are_kept
        ones = np.ones(len(labels.positions))
        self.class_weight_ = (
            np.ones(len(labels.classes)) if class_weight is None
            else labels.class_weights(class_weight, ones if own is None else own)
        )
        self._fit_machine(method, X, labels.targets, labels.weights(class_weight, own))
        # The support vectors of the first class come first. The coefficients of each are those of its class against the others.
        of_class = labels.positions[self.support_]
        order = np.argsort(of_class, kind="stable")
        of_class, count = of_class[order], len(labels.classes)
        self._take(X, self.support_[order], self._by_pair[:, order], self.intercept_)
        self.dual_coef_ = self._as_given(against_others(self._by_pair, of_class, count))
        self.n_iter_ = np.full(count * (count - 1) // 2, self.n_iter_, dtype=np.int32)
        self.n_support_ = np.bincount(of_class, minlength=count).astype(np.int32)
        self._calibrate(X, y, own)
        return self

    def _calibrate(self, X, y, sample_weight):
        """Fits the probabilities that ``probability`` asks for."""
        self._calibrated = None
        if self.probability == "deprecated":
            return
        name = type(self).__name__
        warn(
            f"The `probability` parameter is deprecated, as scikit-learn's is, which removes it in 1.11. npt.CalibratedSVC has "
            f"probabilities, and so has CalibratedClassifierCV({name}(), ensemble=False).", FutureWarning,
        )
        if self.probability:
            # Imported here, as most programs do not need it.
            from sklearn.calibration import CalibratedClassifierCV

            folds = max(2, min(5, int(np.unique(y, return_counts=True)[1].min())))
            machine = clone(self).set_params(probability="deprecated")
            self._calibrated = CalibratedClassifierCV(machine, cv=folds, ensemble=False).fit(X, y, sample_weight=sample_weight)

    @property
    def probA_(self):
        """The slopes of the sigmoids of ``probability``, one for two classes, otherwise one a class; deprecated."""
        return self._sigmoids("probA_", "a_")

    @property
    def probB_(self):
        """The offsets of these sigmoids; deprecated."""
        return self._sigmoids("probB_", "b_")

    def _sigmoids(self, name, own):
        check_is_fitted(self)
        warnings.warn(f"Attribute `{name}` was deprecated with `probability`, and goes with it.", FutureWarning, stacklevel=3)
        if self._calibrated is None:
            return np.empty(0)
        return np.array([getattr(sigmoid, own) for sigmoid in self._calibrated.calibrated_classifiers_[0].calibrators])

    @available_if(asks_for_probabilities)
    def predict_proba(self, X):
        """The probability of each class, one row a sample, if ``probability`` asks for them."""
        check_is_fitted(self)
        if self._calibrated is None:
            raise NotFittedError("predict_proba is not available when fitted with probability=False")
        return self._calibrated.predict_proba(X)

    @available_if(asks_for_probabilities)
    def predict_log_proba(self, X):
        """The logarithms of the probabilities."""
        return np.log(self.predict_proba(X))

    def _pairs(self, X):
        return self._ask("decision_function", X)


def penalty(C):
    """C for the Rust half. An infinite C becomes as large as matters if the samples can be separated."""
    return 1e10 if C == np.inf else float(C)


def against_others(by_pair, of_class, count):
    """Converts coefficients with a row a pair to a row for each of the other classes, as LIBSVM has them."""
    if count == 2 or by_pair.shape[0] != count * (count - 1) // 2:
        return by_pair
    pairs = {pair: row for row, pair in enumerate(combinations(range(count), 2))}
    rows = np.empty((count - 1, by_pair.shape[1]))
    for column, own in enumerate(of_class):
        others = (other for other in range(count) if other != own)
        for row, other in enumerate(others):
            rows[row, column] = by_pair[pairs[min(own, other), max(own, other)], column]
    return rows


class SVC(_Classifier):
    """Support vector classification, by the exact dual.

    Parameters
    ----------
    C : float, default=1.0
        The penalty of margin violations; ``inf`` is 1e10.
    kernel : str, npt.Kernel or callable, default="rbf"
        One of scikit-learn's names, a text of the catalogue such as ``"gaussian(gamma = 0.1) + 0.5 * linear"``, a kernel, or a function of
        two matrices that returns the matrix of their kernel values.
    degree : int, default=3
        The degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        The gamma of a kernel that is given by its name alone. ``"scale"`` is 1 / (features × variance), where the variance has the weights
        of the samples.
    coef0 : float, default=0.0
        The constant of ``"poly"`` and ``"sigmoid"``.
    tol : float, default=1e-9
        The largest violation of the optimality conditions at which the solver stops. It is smaller than scikit-learn's, and as fast.
    class_weight : dict, "balanced" or None, default=None
        Factors of C for the classes.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        One column a class, or one a pair of classes.
    break_ties : bool, default=False
        Whether ties of votes are decided by the values of ``decision_function``.
    probability : bool, default="deprecated"
        Whether there is ``predict_proba``, by a sigmoid of decision values of cross-validation. Deprecated, as scikit-learn's is: see
        :class:`CalibratedSVC`.
    max_iter : int, default=-1
        The number of iterations after which a machine is taken as it is, with a ``ConvergenceWarning``; −1 for no limit. Iterations are
        moves of pairs, as in LIBSVM; with many samples, the passes that come before the moves are iterations, too.
    shrinking, cache_size, random_state
        Accepted as in scikit-learn, and without effect: nothing in the solver is random, and it has the memory that there is.
    verbose : bool or callable, default=False
        ``True`` shows the progress of a fit in a bar of tqdm. A function is told it: ``verbose(stage, done, total, measure, value)``.
    max_seconds : float or None, default=None
        The time after which a fit ends with ``TimeoutError``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    support_ : ndarray of shape (n_support,)
        Positions of the support vectors, those of the first class first.
    support_vectors_ : ndarray or sparse matrix of shape (n_support, n_features)
    n_support_ : ndarray of shape (n_classes,)
    dual_coef_ : ndarray of shape (n_classes - 1, n_support)
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
    n_iter_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        The iterations of the machine that took most, the same number for each pair.
    fit_status_ : int
        1 if ``max_iter`` ended the fit, else 0.
    model_ : npt.Model

    Examples
    --------
    >>> from npt import SVC
    >>> machine = SVC(C=10).fit([[0, 0], [1, 1], [3, 3], [4, 4]], ["low", "low", "high", "high"])
    >>> machine.predict([[0.4, 0.5]]).tolist()
    ['low']
    """

    def __init__(self, *, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True, probability="deprecated",
                 tol=TOLERANCE, cache_size=200, class_weight=None, verbose=False, max_iter=-1, decision_function_shape="ovr",
                 break_ties=False, random_state=None, max_seconds=None):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.max_seconds = max_seconds

    def fit(self, X, y, sample_weight=None):
        """Fits the machine to samples and their classes; a sample of weight 2 counts twice."""
        positive(C=self.C, tol=self.tol)
        method = written("svc", c=penalty(self.C), tolerance=float(self.tol))
        return self._fit_classifier(method, X, y, sample_weight, self.class_weight)

    def decision_function(self, X):
        """Distances from the planes; with two classes they are positive for the second."""
        if self.decision_function_shape not in ("ovr", "ovo"):
            raise ValueError(f"decision_function_shape is {self.decision_function_shape!r}; it must be 'ovr' or 'ovo'")
        values = self._pairs(X)
        if len(self.classes_) == 2:
            return values.ravel()
        if self.decision_function_shape == "ovr":
            return _ovr_decision_function(values < 0, -values, len(self.classes_))
        return values

    def predict(self, X):
        """The class of each sample."""
        check_is_fitted(self)
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'")
        if self.break_ties and len(self.classes_) > 2:
            return self.classes_[np.argmax(self.decision_function(X), axis=1)]
        return self._by_votes(X)

    def _by_votes(self, X):
        """The class that most pairs decide for."""
        return labels_back(self._ask("predict", X), self.classes_, self._are_kept)


class NuSVC(SVC):
    """Support vector classification by the share of support vectors.

    Several classes are told apart by a machine for each pair of them.

    Parameters
    ----------
    nu : float, default=0.5
        The share of the samples that may violate the margin, above 0 and at most 1; at least this share are support vectors.
    kernel, degree, gamma, coef0, shrinking, probability, tol, cache_size, verbose, max_iter, decision_function_shape, break_ties, \
            random_state, max_seconds
        As in :class:`SVC`.

    Attributes
    ----------
    classes_, support_, support_vectors_, n_support_, dual_coef_, intercept_
        As in :class:`SVC`.
    models_ : list of npt.Model
        One model a pair of classes.

    Examples
    --------
    >>> from npt import NuSVC
    >>> machine = NuSVC(nu=0.3).fit([[0, 0], [1, 1], [3, 3], [4, 4]], ["low", "low", "high", "high"])
    >>> machine.predict([[0.4, 0.5]]).tolist()
    ['low']
    """

    def __init__(self, *, nu=0.5, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True, probability="deprecated",
                 tol=TOLERANCE_OF_NU, cache_size=200, verbose=False, max_iter=-1, decision_function_shape="ovr", break_ties=False,
                 random_state=None, max_seconds=None):
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.max_seconds = max_seconds

    def fit(self, X, y, sample_weight=None):
        """Fits the machines to samples and their classes; a sample of weight 2 counts twice."""
        positive(nu=self.nu, tol=self.tol)
        X, y = self._checked_with(X, y)
        labels = Labels(y).require_two(type(self).__name__)
        own = self._weights(sample_weight, X)
        weights = labels.weights(None, own, alone="specified nu is infeasible: all samples with positive weights belong to the same class")
        kernel = self._resolved(X, weights)
        self._X_whole = X if callable(kernel) else None
        method = written("nu_svc", nu=float(self.nu), tolerance=float(self.tol))
        self.__dict__.pop("models_", None)
        all_rows, models, iterations, ended_early = [], [], [], False
        for first, second in combinations(range(len(labels.classes)), 2):
            rows = np.flatnonzero((labels.positions == first) | (labels.positions == second))
            targets = labels.positions[rows] == second
            few = None if weights is None else weights[rows]
            self._fit_model(method, of_rows(X, rows, kernel), targets, few, kernel=kernel)
            all_rows.append(rows)
            models.append(self.model_)
            iterations.append(self._iterations_of("support vectors"))
            ended_early = ended_early or self._ended_early
        if len(models) > 1:
            del self.model_
        self.classes_, self.models_, self._rows = labels.classes, models, all_rows
        self.n_iter_, self.fit_status_ = np.array(iterations, dtype=np.int32), int(ended_early)
        self._take_pairs(X, labels, [model.learned for model in models])
        self._calibrate(X, y, own)
        return self

    def _the_model(self):
        check_is_fitted(self, "models_")
        if len(self.models_) > 1:
            raise ValueError("a NuSVC of more than two classes is no single model; save or export each of models_")
        return self.models_[0]

    def _take_pairs(self, X, labels, found):
        """Sets the attributes of all machines together; if there are several, coefficients are positive for the first class of a pair."""
        count = len(self.classes_)
        by_pair = np.zeros((len(found), len(labels.positions)))
        sign = 1.0 if count == 2 else -1.0
        for row, (rows, learned) in enumerate(zip(self._rows, found)):
            by_pair[row, rows[learned["support"]]] = sign * learned["coefficients"][:, 0]
        support = np.flatnonzero(np.any(by_pair != 0, axis=0))
        support = support[np.argsort(labels.positions[support], kind="stable")]
        offsets = sign * np.array([learned["offsets"][0] for learned in found])
        self._take(X, support, by_pair[:, support], offsets)
        of_class = labels.positions[support]
        self.dual_coef_ = self._as_given(against_others(self._by_pair, of_class, count))
        self.n_support_ = np.bincount(of_class, minlength=count).astype(np.int32)
        self.shape_fit_ = X.shape if hasattr(X, "shape") else (len(X),)

    def _pairs(self, X):
        check_is_fitted(self, "models_")
        X = self._checked(X, reset=False)
        values = []
        for rows, model in zip(self._rows, self.models_):
            by_callable = callable(self._kernel)
            few = X[:, rows] if not by_callable and self._kernel == "precomputed" else X
            training = of_rows(self._X_whole, rows, self._kernel) if by_callable else None
            values.append(model._model.decision_function(self._samples(few, training))[:, 0])
        values = np.column_stack(values)
        return as_precise(values if len(values[0]) == 1 else -values, X)

    def _by_votes(self, X):
        values = self._pairs(X)
        if len(self.classes_) == 2:
            return self.classes_[(values[:, 0] > 0).astype(int)]
        votes = np.zeros((len(values), len(self.classes_)))
        for column, (first, second) in enumerate(combinations(range(len(self.classes_)), 2)):
            votes[:, first] += values[:, column] > 0
            votes[:, second] += values[:, column] <= 0
        return self.classes_[np.argmax(votes, axis=1)]


class CalibratedSVC(ClassifierMixin, KernelEstimator):
    """Support vector classification with probabilities, which a sigmoid on held-out decision values gives.

    Parameters
    ----------
    C, kernel, degree, gamma, coef0, tol, class_weight, verbose, max_seconds
        As in :class:`SVC`; a callable kernel is a function of two samples.
    n_folds : int, default=5
        The folds of the cross-validation that the sigmoid is fitted to; as many as the smallest class has samples, if that is fewer.
    random_state : int, RandomState or None, default=None
        The seed of the folds; ``None`` is 0.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    model_ : npt.Model

    Examples
    --------
    >>> import numpy as np
    >>> from npt import CalibratedSVC
    >>> x = np.linspace(0, 1, 40).reshape(-1, 1)
    >>> machine = CalibratedSVC(C=10).fit(x, x[:, 0] > 0.4)
    >>> bool(machine.predict_proba([[0.9]])[0, 1] > 0.9)
    True
    """

    def __init__(self, *, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=TOLERANCE, class_weight=None, n_folds=5,
                 random_state=None, verbose=False, max_seconds=None):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.class_weight = class_weight
        self.n_folds = n_folds
        self.random_state = random_state
        self.verbose = verbose
        self.max_seconds = max_seconds

    def fit(self, X, y):
        """Fits the machine to samples and their classes."""
        positive(C=self.C, tol=self.tol)
        if self.n_folds < 2:
            raise ValueError(f"n_folds is {self.n_folds!r}; it must be at least 2")
        X, y = self._checked_with(X, y)
        labels = Labels(y).require_two(type(self).__name__)
        self.classes_, self._are_kept = labels.classes, labels.are_kept
        folds = max(2, min(self.n_folds, int(np.bincount(labels.positions).min())))
        method = written("calibrated_svc", c=penalty(self.C), tolerance=float(self.tol), folds=folds, seed=seed_of(self.random_state))
        return self._fit_model(method, X, labels.targets, labels.weights(self.class_weight, None))

    def decision_function(self, X):
        """Distances from the planes; with two classes they are positive for the second, with more there is one column a class."""
        values = self._ask("decision_function", X)
        return values.ravel() if len(self.classes_) == 2 else _ovr_decision_function(values < 0, -values, len(self.classes_))

    def predict_proba(self, X):
        """The probability of each class, one row a sample."""
        return self._ask("predict_probabilities", X)

    def predict_log_proba(self, X):
        """The logarithms of the probabilities."""
        return np.log(self.predict_proba(X))

    def predict(self, X):
        """The class of each sample: the most probable one."""
        return labels_back(self._ask("predict", X), self.classes_, self._are_kept)


class _Regressor(RegressorMixin, _Machine):
    def _fit_regressor(self, method, X, y, sample_weight):
        X, y = self._checked_with(X, y, y_numeric=True)
        self._fit_machine(method, X, as_numbers(y), self._weights(sample_weight, X))
        self.n_support_ = np.array([len(self.support_)], dtype=np.int32)
        return self

    def predict(self, X):
        """The value at each sample."""
        return self._ask("predict", X).ravel()


class SVR(_Regressor):
    """Support vector regression: deviations up to ``epsilon`` cost nothing.

    Parameters
    ----------
    kernel, degree, gamma, coef0, tol, shrinking, cache_size, verbose, max_iter, max_seconds
        As in :class:`SVC`.
    C : float, default=1.0
        The penalty of deviations beyond the tube; ``inf`` is 1e10.
    epsilon : float, default=0.1
        The deviation that costs nothing.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, model_
        As in :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from npt import SVR
    >>> x = np.linspace(0, 3, 30).reshape(-1, 1)
    >>> curve = SVR(C=100, epsilon=0.01, gamma=1.0).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(curve.predict([[1.5]])[0] - np.sin(1.5)) < 0.02)
    True
    """

    def __init__(self, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=TOLERANCE, C=1.0, epsilon=0.1, shrinking=True, cache_size=200,
                 verbose=False, max_iter=-1, max_seconds=None):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_seconds = max_seconds

    def fit(self, X, y, sample_weight=None):
        """Fits the machine to samples and numbers; a sample of weight 2 counts twice."""
        positive(C=self.C, tol=self.tol)
        method = written("svr", c=penalty(self.C), epsilon=float(self.epsilon), tolerance=float(self.tol))
        return self._fit_regressor(method, X, y, sample_weight)


class NuSVR(_Regressor):
    """Support vector regression with a tube: at most the share ``nu`` of the samples lies outside.

    Parameters
    ----------
    nu : float, default=0.5
        The share, above 0 and at most 1.
    C, kernel, degree, gamma, coef0, tol, shrinking, cache_size, verbose, max_iter, max_seconds
        As in :class:`SVR`.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, model_
        As in :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from npt import NuSVR
    >>> x = np.linspace(0, 3, 30).reshape(-1, 1)
    >>> curve = NuSVR(C=100, nu=0.1, gamma=1.0).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(curve.predict([[1.5]])[0] - np.sin(1.5)) < 0.02)
    True
    """

    def __init__(self, *, nu=0.5, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True, tol=TOLERANCE_OF_NU,
                 cache_size=200, verbose=False, max_iter=-1, max_seconds=None):
        self.nu = nu
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_seconds = max_seconds

    def fit(self, X, y, sample_weight=None):
        """Fits the machine to samples and numbers; a sample of weight 2 counts twice."""
        positive(C=self.C, nu=self.nu, tol=self.tol)
        method = written("svr", c=penalty(self.C), nu=float(self.nu), tolerance=float(self.tol))
        return self._fit_regressor(method, X, y, sample_weight)


class OneClassSVM(OutlierMixin, _Machine):
    """The region of most samples: at most the share ``nu`` of the training samples lies outside.

    Parameters
    ----------
    kernel, degree, gamma, coef0, tol, shrinking, cache_size, verbose, max_iter, max_seconds
        As in :class:`SVC`.
    nu : float, default=0.5
        The share, above 0 and at most 1.

    Attributes
    ----------
    offset_ : float
        ``decision_function`` = ``score_samples`` − ``offset_``.
    support_, support_vectors_, n_support_, dual_coef_, intercept_, model_
        As in :class:`SVC`.

    Examples
    --------
    >>> from npt import OneClassSVM
    >>> region = OneClassSVM(nu=0.2).fit([[0.0], [0.1], [0.2], [0.3], [9.0]])
    >>> region.predict([[0.15], [7.0]]).tolist()
    [1, -1]
    """

    def __init__(self, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=TOLERANCE_OF_NU, nu=0.5, shrinking=True, cache_size=200, verbose=False,
                 max_iter=-1, max_seconds=None):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_seconds = max_seconds

    def fit(self, X, y=None, sample_weight=None):
        """Fits the region to samples; a sample of weight 2 counts twice."""
        positive(nu=self.nu, tol=self.tol)
        X = self._checked(X, reset=True)
        method = written("one_class_svm", nu=float(self.nu), tolerance=float(self.tol))
        weights = self._weights(sample_weight, X)
        self._fit_machine(method, X, None, weights)
        # The coefficients of the model add up to 1, those of scikit-learn to nu times the number (or the weights) of the samples.
        self._share = float(self.nu) * (_num_samples(X) if weights is None else weights.sum())
        self._take(X, self.support_, self._by_pair * self._share, self.intercept_ * self._share)
        self.n_support_ = np.array([len(self.support_)], dtype=np.int32)
        self.offset_ = -float(self.intercept_[0])
        return self

    def decision_function(self, X):
        """Distances from the border of the region, positive inside, on scikit-learn's scale: the coefficients add up to nu for each sample."""
        return self.score_samples(X) - as_precise(np.array(self.offset_), X)

    def score_samples(self, X):
        """The decision values without the offset."""
        values = self._ask("decision_function", X).ravel()
        return values * values.dtype.type(self._share) + values.dtype.type(self.offset_)

    def predict(self, X):
        """1 inside of the region, −1 outside."""
        return np.where(self.decision_function(X) >= 0, 1, -1)
