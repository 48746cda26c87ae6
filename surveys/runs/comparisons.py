"""Compare an outcome between respondents with an answer and all others, or state its share among all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from mining.columns.scored_rows import scored_rows, scored_rows_of_each
from privacy.errors import PrivacyError
from privacy.estimation.comparison import Comparison, compare, comparison_factors, weighted_factors
from privacy.estimation.composed_parts import Factor, Part, Side, event_factors
from privacy.estimation.denial import denial_of
from privacy.estimation.design_index import index_of
from privacy.estimation.forged_differences import difference_flips
from privacy.estimation.joined_rows import SIDES, JoinedRows
from privacy.estimation.margins import Margin
from privacy.estimation.share_of_all import ShareOfAll, measured_mean, share_of_all
from privacy.estimation.two_times import TwoTimes, two_times
from privacy.forged import NEVER
from privacy.printed import Measured
from privacy.scales.decoded_numbers import MEAN
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.models import RuleRow, Run, Version
from surveys.policy import LEAST_PROFILE
from surveys.questionnaire.packed_items import unpack_items
from surveys.runs.margin_weights import items_with, pattern_weights
from surveys.runs.open_bars import check_ranges, in_bars
from surveys.runs.releasable_rows import ReleasableRows, permitted_rows, releasable_design, rows_of_run
from surveys.runs.rule_levels import levels_of
from surveys.runs.run_figures import of_run
from surveys.runs.snapshot_cache import once_per_snapshot
from surveys.runs.withheld import withheld_of

_ROUNDING: Final = 1e-9


def compare_sides(
    run: Run,
    by: Side,
    outcome: Side,
    margins: tuple[Margin, ...] = (),
    *,
    level: float = 0.95,
    rows: ReleasableRows | None = None,
) -> Comparison:
    """Compare an outcome between respondents with an answer and all others.

    Parameters
    ----------
    run : Run
    by, outcome : Side
        Each an item, a range or a region; the outcome may also be the mean of a number.
    margins : tuple of Margin
        Known shares in the population, each question once; without any, every row counts equally.
    level : float
        Confidence level: 95% for answers named in advance, `rule_level` for rules that the run found.
    rows : ReleasableRows, optional
        The run's rows, if the caller has loaded them; rows counted by several workers need no columns here.

    Raises
    ------
    SurveyError
        ``too_few``: not enough disguised rows, or too few people in a figure that includes exact places;
        ``profile``: too few people share some of the open answers; ``small_cell``: too few rows in a cell of
        the margins.
    PrivacyError
        What `comparison_factors`, `privacy.estimation.margins.margin_of` and `scored_rows` refuse.
    """
    withheld_of(run).check(by.questions(run.design) | outcome.questions(run.design))
    check_ranges(run, by, outcome)
    comparison = _comparison(run, by, outcome, margins, level)
    return _check_floors(comparison, run.version, rows or rows_of_run(run), by, outcome, margins)


def others_of(run: Run, rule: RuleRow) -> Measured | None:
    """Return the share with a rule's right side among people without its left side; None if refused."""
    before, after = (Side(items=unpack_items(side)) for side in (rule.antecedent, rule.consequent))
    try:
        return compare_sides(run, before, after, level=levels_of(run, rule)[0]).others
    except PrivacyError:
        return None


