"""
What each learner can draw
==========================

The boundaries of the learners on two half moons, and the steps that the parallel perceptron makes
of a curve.
"""

# %%
# One question, one straight line, three and five straight lines that vote: what a learner can tell
# apart. The number is the accuracy on other rows of the same kind.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.preprocessing import StandardScaler

from hardy import (
    CommitteeMachineClassifier,
    DecisionStumpClassifier,
    LinearPerceptronClassifier,
    ParallelPerceptronClassifier,
    ParallelPerceptronRegressor,
)

X, y = make_moons(800, noise=0.2, random_state=0)
X = StandardScaler().fit_transform(X)
X, y, X_test, y_test = X[:400], y[:400], X[400:], y[400:]
learners = {
    "decision stump": DecisionStumpClassifier(),
    "linear perceptron": LinearPerceptronClassifier(learning_rate=0.01, random_state=0),
    "parallel perceptron": ParallelPerceptronClassifier(random_state=0),
    "committee machine": CommitteeMachineClassifier(random_state=0),
}
fig, axes = plt.subplots(1, 4, figsize=(12, 3.3), layout="constrained")
for ax, (name, learner) in zip(axes, learners.items(), strict=True):
    learner.fit(X, y)
    DecisionBoundaryDisplay.from_estimator(
        learner, X, response_method="predict", ax=ax, alpha=0.25, cmap="coolwarm"
    )
    ax.scatter(*X.T, c=y, cmap="coolwarm", s=5)
    ax.set(title=f"{name}: {learner.score(X_test, y_test):.2f}", xticks=[], yticks=[])
plt.show()

# %%
# Numbers: the count of votes is a staircase, whose number of steps grows with the perceptrons.

x = np.linspace(-1, 1, 300)[:, None]
target = np.sin(3 * x[:, 0])
fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
ax.plot(x, target, color="black", label="target")
for n_perceptrons, colour in ((8, "#d98e04"), (40, "#0b61a4")):
    model = ParallelPerceptronRegressor(n_perceptrons, rho=n_perceptrons / 2, random_state=0)
    ax.plot(x, model.fit(x, target).predict(x), color=colour, label=f"{n_perceptrons} perceptrons")
ax.legend()
plt.show()
