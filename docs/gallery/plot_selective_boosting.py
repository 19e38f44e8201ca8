"""
Boosting that asks the neighbours
=================================

AdaBoost gives its weight to mistakes, and most mistakes on flipped labels are none. Four boosting
rules ask a row's nearest neighbours whether a mistake is to be taken seriously: selective boosting,
hardness boosting, noise-detecting AdaBoost and edited AdaBoost.
"""

# %%
# First the weights. A tenth of the labels is flipped; each rule boosts stumps. The members of a
# fitted ensemble, shown to its rule again, give the weight of every row in every round.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from hardy import (
    AdaBoostClassifier,
    EditedBoostClassifier,
    HardnessBoostClassifier,
    NoiseDetectingBoostClassifier,
    SelectiveBoostClassifier,
)
from hardy.noise import flip_labels
from hardy.weighting import AdaBoost, Opinion, TrainingSet
from hardy.weighting.selective import Selective, noise_degrees

warnings.simplefilter("ignore", ConvergenceWarning)  # fewer members than asked for

X, y = load_breast_cancer(return_X_y=True)
y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=0)
training = TrainingSet(X, y_noisy, 2, np.ones(len(y)), np.arange(len(y)), None)


def weight_of_flipped_rows(model, rule):
    rule.start(training)
    shares = []
    for member in model.fit(X, y_noisy).estimators_:
        shares.append(rule.requests()[0].weights[is_flipped].sum())
        rule.update([Opinion(member.predict(X))])
    return shares


fig, ax = plt.subplots(figsize=(7.5, 4), layout="constrained")
shares = {
    "AdaBoost": weight_of_flipped_rows(
        AdaBoostClassifier(n_estimators=60, random_state=0), AdaBoost()
    ),
    "selective boosting": weight_of_flipped_rows(
        SelectiveBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=60),
        Selective(lambda rows: noise_degrees(rows, 5)),
    ),
}
for name, share in shares.items():
    ax.plot(100 * np.array(share), label=name)
ax.axhline(10, color="0.5", linewidth=0.8)
ax.set(xlabel="round", ylabel="weight on flipped labels [%]", ylim=(0, None))
ax.legend()
plt.show()

# %%
# Then the errors, of 30 boosted trees of depth 3, on test rows with true labels. The lines are
# means over three splits.

tree = DecisionTreeClassifier(max_depth=3)
models = {
    "AdaBoost": AdaBoostClassifier(tree),
    "selective": SelectiveBoostClassifier(tree, n_neighbors=15),
    "hardness, all rows": HardnessBoostClassifier(tree, n_neighbors=15),
    "hardness, mistakes": HardnessBoostClassifier(tree, n_neighbors=15, mitigate="mistakes"),
    "noise-detecting": NoiseDetectingBoostClassifier(tree),
    "edited": EditedBoostClassifier(tree),
}
rates, seeds = [0.0, 0.1, 0.2, 0.3], range(3)
errors = {name: np.empty((len(rates), len(seeds))) for name in models}
for seed in seeds:
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, stratify=y, random_state=seed
    )
    for at, rate in enumerate(rates):
        given, _ = flip_labels(y_train, rate, exact=True, random_state=seed)
        for name, model in models.items():
            model.set_params(n_estimators=30, random_state=seed)
            errors[name][at, seed] = 1 - model.fit(X_train, given).score(X_test, y_test)

fig, ax = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
for name, values in errors.items():
    ax.plot(rates, 100 * values.mean(axis=1), marker="o", label=name)
ax.set(xlabel="share of flipped training labels", ylabel="error on true test labels [%]")
ax.set_xticks(rates)
ax.legend()
plt.show()

# %%
# The numbers behind the lines.

for name, values in errors.items():
    print(f"{name:20}" + "  ".join(f"{100 * mean:5.1f}" for mean in values.mean(axis=1)))

# %%
# On this table neighbours know the classes well, which is the best case for all of them. Selective
# boosting leans on the neighbours least: a row is held back only where the boosting itself keeps
# getting it wrong. Where neighbours say little, that is the safer choice.
