"""Searches that share kernels, beside scikit-learn's."""

import pickle

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, scale

import npt
from npt import _npt
from npt.views import KernelView


def same(ours, theirs, metric="score"):
    """Asserts that both have the same candidates in the same order, with the same scores of each fold."""
    assert [str(params) for params in ours.cv_results_["params"]] == [str(params) for params in theirs.cv_results_["params"]]
    for key in theirs.cv_results_:
        if key.endswith(f"_test_{metric}") and not key.startswith("rank"):
            np.testing.assert_allclose(ours.cv_results_[key], theirs.cv_results_[key], atol=1e-7, err_msg=key)
    assert (ours.cv_results_[f"rank_test_{metric}"] == theirs.cv_results_[f"rank_test_{metric}"]).all()


@pytest.mark.parametrize(
    ("estimator", "grid", "load"),
    [
        (npt.SVC(), {"C": [0.1, 1, 100], "gamma": [0.01, 0.1]}, load_wine),
        (npt.SVC(), [{"kernel": ["linear"], "C": [1, 10]}, {"kernel": ["gaussian(gamma = 0.1) + 0.1 * linear"], "C": [1]}], load_iris),
        (npt.SVC(kernel=npt.Kernel("gaussian", gamma=0.1)), {"kernel__gamma": [0.01, 1.0]}, load_iris),
        (npt.KernelRidge(kernel="rbf"), {"alpha": [0.1, 1], "gamma": [0.01, 0.1]}, load_diabetes),
        (npt.KernelLogisticRegression(), {"C": [0.1, 1], "gamma": [0.01, 0.1]}, load_iris),
        (npt.KernelFisher(), {"ridge": [0.1, 1], "gamma": [0.01, 0.1]}, load_iris),
        (npt.SVR(), {"C": [1, 10], "epsilon": [0.1, 1]}, load_diabetes),
    ],
)
def test_results_are_those_of_grid_search(estimator, grid, load):
    x, y = load(return_X_y=True)
    x, gamma = scale(x)[::2], {"gamma": 0.05} if "gamma" not in str(grid) and hasattr(estimator, "gamma") else {}
    y = y[::2]
    estimator.set_params(**gamma)
    ours, theirs = npt.KernelSearchCV(estimator, grid, cv=4).fit(x, y), GridSearchCV(estimator, grid, cv=4).fit(x, y)
    same(ours, theirs)
    assert abs(ours.best_score_ - theirs.best_score_) < 1e-7
    assert set(theirs.cv_results_) == set(ours.cv_results_)
    assert str(ours.best_params_) == str(theirs.best_params_)
    assert ours.predict(x).shape == y.shape and ours.score(x, y) > 0.3


def test_a_kernel_is_evaluated_once():
    calls = []

    def kernel(x, y):
        calls.append(len(x))
        return x @ y.T

    x, y = load_iris(return_X_y=True)
    grid = {"C": [0.1, 1, 10]}
    npt.KernelSearchCV(npt.SVC(kernel=kernel), grid, cv=5, refit=False).fit(x, y)
    assert calls == [150]


@pytest.mark.parametrize("estimator", [npt.SVC(), npt.NuSVC(nu=0.1), npt.KernelRidge(alpha=0.1), npt.SVR(C=10), npt.KernelLogisticRegression()])
def test_views_are_matrices(estimator):
    x, y = load_iris(return_X_y=True)
    x = scale(x)
    values = npt.kernel("gaussian(gamma = 0.1)")(x)
    training, new = np.arange(150)[::2], np.arange(150)[1::2]
    estimator = clone(estimator).set_params(kernel="precomputed")
    by_array = clone(estimator).fit(values[np.ix_(training, training)], y[training]).predict(values[np.ix_(new, training)])
    of_kernel = clone(estimator).set_params(kernel="gaussian(gamma = 0.1)")._kernel_view(x)
    assert of_kernel.kernel == "precomputed(positive_semidefinite = true)"
    for view in [of_kernel, KernelView.of_matrix(values)]:
        fitted = clone(estimator).fit(view[np.ix_(training, training)], y[training])
        by_view = fitted.predict(view[np.ix_(new, training)])
        np.testing.assert_allclose(by_view, by_array, atol=1e-9)
        with pytest.raises(ValueError, match="kernel values with 150 others"):
            fitted.predict(view)
    assert npt.SVC(kernel="sigmoid", gamma=0.1)._kernel_view(x).kernel == "precomputed(positive_semidefinite = false)"


def test_other_processes_search_as_this_one():
    x, y = load_iris(return_X_y=True)
    grid = {"C": [0.1, 10], "gamma": [0.1]}
    alone, shared = (npt.KernelSearchCV(npt.SVC(), grid, cv=3, n_jobs=n_jobs).fit(x, y) for n_jobs in [None, 2])
    same(shared, alone)
    view = npt.SVC(gamma=0.1)._kernel_view(x)[np.ix_([3, 1, 2], [1, 3])]
    again = pickle.loads(pickle.dumps(view))
    assert (again.shape, again.kernel) == (view.shape, view.kernel)
    # All views of a matrix have one array in their pickles.
    assert view._all.__getstate__()["values"] is view[np.ix_([0, 1], [0])]._all.__getstate__()["values"]
    raised = npt.KernelSearchCV(npt.SVC(), grid, cv=3, error_score="raise").fit(x, y)
    same(raised, alone)
    np.testing.assert_array_equal(*(_npt.kernel_matrix("precomputed", v.samples()) for v in (view, again)))


