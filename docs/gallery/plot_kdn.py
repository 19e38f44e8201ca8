"""
Neighbours and noise
====================

The share of a row's nearest neighbours that have another label (kDN) tells flipped rows from the
others, until so many labels are wrong that the neighbours mislead as well.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

from hardy.hardness import k_disagreeing_neighbors
from hardy.noise import flip_labels

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
rates = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5]

fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
flipped, others = [], []
for rate in rates:
    y_noisy, is_flipped = flip_labels(y, rate, exact=True, random_state=0)
    hardness = k_disagreeing_neighbors(X, y_noisy, n_neighbors=5)
    flipped.append(hardness[is_flipped])
    others.append(hardness[~is_flipped])

for scores, colour, label in ((flipped, "#b23c17", "flipped"), (others, "#0b61a4", "others")):
    means = [score.mean() for score in scores]
    spreads = [score.std() for score in scores]
    ax.errorbar(rates, means, spreads, color=colour, marker="o", capsize=4, label=label)
ax.set(xlabel="share of flipped labels", ylabel="kDN, mean and standard deviation", ylim=(0, 1))
ax.legend()
plt.show()
