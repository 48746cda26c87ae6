"""Texts of numbers: write a number briefly, and parse one."""

from __future__ import annotations

import math
from decimal import Decimal


def number_text(number: float) -> str:
    """Format a number as briefly as possible: 17.0 becomes ``17``.

    Parameters
    ----------
    number : float
        A finite number.

    Examples
    --------
    >>> number_text(17.0), number_text(0.5)
    ('17', '0.5')
    """
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def finite_number(text: str) -> float | None:
    """Parse a finite number; return None for any other text.

    Parameters
    ----------
    text : str
        The text to parse.

    Examples
    --------
    >>> finite_number("0.5"), finite_number("inf"), finite_number("half")
    (0.5, None, None)
    """
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def rounds_integer(text: str) -> bool:
    """Return whether conversion to float changes an integer, as for most integers above 2^53.

    Parameters
    ----------
    text : str
        The text to parse; the result is False unless it is an integer.

    Examples
    --------
    >>> rounds_integer("9007199254740993"), rounds_integer("9007199254740992"), rounds_integer("0.1")
    (True, False, False)
    """
    return text.lstrip("+-").isdecimal() and Decimal(text) != float(text)
