"""
Audit a table
=============

One label in ten of a real table is flipped, and the audit, which doesn't know which, looks for
them. How many would you find by looking at the most doubtful rows first?
"""

# %%
# The table is the Wisconsin breast cancer data; 57 of its 569 labels are flipped.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import hardy
from hardy.noise import flip_labels

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target.map(dict(enumerate(data.target_names)))
y_noisy, is_flipped = flip_labels(y, 0.1, exact=True, random_state=0)

audit = hardy.audit_labels(X, y_noisy, random_state=0)
print(audit)

# %%
# Each suspect comes with another label and with reasons.

for row in audit.suspects[:3]:
    print(f"row {row}: {y_noisy[row]} -> {audit.suggested_labels[row]}")
    for reason in audit.explain(row):
        print("   ", reason)

# %%
# Looking at the rows in the order of their doubt finds the flipped ones early. The dotted line
# marks where the audit stops to call rows suspects.

order = np.argsort(-audit.doubt)
found = np.cumsum(is_flipped[order])
looked_at = np.arange(1, len(order) + 1)

fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.plot(looked_at, found, color="#b23c17", label="in the order of doubt")
ax.plot(looked_at, looked_at * is_flipped.mean(), color="grey", label="in any order (expected)")
ax.axvline(audit.is_suspect.sum(), color="black", linestyle=":", label="suspects end here")
ax.set(xlabel="rows looked at", ylabel="flipped labels found", xlim=(0, 250), ylim=(0, 60))
ax.legend()
plt.show()

# %%
# The estimated transition matrix: of the rows that truly are of a class (down), the share that was
# given each label (across).

audit.transition_matrix.round(3)