def test_weights_splitters_and_scorers():
    x, y = load_iris(return_X_y=True)
    x = scale(x)
    weights, groups = 1.0 + np.arange(150) % 3, np.arange(150) % 6
    grid = {"C": [0.1, 10], "gamma": [0.1]}
    options = {"scoring": ["accuracy", "f1_macro"], "refit": "f1_macro", "cv": GroupKFold(3), "return_train_score": True}
    ours = npt.KernelSearchCV(npt.SVC(), grid, **options).fit(x, y, groups=groups, sample_weight=weights)
    theirs = GridSearchCV(npt.SVC(), grid, **options).fit(x, y, groups=groups, sample_weight=weights)
    for metric in ["accuracy", "f1_macro"]:
        same(ours, theirs, metric)
    assert ours.best_params_ == theirs.best_params_ and ours.n_splits_ == 3
    np.testing.assert_allclose(ours.cv_results_["mean_train_accuracy"], theirs.cv_results_["mean_train_accuracy"], atol=1e-7)


def test_candidates_that_fail_are_last():
    x, y = load_iris(return_X_y=True)
    grid = {"C": [-1.0, 1.0], "gamma": [0.1]}
    with pytest.warns(FitFailedWarning, match="fits failed"):
        search = npt.KernelSearchCV(npt.SVC(), grid, cv=StratifiedKFold(3)).fit(x, y)
    assert search.cv_results_["rank_test_score"].tolist() == [2, 1]
    assert search.best_params_ == {"C": 1.0, "gamma": 0.1}


def test_kernels_that_fail_are_last():
    x, y = load_iris(return_X_y=True)
    for grid in [{"gamma": [-1, 0.1], "C": [1, 10]}, {"kernel": ["nope", "rbf"]}, [{"kernel": ["linear"], "C": [-1]}, {"kernel": ["rbf"]}]]:
        with pytest.warns(FitFailedWarning, match="candidates of a kernel failed"):
            search = npt.KernelSearchCV(npt.SVC(), grid, cv=3).fit(x, y)
        failed = np.isnan(search.cv_results_["mean_test_score"])
        assert failed.any() and not failed[search.best_index_]
        assert search.cv_results_["rank_test_score"][failed].min() > search.cv_results_["rank_test_score"][~failed].max()
        with pytest.raises(ValueError):
            npt.KernelSearchCV(npt.SVC(), grid, cv=3, error_score="raise").fit(x, y)
    with pytest.raises(ValueError, match="nearest name"):
        npt.KernelSearchCV(npt.SVC(), {"kernel": ["gausian(gamma = 1)"]}, cv=3).fit(x, y)


class Weighted:
    """A function of samples that is written like all others."""

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, x, y):
        return (x * self.weight) @ y.T

    def __repr__(self):
        return "Weighted()"


def test_kernels_are_told_apart_by_what_they_are():
    x, y = load_iris(return_X_y=True)
    weights = [np.ones(4), np.array([1.0, 0, 0, 0])]
    same(*(search(npt.SVC(), {"kernel": [Weighted(weight) for weight in weights]}, cv=3).fit(x, y) for search in (npt.KernelSearchCV, GridSearchCV)))


def test_kernels_of_a_grid_stay_as_they_are():
    x, y = load_iris(return_X_y=True)
    kernel = npt.Kernel("gaussian", gamma=10.0)
    grid = [{"kernel": [kernel], "kernel__gamma": [0.001, 0.1]}, {"kernel": [kernel]}]
    ours, theirs = npt.KernelSearchCV(npt.SVC(), grid, cv=3).fit(x, y), GridSearchCV(npt.SVC(), grid, cv=3).fit(x, y)
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=1e-7)
    ours.best_estimator_.set_params(kernel__gamma=5.0)
    assert str(kernel) == "gaussian(gamma = 10.0)"


def test_what_shares_no_kernel_is_refused():
    x, y = load_iris(return_X_y=True)
    others = [make_pipeline(StandardScaler(), npt.SVC()), StandardScaler(), npt.MultipleKernelSVC(), npt.GaussianProcessRegressor()]
    for estimator in others:
        with pytest.raises(TypeError, match="one of npt's"):
            npt.KernelSearchCV(estimator, {}).fit(x, y)
    with pytest.raises(ValueError, match="no candidates"):
        npt.KernelSearchCV(npt.SVC(), []).fit(x, y)
    with pytest.raises(ValueError, match="refit"):
        npt.KernelSearchCV(npt.SVC(), {"C": [1]}, scoring=["accuracy", "f1_macro"]).fit(x, y)


def test_weights_of_kernels():
    x = np.random.default_rng(0).normal(size=(120, 3))
    y = np.abs(x[:, 0]) < 0.7
    kernels = [f"columns(start = {k}, end = {k + 1}, gaussian(gamma = 1))" for k in range(3)]
    for weighting in ["svm_mkl", "alignment", "independent_alignment"]:
        machine = npt.MultipleKernelSVC(kernels, C=10, weighting=weighting).fit(x, y)
        assert machine.weights_.argmax() == 0 and machine.weights_[0] > 3 * machine.weights_[1:].max()
        again = npt.SVC(C=10, kernel=machine.kernel_).fit(x, y)
        np.testing.assert_allclose(machine.decision_function(x), again.decision_function(x), atol=1e-7)
    frame = pandas.DataFrame(x, columns=["a", "b", "c"])
    machine = npt.MultipleKernelSVC(kernels, C=10).fit(frame, y)
    assert machine.feature_names_in_.tolist() == ["a", "b", "c"] and machine.predict(frame).shape == y.shape
    with pytest.raises(ValueError, match="at least one kernel"):
        npt.MultipleKernelSVC([]).fit(x, y)
    with pytest.raises(ValueError, match="nearest name"):
        npt.MultipleKernelSVC(weighting="svm_mlk").fit(x, y)
