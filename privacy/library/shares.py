"""Shares from one disguised column, or from two together, with their errors and intervals."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from privacy.arrays import Array, Whole
from privacy.counted_nouns import counted
from privacy.effective_rows import effective_text, few_effective_text
from privacy.errors import PrivacyError
from privacy.estimation.cluster_count import ClusterCount, threshold_of
from privacy.estimation.empirical_likelihood import ConfidenceSets, likelihood_sets
from privacy.estimation.fit_check import check_fit
from privacy.library.answers import (
    answer_codes,
    answer_counts,
    answer_position,
    has_counts,
    read_answers,
    report_index,
)
from privacy.library.designs import Designed, ResponseDesign, RowDesigns, scores_of
from privacy.library.frames import pick
from privacy.library.row_designs import design_text, report_groups, row_designs
from privacy.library.row_weights import row_weights
from privacy.library.sampling_units import UnitSums
from privacy.library.shown_tables import Shown, data_frame
from privacy.policy import (
    FEW_ROWS,
    LEAST_EFFECTIVE_ROWS,
    RELIABLE_ERRORS,
    SURE_CLUSTERS,
)
from privacy.printed import CHECKED, Basis, PrintedEstimates, basis_of, bounds_in_words
from privacy.tables.decisions import Decisions
from privacy.tables.estimation import estimation_frame, weight_kinds

if TYPE_CHECKING:
    from privacy.library.frames import Answers, DataFrame

__all__ = ["Designs", "Figure", "distribution", "prevalence"]


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
        Not clipped: a share may lie outside [0, 1]. Tables and summaries print it only if it is possible and
        in its interval.
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
    n : int
        Number of rows that were asked.
    effective_n : float
        Number of rows of equal weight that would be as precise: (sum w)^2 / sum w^2. With fewer than 30
        there is no figure, and with fewer than 100 a label.
    clusters : ClusterCount, optional
        Set if `counts` counts clusters of rows, or rows with unequal weights.
    decisions : Decisions
        What was decided about the texts of the answers, also in the summary.
    """

    name: str
    design: str
    value: float
    counts: Whole
    constant: Array
    slope: Array
    possible: tuple[float, float]
    n: int
    effective_n: float
    clipped: bool = False
    has_point: bool = True
    is_lost: bool = False
    smallest_cell: int | None = None
    clusters: ClusterCount | None = None
    decisions: Decisions = field(default_factory=Decisions)

    @property
    def _residuals(self) -> Array:
        # A ratio with an empty denominator is infinite, and 0 times infinity is not a number.
        with np.errstate(invalid="ignore"):
            return self.constant + self.slope * self.value

    @cached_property
    def standard_error(self) -> float:
        """Delta-method error sd(constant + slope t) / (abs(mean slope) sqrt(n)); rows count as a sample."""
        n = self.counts.sum()
        shares, h = self.counts / n, self._residuals
        variance = max(float(shares @ h**2 - (shares @ h) ** 2), 0.0)
        variance *= 1 if self.clusters is None else self.clusters.inflation(h)
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
            shares are not. With fewer than 30 effective rows, it is the possible range.

        Raises
        ------
        PrivacyError
            ``level``.

        References
        ----------
        Owen 2001, chapter 2.
        """
        sets = self._sets(level)
        if self.effective_n < LEAST_EFFECTIVE_ROWS:
            return self.possible
        if not self.clipped:
            return float(sets.low[0]), float(sets.high[0])
        possible_sets = sets.inside(*self.possible)
        low, high = float(possible_sets.low[0]), float(possible_sets.high[0])
        # low == high if the test accepts only values outside the possible range.
        return self.possible if self.is_lost or (not self.has_point and low == high) else (low, high)

    def estimable(self, level: float = 0.95) -> bool:
        """Whether the interval excludes any possible value."""
        return self.basis(level) != "too few"

    def basis(self, level: float = 0.95) -> Basis:
        """Return what may be printed: the estimate, or only that it is at most or at least an end.

        Returns
        -------
        {"estimate", "at most", "at least", "between", "too few"}
            See `privacy.printed.bases_of`.
        """
        value = self.value if self.has_point else np.nan
        return basis_of(value, self.interval(level), possible=self.possible, effective_n=self.effective_n)

    def shown_because_estimable(self, level: float = 0.95) -> bool:
        """Whether this is a ratio that is printed although its denominator is within five errors of 0."""
        n = self.counts.sum()
        mean = self.counts @ self.slope / n
        variance = max(float(self.counts @ self.slope**2 / n - mean**2), 0.0) / n
        return self.clipped and self.estimable(level) and abs(mean) <= RELIABLE_ERRORS * float(variance**0.5)

    def shown(self, level: float = 0.95) -> tuple[float, float]:
        """Return value and standard error as tables print them.

        Both are NaN if the value is impossible or outside its interval, or if the interval rules nothing out.
        """
        is_point = self.basis(level) == "estimate"
        return (self.value, self.standard_error) if is_point else (np.nan, np.nan)

    def _words(self, level: float) -> str:
        """Return the estimate, or its bounds, in words."""
        if self.basis(level) == "estimate":
            return f"{self.value:.4g}, standard error {self.standard_error:.2g}"
        # Always print the interval: its level would not hold if the answers decided whether to print it.
        return bounds_in_words(self.basis(level), self.interval(level), self.possible)

    def _sets(self, level: float) -> ConfidenceSets:
        threshold = threshold_of(level, self.clusters, self._residuals)
        if level not in self._cached_sets:
            rows = self.counts[None], self.constant[None], self.slope[None]
            self._cached_sets[level] = likelihood_sets(*rows, threshold)
        return self._cached_sets[level]

    @cached_property
    def _cached_sets(self) -> dict[float, ConfidenceSets]:
        """Confidence sets by level, cached because a summary needs them several times."""
        return {}

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return a row with the columns of `privacy.printed.PrintedEstimates`."""
        return share_frame([self], [self.name], "figure", level).rename(columns={"share": "estimate"})

    def summary(self, level: float = 0.95) -> str:
        """Return a summary in a few lines."""
        low, high = self.interval(level)
        least, greatest = self.possible
        weighted = effective_text(self.n, self.effective_n)
        head = f"{self.name}, {self.design}, n = {self.n:,}{weighted}"
        if not self.estimable(level):
            few = f"\nfew rows: a report came from fewer than {FEW_ROWS}" if self.few_rows else ""
            text = f"too few answers to say: {100 * level:g}% interval {least:.4g} to {greatest:.4g}"
            return "\n".join([f"{head}\n{text}{few}", *map(str, self.decisions)])
        ends = f"{100 * level:g}% interval {low:.4g} to {high:.4g}"
        if self.basis(level) == "estimate":
            lines = [head, f"estimate {self._words(level)}, {ends}"]
        else:
            lines = [head, f"{self._words(level)}, {ends}"]
            if self.has_point:
                error = f", standard error {self.standard_error:.2g}" * (not self.clipped)
                lines.append(f"only for combining studies: unclipped {self.value:.4g}{error}")
        if few := few_effective_text(self.n, self.effective_n):
            lines.append(few)
        if self.shown_because_estimable(level):
            lines.append("shown because estimable: printed ratios of few people miss their level more often")
        clusters = self.clusters
        if clusters is not None and clusters.count < self.n and clusters.effective < SURE_CLUSTERS:
            # Rows with weights are no clusters.
            lines.append(f"few clusters: as many as {clusters.effective:.1f} of one size")
        if self.few_rows:
            lines.append(
                f"few rows: a report came from fewer than {FEW_ROWS}, and the interval may miss its level"
            )
        return "\n".join([*lines, *map(str, self.decisions)])

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
        n=int(counts.sum()) if units is None else units.respondents,
        effective_n=float(counts.sum()) if units is None else units.effective_n,
        clusters=None if units is None else units.clusters,
    )


