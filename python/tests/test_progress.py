"""Progress: bars, functions, and scikit-learn's callbacks."""

import numpy as np
import pytest

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


def test_callbacks_see_stages():
    pytest.importorskip("sklearn.callback")

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

    record = Record()
    x, y = data(3000)
    machine = npt.SVC(C=1e4).set_callbacks(record)
    machine.fit(x, y ^ (np.arange(len(y)) % 5 == 0))
    assert record.begun[0] == "fit" and len(record.begun) >= 2
    assert sorted(record.begun) == sorted(record.ended)
