"""Compare outcomes between groups of a run's respondents; refuse results below the disclosure floors."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, TypeAlias, cast

import numpy as np

from mining.columns.counted_rows import counted_rows, counted_rows_of_each, group_sums
from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.arm_effects import ArmEffects, JointTest, arm_effects, share_test
from privacy.estimation.comparison import (
    Comparison,
    compare,
    comparison_factors,
    difference_flips,
    weighted_factors,
)
from privacy.estimation.composed_parts import MEAN, Factor, Part, Side, event_factors
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.margin_cells import JOIN, Category, Margin, raked_shares
from privacy.forged import NEVER
from privacy.scales.planar_window import PlanarWindowChannel, Region
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from privacy.survey.question import Anchor
from surveys.errors.error import SurveyError
from surveys.models import Run, Version
from surveys.policy import LEAST_PROFILE
from surveys.questionnaire.arms import ArmGroup, choices_of_arms
from surveys.questionnaire.sensitive import TRUST, UNDERSTOOD
from surveys.runs.open_bars import check_ranges, in_bars
from surveys.runs.places import is_exact_in
from surveys.runs.releasable_rows import ReleasableRows, permitted_rows, releasable_design, rows_of_run
from surveys.runs.snapshot import once_per_snapshot
from surveys.runs.withheld import withheld_of

Combination: TypeAlias = dict[Columns, int]
"""Rows with some property, as a signed sum of counts of rows that have all of some columns."""


def all_of(parts: Sequence[Combination]) -> Combination:
    """Return the rows that have all of these properties.

    >>> all_of([{(): 1, (2,): -1}, {(5,): 1}])  # without 2, with 5
    {(5,): 1, (2, 5): -1}
    """
    rows: Combination = {(): 1}
    for part in parts:
        result: Combination = {}
        for (here, times), (there, others) in itertools.product(rows.items(), part.items()):
            columns = tuple(sorted({*here, *there}))
            result[columns] = result.get(columns, 0) + times * others
        rows = result
    return rows


def category_rows(category: Category) -> Combination:
    """Return the rows of a category of a margin."""
    rows: Combination = {}
    for sign, columns in category.parts:
        rows[columns] = rows.get(columns, 0) + sign
    return rows


_ROUNDING: Final = 1e-9
_MOST_PATTERNS: Final = 1 << 14
"""Most patterns of answers to the questions of the margins."""


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
        What `comparison_factors`, `privacy.estimation.margin_cells.margin_of` and `counted_rows` refuse.
    """
    withheld_of(run).check(by.questions(run.design) | outcome.questions(run.design))
    check_ranges(run, by, outcome)
    comparison = _comparison(run, by, outcome, margins, level)
    return _check_floors(comparison, run.version, rows or rows_of_run(run), by, outcome, margins)


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
    row_counts = counted_rows_of_each(rows.design, list(factors.values()), row_bytes, all_rows=all_rows)
    of_rules = dict(zip(factors, row_counts, strict=True))
    for by, outcome in rules:
        own = of_rules.get((by, outcome))
        try:
            if own is None or isinstance(own, PrivacyError):
                yield None
            else:
                yield _check_floors(compare(own, level=level), run.version, rows, by, outcome)
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
    floors = rows.disclosure
    if comparison.n < floors.least_protected or not rows.is_enough(
        comparison.n_direct, comparison.n_protected
    ):
        raise SurveyError("too_few.patterns", least=floors.least_protected)
    if not floors.least_cross:
        return comparison
    _check_people(comparison, by, outcome, version.to_design())
    _check_crosses(rows, by, outcome, margins)
    return comparison


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
    items = tuple(sorted({*_items_with(margins, by, outcome, design), *items_by_part.values()}))
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
    own = [item.index for item in design.items if item.question == part.question]
    if not isinstance(disguise, WindowChannel) or part.target not in disguise.spans:
        return None
    return own[disguise.spans.index(part.target)]


