"""What is taken home from a review: the cleaned table, the log, exports."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardy.audit.cleaned import apply_plan, changes_as_csv, read_source
from hardy.audit.cleaning import list_changes, plan_cleaning
from hardy.audit.exports import dump, label_studio_config, to_argilla, to_label_studio
from hardy.review.session import State

Download = tuple[str, str, bytes]
_MOST_SHOWN = 200


@dataclass(frozen=True)
class Summary:
    """What the cleaned table differs in."""

    n_rows: int
    n_dropped: int
    n_relabelled: int
    n_kept: int
    changes: list[dict[str, Any]]
    n_changes: int


def summarise(state: State) -> Summary:
    """Say what the decisions change."""
    settled = state.decisions.settled()
    changes = list_changes(state.audit, plan_cleaning(state.audit, settled))
    verdicts = [change["change"] for change in changes]
    return Summary(
        n_rows=len(state.audit.doubt),
        n_dropped=verdicts.count("drop"),
        n_relabelled=verdicts.count("relabel"),
        n_kept=sum(decision.verdict == "keep" for decision in settled.values()),
        changes=changes[:_MOST_SHOWN],
        n_changes=len(changes),
    )


def _cleaned(state: State, file: Any) -> Download:
    path, data = read_source(state.audit, file)
    plan = plan_cleaning(state.audit, state.decisions.settled())
    name = Path(path.name)
    while name.suffix == ".gz":
        name = name.with_suffix("")
    kind = "application/octet-stream"
    return f"{name.stem}.cleaned{name.suffix}", kind, apply_plan(state.audit, plan, path, data)


def _changes(state: State, file: Any) -> Download:
    plan = plan_cleaning(state.audit, state.decisions.settled())
    return (
        f"{_stem(state)}.changes.csv",
        "text/csv",
        changes_as_csv(list_changes(state.audit, plan)),
    )


def _label_studio(state: State, file: Any) -> Download:
    settled = state.decisions.settled()
    tasks = to_label_studio(state.audit, state.whole_evidence.values, settled)
    return f"{_stem(state)}.label-studio.json", "application/json", dump(tasks)


def _label_studio_interface(state: State, file: Any) -> Download:
    config = label_studio_config(state.audit, state.whole_evidence.values)
    return (
        f"{_stem(state)}.label-studio.xml",
        "text/xml",
        (config + "\n").encode(errors="backslashreplace"),
    )


def _argilla(state: State, file: Any) -> Download:
    settled = state.decisions.settled()
    records = to_argilla(state.audit, state.whole_evidence.values, settled)
    return f"{_stem(state)}.argilla.json", "application/json", dump(records)


def _stem(state: State) -> str:
    return Path(str(state.audit.source.get("file", "audit"))).stem


KINDS: dict[str, Callable[[State, Any], Download]] = {
    "table": _cleaned,
    "changes": _changes,
    "label-studio": _label_studio,
    "label-studio-interface": _label_studio_interface,
    "argilla": _argilla,
}
