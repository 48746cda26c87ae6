"""Compare one figure between two sets of reports, such as two waves of a survey."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mining.frames.comparisons import measured_rows, measured_text
from privacy.estimation.change import change_between, opposed_change
from privacy.library.shares import Figure
from privacy.library.shown_tables import Shown, data_frame
from privacy.printed import CHECKED, Measured

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TwoWaves(Shown):
    """One share or mean in two sets of reports, and its change.

    Parameters
    ----------
    before, after : Figure
    """

    before: Figure
    after: Figure

    def _of(self, join: Callable[[Measured, Measured], Measured], level: float) -> Measured:
        return join(_measured(self.before, level), _measured(self.after, level))

    @property
    def value(self) -> float:
        """The later figure minus the earlier one; not clipped."""
        return self.after.value - self.before.value

    @property
    def standard_error(self) -> float:
        """Error of the change if different people answered; NaN for too few answers."""
        error = self._of(change_between, 0.95).standard_error
        return float("nan") if error is None else error

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the change, see `privacy.estimation.change.change_between`."""
        found = self._of(change_between, level)
        return found.low, found.high

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return both figures, their change, and the change with an interval that holds for any relation.

        Examples
        --------
        See docs/library.md.
        """
        rows = {
            "before": _measured(self.before, level),
            "after": _measured(self.after, level),
            "change": self._of(change_between, level),
            "change, answers opposed": self._of(opposed_change, level),
        }
        table = measured_rows(list(rows.values()), level)
        return data_frame(
            table.columns("estimate"), index=list(rows), name=self.before.name, about=table.about
        )

    def summary(self, level: float = 0.95) -> str:
        """Return a short text with the figures."""
        columns = ["estimate", "standard_error", "low", "high", "n", "basis"]
        return (
            f"{self.before.name}, {100 * level:g}% intervals\n{self.to_frame(level)[columns].round(4)}\n"
            "The interval of the change holds unless a person's answers in both waves are negatively "
            "related; then use the last row."
        )

    def __repr__(self) -> str:
        change = measured_text(self._of(change_between, 0.95))
        return f"<change of {self.before.name}: {change}, n = {self.before.n:,} and {self.after.n:,}>"


def _measured(figure: Figure, level: float) -> Measured:
    low, high = figure.interval(level)
    is_known = figure.estimable(level)
    return Measured(
        value=figure.value,
        low=low,
        high=high,
        standard_error=figure.standard_error if is_known else None,
        estimable=is_known,
        n=figure.n,
        effective_n=figure.effective_n,
        level=level,
        possible=figure.possible,
        method="scores",
        shift=0.0,
        origin=CHECKED,
    )
