"""Compare shares and means of people with an answer and of all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from privacy.effective_rows import effective_text, few_effective_text
from privacy.errors import PrivacyError
from privacy.estimation.comparison import Comparison, compare
from privacy.estimation.denial import difference_bounds, ratio_bounds, tipping_share
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.two_times import TwoTimes, two_times
from privacy.library.shown_tables import Shown, data_frame
from privacy.printed import CHECKED, Measured, PrintedEstimates, bounds_in_words

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ThenAndNow(Shown):
    """Shares at two times, who started, who stopped, and the net change of the same people.

    Parameters
    ----------
    then, outcome : str
    rows : JoinedRows
    """

    then: str
    outcome: str
    rows: JoinedRows

    def _found(self, level: float = 0.95) -> TwoTimes:
        return two_times(self.rows, level=level)

    @property
    def value(self) -> float:
        """Share of now minus share of then; not clipped."""
        return self._found().net.value

    @property
    def standard_error(self) -> float:
        """Error of the net change, from the cells of the pair; NaN for too few answers."""
        error = self._found().net.standard_error
        return float("nan") if error is None else error

    @property
    def n(self) -> int:
        """Number of rows that were asked both."""
        return self._found().net.n

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the net change."""
        net = self._found(level).net
        return net.low, net.high

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return both shares, who started, who stopped, and the net change, each with its interval."""
        found = self._found(level)
        figures = {
            f"then: {self.then}": found.earlier,
            f"now: {self.outcome}": found.later,
            "started": found.started,
            "stopped": found.stopped,
            "net change": found.net,
        }
        rows = measured_rows(list(figures.values()), level)
        return data_frame(rows.columns("estimate"), index=list(figures), name=self.outcome, about=rows.about)

    def summary(self, level: float = 0.95) -> str:
        """Return a short text with the figures."""
        columns = ["estimate", "standard_error", "low", "high", "basis"]
        few = "\nfew rows: intervals may miss their level" if self._found().few_rows else ""
        return (
            f"{self.then} and {self.outcome}, n = {self.n:,}, {100 * level:g}% intervals\n"
            f"{self.to_frame(level)[columns].round(4)}{few}"
        )

    def __repr__(self) -> str:
        net = measured_text(self._found().net)
        return f"<net change from {self.then} to {self.outcome}: {net}, n = {self.n:,}>"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TwoShares(Shown):
    """Shares or means of people with an answer and of all others.

    Parameters
    ----------
    outcome, by : str
    rows : JoinedRows
    mean : bool
        Whether a mean is compared instead of a share.
    """

    outcome: str
    by: str
    rows: JoinedRows
    mean: bool

    @cached_property
    def _comparison(self) -> Comparison:
        return compare(self.rows, mean=self.mean)

    @property
    def value(self) -> float:
        """Difference: people with the answer minus all others; not clipped."""
        return self._comparison.difference.value

    @property
    def p_value(self) -> float:
        """Two-sided p-value of the hypothesis of no difference; NaN if there are too few answers."""
        return self._comparison.test.printed

    @property
    def n(self) -> int:
        """Number of rows that were asked everything."""
        return self._comparison.n

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the difference."""
        difference = compare(self.rows, mean=self.mean, level=level).difference
        return difference.low, difference.high

    def tipping_denial(self, level: float = 0.95) -> float | None:
        """Return the least share of denials in the group with less at which the interval contains 0.

        As `privacy.estimation.denial.tipping_share`: 0 if it contains 0 anyway, None if no share suffices.

        Raises
        ------
        PrivacyError
            ``denied``: the outcome is a mean.
        """
        self._check_share()
        return tipping_share(self.rows, level=level)

    def under_denial(self, most_denied: float, level: float = 0.95) -> tuple[float, float]:
        """Return bounds of the difference if at most this share of those concerned denied it in either group.

        As `privacy.estimation.denial.difference_bounds`.

        Parameters
        ----------
        most_denied : float, in [0, .99]
        level : float, in (0, 1)

        Raises
        ------
        PrivacyError
            ``denied``: the share is impossible, or the outcome is a mean.
        """
        self._check_share()
        return difference_bounds(self.rows, most_denied, level=level)

    def lift_under_denial(self, most_denied: float, level: float = 0.95) -> tuple[float, float]:
        """Return bounds of the lift if at most this share of those concerned denied one of both answers.

        As `privacy.estimation.denial.ratio_bounds`.

        Parameters
        ----------
        most_denied : float, in [0, .99]
        level : float, in (0, 1)

        Raises
        ------
        PrivacyError
            ``denied``: the share is impossible, or the outcome is a mean.
        """
        self._check_share()
        return ratio_bounds(compare(self.rows, level=level).lift, most_denied)

    def then_and_now(self) -> ThenAndNow:
        """Return how the same people changed, if `by` asks for then what the outcome asks for now.

        If both are in one block, they have one coin, and the error of the net change is less than that of two
        surveys. As `privacy.estimation.two_times.two_times`.

        Raises
        ------
        PrivacyError
            ``denied``: the outcome is a mean.
        """
        self._check_share()
        return ThenAndNow(then=self.by, outcome=self.outcome, rows=self.rows)

    def _check_share(self) -> None:
        if self.mean:
            raise PrivacyError("denied.mean", self.outcome, code="denied")

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return both shares, their difference, and for shares the lift, each with its interval."""
        comparison = compare(self.rows, mean=self.mean, level=level)
        figures = {
            f"with {self.by}": comparison.having,
            f"without {self.by}": comparison.others,
            "difference": comparison.difference,
        }
        if not self.mean:
            figures["lift"] = comparison.lift
        rows = measured_rows(list(figures.values()), level)
        return data_frame(rows.columns("estimate"), index=list(figures), name=self.outcome, about=rows.about)

    def summary(self, level: float = 0.95) -> str:
        """Return a short text with the figures."""
        few = "\nfew rows: intervals may miss their level" if self._comparison.few_rows else ""
        if label := few_effective_text(self.n, self._comparison.effective_n):
            few += f"\n{label}"
        weighted = effective_text(self.n, self._comparison.effective_n)
        columns = ["estimate", "standard_error", "low", "high", "basis"]
        return (
            f"{self.outcome} by {self.by}, n = {self.n:,}{weighted}, {100 * level:g}% intervals\n"
            f"{self.to_frame(level)[columns].round(4)}\n{self._comparison.test.words()}{few}"
        )

    def __repr__(self) -> str:
        difference = measured_text(self._comparison.difference)
        return f"<{self.outcome} by {self.by}: difference {difference}, n = {self.n:,}>"


def measured_text(figure: Measured) -> str:
    """Return an estimate with its interval, or its bounds if the point may not be printed.

    Parameters
    ----------
    figure : Measured
    """
    ends = (figure.low, figure.high)
    if figure.basis != "estimate":
        return bounds_in_words(figure.basis, ends, figure.possible)
    return f"{figure.value:.4g} [{ends[0]:.4g}, {ends[1]:.4g}]"


def measured_rows(figures: Sequence[Measured], level: float) -> PrintedEstimates:
    """Return measures of a comparison as rows of a table.

    Parameters
    ----------
    figures : sequence of Measured
    level : float
        Level of the intervals.
    """
    errors = [np.nan if own.standard_error is None else own.standard_error for own in figures]
    least, greatest = np.array([own.possible for own in figures], dtype=np.float64).T
    return PrintedEstimates(
        value=np.array([own.value for own in figures]),
        standard_error=np.array(errors, dtype=np.float64),
        low=np.array([own.low for own in figures]),
        high=np.array([own.high for own in figures]),
        n=np.array([own.n for own in figures]),
        effective_n=np.array([own.effective_n for own in figures]),
        level=level,
        possible=(least, greatest),
        method=[own.method for own in figures],
        shift=0.0,
        origin=CHECKED,
    )
