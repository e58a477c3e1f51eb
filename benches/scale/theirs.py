"""The works of scale.py, done by scikit-learn: one a process, which tells its peak memory."""

import pathlib
import sys
import time

import numpy as np
from sklearn.cluster import KMeans
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, LinearSVC

FOLDER = pathlib.Path(sys.argv[1])


def table(name):
    numbers = np.fromfile(FOLDER / name, dtype="<f8")
    rows = numbers[1:].reshape(-1, int(numbers[0]))
    return np.ascontiguousarray(rows[:, :-1]), rows[:, -1]


def residual(name, gamma, landmarks, seed):
    x, _ = table(name)
    start = time.perf_counter()
    z = Nystroem(gamma=float(gamma), n_components=int(landmarks), random_state=int(seed)).fit_transform(x)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "left": 1 - (z**2).sum() / len(x)}


def subset(name, gamma, landmarks):
    """What is left by landmarks of which each lowers the trace more than any other sample would: by (Σᵢ Rᵢⱼ²) / Rⱼⱼ, for R what is left of 𝒦."""
    x, _ = table(name)
    start = time.perf_counter()
    distinct = np.unique(x, axis=0)
    columns, among = rbf_kernel(x, distinct, float(gamma)), rbf_kernel(distinct, distinct, float(gamma))
    # In parts: OpenBLAS fails at the whole of it.
    products = np.concatenate([columns[:, some : some + 1000].T @ columns for some in range(0, len(distinct), 1000)])
    own, all_squares, left = among.diagonal().copy(), products.diagonal().copy(), float(len(x))
    # With a and h of all steps, what is left of `among` is itself − aaᵀ, and of `products` itself − ahᵀ − haᵀ.
    a, h = np.zeros((2, int(landmarks), len(distinct)))
    for step in range(int(landmarks)):
        gains = np.where(own > 1e-9, all_squares / np.maximum(own, 1e-9), 0)
        best = gains.argmax()
        left -= gains[best]
        root = own[best] ** 0.5
        a[step] = (among[best] - a[:step, best] @ a[:step]) / root
        product = (products[best] - a[:step, best] @ h[:step] - h[:step, best] @ a[:step]) / root
        h[step] = product - product[best] / root * a[step] / 2
        own -= a[step] ** 2
        all_squares -= 2 * a[step] * h[step]
    return {"seconds": time.perf_counter() - start, "left": left / len(x)}


def plain(name, gamma, pivots, seeds):
    """What randomly pivoted Cholesky leaves, a pivot at a time: arXiv:2207.06503, algorithm 2.1. The mean of seeds."""
    x, _ = table(name)
    start, n, sum_of_left = time.perf_counter(), len(x), 0.0
    for seed in range(int(seeds)):
        generator = np.random.default_rng(seed)
        factor, left = np.zeros((int(pivots), n)), np.ones(n)
        for step in range(int(pivots)):
            pivot = generator.choice(n, p=left / left.sum())
            column = rbf_kernel(x, x[pivot : pivot + 1], float(gamma))[:, 0] - factor[:step, pivot] @ factor[:step]
            factor[step] = column / column[pivot] ** 0.5
            # Rounding may take it below 0.
            left = np.maximum(left - factor[step] ** 2, 0)
        sum_of_left += left.mean()
    return {"seconds": time.perf_counter() - start, "left": sum_of_left / int(seeds)}


def stream(rows, landmarks):
    """All rows in memory, and not counted."""
    x = np.random.default_rng(0).standard_normal((int(rows), 28))
    y = x[:, 0] * x[:, 1] + abs(x[:, 2]) + np.sin(x[:, 3])
    start = time.perf_counter()
    z = Nystroem(gamma=0.02, n_components=int(landmarks), random_state=0).fit_transform(x)
    Ridge(alpha=1.0).fit(z, y)
    return {"seconds": time.perf_counter() - start}


def blocks(name, landmarks):
    x, y = table(name)
    training = len(x) // 5 * 4
    start = time.perf_counter()
    landmarks = Nystroem(gamma=0.05, n_components=int(landmarks), random_state=0)
    model = Ridge(alpha=0.1).fit(landmarks.fit_transform(x[:training]), y[:training])
    seconds = time.perf_counter() - start
    off = model.predict(landmarks.transform(x[training:])) - y[training:]
    return {"seconds": seconds, "error": (off**2).mean() ** 0.5}


def classified(name, landmarks, gamma, c):
    (x, y), (new, expected) = table(f"{name}-train"), table(f"{name}-test")
    start = time.perf_counter()
    if landmarks == "exact":
        model = SVC(C=float(c), gamma=float(gamma), cache_size=1000).fit(x, y)
        seconds = time.perf_counter() - start
    else:
        landmarks = Nystroem(gamma=float(gamma), n_components=int(landmarks), random_state=0)
        z = landmarks.fit_transform(x)
        # The same loss as SVC's; the default tolerance and number of iterations.
        model = LinearSVC(C=float(c), loss="hinge").fit(z, y)
        seconds = time.perf_counter() - start
        new = landmarks.transform(new)
    return {"seconds": seconds, "error": (model.predict(new) != expected).mean()}


def logistic(name, landmarks, gamma, penalty):
    (x, y), (new, expected) = table(f"{name}-train"), table(f"{name}-test")
    start = time.perf_counter()
    landmarks = Nystroem(gamma=float(gamma), n_components=int(landmarks), random_state=0)
    model = LogisticRegression(C=1 / float(penalty), max_iter=1000).fit(landmarks.fit_transform(x), y)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "passes": model.n_iter_[0], "error": (model.predict(landmarks.transform(new)) != expected).mean()}


def svc(name, landmarks, gamma, c):
    (x, y), (new, expected) = table(f"{name}-train"), table(f"{name}-test")
    start = time.perf_counter()
    landmarks = Nystroem(gamma=float(gamma), n_components=int(landmarks), random_state=0)
    model = LinearSVC(C=float(c), loss="hinge").fit(landmarks.fit_transform(x), y)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "iterations": model.n_iter_, "error": (model.predict(landmarks.transform(new)) != expected).mean()}


def kmeans(name, landmarks, gamma, clusters):
    x, _ = table(f"{name}-train")
    start = time.perf_counter()
    z = Nystroem(gamma=float(gamma), n_components=int(landmarks), random_state=0).fit_transform(x)
    # Its tolerance is of the moves of centroids.
    model = KMeans(int(clusters), n_init=1, random_state=0).fit(z)
    return {"seconds": time.perf_counter() - start, "iterations": model.n_iter_, "inertia": model.inertia_ / len(x)}


WORKS = {"residual": residual, "subset": subset, "plain": plain, "stream": stream, "blocks": blocks, "classes": classified, "sides": classified, "logistic": logistic, "svc": svc, "kmeans": kmeans}


def peak_memory():
    """Of this process, in MB."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


numbers = WORKS[sys.argv[2]](*sys.argv[3:])
numbers["memory"] = peak_memory()
print(" ".join(f"{name}={value:e}" for name, value in numbers.items()))
