"""
Three kinds of label noise
==========================

Where labels change, and how well the noise can be measured afterwards.
"""

# %%
# Two classes, and a fifth of the labels changed in three ways. Black rings mark the changed ones.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from hardy.noise import estimate_noise, flip_labels

rng = np.random.default_rng(0)
y = np.array(["common", "rare"])[(np.arange(900) % 3 == 0).astype(int)]
X = rng.normal(size=(900, 2)) + 2.2 * (y == "rare")[:, None]
options = {"uniform": {}, "class_conditional": {}, "feature_dependent": {"X": X}}

fig, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
noisy = {}
for ax, (kind, more) in zip(axes, options.items(), strict=True):
    noisy[kind], is_flipped = flip_labels(y, 0.2, kind=kind, random_state=0, **more)
    for label, colour in (("common", "#0b61a4"), ("rare", "#d98e04")):
        ax.scatter(*X[noisy[kind] == label].T, s=8, color=colour, label=f"given: {label}")
    ax.scatter(*X[is_flipped].T, s=40, facecolors="none", edgecolors="black", label="changed")
    ax.set(title=f"{kind}: {is_flipped.mean():.0%} changed", aspect="equal")
axes[0].legend(loc="lower right")
plt.show()

# %%
# What is left of the truth can be measured from labels and out-of-fold probabilities alone: the
# noise rate, and P(given | true). Where classes overlap, part of the overlap counts as noise.

for kind, labels in noisy.items():
    proba = cross_val_predict(LogisticRegression(), X, labels, cv=10, method="predict_proba")
    estimate = estimate_noise(labels, proba)
    print(f"{kind}: {(labels != y).mean():.3f} changed, {estimate.noise_rate:.3f} estimated")
    print(estimate.transition_matrix.round(2), end="\n\n")
