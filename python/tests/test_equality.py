"""The same numbers as scikit-learn's, where both have the method."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import svm
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as gp
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge

import npt


# LIBSVM keeps kernel values in single precision.
AS_LIBSVM = 2e-5


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
@pytest.mark.parametrize("C", [0.5, 20.0])
def test_svc_of_two_classes(plane, kernel, C):
    x, y, _ = plane
    given = {"C": C, "kernel": kernel, "gamma": 0.3, "coef0": 0.1}
    ours, theirs = npt.SVC(**given).fit(x, y), svm.SVC(tol=1e-10, **given).fit(x, y)
    np.testing.assert_allclose(ours.decision_function(x), theirs.decision_function(x), atol=AS_LIBSVM)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=AS_LIBSVM)
    if kernel == "rbf":
        # Of three dimensions there are many duals of one plane.
        np.testing.assert_array_equal(ours.support_, theirs.support_)
        np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=AS_LIBSVM * C)
        np.testing.assert_array_equal(ours.n_support_, theirs.n_support_)


def test_svc_of_four_classes(plane):
    x, _, _ = plane
    y = np.array(["a", "b", "c", "d"])[(x[:, 0] > 0).astype(int) + 2 * (x[:, 1] > 0)]
    ours, theirs = npt.SVC(C=3).fit(x, y), svm.SVC(C=3, tol=1e-10).fit(x, y)
    np.testing.assert_allclose(ours.decision_function(x), theirs.decision_function(x), atol=AS_LIBSVM)
    np.testing.assert_array_equal(ours.predict(x), theirs.predict(x))
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=AS_LIBSVM)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=AS_LIBSVM)


@pytest.mark.parametrize("classes", [2, 4])
def test_nu_svc(plane, classes):
    x, _, _ = plane
    y = ((x[:, 0] > 0).astype(int) + 2 * (x[:, 1] > 0)) % classes


    def rbf(a, b):
        return np.exp(-0.3 * ((a[:, None] - b) ** 2).sum(axis=2))

    for kernel in ["rbf", "precomputed", rbf]:
        z = rbf(x, x) if kernel == "precomputed" else x
        ours = npt.NuSVC(nu=0.2, kernel=kernel).fit(z, y)
        theirs = svm.NuSVC(nu=0.2, kernel=kernel, tol=1e-12).fit(z, y)
        np.testing.assert_allclose(ours.decision_function(z), theirs.decision_function(z), atol=1e-3)
        far = np.abs(theirs.decision_function(z).reshape(len(z), -1)).min(axis=1) > 1e-2
        np.testing.assert_array_equal(ours.predict(z)[far], theirs.predict(z)[far])
        if kernel == "rbf":
            np.testing.assert_array_equal(ours.support_, theirs.support_)
            np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-3, atol=1e-3)
            np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-3)


def test_regressions(plane):
    x, _, y = plane
    for ours, theirs in [
        (npt.SVR(C=5, epsilon=0.05), svm.SVR(C=5, epsilon=0.05, tol=1e-12)),
        (npt.NuSVR(C=5, nu=0.4), svm.NuSVR(C=5, nu=0.4, tol=1e-12)),
        (npt.KernelRidge(alpha=0.1, kernel="rbf", gamma=0.2), KernelRidge(alpha=0.1, kernel="rbf", gamma=0.2)),
        (npt.KernelRidge(alpha=0.1, kernel="poly"), KernelRidge(alpha=0.1, kernel="poly")),
    ]:
        ours, theirs = ours.fit(x, y), theirs.fit(x, y)
        np.testing.assert_allclose(ours.predict(x), theirs.predict(x), atol=AS_LIBSVM)
        np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=20 * AS_LIBSVM)


@pytest.mark.parametrize("name", ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"])
def test_samples_with_weights_below_zero_are_left_out(plane, name):
    x, sides, y = plane
    targets = sides if name.endswith("SVC") else y
    given = {"gamma": 0.3, "nu": 0.3} if "Nu" in name or "One" in name else {"gamma": 0.3}
    weights = np.where(np.arange(len(x)) % 3 == 1, -0.5, np.where(np.arange(len(x)) % 3 == 2, 2.0, 1.0))
    ours = getattr(npt, name)(**given).fit(x, targets, sample_weight=weights)
    theirs = getattr(svm, name)(tol=1e-10, **given).fit(x, targets, sample_weight=weights)
    expected = theirs.decision_function(x) if hasattr(theirs, "decision_function") else theirs.predict(x)
    found = ours.decision_function(x) if hasattr(ours, "decision_function") else ours.predict(x)
    np.testing.assert_allclose(found, expected, atol=1e-3 if "Nu" in name else AS_LIBSVM * np.abs(expected).max())
    assert np.all(weights[ours.support_] > 0)
    for machine in (ours, theirs):
        for none in (np.zeros(len(x)), -weights**2):
            with pytest.raises(ValueError, match="all samples have zero or negative weights|nu is infeasible"):
                machine.fit(x, targets, sample_weight=none)
        if name.endswith("SVC"):
            with pytest.raises(ValueError, match="belong to the same class|nu is infeasible"):
                machine.fit(x, targets, sample_weight=np.where(sides == 1, 1.0, -1.0))


def test_weights_are_factors_of_the_penalty(plane):
    x, y, t = plane
    for machine, targets in [(npt.SVC, y), (npt.SVR, t)]:
        plain = machine(C=2.0).fit(x, targets)
        weighted = machine(C=200.0).fit(x, targets, sample_weight=np.full(len(x), 0.01))
        # In units of C.
        np.testing.assert_allclose(weighted.dual_coef_ / 2.0, plain.dual_coef_ / 2.0, atol=1e-7)


def test_penalties_without_end(plane):
    x, y, t = plane
    for ours, theirs, targets in [(npt.SVC, svm.SVC, y), (npt.SVR, svm.SVR, t)]:
        ours, theirs = ours(C=np.inf, gamma=5.0).fit(x, targets), theirs(C=np.inf, gamma=5.0, tol=1e-10).fit(x, targets)
        np.testing.assert_allclose(ours.predict(x), theirs.predict(x), atol=AS_LIBSVM)


def test_attributes_of_sparse_machines_are_sparse(plane):
    x, y, t = plane
    few = sparse.csr_matrix(np.where(np.abs(x) < 0.5, 0.0, x))
    three = (x[:, 0] > 0).astype(int) + (x[:, 1] > 0)
    for name, targets in [("SVC", y), ("SVC", three), ("NuSVC", three), ("SVR", t), ("OneClassSVM", None)]:
        given = {"kernel": "rbf", "nu": 0.2} if name in ("NuSVC", "OneClassSVM") else {"kernel": "linear"}
        ours, theirs = getattr(npt, name)(**given).fit(few, targets), getattr(svm, name)(**given).fit(few, targets)
        for attribute in ["dual_coef_", "support_vectors_"] + ["coef_"] * (given["kernel"] == "linear"):
            found, expected = getattr(ours, attribute), getattr(theirs, attribute)
            # Which samples are support vectors is a matter of rounding where there are many duals of one plane.
            axis = 1 if attribute == "support_vectors_" else 0
            assert sparse.issparse(found) and found.shape[axis] == expected.shape[axis], (name, attribute)
        dense = getattr(npt, name)(**given).fit(few.toarray(), targets)
        np.testing.assert_allclose(ours.decision_function(few) if name != "SVR" else ours.predict(few),
                                   dense.decision_function(few) if name != "SVR" else dense.predict(few), atol=1e-5)
        if given["kernel"] == "linear":
            np.testing.assert_allclose(ours.coef_.toarray(), dense.coef_, atol=1e-5)
            with pytest.raises(ValueError, match="read-only"):
                ours.coef_.data[0] = 1.0


@pytest.mark.parametrize("machine", [npt.SVC(C=5, gamma=0.5), npt.NuSVC(nu=0.3, gamma=0.5)], ids=["SVC", "NuSVC"])
def test_probabilities_of_machines(plane, machine):
    x, y, _ = plane
    assert not hasattr(machine, "predict_proba")
    with_them = clone(machine).set_params(probability=True)
    with pytest.raises(NotFittedError):
        with_them.predict_proba(x)
    with pytest.warns(FutureWarning, match="`probability` parameter is deprecated"):
        with_them.fit(x, y)
    expected = CalibratedClassifierCV(machine, ensemble=False).fit(x, y).predict_proba(x)
    np.testing.assert_allclose(with_them.predict_proba(x), expected, atol=1e-12)
    np.testing.assert_allclose(np.exp(with_them.predict_log_proba(x)), expected, atol=1e-12)
    np.testing.assert_array_equal(with_them.decision_function(x), clone(machine).fit(x, y).decision_function(x))
    matrix = np.exp(-0.5 * ((x[:, None] - x) ** 2).sum(axis=2))
    with pytest.warns(FutureWarning):
        by_matrix = clone(with_them).set_params(kernel="precomputed").fit(matrix, y)
    np.testing.assert_allclose(by_matrix.predict_proba(matrix), expected, atol=1e-5)
    with pytest.warns(FutureWarning):
        without = clone(machine).set_params(probability=False).fit(x, y)
    without.probability = True
    with pytest.raises(NotFittedError, match="probability=False"):
        without.predict_proba(x)


def test_one_class(plane):
    x, _, _ = plane
    ours, theirs = npt.OneClassSVM(nu=0.3).fit(x), svm.OneClassSVM(nu=0.3, tol=1e-10).fit(x)
    values, expected = ours.decision_function(x), theirs.decision_function(x)
    np.testing.assert_allclose(values, expected, atol=AS_LIBSVM * np.abs(expected).max())
    # Samples on the border are on either side by rounding.
    far = np.abs(expected) > 1e-3 * np.abs(expected).max()
    np.testing.assert_array_equal(ours.predict(x)[far], theirs.predict(x)[far])
    np.testing.assert_allclose(ours.offset_, theirs.offset_, rtol=AS_LIBSVM)
    np.testing.assert_allclose(ours.dual_coef_.sum(), theirs.dual_coef_.sum(), rtol=1e-9)


def test_components(plane):
    x, _, _ = plane
    ours = npt.KernelPCA(n_components=4, kernel="rbf", gamma=0.3).fit(x)
    theirs = KernelPCA(n_components=4, kernel="rbf", gamma=0.3).fit(x)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(np.abs(ours.transform(x[:7])), np.abs(theirs.transform(x[:7])), atol=1e-10)


def test_single_precision(plane):
    x, _, y = plane
    full, single = (npt.KernelRidge(alpha=0.1, kernel="laplacian", precision=p).fit(x, y).dual_coef_ for p in ("full", "single"))
    assert 0 < np.linalg.norm(full - single) < 1e-7 * np.linalg.norm(full)
    full, single = (npt.KernelPCA(4, kernel="laplacian", precision=p).fit(x) for p in ("full", "single"))
    np.testing.assert_allclose(full.eigenvalues_, single.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(full.transform(x), single.transform(x), atol=1e-4)
    assert not np.array_equal(full.transform(x), single.transform(x))
    with pytest.raises(ValueError, match='precision of ridge is "half"; it must be one of "full", "single"'):
        npt.KernelRidge(precision="half").fit(x, y)


def test_components_beyond_the_span_are_zeros(plane):
    x, _, _ = plane
    for n_components, remove_zero_eig in [(5, False), (50, False), (5, True), (None, False)]:
        given = {"n_components": n_components, "remove_zero_eig": remove_zero_eig}
        ours, theirs = npt.KernelPCA(**given).fit(x), KernelPCA(**given).fit(x)
        np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(np.abs(ours.transform(x[:7])), np.abs(theirs.transform(x[:7])), atol=1e-10)
        np.testing.assert_array_equal(ours.fit_transform(x), ours.transform(x))
        assert ours.eigenvectors_.shape == theirs.eigenvectors_.shape
        np.testing.assert_allclose(np.abs(ours.eigenvectors_[:, :3]), np.abs(theirs.eigenvectors_[:, :3]), atol=1e-10)
    there_and_back = npt.KernelPCA(5, fit_inverse_transform=True, alpha=1e-8).fit(x)
    # The ridge leaves out the mean.
    components = there_and_back.transform(x)
    again = there_and_back.inverse_transform(components)
    np.testing.assert_allclose(again - again.mean(axis=0), x - x.mean(axis=0), atol=1e-6)
    with pytest.raises(ValueError, match="3 components, but the fit has 5"):
        there_and_back.inverse_transform(components[:, :3])


def test_components_of_samples_without_variance():
    x = np.full((5, 3), 2.0)
    with pytest.warns(UserWarning, match="no variance"):
        ours = npt.KernelPCA(n_components=2, kernel="rbf").fit(x)
    assert (ours.transform(x[:2]) == np.zeros((2, 2))).all() and ours.eigenvalues_.tolist() == [0, 0]
    assert (ours.eigenvectors_ == 0).all()
    with pytest.raises(ValueError, match="no variance, so there is no model"):
        ours.save("nowhere")
    with pytest.warns(UserWarning, match="no variance"):
        assert npt.KernelPCA().fit_transform(x).shape == (5, 0)
    with pytest.raises(ValueError, match="no variance"):
        npt.KernelPCA(kernel="rbf", fit_inverse_transform=True).fit(x)
    with pytest.raises(ValueError, match="nearest name"):
        ours.set_params(kernel="gausian(gamma = 1)").fit(x)
    with pytest.raises(NotFittedError):
        ours.transform(x)


def test_processes_without_noise_stay_where_they_can_be_solved():
    rng = np.random.default_rng(252)
    n = int(rng.integers(8, 30))
    x = np.sort(rng.uniform(0, 10, size=(n, 1)), axis=0)
    process = npt.GaussianProcessRegressor().fit(x, x[:, 0] ** 2)
    np.testing.assert_allclose(process.predict(x), x[:, 0] ** 2, atol=1e-3)


def test_components_of_indefinite_kernels(plane):
    x, _, _ = plane
    matrix = -np.abs(x[:, None] - x).sum(axis=2) ** 1.5
    ours, theirs = (pca(3, kernel="precomputed").fit(matrix) for pca in (npt.KernelPCA, KernelPCA))
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(np.abs(ours.transform(matrix[:7])), np.abs(theirs.transform(matrix[:7])), atol=1e-9)
    for n_components in [None, 39, 40]:
        for pca in (npt.KernelPCA, KernelPCA):
            with pytest.raises(ValueError, match="There are significant negative eigenvalues"):
                pca(n_components, kernel="precomputed").fit(matrix)


def test_sparse_matrices_are_dense_ones(plane):
    x, y, _ = plane
    x = np.where(np.abs(x) < 0.5, 0.0, x)
    dense = npt.SVC(C=3).fit(x, y).decision_function(x)
    few = sparse.csr_matrix(x)
    np.testing.assert_allclose(npt.SVC(C=3).fit(few, y).decision_function(few), dense, atol=1e-6)


def test_precomputed_and_callable_kernels(plane):
    x, y, _ = plane

    def rbf(a, b):
        return np.exp(-0.3 * ((a[:, None] - b) ** 2).sum(axis=2))

    expected = npt.SVC(gamma=0.3).fit(x, y).decision_function(x[:5])
    by_callable = npt.SVC(kernel=rbf).fit(x, y).decision_function(x[:5])
    by_matrix = npt.SVC(kernel="precomputed").fit(rbf(x, x), y).decision_function(rbf(x[:5], x))
    np.testing.assert_allclose(by_callable, expected, atol=1e-6)
    np.testing.assert_allclose(by_matrix, expected, atol=1e-6)


def test_polynomials_of_a_real_degree():
    x = np.random.default_rng(0).uniform(size=(30, 3))
    y = x[:, 0] * x[:, 1]
    given = {"kernel": "poly", "degree": 8.5, "coef0": 1.0, "gamma": 0.5}
    ours, theirs = (ridge(alpha=0.1, **given).fit(x, y).predict(x[::2]) for ridge in (npt.KernelRidge, KernelRidge))
    np.testing.assert_allclose(ours, theirs, rtol=1e-7)
    features = npt.Nystroem(n_components=30, **given).fit_transform(x)
    np.testing.assert_allclose(features @ features.T, (0.5 * x @ x.T + 1) ** 8.5, rtol=1e-8)
    machine = npt.SVC(**{**given, "gamma": "scale"}).fit(x, y > 0.2)
    by_function = npt.SVC(kernel=lambda a, b: (a @ b.T / (3 * x.var()) + 1) ** 8.5).fit(x, y > 0.2)
    np.testing.assert_allclose(machine.decision_function(x), by_function.decision_function(x), atol=1e-6)
    # (1 + ⟨a, b⟩)^1.5 is no kernel, and a root of what is negative no number.
    with pytest.raises(ValueError, match="positive semidefinite"):
        npt.KernelRidge(kernel="poly", degree=1.5, coef0=1.0, gamma=1.0).fit(x - 0.5, y)
    with pytest.raises(ValueError, match="NaN"):
        npt.KernelRidge(kernel="poly", degree=1.5, coef0=0.0, gamma=1.0).fit(x - 0.5, y)


def test_kernelized_ridge_is_kernel_ridge(plane):
    x, _, y = plane
    ours = npt.Kernelized(Ridge(alpha=0.1), kernel="gaussian(gamma = 0.3)").fit(x, y).predict(x[:9] + 0.1)
    ready = npt.KernelRidgeCV(alphas=[0.1], kernel="rbf", gamma=0.3, fit_intercept=True).fit(x, y).predict(x[:9] + 0.1)
    np.testing.assert_allclose(ours, ready, atol=1e-8)


def test_kernelized_logistic_regression_is_kernel_logistic_regression(plane):
    x, y, _ = plane
    inner = LogisticRegression(C=2.0, tol=1e-10, max_iter=10_000)
    ours = npt.Kernelized(inner, kernel="gaussian(gamma = 0.3)").fit(x, y).predict_proba(x)
    ready = npt.KernelLogisticRegression(C=2.0, gamma=0.3).fit(x, y).predict_proba(x)
    np.testing.assert_allclose(ours, ready, atol=1e-4)


PROCESSES = [
    1.5 * gp.RBF(0.7) + gp.WhiteKernel(0.1),
    gp.RBF([0.5, 1.0, 2.0]) + gp.WhiteKernel(0.2),
    2.0 * gp.Matern(1.2, nu=1.5) + gp.DotProduct(0.5) + gp.WhiteKernel(0.1),
    0.8 * gp.RBF(1.0) + gp.ConstantKernel(0.3),
    gp.RationalQuadratic(1.0, 0.8) * gp.RBF(3.0, "fixed") + gp.WhiteKernel(0.1, "fixed"),
]


@pytest.mark.parametrize("kernel", PROCESSES, ids=str)
@pytest.mark.parametrize("normalize_y", [False, True])
def test_processes(plane, kernel, normalize_y):
    x, _, y = plane
    given = {"optimizer": None, "normalize_y": normalize_y}
    ours = npt.GaussianProcessRegressor(kernel, **given).fit(x, y)
    theirs = GaussianProcessRegressor(kernel, **given).fit(x, y)
    for found, expected in zip(ours.predict(x[:9] + 0.1, return_std=True), theirs.predict(x[:9] + 0.1, return_std=True)):
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(ours.log_marginal_likelihood(), theirs.log_marginal_likelihood_value_, rtol=1e-9)
    covariances = [process.predict(x[:9] + 0.1, return_cov=True)[1] for process in (ours, theirs)]
    np.testing.assert_allclose(*covariances, rtol=1e-8, atol=1e-9)
    theta = theirs.kernel_.theta + 0.1
    for found, expected in zip(*(process.log_marginal_likelihood(theta, eval_gradient=True) for process in (ours, theirs))):
        np.testing.assert_allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize("kernel", PROCESSES, ids=str)
def test_processes_whose_kernels_are_found(plane, kernel):
    x, _, y = plane
    y = y + 0.2 * np.random.default_rng(1).normal(size=len(y))
    ours = npt.GaussianProcessRegressor(kernel, n_restarts_optimizer=2).fit(x, y)
    theirs = GaussianProcessRegressor(kernel, n_restarts_optimizer=2, random_state=0).fit(x, y)
    # No worse a maximum, and the kernel that it says has it.
    assert ours.log_marginal_likelihood() > theirs.log_marginal_likelihood_value_ - 1e-3
    again = GaussianProcessRegressor(ours.kernel_, optimizer=None).fit(x, y)
    np.testing.assert_allclose(ours.log_marginal_likelihood(), again.log_marginal_likelihood_value_, rtol=1e-6)


# Those that the catalogue has nothing like.
PROCESSES_BY_MATRICES = [
    gp.Matern(nu=3.5) + gp.WhiteKernel(0.1),
    gp.DotProduct() ** 2 + gp.WhiteKernel(0.1),
    gp.RBF() * (gp.RBF() + gp.WhiteKernel(0.1)),
    2.0 * gp.WhiteKernel(0.3) + gp.RBF(),
    gp.RBF() + (gp.WhiteKernel(0.1) + gp.WhiteKernel(0.2)),
    gp.RBF(0.7) ** 2,
    gp.WhiteKernel(0.5),
]


@pytest.mark.parametrize("kernel", PROCESSES_BY_MATRICES, ids=str)
def test_processes_by_matrices(plane, kernel):
    x, _, y = plane
    same_process(kernel, x, y, x[:9] + 0.1, alpha=1e-3)


@pytest.mark.parametrize("given", [{"alpha": np.linspace(0.1, 0.4, 40)}, {"normalize_y": True, "alpha": 0.1}], ids=["alphas", "scaled"])
def test_processes_of_several_targets(plane, given):
    x, _, y = plane
    same_process(1.5 * gp.RBF(0.7), x, np.column_stack([y, x[:, 0], 3 * y + x[:, 1]]), x[:9] + 0.1, **given)
    same_process(1.5 * gp.RBF(0.7), x, y.reshape(-1, 1), x[:9] + 0.1, **given)


def same_process(kernel, x, y, new, **given):
    """Asserts scikit-learn's answers, with the kernel as it is and with the one that is found."""
    for optimizer in [None, "fmin_l_bfgs_b"]:
        ours = npt.GaussianProcessRegressor(kernel, optimizer=optimizer, **given).fit(x, y)
        theirs = GaussianProcessRegressor(kernel, optimizer=optimizer, **given).fit(x, y)
        rtol = 1e-8 if optimizer is None else 1e-4
        np.testing.assert_allclose(ours.log_marginal_likelihood(), theirs.log_marginal_likelihood(), rtol=rtol)
        theta = theirs.kernel_.theta + 0.1
        for found, expected in zip(*(process.log_marginal_likelihood(theta, eval_gradient=True) for process in (ours, theirs))):
            np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)
        if optimizer is None:
            for asked in [{"return_std": True}, {"return_cov": True}]:
                for found, expected in zip(ours.predict(new, **asked), theirs.predict(new, **asked)):
                    assert found.shape == expected.shape
                    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8)
            assert ours.sample_y(new, 3).shape == theirs.sample_y(new, 3).shape
            np.testing.assert_allclose(ours.L_, theirs.L_, atol=1e-10)
            np.testing.assert_allclose(ours.alpha_.ravel(), theirs.alpha_.ravel(), rtol=1e-6, atol=1e-8)


