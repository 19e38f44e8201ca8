"""Data sets: generators, and real ones that are looked up or fetched."""

from hardy.datasets.generators import (
    make_boxes,
    make_noisy_xor,
    make_ringnorm,
    make_threenorm,
    make_twonorm,
)
from hardy.datasets.reuters import fetch_reuters
from hardy.datasets.uci import UCISet, fetch_uci, uci_sets

__all__ = [
    "UCISet",
    "fetch_reuters",
    "fetch_uci",
    "make_boxes",
    "make_noisy_xor",
    "make_ringnorm",
    "make_threenorm",
    "make_twonorm",
    "uci_sets",
]