def compared_rules(
    run: Run, rules: Sequence[tuple[Side, Side]], *, level: float, rows: ReleasableRows
) -> Iterator[Comparison | None]:
    """Yield `compare_sides` of each rule, or None if it refuses; the rows are read once for all rules."""
    factors: dict[tuple[Side, Side], tuple[Factor, ...]] = {}
    for by, outcome in rules:
        with contextlib.suppress(PrivacyError):
            factors[by, outcome] = comparison_factors(by, outcome, rows.design)
    reads = [by.questions(rows.design) | outcome.questions(rows.design) for by, outcome in factors]
    row_bytes = permitted_rows(run, reads) if factors else ()
    all_rows = rows.design.rotates and rows.count_cache.all_rows
    row_counts = scored_rows_of_each(rows.design, list(factors.values()), row_bytes, all_rows=all_rows)
    of_rules = dict(zip(factors, row_counts, strict=True))
    for by, outcome in rules:
        rows_of_rule = of_rules.get((by, outcome))
        try:
            if rows_of_rule is None or isinstance(rows_of_rule, PrivacyError):
                yield None
            else:
                found = compare(rows_of_rule, level=level)
                yield of_run(_check_floors(found, run.version, rows, by, outcome), run)
        except PrivacyError:
            yield None


def _check_floors(
    comparison: Comparison,
    version: Version,
    rows: ReleasableRows,
    by: Side,
    outcome: Side,
    margins: Sequence[Margin] = (),
) -> Comparison:
    """Return a comparison, or refuse it if it is below a disclosure floor."""
    _check_enough(rows, comparison)
    if not rows.disclosure.least_cross:
        return comparison
    _check_people(comparison, by, outcome, version.to_design())
    _check_crosses(rows, by, outcome, margins)
    return comparison


def _check_enough(rows: ReleasableRows, found: Comparison | ShareOfAll) -> None:
    """Refuse a figure of too few disguised rows; a practice survey has no limit."""
    if not rows.is_enough(found.n_direct, found.n_protected):
        raise SurveyError("too_few.patterns", least=rows.disclosure.least_protected)


def _check_crosses(rows: ReleasableRows, by: Side, outcome: Side, margins: Sequence[Margin]) -> None:
    """Refuse a comparison whose open answers single out too few people.

    A range of an open number counts as an item if its question declares it. The difference of two other
    ranges could single out a few people, so such ranges may be compared only with disguised answers.
    """
    design, least = rows.design, rows.disclosure.least_cross
    parts = [part for side in (by, outcome) for part in side.parts]
    open_parts = [part for part in parts if not design.blocks[design.block_of(part.question)].protected]
    items_by_part = {part: item for part in open_parts if (item := _declared_item(part, design)) is not None}
    whole = [part.question for part in open_parts if part not in items_by_part]
    items = tuple(sorted({*items_with(margins, by, outcome, design), *items_by_part.values()}))
    beside = [part.question for part in parts if part not in open_parts]
    if any(part.target != MEAN for part in open_parts if part not in items_by_part):
        open_items = {item for item in items if not design.blocks[design.items[item].block].protected}
        two_groups = rows.matrix.n_direct > 0 and rows.matrix.n_protected > 0
        if open_items or len(open_parts) > 1 or two_groups:
            raise SurveyError("profile.range", least=least)
    if not rows.has_large_crosses(items, beside=beside, numbers=whole):
        raise rows.small_cross()


def _declared_item(part: Part, design: Design) -> int | None:
    """Return the item that declares this range of a number; None for a mean or an undeclared range."""
    disguise = design.questions[part.question].disguise
    question_items = [item.index for item in design.items if item.question == part.question]
    if disguise is None or part.target not in disguise.declared:
        return None
    return question_items[disguise.declared.index(part.target)]


def share_among_all(run: Run, event: Side, margins: tuple[Margin, ...] = ()) -> ShareOfAll:
    """Return the share of an event of protected answers among all respondents who were asked.

    Parameters
    ----------
    run : Run
    event : Side
        Items of protected questions.
    margins : tuple of Margin
        Known shares in the population, each question once; without any, every row counts equally.

    Raises
    ------
    SurveyError
        As `compare_sides`.
    PrivacyError
        What `privacy.estimation.composed_parts.event_factors` and `scored_rows` refuse.
    """
    withheld_of(run).check(event.questions(run.design))
    check_ranges(run, event, Side())
    found, rows = _share_among_all(run, event, margins), rows_of_run(run)
    _check_enough(rows, found)
    if rows.disclosure.least_cross:
        _check_crosses(rows, Side(), event, margins)
    return found


