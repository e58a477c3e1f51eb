"""Searching, keeping, interrupting, and samples of other types."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import joblib
import numpy as np
import pandas
import pytest
from sklearn.base import clone, is_classifier
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import kernels as gp
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import npt
from estimators import READY


def test_parameters_of_kernels_and_estimators_are_searched(plane):
    x, _, y = plane
    model = make_pipeline(StandardScaler(), npt.Kernelized(Ridge(), kernel="gaussian(gamma = 1) + 0.1 * linear"))
    grid = {"kernelized__kernel__first__gamma": [0.1, 1.0], "kernelized__estimator__alpha": [0.1, 1.0]}
    search = GridSearchCV(model, grid, cv=3).fit(x, y)
    assert set(search.best_params_) == set(grid)
    by_name = GridSearchCV(npt.SVR(kernel="gaussian(gamma = 1)"), {"kernel__gamma": [0.1, 1.0]}, cv=3).fit(x, y)
    assert by_name.best_estimator_.kernel.get_params()["gamma"] in (0.1, 1.0)
    bare = npt.Kernelized(Ridge(), kernel="gaussian")
    assert bare.get_params()["kernel__gamma"] == "scale"
    assert bare.set_params(kernel__gamma=0.3).get_params()["kernel__gamma"] == 0.3


def test_transformers_give_frames(plane):
    x, _, _ = plane
    named = npt.KernelPCA(2, kernel="rbf").set_output(transform="pandas").fit_transform(x)
    assert list(named.columns) == ["kernelpca0", "kernelpca1"]
    frame = npt.Kernelized(PCA(2)).set_output(transform="polars").fit_transform(x)
    assert frame.columns == ["pca0", "pca1"]
    predictions = npt.Kernelized(LocalOutlierFactor(n_neighbors=5)).fit_predict(x)
    assert set(predictions) <= {-1, 1}


def test_kernels_compose():
    kernel = 2 * npt.Kernel("gaussian", gamma=0.5) + "linear" * npt.Kernel("laplacian", gamma=1)
    assert npt.kernel(str(kernel)).get_params()["first__kernel__gamma"] == 0.5
    copy = clone(npt.SVC(kernel=kernel)).set_params(kernel__first__kernel__gamma=3.0)
    assert "gamma = 3.0" in str(copy.kernel) and "gamma = 3" not in str(kernel)
    with pytest.raises(ValueError, match="no parameter width; it has gamma"):
        npt.Kernel("gaussian", gamma=1).set_params(width=2)
    with pytest.raises(ValueError, match="nearest name is gaussian"):
        npt.kernel("gauss(gamma = 1)")


def test_models_are_kept(plane, tmp_path):
    x, y, _ = plane
    machine = npt.SVC(C=3).fit(x, np.array(["no", "yes"])[y])
    expected = machine.decision_function(x)
    for copy in [pickle.loads(pickle.dumps(machine)), joblib.load(joblib.dump(machine, tmp_path / "machine")[0])]:
        np.testing.assert_array_equal(copy.decision_function(x), expected)
    machine.save(tmp_path / "machine.npt")
    loaded = npt.load(tmp_path / "machine.npt")
    np.testing.assert_array_equal(loaded.predict(x), machine.predict(x))
    assert "c = 3" in str(loaded)
    with pytest.raises(FileNotFoundError):
        npt.load(tmp_path / "none.npt")
    three = npt.NuSVC(nu=0.2).fit(x, np.arange(len(x)) % 3)
    with pytest.raises(ValueError, match="no single model"):
        three.save(tmp_path / "three.npt")
    three.models_[2].save(tmp_path / "pair.npt")
    few = sparse.csr_matrix(np.where(np.abs(x) < 0.5, 0.0, x))
    npt.SVC().fit(few, y).save(tmp_path / "sparse.npt")
    assert len(npt.load(tmp_path / "sparse.npt").predict(few)) == len(x)
    with pytest.raises(ValueError, match="Expected 2D array"):
        loaded.predict(x[0])
    damaged = bytearray(machine.model_.__getstate__())
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(ValueError, match="damaged"):
        npt.Model(None).__setstate__(bytes(damaged))


def test_texts_and_sets():
    words, sides = ["banana", "ananas", "kiwi", "kiwano"], [0, 0, 1, 1]
    machine = npt.SVC(kernel="spectrum(length = 2)").fit(words, sides)
    assert machine.predict(["bananas", "kiwis"]).tolist() == [0, 1]
    as_column = pandas.Series(words)
    assert npt.SVC(kernel="spectrum(length = 2)").fit(as_column, sides).predict(as_column).tolist() == sides
    sets = [set(word) for word in words]
    assert npt.SVC(kernel="jaccard").fit(sets, sides).predict(sets).tolist() == sides


def test_objects_with_a_callable():
    class Span:
        def __init__(self, length):
            self.length = length

    def like(a, b):
        return float(np.exp(-abs(a.length - b.length)))

    spans = [Span(length) for length in (1.0, 1.1, 4.0, 4.1)]
    curve = npt.KernelRidgeCV(alphas=[1e-6], kernel=like).fit(spans, [0.0, 0.0, 1.0, 1.0])
    np.testing.assert_allclose(curve.predict(spans), [0, 0, 1, 1], atol=1e-4)

    def raises(a, b):
        raise KeyError("no such span")

    estimator = npt.KernelRidgeCV(kernel=raises)
    with pytest.raises(KeyError, match="no such span"):
        estimator.fit(spans, [0.0, 0.0, 1.0, 1.0])
    assert not hasattr(estimator, "model_")
    def nowhere(a, b):
        return float("nan") if {a.length, b.length} == {1.0, 4.0} else 1.0

    for kernel, message in [(nowhere, "NaN"), (lambda a, b: a.length, "1.0 if they are exchanged: a kernel must be symmetric")]:
        with pytest.raises(ValueError, match=message):
            npt.KernelRidgeCV(kernel=kernel).fit(spans, [0.0, 0.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="no samples"):
        curve.predict([])


def test_functions_are_symmetric_to_rounding():
    # Curves that are orthogonal, by the trapezoidal rule: values of different ones are rounding.
    t = np.linspace(0, 2 * np.pi, 101)
    weights = np.full(101, t[1])
    weights[[0, -1]] /= 2
    curves = np.array([np.sin(k * t) for k in range(1, 9)])
    curve = npt.KernelRidge(kernel=lambda a, b: float((a * weights) @ b), alpha=1e-9).fit(curves, np.arange(8.0))
    np.testing.assert_allclose(curve.predict(curves[7:]), [7], atol=1e-6)


@pytest.mark.parametrize("estimator", READY, ids=lambda estimator: type(estimator).__name__)
def test_single_precision_stays(estimator, plane):
    x, sides, y = plane
    x = np.abs(x).astype(np.float32)
    fitted = clone(estimator).fit(x, sides if is_classifier(estimator) else y)
    for question in ("transform", "decision_function"):
        if hasattr(fitted, question):
            assert getattr(fitted, question)(x).dtype == np.float32


def test_a_signal_ends_a_fit_at_once():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(6000, 20)), rng.normal(size=6000)
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while True:
            npt.KernelRidgeCV(kernel="rbf", gamma=1e-3).fit(x, y)
    assert time.monotonic() - begun < 3.0


def test_time_is_limited():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(6000, 20)), rng.normal(size=6000)
    with pytest.raises(TimeoutError, match="not done within"):
        npt.KernelRidgeCV(kernel="rbf", gamma=1e-3, max_seconds=0.2).fit(x, y)
    with pytest.raises(ValueError, match="max_seconds"):
        npt.SVC(max_seconds=-1).fit(x[:10], [0, 1] * 5)


def test_what_does_not_fit_in_memory_is_refused():
    x = np.random.default_rng(0).normal(size=(400_000, 9))
    with pytest.raises(MemoryError, match="would take 1.3 TB"):
        npt.KernelRidge(kernel="rbf", gamma=100.0).fit(x, x[:, 0])


def test_predictions_copy_no_rows_in_order():
    program = """
