"""Searches that evaluate each kernel once."""

import numbers
import time
import warnings

import numpy as np
from scipy.stats import rankdata
from sklearn.base import clone, is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GridSearchCV, ParameterGrid, check_cv
from sklearn.utils import get_tags
from sklearn.utils.validation import _check_sample_weight

from .base import KernelEstimator
from .kernels import Kernel

__all__ = ["KernelSearchCV"]

# Parameters that make another kernel, beside those of a part of it, ``kernel__gamma``.
_OF_KERNEL = ("kernel", "gamma", "degree", "coef0", "kernel_params")


class KernelSearchCV(GridSearchCV):
    """A grid search for kernel methods that evaluates each kernel once, for all folds and all other parameters.

    The search pays where kernel values are costly: for texts, sets, a function of two samples, or vectors with many features. For vectors
    with ten features it takes as long as ``GridSearchCV`` with the same estimator.

    The kernel matrix of all samples is computed once for each combination of the kernel's parameters; fits and scores use its rows and
    columns, and copy none. Results are those of ``GridSearchCV`` to rounding, except with ``gamma="scale"``, which is here by all samples
    and not by those of a fold.

    Parameters
    ----------
    estimator : estimator of npt
        An estimator that takes ``kernel="precomputed"``, such as :class:`npt.SVC` or :class:`npt.KernelRidge`.
    param_grid : dict or list of dicts
        Values of ``kernel``, ``gamma``, ``kernel__first__gamma`` and the like, and of the method's parameters.
    scoring, n_jobs, refit, cv, verbose, pre_dispatch, error_score, return_train_score
        As in ``sklearn.model_selection.GridSearchCV``. Fits have all threads, so that ``n_jobs`` of more than 1 pays only if there are few
        samples.

    Attributes
    ----------
    cv_results_ : dict
        As in ``GridSearchCV``.
    best_estimator_ : estimator
        The best candidate, with the kernel itself, fitted to all samples.
    best_params_, best_score_, best_index_, scorer_, n_splits_, refit_time_, multimetric_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import npt
    >>> x, y = load_iris(return_X_y=True)
    >>> grid = {"kernel": ["linear", "gaussian(gamma = 0.1)"], "C": [0.1, 1, 10]}
    >>> search = npt.KernelSearchCV(npt.SVC(), grid).fit(x, y)
    >>> len(search.cv_results_["params"]), bool(search.best_score_ > 0.95)
    (6, True)
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags = get_tags(self.estimator).target_tags
        return tags

    def fit(self, X, y=None, **params):
        """Scores all candidates, and fits the best of them to all samples."""
        if not (isinstance(self.estimator, KernelEstimator) and self.estimator._takes_kernel_matrices):
            raise TypeError(
                f"the estimator is {self.estimator!r}; it must be one of npt's that takes kernel='precomputed': kernels of a pipeline change "
                "with each fold"
            )
        if y is None and get_tags(self.estimator).target_tags.required:
            raise ValueError(f"{type(self.estimator).__name__} requires y to be passed, but the target y is None")
        candidates = list(ParameterGrid(self.param_grid))
        if not candidates:
            raise ValueError("param_grid has no candidates")
        self._get_scorers()
        folds = check_cv(self.cv, y, classifier=is_classifier(self.estimator))
        folds = list(folds.split(X, y, params.pop("groups", None)))
        self.n_splits_ = len(folds)
        places, results, failures = [], [], []
        for kernel, of_kernel in _by_kernel(candidates):
            places.append([place for place, _ in of_kernel])
            try:
                results.append(self._results(X, y, kernel, [rest for _, rest in of_kernel], folds, params))
            except Exception as failure:
                if self.error_score == "raise":
                    raise
                results.append(None)
                failures.append(failure)
        if len(failures) == len(results):
            raise failures[0]
        for failure in failures:
            warnings.warn(f"the candidates of a kernel failed, with scores of {self.error_score}: {failure}", FitFailedWarning, stacklevel=2)
        self.cv_results_ = _together(results, places, candidates, self.error_score)
        self._choose()
        if self.refit:
            self.best_estimator_ = clone(self.estimator).set_params(**_cloned(self.best_params_))
            began = time.perf_counter()
            self.best_estimator_.fit(X, y, **params)
            self.refit_time_ = time.perf_counter() - began
            if hasattr(self.best_estimator_, "feature_names_in_"):
                self.feature_names_in_ = self.best_estimator_.feature_names_in_
        return self

    def _results(self, X, y, kernel, grid, folds, params):
        """The results of the candidates with one kernel, on its matrix."""
        estimator = clone(self.estimator).set_params(**_cloned(kernel))
        weights = params.get("sample_weight")
        matrix = estimator._kernel_view(X, None if weights is None else _check_sample_weight(weights, X))
        search = GridSearchCV(
            estimator.set_params(kernel="precomputed"), [{name: [value] for name, value in rest.items()} for rest in grid],
            scoring=self.scoring, n_jobs=self.n_jobs, refit=False, cv=folds, verbose=self.verbose, pre_dispatch=self.pre_dispatch,
            error_score=self.error_score, return_train_score=self.return_train_score,
        ).fit(matrix, y, **params)
        self.scorer_, self.multimetric_ = search.scorer_, search.multimetric_
        return search.cv_results_

    def _choose(self):
        """Chooses the best candidate, if ``refit`` or the only metric says which one that is."""
        if self.multimetric_ and not self.refit:
            return
        metric = self.refit if self.multimetric_ else "score"
        self.best_index_ = self._select_best_index(self.refit, metric, self.cv_results_)
        self.best_params_ = self.cv_results_["params"][self.best_index_]
        if not callable(self.refit):
            self.best_score_ = self.cv_results_[f"mean_test_{metric}"][self.best_index_]


def _by_kernel(candidates):
    """Pairs of the parameters of a kernel and the candidates with this kernel: their places, and their other parameters."""
    groups = []
    for place, candidate in enumerate(candidates):
        kernel = {name: value for name, value in candidate.items() if name in _OF_KERNEL or name.startswith("kernel__")}
        rest = {name: value for name, value in candidate.items() if name not in kernel}
        for known, members in groups:
            if known.keys() == kernel.keys() and all(_same(known[name], value) for name, value in kernel.items()):
                members.append((place, rest))
                break
        else:
            groups.append((kernel, [(place, rest)]))
    return groups


def _same(one, other):
    """Returns whether two values are equal; functions and arrays are compared by identity."""
    return one is other or isinstance(one, (str, numbers.Number, Kernel)) and type(one) is type(other) and one == other


def _cloned(params):
    """The parameters with kernels of their own, which a fit may change."""
    return {name: clone(value, safe=False) for name, value in params.items()}


def _together(results, places, candidates, error_score):
    """The results of several searches as those of one, in the order of the candidates; ``None`` stands for a search that failed."""
    together = {}
    done = next(result for result in results if result is not None)
    for key in done:
        if key.startswith(("param_", "rank_")) or key == "params":
            continue
        of_failed = 0.0
        if "_test_" in key or "_train_" in key:
            # If failures are raised, no search has failed.
            of_failed = np.nan if error_score == "raise" else error_score - error_score if key.startswith("std_") else error_score
        together[key] = np.empty(len(candidates))
        for result, own in zip(results, places, strict=True):
            together[key][own] = of_failed if result is None else result[key]
    for name in sorted({name for candidate in candidates for name in candidate}):
        values = np.ma.MaskedArray(np.empty(len(candidates), dtype=object), mask=True)
        for place, candidate in enumerate(candidates):
            if name in candidate:
                values[place] = candidate[name]
        together[f"param_{name}"] = values
    together["params"] = candidates
    for key in [key for key in done if key.startswith("rank_test_")]:
        means = together[key.replace("rank_", "mean_", 1)]
        # A candidate without a score comes last.
        means = np.where(np.isnan(means), np.nanmin(means, initial=0.0) - 1, means)
        together[key] = rankdata(-means, method="min").astype(np.int32)
    return together
