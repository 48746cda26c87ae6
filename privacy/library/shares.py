"""Shares from one disguised column, or from two together, with their errors and intervals."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.clusters import ClusterCount, threshold_of
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.fieller import ConfidenceSets
from privacy.estimation.fit_check import check_fit
from privacy.library.designs import ResponseDesign, checked_design, scores_of, shared_row
from privacy.library.frames import Shown, answer_codes, answer_counts, data_frame, pick, read_frame
from privacy.policy import FEW_ROWS, RELIABLE_ERRORS, SURE_CLUSTERS

if TYPE_CHECKING:
    from privacy.library.frames import Answers, DataFrame

__all__ = ["CrossTab", "Designs", "Figure", "crosstab", "distribution", "prevalence"]


SHARE: Final = (0.0, 1.0)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Figure(Shown):
    """An estimate t that solves mean(constant + slope t) = 0 over the reports.

    Parameters
    ----------
    name : str
        What is estimated.
    design : str
        How it was disguised.
    value : float
        Raw: a share may lie outside [0, 1].
    counts : int array, shape (reports,)
        Rows by report.
    constant, slope : float array, shape (reports,)
    possible : (float, float)
        What the true value lies between.
    clipped : bool
        Whether intervals are cut to that, as those of ratios are.
    has_point : bool
        Whether `value` means anything: an odds ratio needs four cells above 0.
    is_lost : bool
        Whether nothing can be said: of an odds ratio with two cells below 0 that are multiplied.
    smallest_cell : int, optional
        Rows of the rarest report; the least of `counts` if left out.
    clusters : ClusterCount, optional
        Where `counts` are clusters of rows.
    respondents : int, optional
        Rows, where they are counted otherwise, as clusters of them are; the sum of `counts` if left out.
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
        """Rows."""
        return int(self.counts.sum()) if self.respondents is None else self.respondents

    @cached_property
    def standard_error(self) -> float:
        """sd(constant + slope t) / (abs(mean slope) sqrt(n)), the rows being a sample; the delta method's."""
        n = self.counts.sum()
        shares = self.counts / n
        h = self.constant + self.slope * self.value
        variance = max(float(shares @ h**2 - (shares @ h) ** 2), 0.0)
        variance *= 1 if self.clusters is None else self.clusters.factor
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.sqrt(variance / n) / np.abs(shares @ self.slope))

    @property
    def few_clusters(self) -> bool:
        """Whether it rests on fewer than 20 clusters of one size, so that intervals may miss their level."""
        return self.clusters is not None and self.clusters.effective < SURE_CLUSTERS

    @property
    def few_rows(self) -> bool:
        """Whether a report came from fewer than 5 rows, so that intervals may miss their level."""
        least = self.counts.min() if self.smallest_cell is None else self.smallest_cell
        return bool(least < FEW_ROWS)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of a level.

        Parameters
        ----------
        level : float, in (0, 1)

        Returns
        -------
        (float, float)
            The values that the empirical likelihood test does not reject: no normal distribution, no
            variance. Raw for shares; within its range for a ratio.

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
        # Everything that the test keeps may lie where no value can.
        return self.possible if self.is_lost or (not self.has_point and low == high) else (low, high)

    def estimable(self, level: float = 0.95) -> bool:
        """Whether the interval leaves some possible value out."""
        if self.clipped:
            return self.interval(level) != self.possible
        return bool(self._sets(level).inside(*self.possible).estimable[0])

    def shown_because_estimable(self, level: float = 0.95) -> bool:
        """Whether it is a ratio that is printed although its denominator is within five errors of 0."""
        n = self.counts.sum()
        mean = self.counts @ self.slope / n
        variance = max(float(self.counts @ self.slope**2 / n - mean**2), 0.0) / n
        return self.clipped and self.estimable(level) and abs(mean) <= RELIABLE_ERRORS * float(variance**0.5)

    def shown(self, level: float = 0.95) -> tuple[float, float]:
        """Return value and standard error as tables print them.

        Both are NaN where the interval rules nothing out, and of a ratio that lies outside its interval.
        """
        low, high = self.interval(level)
        is_inside = not self.clipped or (self.has_point and low <= self.value <= high)
        return (self.value, self.standard_error) if self.estimable(level) and is_inside else (np.nan, np.nan)

    def _said(self, level: float) -> str:
        """Say the estimate, or between what it lies."""
        (value, error), (low, high) = self.shown(level), self.interval(level)
        if not self.estimable(level):
            return "too few answers to say"
        if value == value:
            return f"{value:.4g}, standard error {error:.2g}"
        if high == self.possible[1]:
            return f"above {low:.4g}"
        return f"below {high:.4g}" if low == self.possible[0] else f"{low:.4g} to {high:.4g}"

    def _sets(self, level: float) -> ConfidenceSets:
        rows = self.counts[None], self.constant[None], self.slope[None]
        return likelihood_sets(*rows, threshold_of(level, self.clusters))

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return value, error and interval as a DataFrame of one row."""
        return share_frame([self], [self.name], "figure", level).rename(columns={"share": "estimate"})

    def summary(self, level: float = 0.95) -> str:
        """Return what is known of it in a few lines."""
        low, high = self.interval(level)
        least, greatest = self.possible
        head = f"{self.name}, {self.design}, n = {self.n:,}"
        if not self.estimable(level):
            few = f"\nfew rows: a report came from fewer than {FEW_ROWS}" if self.few_rows else ""
            return f"{head}\ntoo few answers to say: the {100 * level:g} % interval rules no value out{few}"
        lines = [
            head,
            f"estimate {self._said(level)}, {100 * level:g} % interval {low:.4g} to {high:.4g}",
        ]
        if not least <= self.value <= greatest:
            lines.append(f"outside [{least:g}, {greatest:g}] by chance; shown as it is, not clipped")
        if self.shown_because_estimable(level):
            lines.append("shown because estimable: printed ratios of few people miss their level more often")
        if self.few_clusters:
            lines.append(
                f"few clusters: as many as {self.clusters.effective:.1f} of one size"  # type: ignore[union-attr]
            )
        if self.few_rows:
            lines.append(
                f"few rows: a report came from fewer than {FEW_ROWS}, and the interval may miss its level"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        label = ", shown because estimable" if self.shown_because_estimable() else ""
        return f"<{self.name}: {self._said(0.95)}{label}, n = {self.n:,}>"


def share_of(name: str, design: str, counts: Whole, scores: Array) -> Figure:
    """Return the share whose scores these are."""
    return Figure(
        name=name,
        design=design,
        value=float(counts @ scores / counts.sum()),
        counts=counts,
        constant=scores,
        slope=-np.ones(len(scores)),
        possible=SHARE,
    )


def prevalence(answers: Answers, design: ResponseDesign, *, value: Hashable = "yes") -> Figure:
    """Estimate the share of people with one true answer.

    Parameters
    ----------
    answers : Series, or mapping of report to count
        One report per respondent: "yes" and "no", True and False, 1 and 0, or the levels of the design.
    design : ResponseDesign
        How the reports were made, such as ``forced_response(yes=1/6, no=1/6)``.
    value : optional
        The true answer; "yes" if left out.

    Returns
    -------
    Figure
        ``value``, ``standard_error``, ``interval(level)``, ``summary()``.

    Raises
    ------
    PrivacyError
        ``answers``: missing, unknown or single-valued answers, or none; ``designs``; ``misfit``: no answers
        lead to these reports through the design.

    Notes
    -----
    With K the channel and s the score, K's = f, the estimate is the mean of s over the rows, unbiased for the
    share of f. For two answers with the chances a and b of "yes" it is (share of "yes" - b)/(a - b).

    References
    ----------
    Warner 1965; Owen 2001, chapter 2.

    Examples
    --------
    60 of 100 report "yes" where the die forces a sixth each way: (.6 - 1/6)/(2/3) = .65.

    >>> from privacy.library.designs import forced_response
    >>> prevalence({"yes": 60, "no": 40}, forced_response(yes=1/6, no=1/6))
    <share of yes in the answers: 0.65, standard error 0.073, n = 100>
    """
    checked = checked_design(design)
    if value not in checked.values:
        allowed = ", ".join(map(repr, checked.values))
        raise PrivacyError("designs.value", value, design=repr(checked), allowed=allowed)
    column, counts = answer_counts(answers, checked.reports)
    check_fit([checked.reported(column.removeprefix("column "), counts)])
    name = f"share of {value} in {column}"
    return share_of(name, repr(checked), counts, scores_of(checked.retention)[checked.values.index(value)])


def distribution(answers: Answers, design: ResponseDesign, *, level: float = 0.95) -> DataFrame:
    """Estimate the share of each true answer.

    Parameters
    ----------
    answers, design
        As for `prevalence`.
    level : float, in (0, 1)

    Returns
    -------
    DataFrame
        A row per true answer: share, standard_error, low, high.

    Examples
    --------
    Half keep their level, the others draw one of three: (share - 1/6)/(1/2).

    >>> from privacy.library.designs import generalised_rr
    >>> design = generalised_rr(["never", "once", "often"], p=1/2)
    >>> print(distribution({"never": 500, "once": 300, "often": 200}, design).round(3))
            share  standard_error    low   high
    answer
    never   0.667           0.032  0.605  0.729
    once    0.267           0.029  0.211  0.324
    often   0.067           0.025  0.019  0.118
    """
    checked = checked_design(design)
    column, counts = answer_counts(answers, checked.reports)
    check_fit([checked.reported(column.removeprefix("column "), counts)])
    figures = [
        share_of(str(value), repr(checked), counts, s)
        for value, s in zip(checked.values, scores_of(checked.retention), strict=True)
    ]
    return share_frame(figures, list(checked.values), "answer", level)


def share_frame(figures: list[Figure], index: list[Hashable], name: object, level: float) -> DataFrame:
    """Return figures as a DataFrame: value, error and interval of each; of too few answers no value."""
    ends = [figure.interval(level) for figure in figures]
    shown = [figure.shown(level) for figure in figures]
    return data_frame(
        {
            "share": [value for value, _ in shown],
            "standard_error": [error for _, error in shown],
            "low": [low for low, _ in ends],
            "high": [high for _, high in ends],
        },
        index=index,
        name=name,
    )


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
    frame = read_frame(frame)
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
