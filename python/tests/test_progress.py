"""Progress: bars, functions, and scikit-learn's callbacks."""

import copy
import time
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import npt


def data(n=1500):
    x = np.random.default_rng(0).normal(size=(n, 4))
    return x, x[:, 0] * x[:, 1] > 0


def test_a_function_is_told_how_far_it_is():
    x, y = data(3000)
    told = []
    npt.SVC(C=1e4, verbose=lambda *progress: told.append(progress)).fit(x, y ^ (np.arange(len(y)) % 5 == 0))
    assert told
    stage, done, total, measure, value = told[-1]
    assert isinstance(stage, str) and done >= 0
    assert (measure is None) == (value is None) and (total is None or total >= done)


def test_a_function_ends_iterations_and_raises():
    x, y = data(3000)
    y = y ^ (np.arange(len(y)) % 5 == 0)
    ended, converged = npt.SVC(C=1e5, tol=1e-10, verbose=lambda *progress: True), npt.SVC(C=1e5, tol=1e-10, max_seconds=2)
    ended.fit(x, y)
    assert ended.predict(x).shape == y.shape
    # It ended at the first word; to converge it has far more to do.
    with pytest.raises(TimeoutError):
        converged.fit(x, y)

    def fault(*progress):
        raise KeyError("of the function")

    machine = npt.SVC(C=1e5, tol=1e-10, verbose=fault)
    with pytest.raises(KeyError, match="of the function"):
        machine.fit(x, y)
    assert not hasattr(machine, "model_")


def test_a_bar(capsys):
    pytest.importorskip("tqdm")
    x, y = data(3000)
    npt.SVC(C=1e4, verbose=True).fit(x, y ^ (np.arange(len(y)) % 5 == 0))
    assert "support vectors" in capsys.readouterr().err


class Record:
    def __init__(self):
        self.begun, self.ended = [], []

    def setup(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        self.begun.append(context.task_name)

    def on_fit_task_end(self, estimator, context):
        self.ended.append(context.task_name)

    def teardown(self, estimator, context):
        pass


def test_callbacks_see_stages():
    pytest.importorskip("sklearn.callback")

    record = Record()
    x, y = data(3000)
    machine = npt.SVC(C=1e4).set_callbacks(record)
    machine.fit(x, y ^ (np.arange(len(y)) % 5 == 0))
    assert record.begun[0] == "fit" and len(record.begun) >= 2
    assert sorted(record.begun) == sorted(record.ended)


@pytest.mark.parametrize(
    "estimator",
    [npt.KernelPCA(3, kernel="rbf", fit_inverse_transform=True), npt.NuSVC(nu=0.1), npt.MultipleKernelSVC(["linear", "gaussian(gamma = 0.5)"])],
)
def test_a_fit_of_several_parts_is_one_task(estimator):
    pytest.importorskip("sklearn.callback")
    x, y = data(300)
    record = Record()
    estimator.set_callbacks(record)
    estimator.fit(x, np.digitize(x[:, 0], [-0.5, 0.5]))
    assert record.begun.count("fit") == record.ended.count("fit") == 1
    assert "_progress" not in vars(estimator)


def test_the_time_is_that_of_the_whole_fit():
    x, y = data(100)
    left = []

    class Slow(npt.NuSVC):
        """A machine whose parts each note what time there is, and take a tenth of a second more."""

        def _fit_model(self, *given, **more):
            left.append(self._progress.seconds_left())
            time.sleep(0.1)
            return super()._fit_model(*given, **more)

    Slow(nu=0.1, max_seconds=60.0).fit(x, np.digitize(x[:, 0], [-0.5, 0.5]))
    assert len(left) == 3 and left[0] <= 60 and left[1] < left[0] - 0.09 and left[2] < left[1] - 0.09
    machine = npt.NuSVC(nu=0.05, gamma=10.0, max_seconds=0.0)
    with pytest.raises(TimeoutError):
        machine.fit(x, y)
    assert "_progress" not in vars(machine) and not hasattr(machine, "models_")
    for wrong in [-1.0, np.inf, np.nan]:
        with pytest.raises(ValueError, match="max_seconds"):
            npt.SVC(max_seconds=wrong).fit(x, y)


@pytest.mark.parametrize("machine", [npt.SVC(), npt.NuSVC(nu=0.3), npt.SVR(), npt.NuSVR(), npt.OneClassSVM()])
def test_iterations_have_a_limit(machine):
    x, _ = data(200)
    y = np.digitize(x[:, 0], [-0.5, 0.5])
    whole = clone(machine).fit(x, y)
    assert np.all(np.asarray(whole.n_iter_) > 5) and whole.fit_status_ == 0
    with pytest.warns(ConvergenceWarning, match="max_iter=5"):
        few = clone(machine).set_params(max_iter=5).fit(x, y)
    assert np.all(np.asarray(few.n_iter_) == 5) and few.fit_status_ == 1
    assert few.predict(x).shape == y.shape
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        enough = clone(machine).set_params(max_iter=int(np.max(whole.n_iter_))).fit(x, y)
    np.testing.assert_array_equal(enough.decision_function(x) if hasattr(enough, "decision_function") else enough.predict(x),
                                  whole.decision_function(x) if hasattr(whole, "decision_function") else whole.predict(x))
    with pytest.raises(ValueError, match="max_iter"):
        clone(machine).set_params(max_iter=0).fit(x, y)


def test_a_limit_ends_passes_as_well():
    x = np.random.default_rng(0).normal(size=(2000, 4))
    y = x[:, 0] + np.random.default_rng(1).normal(size=2000) > 0
    for most in [1, 2, 5, 50]:
        with pytest.warns(ConvergenceWarning) as told:
            machine = npt.SVC(kernel="linear", C=100, max_iter=most).fit(x, y)
        assert machine.n_iter_.tolist() == [most]
        assert told[0].filename == __file__


def test_a_margin_that_is_not_there_yet_is_an_error():
    x, y = np.random.default_rng(0).normal(size=(200, 3)), np.random.default_rng(0).integers(0, 3, 200)
    with pytest.raises(ValueError, match="did not converge: the margin"):
        npt.NuSVC(nu=0.3, max_iter=1).fit(x, y)


def test_a_copy_during_a_fit_has_no_part_in_it():
    x, y = data(3000)
    copies = []
    machine = npt.SVC(C=1e4, max_seconds=100.0)
    machine.set_params(verbose=lambda *_: copies.append(copy.copy(machine))).fit(x, y ^ (np.arange(len(y)) % 5 == 0))
    assert copies and all("_progress" not in vars(other) for other in copies)


def test_iterations_are_counted():
    x, y = data(200)
    fits = [npt.KernelLogisticRegression(), npt.KernelKMeans(3), npt.KernelPCAL1(2), npt.KernelICA(2),
            npt.IterativeKernelRidge(alpha=1e-4, n_pivots=5)]
    for estimator in fits:
        estimator.fit(x, y)
        assert 1 < estimator.n_iter_ < estimator.max_iter, estimator
