"""
Clusters that are not round
===========================

k-means looks for clusters around means, and gives each sample to the nearest mean. Such clusters are convex: two moons
that reach into each other are cut across.

:class:`npt.KernelKMeans` does the same in the feature space of a kernel. What is round there may have any shape here,
and the kernel decides which shapes these are. This page compares three kernels: none, a local one, and one that walks.
"""

# %%
# Two moons
# ---------
import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

import npt

x, y = make_moons(300, noise=0.05, random_state=0)

# %%
# A kernel that walks
# -------------------
# The Gaussian kernel compares samples by the straight way between them. We build another kernel from it: a walker goes
# from sample to sample, and prefers near ones. Two samples are alike if walks of length ``t`` from both meet. Such a
# kernel is a matrix, and ``kernel="precomputed"`` takes matrices.


def walks(x, width, t):
    """The heat kernel of a graph whose weights are Gaussian, scaled so that each sample has the norm 1."""
    weights = np.exp(-cdist(x, x, "sqeuclidean") / (2 * width**2))
    degrees = np.sqrt(weights.sum(axis=1))
    values, vectors = np.linalg.eigh(weights / np.outer(degrees, degrees))
    heat = (vectors * np.exp(t * (values - 1))) @ vectors.T
    norms = np.sqrt(np.diag(heat))
    heat /= np.outer(norms, norms)
    return (heat + heat.T) / 2


# %%
# Three results
# -------------
# A crossed sample has a label that is not the one of most of its moon.
found = {
    "KMeans": KMeans(2, n_init=10, random_state=0).fit_predict(x),
    "KernelKMeans, Gaussian": npt.KernelKMeans(2, gamma=5, n_init=20).fit_predict(x),
    "KernelKMeans, walks": npt.KernelKMeans(2, kernel="precomputed", n_init=20).fit_predict(walks(x, 0.1, 30)),
}
scores = {name: adjusted_rand_score(y, labels) for name, labels in found.items()}
figure, axes = plt.subplots(1, 3, figsize=(10, 2.9), sharey=True, layout="constrained")
for axis, (name, labels) in zip(axes, found.items()):
    labels = labels if np.mean(labels == y) >= 0.5 else 1 - labels
    wrong = labels != y
    axis.scatter(*x[labels == 0].T, s=12, color="#c2571a")
    axis.scatter(*x[labels == 1].T, s=12, color="#1f5fa8")
    axis.scatter(*x[wrong].T, s=40, color="black", marker="x", linewidths=1, label=f"{wrong.sum()} wrong")
    axis.set(title=f"{name}: {scores[name]:.2f}", xlabel="first feature", aspect="equal")
    if wrong.any():
        axis.legend(loc="upper right")
axes[0].set_ylabel("second feature")
plt.show()

# %%
# The number
# ----------
# The titles have the adjusted Rand index, which is 1 for the two moons and 0 for chance. k-means stays below 0.4. The
# Gaussian kernel comes to more than 0.9, and confuses the tips alone. The walks find the moons exactly.
assert 0.1 < scores["KMeans"] < 0.4
assert 0.9 < scores["KernelKMeans, Gaussian"] < 1
assert scores["KernelKMeans, walks"] == 1
print({name: round(score, 3) for name, score in scores.items()})
