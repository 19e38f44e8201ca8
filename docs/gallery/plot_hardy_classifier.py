"""
HardyClassifier against a forest, on your own file
==================================================

A table as it is, with more and more wrong labels in it.
"""

# %%
# Put your own file in place of this one, as in ``table = pd.read_csv("my_table.csv")``, and the
# name of its column of labels.

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from hardy import HardyClassifier
from hardy.noise import flip_labels
from hardy.tabular import make_table_classifier

table, target = load_breast_cancer(as_frame=True).frame, "target"
X, y = table.drop(columns=target), table[target].to_numpy()
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)

# %%
# A share of the training labels is flipped; the test labels stay as they are. The forest needs its
# columns encoded; HardyClassifier does that by itself.

rates = [0.0, 0.1, 0.2, 0.3, 0.4]
accuracy = pd.DataFrame(index=rates, columns=["forest", "HardyClassifier"], dtype=float)
for rate in rates:
    given, _ = flip_labels(y_train, rate, random_state=0)
    models = {
        "forest": make_table_classifier(RandomForestClassifier(300, random_state=0)),
        "HardyClassifier": HardyClassifier(random_state=0),
    }
    for name, model in models.items():
        accuracy.loc[rate, name] = model.fit(X_train, given).score(X_test, y_test)

ax = accuracy.plot(marker="o", figsize=(7, 4))
ax.set(xlabel="share of wrong training labels", ylabel="accuracy on true labels", ylim=(0.5, 1))
plt.show()

# %%
# What the last fit found out: how many labels are wrong, which learners it relies on, and the rows
# whose label it believes least. Of two classes the estimate ends at 27 %, beyond which wrong labels
# can hardly be told from labels that say nothing: with 40 % wrong the report says "at least".

print(models["HardyClassifier"].report_)
