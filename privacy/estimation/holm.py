"""Holm's adjustment of p-values for multiple testing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust p-values for multiple testing.

    Parameters
    ----------
    p_values : sequence of float

    References
    ----------
    Holm 1979.
    """
    order = np.argsort(p_values)
    steps = np.array(p_values)[order] * np.arange(len(p_values), 0, -1)
    adjusted_p = np.empty(len(p_values))
    adjusted_p[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return tuple(adjusted_p.tolist())
