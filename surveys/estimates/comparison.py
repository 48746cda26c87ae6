"""An answer by another one in the rows of a run: shares, ranges, regions and means, with their floors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, cast

import numpy as np

from mining.columns.joined_counts import counted_rows
from privacy.arrays import Array, Whole
from privacy.estimation import Columns
from privacy.estimation.comparison import Comparison, compare, comparison_factors, weighted_factors
from privacy.estimation.composed_parts import MEAN, Part, Side
from privacy.estimation.design_index import index_of
from privacy.estimation.margin_cells import JOIN, Category, Margin
from privacy.estimation.raking import raked_shares
from privacy.regression.latent_answers import LatentAnswers, report_channels
from privacy.scales.planar_window import PlanarWindowChannel, Region
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.estimates.places import is_exact_in
from surveys.models import Run
from surveys.policy import LEAST_PROFILE
from surveys.rows.releasable_rows import ReleasableRows, packed_rows, releasable_rows
from surveys.rows.snapshot import batches_of, once_per_snapshot

Combination: TypeAlias = dict[Columns, int]
"""Rows that show something, as a sum of counts of rows that have all of some columns."""


def latent_items(
    design: Design, response: int, before: int | None
) -> tuple[LatentAnswers, list[Combination]]:
    """Return the latent answers to a response and a disguised predictor, and the rows of each report.

    Parameters
    ----------
    design : Design
    response : int
        An item.
    before : int or None
        A protected item that predicts it.

    Returns
    -------
    (LatentAnswers, list of Combination)
        The channels of both groups, the direct one first; in the order of the reports.
    """
    if before is None:
        return LatentAnswers.of(response=report_channels(design, [response])), _reports(design, response)
    if design.items[before].block == design.items[response].block:
        block = design.items[response].block
        both: Columns = tuple(sorted((before, response)))
        answered = _answered(design, block)
        reports: list[Combination] = [
            {answered: 1, (before,): -1, (response,): -1, both: 1},
            {(response,): 1, both: -1},
            {(before,): 1, both: -1},
            {both: 1},
        ]
        if answered:
            reports.append({(): 1, answered: -1})
        return LatentAnswers.together(report_channels(design, [before, response])), reports
    laws = (
        report_channels(design, [response]) if design.blocks[design.items[response].block].protected else None
    )
    pairs = itertools.product(_reports(design, before), _reports(design, response))
    return LatentAnswers.of(response=laws, predictor=report_channels(design, [before])), [
        all_of(pair) for pair in pairs
    ]


def _reports(design: Design, item: int) -> list[Combination]:
    """Return the rows without an item, with it, and those that skip its part."""
    answered = _answered(design, design.items[item].block)
    reports: list[Combination] = [{answered: 1, (item,): -1}, {(item,): 1}]
    return [*reports, {(): 1, answered: -1}] if answered else reports


def _answered(design: Design, block: int) -> Columns:
    """Return the column of rows that do not skip a part; none where it cannot be skipped."""
    return () if design.blocks[block].refusal is None else (design.answered_column(block),)


def all_of(parts: Sequence[Combination]) -> Combination:
    """Return the rows that show all of some things.

    >>> all_of([{(): 1, (2,): -1}, {(5,): 1}])  # without 2, with 5
    {(5,): 1, (2, 5): -1}
    """
    rows: Combination = {(): 1}
    for part in parts:
        joined: Combination = {}
        for (here, times), (there, others) in itertools.product(rows.items(), part.items()):
            columns = tuple(sorted({*here, *there}))
            joined[columns] = joined.get(columns, 0) + times * others
        rows = joined
    return rows


def category_rows(category: Category) -> Combination:
    """Return the rows of a category of a margin."""
    rows: Combination = {}
    for sign, columns in category.parts:
        rows[columns] = rows.get(columns, 0) + sign
    return rows


_ROUNDING: Final = 1e-9
_MOST_PATTERNS: Final = 1 << 14
"""Patterns of answers to the questions of the margins."""


def compared(
    run: Run, by: Side, outcome: Side, margins: tuple[Margin, ...] = (), *, level: float = 0.95
) -> Comparison:
    """Return what those with an answer and all others have of an outcome.

    Parameters
    ----------
    run : Run
    by, outcome : Side
        An item, a range or a region each; the outcome may be a number's mean.
    margins : tuple of Margin
        Known shares in the population, each question once; none, and every row counts alike.
    level : float
        Of the intervals: 95% for answers that were named in advance, `rule_level` for those the run picked.

    Raises
    ------
    SurveyError
        ``too_few``: not enough disguised rows, or too few people in one of the figures, exact places being
        among them; ``profile``: too few people share some of the open answers; ``small_cell``: or a cell of
        the margins.
    PrivacyError
        What `privacy.estimation.composed_parts.factors_of`, `privacy.estimation.margin_cells.margin_of` and
        `mining.columns.joined_counts.counted_rows` refuse.
    """
    comparison = _compared(run, by, outcome, margins, level)
    rows = releasable_rows(run.version, batches_of(run))
    shown = rows.shown
    if comparison.n < shown.least_protected or not rows.is_enough(
        comparison.n_direct, comparison.n_protected
    ):
        raise SurveyError("too_few.base", least=shown.least_protected)
    if not shown.least_cross:
        return comparison
    _check_people(comparison, by, outcome, run.version.to_design())
    _check_crosses(rows, by, outcome, margins)
    return comparison


def _check_crosses(rows: ReleasableRows, by: Side, outcome: Side, margins: Sequence[Margin]) -> None:
    """Refuse a comparison that names open answers of too few people.

    A range of an open number counts as the answer that it is, if its question declares it. Any other one
    could be told by less another one, so it is compared with disguised answers alone.
    """
    design, least = rows.design, rows.shown.least_cross
    parts = [part for side in (by, outcome) for part in side.parts]
    stored = [part for part in parts if not design.blocks[design.block_of(part.question)].protected]
    declared = {part: item for part in stored if (item := _declared_item(part, design)) is not None}
    whole = [part.question for part in stored if part not in declared]
    items = tuple(sorted({*_items_with(margins, by, outcome, design), *declared.values()}))
    beside = [part.question for part in parts if part not in stored]
    if any(part.wanted != MEAN for part in stored if part not in declared):
        named = {item for item in items if not design.blocks[design.items[item].block].protected}
        two_groups = rows.matrix.n_direct > 0 and rows.matrix.n_protected > 0
        if named or len(stored) > 1 or two_groups:
            raise SurveyError("profile.range", least=least)
    if not rows.has_large_crosses(items, beside=beside, answered=whole):
        raise SurveyError("profile", least=least)


def _declared_item(part: Part, design: Design) -> int | None:
    """Return the item that a range of a number is; None for its mean, and for another range."""
    disguise = design.questions[part.question].disguise
    own = [item.index for item in design.items if item.question == part.question]
    if not isinstance(disguise, WindowChannel) or part.wanted not in disguise.spans:
        return None
    return own[disguise.spans.index(part.wanted)]


def _items_with(margins: Sequence[Margin], by: Side, outcome: Side, design: Design) -> Columns:
    """Return the items of both sides, and those of the margins."""
    questions = {margin.question for margin in margins}
    beside = {item.index for item in design.items if item.question in questions}
    return tuple(sorted({*by.items, *outcome.items, *beside}))


@once_per_snapshot(64)
def _compared(run: Run, by: Side, outcome: Side, margins: tuple[Margin, ...], level: float) -> Comparison:
    """Return the same, whatever floors it is below."""
    batches = batches_of(run)
    rows = releasable_rows(run.version, batches)
    design = rows.design
    factors = comparison_factors(by, outcome, design)
    all_rows = design.rotates and rows.count_cache.all_rows
    if margins:
        base = {design.asked_column(part.question) for side in (by, outcome) for part in side.parts}
        base |= set(index_of(design).asked_of((*by.items, *outcome.items)))
        factors = weighted_factors(factors, *pattern_weights(rows, base, margins))
    counted = counted_rows(design, factors, packed_rows(run.version, batches), all_rows=all_rows)
    return compare(counted, mean=_has_mean(outcome.parts), level=level)


def pattern_weights(
    rows: ReleasableRows, base: Iterable[int], margins: Sequence[Margin]
) -> tuple[Columns, Array]:
    """Return the open items that decide a row's weight, and the weight of each pattern of them.

    Parameters
    ----------
    rows : ReleasableRows
    base : iterable of int
        Columns of what the rows that count were asked, beside the questions of the margins.
    margins : sequence of Margin

    Raises
    ------
    SurveyError
        ``small_cell``: too few rows in a cell of the margins; ``regression.cells``.

    """
    design = rows.design
    items = _items_with(margins, Side(), Side(), design)
    if 1 << len(items) > _MOST_PATTERNS:
        raise SurveyError("regression.cells", 1 << len(items), cells=1 << len(items), most=_MOST_PATTERNS)
    weights = cell_weights(rows, cell_sizes(rows, base, margins), margins)
    patterns = np.arange(1 << len(items))
    having = {item: (patterns >> position & 1) == 1 for position, item in enumerate(items)}
    of_patterns = np.zeros(len(patterns))
    for cell, weight in zip(
        itertools.product(*(margin.categories for margin in margins)), weights.ravel(), strict=True
    ):
        inside = math.prod(
            (
                sum(
                    sign
                    * np.logical_and.reduce([having[own] for own in columns if own in having], initial=True)
                    for sign, columns in category.parts
                )
                for category in cell
            ),
            start=np.ones(len(patterns)),
        )
        of_patterns += weight * inside
    return items, of_patterns


def cell_weights(rows: ReleasableRows, sizes: Array | Whole, margins: Sequence[Margin]) -> Array:
    """Return the weight of a row of each cell h of the margins, W_h n / n_h, on an axis for each margin.

    Parameters
    ----------
    rows : ReleasableRows
    sizes : ndarray, shape (cells, 2)
        Rows of each cell, direct and protected.
    margins : sequence of Margin

    Raises
    ------
    SurveyError
        ``small_cell``: the margins cut out a part that is too small for a result of its own.
    """
    if not large_cells(rows, sizes):
        raise SurveyError("small_cell", least=rows.shown.least_protected, join=JOIN)
    people = sizes.sum(axis=1).reshape([len(margin.categories) for margin in margins]).astype(np.float64)
    shares = raked_shares(people, margins)
    weights: Array = np.divide(shares * people.sum(), people, out=np.zeros_like(people), where=people > 0)
    return weights


def cell_sizes(rows: ReleasableRows, base: Iterable[int], margins: Sequence[Margin]) -> Whole:
    """Return the rows of each cell of the margins that have some columns: direct, protected."""
    design, cache = rows.design, rows.count_cache
    within = {*base, *index_of(design).asked_of(_items_with(margins, Side(), Side(), design))}
    cells = [
        all_of([{tuple(sorted(within)): 1}, *(category_rows(category) for category in cell)])
        for cell in itertools.product(*(margin.categories for margin in margins))
    ]
    counts = cache.need({own for cell in cells for own in cell})
    return np.array(
        [np.sum([sign * np.array(counts[own]) for own, sign in cell.items()], axis=0) for cell in cells]
    )


def large_cells(rows: ReleasableRows, sizes: Array | Whole) -> bool:
    """Whether each cell has no row, or as many disguised ones as a result of its own needs."""
    return bool(((sizes.sum(axis=1) == 0) | rows.is_enough(sizes[:, 0], sizes[:, 1])).all())


def _check_people(comparison: Comparison, by: Side, outcome: Side, design: Design) -> None:
    """Refuse small counts where exact places are among them."""
    exact = any(
        isinstance(disguise, PlanarWindowChannel) and is_exact_in(disguise, cast("Region", part.wanted))
        for side in (by, outcome)
        for part in side.parts
        for disguise in [design.questions[part.question].disguise]
    )
    if not exact:
        return
    sides, least = [(by, comparison.share)], comparison.share
    if not _has_mean(outcome.parts):
        sides.append((outcome, comparison.everybody))
        least = min(comparison.both, comparison.everybody, least)
    if least * comparison.n < LEAST_PROFILE:
        raise SurveyError("too_few.inside", least=LEAST_PROFILE)
    # A part that is nearly everything tells of what is left; one that is everything tells nothing.
    left = [1 - share for side, share in sides if side.parts]
    if any(abs(share) > _ROUNDING and share * comparison.n < LEAST_PROFILE for share in left):
        raise SurveyError("too_few.outside", least=LEAST_PROFILE)


def _has_mean(parts: Sequence[Part]) -> bool:
    return any(part.wanted == MEAN for part in parts)
