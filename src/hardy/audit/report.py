"""The audit as one HTML page that needs nothing from outside."""

import base64
import hashlib
import os
import re
from collections import Counter
from functools import cache
from importlib import metadata, resources
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from hardy._files import atomic_write
from hardy._quoting import shown
from hardy.audit._charts import Picture, draw_histogram, draw_picture
from hardy.audit._plain import has_ids
from hardy.audit.findings.listing import list_rows
from hardy.audit.result import LabelAudit
from hardy.audit.summary import (
    expect_of_suspects,
    list_findings,
    spellings_of_annotators,
    summarise_classes,
    suspect_threshold,
)
from hardy.tabular.aside import group_set_aside

MOST_SUSPECTS_LISTED = 2_000
MOST_UNLABELLED_LISTED = 500
MOST_FINDINGS_SHOWN = 50
MOST_ROWS_OF_A_FINDING = 20
MOST_COLUMNS_SHOWN = 60
MOST_CLASSES_SHOWN = 12
MOST_CLASSES_LISTED = 100
NEAREST_SHOWN = 5
_SEPARATOR_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}


def write_report(
    audit: LabelAudit,
    path: str | os.PathLike[str],
    *,
    whole_list: str = "LabelAudit.to_frame()",
) -> None:
    """Write the audit as one HTML page, whole or not at all.

    Parameters
    ----------
    audit : LabelAudit
        The audit.
    path : path-like
        Where the page is written.
    whole_list : str, default="LabelAudit.to_frame()"
        Where the suspects are that the page has no room for.
    """
    page = render_report(audit, whole_list=whole_list)
    with atomic_write(path) as file:
        file.write(page)


def render_report(audit: LabelAudit, *, whole_list: str = "LabelAudit.to_frame()") -> str:
    """Give the page as text; the parameters are those of :func:`write_report`."""
    n_unlabelled = int(audit.is_unlabelled.sum())
    positions = audit.suspects[:MOST_SUSPECTS_LISTED].tolist()
    suspects = list_findings(audit, positions)
    changes = Counter(map(_change, suspects)).most_common()
    place_of_change = {change: place for place, (change, _) in enumerate(changes)}
    classes = summarise_classes(audit)
    picture = draw_picture(audit)
    page = _templates().get_template("report.html")
    return page.render(
        audit=audit,
        source={"file": None, "target": None, "created": None, **audit.source},
        style=_asset("report.css"),
        script=_asset("report.js"),
        whole_list=whole_list,
        n_rows=len(audit.doubt),
        n_labelled=len(audit.doubt) - n_unlabelled,
        n_suspects=int(audit.is_suspect.sum()),
        n_unlabelled=n_unlabelled,
        expectation=expect_of_suspects(audit),
        suspects=suspects,
        positions=positions,
        changes=changes,
        change_of=[place_of_change[_change(suspect)] for suspect in suspects],
        other_findings=_describe_findings(audit),
        consensus=audit.consensus,
        set_aside=_list_set_aside(audit),
        spellings=spellings_of_annotators(audit),
        listed={suspect["row"] for suspect in suspects},
        unlabelled=list_findings(
            audit, np.flatnonzero(audit.is_unlabelled)[:MOST_UNLABELLED_LISTED]
        ),
        confidence=_confidence(audit),
        has_ids=has_ids(audit.index),
        id_name=audit.index.name if isinstance(audit.index.name, str) else "id",
        details=_describe_details(audit, positions),
        picture=picture,
        tips=_describe_points(audit, picture),
        histogram=draw_histogram(audit),
        threshold=suspect_threshold(audit),
        matrix=_choose_matrix(audit, classes),
        classes=sorted(classes, key=lambda item: -item["suspects"])[:MOST_CLASSES_LISTED],
        n_classes=len(classes),
        not_assessable=[item for item in classes if item["assessable"] < item["rows"]],
        detectors=list(audit.detector_weights.sort_values(ascending=False).items()),
        facts=_list_facts(audit),
    )


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("hardy.audit", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shown=shown, marked=marked, percent=percent, digest=_digest)
    return environment


@cache
def _asset(name: str) -> Markup:
    # Ours, and without a closing tag, so that it may stand in the page as it is.
    text = resources.files("hardy.audit").joinpath("templates", name).read_text(encoding="utf-8")
    return Markup("\n" + text)  # nosec B704


def _digest(text: str) -> str:
    """Give the hash by which the page's security policy knows its own style and script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(str(text).encode()).digest()).decode()


def marked(reason: str) -> Markup:
    """Set the labels in a reason, which stand between backticks, in bold."""
    harmless = re.sub("`([^`]+)`", r"<b>\1</b>", str(escape(reason)))
    return Markup(harmless)  # nosec B704


def percent(share: float, digits: int = 0) -> str:
    """Give a share as per cent, with so many digits after the point where it is 10 % or more."""
    if not np.isfinite(share):
        return "–"
    value = 100 * share
    if value == 0 or value >= 9.95:
        return f"{value:.{digits if value else 0}f} %"
    if value < 0.01:
        return "< 0.01 %"
    return f"{value:.1f} %" if value >= 0.95 else f"{value:.2g} %"


def _describe_findings(audit: LabelAudit) -> list[dict[str, Any]]:
    """Give each finding's title, sentence and first rows."""
    return [
        {
            "title": finding.kind.replace("_", " ").capitalize(),
            "sentence": finding.sentence,
            "n_rows": len(finding.rows),
            "has_notes": bool(finding.notes),
            "rows": list_rows(audit, finding, slice(MOST_ROWS_OF_A_FINDING)),
        }
        for finding in audit.findings[:MOST_FINDINGS_SHOWN]
    ]


