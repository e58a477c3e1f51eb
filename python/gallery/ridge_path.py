"""
A penalty for each curve, by leave-one-out
==========================================

Kernel ridge regression has a penalty: a small one follows the noise, a large one flattens what is there. The honest way
to choose it is to leave out each sample in turn, to fit the others, and to look at the error at the one that was left
out. That seems to need as many fits as there are samples, times the number of penalties.

It needs one. From one decomposition of the kernel matrix the leave-one-out errors of all penalties follow, and
:class:`npt.KernelRidgeCV` chooses from them.
"""

# %%
# A curve with noise
# ------------------
from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import LeaveOneOut, cross_val_score

import npt

rng = np.random.default_rng(0)
x = np.sort(rng.uniform(0, 4, 80))[:, np.newaxis]


def truth(x):
    """A wave that becomes faster."""
    return np.sin(1.5 * x[:, 0] ** 1.5)


y = truth(x) + rng.normal(scale=0.25, size=len(x))

# %%
# Thirty-one penalties
# --------------------
# First the long way, for comparison: scikit-learn's ``LeaveOneOut`` fits each penalty eighty times.
alphas = np.logspace(-5, 3, 31)
begun = perf_counter()
errors = np.array([
    -cross_val_score(
        npt.KernelRidge(alpha=alpha, kernel="rbf", gamma=10), x, y, cv=LeaveOneOut(), scoring="neg_mean_squared_error"
    ).mean()
    for alpha in alphas
])
long_way = perf_counter() - begun

# %%
# Now the short way.
begun = perf_counter()
model = npt.KernelRidgeCV(alphas, kernel="rbf", gamma=10).fit(x, y)
short_way = perf_counter() - begun
print(f"alpha {model.alpha_:.3g}; {long_way:.2f} s the long way, {1000 * short_way:.1f} ms the short way")

# %%
# The path
# --------
# The left picture has the leave-one-out error, and beside it the error on the samples that were fitted, which falls
# as the penalty falls, whatever that does to the curve. The right picture has three curves along the path.
fitted_errors = [
    np.mean((npt.KernelRidge(alpha=alpha, kernel="rbf", gamma=10).fit(x, y).predict(x) - y) ** 2) for alpha in alphas
]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.loglog(alphas, errors, color="#1f5fa8", label="left out")
left.loglog(alphas, fitted_errors, color="#c2571a", linestyle="--", label="fitted")
left.axhline(0.25**2, color="grey", linestyle=":", label="noise")
left.axvline(model.alpha_, color="black", linewidth=0.8)
left.annotate("chosen", (model.alpha_, 0.4), xytext=(5, 0), textcoords="offset points")
left.set(xlabel="penalty", ylabel="mean squared error")
left.legend(loc="lower right")
points = np.linspace(0, 4, 300)[:, np.newaxis]
right.plot(x, y, ".", color="black", markersize=4)
for alpha, color in ((alphas[0], "#c2571a"), (model.alpha_, "#1f5fa8"), (100, "#2a7d46")):
    curve = npt.KernelRidge(alpha=alpha, kernel="rbf", gamma=10).fit(x, y).predict(points)
    right.plot(points, curve, color=color, label=f"penalty {alpha:.2g}")
right.plot(points, truth(points), color="grey", linestyle=":", label="truth")
right.set(xlabel="x", ylabel="y", ylim=(-2, 2.4))
right.legend(ncols=2, loc="upper left")
plt.show()

# %%
# The number
# ----------
# Both ways choose the same penalty, and the curve of this penalty is less than half of the noise away from the truth.
distance = np.sqrt(np.mean((model.predict(points) - truth(points)) ** 2))
assert model.alpha_ == alphas[errors.argmin()]
assert 0.02 < distance < 0.125
print(f"root mean squared distance from the truth {distance:.3f}, the noise is 0.25")
