"""
Which samples should be landmarks?
==================================

A kernel matrix of n samples has n² entries. The Nyström method looks at a few *landmarks* instead, and describes each
sample by its kernel values with them. Its features have inner products that are nearly the kernel's, and any linear
method can run on them.

What the landmarks are matters when samples are not spread evenly. Uniform choice takes most landmarks from where most
samples are, and may miss a small group. :class:`npt.Nystroem` draws each landmark with a probability that is
proportional to what those before leave of a sample: what is described already is not drawn again.
"""

# %%
# Four groups of very different size
# ----------------------------------
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import rbf_kernel

import npt

sizes = [800, 150, 40, 10]
x, group = make_blobs(sizes, 2, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=0)
matrix = rbf_kernel(x, gamma=0.5)

# %%
# What is missed
# --------------
# A sample that is described exactly has the norm 1 among the features, as it has in the feature space. What is missing
# of this norm is the *residual*, between 0 and 1.


def residuals(features):
    """The squared distances of samples from the space of the landmarks."""
    return 1 - (features**2).sum(axis=1)


choices = {"uniform (scikit-learn)": Nystroem, "by what is left (npt)": npt.Nystroem}
figure, axes = plt.subplots(1, 2, figsize=(9.4, 4.6), sharey=True, layout="constrained")
for axis, (name, choice) in zip(axes, choices.items()):
    left = residuals(choice(gamma=0.5, n_components=30, random_state=0).fit_transform(x))
    drawn = axis.scatter(*x.T, c=left, s=9, cmap="viridis_r", vmin=0, vmax=1)
    axis.set(title=f"{name}: mean {left.mean():.3f}", xlabel="first feature", aspect="equal")
axes[0].set_ylabel("second feature")
figure.colorbar(drawn, ax=axes, label="residual with 30 landmarks")
plt.show()

# %%
# The error against the number of landmarks
# -----------------------------------------
# The error is that of the whole kernel matrix, relative to its norm. Both choices are random, so that we take the
# median of five seeds; the shade has all five.
counts = [10, 15, 20, 30, 40, 60, 80]
errors = {name: np.empty((len(counts), 5)) for name in choices}
for name, choice in choices.items():
    for row, count in enumerate(counts):
        for seed in range(5):
            features = choice(gamma=0.5, n_components=count, random_state=seed).fit_transform(x)
            errors[name][row, seed] = np.linalg.norm(matrix - features @ features.T) / np.linalg.norm(matrix)
figure, axis = plt.subplots(figsize=(6.8, 4), layout="constrained")
for (name, values), color in zip(errors.items(), ("#c2571a", "#1f5fa8")):
    axis.fill_between(counts, values.min(axis=1), values.max(axis=1), color=color, alpha=0.2)
    axis.semilogy(counts, np.median(values, axis=1), "o-", color=color, label=name)
axis.set(xlabel="landmarks", ylabel="relative error of the kernel matrix")
axis.legend()
plt.show()

# %%
# The number
# ----------
# With ten landmarks the choice matters little. With eighty the error is less than a quarter of the uniform one's.
ratios = np.median(errors["by what is left (npt)"], axis=1) / np.median(errors["uniform (scikit-learn)"], axis=1)
assert 0.6 < ratios[0] < 1.2
assert 0.05 < ratios[-1] < 0.25
print({count: round(ratio, 2) for count, ratio in zip(counts, ratios.tolist())})
