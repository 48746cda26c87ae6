"""Results of a study on paper: quantities with intervals by inverted tests, and tests of the model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.levels import chi_square_quantile, normal_quantile
from privacy.library.inverted_tests import Hypothesis, accepted_values
from privacy.library.shown_tables import Shown, data_frame
from privacy.p_values import PValue
from privacy.policy import FIT_CHECK_SIZE
from privacy.printed import CHECKED, PrintedEstimates, basis_of, bounds_in_words

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

__all__ = ["SHARE", "Counted", "ModelTest", "PaperStudy", "Quantity"]

Counted: TypeAlias = tuple[int, int]
"""Number of "yes" reports, and of all reports."""

SHARE: Final = (0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """An estimate with its error, treating the rows as a sample of the population.

    Parameters
    ----------
    name : str
        Such as ``share``, ``unrelated share`` or ``cheaters``.
    value : float
        Not clipped: a share may lie outside [0, 1]. Tables and summaries then give only bounds.
    standard_error : float
    possible : (float, float)
        Bounds of the true value.
    hypothesis : callable, optional
        The test of a value; without it, the interval uses the value and its error.
    within : (float, float), optional
        Range of values that counts can produce; defaults to `possible`.
    """

    name: str
    value: float
    standard_error: float
    possible: tuple[float, float] = SHARE
    hypothesis: Hypothesis | None = field(default=None, compare=False, repr=False)
    within: tuple[float, float] | None = None

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval: of a share by inverting its test, of a mean the value ± z standard errors.

        Raises
        ------
        PrivacyError
            ``level``: not between 0 and 1.

        Notes
        -----
        The interval contains each share t that the test does not reject, using the variance of the counts if
        t is true: Wilson's interval for one sample, Miettinen and Nurminen's for two. Values and intervals
        are not cut to the possible range, except intervals of ratios (`honesty`, a share corrected by an
        anchor).

        The share of a list experiment and the mean of an item sum are differences of means. Their error
        hardly depends on their value, so their interval uses the value and its standard error.

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
        """Whether the value is outside the possible range, because of noise or a wrong model."""
        least, greatest = self.possible
        return not least <= self.value <= greatest


@dataclass(frozen=True, kw_only=True)
class ModelTest:
    """A test of a model assumption.

    Parameters
    ----------
    name : str
    statistic : float
    test : PValue
        The p-value with its method, n and adjustment.
    """

    name: str
    statistic: float
    test: PValue

    @property
    def p_value(self) -> float:
        """The p-value, from 0 to 1."""
        return self.test.printed


@dataclass(frozen=True, kw_only=True, repr=False)
class PaperStudy(Shown):
    """Estimates from a study whose answers were disguised without a device.

    Parameters
    ----------
    method : str
        Name of the design, with its probabilities.
    n : int
        Number of respondents.
    quantities : tuple of Quantity
        The main quantity first.
    tests : tuple of ModelTest

    Raises
    ------
    PrivacyError
        ``misfit``: some quantity would be impossible, at the level of the fit check of surveys: one study in
        10,000 that fits its design is refused.
    """

    method: str
    n: int
    quantities: tuple[Quantity, ...]
    tests: tuple[ModelTest, ...] = ()

    def __post_init__(self) -> None:
        level = 1 - FIT_CHECK_SIZE / len(self.quantities)
        for quantity in self.quantities:
            (low, high), (least, greatest) = quantity.interval(level), quantity.possible
            if high < least or low > greatest:
                raise PrivacyError(
                    "misfit.study",
                    float(f"{quantity.value:.4g}"),
                    name=quantity.name,
                    low=f"{low:.4g}",
                    high=f"{high:.4g}",
                    least=f"{least:g}",
                    greatest=f"{greatest:g}",
                )

    def __getitem__(self, name: str) -> Quantity:
        for quantity in self.quantities:
            if quantity.name == name:
                return quantity
        raise KeyError(name)

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return one row per quantity, with the columns of `privacy.printed.PrintedEstimates`."""
        low, high = np.array([quantity.interval(level) for quantity in self.quantities]).T
        least, greatest = np.array([quantity.possible for quantity in self.quantities]).T
        rows = PrintedEstimates(
            value=np.array([quantity.value for quantity in self.quantities]),
            standard_error=np.array([quantity.standard_error for quantity in self.quantities]),
            low=low,
            high=high,
            n=self.n,
            effective_n=self.n,
            level=level,
            possible=(least, greatest),
            method="formula",
            shift=0.0,
            origin=CHECKED,
        )
        names = [quantity.name for quantity in self.quantities]
        return data_frame(rows.columns("estimate"), index=names, name="quantity", about=rows.about)

    def summary(self, level: float = 0.95) -> str:
        """Return a summary in a few lines."""
        lines = [f"{self.method}, n = {self.n:,}"]
        for quantity in self.quantities:
            low, high = quantity.interval(level)
            basis = basis_of(quantity.value, (low, high), possible=quantity.possible, effective_n=self.n)
            point = f"estimate {quantity.value:.4g}, standard error {quantity.standard_error:.2g}"
            if basis != "estimate":
                point = bounds_in_words(basis, (low, high), quantity.possible)
            ends = f", {100 * level:g}% interval {low:.4g} to {high:.4g}" if basis != "too few" else ""
            lines.append(f"{quantity.name}: {point}{ends}")
        lines += [f"{test.name}: {test.statistic:.4g}, {test.test.words()}" for test in self.tests]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{self.method}: {counted(len(self.quantities), 'quantity')}, n = {self.n:,}>"
