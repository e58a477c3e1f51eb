"""
Two views of the same thing
===========================

A picture and its caption, a sound and a movement of lips, the blood and the genes of one patient: each is a *view* of
something that neither shows directly. Canonical correlation analysis looks for what both views say in common, by a
direction in each of them so that the two scores correlate most.

With kernels the directions are curved functions. Here the common thing is an angle. The first view goes around a circle
with it, the second goes around twice: no straight direction in the one has anything to do with a straight one in the
other.
"""

# %%
# A circle, and one that is run twice
# -----------------------------------
# Both views have noise, and a third feature that has nothing to do with the angle.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.cross_decomposition import CCA

import npt

rng = np.random.default_rng(0)
angle = rng.uniform(0, 2 * np.pi, 600)
first = np.column_stack([np.cos(angle), np.sin(angle), rng.normal(size=600)])
second = np.column_stack([np.cos(2 * angle), np.sin(2 * angle), rng.normal(size=600)])
first += rng.normal(scale=0.1, size=first.shape)
second += rng.normal(scale=0.1, size=second.shape)
train, test = np.arange(300), np.arange(300, 600)


def correlation(a, b):
    """The absolute correlation of two scores."""
    return abs(np.corrcoef(a, b)[0, 1])


# %%
# With and without a kernel
# -------------------------
# All correlations are those of held-out samples. With a kernel and without a ridge any training samples correlate.
linear = CCA(n_components=2).fit(first[train], second[train])
of_linear = linear.transform(first[test], second[test])
kernel = npt.KernelCCA(2, kernel="rbf", gamma=0.5, ridge=0.01).fit(first[train], second[train])
of_kernel = kernel.transform(first[test]), kernel.transform_second(second[test])

# %%
# Each point is a held-out sample. In the middle and on the right it stands at its score in the one view and in the
# other. The colour is the angle, which no method has seen. The curved scores follow it, and give opposite points of the
# circle the same score, as the second view does.
found = {}
figure, axes = plt.subplots(1, 3, figsize=(11, 3.7), layout="constrained")
axes[0].scatter(*first[test, :2].T, c=angle[test], s=10, cmap="hsv")
axes[0].set(xlabel="first feature", ylabel="second feature", title="first view")
for axis, (name, (a, b)) in zip(axes[1:], {"CCA": of_linear, "KernelCCA": of_kernel}.items()):
    found[name] = correlation(a[:, 0], b[:, 0])
    drawn = axis.scatter(a[:, 0], b[:, 0], c=angle[test], s=10, cmap="hsv")
    axis.set(xlabel="score of the first view", ylabel="score of the second view", title=f"{name}: {found[name]:.2f}")
figure.colorbar(drawn, ax=axes, label="angle")
plt.show()

# %%
# The number
# ----------
# Straight directions find next to nothing, and curved ones a correlation of more than 0.9. There are two of these: the
# cosine of twice the angle and its sine.
again = correlation(of_kernel[0][:, 1], of_kernel[1][:, 1])
assert 0 <= found["CCA"] < 0.2
assert 0.9 < found["KernelCCA"] <= 1
assert 0.9 < again <= 1
print({name: round(float(value), 3) for name, value in found.items()}, f"the second of KernelCCA {again:.3f}")
