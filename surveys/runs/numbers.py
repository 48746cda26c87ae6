"""Number questions: the values that rows sent, their distribution, mean and skips."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import get_language

from mining.columns.sent_counts import SentCounts, sent_counts
from mining.itemsets import disguised_rows
from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import SupportCounts
from privacy.estimation.events import skipped_interval, skipped_terms
from privacy.printed import Measured, PrintedEstimates
from privacy.scales.decoded_numbers import mean
from privacy.scales.em import Fit
from privacy.scales.open_bars import spread_evenly
from privacy.scales.quantities import Quantile, bars, planned_step, quantiles
from privacy.scales.scale_groups import ScaleGroups, mixed_fit
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design, Question
from surveys.errors.error import SurveyError
from surveys.models import Batch, Run, Version
from surveys.policy import LEAST_PROFILE, LEAST_PROTECTED, LEAST_WITH_AN_ERROR
from surveys.questionnaire.labels import ItemLabel, labels_of
from surveys.questionnaire.languages import text_in
from surveys.runs.disclosure import rounded_count
from surveys.runs.open_bars import MOST_BARS, bars_for, check_map
from surveys.runs.releasable_rows import packed_rows, permitted_rows, releasable_design, rows_of_run
from surveys.runs.run_figures import of_run
from surveys.runs.snapshot import batches_of
from surveys.runs.snapshot_cache import once_per_snapshot
from surveys.runs.withheld import withheld_of

MOST_CACHED: Final = 8
"""Number of questions whose counts stay in memory; the counts of a map of a million cells take 16 MB."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScaleQuestion:
    """A number or place question of a run, with the counts of its reports.

    Attributes
    ----------
    run : Run
    number : int
        The question's number in the design.
    question : Question
    wording : dict
        The question as the researcher wrote it.
    text : str
        The question in the language of the page.
    items : tuple of ItemLabel
        The bands or regions that it declares.
    reports : SentCounts
    """

    run: Run
    number: int
    question: Question
    wording: dict[str, Any]
    text: str
    items: tuple[ItemLabel, ...]
    reports: SentCounts
    spans: tuple[tuple[int, int], ...] | None = None

    @property
    def n_direct(self) -> int:
        """Number of direct rows, with true or lightly disguised answers."""
        return int(self.reports.direct.sum())

    @property
    def n_protected(self) -> int:
        """Number of disguised rows; with two strengths, of strongly disguised ones."""
        return int(self.reports.protected.sum())

    @property
    def least_people(self) -> int:
        """Least number of people published in a bin or a cell; 0 in a practice survey."""
        return 0 if self.run.survey.practice else LEAST_PROFILE

    @property
    def seed(self) -> int:
        """Seed of the replicates; the same for the same rows."""
        return seed_of(self.run, self.question.key)


def seed_of(run: Run, key: str) -> int:
    """Return the seed of the replicates of a question's figures."""
    return int(hashlib.sha256(f"{run.snapshot_digest} {key}".encode()).hexdigest()[:12], 16)


def skips_of(scale: ScaleQuestion) -> Measured | None:
    """Return the unbiased share of people who skip, not clipped; None if the question cannot be skipped."""
    design = scale.run.version.to_design()
    block = design.block_of(scale.number)
    sent = scale.reports
    if sent.skipping is None:
        return None
    rows, answers = skipped_terms(block, design)
    counts = SupportCounts(
        {
            rows: (int(sent.direct.sum()), int(sent.protected.sum())),
            answers: (int(sent.direct[:-1].sum()), int(sent.protected[:-1].sum())),
        }
    )
    forged = withheld_of(scale.run).rows
    return of_run(skipped_interval(counts, block, design, forged=forged), scale.run)


@once_per_snapshot(MOST_CACHED)
def sent_in(run: Run, number: int) -> SentCounts:
    """Return how often each value of a question was sent in the rows of a run."""
    rows = permitted_rows(run, [[number]])
    return sent_counts(releasable_design(run.version), number, rows)


