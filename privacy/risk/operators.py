"""Three ways of source 000 to hide a number from 0 to n - 1, as channels that look alike around a circle."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from privacy import validation
from privacy.channels.amplification import largest_ratio
from privacy.channels.channel import Channel
from privacy.errors import PrivacyError

__all__ = ["CyclicChannel", "mixed", "retention", "window"]

MOST_VALUES = 1 << 16


@dataclass(frozen=True, kw_only=True)
class CyclicChannel:
    """A channel whose chance depends on (observed - true) modulo n only.

    Parameters
    ----------
    kernel : tuple of Fraction, shape (n,)
        Chance of each difference; sums to 1 exactly.

    Raises
    ------
    PrivacyError
        ``shape``, ``out_of_range``, ``column_sum``.

    Notes
    -----
    n entries say what a matrix says with n^2; `to_channel` writes it out.
    """

    kernel: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.kernel) <= MOST_VALUES:
            raise PrivacyError("shape.kernel", len(self.kernel), most=MOST_VALUES)
        if min(self.kernel) < 0:
            raise PrivacyError("out_of_range.kernel", min(self.kernel))
        if sum(self.kernel) != 1:
            total = sum(self.kernel)
            raise PrivacyError("column_sum.kernel", total)

    @property
    def n_observed(self) -> int:
        """Number of observed values, and of true ones."""
        return len(self.kernel)

    def row(self, observed: int) -> tuple[Fraction, ...]:
        """Return the chance of one observed value from each true one."""
        n = len(self.kernel)
        return tuple(self.kernel[(observed - true) % n] for true in range(n))

    def amplification(self) -> Fraction | None:
        """Return gamma, the same for every observed value; None where it is infinite."""
        return largest_ratio([self.kernel])

    def to_channel(self) -> Channel:
        """Return the matrix."""
        return Channel(matrix=tuple(self.row(observed) for observed in range(self.n_observed)))


def retention(n: int, keep: Fraction) -> CyclicChannel:
    """R1: keep the value with chance `keep`, else draw one of the n - 1 others.

    Read so, the source's figures come out; were the value itself among those drawn, Table 1 would begin with
    71.7 %, not 71.6 %.

    Examples
    --------
    >>> retention(1001, Fraction(1, 5)).amplification()
    Fraction(250, 1)
    """
    _values(n)
    _share(keep, "chance to keep")
    other = (1 - keep) / (n - 1)
    return CyclicChannel(kernel=(keep, *((other,) * (n - 1))))


def window(n: int, radius: int) -> CyclicChannel:
    """R2: add a number drawn evenly from -radius..radius, modulo n. Its gamma is infinite.

    Examples
    --------
    >>> window(5, 1).kernel[:3]
    (Fraction(1, 3), Fraction(1, 3), Fraction(0, 1))
    """
    _values(n)
    validation.whole_number(radius, "radius", low=0, high=(n - 1) // 2, code="radius")
    inside = Fraction(1, 2 * radius + 1)
    near = {difference % n for difference in range(-radius, radius + 1)}
    return CyclicChannel(kernel=tuple(inside if place in near else Fraction(0) for place in range(n)))


def mixed(channel: CyclicChannel, share: Fraction) -> CyclicChannel:
    """R3 for R2 and 1/2: use a channel with chance `share`, else draw any of the n values.

    Examples
    --------
    >>> float(mixed(window(1001, 100), Fraction(1, 2)).amplification())  # 1 + 1001/201
    5.980099502487562
    """
    _share(share, "share")
    other = (1 - share) / channel.n_observed
    return CyclicChannel(kernel=tuple(share * chance + other for chance in channel.kernel))


def _values(n: int) -> None:
    validation.whole_number(n, "number of values", low=2, high=MOST_VALUES, code="values")


def _share(share: Fraction, name: str) -> None:
    if not 0 <= share <= 1:
        raise PrivacyError("share", share, name=name)
