"""Compare shares and means of people with an answer and of all others, and of randomised groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.arm_effects import GroupSums, arm_effects
from privacy.estimation.comparison import Comparison, JoinedRows, compare
from privacy.estimation.denial import difference_bounds, ratio_bounds, tipping_share
from privacy.estimation.two_times import TwoTimes, two_times
from privacy.library.shown_tables import Shown, data_frame
from privacy.policy import LEAST_EFFECTIVE_ROWS
from privacy.printed import (
    CHECKED,
    Measured,
    PrintedEstimates,
    bounds_in_words,
    effective_text,
    few_effective_text,
)

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series


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


def arms_frame(
    group: Series,
    has_answer: Array,
    scores: Array,
    mass: Array,
    direct: Flags,
    names: Sequence[Sequence[str]],
    free: Sequence[int],
) -> DataFrame:
    """Compare randomised groups in all items, as a DataFrame.

    Parameters
    ----------
    group : Series
        Category of each row; the first is compared with each other one.
    has_answer, scores : float array, shape (items, rows)
        1 if an item was asked (or the score of "answered"), and its score; 0 if not.
    mass : float array, shape (rows,)
        Weights.
    direct : bool array, shape (rows,)
    names : sequence of sequence of str
        Items by question.
    free : sequence of int
        Number of items of each question that the others do not determine.
    """
    codes, categories = group.cat.codes.to_numpy(), list(group.cat.categories)
    inside = [codes == at for at in range(len(categories))]
    sums = [GroupSums.of(has_answer[:, own], scores[:, own], mass[own], direct[own]) for own in inside]
    starts = np.cumsum([0, *map(len, names)]).tolist()
    free_items = [list(range(start, start + count)) for start, count in zip(starts, free, strict=False)]
    found = arm_effects(sums, free_items)
    wide_level = 1 - (1 - _LEVEL) / found.differences.size
    cells = [
        (question, outcome, further)
        for question, items in enumerate(names)
        for outcome in range(starts[question], starts[question] + len(items))
        for further in range(1, len(categories))
    ]
    tests, outcomes, groups = np.array(cells).T
    n = np.array([[np.count_nonzero(own) for own in has_answer[:, rows]] for rows in inside])[
        groups, outcomes
    ]
    # Both groups of a difference need enough answers.
    both = np.minimum(found.sizes[groups, outcomes], found.sizes[0, outcomes])
    shares = _arm_rows(
        found.shares[groups, outcomes],
        found.errors[groups, outcomes],
        [found.share_interval(group, outcome) for _, outcome, group in cells],
        n,
        found.sizes[groups, outcomes],
        (0, 1),
    ).of_measure("share")
    difference_rows = _arm_rows(
        found.differences[groups - 1, outcomes],
        found.difference_errors[groups - 1, outcomes],
        [found.interval(group, outcome) for _, outcome, group in cells],
        n,
        both,
        (-1, 1),
    )
    named = np.array([found.interval(group, outcome, level=wide_level) for _, outcome, group in cells])
    is_known = both >= LEAST_EFFECTIVE_ROWS
    columns = shares | difference_rows.columns("difference")
    columns |= {f"named_{end}": np.where(is_known, own, np.nan) for end, own in _ends(named)}
    rows_of_questions = [int(has_answer[start].sum()) for start in starts[:-1]]
    alone, adjusted = found.tests(n=rows_of_questions, family=len(names), origin=CHECKED)
    columns |= {
        "p_value": alone.at(tests, estimable=is_known),
        "adjusted": adjusted.at(tests, estimable=is_known),
    }
    items = [item for own in names for item in own]
    index = [(items[outcome], categories[group]) for _, outcome, group in cells]
    table = data_frame(columns, index=index, name=["item", str(group.name)], about=difference_rows.about)
    table.attrs["joint"] = found.joint
    return table


_LEVEL: Final = 0.95


def _ends(ends: Array) -> list[tuple[str, Array]]:
    return [("low", ends[:, 0]), ("high", ends[:, 1])]


def _arm_rows(
    value: Array,
    error: Array,
    ends: Sequence[tuple[float, float]],
    n: Whole,
    effective_n: Array,
    possible: tuple[float, float],
) -> PrintedEstimates:
    low, high = np.array(ends).T
    return PrintedEstimates(
        value=value, standard_error=error, low=low, high=high, n=n, effective_n=effective_n, level=_LEVEL,
        possible=possible, method="ratio", shift=0.0, origin=CHECKED,
    )  # fmt: skip
