"""What every description of the disguise of a number or a place offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any


class ScaleLaw(ABC):
    """Describe the disguises of one kind of question, such as `WindowChannel` for numbers."""

    @abstractmethod
    def disguise_text(self, disguise: Any) -> str:
        """Describe how a device disguises an answer."""

    @abstractmethod
    def sent_text(self, disguise: Any) -> str:
        """Describe the values in the question's column."""


def probability_text(share: Fraction) -> str:
    """Format a probability with six significant digits.

    >>> probability_text(Fraction(2, 3))
    '0.666667'
    """
    return f"{float(share):.6g}"