def _list_set_aside(audit: LabelAudit) -> list[tuple[str, str]]:
    """Give the columns that were set aside, many of a kind as one, and why."""
    lines = []
    for aside in group_set_aside(audit.source.get("set_aside", {})):
        named, n = aside.named(lambda name: shown(name, 80)), len(aside.names)
        lines.append((named if n == 1 else f"{n:,} columns: {named}", aside.why))
    return lines


def _change(finding: dict[str, Any]) -> tuple[str, str]:
    return shown(finding["given_label"], 40), shown(finding["suggested_label"], 40)


def _confidence(audit: LabelAudit) -> dict[int, float]:
    """Give the highest probability of the rows without a label, by row number."""
    return {
        int(row) + audit.first_row: float(audit.pred_proba[row].max(initial=0))
        for row in np.flatnonzero(audit.is_unlabelled)[:MOST_UNLABELLED_LISTED]
    }


def _describe_details(audit: LabelAudit, positions: list[int]) -> dict[str, Any]:
    """Give what the script opens below a suspect: its values and those of its nearest rows."""
    values = audit.values.iloc[:, :MOST_COLUMNS_SHOWN]
    place = {int(row): at for at, row in enumerate(values.index)}
    near = {
        row: [int(other) for other in audit.nearest_rows[row][:NEAREST_SHOWN] if other in place]
        for row in positions
    }
    needed = sorted({row for row in positions if row in place}.union(*near.values()))
    columns = [values.iloc[:, at].astype(object).tolist() for at in range(values.shape[1])]
    return {
        "columns": [shown(column) for column in values.columns],
        "near": near,
        "rows": {
            row: [
                row + audit.first_row,
                shown(audit.given_labels[row], 80),
                *(shown(column[place[row]]) for column in columns),
            ]
            for row in needed
        },
    }


def _choose_matrix(audit: LabelAudit, classes: list[dict[str, Any]]) -> dict[str, Any]:
    """Give the transition matrix, of the classes with the most suspects where they are many."""
    most = np.argsort([-item["suspects"] for item in classes], kind="stable")
    chosen = np.sort(most[:MOST_CLASSES_SHOWN])
    matrix = audit.transition_matrix.to_numpy()[np.ix_(chosen, chosen)]
    return {
        "labels": [shown(audit.classes[code], 40) for code in chosen],
        "rows": matrix.tolist(),
        "is_whole": len(chosen) == len(classes),
    }


def _describe_points(audit: LabelAudit, picture: Picture | None) -> dict[int, str]:
    """Give the text that belongs to each point of the picture."""
    if picture is None:
        return {}
    given, suggested = audit.given_labels, audit.suggested_labels
    tips = {
        point.row: f"Row {point.row + audit.first_row}: "
        + ("no label" if point.series is None else shown(given[point.row], 60))
        for point in picture.others
    }
    for point in picture.suspects:
        tips[point.row] = (
            f"Row {point.row + audit.first_row}: given {shown(given[point.row], 60)}, suggested "
            f"{shown(suggested[point.row], 60)}, doubt {audit.doubt[point.row]:.2f}"
        )
    return tips


def _list_facts(audit: LabelAudit) -> list[tuple[str, str]]:
    """Give what is known of the audit's making, as names and values."""
    source = audit.source
    reading = source.get("reading") or {}
    versions = source.get("versions") or {"hardy": metadata.version("hardy")}
    separator = reading.get("separator")
    facts = [
        ("File", source.get("file")),
        ("Target", source.get("target")),
        ("Identifier", source.get("id")),
        ("Embeddings", source.get("embeddings")),
        ("Groups", source.get("group")),
        ("Split", source.get("split")),
        ("Order", source.get("order")),
        ("Format", reading.get("format")),
        ("Encoding", reading.get("encoding")),
        ("Separator", _SEPARATOR_NAMES.get(str(separator), separator)),
        ("Compression", reading.get("compression")),
        ("Rows", f"{len(audit.doubt):,}"),
        ("Columns used", f"{audit.values.shape[1]:,}"),
        ("Annotators", ", ".join(source.get("annotators") or ())),
        ("Annotations", (source.get("annotations") or {}).get("file")),
        ("Columns dropped", ", ".join(source.get("dropped") or ())),
        ("Command", source.get("command")),
        ("Random state", source.get("random_state")),
        ("Made", source.get("created")),
        ("Versions", ", ".join(f"{name} {version}" for name, version in versions.items())),
    ]
    return [(name, str(value)) for name, value in facts if value not in (None, "")]
