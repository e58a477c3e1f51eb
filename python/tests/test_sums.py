"""Sums of parts beside a fit to all samples."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

import npt
from npt.sums import Reservoir, Sums, as_tree, merged, sum_of


def waves(n=240, seed=0):
    x = np.random.default_rng(seed).uniform(-2, 2, size=(n, 2))
    return x, np.sin(2 * x[:, 0]) + x[:, 1] ** 2


def parts(x, y, count=5):
    return [(x[k::count], y[k::count]) for k in range(count)]


def test_parts_are_the_whole():
    x, y = waves()
    kernel = "gaussian(gamma = 0.7)"
    begun = Sums("ridge(penalty = 0.1)", kernel, landmarks=x)
    sums = Sums("ridge(penalty = 0.1)", kernel, landmarks=x)
    for part in parts(x, y):
        sums.merge(sum_of(begun, part))
    assert (begun.count, sums.count) == (0, len(x))
    # The whole by scikit-learn: ridge regression with an intercept, in coordinates of the same samples.
    coordinates = npt.KernelMap(kernel, centered=False).fit_transform(x)
    expected = Ridge(alpha=0.1).fit(coordinates, y).predict(coordinates)
    np.testing.assert_allclose(sums.fit().predict(x).ravel(), expected, atol=1e-7)


@pytest.mark.parametrize(("method", "target"), [("kpca(components = 3)", None), ("pls(components = 3)", "numbers"), ("kfd(ridge = 0.1)", "labels")])
def test_order_and_grouping_change_nothing(method, target):
    x, y = waves()
    y = {None: None, "numbers": y, "labels": np.where(y > 1, "high", "low")}[target]
    begun = Sums(method, "gaussian(gamma = 0.7)", landmarks=x[:40])
    one = pickle.loads(pickle.dumps(begun)).partial_fit(x, y)
    pieces = [sum_of(begun, (x[k::5], None if y is None else y[k::5])) for k in range(5)]
    begun.merge(as_tree(merged, reversed(pieces), width=2))
    assert begun.count == one.count == len(x)
    of_one, of_parts = one.fit(), begun.fit()
    question = {None: "transform", "numbers": "predict", "labels": "decision_function"}[target]
    np.testing.assert_allclose(getattr(of_parts, question)(x), getattr(of_one, question)(x), atol=1e-9)
    if target == "labels":
        assert (of_parts.predict(x) == of_one.predict(x)).all()


def test_two_views():
    x, _ = waves()
    begun = Sums("cca(components = 1)", "gaussian(gamma = 1)", landmarks=x[:30, :1], second_landmarks=x[:30, :1] ** 2)
    begun.merge(sum_of(begun, (x[:, :1], x[:, :1] ** 2)))
    model = begun.fit()
    first = model.transform(x[:, :1]).ravel()
    second = model.transform_second(x[:, :1] ** 2).ravel()
    assert np.corrcoef(first, second)[0, 1] > 0.95


def test_penalties_are_chosen():
    x, y = waves()
    y = y + np.random.default_rng(1).normal(size=len(y))
    begun = Sums("ridge(penalty = [1e-9, 1, 1e9])", "gaussian(gamma = 2)", landmarks=x)
    begun.partial_fit(x, y)
    np.testing.assert_allclose(begun.fit().predict(x), begun.fit(penalty=1.0).predict(x), atol=1e-10)


def test_sums_of_other_spaces_are_refused():
    x, y = waves()
    sums = Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:20])
    for other in [
        Sums("ridge", "gaussian(gamma = 1.0000001)", landmarks=x[:20]),
        Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:21]),
        Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:20], folds=2),
    ]:
        assert other.fingerprint != sums.fingerprint
        with pytest.raises(ValueError, match="of another space"):
            sums.merge(other.partial_fit(x, y))
        with pytest.raises(ValueError, match="of another space"):
            merged(sums.to_bytes(), other.to_bytes())
    assert sums.count == 0
    with pytest.raises(ValueError):
        sums.merge(b"nothing of the kind")


def test_a_block_that_is_refused_changes_nothing():
    x, y = waves()
    sums = Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:20]).partial_fit(x, y)
    before = sums.to_bytes()
    bad = x.copy()
    bad[3, 1] = np.nan
    for block in [(bad, y), (x[:, :1], y), (x, y[:-1]), (x, None), (x, y, -np.ones(len(x)))]:
        with pytest.raises((ValueError, TypeError)):
            sums.partial_fit(*block)
        assert sums.to_bytes() == before


def test_weights_are_repetitions():
    x, y = waves()
    weights = np.arange(len(x)) % 3
    weighted = Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:20]).partial_fit(x, y, weights)
    rows = np.repeat(np.arange(len(x)), weights)
    repeated = Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:20]).partial_fit(x[rows], y[rows])
    np.testing.assert_allclose(weighted.fit().predict(x), repeated.fit().predict(x), atol=1e-9)


def test_texts_and_sparse_rows():
    words = ["banana", "bandana", "cabana", "sonata", "regatta", "cantata"]
    sums = Sums("kfd(ridge = 0.1)", "spectrum(length = 2)", landmarks=words).partial_fit(words, ["b"] * 3 + ["t"] * 3)
    assert sums.fit().predict(words).tolist() == ["b"] * 3 + ["t"] * 3
    x, y = waves()
    rows = sparse.csr_matrix(x)
    found = Sums("ridge", "gaussian(gamma = 1)", landmarks=rows[:20]).partial_fit(rows, y).fit().predict(rows)
    expected = Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:20]).partial_fit(x, y).fit().predict(x)
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_a_reservoir_is_uniform():
    counts = np.zeros(100)
    for seed in range(300):
        halves = [Reservoir(10, random_state=2 * seed + half) for half in range(2)]
        for half, some in enumerate(halves):
            for block in np.split(np.arange(50.0).reshape(-1, 1) + 50 * half, 5):
                some.partial_fit(block)
        halves[0].merge(halves[1])
        assert halves[0].samples.shape == (10, 1)
        counts[halves[0].samples.ravel().astype(int)] += 1
    # 30 of each on average, with a deviation of 5.2.
    assert counts.sum() == 3000 and counts.min() > 10 and counts.max() < 52
    some = Reservoir(3, random_state=0)
    some.partial_fit(["a", "b"])
    assert some.samples == ["a", "b"]


def test_reservoirs_that_do_not_go_together():
    some = Reservoir(5, random_state=0)
    some.partial_fit(np.arange(20.0).reshape(-1, 1))
    for other in [some, Reservoir(6, random_state=1)]:
        with pytest.raises(ValueError, match="must be of one size|need different seeds"):
            some.merge(other)
    for size in [0, -1, 2.5]:
        with pytest.raises(ValueError, match="size"):
            Reservoir(size)


def test_parts_begin_from_nothing():
    x, y = waves()
    sums = Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:20]).partial_fit(x, y)
    with pytest.raises(ValueError, match="have 240 samples"):
        sum_of(sums, (x, y))
    with pytest.raises(ValueError, match="no parts"):
        as_tree(merged, [])


def test_threads_take_turns():
    x, y = waves(8000)
    sums = Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:300])
    with ThreadPoolExecutor(4) as threads:
        blocks = [threads.submit(sums.partial_fit, x[k::8], y[k::8]) for k in range(8)]
        counts = [sums.count for _ in range(20)]
        for block in blocks:
            block.result(timeout=60)
    assert sums.count == 8000 and counts == sorted(counts)
    alone = Sums("ridge", "gaussian(gamma = 1)", landmarks=x[:300]).partial_fit(x, y)
    np.testing.assert_allclose(sums.fit().predict(x[:50]), alone.fit().predict(x[:50]), atol=1e-7)


def test_kernel_map_by_blocks():
    x, _ = waves()
    whole = npt.KernelMap("gaussian(gamma = 0.7)", n_components=5, landmarks=x[:30]).fit(x)
    blocks = npt.KernelMap("gaussian(gamma = 0.7)", n_components=5, landmarks=x[:30])
    for block in np.split(x, 6):
        blocks.partial_fit(block)
    found, expected = blocks.transform(x), whole.transform(x)
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found * signs, expected, atol=1e-7)
    np.testing.assert_allclose(blocks.eigenvalues_, whole.eigenvalues_, rtol=1e-9)
    with pytest.raises(ValueError, match="needs centered=True"):
        npt.KernelMap(centered=False).partial_fit(x)
