"""Estimate the joint distribution of two disguised columns."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.fit_check import check_fit
from privacy.library.answers import (
    answer_codes,
    answer_position,
    column_answers,
)
from privacy.library.designs import Designed, ResponseDesign, scores_of, shared_row, truthful, undisguised
from privacy.library.frames import column_weights, pick
from privacy.library.row_designs import report_groups, row_designs
from privacy.library.sampling_units import UnitSums, units_of
from privacy.library.shown_tables import Shown, data_frame
from privacy.tables.decisions import Decisions
from privacy.tables.estimation import estimation_frame, weight_kinds

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series

from privacy.library.shares import Designs, Figure, share_frame, share_of, unread


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CrossTab(Shown):
    """Joint distribution of the true answers to two questions.

    Parameters
    ----------
    names : (str, str)
        Names of the two columns.
    designs : (ResponseDesign, ResponseDesign)
    scores : float array, shape (pairs of true answers, pairs of reports)
        On both axes, the answer to the second question varies fastest.
    counts : int array, shape (reports of the first, reports of the second)
    weighting : UnitSums, optional
        Set if rows have weights, clusters or their own designs.
    decisions : Decisions
        What was decided about the texts of the table, also in the summary.
    """

    names: tuple[Hashable, Hashable]
    designs: tuple[ResponseDesign, ResponseDesign]
    scores: Array
    counts: Whole
    weighting: UnitSums | None = None
    decisions: Decisions = field(default_factory=Decisions)

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.counts.sum())

    @property
    def _units(self) -> tuple[Whole, Array, Array]:
        """Counts, scores and weights of the independently sampled units."""
        if self.weighting is not None:
            return self.weighting.counts, self.weighting.scores, self.weighting.base
        return self.counts.ravel(), self.scores, np.ones(self.counts.size)

    def _table(
        self, table: Array | Whole, rows: Iterable[Hashable], columns: Iterable[Hashable]
    ) -> DataFrame:
        first, second = self.names
        by_column = dict(zip(columns, table.T, strict=True))
        return data_frame(by_column, index=list(rows), name=first).rename_axis(columns=second)

    @property
    def observed(self) -> DataFrame:
        """Number of rows with each pair of reports, still disguised."""
        first, second = self.designs
        return self._table(self.counts, first.reports, second.reports)

    @property
    def shares(self) -> DataFrame:
        """Estimated share of each pair of true answers; NaN where `to_frame` says less than a share."""
        first, second = self.designs
        table = self.to_frame()["share"].to_numpy().reshape(len(first.values), len(second.values))
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
            places.append(answer_position(value, design.values, repr(design)))
        row = places[0] * len(self.designs[1].values) + places[1]
        answers = [design.values[place] for design, place in zip(self.designs, places, strict=True)]
        name = f"share of {self.names[0]}={answers[0]}, {self.names[1]}={answers[1]}"
        counts, scores, _ = self._units
        return share_of(name, self._design_text, counts, scores[row], self.weighting)

    @property
    def _design_text(self) -> str:
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
            ``crosstab``: a question has more than two answers.

        Notes
        -----
        With z the scores of the four cells and P their means, the interval inverts the test of mean h = 0,
        h = P00 z11 + P11 z00 - P11 P00 - t (P01 z10 + P10 z01 - P10 P01). As for lift, h are the influence
        values of P11 P00 - t P10 P01. The interval is cut to [0, inf). A point estimate is reported only if
        all four estimated cells are above 0 and it lies in its interval; otherwise the figure reads "above
        60", for example.

        References
        ----------
        Owen 2001, chapter 2.
        """
        if len(self.scores) != 4:
            raise PrivacyError("crosstab.shape", self._sizes)
        counts, scores, base = self._units
        none, second, first, both = scores
        p_none, p_second, p_first, p_both = scores @ counts / (counts @ base)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(np.float64(p_both * p_none) / np.float64(p_first * p_second))
        return Figure(
            name=f"odds ratio of {self.names[0]} and {self.names[1]}",
            design=self._design_text,
            value=value,
            counts=counts,
            constant=p_none * both + p_both * none - p_both * p_none * base,
            slope=-(p_second * first + p_first * second - p_first * p_second * base),
            possible=(0.0, np.inf),
            clipped=True,
            has_point=min(p_none, p_second, p_first, p_both) > 0,
            is_lost=max(p_second, p_first) <= 0 or max(p_none, p_both) <= 0,
            smallest_cell=int(self.counts.min()),
            n=self.n,
            effective_n=float(self.n) if self.weighting is None else self.weighting.effective_n,
            clusters=None if self.weighting is None else self.weighting.clusters,
        )

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return a row per pair of true answers: share, standard_error, low, high."""
        first, second = self.designs
        pairs = list(itertools.product(first.values, second.values))
        return share_frame([self.share(*pair) for pair in pairs], list(pairs), list(self.names), level)

    def summary(self, level: float = 0.95) -> str:
        """Return the table with its errors, and the odds ratio of a 2 x 2 table."""
        head = f"{self.names[0]} by {self.names[1]}, {self._design_text}, n = {self.n:,}"
        text = "\n".join([f"{head}\n{self.to_frame(level).round(4)}", *map(str, self.decisions)])
        if len(self.scores) != 4:
            return text
        return f"{text}\n{self.odds_ratio.summary(level)}"

    def __repr__(self) -> str:
        return f"<crosstab of {self.names[0]} and {self.names[1]}: {self._sizes}, n = {self.n:,}>"


def crosstab(
    frame: DataFrame,
    first: Hashable,
    second: Hashable,
    *,
    designs: Designs | Designed,
    weights: Hashable | None = None,
    clusters: Hashable | None = None,
    strata: Hashable | None = None,
) -> CrossTab:
    """Cross-tabulate two disguised columns, or a disguised and an undisguised one.

    Parameters
    ----------
    frame : DataFrame
        One row per respondent.
    first, second : hashable
        Names of the columns.
    designs : ResponseDesign, mapping of column name to one, or to a Series of them, or `sottovoce.Survey`
        How each column was disguised; a single design applies to both. A grouping design names its block:
        columns share a coin if their blocks are the same. Designs that leave open whether the columns share a
        coin are refused. ``truthful()`` stands for an undisguised column, with the answers found in it.
    weights, clusters, strata : hashable, optional
        Names of columns, as for `mining.frames.survey.Survey.on`.

    Returns
    -------
    CrossTab
        ``shares``, ``share(a, b)``, ``odds_ratio``, ``to_frame(level)``, ``observed``, ``summary()``.

    Raises
    ------
    PrivacyError
        ``frame``, ``answers``, ``crosstab``, ``designs``, ``misfit``: as for `prevalence`.

    Notes
    -----
    Coins of different questions are independent, so the scores of the joint channel are the Kronecker product
    of both columns' scores. If the columns share a coin, the row itself has a retention channel. Either way
    the mean of the scores is unbiased for each cell.

    Examples
    --------
    Without disguise, the result is the table itself, here with an odds ratio of 3 * 4 / (2 * 1):

    >>> import pandas
    >>> from privacy.library.designs import truthful
    >>> people = pandas.DataFrame({"a": [1] * 5 + [0] * 5, "b": [1] * 3 + [0] * 2 + [1] + [0] * 4})
    >>> table = crosstab(people, "a", "b", designs=truthful())
    >>> round(table.share("yes", "yes").value, 9), round(table.odds_ratio.value, 9)
    (0.3, 6.0)
    """
    frame, decisions = estimation_frame(frame, reports=unread(first, second), kinds=weight_kinds(weights))
    names = first, second
    pick(frame, names)
    if first == second:
        raise PrivacyError("crosstab.same", first)
    designs = designs.designs if isinstance(designs, Designed) else designs
    per_name = designs if isinstance(designs, Mapping) else dict.fromkeys(names, designs)
    codes, applied, which = [], [], []
    for name, column in zip(names, pick(frame, names), strict=True):
        if name not in per_name:
            raise PrivacyError("crosstab.designs", name)
        designs_of_rows, rows = row_designs(per_name[name], frame)
        designs_of_rows = [_with_answers(design, column) for design in designs_of_rows]
        codes.append(answer_codes(column, designs_of_rows[0].reports)[1])
        applied.append(designs_of_rows)
        which.append(rows)
    designs_of = applied[0][0], applied[1][0]
    shape = len(designs_of[0].reports), len(designs_of[1].reports)
    cells = np.ravel_multi_index((codes[0], codes[1]), shape)
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    pairs, by_pair = np.unique(np.stack(which), axis=1, return_inverse=True)
    scores = [_joint_scores(applied[0][one], applied[1][other]) for one, other in pairs.T]
    coins = (0, 1) if shared_row(*designs_of) is None else (0, 0)
    reported = [
        report_groups(str(names[side]), applied[side], which[side], codes[side], coins[side])
        for side in (0, 1)
    ]
    is_square = shape == (2, 2) and len(scores) == 1
    check_fit(reported, [(0, 1)] if is_square else [], counts[None] if is_square else None)
    units = None
    if len(scores) > 1 or weights is not None or clusters is not None or strata is not None:
        mass = None if weights is None else column_weights(frame, weights)
        drawn = units_of(frame, clusters, strata)
        units = UnitSums.of(np.stack(scores)[by_pair.ravel(), :, cells].T, cells, mass, drawn)
    return CrossTab(
        names=names,
        designs=designs_of,
        scores=scores[0],
        counts=counts,
        weighting=units,
        decisions=decisions,
    )


def _with_answers(design: ResponseDesign, column: Series) -> ResponseDesign:
    """Return the design, with the column's own answers if it is undisguised and not yes/no."""
    if design != truthful():
        return design
    answers = column_answers(column)
    return design if answers is None else undisguised(answers)


def _joint_scores(first: ResponseDesign, second: ResponseDesign) -> Array:
    """Return the scores of two columns together."""
    row = shared_row(first, second)
    if row is not None:
        return scores_of(row)
    scores: Array = np.kron(scores_of(first.retention), scores_of(second.retention)).astype(np.float64)
    return scores