def change_of_people(run: Run, then: Side, now: Side) -> TwoTimes:
    """Return how the same people changed between two times, from two questions that ask one thing.

    Parameters
    ----------
    run : Run
    then, now : Side
        Each an item.

    Raises
    ------
    SurveyError, PrivacyError
        As `compare_sides`, whose floors apply.
    """
    compare_sides(run, then, now)
    return _change_of_people(run, then, now)


@once_per_snapshot(64)
def _change_of_people(run: Run, then: Side, now: Side) -> TwoTimes:
    factors = comparison_factors(then, now, releasable_design(run.version))
    row_counts = _row_counts(run, then, now, factors, ())
    return two_times(row_counts, forged=withheld_of(run).rows)


@once_per_snapshot(64)
def _share_among_all(run: Run, event: Side, margins: tuple[Margin, ...]) -> ShareOfAll:
    """Estimate the share of an event without checking the disclosure floors."""
    factors = event_factors(event, releasable_design(run.version))
    row_counts = _row_counts(run, Side(), event, factors, margins)
    return share_of_all(row_counts, forged=withheld_of(run).rows)


@once_per_snapshot(64)
def _comparison(run: Run, by: Side, outcome: Side, margins: tuple[Margin, ...], level: float) -> Comparison:
    """Compare two sides without checking the disclosure floors."""
    factors = in_bars(run, comparison_factors(by, outcome, releasable_design(run.version)))
    row_counts = _row_counts(run, by, outcome, factors, margins)
    forged = withheld_of(run).rows
    is_mean = _has_mean(outcome.parts)
    comparison = compare(row_counts, mean=is_mean, level=level, forged=forged)
    found = difference_flips(row_counts)
    return replace(
        comparison,
        flips=NEVER if found is None else found,
        denial=None if is_mean else denial_of(row_counts, level=level),
        group=measured_mean(
            row_counts, row_counts.scores[SIDES[0]], possible=(0.0, 1.0), level=level, forged=forged
        ),
    )


def _row_counts(
    run: Run, by: Side, outcome: Side, factors: tuple[Factor, ...], margins: tuple[Margin, ...]
) -> JoinedRows:
    """Count the rows by their scores, weighted to the margins."""
    design = releasable_design(run.version)
    all_rows = design.rotates and rows_of_run(run).count_cache.all_rows
    if margins:
        rows = rows_of_run(run)
        base = {design.asked_column(part.question) for side in (by, outcome) for part in side.parts}
        base |= set(index_of(design).asked_of((*by.all_items, *outcome.all_items)))
        factors = weighted_factors(factors, *pattern_weights(rows, base, margins))
    found = scored_rows(
        design,
        factors,
        permitted_rows(run, [by.questions(design) | outcome.questions(design)]),
        all_rows=all_rows,
    )
    weights, counts = found.scores[-1], found.counts
    if not margins or not (weights[counts > 0] > 0).all():
        # Scores of "answered" are no weights.
        return found
    return replace(found, effective_n=float((counts @ weights) ** 2 / (counts @ weights**2)))


def _check_people(comparison: Comparison, by: Side, outcome: Side, design: Design) -> None:
    """Refuse small counts in a comparison that includes exact places."""
    exact = any(
        disguise is not None and disguise.is_exact_in(part.target)
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
    # A share close to 1 reveals the few people outside it; a share of exactly 1 reveals nothing.
    left = [1 - share for side, share in sides if side.parts]
    if any(abs(share) > _ROUNDING and share * comparison.n < LEAST_PROFILE for share in left):
        raise SurveyError("too_few.outside", least=LEAST_PROFILE)


def _has_mean(parts: Sequence[Part]) -> bool:
    return any(part.target == MEAN for part in parts)
