"""Find wrong labels, and learn in spite of them and of rare classes.

Public names load when they are first used, so that ``import hardy`` costs nothing.

Examples
--------
>>> import hardy
>>> audit = hardy.audit_labels([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]] * 5, list("aaabbb") * 5,
...                            random_state=0)
>>> bool(audit.is_suspect.any())
False
"""

from importlib import import_module, metadata
from typing import Any

_MODULE_OF = {
    "AdaBoostClassifier": "hardy.ensembles",
    "BalancedVariationClassifier": "hardy.ensembles",
    "BoostingFilter": "hardy.pruning",
    "CommitteeMachineClassifier": "hardy.learners",
    "DecisionStumpClassifier": "hardy.learners",
    "DecisionStumpRegressor": "hardy.learners",
    "EditedBoostClassifier": "hardy.ensembles",
    "HardnessBaggingClassifier": "hardy.ensembles",
    "HardnessBoostClassifier": "hardy.ensembles",
    "HardyClassifier": "hardy.panel",
    "ICSBaggingClassifier": "hardy.ensembles",
    "LabelAudit": "hardy.audit",
    "LabelErrorCleaner": "hardy.audit",
    "LinearPerceptronBoostClassifier": "hardy.ensembles",
    "LinearPerceptronClassifier": "hardy.learners",
    "LogitBoostClassifier": "hardy.ensembles",
    "MadaBoostClassifier": "hardy.ensembles",
    "MarginPruner": "hardy.pruning",
    "NoiseDetectingBoostClassifier": "hardy.ensembles",
    "NoiseReducingBoostClassifier": "hardy.ensembles",
    "ParallelPerceptronClassifier": "hardy.learners",
    "ParallelPerceptronRegressor": "hardy.learners",
    "PrunedParallelPerceptronClassifier": "hardy.pruning",
    "RandomSubspaceClassifier": "hardy.ensembles",
    "RealAdaBoostClassifier": "hardy.ensembles",
    "RobustBoostClassifier": "hardy.ensembles",
    "SMOTEBaggingClassifier": "hardy.ensembles",
    "SelectiveBoostClassifier": "hardy.ensembles",
    "SoftMarginBoostClassifier": "hardy.ensembles",
    "audit_labels": "hardy.audit",
}
_SUBMODULES = {
    "annotators",
    "audit",
    "datasets",
    "distributed",
    "ensembles",
    "exceptions",
    "fitting",
    "hardness",
    "learners",
    "metrics",
    "noise",
    "onnx",
    "panel",
    "pruning",
    "saving",
    "stats",
    "studies",
    "tabular",
    "text",
    "weighting",
}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return metadata.version("hardy")
    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    if name in _SUBMODULES:
        return import_module(f"hardy.{name}")
    raise AttributeError(f"module 'hardy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_SUBMODULES, "__version__"})
