"""Documents from any container, checked one by one."""

from typing import Any

import pandas as pd

from hardy._quoting import quote
from hardy.exceptions import InputError


def check_documents(documents: Any) -> list[str]:
    """Give documents as a list of strings, or tell which of them is none."""
    if isinstance(documents, str | bytes):
        raise InputError(
            f"The documents are a single text, {quote(documents)}; give a list of texts, even of "
            "one."
        )
    shape = getattr(documents, "shape", (0,))
    if len(shape) != 1:
        raise InputError(
            f"The documents must be one column of texts, but have the shape {tuple(shape)}; "
            "choose the column with the texts."
        )
    try:
        texts = list(documents)
    except TypeError:
        raise InputError(
            f"The documents must be a list or a column of texts, not {quote(documents)}."
        ) from None
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            _refuse(row, text)
    return texts


def _refuse(row: int, value: Any) -> None:
    if pd.api.types.is_scalar(value) and pd.isna(value):
        raise InputError(
            f"The document in row {row} is missing ({value!r}): leave the row out, or give the "
            "empty text ''."
        )
    raise InputError(
        f"The document in row {row} is no text but {quote(value)} ({type(value).__name__}); "
        "give strings, for example by astype(str)."
    )
