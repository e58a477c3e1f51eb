"""Time of scikit-learn's kernel methods: the peer of benches/kernel_methods.rs."""

import os
import statistics
import sys
import time

import numpy as np
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC, SVR

GAMMA = 0.1


def run(name, repetitions, fit):
    if sys.argv[1:] and not any(chosen in name for chosen in sys.argv[1:]):
        return
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        value = fit()
        times.append(time.perf_counter() - start)
    print(f"{name:>24} {statistics.median(times):9.4f} s  {value:.10f}", flush=True)


folder = os.environ["NPT_DATA"]
table = np.loadtxt(f"{folder}/magic.csv", delimiter=",")
table = table[:: len(table) // 4000][:4000]
x, side = np.ascontiguousarray(table[:, :-1]), table[:, -1] > 0.5
y = np.sin(x[:, 0] + 0.5 * x[:, 1]) + 0.1 * x[:, 2]
for c in [1.0, 100.0]:
    svc = SVC(C=c, gamma=GAMMA, cache_size=1000)
    run(f"svc C={c:g}", 5, lambda: len(svc.fit(x, side).support_))
many = np.tile(x, (25, 1))
svc = SVC(C=1.0, gamma=GAMMA).fit(x, side)
run("svc, 100,000 new", 3, lambda: np.count_nonzero(svc.predict(many)))
run("svr C=1", 5, lambda: len(SVR(gamma=GAMMA, cache_size=1000).fit(x, y).support_))
centred = y - y.mean()
ridge = KernelRidge(alpha=1.0, kernel="rbf", gamma=GAMMA)
run("ridge", 5, lambda: ridge.fit(x, centred).predict(x[:1])[0] + y.mean())


def process():
    kernel = RBF(length_scale=(2 * GAMMA) ** -0.5)
    model = GaussianProcessRegressor(kernel, alpha=0.1, optimizer=None).fit(x, y)
    return (model.predict(x[:1000], return_std=True)[1] ** 2).sum()


run("gp + 1000 variances", 5, process)
normal = np.random.default_rng(1).standard_normal((4000, 10))
for solver in ["arpack", "randomized"]:
    kpca = KernelPCA(20, kernel="rbf", gamma=GAMMA, eigen_solver=solver, random_state=0)
    run(f"kpca 20, normal {solver}", 5, lambda: kpca.fit(normal).eigenvalues_.sum())
for n in [2000, 4000]:
    grid = GridSearchCV(
        SVC(gamma=GAMMA, cache_size=1000),
        {"C": 10.0 ** (-2 + 0.5 * np.arange(9))},
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        n_jobs=2,
        refit=False,
    )
    run(f"grid 9 C x 5, {n}", 3, lambda: grid.fit(x[:: 4000 // n], side[:: 4000 // n]).best_score_)
table = np.loadtxt(f"{folder}/letter.csv", delimiter=",")
svc = SVC(C=10.0, gamma=GAMMA, cache_size=200)
run("letter 20000 x 26", 1, lambda: len(svc.fit(table[:, :-1], table[:, -1]).support_))
