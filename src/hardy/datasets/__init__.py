"""Data sets: generators, and real ones that are looked up or fetched."""

from hardy.datasets.generators import (
    make_boxes,
    make_noisy_xor,
    make_ringnorm,
    make_threenorm,
    make_twonorm,
)

__all__ = [
    "make_boxes",
    "make_noisy_xor",
    "make_ringnorm",
    "make_threenorm",
    "make_twonorm",
]
