"""A file audited once more, with what people have settled since."""

import os
from pathlib import Path

from hardy._steps import Progress
from hardy.audit.cleaned import annotators_of, read_source, target_column
from hardy.audit.files import audit_file
from hardy.audit.result import LabelAudit
from hardy.audit.storage import load_audit


def audit_again(
    folder: str | os.PathLike[str],
    *,
    file: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> LabelAudit:
    r"""Audit a file once more, with what people have settled since.

    Settled rows are trusted: their labels are learnt from, and they are never suspects again. All
    options are those of the audit in the folder, which is renewed.

    Parameters
    ----------
    folder : path-like
        The folder of an audit of a file.
    file : path-like, optional
        The audited file, where it was moved.
    n_jobs : int, optional
        The number of processors to use; all of them with −1.
    progress : callable, optional
        Called with what is being done, how many steps are done, and how many there are.

    Returns
    -------
    LabelAudit
        The new audit.

    Raises
    ------
    InputError
        Where the folder holds no audit of a file, or the file isn't there or was changed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hardy.audit import Decisions, audit_again, audit_file
    >>> lines = [f"{size + step / 50:.2f},{kind}" for step in range(50)
    ...          for size, kind in ((1, "small"), (5, "large"))]
    >>> lines[0] = "1.00,large"
    >>> with tempfile.TemporaryDirectory() as place:
    ...     path, folder = Path(place, "fish.csv"), Path(place, "fish.audit")
    ...     _ = path.write_text("\n".join(["size,kind", *lines]))
    ...     audit = audit_file(path, "kind", output=folder)
    ...     suspects = audit.suspects.tolist()
    ...     _ = Decisions(folder, audit).record(0, "relabel", label="small")
    ...     suspects, audit_again(folder).suspects.tolist()
    ([0], [])
    """
    audit = load_audit(folder)
    path, _ = read_source(audit, file)
    source = audit.source
    embeddings = source.get("embeddings")
    return audit_file(
        path,
        target_column(source),
        drop=source.get("dropped", ()),
        # An identifier that was found is found again; named, its column would count as asked for.
        id=source["id"] if source["id"] not in source["set_aside"] else None,
        keep=source.get("kept", ()),
        text=source.get("text", ()),
        group=source.get("group"),
        split=source.get("split"),
        order=source.get("order"),
        **annotators_of(source, path),
        # Only its name is known: it is looked for beside the table.
        embeddings=path.parent / Path(embeddings).name if embeddings else None,
        encoding=source["reading"]["encoding"],
        output=folder,
        random_state=source.get("random_state"),
        n_jobs=n_jobs,
        progress=progress,
        command=source.get("command"),
    )