def _items_with(margins: Sequence[Margin], by: Side, outcome: Side, design: Design) -> Columns:
    """Return the items of both sides and of the margins' questions."""
    questions = {margin.question for margin in margins}
    beside = {item.index for item in design.items if item.question in questions}
    return tuple(sorted({*by.items, *outcome.items, *beside}))


@once_per_snapshot(64)
def _comparison(run: Run, by: Side, outcome: Side, margins: tuple[Margin, ...], level: float) -> Comparison:
    """Compare two sides without checking the disclosure floors."""
    design = releasable_design(run.version)
    factors = in_bars(run, comparison_factors(by, outcome, design))
    all_rows = design.rotates and rows_of_run(run).count_cache.all_rows
    if margins:
        rows = rows_of_run(run)
        base = {design.asked_column(part.question) for side in (by, outcome) for part in side.parts}
        base |= set(index_of(design).asked_of((*by.items, *outcome.items)))
        factors = weighted_factors(factors, *pattern_weights(rows, base, margins))
    row_counts = counted_rows(
        design,
        factors,
        permitted_rows(run, [by.questions(design) | outcome.questions(design)]),
        all_rows=all_rows,
    )
    forged = withheld_of(run).rows
    comparison = compare(row_counts, mean=_has_mean(outcome.parts), level=level, forged=forged)
    found = difference_flips(row_counts)
    return replace(comparison, flips=NEVER if found is None else found)


