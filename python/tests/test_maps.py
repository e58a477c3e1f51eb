"""Kernels as functions, landmarks of one's own, blocks, and ways back of coordinates."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.metrics import pairwise

import npt


def samples(n=80, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 3))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gaussian(gamma = 0.3)", lambda x, y: pairwise.rbf_kernel(x, y, 0.3)),
        ("0.5 * linear + laplacian(gamma = 0.2)", lambda x, y: 0.5 * x @ y.T + pairwise.laplacian_kernel(x, y, 0.2)),
        ("polynomial(degree = 3, gamma = 0.5, constant = 1)", lambda x, y: pairwise.polynomial_kernel(x, y, 3, 0.5, 1)),
    ],
)
def test_kernels_are_functions(text, expected):
    x, y, kernel = samples(), samples(7, 1), npt.kernel(text)
    np.testing.assert_allclose(kernel(x, y), expected(x, y), atol=1e-12)
    np.testing.assert_allclose(kernel(x), expected(x, x), atol=1e-12)
    np.testing.assert_allclose(kernel.diag(x), np.diag(expected(x, x)), atol=1e-12)
    np.testing.assert_allclose(kernel(sparse.csr_matrix(x), sparse.csr_matrix(y)), expected(x, y), atol=1e-12)


def test_kernels_of_texts_and_of_the_data():
    words = ["banana", "bandana", "sonata"]
    assert (npt.kernel("spectrum(length = 2)")(words) == [[9, 7, 2], [7, 8, 1], [2, 1, 5]]).all()
    x = samples()
    scale = npt.Kernel("gaussian", gamma="scale")
    np.testing.assert_allclose(scale(x[:5], x), pairwise.rbf_kernel(x[:5], x, 1 / (3 * x.var())), atol=1e-12)
    with pytest.raises(ValueError, match="2 columns"):
        scale(x, x[:, :2])
    with pytest.raises(ValueError, match="no kernel on dense vectors"):
        npt.kernel("spectrum(length = 2)")(x)
    # A kernel is no function of two samples where an estimator takes one.
    assert npt.SVC(kernel=scale).fit(x, x[:, 0] > 0)._kernel.startswith("gaussian(gamma = 0.")


def test_landmarks_of_ones_own():
    x, landmarks = samples(), samples(12, 1)
    on = npt.KernelMap("gaussian(gamma = 0.3)", landmarks=landmarks, centered=False).fit(x)
    assert on.residuals(landmarks).max() < 1e-12 < on.residuals(x).max()
    kernel = npt.kernel("gaussian(gamma = 0.3)")
    expected = kernel(x, landmarks) @ np.linalg.solve(kernel(landmarks), kernel(landmarks, x))
    found = on.transform(x)
    np.testing.assert_allclose(found @ found.T, expected, atol=1e-9)
    with pytest.raises(ValueError, match="it must be 'nystroem'"):
        npt.KernelMap(space="exact", landmarks=landmarks).fit(x)
    with pytest.raises(ValueError, match="columns"):
        npt.KernelMap(landmarks=landmarks[:, :2]).fit(x)


@pytest.mark.parametrize("pre_image", ["fixed_point", "nearest_sample", "ridge(alpha = 1e-6)"])
def test_coordinates_go_back(pre_image):
    x = samples()
    there = npt.KernelMap("gaussian(gamma = 0.1)", n_components=40, pre_image=pre_image).fit(x)
    coordinates = there.transform(x)
    without = npt.KernelMap("gaussian(gamma = 0.1)", n_components=40).fit(x).transform(x)
    np.testing.assert_allclose(coordinates @ coordinates.T, without @ without.T, atol=1e-9)
    back = there.inverse_transform(coordinates)
    assert back.shape == x.shape and np.median(np.abs(back - x)) < 0.05
    with pytest.raises(NotFittedError, match="pre_image"):
        npt.KernelMap("gaussian(gamma = 0.1)").fit(x).inverse_transform(coordinates)
    with pytest.raises(ValueError, match="needs centered=True"):
        npt.KernelMap("gaussian(gamma = 0.1)", centered=False, pre_image=pre_image).fit(x)


@pytest.mark.parametrize("kind", ["dense", "sparse", "single", "texts"])
def test_blocks_of_any_samples(kind):
    x = samples(60)
    x = {"dense": x, "sparse": sparse.csr_matrix(x), "single": x.astype(np.float32), "texts": ["abc"[i % 3] * (1 + i % 7) + "d" for i in range(60)]}[kind]
    kernel = "spectrum(length = 1)" if kind == "texts" else "gaussian(gamma = 0.3)"
    blocks = npt.KernelMap(kernel, n_components=2, n_landmarks=10)
    for first in range(0, 60, 20):
        blocks.partial_fit(x[first : first + 20])
    coordinates = blocks.transform(x)
    assert coordinates.shape == (60, 2) and coordinates.dtype == (np.float32 if kind == "single" else np.float64)
    assert abs(coordinates.mean(axis=0)).max() < 1e-5
    np.testing.assert_allclose((coordinates.astype(float) ** 2).sum(axis=0), blocks.eigenvalues_, rtol=1e-5)


def test_first_blocks():
    x = samples(20)
    for parameters, text in [
        ({}, "at least 2"), ({"space": "fourier"}, "it must be 'auto'"), ({"pre_image": "fixed_point"}, "needs all samples"),
        ({"n_components": -1}, "n_components"), ({"centered": False}, "needs centered=True"),
    ]:
        refused = npt.KernelMap("gaussian(gamma = 0.3)", **parameters)
        with pytest.raises(ValueError, match=text):
            refused.partial_fit(x[:1] if not parameters else x)
        assert not hasattr(refused, "sums_")
    blocks = npt.KernelMap("gaussian(gamma = 0.3)").partial_fit(x[:8])
    assert blocks.n_components_ == 7 and len(blocks.get_feature_names_out()) == 7
    blocks.partial_fit(sparse.csr_matrix(x[8:]))
    # All landmarks are of the first block.
    assert blocks.transform(x).shape == (20, 8) and blocks.eigenvalues_.shape == (8,)
    with pytest.raises(ValueError, match="features"):
        blocks.partial_fit(x[:, :2])
    assert blocks.transform(x).shape == (20, 8)
    with pytest.raises(NotFittedError):
        npt.KernelMap().transform(x)


def test_nothing_of_an_earlier_fit_stays():
    x = samples(60)
    there = npt.KernelMap("gaussian(gamma = 0.1)", n_components=10, pre_image="nearest_sample").fit(x[:50])
    with pytest.raises(ValueError, match="pre-images"):
        there.set_params(pre_image="nonsense").fit(x)
    with pytest.raises(NotFittedError):
        there.transform(x)
    there.set_params(pre_image=None).fit(x[:, :2])
    with pytest.raises(NotFittedError, match="pre_image"):
        there.inverse_transform(there.transform(x[:, :2]))
    landmarks = np.repeat(samples(5, 1), 3, axis=0)
    with pytest.raises(ValueError, match="span only 5"):
        npt.KernelMap("gaussian(gamma = 0.5)", landmarks=landmarks, n_components=10).fit(x)


def test_random_features_are_cosines_of_their_attributes():
    x = samples()
    for count in [40, 7]:
        waves = npt.RBFSampler(gamma=0.3, n_components=count).fit(x[:50])
        expected = np.sqrt(2 / waves.n_components_) * np.cos(x @ waves.random_weights_ + waves.random_offset_)
        np.testing.assert_allclose(waves.transform(x), expected, atol=1e-12)
    single = npt.RBFSampler(gamma=0.3).fit(x.astype(np.float32))
    assert single.random_weights_.dtype == single.random_offset_.dtype == np.float32


def test_landmarks_have_positions():
    x = samples()
    for given in [x, sparse.csr_matrix(x)]:
        on = npt.Nystroem(gamma=0.3, n_components=12).fit(given)
        assert len(set(on.component_indices_)) == 12
        chosen = on.components_.toarray() if sparse.issparse(given) else on.components_
        np.testing.assert_array_equal(chosen, x[on.component_indices_])
        # Of landmarks the features have all.
        own = on.transform(chosen)
        np.testing.assert_allclose(own @ own.T, pairwise.rbf_kernel(chosen, gamma=0.3), atol=1e-10)
    words = ["banana", "bandana", "sonata", "ban", "nab", "tana"]
    on = npt.Nystroem(kernel="spectrum(length = 1)", n_components=3).fit(words)
    assert on.components_ == [words[place] for place in on.component_indices_]


def test_landmarks_of_a_function_are_few_calls():
    calls = []

    def kernel(x, y):
        calls.append(1)
        return np.exp(-0.3 * ((x - y) ** 2).sum())

    x = samples(400)
    on = npt.Nystroem(kernel=kernel, n_components=20).fit(x)
    # Once a pair, and once more with the first landmark, to see that it is symmetric.
    assert len(calls) == 20 * 21 / 2 + 19
    expected = pairwise.rbf_kernel(x, on.components_, 0.3)
    expected = expected @ np.linalg.solve(pairwise.rbf_kernel(on.components_, gamma=0.3), expected.T)
    found = on.transform(x)
    np.testing.assert_allclose(found @ found.T, expected, atol=1e-9)
    with pytest.raises(ValueError, match="must be symmetric"):
        npt.Nystroem(kernel=lambda x, y: x @ y + 0.1 * (x[0] > y[0]), n_components=3).fit(x)
    with pytest.raises(TypeError, match="dense data"):
        npt.Nystroem(kernel=kernel).fit(sparse.csr_matrix(x))


def test_sketches_of_no_more_entries_than_places_have_no_collisions():
    x = samples(50)
    for degree, seed in [(1, 0), (1, 1), (1, 2)]:
        sketch = npt.PolynomialCountSketch(degree=degree, gamma=0.5, coef0=2.0, n_components=4, random_state=seed).fit(x)
        # Three entries and the constant have four places: without a collision a sketch of degree 1 is exact.
        features = sketch.transform(x)
        np.testing.assert_allclose(features @ features.T, pairwise.polynomial_kernel(x, degree=1, gamma=0.5, coef0=2.0), atol=1e-12)
