"""
Pruning a training set
======================

What is left of a training set with a rare class after each round of pruning by activation margins.
"""

# %%
# Two clouds: 40 positive rows beside 760 negative ones. The perceptrons' margins tell rows that say
# nothing new, and rows on the wrong side, from those that decide where the boundary runs.

import matplotlib.pyplot as plt
import numpy as np

from hardy import PrunedParallelPerceptronClassifier

rng = np.random.default_rng(0)
y = (np.arange(800) % 20 == 0).astype(int)
X = rng.normal(size=(800, 2)) + 1.8 * y[:, None]
model = PrunedParallelPerceptronClassifier(random_state=0).fit(X, y)
kept = model.sample_indices_[0]

# %%
# Left: the rows that are left, on the boundary. Right: the accuracies of both classes on all rows.

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
left.scatter(*X.T, c="lightgrey", s=8, label="left out")
for label, color in ((0, "tab:blue"), (1, "tab:red")):
    rows = kept[y[kept] == label]
    left.scatter(*X[rows].T, c=color, s=16, label=f"kept, class {label}")
left.legend(loc="upper left")
rounds = model.rounds_[0]
sizes = [round_.n_positive + round_.n_negative for round_ in rounds]
right.plot(sizes, [round_.positive_accuracy for round_ in rounds], "o-", label="positive class")
right.plot(sizes, [round_.negative_accuracy for round_ in rounds], "o-", label="negative class")
right.plot(sizes, [round_.geometric_mean for round_ in rounds], "o-", label="geometric mean")
right.invert_xaxis()
right.set(xlabel="training rows left", ylabel="accuracy on all rows")
right.legend()
plt.show()

for round_ in rounds:
    print(
        f"{round_.n_positive:4} positive and {round_.n_negative:4} negative rows: "
        f"g = {round_.geometric_mean:.3f}"
    )