class Lengths(gp.GenericKernelMixin, gp.StationaryKernelMixin, gp.NormalizedKernelMixin, gp.Kernel):
    """A kernel of anything that has a length."""

    def __init__(self, rate=0.1):
        self.rate = rate

    def __call__(self, X, Y=None, eval_gradient=False):
        lengths, others = (np.array([float(len(x)) for x in samples]) for samples in (X, X if Y is None else Y))
        values = np.exp(-self.rate * np.abs(lengths[:, None] - others))
        return (values, np.empty((*values.shape, 0))) if eval_gradient else values


@pytest.mark.parametrize("samples", [["a", "abc", "abcdefg"], [range(2), range(1), range(3)]], ids=["texts", "objects"])
def test_processes_of_objects(samples):
    ours, theirs = (process(Lengths(), alpha=0.1) for process in (npt.GaussianProcessRegressor, GaussianProcessRegressor))
    ours.fit(samples, [1.0, 2.0, 3.0])
    matrix = Lengths()(samples)
    expected = matrix @ np.linalg.solve(matrix + 0.1 * np.eye(3), [1.0, 2.0, 3.0])
    np.testing.assert_allclose(ours.predict(samples), expected, rtol=1e-12)
    if isinstance(samples[0], str):
        for found, other in zip(ours.predict(samples, return_std=True), theirs.fit(samples, [1.0, 2.0, 3.0]).predict(samples, return_std=True)):
            np.testing.assert_allclose(found, other, rtol=1e-12)


