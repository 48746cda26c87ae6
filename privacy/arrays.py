"""Types of arrays by content."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
"""Floats, such as shares, probabilities and scores."""

Whole: TypeAlias = NDArray[np.int64]
"""Integers, such as counts and positions."""

Flags: TypeAlias = NDArray[np.bool_]
"""True or False for each element."""

Codes: TypeAlias = NDArray[np.int32]
"""For each record, the position of its value in the list of a column's values."""

Words: TypeAlias = NDArray[np.uint64]
"""Packed bits of many rows, 64 to a word."""