def pattern_weights(
    rows: ReleasableRows, base: Iterable[int], margins: Sequence[Margin]
) -> tuple[Columns, Array]:
    """Return the open items that decide a row's weight, and the weight of each pattern of these items.

    Parameters
    ----------
    rows : ReleasableRows
    base : iterable of int
        Columns of the questions that the counted rows were asked, besides those of the margins.
    margins : sequence of Margin

    Raises
    ------
    SurveyError
        ``small_cell``: too few rows in a cell of the margins; ``regression.cells``: too many patterns.
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
    """Return the weight W_h n / n_h of a row in each cell h of the margins, with one axis for each margin.

    Parameters
    ----------
    rows : ReleasableRows
    sizes : ndarray, shape (cells, 2)
        Rows of each cell, direct and protected.
    margins : sequence of Margin

    Raises
    ------
    SurveyError
        ``small_cell``: a cell of the margins has too few rows for a result of its own.
    """
    if not large_cells(rows, sizes):
        raise SurveyError("small_cell", least=rows.disclosure.least_protected, join=JOIN)
    people = sizes.sum(axis=1).reshape([len(margin.categories) for margin in margins]).astype(np.float64)
    shares = raked_shares(people, margins)
    weights: Array = np.divide(shares * people.sum(), people, out=np.zeros_like(people), where=people > 0)
    return weights


def cell_sizes(rows: ReleasableRows, base: Iterable[int], margins: Sequence[Margin]) -> Whole:
    """Count the rows with the columns `base` in each cell of the margins: direct, protected."""
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
    """Whether each cell is empty or has enough disguised rows for a result of its own."""
    return bool(((sizes.sum(axis=1) == 0) | rows.is_enough(sizes[:, 0], sizes[:, 1])).all())


def _check_people(comparison: Comparison, by: Side, outcome: Side, design: Design) -> None:
    """Refuse small counts in a comparison that includes exact places."""
    exact = any(
        isinstance(disguise, PlanarWindowChannel) and is_exact_in(disguise, cast("Region", part.target))
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


_READY: Final = (f"{UNDERSTOOD}=nothing", f"{TRUST}=yes")
"""Items of the ready-made blocks: the respondent understood the method, and trusts it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ArmResults:
    """Shares of all disguised answers, and means of all disguised numbers, by group.

    Attributes
    ----------
    by : str
    groups : tuple of ArmGroup
    rows : tuple of int
        Number of people in each group.
    share_p_value : float
        P-value of the hypothesis that the group sizes follow the shares of the design.
    outcomes : tuple of Side
        Each an item or the mean of a number, in the order of `effects`.
    numbers : tuple of int
        Question of each outcome.
    questions : tuple of (int, tuple of int)
        Question and its outcomes, in the order of the tests.
    anchors : mapping of int to {"nobody", "everybody"}
        Outcomes known in advance to be true of no one or of everyone; they are not tested.
    left_out : tuple of int
        Questions that too few people of a group, or of a cell of the margins in it, were asked or not asked.
    effects : ArmEffects
        Means are shares of the number's range.
    unweighted : ArmEffects or None
        The effects without weights, if `effects` is weighted.
    understanding : mapping of int to tuple of (int, int) or None
        For each item of the ready-made blocks, by group: how many gave this answer, and how many answered;
        None if too few did.
    """

    by: str
    groups: tuple[ArmGroup, ...]
    rows: tuple[int, ...]
    share_p_value: float
    outcomes: tuple[Side, ...]
    numbers: tuple[int, ...]
    questions: tuple[tuple[int, tuple[int, ...]], ...]
    anchors: Mapping[int, Anchor]
    left_out: tuple[int, ...]
    effects: ArmEffects
    unweighted: ArmEffects | None
    understanding: Mapping[int, tuple[tuple[int, int], ...] | None]

    def to_json(self) -> dict[str, Any]:
        """Return unweighted results as a run stores them, without what follows from its design."""
        return {
            "rows": self.rows,
            "asked": sorted(set(self.numbers)),
            "left_out": self.left_out,
            "effects": asdict(self.effects),
            "understanding": self.understanding,
        }

    @classmethod
    def from_json(cls, design: Design, by: str, record: dict[str, Any]) -> ArmResults:
        """Return the results that `to_json` stored."""
        effects = record["effects"]
        arrays = ("shares", "errors", "differences", "difference_errors", "sizes", "is_direct")
        joint = effects["joint"]
        numbers = {name: float(joint[name]) for name in ("statistic", "rest")}
        return _assemble_results(
            design,
            by,
            choices_of_arms(design)[by],
            rows=tuple(record["rows"]),
            n_asked=record["asked"],
            left_out=tuple(record["left_out"]),
            effects=ArmEffects(
                **{name: np.array(effects[name]) for name in arrays},
                p_values=tuple(effects["p_values"]),
                adjusted=tuple(effects["adjusted"]),
                joint=JointTest(**joint | numbers),
            ),
            unweighted=None,
            understanding={
                int(item): by_group and tuple((yes, n) for yes, n in by_group)
                for item, by_group in record["understanding"].items()
            },
        )

    def design_effect(self, group: int, outcome: int) -> float | None:
        """Return the ratio of a share's weighted to its unweighted variance; None if there is none."""
        if self.unweighted is None or not self.unweighted.errors[group, outcome]:
            return None
        return float((self.effects.errors[group, outcome] / self.unweighted.errors[group, outcome]) ** 2)


