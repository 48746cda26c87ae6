"""Two disguised columns together: the table of true shares, and its odds ratio."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.fit_check import check_fit
from privacy.library.frames import answer_codes, data_frame, pick
from privacy.library.response_design import ResponseDesign, checked_design, scores_of, shared_row
from privacy.library.shares import Figure, share_frame, share_of

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame
from privacy.library.shown import Shown

__all__ = ["CrossTab", "Designs", "crosstab"]

Designs: TypeAlias = ResponseDesign | Mapping[Hashable, ResponseDesign]

ODDS: tuple[float, float] = (0.0, float("inf"))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CrossTab(Shown):
    """True answers to two questions, reconstructed together.

    Parameters
    ----------
    names : (str, str)
        Of the columns.
    designs : (ResponseDesign, ResponseDesign)
    scores : float array, shape (pairs of true answers, pairs of reports)
        The first question slowest on both sides.
    counts : int array, shape (reports of the first, reports of the second)
    """

    names: tuple[Hashable, Hashable]
    designs: tuple[ResponseDesign, ResponseDesign]
    scores: Array
    counts: Whole

    @property
    def n(self) -> int:
        """Rows."""
        return int(self.counts.sum())

    def _table(
        self, table: Array | Whole, rows: Iterable[Hashable], columns: Iterable[Hashable]
    ) -> DataFrame:
        first, second = self.names
        named = dict(zip(columns, table.T, strict=True))
        return data_frame(named, index=list(rows), name=first).rename_axis(columns=second)

    @property
    def observed(self) -> DataFrame:
        """Rows by pair of reports, as they came in."""
        first, second = self.designs
        return self._table(self.counts, first.reports, second.reports)

    @property
    def shares(self) -> DataFrame:
        """Estimated share of each pair of true answers; raw, so that one may lie outside [0, 1]."""
        first, second = self.designs
        table = (self.scores @ self.counts.ravel() / self.n).reshape(len(first.values), len(second.values))
        return self._table(table, first.values, second.values)

    def share(self, first: Hashable, second: Hashable) -> Figure:
        """Return the share of people with two true answers.

        Raises
        ------
        PrivacyError
            ``designs``: no such answer.
        """
        places = []
        for design, value in zip(self.designs, (first, second), strict=True):
            if value not in design.values:
                allowed = ", ".join(map(repr, design.values))
                raise PrivacyError("designs.value", value, design=repr(design), allowed=allowed)
            places.append(design.values.index(value))
        row = places[0] * len(self.designs[1].values) + places[1]
        name = f"share of {self.names[0]}={first}, {self.names[1]}={second}"
        return share_of(name, self._designed, self.counts.ravel(), self.scores[row])

    @property
    def _designed(self) -> str:
        first, second = self.designs
        return repr(first) if first == second else f"{first!r} and {second!r}"

    @property
    def _sizes(self) -> str:
        return " x ".join(str(len(design.values)) for design in self.designs)

    @property
    def odds_ratio(self) -> Figure:
        """The odds ratio t = P11 P00 / (P10 P01) of two questions with two answers each.

        Raises
        ------
        PrivacyError
            ``crosstab``: one of them has more answers.

        Notes
        -----
        With z the scores of the four cells and P their means, the interval inverts the test of mean h = 0,
        h = P00 z11 + P11 z00 - P11 P00 - t (P01 z10 + P10 z01 - P10 P01): the influence values of
        P11 P00 - t P10 P01, as they are for lift. It is cut to [0, inf). There is a point where all four
        estimated cells are above 0 and it lies in its interval; else the figure is "above 60", say.

        References
        ----------
        Owen 2001, chapter 2.
        """
        if len(self.scores) != 4:
            raise PrivacyError("crosstab.shape", self._sizes)
        counts = self.counts.ravel()
        none, second, first, both = self.scores
        p_none, p_second, p_first, p_both = self.scores @ counts / self.n
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(np.float64(p_both * p_none) / np.float64(p_first * p_second))
        return Figure(
            name=f"odds ratio of {self.names[0]} and {self.names[1]}",
            design=self._designed,
            value=value,
            counts=counts,
            constant=p_none * both + p_both * none - p_both * p_none,
            slope=-(p_second * first + p_first * second - p_first * p_second),
            possible=ODDS,
            clipped=True,
            has_point=min(p_none, p_second, p_first, p_both) > 0,
            is_lost=max(p_second, p_first) <= 0 or max(p_none, p_both) <= 0,
        )

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return a row per pair of true answers: share, standard_error, low, high."""
        first, second = self.designs
        pairs = list(itertools.product(first.values, second.values))
        return share_frame([self.share(*pair) for pair in pairs], list(pairs), list(self.names), level)

    def summary(self, level: float = 0.95) -> str:
        """Return the table with its errors, and the odds ratio where there is one."""
        head = f"{self.names[0]} by {self.names[1]}, {self._designed}, n = {self.n:,}"
        text = f"{head}\n{self.to_frame(level).round(4)}"
        if len(self.scores) != 4:
            return text
        return f"{text}\n{self.odds_ratio.summary(level)}"

    def __repr__(self) -> str:
        return f"<crosstab of {self.names[0]} and {self.names[1]}: {self._sizes}, n = {self.n:,}>"


