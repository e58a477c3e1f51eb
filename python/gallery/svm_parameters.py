"""
C and gamma of a support vector machine
=======================================

A support vector machine with a Gaussian kernel has two parameters. ``gamma`` says how fast similarity falls with
distance: a large one makes every sample an island. ``C`` says what an error costs: a large one lets the border bend to
each sample. The two are not independent, and a picture of a whole grid of them says more than the best pair alone.
"""

# %%
# The grid
# --------
# The samples are tumours with 30 measurements, benign or malignant. Scikit-learn's own search runs over
# :class:`npt.SVC` as over any estimator.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import npt

x, y = load_breast_cancer(return_X_y=True)
penalties = np.logspace(-2, 4, 13)
gammas = np.logspace(-6, 0, 13)
search = GridSearchCV(
    make_pipeline(StandardScaler(), npt.SVC()),
    {"svc__C": penalties, "svc__gamma": gammas},
    cv=StratifiedKFold(3, shuffle=True, random_state=0),
).fit(x, y)
accuracy = search.cv_results_["mean_test_score"].reshape(len(penalties), len(gammas))

# %%
# The heat map
# ------------
# The good pairs lie along a ridge. Where ``gamma`` is small the kernel is nearly a linear one with a factor, and a
# larger ``C`` does what a larger factor would do: the product ``C * gamma`` alone counts. On the right ``gamma`` is so
# large that samples know nothing of each other, and no ``C`` helps: all samples get the class that is more frequent.


def edges_of(values):
    """The borders of cells around values that grow by a factor."""
    half = np.sqrt(values[1] / values[0])
    return np.r_[values / half, values[-1] * half]


row, column = np.unravel_index(accuracy.argmax(), accuracy.shape)
figure, axis = plt.subplots(figsize=(7.2, 5.4), layout="constrained")
image = axis.pcolormesh(edges_of(gammas), edges_of(penalties), accuracy, cmap="viridis", vmin=0.85)
axis.plot(gammas[column], penalties[row], "o", markersize=11, markerfacecolor="none", color="#d62728")
axis.annotate("best", (gammas[column], penalties[row]), xytext=(9, 7), textcoords="offset points", color="#d62728")
axis.plot(gammas[:9], 0.1 / gammas[:9], color="white", linestyle="--", label="C · gamma = 0.1")
axis.set(xscale="log", yscale="log", xlabel="gamma", ylabel="C", ylim=(10**-2.25, 10**4.25))
axis.set_title("accuracy of three-fold cross-validation")
axis.legend(loc="lower left", facecolor="#444444", labelcolor="white")
figure.colorbar(image, extend="min", label="accuracy")
plt.show()

# %%
# What C does
# -----------
# On two of the measurements we can look at the border itself. From left to right an error costs more, and from top to
# bottom similarity falls faster.
few = StandardScaler().fit_transform(x[:, [0, 1]])
edges = np.linspace(-3, 5, 120)
grid = np.array([[a, b] for b in edges for a in edges])
figure, axes = plt.subplots(2, 3, figsize=(9, 6.2), sharex=True, sharey=True, layout="constrained")
for line, gamma in zip(axes, (0.1, 5)):
    for axis, penalty in zip(line, (0.1, 10, 1000)):
        machine = npt.SVC(C=penalty, gamma=gamma).fit(few, y)
        values = machine.decision_function(grid).reshape(len(edges), len(edges))
        axis.contourf(edges, edges, values > 0, levels=[-0.5, 0.5, 1.5], colors=["#fde0c5", "#cfe1f2"])
        axis.scatter(*few[y == 0].T, s=5, color="#c2571a")
        axis.scatter(*few[y == 1].T, s=5, color="#1f5fa8")
        axis.set_title(f"C = {penalty:g}, gamma = {gamma:g}", fontsize=10)
for axis in axes[-1]:
    axis.set_xlabel("mean radius, scaled")
for axis in axes[:, 0]:
    axis.set_ylabel("mean texture, scaled")
plt.show()

# %%
# The number
# ----------
# The best pair is right about 97 to 99 % of held-out tumours. With ``gamma`` of 1 no ``C`` comes further than the share
# of the more frequent class by more than a hundredth. Along the dashed line the accuracy is never far from the best.
along = [accuracy[np.abs(penalties - 0.1 / gamma).argmin(), j] for j, gamma in enumerate(gammas[2:9], start=2)]
assert 0.97 < search.best_score_ < 0.99
assert abs(accuracy[:, -1].max() - np.mean(y)) < 0.01
assert min(along) > search.best_score_ - 0.025
print(f"{search.best_score_:.3f} with", {name: float(f"{value:.3g}") for name, value in search.best_params_.items()})