@once_per_snapshot(32)
def arm_results(run: Run, by: str, margins: tuple[Margin, ...] = ()) -> ArmResults:
    """Return the shares and means of each group, from all rows of a run's snapshot.

    Parameters
    ----------
    run : Run
    by : str
    margins : tuple of Margin
        Known shares in the population, each question once; without any, every row counts equally.

    Raises
    ------
    SurveyError
        ``arms``: the survey has no such arms, or its rows no longer contain them; ``too_few.arm``: for each
        question, some group has fewer than 100 disguised rows; ``profile``: too few people of a group share
        some open answers; ``small_cell``: a cell of the margins has too few rows in a group.
    PrivacyError
        What `privacy.estimation.margin_cells.raked_shares` refuses.
    """
    rows = rows_of_run(run)
    design = rows.design
    groups = choices_of_arms(run.design).get(by)
    if groups is None:
        raise SurveyError("arms", by)
    if design.group.policy == "protected" and any(group.direct is not None for group in groups):
        raise SurveyError("arms.merged", by)
    questions = [
        number
        for number, question in enumerate(design.questions)
        if design.blocks[design.block_of(number)].protected and not question.is_map
    ]
    withheld = [number for number in questions if not rows.withheld.permits([number])]
    questions = [number for number in questions if number not in withheld]
    if withheld and all(design.questions[number].anchor for number in questions):
        rows.withheld.check(withheld)
    if all(design.questions[number].anchor for number in questions):
        raise SurveyError("arms.nothing", by)
    people, large = _group_sizes(rows, groups, questions)
    if all(design.questions[number].anchor for number in large):
        raise SurveyError("too_few.arm", least=rows.disclosure.least_protected)
    large = [number for number in large if _large_crosses(rows, groups, number, margins)]
    if all(design.questions[number].anchor for number in large):
        raise rows.small_cross()
    large = [number for number in large if _large_cells(rows, groups, number, margins)]
    if all(design.questions[number].anchor for number in large):
        raise SurveyError("small_cell", least=rows.disclosure.least_protected, join=JOIN)
    outcomes, tests = _outcomes(design, large)

    def effects(*margins: Margin) -> ArmEffects:
        sums = group_sums(
            design,
            [_mean_factor(outcome, design) for outcome in outcomes],
            _group_factors(rows, groups, margins),
            permitted_rows(run, [[number] for number in large]),
        )
        effects = arm_effects(sums, [own for _, own in tests], withheld=len(withheld))
        # The joint test reads all questions together.
        if not rows.withheld.permits(large):
            effects = replace(effects, joint=replace(effects.joint, p_value=None))
        return effects

    return _assemble_results(
        design,
        by,
        groups,
        rows=people,
        n_asked=large,
        left_out=tuple(number for number in questions if number not in large),
        effects=effects(*margins),
        unweighted=effects() if margins else None,
        understanding=_understanding(rows, design, groups),
    )


def _assemble_results(
    design: Design,
    by: str,
    groups: tuple[ArmGroup, ...],
    *,
    rows: tuple[int, ...],
    n_asked: list[int],
    **own: Any,
) -> ArmResults:
    """Complete results with what follows from the design, the group sizes and the questions."""
    outcomes, tests = _outcomes(design, n_asked)
    numbers = tuple(
        side.parts[0].question if side.parts else design.items[side.items[0]].question for side in outcomes
    )
    total = math.fsum(group.share for group in groups)
    return ArmResults(
        by=by,
        groups=groups,
        rows=rows,
        share_p_value=share_test(rows, [group.share / total for group in groups]),
        outcomes=outcomes,
        numbers=numbers,
        questions=tests,
        anchors={
            outcome: anchor
            for outcome, number in enumerate(numbers)
            if (anchor := design.questions[number].anchor)
        },
        **own,
    )


def _group_sizes(
    rows: ReleasableRows, groups: tuple[ArmGroup, ...], questions: list[int]
) -> tuple[tuple[int, ...], list[int]]:
    """Return the size of each group, and the questions that enough people of every group were asked."""
    design = rows.design
    columns = {
        number: [_columns(group, design.asked_column(number)) for group in groups] for number in questions
    }
    counts = rows.count_cache.need(
        sorted({*(group.items for group in groups), *(own for each in columns.values() for own in each)})
    )

    def is_enough(of_groups: list[Columns]) -> bool:
        return all(
            rows.is_enough(*_stratum_counts(counts, own, group))
            for own, group in zip(of_groups, groups, strict=True)
        )

    people = tuple(int(_stratum_counts(counts, group.items, group).sum()) for group in groups)
    return people, [number for number in questions if is_enough(columns[number])]


