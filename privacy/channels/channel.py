"""A finite channel, in exact fractions; and the common base of the disguises of numbers and places."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from privacy.channels.amplification import largest_ratio
from privacy.errors import PrivacyError

if TYPE_CHECKING:
    from privacy.arrays import Array


@dataclass(frozen=True, kw_only=True)
class Channel:
    """A matrix ``channel[observed, true]`` whose columns sum to 1.

    Parameters
    ----------
    matrix : tuple of tuple of Fraction, shape (observed, true)
        Each entry in [0, 1], each column sums to 1 exactly.

    Raises
    ------
    PrivacyError
        ``shape``, ``out_of_range`` or ``column_sum``.

    Examples
    --------
    Warner's design that says the truth with probability 3/4:

    >>> from privacy.channels.amplification import bayes
    >>> warner = Channel.of([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]])
    >>> warner.amplification()
    Fraction(3, 1)
    >>> bayes((Fraction(1, 10), Fraction(9, 10)), warner.row(0))[0]
    Fraction(1, 4)
    """

    matrix: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        if not self.matrix or not self.matrix[0] or len({len(row) for row in self.matrix}) != 1:
            shape = [len(row) for row in self.matrix]
            raise PrivacyError("shape.matrix", shape)
        for row in self.matrix:
            for entry in row:
                if not 0 <= entry.numerator <= entry.denominator:
                    raise PrivacyError("out_of_range.chance", entry)
        for true in range(self.n_true):
            column = [row[true] for row in self.matrix]
            # Whole numbers over one denominator: to add fractions takes a division of each sum.
            whole = math.lcm(*(entry.denominator for entry in column))
            total = sum(entry.numerator * (whole // entry.denominator) for entry in column)
            if total != whole:
                raise PrivacyError("column_sum.column", Fraction(total, whole), true=true)

    @classmethod
    def of(cls, rows: Sequence[Sequence[Fraction | int]]) -> Channel:
        """Build a channel from nested sequences of fractions."""
        return cls(matrix=tuple(tuple(Fraction(entry) for entry in row) for row in rows))

    @property
    def n_true(self) -> int:
        """Number of true values."""
        return len(self.matrix[0])

    def __getitem__(self, entry: tuple[int, int]) -> Fraction:
        observed, true = entry
        return self.matrix[observed][true]

    def row(self, observed: int) -> tuple[Fraction, ...]:
        """Return the probability of one observed value from each true one."""
        return self.matrix[observed]

    def as_array(self) -> Array:
        """Return the matrix as floats, shape (observed, true)."""
        # Exact channels, and designs that have them, need no arrays.
        import numpy as np

        return np.array([[float(entry) for entry in row] for row in self.matrix])

    def amplification(self) -> Fraction | None:
        """Return gamma, the largest ratio of two entries of one row; None where it is infinite."""
        return largest_ratio(self.matrix)


class ScaleDisguise(ABC):
    """Disguise of a number (`window.WindowChannel`) or a place (`planar_window.PlanarWindowChannel`).

    Attributes
    ----------
    kind : {"number", "place"}
        Of the questions whose answers it disguises.
    """

    kind: ClassVar[Literal["number", "place"]]

    @property
    @abstractmethod
    def domain(self) -> tuple[object, ...]:
        """What is disguised, range or map with the items: disguises that agree in it exchange the same."""

    @property
    @abstractmethod
    def n_declared(self) -> int:
        """Number of items that the question declares."""

    @property
    def is_as_answered(self) -> bool:
        """Whether an open block sends the answer through it unchanged."""
        return False

    @property
    @abstractmethod
    def decoy_bound(self) -> Fraction:
        """Amplification between an answer and what decoys send, by which a skip is bounded."""
