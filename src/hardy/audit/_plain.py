"""Values and names of rows as files, tables and pages hold them."""

from typing import Any

import numpy as np
import pandas as pd


def has_ids(index: "pd.Index[Any]") -> bool:
    """Whether an index names the rows, rather than counting them."""
    return not isinstance(index, pd.RangeIndex)


def plain(value: Any) -> Any:
    """Turn a value into what JSON can hold; what is missing or not finite becomes None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, np.generic) and not isinstance(value, np.datetime64 | np.timedelta64):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return None if pd.api.types.is_scalar(value) and pd.isna(value) else str(value)