def _understanding(
    rows: ReleasableRows, design: Design, groups: tuple[ArmGroup, ...]
) -> dict[int, tuple[tuple[int, int], ...] | None]:
    """Count comprehension and trust by group, if each combination has enough people."""
    cache, result = rows.count_cache, {}
    for item in design.items:
        if item.key not in _READY or not rows.withheld.permits([item.question]):
            continue
        base = design.asked_column(item.question)
        sets = {_columns(group, column) for group in groups for column in (item.index, base)}
        large = rows.has_large_crosses(*(_columns(group, item.index) for group in groups))
        counts = cache.need(sorted(sets))
        result[item.index] = (
            tuple(
                (
                    int(_stratum_counts(counts, _columns(group, item.index), group).sum()),
                    int(_stratum_counts(counts, _columns(group, base), group).sum()),
                )
                for group in groups
            )
            if large
            else None
        )
    return result


def _outcomes(
    design: Design, questions: list[int]
) -> tuple[tuple[Side, ...], tuple[tuple[int, tuple[int, ...]], ...]]:
    """Return the estimated outcomes, and by question the positions of the tested ones."""
    outcomes: list[Side] = []
    tests = []
    for number in questions:
        question, first = design.questions[number], len(outcomes)
        if question.has_mean:
            outcomes.append(Side(parts=(Part(question=number, target=MEAN),)))
        else:
            outcomes += [Side(items=(item.index,)) for item in design.items if item.question == number]
        # The options of a single choice sum to 1, so its last one is not tested.
        if not question.anchor:
            tests.append((number, tuple(range(first, len(outcomes) - question.is_exhaustive))))
    return tuple(outcomes), tuple(tests)


def _mean_factor(outcome: Side, design: Design) -> Factor:
    """Return the scores of an outcome; for a mean also those of having answered, its denominator."""
    (factor,) = event_factors(outcome, design)
    if not outcome.parts:
        return factor
    (part,) = outcome.parts
    last = design.questions[part.question].disguise.inputs - 1  # type: ignore[union-attr]  # it is a number
    (answer_factor,) = event_factors(Side(parts=(replace(part, target=(0, last)),)), design)
    return replace(factor, scores=np.stack([factor.scores[0], answer_factor.scores[0]]))


def _group_factors(
    rows: ReleasableRows, groups: tuple[ArmGroup, ...], margins: tuple[Margin, ...]
) -> list[Factor]:
    """Return a factor for each group: a row's weight inside the group, 0 outside."""
    items: Columns = ()
    weights = np.ones(1)
    if margins:
        base = index_of(rows.design).asked_of(groups[0].items)
        items, weights = pattern_weights(rows, base, margins)
    factors = []
    for group in groups:
        # The low bits of a code are the margins' items, the high bits the group's.
        patterns = np.arange(len(weights) << len(group.items))
        inside = patterns // len(weights) + 1 == 1 << len(group.items)
        own = weights[patterns % len(weights)] * inside
        direct, protected = group.strata
        scores = np.concatenate([own * protected, own * direct])[None]
        factors.append(
            Factor(
                question=None, items=(*items, *group.items), scores=scores, split=len(patterns), draws=None
            )
        )
    return factors


def _columns(group: ArmGroup, *columns: int) -> Columns:
    return tuple(sorted({*group.items, *columns}))


def _stratum_counts(counts: SupportCounts, columns: Columns, group: ArmGroup) -> Whole:
    """Return the number of rows of a group that have some columns: direct, protected."""
    return np.array(counts[columns], dtype=np.int64) * group.strata


def _large_crosses(
    rows: ReleasableRows, groups: tuple[ArmGroup, ...], number: int, margins: tuple[Margin, ...]
) -> bool:
    """Whether no arm is small in any cross with open answers that lead to the question or weight it."""
    questions = {margin.question for margin in margins}
    beside = [item.index for item in rows.design.items if item.question in questions]
    return rows.has_large_crosses(*(_columns(group, *beside) for group in groups), beside=[number])


def _large_cells(
    rows: ReleasableRows, groups: tuple[ArmGroup, ...], number: int, margins: tuple[Margin, ...]
) -> bool:
    """Whether results with and without weights together reveal nothing about a few people of a group."""
    base = rows.design.asked_column(number)
    return not margins or all(
        large_cells(rows, cell_sizes(rows, (*group.items, base), margins) * group.strata) for group in groups
    )
