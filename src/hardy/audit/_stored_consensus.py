"""The consensus of annotators as arrays, from which it is made again."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hardy.annotators import Consensus
from hardy.annotators.consensus import conclude
from hardy.audit._columns import (
    Arrays,
    distinct_names,
    pack_frame,
    pack_index,
    pack_json,
    unpack_frame,
    unpack_index,
    unpack_json,
)
from hardy.audit._taking import take


def pack_consensus(consensus: Consensus | None) -> Arrays:
    """Give what annotators said as arrays; nothing where there were none."""
    if consensus is None:
        return {}
    names = [str(name) for name in consensus.annotators.index]
    return {
        **pack_frame(pd.DataFrame({"label": consensus.classes}), "annotators.classes"),
        **pack_index(consensus.index, "annotators.index"),
        "annotators.codes": consensus.codes,
        "annotators.names": pack_json([names, consensus.method]),
    }


def unpack_consensus(packed: Mapping[str, NDArray[Any]]) -> Consensus | None:
    """Conclude again from what annotators said, where the arrays hold it."""
    if "annotators.codes" not in packed:
        return None
    names, method = unpack_json(packed["annotators.names"])
    names = distinct_names(names)
    classes = unpack_frame(packed, "annotators.classes")["label"].to_numpy()
    codes = take(packed, "annotators.codes", "iu", (None, len(names)), -1, len(classes) - 1)
    index = unpack_index(packed, "annotators.index", len(codes))
    return conclude(names, classes, codes.astype(np.intp), index, method)
