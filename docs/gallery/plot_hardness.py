"""
Nineteen measures of hardness
=============================

Each measure of :mod:`hardy.hardness` has its own idea of which rows are hard. Here are two moons
with ten wrong labels, coloured by six of the measures, and then how well each measure ranks the
wrong labels of a real table.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_wine, make_moons
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import MinMaxScaler

from hardy.hardness import instance_hardness
from hardy.noise import flip_labels

X, y = make_moons(200, noise=0.15, random_state=4)
y_noisy, is_flipped = flip_labels(y, 0.05, exact=True, random_state=0)
hardness = instance_hardness(X, y_noisy, random_state=0)

titles = {
    "kdn": "kDN: neighbours disagree",
    "n1": "N1: so do tree neighbours",
    "lsc": "LSC: nearest enemy is near",
    "harmfulness": "Harmfulness: enemy of many",
    "dcp": "DCP: minority in its leaf",
    "cl": "CL: unlikely by naive Bayes",
}
fig, axes = plt.subplots(2, 3, figsize=(10, 6.2), sharex=True, sharey=True, layout="constrained")
for ax, (name, title) in zip(axes.flat, titles.items(), strict=True):
    scale = {"cmap": "cividis_r", "vmin": 0, "vmax": max(hardness[name])}
    for label, marker in ((0, "o"), (1, "s")):
        rows = y_noisy == label
        points = ax.scatter(*X[rows].T, c=hardness[name][rows], marker=marker, s=24, **scale)
    ax.scatter(*X[is_flipped].T, s=110, facecolors="none", edgecolors="#b23c17", linewidths=1.6)
    ax.set_title(title, fontsize=10)
    ax.set(xticks=[], yticks=[])
    fig.colorbar(points, ax=ax, shrink=0.8)
plt.show()

# %%
# Circles and squares are the labels as given; the wrong ones are ringed. Neighbours give most of
# them away. LSC is high all around a wrong label, because that label is everyone's nearest enemy,
# which is what harmfulness says of the one that is met first. Naive Bayes takes the moons for two
# clouds, and so finds the tips hard.
#
# On a real table, with 10 % of the labels flipped, ten times over: the probability that a measure
# puts a wrong label above a right one, 0.5 being chance.

X, y = load_wine(return_X_y=True)
X = MinMaxScaler().fit_transform(X)
scores = []
for seed in range(10):
    y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=seed)
    measured = instance_hardness(X, y_noisy, random_state=0)
    scores.append(measured.apply(lambda column, truth=is_flipped: roc_auc_score(truth, column)))
scores = pd.DataFrame(scores)
order = scores.mean().sort_values().index

fig, ax = plt.subplots(figsize=(7, 5.4), layout="constrained")
ax.barh(order, scores[order].mean(), xerr=scores[order].std(), color="#0b61a4", capsize=2)
ax.axvline(0.5, color="#b23c17", linewidth=1)
ax.set(xlabel="area under the ROC curve, mean and standard deviation", xlim=(0, 1.02))
plt.show()
