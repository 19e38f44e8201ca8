"""
A text filter whose positives were missed
=========================================

Documents are made of words of their topic and of common words. More and more of the training
documents on the topic that is sought are labelled as if they weren't.
"""

# %%
# Each topic has sixty words of its own, of which a document has a few among common ones. One
# document in ten is on the topic that the filter is for.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score

from hardy import LinearPerceptronBoostClassifier
from hardy.text import make_text_filter

warnings.simplefilter("ignore", ConvergenceWarning)  # fewer members than asked for


def make_words(n_words, rng):
    """Make words of five to eight letters."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    return np.array(["".join(rng.choice(letters, rng.integers(5, 9))) for _ in range(n_words)])


def make_documents(n_documents, rng):
    """Make documents, and say which are on the topic that is sought."""
    topics = rng.integers(0, 10, n_documents)
    texts = [
        " ".join([*rng.choice(TOPICS[topic], rng.poisson(4)), *rng.choice(COMMON, 40)])
        for topic in topics
    ]
    return texts, topics == 0


rng = np.random.default_rng(0)
COMMON = make_words(800, rng)
TOPICS = [make_words(60, rng) for _ in range(10)]
texts, is_on_topic = make_documents(1500, rng)
test_texts, is_test_on_topic = make_documents(1500, rng)

# %%
# Three filters on the same stems: boosted perceptrons without and with the relabelling of
# positives, and a balanced logistic regression.

settings = {"n_estimators": 20, "bias_scale": 0.01, "random_state": 0}
filters = {
    "boosted perceptrons": LinearPerceptronBoostClassifier(**settings),
    "… with relabelling": LinearPerceptronBoostClassifier(relabel_positives=True, **settings),
    "logistic regression": LogisticRegression(C=30, class_weight="balanced"),
}
missed = [0.0, 0.1, 0.2, 0.3, 0.4]
scores = {name: [] for name in filters}
for share in missed:
    given = is_on_topic & (rng.random(len(texts)) >= share)
    for name, classifier in filters.items():
        model = make_text_filter(classifier, stop_words=None).fit(texts, given)
        scores[name].append(100 * f1_score(is_test_on_topic, model.predict(test_texts)))

# %%
# One draw of the documents, to show the kind of effect.

fig, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
for name, values in scores.items():
    ax.plot(missed, values, "o-", label=name)
    print(f"{name:22}", "  ".join(f"{value:5.1f}" for value in values))
ax.set(xlabel="share of positives missed in training", ylabel="F1 on true test labels [%]")
ax.legend()
plt.show()
