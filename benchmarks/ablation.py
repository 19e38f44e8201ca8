"""What each part of HardyClassifier is worth, on the development sets alone.

At most 600 rows of a set, three folds, one seed. What is more than 2,000 rows has other learners:
`--rows middle` and `--rows many` measure these, on what there is (see `_ablation_large.py`).

    python benchmarks/ablation.py                run what is missing, and print the tables
    python benchmarks/ablation.py --rows middle  the learners of 2,000 to 20,000 rows
    python benchmarks/ablation.py --rows many    those of more
"""

import os

# Before anything loads a library that makes threads of its own.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import argparse
import warnings
from functools import partial
from pathlib import Path

from sklearn.linear_model import Perceptron
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import protocol
from _ablation import (
    BASE,
    Study,
    Variant,
    as_it_is,
    best_one,
    by_classes,
    corrected,
    from_rarer,
    leaving_out,
    of_sharpness,
    only_calibrated,
    over_splits,
    putting_in,
    run,
    show,
)
from _ablation_large import MANY, MIDDLE
from _candidates import (
    HardnessBagsOpinion,
    OtherSplitOpinion,
    StoppedTreesOpinion,
    forward_loss,
    given_loss,
    trusted_loss,
)
from hardy.panel import (
    BoostedTreesOpinion,
    ForestOpinion,
    KernelRidgeOpinion,
    LinearOpinion,
    NeighborsOpinion,
    NoiseVotesOpinion,
    PanelMember,
    SupportVectorsOpinion,
    TreesOpinion,
)

MOST_ROWS = 600

# What has its opinions from folds; trees have theirs out of bag.
OUT_OF_FOLD: dict[str, PanelMember] = {
    "kernel ridge, Laplace": KernelRidgeOpinion("laplace"),
    "kernel ridge, Gauss": KernelRidgeOpinion("gauss"),
    "support vectors": SupportVectorsOpinion(),
    "linear model": LinearOpinion(0.3),
}
LEARNERS: dict[str, PanelMember] = {
    "extra trees 1": TreesOpinion(1, 200),
    "extra trees 3": TreesOpinion(3, 200),
    "forest 1": ForestOpinion(1, 100),
    "forest 4": ForestOpinion(4, 100),
    **OUT_OF_FOLD,
}
OTHERS: dict[str, PanelMember] = {
    "forest 10": ForestOpinion(10, 100),
    "support vectors, C = 10": SupportVectorsOpinion(10.0),
    "neighbours": NeighborsOpinion((10, 20, 50)),
    "NR boosting": NoiseVotesOpinion(),
    "boosted trees": BoostedTreesOpinion(max_leaf_nodes=8),
}
EXTRA_TREE, TREE = (
    ExtraTreeClassifier(max_features="sqrt"),
    DecisionTreeClassifier(max_features="sqrt"),
)
CANDIDATES: dict[str, PanelMember] = {
    "extra trees drawn by trust": HardnessBagsOpinion(EXTRA_TREE, "trust", 100),
    "extra trees drawn by kDN": HardnessBagsOpinion(EXTRA_TREE, "kdn", 100),
    # As the two before, for what it takes away that their opinions are out of fold, not of bag.
    "extra trees drawn evenly": HardnessBagsOpinion(EXTRA_TREE, None, 100),
    "forest drawn by trust": HardnessBagsOpinion(TREE, "trust", 100),
    "hardness-bagged perceptrons": HardnessBagsOpinion(Perceptron(max_iter=5, tol=None), "kdn", 50),
    "boosted trees stopped by trust": StoppedTreesOpinion(trusted_loss),
    "boosted trees stopped by forward loss": StoppedTreesOpinion(forward_loss),
    "boosted trees stopped by given labels": StoppedTreesOpinion(given_loss),
}
OTHER_SPLITS: dict[str, PanelMember] = {
    f"{name}, split {number}": OtherSplitOpinion(learner, number)
    for number in (2, 3)
    for name, learner in OUT_OF_FOLD.items()
}

# A learner has others of its kind beside it, so that what a kind is worth shows without all of it.
KINDS = {
    "both forests": ["forest 1", "forest 4"],
    "both extra trees": ["extra trees 1", "extra trees 3"],
    "any trees": ["forest 1", "forest 4", "extra trees 1", "extra trees 3"],
    "both kernel ridges": ["kernel ridge, Laplace", "kernel ridge, Gauss"],
    "any kernels": ["kernel ridge, Laplace", "kernel ridge, Gauss", "support vectors"],
}


def in_place_of(left_out: list[str], *more: str) -> Variant:
    kept = [name for name in LEARNERS if name not in left_out]
    return Variant([*kept, *more], as_it_is, corrected)


def on_splits(*numbers: int) -> list[str]:
    """Name the learners by each split; those that have no folds say the same by all."""
    again = [
        f"{name}, split {n}" if name in OUT_OF_FOLD else name for n in numbers for name in LEARNERS
    ]
    return [*LEARNERS, *again]


VARIANTS = {
    BASE: Variant([*LEARNERS], as_it_is, corrected),
    "weights as sharp whatever the noise": Variant([*LEARNERS], of_sharpness(4), corrected),
    "weights half as sharp": Variant([*LEARNERS], of_sharpness(2), corrected),
    "even weights": Variant([*LEARNERS], of_sharpness(0), corrected),
    "weights of two splits": Variant(on_splits(2), over_splits(2), corrected),
    "weights of three splits": Variant(on_splits(2, 3), over_splits(3), corrected),
    "the best learner alone": Variant([*LEARNERS], best_one, corrected),
    "calibrated, noise left in": Variant([*LEARNERS], as_it_is, only_calibrated),
    "noise by class": Variant([*LEARNERS], as_it_is, by_classes),
    "noise from the rarer class alone": Variant([*LEARNERS], as_it_is, from_rarer),
    **leaving_out(LEARNERS, KINDS),
    **putting_in(LEARNERS, OTHERS | CANDIDATES),
    "forest 1 alone": Variant(["forest 1"], as_it_is, corrected),
    **{
        f"{drawn} for extra trees 1": in_place_of(["extra trees 1"], drawn)
        for drawn in CANDIDATES
        if drawn.startswith("extra trees")
    },
    "trees drawn by trust for both of leaf 1": in_place_of(
        ["extra trees 1", "forest 1"], "extra trees drawn by trust", "forest drawn by trust"
    ),
    "NR boosting for both forests": in_place_of(KINDS["both forests"], "NR boosting"),
    "hardness-bagged perceptrons for both forests": in_place_of(
        KINDS["both forests"], "hardness-bagged perceptrons"
    ),
}

FEW = Study(
    Path(__file__).parent / "results" / "ablation.csv",
    {
        name: partial(protocol.load, name, "drawn")
        for name in protocol.STAGES["development"].split()
    },
    [("uniform", 0.0), ("uniform", 0.2), ("uniform", 0.4), ("class_conditional", 0.2)],
    3,
    LEARNERS | OTHERS | CANDIDATES | OTHER_SPLITS,
    VARIANTS,
)
STUDIES = {"few": FEW, "middle": MIDDLE, "many": MANY}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", choices=list(STUDIES), default="few")
    study = STUDIES[parser.parse_args().rows]
    protocol.MOST_ROWS = MOST_ROWS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run(study)
    show(study)


if __name__ == "__main__":
    main()