def test_bounds_of_processes_are_met(plane):
    x, _, y = plane
    kernel = gp.ConstantKernel(1.0, (0.9, 1.1)) * gp.RBF(1.0, (0.8, 1.5)) + gp.WhiteKernel(0.1, (0.05, 0.2))
    with pytest.warns(ConvergenceWarning, match="close to the specified"):
        ours = npt.GaussianProcessRegressor(kernel).fit(x, y)
    with pytest.warns(ConvergenceWarning, match="close to the specified"):
        theirs = GaussianProcessRegressor(kernel).fit(x, y)
    np.testing.assert_allclose(ours.kernel_.theta, theirs.kernel_.theta, atol=1e-4)
    np.testing.assert_allclose(ours.predict(x[:5] + 0.1), theirs.predict(x[:5] + 0.1), atol=1e-4)
    assert "predict_with_variance" in ours.model_.abilities


def test_processes_before_a_fit(plane):
    x, _, _ = plane
    for given in [{}, {"kernel": 2.0 * gp.RBF() + gp.WhiteKernel(0.3)}, {"n_targets": 3}]:
        ours, theirs = npt.GaussianProcessRegressor(**given), GaussianProcessRegressor(**given)
        for asked in [{"return_std": True}, {"return_cov": True}]:
            for found, expected in zip(ours.predict(x[:4], **asked), theirs.predict(x[:4], **asked)):
                np.testing.assert_allclose(found, expected, atol=1e-12)
    with pytest.raises(NotFittedError):
        npt.GaussianProcessRegressor("gaussian(gamma = 1)").predict(x)


