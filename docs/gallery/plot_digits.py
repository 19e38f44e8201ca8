"""
See what is wrong
=================

Handwritten digits are rows of 64 grey values, and everybody can read them. Thirty of 600 labels
are flipped. These are the most doubtful ones, with the given label and the suggested one.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import hardy
from hardy.noise import flip_labels

digits = load_digits()
X, y = digits.data[:600], digits.target[:600]
y_noisy, is_flipped = flip_labels(y, 0.05, exact=True, random_state=0)
audit = hardy.audit_labels(X, y_noisy, random_state=0)

print(audit)
print(f"{(audit.is_suspect & is_flipped).sum()} of {is_flipped.sum()} flipped labels are suspects")

# %%
# The suspects, the most doubtful first.

fig, axes = plt.subplots(3, 8, figsize=(8, 4), layout="constrained")
for ax in axes.flat:
    ax.axis("off")
for ax, row in zip(axes.flat, audit.suspects, strict=False):
    ax.imshow(digits.images[row], cmap="gray_r")
    ax.set_title(f"{y_noisy[row]} → {audit.suggested_labels[row]}", fontsize=10)
plt.show()
