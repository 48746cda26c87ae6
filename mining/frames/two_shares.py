"""A share or a mean among those who have an answer, beside that among all others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from privacy.estimation.comparison import Comparison, compare
from privacy.estimation.composed_rules import JoinedRows
from privacy.library.frames import Shown, data_frame

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

__all__ = ["TwoShares"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TwoShares(Shown):
    """What two parts of the people have.

    Parameters
    ----------
    outcome, by : str
    rows : JoinedRows
    mean : bool
        Whether a mean is compared, and not a share.
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
        """The difference: those who have the answer less the others."""
        return self._comparison.difference.value

    @property
    def p_value(self) -> float:
        """Two-sided, of "there is no difference"."""
        return self._comparison.p_value

    @property
    def n(self) -> int:
        """Rows that were asked everything."""
        return self._comparison.n

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the difference."""
        difference = compare(self.rows, mean=self.mean, level=level).difference
        return difference.low, difference.high

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return both shares, their difference, and of shares the lift, each with its interval."""
        comparison = compare(self.rows, mean=self.mean, level=level)
        measured = {
            f"with {self.by}": comparison.having,
            f"without {self.by}": comparison.others,
            "difference": comparison.difference,
        }
        if not self.mean:
            measured["lift"] = comparison.lift
        columns = {
            "estimate": [own.value for own in measured.values()],
            "standard_error": [own.standard_error for own in measured.values()],
            "low": [own.low for own in measured.values()],
            "high": [own.high for own in measured.values()],
        }
        return data_frame(columns, index=list(measured), name=self.outcome)

    def summary(self, level: float = 0.95) -> str:
        """Return the figures in a few lines."""
        few = "\nfew rows: intervals may miss their level" if self._comparison.few_rows else ""
        return (
            f"{self.outcome} by {self.by}, n = {self.n:,}\n{self.to_frame(level).round(4)}\n"
            f"no difference: p = {self.p_value:.3g}{few}"
        )

    def __repr__(self) -> str:
        low, high = self.interval()
        ends = f"[{low:.4g}, {high:.4g}]"
        return f"<{self.outcome} by {self.by}: difference {self.value:.4g} {ends}, n = {self.n:,}>"
