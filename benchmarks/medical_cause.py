"""What the ranking of medical_cause rests on: ``python benchmarks/medical_cause.py``.

The average precision within the positives alone; with fewer of the negatives, drawn once, and the
same false positives; with the two terms in columns of their own beside the sentence, for five
seeds; and how sure words make given and true labels: where labels of one class are often filed as
the other at random, even the surest words leave that share of the other label. The folder with the
data sets is named by the environment variable HARDY_DATA.
"""

import gzip
import json
import warnings

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

import hardy
from detection import data_folder
from hardy.noise.asymmetry import asymmetry

KEPT = (1.0, 0.85, 0.75, 0.65, 0.5)
N_SEEDS = 5
SUREST = 0.1


def read_sentences() -> pd.DataFrame:
    with gzip.open(data_folder() / "noisy" / "medical_cause.jsonl.gz", "rt") as lines:
        return pd.DataFrame([json.loads(line) for line in lines])


def precision_of(audit: hardy.LabelAudit, is_wrong: np.ndarray) -> float:
    return float(average_precision_score(is_wrong, audit.doubt))


def with_fewer_negatives(frame: pd.DataFrame) -> None:
    for share in KEPT:
        negatives = frame[frame["given_label"] != 1].sample(frac=share, random_state=0)
        some = pd.concat([frame[frame["given_label"] == 1], negatives]).sort_index()
        is_wrong = (some["given_label"] != some["true_label"]).to_numpy()
        is_positive = (some["given_label"] == 1).to_numpy()
        audit = hardy.audit_labels(
            some["sentence"].tolist(), some["given_label"].to_numpy(), random_state=0
        )
        within = average_precision_score(is_wrong[is_positive], audit.doubt[is_positive])
        ratios = asymmetry(is_positive.astype(int), audit.pred_proba)
        print(
            f"{share:.0%} of the negatives: {precision_of(audit, is_wrong):.3f}, "
            f"chance {is_wrong.mean():.3f}; within the positives {within:.3f}, "
            f"chance {is_wrong[is_positive].mean():.3f}; r {ratios.round(2).tolist()}"
        )
        true = pd.crosstab(some["true_label"], some["given_label"], normalize="index")
        print(
            f"  estimated transitions\n{audit.transition_matrix.round(2)}\n  true\n{true.round(2)}"
        )


def with_terms(frame: pd.DataFrame) -> None:
    is_wrong = (frame["given_label"] != frame["true_label"]).to_numpy()
    table = frame[["sentence", "term1", "term2"]]
    found = [
        precision_of(
            hardy.audit_labels(table, frame["given_label"].to_numpy(), random_state=seed), is_wrong
        )
        for seed in range(N_SEEDS)
    ]
    print(f"With the terms in columns, by seed: {np.round(found, 3).tolist()}")


def at_the_ends(frame: pd.DataFrame) -> None:
    """Print the other label's share among the texts whose words are surest of either label."""
    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression(C=10)
    )
    n_surest = round(SUREST * len(frame))
    for name in ("given_label", "true_label"):
        labels = (frame[name] == 1).to_numpy(dtype=int)
        proba = np.mean(
            [
                cross_val_predict(
                    model,
                    frame["sentence"],
                    labels,
                    cv=StratifiedKFold(5, shuffle=True, random_state=seed),
                    method="predict_proba",
                )[:, 1]
                for seed in range(N_SEEDS)
            ],
            axis=0,
        )
        order = np.argsort(proba, kind="stable")
        print(
            f"{name}: {labels[order[:n_surest]].mean():.1%} positives in the tenth that words are "
            f"surest to be negative, {1 - labels[order[-n_surest:]].mean():.1%} negatives in the "
            "tenth that they are surest to be positive"
        )


def main() -> None:
    """Measure, and print."""
    frame = read_sentences()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with_fewer_negatives(frame)
        with_terms(frame)
        at_the_ends(frame)


if __name__ == "__main__":
    main()
