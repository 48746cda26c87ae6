"""Read and write probabilities: 1/6 and .3 as floats are the fractions that are meant."""

from __future__ import annotations

import contextlib
import math
from fractions import Fraction
from typing import Final, TypeAlias

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError

Probability: TypeAlias = float | Fraction | str
"""A share: 2/3 as a float is read as the fraction two thirds, and so is the text "2/3"."""


_SIMPLE: Final = 10_000


_CLOSE: Final = 1e-12


def exact(value: Probability, name: str) -> Fraction:
    """Return a share as the intended fraction.

    Parameters
    ----------
    value : float, Fraction, int, Decimal or str, in [0, 1]
        A float within 1e-12 of a fraction with a denominator of at most 10,000 is read as that fraction: two
        such fractions differ by at least 1e-8. Any other float is read as the decimal that it prints as. Text
        is parsed by `fractions.Fraction`.
    name : str
        Its name in error messages.

    Raises
    ------
    PrivacyError
        ``chance``: not a number in [0, 1].

    Examples
    --------
    >>> exact(1 - 2/3, "p"), exact(.3, "p"), exact(.123456789, "p"), exact("1/6", "p")
    (Fraction(1, 3), Fraction(3, 10), Fraction(123456789, 1000000000), Fraction(1, 6))
    """
    if isinstance(value, str):
        # Text that is no fraction stays text and is refused below.
        with contextlib.suppress(ValueError, ZeroDivisionError):
            value = Fraction(value)
    number = validation.real_number(value, name, low=0, high=1, code="chance")
    if isinstance(value, int | Fraction):
        return Fraction(value)
    simple = Fraction(number).limit_denominator(_SIMPLE)
    return simple if abs(simple - Fraction(number)) <= _CLOSE else Fraction(repr(number))


def format_share(share: Fraction) -> str:
    """Format a share as a decimal if six digits are exact, else as a fraction.

    Parameters
    ----------
    share : Fraction
        In [0, 1].

    Examples
    --------
    >>> format_share(Fraction(3, 10)), format_share(Fraction(2, 3))
    ('0.3', '2/3')
    """
    text = f"{float(share):.6g}"
    return text if Fraction(text) == share else str(share)


def ten_thousandths(value: Probability, name: str) -> int:
    """Return a probability in ten-thousandths, the unit that devices draw in.

    Parameters
    ----------
    value : float, Fraction, Decimal or str
        A probability in [0, 1].
    name : str
        Its name in error messages.

    Raises
    ------
    PrivacyError
        ``ten_thousandths``: not a whole number of them. ``chance``.

    Examples
    --------
    >>> ten_thousandths(.35, "p"), ten_thousandths("1/4", "p")
    (3500, 2500)
    """
    share = exact(value, name)
    below = math.floor(share * SCALE)
    if below != share * SCALE:
        ends = (below / SCALE, (below + 1) / SCALE)
        raise PrivacyError("ten_thousandths", format_share(share), name=name, below=ends[0], above=ends[1])
    return below


def probability(value: Probability, name: str) -> float:
    """Return a probability above 0 and below 1, read as the intended fraction.

    Parameters
    ----------
    value : float, Fraction or str
    name : str
        What it is called in an error.

    Raises
    ------
    PrivacyError
        ``chance``; ``paper``: 0 or 1.
    """
    share = exact(value, name)
    if share in (0, 1):
        raise PrivacyError("paper.certain", float(share), name=name)
    return float(share)


def two_probabilities(first: Probability, second: Probability, names: tuple[str, str]) -> tuple[float, float]:
    """Return the probabilities of two samples, which must differ.

    Parameters
    ----------
    first, second : float, Fraction or str
    names : (str, str)
        What they are called in an error.

    Raises
    ------
    PrivacyError
        As for `probability`; ``paper``: both are equal.
    """
    probabilities = probability(first, names[0]), probability(second, names[1])
    if probabilities[0] == probabilities[1]:
        raise PrivacyError("paper.equal", probabilities[0], first=names[0], second=names[1])
    return probabilities
