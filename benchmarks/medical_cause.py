"""What the ranking of medical_cause rests on: ``python benchmarks/medical_cause.py``.

The average precision within the positives alone; with fewer of the negatives, drawn once, and the
same false positives; and with the two terms in columns of their own beside the sentence, for five
seeds. The folder with the data sets is named by the environment variable HARDY_DATA.
"""

import gzip
import json
import warnings

import numpy as np
import pandas as pd
from sklearn.metrics import average_precision_score

import hardy
from detection import data_folder
from hardy.noise.asymmetry import asymmetry

KEPT = (1.0, 0.85, 0.75, 0.65, 0.5)
N_SEEDS = 5


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


def main() -> None:
    """Measure, and print."""
    frame = read_sentences()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with_fewer_negatives(frame)
        with_terms(frame)


if __name__ == "__main__":
    main()
