"""
Bagging by hardness
===================

Rows whose neighbours disagree are drawn less often. Labels of the training rows are flipped; the
test rows keep their true ones.
"""

# %%
# The same members, perceptrons of five passes, in bags drawn in three ways.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from hardy import HardnessBaggingClassifier
from hardy.noise import flip_labels

warnings.simplefilter("ignore", ConvergenceWarning)

rates = [0.0, 0.1, 0.2, 0.3, 0.4]
seeds = range(10)
models = {
    "drawn by hardness, linear": HardnessBaggingClassifier(random_state=0),
    "drawn by hardness, softmax": HardnessBaggingClassifier(weighting="softmax", random_state=0),
    "plain bagging": HardnessBaggingClassifier(hardness=None, random_state=0),
}

X, y = load_breast_cancer(return_X_y=True)
accuracy = {name: np.empty((len(rates), len(seeds))) for name in models}
hardness = {}
for seed in seeds:
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, stratify=y, random_state=seed
    )
    for at, rate in enumerate(rates):
        y_noisy, is_flipped = flip_labels(y_train, rate, exact=True, random_state=seed)
        for name, model in models.items():
            fitted = make_pipeline(MinMaxScaler(), model).fit(X_train, y_noisy)
            accuracy[name][at, seed] = fitted.score(X_test, y_test)
            if seed == 0 and "linear" in name and rate == 0.1:
                hardness = {
                    "label kept": fitted[-1].hardness_[~is_flipped],
                    "label flipped": fitted[-1].hardness_[is_flipped],
                }

# %%
# Left: means over ten splits, with one standard deviation to both sides. Right: the hardness of
# kept and flipped rows at 10 % noise, which is what the draws go by.

fig, (left, right) = plt.subplots(
    1, 2, figsize=(10, 4.2), width_ratios=[2, 1], layout="constrained"
)
for name, scores in accuracy.items():
    mean, spread = 100 * scores.mean(axis=1), 100 * scores.std(axis=1)
    (line,) = left.plot(rates, mean, marker="o", label=name)
    left.fill_between(rates, mean - spread, mean + spread, color=line.get_color(), alpha=0.12)
left.set(xlabel="share of flipped training labels", ylabel="accuracy on true test labels [%]")
left.set_xticks(rates)
left.legend(loc="lower left")
right.boxplot(list(hardness.values()))
right.set_xticks([1, 2], list(hardness))
right.set_ylabel("hardness (kDN, 5 neighbours)")
plt.show()

# %%
# The numbers behind the lines.

for name, scores in accuracy.items():
    means = "  ".join(f"{100 * mean:5.1f}" for mean in scores.mean(axis=1))
    print(f"{name:28}{means}")
