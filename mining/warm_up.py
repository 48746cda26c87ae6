"""Warm-up: load compiled code before it is needed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import numpy as np

from mining.columns.counting import engine_named
from mining.columns.transposition import bit_columns

__all__ = ["warm_up"]


def warm_up() -> None:
    """Load what searches, and compile what counts where numba is installed: no run has to wait for that."""
    import_module("mlxtend.frequent_patterns")
    if find_spec("numba"):
        words = bit_columns(np.full((1, 1), 0b1100_0000, dtype=np.uint8), [0, 1], compiled=True)
        engine_named("numba", 0).kernel(words, np.array([[0, 1]]))
