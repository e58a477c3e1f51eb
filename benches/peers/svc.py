"""Time to fit scikit-learn's SVC with a Gaussian kernel: the peer of benches/support_vectors.rs.

Arguments are `file:rows:gamma:c`, files of comma-separated rows with the class last.
"""

import statistics
import sys
import time

import numpy as np
from sklearn.svm import SVC


def clouds(n):
    y = np.arange(n) % 2 == 0
    x = np.random.default_rng(1).standard_normal((n, 10))
    return x + np.where(y, 0.5, -0.5)[:, None], y


def report(task, x, y, gamma, c):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        model = SVC(C=c, gamma=gamma, cache_size=1000).fit(x, y)
        times.append(time.perf_counter() - start)
    print(f"{task:>40} {statistics.median(times):9.4f} {len(model.support_):7}")


tasks = sys.argv[1:]
if not tasks:
    for n in [500, 1000, 2000, 4000]:
        for c in [1.0, 100.0]:
            report(f"clouds, n = {n}, C = {c}", *clouds(n), 0.1, c)
for task in tasks:
    path, rows, gamma, c = task.rsplit(":", 3)
    table = np.loadtxt(path, delimiter=",", max_rows=int(rows))
    report(task, table[:, :-1], table[:, -1] > 0.5, float(gamma), float(c))
