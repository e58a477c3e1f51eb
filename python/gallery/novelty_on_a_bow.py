"""
What is unlike the rest
=======================

A novelty detector learns from normal samples alone. Of a new sample it says whether it could be one of them. There are
two ways to draw the border, and this page has both beside each other:

* :class:`npt.OneClassSVM` looks for a small region that holds all but a share ``nu`` of the samples;
* :class:`npt.NoveltyDetector` describes the samples by kernel principal components, and calls novel what these
  components explain badly.
"""

# %%
# Samples on a bow
# ----------------
# Normal samples lie along three quarters of a circle. The mean of them all, its middle, is a place where no sample is.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.covariance import EmpiricalCovariance
from sklearn.metrics import roc_auc_score

import npt

rng = np.random.default_rng(0)


def bow(count):
    """Normal samples."""
    angles = rng.uniform(0, 1.5 * np.pi, count)
    return np.column_stack([np.cos(angles), np.sin(angles)]) + rng.normal(scale=0.08, size=(count, 2))


known, normal = bow(300), bow(1000)
anywhere = rng.uniform(-1.6, 1.6, size=(2000, 2))
distances = np.abs(np.hypot(*anywhere.T) - 1)
in_the_gap = (np.arctan2(*anywhere.T[::-1]) % (2 * np.pi)) > 1.55 * np.pi
strange = anywhere[(distances > 0.3) | in_the_gap]

# %%
# Three detectors
# ---------------
# The third is a plain Gaussian bell, whose contours are ellipses. All are asked to call five of a hundred normal
# samples novel.
bell = EmpiricalCovariance().fit(known)
limit = np.quantile(bell.mahalanobis(known), 0.95)
detectors = {
    "Gaussian bell": lambda x: limit - bell.mahalanobis(x),
    "OneClassSVM": npt.OneClassSVM(nu=0.05, gamma=2).fit(known).decision_function,
    "NoveltyDetector": npt.NoveltyDetector(10, gamma=1, contamination=0.05).fit(known).decision_function,
}

# %%
# The borders
# -----------
# Inside of the blue line a sample counts as normal.
edges = np.linspace(-1.6, 1.6, 140)
grid = np.array([[a, b] for b in edges for a in edges])
areas, rates, false_alarms = {}, {}, {}
figure, axes = plt.subplots(1, 3, figsize=(10, 4.4), sharey=True, layout="constrained")
for axis, (name, decide) in zip(axes, detectors.items()):
    values = decide(grid).reshape(len(edges), len(edges))
    areas[name] = roc_auc_score(
        np.r_[np.ones(len(normal)), np.zeros(len(strange))], np.r_[decide(normal), decide(strange)]
    )
    rates[name], false_alarms[name] = np.mean(decide(strange) < 0), np.mean(decide(normal) < 0)
    axis.contourf(edges, edges, values, levels=[0, np.inf], colors=["#cfe1f2"])
    axis.contour(edges, edges, values, levels=[0], colors="#1f5fa8")
    axis.scatter(*strange[:250].T, s=10, color="#c2571a", marker="x", linewidths=0.7, label="strange")
    axis.scatter(*normal[:250].T, s=5, color="black", label="normal")
    axis.set(title=f"{name}: {rates[name]:.1%} found", xlabel="first feature", aspect="equal")
axes[0].set_ylabel("second feature")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
plt.show()

# %%
# The number
# ----------
# The bell takes the empty middle for the most normal place of all, and a third of the strange samples escape it. Both
# kernel methods find more than 95 % of them, at the price of false alarms about 3 to 12 % of new normal samples.
assert 0.6 < rates["Gaussian bell"] < 0.7
for name in ("OneClassSVM", "NoveltyDetector"):
    assert rates[name] > 0.95
    assert 0.03 < false_alarms[name] < 0.12
    assert areas[name] > 0.99
print({name: f"{rates[name]:.1%} found, {false_alarms[name]:.1%} false alarms" for name in detectors})
