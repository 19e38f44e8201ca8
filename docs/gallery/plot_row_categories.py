"""
What a parallel perceptron makes of its rows
============================================

Two-dimensional XOR with one label in ten flipped, and a single parallel perceptron of three units,
as in Figure 1 of Cantador and Dorronsoro (2005). Its activations sort the rows into safe, noisy and
borderline ones.

Three lines can't part four quadrants cleanly, and some starts end far from the best. Of ten, the
one with the fewest errors on the given labels is taken.
"""

import matplotlib.pyplot as plt

from hardy import ParallelPerceptronClassifier
from hardy.datasets import make_noisy_xor
from hardy.learners import RowCategory

X, y_noisy, is_flipped = make_noisy_xor(600, flip_rate=0.1, random_state=0)

starts = [ParallelPerceptronClassifier(random_state=seed) for seed in range(10)]
model = max((start.fit(X, y_noisy) for start in starts), key=lambda m: m.score(X, y_noisy))
category = model.categorize(X, y_noisy)

# %%
# Rows found safe on the left, as squares, and rows found noisy on the right, as crosses; the colour
# is the given label, and a ring marks a label that was flipped. Where the
# perceptron is wrong about a corner, it takes good labels for noise.


def draw(ax, wanted, marker, title):
    for label, colour in ((0, "#0b61a4"), (1, "#d98e04")):
        rows = (category == wanted) & (y_noisy == label)
        ax.scatter(*X[rows].T, marker=marker, color=colour, s=22, label=f"given {label}")
    rows = (category == wanted) & is_flipped
    ax.scatter(*X[rows].T, s=90, facecolors="none", edgecolors="black", label="flipped")
    ax.set(title=f"{title}: {(category == wanted).sum()} rows, {rows.sum()} of them flipped")
    ax.set(aspect="equal", xlim=(-1.05, 1.05), ylim=(-1.05, 1.05))
    ax.axhline(0, color="lightgrey", zorder=0)
    ax.axvline(0, color="lightgrey", zorder=0)


fig, (left, right) = plt.subplots(1, 2, figsize=(10, 5.3), layout="constrained")
draw(left, RowCategory.SAFE, "s", "Safe")
draw(right, RowCategory.NOISY, "x", "Noisy")
fig.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=3)
plt.show()

# %%
# How the flipped and the other rows were sorted:

for name, rows in (("flipped", is_flipped), ("others", ~is_flipped)):
    shares = ", ".join(
        f"{(category[rows] == kind).mean():.0%} {kind.name.lower()}"
        for kind in (RowCategory.SAFE, RowCategory.NOISY, RowCategory.BORDERLINE)
    )
    print(f"{name}: {shares}")
