"""The works of compare.py, done by scikit-learn; the counterpart of ours.rs, line by line."""

import sys
import time

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.preprocessing import KernelCenterer
from sklearn.svm import SVC, SVR

GAMMA = 0.1
# Megabytes; as much as helps.
CACHE = 1000


def read(name):
    numbers = np.fromfile(f"{folder}/{name}", dtype="<f8")
    table = numbers[1:].reshape(-1, int(numbers[0]))
    return np.ascontiguousarray(table[:, :-1]), table[:, -1].copy()


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def gram(name, dtype=np.float64):
    x = read(name)[0].astype(dtype)

    def centered():
        k = rbf_kernel(x, gamma=GAMMA)
        return KernelCenterer().fit(k).transform(k, copy=False)

    seconds, k = timed(centered)
    return seconds, [k[i, 2 * i] for i in range(20)]


def space(name):
    x = read(name)[0]
    pca = KernelPCA(None, kernel="rbf", gamma=GAMMA, copy_X=False)
    seconds, y = timed(lambda: pca.fit_transform(x))
    return seconds, [y[i] @ y[i + 1] for i in range(20)]


def components(name, count, solver="arpack"):
    x = read(name)[0]
    pca = KernelPCA(int(count), kernel="rbf", gamma=GAMMA, eigen_solver=solver, random_state=0)
    seconds, _ = timed(lambda: pca.fit(x))
    return seconds, pca.eigenvalues_


def transform(name, new, count):
    pca = KernelPCA(int(count), kernel="rbf", gamma=GAMMA, eigen_solver="arpack", random_state=0)
    pca.fit(read(name)[0])
    new = read(new)[0]
    seconds, scores = timed(lambda: pca.transform(new))
    return seconds, abs(scores[0])


def svc(name, c):
    x, y = read(name)
    model = SVC(C=float(c), gamma=GAMMA, cache_size=CACHE)
    seconds, _ = timed(lambda: model.fit(x, y > 0.5))
    alpha = model.dual_coef_[0]
    own = model.decision_function(model.support_vectors_) - model.intercept_[0]
    return seconds, [abs(alpha).sum() - 0.5 * alpha @ own], model.decision_function(x[:20])


def svc_predict(name, times):
    x, y = read(name)
    model = SVC(gamma=GAMMA, cache_size=CACHE).fit(x, y > 0.5)
    many = np.tile(x, (int(times), 1))
    seconds, sides = timed(lambda: model.predict(many))
    return seconds, [np.count_nonzero(sides)]


def letters(name):
    x, y = read(name)
    model = SVC(C=10.0, gamma=GAMMA, cache_size=CACHE)
    seconds, _ = timed(lambda: model.fit(x, y))
    right = np.count_nonzero(model.predict(x[:2000]) == y[:2000])
    return seconds, [len(model.support_)], [right]


def svr(name):
    x, y = read(name)
    model = SVR(gamma=GAMMA, cache_size=CACHE)
    seconds, _ = timed(lambda: model.fit(x, y))
    return seconds, model.predict(x[:20])


def grid(name, gammas, cs):
    x, y = read(name)
    folds = PredefinedSplit(np.fromfile(f"{folder}/{name}.folds"))
    values = {"gamma": [float(g) for g in gammas.split(",")], "C": [float(c) for c in cs.split(",")]}
    search = GridSearchCV(SVC(cache_size=CACHE), values, cv=folds, n_jobs=2, refit=False)
    seconds, _ = timed(lambda: search.fit(x, y > 0.5))
    found = {(p["gamma"], p["C"]): s for p, s in zip(search.cv_results_["params"], search.cv_results_["mean_test_score"])}
    return seconds, [found[g, c] for g in values["gamma"] for c in values["C"]]


def ridge(name):
    x, y = read(name)
    model = KernelRidge(alpha=1.0, kernel="rbf", gamma=GAMMA)
    seconds, _ = timed(lambda: model.fit(x, y))
    return seconds, model.predict(x[:20])


def ridge_path(name):
    """By ten folds: it has no errors of leave-one-out, and 2000 folds would take an hour."""
    x, y = read(name)
    penalties = np.logspace(-4, 2, 50)
    search = GridSearchCV(
        KernelRidge(kernel="rbf", gamma=GAMMA), {"alpha": penalties}, cv=10, refit=False
    )
    seconds, _ = timed(lambda: search.fit(x, y))
    last = KernelRidge(alpha=penalties[-1], kernel="rbf", gamma=GAMMA).fit(x, y)
    return seconds, last.predict(x[:20])


def process(name):
    x, y = read(name)
    kernel = RBF(length_scale=(2 * GAMMA) ** -0.5)
    model = GaussianProcessRegressor(kernel, alpha=0.1, optimizer=None)
    seconds, (means, deviations) = timed(lambda: model.fit(x, y).predict(x[:1000], return_std=True))
    return seconds, means[:10], deviations[:10] ** 2


def k_means(name, clusters, starts):
    """Until no sample moves, as ours."""
    x = read(name)[0]
    model = KMeans(int(clusters), n_init=int(starts), max_iter=1000, tol=0, random_state=0)
    seconds, _ = timed(lambda: model.fit(x))
    return seconds, [model.inertia_]


def limits():
    """Operations a second of the product of OpenBLAS."""
    a = np.random.default_rng(0).standard_normal((3000, 3000))
    a @ a
    seconds, _ = timed(lambda: a @ a)
    return 0.0, [2 * 3000**3 / seconds]


if __name__ == "__main__":
    folder = sys.argv[1]
    works = {name.replace("_", "-"): work for name, work in globals().items() if callable(work)}
    works["gram-f32"] = lambda name: gram(name, np.float32)
    for line in sys.stdin:
        name, *arguments = line.split()
        seconds, *values = works[name](*arguments)
        print(seconds, " | ".join(" ".join(f"{v:.17e}" for v in group) for group in values), flush=True)