def scale_of(run: Run, key: str, kind: str) -> ScaleQuestion:
    """Return the question of this key with the counts of the run's rows.

    Raises
    ------
    SurveyError
        ``question``: no question has this key; ``kind``: it is of another kind; ``too_few``: too few people
        answered it; ``snapshot``: the batches changed; ``waits``: its open answers are not shown yet.
    PrivacyError
        ``forged``: forged rows contradict the question.
    """
    design = run.design
    number = _number(design, key, kind)
    withheld_of(run).check([number])
    check_map(run, number)
    starts = bars_for(run, number)
    counts = sent_in(run, number)
    check_enough(run.version, key, counts)
    spans = None
    if starts is not None:
        people = spread_evenly(counts.direct + counts.protected, starts)
        counts = replace(counts, direct=np.zeros_like(counts.direct), protected=people)
        spans = tuple((first, after - 1) for first, after in pairwise((*starts, len(people))))
    if design.blocks[design.block_of(number)].asked_if is not None:
        _check_groups(run, number)
    wordings = [entry for block in run.version.wording["blocks"] for entry in block["questions"]]
    items = (item for item in labels_of(run.version, design).items)
    return ScaleQuestion(
        run=run,
        number=number,
        question=design.questions[number],
        wording=wordings[number],
        text=text_in(wordings[number]["text"], get_language() or "en"),
        items=tuple(item for item in items if design.items[item.index].question == number),
        reports=counts,
        spans=spans,
    )


def people_by_bin(run: Run, number: int) -> Whole:
    """Return how many people gave each value of a number that is stored as answered."""
    counts = sent_by(run.version, batches_of(run), number)
    return counts.direct + counts.protected


def _check_groups(run: Run, number: int) -> None:
    """Refuse a question that depends on open answers if few people of a group were asked it, or were not."""
    rows = rows_of_run(run)
    if not rows.has_large_crosses((), beside=[number]):
        raise rows.small_cross("few_alike.patterns")


def check_enough(version: Version, key: str, reports: SentCounts) -> None:
    """Refuse a question with too few disguised answers.

    Raises
    ------
    SurveyError
        ``too_few``
    """
    practice = version.survey.practice
    least = LEAST_WITH_AN_ERROR if practice else LEAST_PROTECTED
    n_direct, n_protected = int(reports.direct.sum()), int(reports.protected.sum())
    n_disguised = disguised_rows(releasable_design(version), n_direct, n_protected)
    if n_disguised < least:
        case = "too_few.one" if practice and n_disguised else "too_few.question"
        raise SurveyError(case, rounded_count(n_disguised), question=key, least=least)


def _number(design: Design, key: str, kind: str) -> int:
    position = {question.key: number for number, question in enumerate(design.questions)}.get(key)
    if position is None:
        raise SurveyError("question.unknown", key, question=key)
    if design.questions[position].kind != kind:
        raise SurveyError(f"kind.{kind}", key, question=key)
    return position


def sent_by(version: Version, batches: QuerySet[Batch], number: int) -> SentCounts:
    """Count how often each value of a question was sent, for an audit; figures use `sent_in`."""
    return sent_counts(releasable_design(version), number, packed_rows(version, batches))


NO_ERROR: Final = 1e-9
"""Standard errors up to this count as 0: all answers are the same."""

QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, kw_only=True, eq=False)
class Shape:
    """Smoothed maximum-likelihood shares of the bars, without errors, and the fit behind them."""

    shares: Array
    fit: Fit


