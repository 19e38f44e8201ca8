"""Make the example file: a real table in which one label in ten is wrong on purpose.

Writes two files beside this script, the same bytes each time:

breast_cancer.csv
    The Wisconsin diagnostic breast cancer data that scikit-learn ships: 569 rows, 30 measurements
    of cell nuclei, and the diagnosis. The diagnosis of 57 rows was flipped.
breast_cancer_flipped.csv
    The answers: which rows were flipped, counted from 1, and their true diagnosis.
"""

import argparse
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_breast_cancer

from hardy.noise import flip_labels

SHARE = 0.1
SEED = 0


def make_example(folder: Path) -> None:
    data = load_breast_cancer(as_frame=True)
    table = data.data.rename(columns=lambda name: name.replace(" ", "_"))
    diagnosis = data.target.map(dict(enumerate(data.target_names))).rename("diagnosis")
    given, is_flipped = flip_labels(diagnosis, SHARE, exact=True, random_state=SEED)
    answers = pd.DataFrame({"row": table.index + 1, "true_diagnosis": diagnosis})[is_flipped]
    table.assign(diagnosis=given).to_csv(
        folder / "breast_cancer.csv", index=False, lineterminator="\n"
    )
    answers.to_csv(folder / "breast_cancer_flipped.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make the example file and its answers.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent)
    make_example(parser.parse_args().folder)
