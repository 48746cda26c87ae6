"""State effective numbers of rows: how many rows of equal weight would be as precise."""

from __future__ import annotations

import math

from privacy.policy import SURE_EFFECTIVE_ROWS


def effective_text(n: int, effective_n: float) -> str:
    """Return the effective number of rows in words; empty if it is their number.

    Parameters
    ----------
    n : int
        Number of rows.
    effective_n : float
        Number of rows of equal weight with the same precision.

    Examples
    --------
    >>> effective_text(1200, 350.4), effective_text(1200, 1200.0)
    (', as precise as 350 of equal weight', '')
    """
    text = _as_precise_text(n, effective_n)
    return text and f", {text}"


def few_effective_text(n: int, effective_n: float) -> str:
    """Return the label of a figure with fewer than 100 effective rows; empty with more.

    Parameters
    ----------
    n : int
        Number of rows.
    effective_n : float
        Number of rows of equal weight with the same precision.

    Examples
    --------
    >>> few_effective_text(500, 40.0), few_effective_text(80, 80.0)
    ('few answers: as precise as 40 of equal weight; intervals may miss their level', \
'few answers: 80; intervals may miss their level')
    """
    if effective_n >= SURE_EFFECTIVE_ROWS:
        return ""
    count = _as_precise_text(n, effective_n) or f"{n:,}"
    return f"few answers: {count}; intervals may miss their level"


def _as_precise_text(n: int, effective_n: float) -> str:
    return "" if math.isclose(n, effective_n) else f"as precise as {effective_n:,.0f} of equal weight"
