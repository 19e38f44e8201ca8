"""
NR boosting under label noise
=============================

AdaBoost gives its weight to the rows that it gets wrong, and wrong labels are such rows. NR
boosting lets rows fade that look mislabelled. Labels of the training rows are flipped; the test
rows keep their true ones.
"""

# %%
# Two AdaBoosts are compared: one of stumps, and one of parallel perceptrons, which are the members
# of NR boosting too. Logistic regression is there for scale: on a table with as plain a boundary as
# this one it is hard to beat.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hardy import (
    AdaBoostClassifier,
    NoiseReducingBoostClassifier,
    ParallelPerceptronClassifier,
)
from hardy.noise import flip_labels

warnings.simplefilter("ignore", ConvergenceWarning)  # fewer members than asked for

rates = [0.0, 0.1, 0.2, 0.3, 0.4]
seeds = range(10)
models = {
    "NR boosting": NoiseReducingBoostClassifier(random_state=0),
    "NR boosting, two stages": NoiseReducingBoostClassifier(two_stage=True, random_state=0),
    "AdaBoost of stumps": AdaBoostClassifier(random_state=0),
    "AdaBoost of parallel perceptrons": AdaBoostClassifier(
        ParallelPerceptronClassifier(), n_estimators=10, random_state=0
    ),
    "logistic regression": LogisticRegression(),
}

X, y = load_breast_cancer(return_X_y=True)
accuracy = {name: np.empty((len(rates), len(seeds))) for name in models}
for seed in seeds:
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, stratify=y, random_state=seed
    )
    for at, rate in enumerate(rates):
        y_noisy, _ = flip_labels(y_train, rate, exact=True, random_state=seed)
        for name, model in models.items():
            fitted = make_pipeline(StandardScaler(), model).fit(X_train, y_noisy)
            accuracy[name][at, seed] = fitted.score(X_test, y_test)

# %%
# The lines are means over ten splits, the bands one standard deviation to both sides.

fig, ax = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
for name, scores in accuracy.items():
    mean, spread = 100 * scores.mean(axis=1), 100 * scores.std(axis=1)
    (line,) = ax.plot(rates, mean, marker="o", label=name)
    ax.fill_between(rates, mean - spread, mean + spread, color=line.get_color(), alpha=0.12)
ax.set(xlabel="share of flipped training labels", ylabel="accuracy on true test labels [%]")
ax.set_xticks(rates)
ax.legend(loc="lower left")
plt.show()

# %%
# The numbers behind the lines.

for name, scores in accuracy.items():
    means = "  ".join(f"{100 * mean:5.1f}" for mean in scores.mean(axis=1))
    print(f"{name:34}{means}")
