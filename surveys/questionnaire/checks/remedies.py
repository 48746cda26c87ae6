"""Remedies of findings: the largest value that passes, and its text, rounded down so that it passes too."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _


def largest_passing(most: int, passes: Callable[[int], bool]) -> int:
    """Return the largest passing number from 1 to `most`; 0 if none passes.

    Every number below a passing one must pass too.

    Examples
    --------
    >>> largest_passing(9, lambda number: number**2 < 20), largest_passing(9, lambda number: False)
    (4, 0)
    """
    return bisect.bisect_left(range(1, most + 1), True, key=lambda number: not passes(number))


def join_remedies(remedies: Iterable[str]) -> str:
    """Join remedies of which one is enough; without any, advise fewer questions."""
    return _(", or ").join(remedies) or _("ask fewer questions in protected parts")


def ten_thousandths_text(share: int) -> str:
    """Format ten-thousandths as a percentage."""
    # Rounded down to the printed digits, so that the remedy really passes.
    return f"{share // 100}.{share % 100:02d}".rstrip("0").rstrip(".")


def floor_text(epsilon: float) -> str:
    """Round down to the printed digits, so that the remedy really passes."""
    return f"{math.floor(100 * epsilon + 1e-9) / 100:.2f}"
