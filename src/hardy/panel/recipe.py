"""Which learners HardyClassifier asks, by how much there is to learn from."""

from scipy import sparse

from hardy.panel.base import PanelData, PanelMember
from hardy.panel.boosted_trees import BoostedTreesOpinion
from hardy.panel.kernel_ridge import KernelRidgeOpinion
from hardy.panel.linear import LinearOpinion
from hardy.panel.support_vectors import SupportVectorsOpinion
from hardy.panel.text import text_members
from hardy.panel.trees import ForestOpinion, TreesOpinion

# Kernels of all rows up to so many; then boosting has enough to learn from.
_FEW = 2_000
# Beyond, every tree sees so many rows.
_MANY, _ROWS_OF_A_TREE = 20_000, 20_000
_MOST_CLASSES_TO_BOOST = 20
# Wider sparse tables are documents, which trees and distances are slow on and of little use.
_WIDE = 1_000


def learners_for(data: PanelData, n_estimators: int) -> list[PanelMember]:
    """Choose learners of different kinds, what matters most first.

    Parameters
    ----------
    data : PanelData
        The labelled rows.
    n_estimators : int
        The number of extra trees of each kind.

    Returns
    -------
    list of PanelMember
        Fresh learners; for columns of text there are some that read words.
    """
    if data.views.is_all_text:
        return text_members()
    plain = data.views.sample.plain
    if sparse.issparse(plain) and plain.shape[1] > _WIDE:
        return [
            LinearOpinion(C=10.0),
            LinearOpinion(C=1.0),
            KernelRidgeOpinion("gauss", n_landmarks=500),
        ]
    words = text_members() if data.views.text_columns else []
    return _for_numbers(len(data.codes), data.n_classes, n_estimators) + words


def _for_numbers(n_rows: int, n_classes: int, n_estimators: int) -> list[PanelMember]:
    half = max(1, n_estimators // 2)
    if n_rows > _MANY:
        fewer = max(1, n_estimators // 4)
        return [
            BoostedTreesOpinion(),
            TreesOpinion(min_samples_leaf=1, n_estimators=half, max_samples=_ROWS_OF_A_TREE),
            ForestOpinion(min_samples_leaf=4, n_estimators=fewer, max_samples=_ROWS_OF_A_TREE),
            LinearOpinion(C=0.3),
        ]
    trees = [
        TreesOpinion(min_samples_leaf=1, n_estimators=n_estimators),
        TreesOpinion(min_samples_leaf=3, n_estimators=n_estimators),
        ForestOpinion(min_samples_leaf=1, n_estimators=half),
        ForestOpinion(min_samples_leaf=4, n_estimators=half),
    ]
    kernels = [KernelRidgeOpinion("laplace"), KernelRidgeOpinion("gauss"), SupportVectorsOpinion()]
    if n_rows > _FEW:
        kernels = [KernelRidgeOpinion("laplace", n_landmarks=500)]
        if n_classes <= _MOST_CLASSES_TO_BOOST:
            kernels.append(BoostedTreesOpinion(max_iter=40, max_leaf_nodes=15))
    return [*trees, *kernels, LinearOpinion(C=0.3)]
