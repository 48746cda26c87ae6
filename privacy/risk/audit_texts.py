"""Figures of an audit as texts: shares, numbers and the bounds of one person."""

from __future__ import annotations

import math
from collections.abc import Sequence


def percent(share: float) -> str:
    """Format a share in percent with three digits, and as 0% or 100% only if it is exact.

    Parameters
    ----------
    share : float
        In [0, 1].

    Examples
    --------
    >>> [percent(share) for share in (0, 1e-9, .02914, .376, .99999, 1)]
    ['0%', '<0.1%', '2.91%', '37.6%', '>99.9%', '100%']
    """
    if 0 < share < 0.001:
        return "<0.1%"
    if 0.999 < share < 1:
        return ">99.9%"
    return f"{100 * share:.3g}%"


def number(value: float) -> str:
    """Format a number with three or four digits.

    Parameters
    ----------
    value : float
        0 or more; may be infinite.

    Examples
    --------
    >>> [number(value) for value in (9, 2.8904, 1025, 41.59, math.inf)]
    ['9', '2.89', '1,025', '41.6', '∞']
    """
    if math.isinf(value):
        return "∞"
    if value >= 1e6:
        return f"{value:.3g}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def bounds_text(epsilon: float, rho2: Sequence[tuple[float, float]]) -> list[str]:
    """Describe the bounds on all disguised answers of one person together, one line each.

    Parameters
    ----------
    epsilon : float
        0 or more; may be infinite.
    rho2 : sequence of (float, float)
        Pairs of a prior and its largest posterior; may be empty.

    Examples
    --------
    >>> for line in bounds_text(2.8904, [(.1, .667), (.5, .947)]):
    ...     print(line)
    All disguised answers of one person together: epsilon at most 2.89.
    Largest posterior from a prior of 10%, 50%: 66.7%, 94.7%.
    """
    lines = [f"All disguised answers of one person together: epsilon at most {number(epsilon)}."]
    if rho2:
        before, after = (", ".join(map(percent, bounds)) for bounds in zip(*rho2, strict=True))
        lines.append(f"Largest posterior from a prior of {before}: {after}.")
    return lines
