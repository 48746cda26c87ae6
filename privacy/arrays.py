"""Names of the arrays that signatures speak of, by what they hold."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Codes", "Flags", "Whole", "Words"]

Array: TypeAlias = NDArray[np.float64]
"""Shares, chances, scores: floats."""

Whole: TypeAlias = NDArray[np.int64]
"""Counts and positions: whole numbers."""

Flags: TypeAlias = NDArray[np.bool_]
"""True or False for each element."""

Codes: TypeAlias = NDArray[np.int32]
"""The number of a value among the values of a column, for each record."""

Words: TypeAlias = NDArray[np.uint64]
"""Bits of many rows, 64 to a word."""
