"""
Pictures with holes
===================

When values of a sample are missing, its kernel values are unknown, and a kernel method has nothing to start from. Most
imputation is linear, or copies from neighbours.

:class:`npt.RobustKernelPCA` learns a curved surface from samples, and fills the holes of a sample so that it comes to
lie near this surface, and agrees with the values that are there.
"""

# %%
# Pixels that are lost
# --------------------
# The method sees 400 whole pictures of digits. Of 100 others we strike out 40 % of the pixels at random. ``NaN`` is
# what a missing value is written as.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.model_selection import train_test_split

import npt

pictures, digits = load_digits(return_X_y=True)
whole, truth, _, digit = train_test_split(
    pictures / 16, digits, train_size=400, test_size=100, stratify=digits, random_state=0
)
lost = np.random.default_rng(0).random(truth.shape) < 0.4
holes = np.where(lost, np.nan, truth)


def error(x):
    """The root of the mean squared error of the lost pixels."""
    return np.sqrt(np.mean((x - truth)[lost] ** 2))


# %%
# Three ways to fill
# ------------------
# ``fidelity`` is the weight of the pixels that are there, beside the nearness to the surface.
surface = npt.RobustKernelPCA(40, gamma=0.1, fidelity=10, max_iter=20).fit(whole)
filled = {
    "mean": SimpleImputer().fit(whole).transform(holes),
    "neighbours": KNNImputer(n_neighbors=5).fit(whole).transform(holes),
    "surface": surface.reconstruct(holes),
}

# %%
# The pictures
# ------------
# The lost pixels are red in the second row. The mean draws the same ghost into every picture. Neighbours and surface
# draw strokes.
rows = {"truth": truth, "with holes": holes} | {f"{name}\n{error(x):.3f}": x for name, x in filled.items()}
shown = [int(np.flatnonzero(digit == value)[0]) for value in range(10)]
colors = plt.get_cmap("gray_r").with_extremes(bad="#e8a0a0")
figure, axes = plt.subplots(5, 10, figsize=(8.4, 4.6), layout="constrained")
for line, (title, images) in zip(axes, rows.items()):
    for axis, sample in zip(line, shown):
        axis.imshow(images[sample].reshape(8, 8), cmap=colors, vmin=0, vmax=1)
        axis.set(xticks=[], yticks=[])
    line[0].set_ylabel(title, rotation=0, ha="right", va="center")
figure.suptitle("lost pixels filled, with the error of each way")
plt.show()

# %%
# The number
# ----------
# The surface takes the error of the mean to less than 0.65 of it, and is not behind the neighbours. The pixels that
# were not lost it keeps nearly as they are.
moved = np.mean(np.abs(filled["surface"] - truth)[~lost])
assert 0.5 < error(filled["surface"]) / error(filled["mean"]) < 0.65
assert 0.85 < error(filled["surface"]) / error(filled["neighbours"]) < 1.02
assert 0 <= moved < 0.02
print({name: round(float(error(x)), 3) for name, x in filled.items()}, f"moved by {moved:.3f}")
