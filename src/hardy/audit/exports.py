"""Suspects and decisions in the import formats of labelling programs."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from xml.sax.saxutils import quoteattr  # nosec B406

import numpy as np
import pandas as pd

from hardy.audit._plain import plain
from hardy.audit.decisions import Decision
from hardy.audit.result import LabelAudit
from hardy.audit.summary import list_findings

_AGENT = "hardy"
_CHOICE, _SHOWN = "label", "row"


def to_label_studio(
    audit: LabelAudit, values: pd.DataFrame, settled: Mapping[int, Decision] | None = None
) -> list[dict[str, Any]]:
    """Give the suspects as tasks for Label Studio, with the suggested labels as predictions.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    values : DataFrame
        The values of the rows, by position; other rows are left out.
    settled : mapping of int to Decision, optional
        Decisions that keep or change a label come as annotations.

    Returns
    -------
    list of dict
        What ``json.dump`` writes for Label Studio to import. :func:`label_studio_config` gives the
        labelling interface that belongs to it.

    Examples
    --------
    >>> import hardy
    >>> values = pd.DataFrame({"size": [0.0, 0.1, 5.0, 5.1] * 8})
    >>> audit = hardy.audit_labels(values, ["b", *"abb", *"aabb" * 7], random_state=0)
    >>> task = to_label_studio(audit, values)[0]
    >>> task["data"]["size"], task["predictions"][0]["result"][0]["value"]
    (0.0, {'choices': ['a']})
    """
    settled = settled or {}
    tasks = []
    for row, facts in _describe(audit, values, settled):
        task: dict[str, Any] = {
            # Its Text shows no null.
            "data": {
                name: "" if value is None else value
                for name, value in {**facts["values"], **facts["audit"]}.items()
            },
            "predictions": [
                {
                    "model_version": _AGENT,
                    "score": facts["score"],
                    "result": [_choose(facts["suggested"])],
                }
            ],
        }
        label = _label_of(audit, row, settled.get(row))
        if label is not None:
            task["annotations"] = [{"result": [_choose(label)]}]
        tasks.append(task)
    return tasks


def label_studio_config(audit: LabelAudit, values: pd.DataFrame) -> str:
    """Give the labelling interface for :func:`to_label_studio`, in Label Studio's XML.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    values : DataFrame
        The values of the rows; a task shows each of its columns.

    Returns
    -------
    str
        The XML to paste under *Labeling Interface*.

    Examples
    --------
    >>> import hardy
    >>> values = pd.DataFrame({"size": [0.0, 0.1, 5.0, 5.1] * 8})
    >>> audit = hardy.audit_labels(values, ["b", *"abb", *"aabb" * 7], random_state=0)
    >>> print(label_studio_config(audit, values))
    <View>
      <Header value="size"/>
      <Text name="row" value="$size"/>
      <Header value="hardy_reasons"/>
      <Text name="text1" value="$hardy_reasons"/>
      <Choices name="label" toName="row" choice="single">
        <Choice value="a"/>
        <Choice value="b"/>
      </Choices>
    </View>
    """
    shown = [*map(str, values.columns), "hardy_reasons"]
    lines = ["<View>"]
    for at, name in enumerate(shown):
        lines.append(f"  <Header value={quoteattr(name)}/>")
        tag = _SHOWN if at == 0 else f"text{at}"
        lines.append(f"  <Text name={quoteattr(tag)} value={quoteattr('$' + name)}/>")
    lines.append(f'  <Choices name="{_CHOICE}" toName="{_SHOWN}" choice="single">')
    lines += [f"    <Choice value={quoteattr(str(plain(c)))}/>" for c in audit.classes]
    return "\n".join([*lines, "  </Choices>", "</View>"])


def to_argilla(
    audit: LabelAudit, values: pd.DataFrame, settled: Mapping[int, Decision] | None = None
) -> list[dict[str, Any]]:
    """Give the suspects as records for Argilla, with the suggested labels as suggestions.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    values : DataFrame
        The values of the rows, by position; other rows are left out.
    settled : mapping of int to Decision, optional
        What was decided comes as metadata: a response needs the number of a user of Argilla.

    Returns
    -------
    list of dict
        What ``json.dump`` writes for ``dataset.records.from_json`` of Argilla 2, for a dataset
        with a text field for each column, a label question named ``label`` and
        ``allow_extra_metadata=True``.

    Examples
    --------
    >>> import hardy
    >>> values = pd.DataFrame({"size": [0.0, 0.1, 5.0, 5.1] * 8})
    >>> audit = hardy.audit_labels(values, ["b", *"abb", *"aabb" * 7], random_state=0)
    >>> record = to_argilla(audit, values)[0]
    >>> record["fields"], record["suggestions"]["label"]["value"]
    ({'size': '0.0'}, 'a')
    """
    settled = settled or {}
    return [
        {
            "id": str(facts["audit"]["hardy_row"]),
            "fields": {name: _text(value) for name, value in facts["values"].items()},
            "metadata": {
                **{name: value for name, value in facts["audit"].items() if value is not None},
                **_describe_decision(settled.get(row)),
            },
            "suggestions": {
                _CHOICE: {
                    "value": str(facts["suggested"]),
                    "score": facts["score"],
                    "agent": _AGENT,
                }
            },
            "responses": {},
            "vectors": {},
        }
        for row, facts in _describe(audit, values, settled)
    ]


def dump(items: list[dict[str, Any]]) -> bytes:
    """Write tasks or records as JSON in UTF-8."""
    text = json.dumps(items, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    # Half a character is written as JSON's escape.
    return text.encode(errors="backslashreplace")


def _describe(
    audit: LabelAudit, values: pd.DataFrame, settled: Mapping[int, Decision]
) -> Iterable[tuple[int, dict[str, Any]]]:
    order = np.argsort(-audit.doubt, kind="stable")
    is_wanted = audit.is_suspect | audit.is_unlabelled
    is_wanted[list(settled)] = True
    rows = [int(row) for row in order if is_wanted[row] and row in values.index]
    for row, finding in zip(rows, list_findings(audit, rows), strict=True):
        suggested = finding["suggested_label"]
        score = audit.pred_proba[row][audit.classes.tolist().index(audit.suggested_labels[row])]
        yield (
            row,
            {
                "values": {str(name): plain(value) for name, value in values.loc[row].items()},
                "audit": {
                    "hardy_row": finding["row"],
                    "hardy_given_label": _text(finding["given_label"]),
                    "hardy_doubt": finding["doubt"],
                    "hardy_reasons": "; ".join(finding["reasons"]),
                },
                "suggested": suggested,
                "score": round(float(score), 6),
            },
        )


def _choose(label: Any) -> dict[str, Any]:
    return {
        "from_name": _CHOICE,
        "to_name": _SHOWN,
        "type": "choices",
        "value": {"choices": [str(label)]},
    }


def _label_of(audit: LabelAudit, row: int, decision: Decision | None) -> Any:
    if decision is None or decision.verdict not in ("keep", "relabel"):
        return None
    return plain(audit.given_labels[row] if decision.verdict == "keep" else decision.label)


def _describe_decision(decision: Decision | None) -> dict[str, str]:
    if decision is None:
        return {}
    return {
        "hardy_decision": decision.verdict,
        **({} if decision.label is None else {"hardy_label": str(plain(decision.label))}),
        **({"hardy_person": decision.person} if decision.person else {}),
        **({"hardy_note": decision.note} if decision.note else {}),
    }


def _text(value: Any) -> str:
    return "" if value is None else str(value)