def prevalence(
    answers: Answers,
    design: ColumnDesign,
    *,
    column: Hashable | None = None,
    value: Hashable = "yes",
    weights: Any = None,
    clusters: Any = None,
    strata: Any = None,
    missing: str = "refuse",
) -> Figure:
    """Estimate the share of people with one true answer.

    Parameters
    ----------
    answers : Series, or mapping of report to count
        One report per respondent: "yes" and "no", True and False, 1 and 0, or the levels of the design; or
        counts, such as the output of ``value_counts()``. Rows are counted, not people: if respondents have
        several rows, pass the column that identifies them as `clusters`. Also a table, a file that is open
        for reading, or the result of `sottovoce.read_table`, with `column`.
    design : ResponseDesign, Series of ResponseDesign, or `sottovoce.Survey`
        How the answers were disguised, such as ``forced_response(yes=1/6, no=1/6)``. If probabilities differ
        by row, the design of each row: ``people.p.map(warner)``. A survey finds it by the column's name.
    column : hashable, optional
        Name of the column, if `answers` is a table or a file; `weights` and `clusters` can then be names.
    value : optional
        The true answer whose share is estimated.
    weights : Series, optional
        A weight above 0 for each row. A Series of weights, clusters or designs belongs to the answers with
        the same row labels, in any order; a list or array to the answers in their order.
    clusters : Series, optional
        The sampling unit of each row, such as a school; errors then allow for clustering.
    strata : Series, optional
        The stratum of each row, in which its cluster, or the row itself, was drawn.
    missing : {"refuse", "drop"}
        What to do with rows that lack an answer, weight, cluster or stratum. The summary counts those
        left out.

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
    read = _Column.of(answers, design, _Sample(weights, clusters, strata), missing, column=column)
    position = answer_position(value, read.values, read.design)
    return read.share(f"share of {read.values[position]} in {read.name}", position)


def distribution(
    answers: Answers,
    design: ColumnDesign,
    *,
    column: Hashable | None = None,
    level: float = 0.95,
    weights: Any = None,
    clusters: Any = None,
    strata: Any = None,
    missing: str = "refuse",
) -> DataFrame:
    """Estimate the share of each true answer.

    Parameters
    ----------
    answers, design, column, weights, clusters, strata, missing
        As for `prevalence`.
    level : float, in (0, 1)

    Returns
    -------
    DataFrame
        A row per true answer, with the columns of `privacy.printed.PrintedEstimates`.
        ``attrs["dropped"]`` counts the rows left out, and ``attrs["decisions"]`` says how texts were read.

    Examples
    --------
    Half report their own level, the others draw one of three: (share - 1/6)/(1/2).

    >>> from privacy.library.designs import generalised_rr
    >>> design = generalised_rr(["never", "once", "often"], p=1/2)
    >>> print(distribution({"never": 500, "once": 300, "often": 200}, design).iloc[:, :4].round(3))
            share  standard_error    low   high
    answer
    never   0.667           0.032  0.605  0.729
    once    0.267           0.029  0.211  0.324
    often   0.067           0.025  0.019  0.118
    """
    read = _Column.of(answers, design, _Sample(weights, clusters, strata), missing, column=column)
    figures = [read.share(str(value), position) for position, value in enumerate(read.values)]
    table = share_frame(figures, list(read.values), "answer", level)
    table.attrs |= {"dropped": read.dropped, "decisions": [*map(str, read.decisions)]}
    return table


@dataclass(frozen=True)
class _Sample:
    """How rows were drawn: one value of each for each row, or names of columns."""

    weights: Any
    clusters: Any
    strata: Any

    @property
    def is_plain(self) -> bool:
        """Whether rows have equal weights and were drawn independently."""
        return self.weights is None and self.clusters is None and self.strata is None

    def columns_of(self, frame: DataFrame) -> _Sample:
        """Return the columns of a table that are given by name."""
        given = (self.weights, self.clusters, self.strata)
        return _Sample(*(pick(frame, [own])[0] if isinstance(own, str) else own for own in given))


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
    decisions: Decisions = field(default_factory=Decisions)

    @classmethod
    def of(
        cls,
        answers: Answers,
        design: ColumnDesign,
        sample: _Sample,
        missing: str,
        *,
        column: Hashable | None = None,
    ) -> _Column:
        said = Decisions()
        if column is not None:
            # No report is known yet, so the column stays as it is.
            frame, said = estimation_frame(
                answers, reports=unread(column), kinds=weight_kinds(sample.weights)
            )
            (answers,) = pick(frame, [column])
            sample = sample.columns_of(frame)
        if isinstance(design, Designed):
            name = getattr(answers, "name", None)
            if name not in design.designs:
                raise PrivacyError("designs.question", name)
            design = design.designs[name]
        if isinstance(answers, Mapping):
            return cls._read(answers, None, design, sample, missing)
        own = read_answers(answers)
        first = row_designs(design, own)[0][0]
        if not has_counts(own, first.reports):
            name = "answers" if own.name is None else own.name
            frame, decided = estimation_frame(
                data_frame({name: own}),
                reports={name: lambda value: report_index(value, first.reports) is not None},
            )
            own, said = frame[name].rename(own.name), Decisions([*said, *decided])
        return replace(cls._read(answers, own, design, sample, missing), decisions=said)

    @classmethod
    def _read(
        cls, answers: Answers, column: Any, design: RowDesigns, sample: _Sample, missing: str
    ) -> _Column:
        designs, which = row_designs(design, column)
        first = designs[0]
        if column is None or has_counts(column, first.reports):
            if not sample.is_plain:
                raise PrivacyError("answers.kind", "counts")
            name, counts = answer_counts(answers, first.reports)
            check_fit([first.counts_of(name.removeprefix("column "), counts)])
            scores = scores_of(first.retention)
            return cls(name=name, design=repr(first), values=first.values, counts=counts, scores=scores)
        keep, mass, drawn = row_weights(column, sample.weights, sample.clusters, sample.strata, missing)
        column, which, dropped = column[keep], which[keep], int((~keep).sum())
        left_out = f", {counted(dropped, 'row')} without an answer left out" if dropped else ""
        name, codes = answer_codes(column, first.reports)
        check_fit([report_groups(name.removeprefix("column "), designs, which, codes)])
        scores = np.stack([scores_of(own.retention) for own in designs])
        counts, units = np.bincount(codes, minlength=len(first.reports)), None
        if len(designs) > 1 or mass is not None or drawn is not None:
            units = UnitSums.of(scores[which, :, codes].T, codes, mass, drawn)
        return cls(
            name=name, design=design_text(designs) + left_out, values=first.values,
            counts=counts if units is None else units.counts,
            scores=scores[0] if units is None else units.scores, weighting=units, dropped=dropped,
        )  # fmt: skip

    def share(self, name: str, position: int) -> Figure:
        """Return the share of one true answer."""
        figure = share_of(name, self.design, self.counts, self.scores[position], self.weighting)
        return replace(figure, decisions=self.decisions)


def share_frame(figures: list[Figure], index: list[Hashable], name: object, level: float) -> DataFrame:
    """Return figures of one range as a DataFrame: see `privacy.printed.PrintedEstimates`."""
    ends = np.reshape([figure.interval(level) for figure in figures], (-1, 2)).T
    rows = PrintedEstimates(
        value=np.array(
            [figure.value if figure.has_point else np.nan for figure in figures], dtype=np.float64
        ),
        standard_error=np.array([figure.standard_error for figure in figures], dtype=np.float64),
        low=ends[0],
        high=ends[1],
        n=np.array([figure.n for figure in figures], dtype=np.int64),
        effective_n=np.array([figure.effective_n for figure in figures], dtype=np.float64),
        level=level,
        possible=figures[0].possible if figures else (0.0, 1.0),
        method="ratio" if figures and figures[0].clipped else "scores",
        shift=0.0,
        origin=CHECKED,
    )
    return data_frame(rows.columns("share"), index=index, name=name, about=rows.about)


def unread(*names: Any) -> dict[Hashable, None]:
    """Return columns of answers that are read later, when their reports are known.

    Parameters
    ----------
    *names : hashable
    """
    return {name: None for name in names if isinstance(name, Hashable)}


ColumnDesign: TypeAlias = RowDesigns | Designed
Designs: TypeAlias = ResponseDesign | Mapping[Hashable, RowDesigns]
