"""
Probabilities from a support vector machine
===========================================

A support vector machine says on which side of a border a sample lies, and how far from it. Often a probability is asked
for: of a hundred patients with "0.8", eighty should be ill. A machine whose probabilities keep this promise is
*calibrated*.

:class:`npt.CalibratedSVC` fits a sigmoid to decision values of samples that were held out. This page shows why they
have to be held out.
"""

# %%
# A world whose probabilities are known
# -------------------------------------
# We make up the probability of the second class at each place, and draw the classes by it. No method can be better than
# these probabilities themselves.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss

import npt

rng = np.random.default_rng(0)
x = rng.normal(size=(5300, 2))
truth = 1 / (1 + np.exp(-2.5 * np.sin(1.5 * x[:, 0]) - x[:, 1]))
y = (rng.random(len(x)) < truth).astype(int)
train, test = np.arange(300), np.arange(300, 5300)

# %%
# Three ways to a probability
# ---------------------------
# The first fits a sigmoid to the decision values of the training samples themselves. The machine has bent its border to
# them, so that these values are too good, and the sigmoid too steep. The second does it with values held out. The third
# is a method that is made for probabilities.
parameters = {"C": 100, "gamma": 5}
machine = npt.SVC(**parameters).fit(x[train], y[train])
sigmoid = LogisticRegression(C=1e6).fit(machine.decision_function(x[train])[:, None], y[train])
probabilities = {
    "SVC, sigmoid on training values": sigmoid.predict_proba(machine.decision_function(x[test])[:, None])[:, 1],
    "CalibratedSVC": npt.CalibratedSVC(**parameters).fit(x[train], y[train]).predict_proba(x[test])[:, 1],
    "KernelLogisticRegression": npt.KernelLogisticRegression(C=1, gamma=0.5).fit(x[train], y[train]).predict_proba(
        x[test]
    )[:, 1],
}

# %%
# Reliability
# -----------
# On the left, samples are put together by what a method says, and the share of the second class among them is counted:
# on the diagonal both agree. On the right is how often each probability is said.
colors = dict(zip(probabilities, ("#c2571a", "#1f5fa8", "#2a7d46")))
gaps, losses = {}, {}
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
left.plot([0, 1], [0, 1], color="grey", linestyle=":", label="calibrated")
for name, said in probabilities.items():
    share, mean = calibration_curve(y[test], said, n_bins=10)
    weights = np.histogram(said, bins=np.linspace(0, 1, 11))[0]
    gaps[name] = np.average(np.abs(share - mean), weights=weights[weights > 0])
    losses[name] = brier_score_loss(y[test], said)
    left.plot(mean, share, "o-", markersize=4, color=colors[name], label=name)
    right.hist(said, bins=20, range=(0, 1), histtype="step", linewidth=1.5, color=colors[name], label=name)
left.set(xlabel="probability that is said", ylabel="share that is found", aspect="equal")
left.legend(fontsize=8)
right.set(xlabel="probability that is said", ylabel="samples")
plt.show()

# %%
# The number
# ----------
# The mean distance from the diagonal falls to less than half with held-out values. The Brier score, a mean squared
# error of probabilities, is 0.14 for the truth itself. Logistic regression comes within 0.02 of it.
naive, calibrated, logistic = probabilities
least = np.mean(truth[test] * (1 - truth[test]))
assert 0 < gaps[calibrated] < 0.5 * gaps[naive]
assert least < losses[logistic] < losses[calibrated] < losses[naive]
assert 0.13 < least < 0.15 and losses[logistic] < least + 0.02
print({name: f"gap {gaps[name]:.3f}, Brier {losses[name]:.3f}" for name in probabilities}, f"least {least:.3f}")