def crosstab(frame: DataFrame, first: Hashable, second: Hashable, *, designs: Designs) -> CrossTab:
    """Cross two disguised columns.

    Parameters
    ----------
    frame : DataFrame
        One row per respondent.
    first, second : hashable
        Names of the columns.
    designs : ResponseDesign, or mapping of column name to one
        How each was disguised; one design is stated of both. A grouping names its block: columns of one block
        share a coin, those of two blocks do not. What may be one coin or two is refused.

    Returns
    -------
    CrossTab
        ``shares``, ``share(a, b)``, ``odds_ratio``, ``to_frame(level)``, ``observed``, ``summary()``.

    Raises
    ------
    PrivacyError
        ``frame``, ``answers``, ``crosstab``, ``designs``; ``misfit``, as `prevalence`.

    Notes
    -----
    Coins of different questions are independent: their channels' Kronecker product has the Kronecker product
    of their scores. With one coin the row is a retention channel itself. Either way the mean of the scores is
    unbiased for each cell.

    Examples
    --------
    Nothing disguised, it is the table itself, here with an odds ratio of 3 * 4 / (2 * 1):

    >>> import pandas
    >>> from privacy.library.designs import truthful
    >>> people = pandas.DataFrame({"a": [1] * 5 + [0] * 5, "b": [1] * 3 + [0] * 2 + [1] + [0] * 4})
    >>> table = crosstab(people, "a", "b", designs=truthful())
    >>> round(table.share("yes", "yes").value, 9), round(table.odds_ratio.value, 9)
    (0.3, 6.0)
    """
    if first == second:
        raise PrivacyError("crosstab.same", first)
    designs_of, scores = _joined((first, second), designs)
    codes = [
        answer_codes(column, design.reports)[1]
        for column, design in zip(pick(frame, [first, second]), designs_of, strict=True)
    ]
    shape = len(designs_of[0].reports), len(designs_of[1].reports)
    cells = np.ravel_multi_index((codes[0], codes[1]), shape)
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    coins = (0, 1) if shared_row(*designs_of) is None else (0, 0)
    reported = [
        design.reported(str(name), counts.sum(axis=1 - axis), coin)
        for axis, (name, design, coin) in enumerate(zip((first, second), designs_of, coins, strict=True))
    ]
    is_square = shape == (2, 2)
    check_fit(reported, [(0, 1)] if is_square else [], counts[None] if is_square else None)
    return CrossTab(names=(first, second), designs=designs_of, scores=scores, counts=counts)


def _joined(
    names: tuple[Hashable, Hashable], designs: Designs
) -> tuple[tuple[ResponseDesign, ResponseDesign], Array]:
    """Return the designs of two columns, and the scores of both together."""
    stated = designs if isinstance(designs, Mapping) else dict.fromkeys(names, designs)
    for name in names:
        if name not in stated:
            raise PrivacyError("crosstab.designs", name)
    first, second = (checked_design(stated[name]) for name in names)
    row = shared_row(first, second)
    if row is not None:
        return (first, second), scores_of(row)
    scores = np.kron(scores_of(first.retention), scores_of(second.retention)).astype(np.float64)
    return (first, second), scores