import resource
import numpy as np
import npt

x = np.random.default_rng(0).normal(size=(1_000_000, 28))
machine = npt.KernelRidge(kernel="rbf", gamma=0.01).fit(x[:20], x[:20, 0])
machine.predict(x[:100_000])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
machine.predict(x)
# scikit-learn looks for numbers that are not finite, without a copy.
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / x.nbytes)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(result.stdout) < 0.3
    # In another order, and of columns of another matrix, they are copied once, and are the same.
    x = np.random.default_rng(0).normal(size=(200, 4))
    machine = npt.KernelRidge(kernel="rbf").fit(x[:50], x[:50, 0])
    expected = machine.predict(x)
    unaligned = np.frombuffer(b"?" + x.tobytes(), offset=1).reshape(x.shape)
    for same in [np.asfortranarray(x), np.hstack([x, x])[:, :4], x[::-1][::-1], unaligned]:
        np.testing.assert_array_equal(machine.predict(same), expected)
    np.testing.assert_allclose(machine.predict(x[:1]), expected[:1], rtol=1e-12)


def test_a_fitted_machine_has_samples_of_its_own():
    x = np.random.default_rng(0).normal(size=(200, 4))
    for given in [x.copy(), x.astype(np.float32)]:
        machine = npt.SVC(kernel="rbf").fit(given, given[:, 0] > 0)
        expected = machine.decision_function(x)
        given[:] = 0
        np.testing.assert_array_equal(machine.decision_function(x), expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_has_threads():
    program = """
import os, numpy as np, npt
x = np.random.default_rng(0).normal(size=(300, 3))
expected = npt.KernelPCA(2, kernel="rbf").fit_transform(x)
child = os.fork()
if child == 0:
    same = np.array_equal(npt.KernelPCA(2, kernel="rbf").fit_transform(x), expected)
    os._exit(0 if same else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_threads_are_said():
    program = "import npt; print(npt.threads()); npt.set_threads(3); print(npt.threads())"
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    said = subprocess.run([sys.executable, "-c", program], check=True, timeout=60, env=environment, capture_output=True, text=True)
    assert said.stdout.split() == ["2", "3"]


def test_a_fit_that_fails_leaves_nothing_behind(plane):
    x, y, t = plane
    model = npt.Kernelized(LogisticRegression()).fit(x, y)
    expected = model.predict(x)
    with pytest.raises(ValueError):
        model.fit(x * 7 + 3, np.zeros(len(x)))
    np.testing.assert_array_equal(model.predict(x), expected)
    process = npt.GaussianProcessRegressor(gp.Matern(nu=3.5), alpha=0.1, n_restarts_optimizer=2).fit(x, t)
    with pytest.raises(TimeoutError):
        process.set_params(max_seconds=1e-9).fit(x, t)
    with pytest.raises(NotFittedError):
        process.log_marginal_likelihood()
    machine = npt.NuSVC(nu=0.9)
    with pytest.raises(ValueError, match="nu is 0.9"):
        machine.fit(x, np.arange(len(x)) > 36)
    with pytest.raises(NotFittedError):
        machine.predict(x)


def test_what_is_wrong_is_said(plane):
    x, y, t = plane
    words = ["banana", "ananas", "kiwi", "kiwano"]
    three = np.arange(len(x)) % 3
    beyond = sparse.csr_matrix(x)
    beyond.indices[1] = 77
    for work, message in [
        (lambda: npt.SVC().fit(words, [0, 0, 1, 1]), "which needs vectors"),
        (lambda: npt.GaussianProcessRegressor(kernel=5).fit(x, x[:, 0]), "the kernel is 5; it must be a text or a npt.Kernel"),
        (lambda: npt.SVC().fit(beyond, np.arange(len(x)) % 2), "must be < 3"),
        (lambda: npt.SVC(kernel="jaccard").fit([{"a"}, "b"], [0, 1]), "all must be of one type"),
        (lambda: npt.SVC().fit(x, three, sample_weight=(three != 1).astype(float)), "class .*1.* has no sample with a weight"),
        (lambda: npt.SVC().fit(1e300 * x, y), "need to be scaled"),
        (lambda: npt.KernelRidge().fit(x, t, sample_weight=t), "Negative values"),
        (lambda: npt.NuSVC(decision_function_shape="ovo", break_ties=True).fit(x, three).predict(x), "break_ties must be False"),
        (lambda: npt.SVC(class_weight=[1, 2]).fit(x, y), "class_weight is"),
        (lambda: npt.SVC(decision_function_shape="all").fit(x, y).decision_function(x), "must be 'ovr' or 'ovo'"),
        (lambda: npt.Nystroem(kernel="precomputed", gamma=0.1).fit(x @ x.T), "Don't pass gamma"),
        (lambda: npt.Nystroem(kernel=min, degree=2).fit(x), "Don't pass gamma"),
        (lambda: npt.NoveltyDetector(kernel="precomputed").fit(x @ x.T), "with themselves"),
        (lambda: npt.KernelCCA(second_kernel=min).fit(x, x), "kernels by name"),
        (lambda: npt.Kernelized(Ridge()).fit(x), "requires y"),
        (lambda: npt.KernelMap(space="some").fit(x), "must be 'auto', 'exact'"),
    ]:
        with pytest.raises(ValueError, match=message):
            work()
    with pytest.raises(TypeError, match="dense data"):
        npt.KernelRidge(kernel=lambda a, b: 1.0).fit(sparse.csr_matrix(x), t)


def test_gamma_is_of_every_name_alone(plane):
    x, y, _ = plane
    by_name = npt.SVC(kernel="laplacian", gamma=0.7).fit(x, y)
    by_text = npt.SVC(kernel="laplacian(gamma = 0.7)").fit(x, y)
    np.testing.assert_array_equal(by_name.decision_function(x), by_text.decision_function(x))
    again = clone(by_name).set_params(**by_name.get_params()).fit(x, y)
    np.testing.assert_array_equal(again.decision_function(x), by_text.decision_function(x))
    few, many = (npt.KernelMap(gamma=gamma, centered=False).fit_transform(x) for gamma in (0.01, 5.0))
    assert (few @ few.T).min() > 0.5 > (many @ many.T).min()


def test_missing_values_have_no_part_in_the_scale(plane):
    x = 100 * plane[0]
    whole = npt.RobustKernelPCA().fit(x)._gamma
    x[3, 1] = np.nan
    assert npt.RobustKernelPCA().fit(x)._gamma == pytest.approx(whole, rel=0.1)


def test_sparse_matrices_of_any_order(plane):
    x, y, _ = plane
    x = np.where(np.abs(x) < 0.5, 0.0, x)
    few = sparse.csr_matrix(x)
    indices, data = few.indices.copy(), few.data.copy()
    for begin, end in zip(few.indptr, few.indptr[1:]):
        indices[begin:end], data[begin:end] = indices[begin:end][::-1], data[begin:end][::-1]
    turned = sparse.csr_matrix((data, indices, few.indptr), shape=few.shape)
    before = turned.indices.copy()
    np.testing.assert_allclose(npt.SVC().fit(turned, y).decision_function(x), npt.SVC().fit(x, y).decision_function(x), atol=1e-6)
    np.testing.assert_array_equal(turned.indices, before)
