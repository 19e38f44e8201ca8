"""What ``--help`` says at its end: examples, names to choose from, and the exit status."""

import textwrap
from collections.abc import Sequence

# Click keeps the lines of a paragraph that begins with this.
_AS_IT_STANDS = "\b\n"
_WIDTH = 76
EXAMPLES = {
    "audit": (
        "hardy audit table.csv --target label",
        "hardy audit table.csv --target label --id case --drop comment",
        "hardy audit visits.parquet --target outcome --group patient",
        "hardy audit mails.csv --target folder --text subject --text body",
        "hardy audit table.csv --annotators anna --annotators ben",
        "hardy audit table.csv --id case --annotations labels.csv",
        "hardy audit table.csv --target label --json --fail-over 0.05",
    ),
    "clean": (
        "hardy clean table.csv.audit --output cleaned.csv",
        "hardy clean table.csv.audit --output cleaned.csv --auto --min-precision 0.9",
        "hardy clean table.csv.audit --output weighted.csv --action weight",
    ),
    "compare": (
        "hardy compare table.csv --target label",
        "hardy compare a.csv b.csv --target label --noise 0,0.2 --repeats 5",
        "hardy compare table.csv --target label --estimators robust-boost,random-forest",
    ),
    "fit": (
        "hardy fit table.csv --target label --output model.hardy",
        "hardy fit table.csv --target label --output model.hardy --estimator robust-boost",
    ),
    "predict": (
        "hardy predict model.hardy new.csv --output predicted.csv",
        "hardy predict model.hardy new.csv --output predicted.csv --proba",
    ),
    "reproduce": (
        "hardy reproduce nr-boosting --quick",
        "hardy reproduce all --data-home data --output reproduced",
    ),
    "review": (
        "hardy review table.csv.audit",
        "hardy review table.csv.audit --port 0 --no-browser",
    ),
}
_STATUS = (
    "0  done",
    "2  the input or the call was wrong, or Ctrl-C was pressed; a line on",
    "   standard error says what, where, and what to do",
)


def end_of_help(command: str, *, names: Sequence[str] = (), more_status: str = "") -> str:
    """Make the end of a command's help.

    Parameters
    ----------
    command : str
        The command, whose examples are in `EXAMPLES`.
    names : sequence of str
        The estimators to choose from.
    more_status : str
        The line of a further exit status, 1.

    Returns
    -------
    str
        Paragraphs for click, whose lines stay as they are.
    """
    status = [_STATUS[0], *([more_status] if more_status else []), *_STATUS[1:]]
    parts = [_paragraph("Examples", EXAMPLES[command])]
    if names:
        # Hyphens are part of the names.
        lines = textwrap.wrap(", ".join(names), _WIDTH - 4, break_on_hyphens=False)
        parts.append(_paragraph("Estimators", lines))
    return "\n\n".join([*parts, _paragraph("Exit status", status)])


def _paragraph(title: str, lines: Sequence[str]) -> str:
    return _AS_IT_STANDS + "\n".join([f"{title}:", *(f"  {line}" for line in lines)])
