"""Results of a study on paper: quantities with their errors, and tests of its model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from privacy import validation
from privacy.errors import PrivacyError
from privacy.levels import chi_square_quantile, normal_quantile
from privacy.library.frames import data_frame
from privacy.library.inverted_tests import Hypothesis, accepted_values
from privacy.library.response_design import Chance, exact

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame
from privacy.library.shown import Shown

__all__ = ["SHARE", "Counted", "ModelTest", "PaperStudy", "Quantity"]

Counted: TypeAlias = tuple[int, int]
"""Reports "yes" among so many."""

SHARE: Final = (0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A figure with its error, the rows being a sample of the population.

    Parameters
    ----------
    name : str
        ``share``, ``unrelated share``, ``cheaters`` and so on.
    value : float
        Raw: a share may lie outside [0, 1].
    standard_error : float
    possible : (float, float)
        What the true value lies between.
    hypothesis : callable, optional
        The test of a value; without one the interval is of the value and its error.
    within : (float, float), optional
        Values that counts can give; `possible` where none is stated.
    """

    name: str
    value: float
    standard_error: float
    possible: tuple[float, float] = SHARE
    hypothesis: Hypothesis | None = field(default=None, compare=False, repr=False)
    within: tuple[float, float] | None = None

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of a share by inverting its test; of a mean, value minus and plus z errors.

        Raises
        ------
        PrivacyError
            ``level``: not between 0 and 1.

        Notes
        -----
        A share t is accepted whose test, with the variance that the counts have where t is true, accepts the
        counts: Wilson's interval of one sample, Miettinen's and Nurminen's of two. Neither it nor the value
        is cut to what is possible, that of a ratio (`honesty`, a share corrected by an anchor) is.

        The share of a list experiment and the mean of an item sum are differences of means, whose error
        hardly depends on their value: theirs are value and error.

        References
        ----------
        Miettinen and Nurminen 1985; Wilson 1927.

        Examples
        --------
        >>> low, high = Quantity(name="mean", value=0.25, standard_error=0.02).interval()
        >>> round(low, 3), round(high, 3)
        (0.211, 0.289)
        """
        if self.hypothesis is not None:
            within = self.within or self.possible
            return accepted_values(self.hypothesis, self.value, within, chi_square_quantile(level))
        half = normal_quantile(level) * self.standard_error
        return self.value - half, self.value + half

    @property
    def outside(self) -> bool:
        """Whether chance, or a model that does not hold, took the value out of what is possible."""
        least, greatest = self.possible
        return not least <= self.value <= greatest


@dataclass(frozen=True, kw_only=True)
class ModelTest:
    """A test of what a model takes for granted.

    Parameters
    ----------
    name : str
    statistic : float
    p_value : float, in [0, 1]
    """

    name: str
    statistic: float
    p_value: float


@dataclass(frozen=True, kw_only=True, repr=False)
class PaperStudy(Shown):
    """Estimates from a study whose answers were disguised without a device.

    Parameters
    ----------
    method : str
        The design, as it is called with its chances.
    n : int
        Respondents.
    quantities : tuple of Quantity
        What was asked for first.
    tests : tuple of ModelTest
    """

    method: str
    n: int
    quantities: tuple[Quantity, ...]
    tests: tuple[ModelTest, ...] = ()

    def __getitem__(self, name: str) -> Quantity:
        for quantity in self.quantities:
            if quantity.name == name:
                return quantity
        raise KeyError(name)

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return a row per quantity: estimate, standard_error, low, high."""
        ends = [quantity.interval(level) for quantity in self.quantities]
        columns = {
            "estimate": [quantity.value for quantity in self.quantities],
            "standard_error": [quantity.standard_error for quantity in self.quantities],
            "low": [low for low, _ in ends],
            "high": [high for _, high in ends],
        }
        return data_frame(columns, index=[quantity.name for quantity in self.quantities], name="quantity")

    def summary(self, level: float = 0.95) -> str:
        """Return what is known in a few lines."""
        lines = [f"{self.method}, n = {self.n:,}"]
        for quantity in self.quantities:
            low, high = quantity.interval(level)
            lines.append(
                f"{quantity.name}: estimate {quantity.value:.4g}, "
                f"standard error {quantity.standard_error:.2g}, "
                f"{100 * level:g} % interval {low:.4g} to {high:.4g}"
                + ("; outside what is possible, not clipped" if quantity.outside else "")
            )
        lines += [f"{test.name}: {test.statistic:.4g}, p = {test.p_value:.3g}" for test in self.tests]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{self.method}: {len(self.quantities)} quantities, n = {self.n:,}>"


def chance(value: Chance, name: str) -> float:
    """Return a chance above 0 and below 1, read as the fraction that was meant.

    Raises
    ------
    PrivacyError
        ``chance``; ``paper``: 0 or 1.
    """
    share = exact(value, name)
    if share in (0, 1):
        raise PrivacyError("paper.certain", float(share), name=name)
    return float(share)


def two_chances(first: Chance, second: Chance, names: tuple[str, str]) -> tuple[float, float]:
    """Return the chances of two samples, which have to differ.

    Raises
    ------
    PrivacyError
        As `chance`; ``paper``: the same in both.
    """
    chances = chance(first, names[0]), chance(second, names[1])
    if chances[0] == chances[1]:
        raise PrivacyError("paper.equal", chances[0], first=names[0], second=names[1])
    return chances


def counted(yes: object, n: object, name: str) -> tuple[float, float]:
    """Return the share of "yes" in a sample and its variance l (1 - l) / (n - 1).

    Raises
    ------
    PrivacyError
        ``paper``: no whole numbers, more "yes" than rows, fewer than two rows.

    Examples
    --------
    >>> counted(2, 5, "sample 1")
    (0.4, 0.06)
    """
    rows = validation.number_of_rows(n, f"rows of {name}", low=2, code="paper")
    reports = validation.whole_number(yes, f'"yes" of {name}', low=0, high=rows, code="paper")
    share = reports / rows
    return share, share * (1 - share) / (rows - 1)


def error(gradient: Sequence[float], variances: Sequence[float]) -> float:
    """Return the delta method's error from independent parts.

    >>> error([3, 4], [1, 1])
    5.0
    """
    return float(np.sqrt(np.square(np.asarray(gradient)) @ np.asarray(variances)))
