"""Shares from one disguised column, or from two together, with their errors and intervals."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.comparison import ClusterCount, threshold_of
from privacy.estimation.empirical_likelihood import ConfidenceSets, likelihood_sets
from privacy.estimation.fit_check import check_fit
from privacy.library.answers import (
    answer_codes,
    answer_counts,
    answer_position,
    column_answers,
    has_counts,
    read_answers,
)
from privacy.library.designs import Designed, ResponseDesign, RowDesigns, scores_of, shared_row, truthful
from privacy.library.frames import Shown, UnitSums, cluster_members, column_weights, data_frame, pick
from privacy.library.rows import design_text, report_groups, row_designs, row_weights
from privacy.policy import FEW_ROWS, RELIABLE_ERRORS, SURE_CLUSTERS
from privacy.tables.frames import read_frame

if TYPE_CHECKING:
    from privacy.library.frames import Answers, DataFrame, Series

__all__ = ["CrossTab", "Designs", "Figure", "crosstab", "distribution", "prevalence"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Figure(Shown):
    """An estimate t that solves mean(constant + slope t) = 0 over the reports.

    Parameters
    ----------
    name : str
        The estimated quantity.
    design : str
        How the answers were disguised.
    value : float
        Not clipped: a share may lie outside [0, 1].
    counts : int array, shape (reports,)
        Number of rows with each report.
    constant, slope : float array, shape (reports,)
    possible : (float, float)
        Bounds of the true value.
    clipped : bool
        Whether intervals are cut to these bounds, as for ratios.
    has_point : bool
        Whether `value` is meaningful: an odds ratio needs four cells above 0.
    is_lost : bool
        Whether the data cannot bound the value: an odds ratio multiplies two cells that are both at most 0.
    smallest_cell : int, optional
        Number of rows with the rarest report; defaults to the smallest of `counts`.
    clusters : ClusterCount, optional
        Set if `counts` counts clusters of rows.
    respondents : int, optional
        Number of rows, if `counts` counts clusters or other units; defaults to the sum of `counts`.
    """

    name: str
    design: str
    value: float
    counts: Whole
    constant: Array
    slope: Array
    possible: tuple[float, float]
    clipped: bool = False
    has_point: bool = True
    is_lost: bool = False
    smallest_cell: int | None = None
    respondents: int | None = None
    clusters: ClusterCount | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.counts.sum()) if self.respondents is None else self.respondents

    @cached_property
    def standard_error(self) -> float:
        """Delta-method error sd(constant + slope t) / (abs(mean slope) sqrt(n)); rows count as a sample."""
        n = self.counts.sum()
        shares = self.counts / n
        h = self.constant + self.slope * self.value
        variance = max(float(shares @ h**2 - (shares @ h) ** 2), 0.0)
        variance *= 1 if self.clusters is None else self.clusters.factor
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.sqrt(variance / n) / np.abs(shares @ self.slope))

    @property
    def few_rows(self) -> bool:
        """Whether a report came from fewer than 5 rows, so that intervals may miss their level."""
        least = self.counts.min() if self.smallest_cell is None else self.smallest_cell
        return bool(least < FEW_ROWS)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval at a level.

        Parameters
        ----------
        level : float, in (0, 1)

        Returns
        -------
        (float, float)
            The values that the empirical likelihood test does not reject. The test assumes no normal
            distribution and needs no variance. Intervals of ratios are cut to the possible range, those of
            shares are not.

        Raises
        ------
        PrivacyError
            ``level``.

        References
        ----------
        Owen 2001, chapter 2.
        """
        sets = self._sets(level)
        if not self.clipped:
            return float(sets.low[0]), float(sets.high[0])
        inside = sets.inside(*self.possible)
        low, high = float(inside.low[0]), float(inside.high[0])
        # low == high if the test accepts only values outside the possible range.
        return self.possible if self.is_lost or (not self.has_point and low == high) else (low, high)

    def estimable(self, level: float = 0.95) -> bool:
        """Whether the interval excludes any possible value."""
        if self.clipped:
            return self.interval(level) != self.possible
        return bool(self._sets(level).inside(*self.possible).estimable[0])

    def shown_because_estimable(self, level: float = 0.95) -> bool:
        """Whether this is a ratio that is printed although its denominator is within five errors of 0."""
        n = self.counts.sum()
        mean = self.counts @ self.slope / n
        variance = max(float(self.counts @ self.slope**2 / n - mean**2), 0.0) / n
        return self.clipped and self.estimable(level) and abs(mean) <= RELIABLE_ERRORS * float(variance**0.5)

    def shown(self, level: float = 0.95) -> tuple[float, float]:
        """Return value and standard error as tables print them.

        Both are NaN if the interval rules nothing out, and for a ratio that lies outside its interval.
        """
        low, high = self.interval(level)
        is_inside = not self.clipped or (self.has_point and low <= self.value <= high)
        return (self.value, self.standard_error) if self.estimable(level) and is_inside else (np.nan, np.nan)

    def _words(self, level: float) -> str:
        """Return the estimate, or its bounds, in words."""
        (value, error), (low, high) = self.shown(level), self.interval(level)
        if not self.estimable(level):
            # Always print the interval: its level would not hold if the answers decided whether to print it.
            return f"too few answers to say, {self.possible[0]:.4g} to {self.possible[1]:.4g}"
        if value == value:
            return f"{value:.4g}, standard error {error:.2g}"
        if high == self.possible[1]:
            return f"above {low:.4g}"
        return f"below {high:.4g}" if low == self.possible[0] else f"{low:.4g} to {high:.4g}"

    def _sets(self, level: float) -> ConfidenceSets:
        threshold = threshold_of(level, self.clusters)
        if level not in self._cached_sets:
            rows = self.counts[None], self.constant[None], self.slope[None]
            self._cached_sets[level] = likelihood_sets(*rows, threshold)
        return self._cached_sets[level]

    @cached_property
    def _cached_sets(self) -> dict[float, ConfidenceSets]:
        """Confidence sets by level, cached because a summary needs them several times."""
        return {}

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return value, error and interval as a DataFrame of one row."""
        return share_frame([self], [self.name], "figure", level).rename(columns={"share": "estimate"})

    def summary(self, level: float = 0.95) -> str:
        """Return a summary in a few lines."""
        low, high = self.interval(level)
        least, greatest = self.possible
        head = f"{self.name}, {self.design}, n = {self.n:,}"
        if not self.estimable(level):
            few = f"\nfew rows: a report came from fewer than {FEW_ROWS}" if self.few_rows else ""
            text = f"too few answers to say: {100 * level:g}% interval {least:.4g} to {greatest:.4g}"
            return f"{head}\n{text}{few}"
        lines = [head, f"estimate {self._words(level)}, {100 * level:g}% interval {low:.4g} to {high:.4g}"]
        if not least <= self.value <= greatest:
            lines.append(f"outside [{least:g}, {greatest:g}] by chance; shown as it is, not clipped")
        if self.shown_because_estimable(level):
            lines.append("shown because estimable: printed ratios of few people miss their level more often")
        if self.clusters is not None and self.clusters.effective < SURE_CLUSTERS:
            lines.append(f"few clusters: as many as {self.clusters.effective:.1f} of one size")
        if self.few_rows:
            lines.append(
                f"few rows: a report came from fewer than {FEW_ROWS}, and the interval may miss its level"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        label = ", shown because estimable" if self.shown_because_estimable() else ""
        return f"<{self.name}: {self._words(0.95)}{label}, n = {self.n:,}>"


def share_of(name: str, design: str, counts: Whole, scores: Array, units: UnitSums | None = None) -> Figure:
    """Return the share that these scores estimate, from counts of reports or from weighted units."""
    base = np.ones(len(scores)) if units is None else units.base
    return Figure(
        name=name,
        design=design,
        value=float(counts @ scores / (counts @ base)),
        counts=counts,
        constant=scores,
        slope=-base,
        possible=(0.0, 1.0),
        smallest_cell=None if units is None else units.smallest_cell,
        respondents=None if units is None else units.respondents,
        clusters=None if units is None else units.clusters,
    )


def prevalence(
    answers: Answers,
    design: ColumnDesign,
    *,
    value: Hashable = "yes",
    weights: Any = None,
    clusters: Any = None,
    missing: str = "refuse",
) -> Figure:
    """Estimate the share of people with one true answer.

    Parameters
    ----------
    answers : Series, or mapping of report to count
        One report per respondent: "yes" and "no", True and False, 1 and 0, or the levels of the design; or
        counts, such as the output of ``value_counts()``. Rows are counted, not people: if respondents have
        several rows, pass the column that identifies them as `clusters`.
    design : ResponseDesign, Series of ResponseDesign, or `sottovoce.Survey`
        How the answers were disguised, such as ``forced_response(yes=1/6, no=1/6)``. If probabilities differ
        by row, the design of each row: ``people.p.map(warner)``. A survey finds it by the column's name.
    value : optional
        The true answer whose share is estimated.
    weights : Series, optional
        A weight above 0 for each row. A Series of weights, clusters or designs belongs to the answers with
        the same row labels, in any order; a list or array to the answers in their order.
    clusters : Series, optional
        The sampling unit of each row, such as a school; errors then allow for clustering.
    missing : {"refuse", "drop"}
        What to do with rows that lack an answer, a weight or a cluster. The summary counts those left out.

    Returns
    -------
    Figure
        ``value``, ``standard_error``, ``interval(level)``, ``summary()``.

    Raises
    ------
    PrivacyError
        ``answers``: no answers, or missing, unknown or identical ones. ``designs``. ``misfit``: no true
        answers would produce these reports under the design. ``clusters``, ``regression``: invalid clusters
        or weights.

    Notes
    -----
    With K the channel and s the score, K's = f, the estimate is the (weighted) mean of s over the rows,
    unbiased for the share of f. For two answers with the probabilities a and b of "yes" it is
    (share of "yes" - b)/(a - b).

    References
    ----------
    Warner 1965; Owen 2001, chapter 2.

    Examples
    --------
    60 of 100 report "yes", and a die forces each answer with probability 1/6: (.6 - 1/6)/(2/3) = .65.

    >>> from privacy.library.designs import forced_response
    >>> prevalence({"yes": 60, "no": 40}, forced_response(yes=1/6, no=1/6))
    <share of yes in the answers: 0.65, standard error 0.073, n = 100>
    """
    column = _Column.of(answers, design, weights, clusters, missing)
    position = answer_position(value, column.values, column.design)
    return column.share(f"share of {column.values[position]} in {column.name}", position)


def distribution(
    answers: Answers,
    design: ColumnDesign,
    *,
    level: float = 0.95,
    weights: Any = None,
    clusters: Any = None,
    missing: str = "refuse",
) -> DataFrame:
    """Estimate the share of each true answer.

    Parameters
    ----------
    answers, design, weights, clusters, missing
        As for `prevalence`.
    level : float, in (0, 1)

    Returns
    -------
    DataFrame
        A row per true answer: share, standard_error, low, high. ``attrs["dropped"]`` counts the rows left
        out.

    Examples
    --------
    Half report their own level, the others draw one of three: (share - 1/6)/(1/2).

    >>> from privacy.library.designs import generalised_rr
    >>> design = generalised_rr(["never", "once", "often"], p=1/2)
    >>> print(distribution({"never": 500, "once": 300, "often": 200}, design).round(3))
            share  standard_error    low   high
    answer
    never   0.667           0.032  0.605  0.729
    once    0.267           0.029  0.211  0.324
    often   0.067           0.025  0.019  0.118
    """
    column = _Column.of(answers, design, weights, clusters, missing)
    figures = [column.share(str(value), position) for position, value in enumerate(column.values)]
    table = share_frame(figures, list(column.values), "answer", level)
    table.attrs["dropped"] = column.dropped
    return table


@dataclass(frozen=True, kw_only=True, eq=False)
class _Column:
    """One column of reports, checked against its design."""

    name: str
    design: str
    values: Sequence[Hashable]
    counts: Whole
    scores: Array
    weighting: UnitSums | None = None
    dropped: int = 0

    @classmethod
    def of(cls, answers: Answers, design: ColumnDesign, weights: Any, clusters: Any, missing: str) -> _Column:
        if isinstance(design, Designed):
            name = getattr(answers, "name", None)
            if name not in design.designs:
                raise PrivacyError("designs.question", name)
            design = design.designs[name]
        column = None if isinstance(answers, Mapping) else read_answers(answers)
        designs, which = row_designs(design, column)
        first = designs[0]
        if column is None or has_counts(column, first.reports):
            if weights is not None or clusters is not None:
                raise PrivacyError("answers.kind", "counts")
            name, counts = answer_counts(answers, first.reports)
            check_fit([first.counts_of(name.removeprefix("column "), counts)])
            scores = scores_of(first.retention)
            return cls(name=name, design=repr(first), values=first.values, counts=counts, scores=scores)
        keep, mass, members = row_weights(column, weights, clusters, missing)
        column, which, dropped = column[keep], which[keep], int((~keep).sum())
        left_out = f", {dropped:,} rows without an answer left out" if dropped else ""
        name, codes = answer_codes(column, first.reports)
        check_fit([report_groups(name.removeprefix("column "), designs, which, codes)])
        scores = np.stack([scores_of(own.retention) for own in designs])
        counts, units = np.bincount(codes, minlength=len(first.reports)), None
        if len(designs) > 1 or mass is not None or members is not None:
            units = UnitSums.of(scores[which, :, codes].T, codes, mass, members)
        return cls(
            name=name, design=design_text(designs) + left_out, values=first.values,
            counts=counts if units is None else units.counts,
            scores=scores[0] if units is None else units.scores, weighting=units, dropped=dropped,
        )  # fmt: skip

    def share(self, name: str, position: int) -> Figure:
        """Return the share of one true answer."""
        return share_of(name, self.design, self.counts, self.scores[position], self.weighting)


def share_frame(figures: list[Figure], index: list[Hashable], name: object, level: float) -> DataFrame:
    """Return figures as a DataFrame of value, error and interval; no value if there are too few answers."""
    rows = [(*figure.shown(level), *figure.interval(level)) for figure in figures]
    columns = zip(("share", "standard_error", "low", "high"), np.reshape(rows, (-1, 4)).T, strict=True)
    return data_frame(dict(columns), index=index, name=name)


ColumnDesign: TypeAlias = RowDesigns | Designed
Designs: TypeAlias = ResponseDesign | Mapping[Hashable, RowDesigns]


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
    """

    names: tuple[Hashable, Hashable]
    designs: tuple[ResponseDesign, ResponseDesign]
    scores: Array
    counts: Whole
    weighting: UnitSums | None = None

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
        """Estimated share of each pair of true answers; not clipped, so it may lie outside [0, 1]."""
        first, second = self.designs
        counts, scores, base = self._units
        table = (scores @ counts / (counts @ base)).reshape(len(first.values), len(second.values))
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
            respondents=self.n,
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
        text = f"{head}\n{self.to_frame(level).round(4)}"
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
    weights, clusters : hashable, optional
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
    frame = read_frame(frame)
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
        own, rows = row_designs(per_name[name], frame)
        own = [_with_answers(design, column) for design in own]
        codes.append(answer_codes(column, own[0].reports)[1])
        applied.append(own)
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
    if len(scores) > 1 or weights is not None or clusters is not None:
        mass = None if weights is None else column_weights(frame, weights)
        members = None if clusters is None else cluster_members(pick(frame, [clusters])[0], clusters)
        units = UnitSums.of(np.stack(scores)[by_pair.ravel(), :, cells].T, cells, mass, members)
    return CrossTab(names=names, designs=designs_of, scores=scores[0], counts=counts, weighting=units)


def _with_answers(design: ResponseDesign, column: Series) -> ResponseDesign:
    """Return the design, with the column's own answers if it is undisguised and not yes/no."""
    if design != truthful():
        return design
    answers = column_answers(column)
    return design if answers is None else truthful(*answers)


def _joint_scores(first: ResponseDesign, second: ResponseDesign) -> Array:
    """Return the scores of two columns together."""
    row = shared_row(first, second)
    if row is not None:
        return scores_of(row)
    scores: Array = np.kron(scores_of(first.retention), scores_of(second.retention)).astype(np.float64)
    return scores