def test_optimizers_of_processes(plane):
    x, _, y = plane
    asked = []

    def first_of_two(objective, theta, bounds):
        asked.extend([objective(theta, eval_gradient=False), objective(theta)[1].shape, bounds.shape])
        return theta + 0.5, 0.0

    process = npt.GaussianProcessRegressor(1.0 * gp.RBF(), alpha=0.1, optimizer=first_of_two).fit(x, y)
    np.testing.assert_allclose(process.kernel_.theta, [0.5, 0.5])
    assert asked[1:] == [(2,), (2, 2)]
    again = npt.GaussianProcessRegressor(process.kernel_, alpha=0.1, optimizer=None).fit(x, y)
    np.testing.assert_allclose(process.predict(x), again.predict(x))


def test_what_processes_refuse(plane, tmp_path):
    x, _, y = plane
    two = np.column_stack([y, y])
    for work, message in [
        (lambda: npt.GaussianProcessRegressor(gp.RBF()).fit(["one", "three"], [1.0, 2.0]), "no kernel on texts"),
        (lambda: npt.GaussianProcessRegressor(n_targets=1).fit(x, two), "n_targets is 1"),
        (lambda: npt.GaussianProcessRegressor(alpha=np.ones(7)).fit(x, y), "alpha must be a scalar or"),
        (lambda: npt.GaussianProcessRegressor(alpha=-1.0).fit(x, y), "at least 0"),
        (lambda: npt.GaussianProcessRegressor("gaussian(gamma = 1)").fit(x, two), "one target"),
        (lambda: npt.GaussianProcessRegressor(optimizer="other").fit(x, y), "optimizer is"),
        (lambda: npt.GaussianProcessRegressor(gp.DotProduct(), alpha=0.0, optimizer=None).fit(x, y), "positive definite"),
        (lambda: npt.GaussianProcessRegressor(gp.ExpSineSquared(2.0, 3.0)).fit(x, y), "positive definite"),
        (lambda: npt.GaussianProcessRegressor(gp.RBF(), alpha=0.1).fit(x, two).save(tmp_path / "two.npt"), "pickle keeps"),
    ]:
        with pytest.raises(ValueError, match=message):
            work()
    with pytest.raises(TimeoutError):
        npt.GaussianProcessRegressor(gp.Matern(nu=3.5), alpha=0.1, max_seconds=1e-9).fit(x, y)


def test_random_features_are_of_any_samples(plane):
    x, _, _ = plane
    new = np.random.default_rng(1).normal(size=(50, 3))
    squares = ((new[:, None] - new) ** 2).sum(axis=2)
    waves = npt.RBFSampler(gamma=0.3, n_components=4000).fit(x[:5]).transform(new)
    assert waves.shape == (50, 4000)
    np.testing.assert_allclose(waves @ waves.T, np.exp(-0.3 * squares), atol=0.1)
    mapped = npt.KernelMap("gaussian(gamma = 0.3)", "fourier", n_landmarks=2000, centered=False).fit(x[:5]).transform(new)
    np.testing.assert_allclose(mapped @ mapped.T, np.exp(-0.3 * squares), atol=0.1)
    sketch = npt.PolynomialCountSketch(degree=2, coef0=1, n_components=4000).fit(x[:5]).transform(new)
    kernel = (new @ new.T + 1) ** 2
    assert sketch.shape == (50, 4000)
    assert np.abs(sketch @ sketch.T - kernel).mean() < 0.05 * kernel.mean()