@dataclass(frozen=True, kw_only=True, eq=False)
class BarDrawing:
    """The bars of the chart: as many as the number of answers supports.

    Attributes
    ----------
    spans : tuple of (int, int)
        First and last bin of each bar.
    bars : PrintedEstimates
    shape : ndarray of float64, shape (bars,)
    """

    spans: tuple[tuple[int, int], ...]
    bars: PrintedEstimates
    shape: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class Bins:
    """Estimates by bin: unbiased bars, their smoothed shape, the drawn bars, and quantiles."""

    bars: PrintedEstimates
    shape: Shape
    chart: BarDrawing | None
    quantiles: tuple[Quantile, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberFigures:
    """All figures of a number question.

    Attributes
    ----------
    mean : Measured or None
        None if the reports carry no information about the mean.
    bins : Bins or None
        None if the reports do not distinguish the bins.
    too_few : bool
        Whether these are None only because no one seems to have answered.
    """

    mean: Measured | None
    bins: Bins | None
    too_few: bool = False


def spans_of(scale: ScaleQuestion) -> Sequence[tuple[int, int]]:
    """Return the first and the last bin of each bar of a question in exported files."""
    return scale.spans or bars_of(band_of(scale))


def bars_of(channel: WindowChannel) -> list[tuple[int, int]]:
    """Return the first and the last bin of each bar in exported files, if the answers do not decide them.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> bars_of(generalised_rr_below(NumberRange(low=0, high=249), 1.0))[:2]
    [(0, 2), (3, 5)]
    """
    return _spans(channel, -(-channel.inputs // MOST_BARS))


def _spans(channel: WindowChannel, step: int) -> list[tuple[int, int]]:
    return [(first, min(first + step, channel.inputs) - 1) for first in range(0, channel.inputs, step)]


@lru_cache(maxsize=32)
def number_figures(
    channel: WindowChannel,
    reports: SentCounts,
    spans: tuple[tuple[int, int], ...] | None = None,
    forged: int = 0,
) -> NumberFigures:
    """Return the figures, without estimates that the mechanism or the answers do not allow.

    Parameters
    ----------
    channel : WindowChannel
    reports : SentCounts
    spans : tuple of (int, int), optional
        The bars, if the number of answers alone does not decide them.
    forged : int
        Number of rows that no device sent.
    """
    groups, too_few = reports.groups(channel), False
    try:
        middle = mean(channel, groups, forged=forged)
    except PrivacyError as error:
        middle, too_few = None, error.code in ("no_answers", "no_rows")
    edges = [*(first for first, _last in spans or bars_of(channel)), channel.inputs]
    try:
        every = bars(channel, groups, edges, forged=forged)
        shape = _shape(channel, groups, edges[:-1])
        bins = Bins(
            bars=every,
            shape=shape,
            chart=BarDrawing(spans=spans, bars=every, shape=shape.shares)
            if spans
            else _finest_bars(channel, groups, every, shape, forged),
            quantiles=quantiles(channel, groups, QUANTILES, forged=forged),
        )
    except PrivacyError:
        bins = None
    return NumberFigures(mean=middle, bins=bins, too_few=too_few)


def _finest_bars(
    channel: WindowChannel, groups: ScaleGroups, every: PrintedEstimates, shape: Shape, forged: int
) -> BarDrawing | None:
    """Return the finest bars that this many answers support; None if they do not support even two."""
    smallest = bars_of(channel)[0][1] + 1
    step = planned_step(channel, groups, smallest)
    if step is None:
        return None
    spans = _spans(channel, step)
    edges = [*(first for first, _last in spans), channel.inputs]
    drawn_bars = every if step == smallest else bars(channel, groups, edges, forged=forged)
    likely = np.add.reduceat(shape.shares, [first // smallest for first, _last in spans])
    return BarDrawing(spans=tuple(spans), bars=drawn_bars, shape=likely)


def _shape(channel: WindowChannel, groups: ScaleGroups, starts: list[int]) -> Shape:
    fit = mixed_fit(channel, groups, smooth=True)
    return Shape(shares=np.add.reduceat(fit.shares, starts), fit=fit)


def groups_of_people(run: Run, number: int, channel: WindowChannel) -> ScaleGroups:
    """Return groups with as many people as a run's, whatever they answered."""
    design = releasable_design(run.version)
    none = sent_counts(design, number, ())
    for counts, people in ((none.direct, run.n_direct), (none.protected, run.n_protected)):
        counts[0] = round((people or 0) * design.drawn_together([number]))
    return none.groups(channel)


def band_of(scale: ScaleQuestion) -> WindowChannel:
    """Return the disguise of a number question."""
    disguise = scale.question.disguise
    if not isinstance(disguise, WindowChannel):
        raise SurveyError("kind.number", question=scale.question.key)
    return disguise


def figures_of(scale: ScaleQuestion) -> NumberFigures:
    """Return a question's figures."""
    figures = number_figures(band_of(scale), scale.reports, scale.spans, withheld_of(scale.run).rows)
    return of_run(figures, scale.run)


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberSummary:
    """Figures of a number question for one sentence and one chart.

    Attributes
    ----------
    mean : Measured or None
    median : Quantile or None
        None if the answers do not allow an estimate.
    spans : tuple of (int, int)
        First and last bin of each bar of the chart; empty if the answers do not support two bars.
    bars : PrintedEstimates or None
        Shares of these bars.
    shape : tuple of float
        Smoothed share of each bar, without an error.
    """

    mean: Measured | None
    median: Quantile | None
    spans: tuple[tuple[int, int], ...]
    bars: PrintedEstimates | None
    shape: tuple[float, ...]


def summary_of(scale: ScaleQuestion) -> NumberSummary:
    """Return the summary of a number question."""
    figures = figures_of(scale)
    middle, bins = figures.mean, figures.bins
    has_mean = middle is not None and (middle.standard_error or 0.0) > NO_ERROR
    quantiles_of_bins = bins.quantiles if bins else ()
    median = next((own for own in quantiles_of_bins if own.share == 0.5 and own.estimable), None)
    chart = bins.chart if bins else None
    return NumberSummary(
        mean=middle if has_mean else None,
        median=median,
        spans=chart.spans if chart else (),
        bars=chart.bars if chart else None,
        shape=tuple(chart.shape.tolist()) if chart else (),
    )
