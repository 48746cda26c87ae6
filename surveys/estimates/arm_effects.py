"""Did it help? Shares and means by the arms of an experiment in the rows of a run, with their floors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from mining.columns.joined_counts import group_sums
from privacy.arrays import Whole
from privacy.estimation import Columns, SupportCounts
from privacy.estimation.arm_effects import ArmEffects, arm_effects, share_test
from privacy.estimation.composed_parts import MEAN, Factor, Part, Side, event_factors
from privacy.estimation.design_index import index_of
from privacy.estimation.margin_cells import JOIN, Margin
from privacy.survey.design import Design
from privacy.survey.question import Anchor
from surveys.errors.error import SurveyError
from surveys.estimates.comparison import cell_sizes, large_cells, pattern_weights
from surveys.models import Run
from surveys.questionnaire.arms import ArmGroup, choices_of_arms
from surveys.questionnaire.sensitive import TRUST, UNDERSTOOD
from surveys.rows.releasable_rows import ReleasableRows, packed_rows, releasable_rows
from surveys.rows.snapshot import batches_of, once_per_snapshot

_READY: Final = (f"{UNDERSTOOD}=nothing", f"{TRUST}=yes")
"""Answers of the ready parts that say that people understood, and that they trust."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ArmResults:
    """Shares of all disguised answers, and means of all disguised numbers, by group.

    Attributes
    ----------
    by : str
    groups : tuple of ArmGroup
    rows : tuple of int
        People of each group.
    share_p_value : float
        "These numbers of people come from the drawn shares".
    outcomes : tuple of Side
        An item each, or the mean of a number, in the order of `effects`.
    numbers : tuple of int
        Question of each outcome.
    questions : tuple of (int, tuple of int)
        Question and its outcomes, in the order of the tests.
    anchors : mapping of int to {"nobody", "everybody"}
        Outcomes of which everybody knows whom they are true of; they are not tested.
    left_out : tuple of int
        Questions that too few of a group, or of a cell of the margins in it, were asked, or were not.
    effects : ArmEffects
        Means as shares of the range of their number.
    unweighted : ArmEffects or None
        The same without weights, where `effects` has some.
    understanding : mapping of int to tuple of (int, int) or None
        Of the items of the ready parts: by group how many gave the answer, of how many who answered; None
        where too few did.
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

    def design_effect(self, group: int, outcome: int) -> float | None:
        """Return the variance of a share over that without weights; None where neither is known."""
        if self.unweighted is None or not self.unweighted.errors[group, outcome]:
            return None
        return float((self.effects.errors[group, outcome] / self.unweighted.errors[group, outcome]) ** 2)


@once_per_snapshot(32)
def arm_results(run: Run, by: str, margins: tuple[Margin, ...] = ()) -> ArmResults:
    """Return shares and means by group of everybody in a run's snapshot.

    Parameters
    ----------
    run : Run
    by : str
    margins : tuple of Margin
        Known shares in the population, each question once; none, and every row counts alike.

    Raises
    ------
    SurveyError
        ``arms``: the survey is not divided by that, or its rows do not tell it any more; ``too_few.arm``:
        fewer than 100 disguised rows of a group, or of each question; ``profile``: open answers and the arm
        are shared by too few; ``small_cell``: or a cell of the margins is, in a group.
    PrivacyError
        What `privacy.estimation.raking.raked_shares` refuses.
    """
    rows = releasable_rows(run.version, batches_of(run))
    design = rows.design
    groups = choices_of_arms(run.design).get(by)
    if groups is None:
        raise SurveyError("arms", by)
    if design.group.policy == "protected" and any(group.direct is not None for group in groups):
        raise SurveyError("arms.merged", by)
    questions = [
        number
        for number, question in enumerate(design.questions)
        if design.blocks[design.block_of(number)].protected and question.kind != "place"
    ]
    if all(design.questions[number].anchor for number in questions):
        raise SurveyError("arms.nothing", by)
    people, large = _people(rows, groups, questions)
    if all(design.questions[number].anchor for number in large):
        raise SurveyError("too_few.arm", least=rows.shown.least_protected)
    large = [number for number in large if _large_crosses(rows, groups, number, margins)]
    if all(design.questions[number].anchor for number in large):
        raise SurveyError("profile", least=rows.shown.least_cross)
    large = [number for number in large if _large_cells(rows, groups, number, margins)]
    if all(design.questions[number].anchor for number in large):
        raise SurveyError("small_cell", least=rows.shown.least_protected, join=JOIN)
    outcomes, tested = _outcomes(design, large)
    numbers = tuple(
        side.parts[0].question if side.parts else design.items[side.items[0]].question for side in outcomes
    )

    def effects(*margins: Margin) -> ArmEffects:
        sums = group_sums(
            design,
            [_mean_factor(outcome, design) for outcome in outcomes],
            _group_factors(rows, groups, margins),
            packed_rows(run.version, batches_of(run)),
        )
        return arm_effects(sums, [own for _, own in tested])

    drawn = math.fsum(group.drawn for group in groups)
    return ArmResults(
        by=by,
        groups=groups,
        rows=people,
        share_p_value=share_test(people, [group.drawn / drawn for group in groups]),
        outcomes=outcomes,
        numbers=numbers,
        questions=tested,
        anchors={
            outcome: anchor
            for outcome, number in enumerate(numbers)
            if (anchor := design.questions[number].anchor)
        },
        left_out=tuple(number for number in questions if number not in large),
        effects=effects(*margins),
        unweighted=effects() if margins else None,
        understanding=_understanding(rows, design, groups),
    )


def _people(
    rows: ReleasableRows, groups: tuple[ArmGroup, ...], questions: list[int]
) -> tuple[tuple[int, ...], list[int]]:
    """Return the people of each group, and the questions that enough of each were asked."""
    design = rows.design
    columns = {
        number: [_columns(group, design.asked_column(number)) for group in groups] for number in questions
    }
    counts = rows.count_cache.need(
        sorted({*(group.items for group in groups), *(own for each in columns.values() for own in each)})
    )

    def is_enough(of_groups: list[Columns]) -> bool:
        return all(
            rows.is_enough(*_of_strata(counts, own, group))
            for own, group in zip(of_groups, groups, strict=True)
        )

    people = tuple(int(_of_strata(counts, group.items, group).sum()) for group in groups)
    return people, [number for number in questions if is_enough(columns[number])]


def _understanding(
    rows: ReleasableRows, design: Design, groups: tuple[ArmGroup, ...]
) -> dict[int, tuple[tuple[int, int], ...] | None]:
    """Count comprehension and trust by group, where each combination is of enough people."""
    cache, counted = rows.count_cache, {}
    for item in design.items:
        if item.key not in _READY:
            continue
        base = design.asked_column(item.question)
        sets = {_columns(group, column) for group in groups for column in (item.index, base)}
        large = rows.has_large_crosses(*(_columns(group, item.index) for group in groups))
        counts = cache.need(sorted(sets))
        counted[item.index] = (
            tuple(
                (
                    int(_of_strata(counts, _columns(group, item.index), group).sum()),
                    int(_of_strata(counts, _columns(group, base), group).sum()),
                )
                for group in groups
            )
            if large
            else None
        )
    return counted


def _outcomes(
    design: Design, questions: list[int]
) -> tuple[tuple[Side, ...], tuple[tuple[int, tuple[int, ...]], ...]]:
    """Return what is estimated, and by question the positions of what is tested."""
    outcomes: list[Side] = []
    tested = []
    for number in questions:
        question, first = design.questions[number], len(outcomes)
        if question.is_scale:
            outcomes.append(Side(parts=(Part(question=number, wanted=MEAN),)))
        else:
            outcomes += [Side(items=(item.index,)) for item in design.items if item.question == number]
        # All options of a choice sum to 1.
        if not question.anchor:
            tested.append((number, tuple(range(first, len(outcomes) - question.is_exhaustive))))
    return tuple(outcomes), tuple(tested)


def _mean_factor(outcome: Side, design: Design) -> Factor:
    """Return what a row counts for, and whether it has answered: a mean is one among answers."""
    (factor,) = event_factors(outcome, design)
    if not outcome.parts:
        return factor
    (part,) = outcome.parts
    last = design.questions[part.question].disguise.inputs - 1  # type: ignore[union-attr]  # it is a number
    (answered,) = event_factors(Side(parts=(replace(part, wanted=(0, last)),)), design)
    return replace(factor, scores=np.stack([factor.scores[0], answered.scores[0]]))


def _group_factors(
    rows: ReleasableRows, groups: tuple[ArmGroup, ...], margins: tuple[Margin, ...]
) -> list[Factor]:
    """Return what gives the weight of a row in each group, 0 outside of it."""
    items: Columns = ()
    weights = np.ones(1)
    if margins:
        base = index_of(rows.design).asked_of(groups[0].items)
        items, weights = pattern_weights(rows, base, margins)
    factors = []
    for group in groups:
        # A code has the bits of the margins' items first, then those of the group's.
        patterns = np.arange(len(weights) << len(group.items))
        inside = patterns // len(weights) + 1 == 1 << len(group.items)
        own = weights[patterns % len(weights)] * inside
        direct, protected = group.strata
        scores = np.concatenate([own * protected, own * direct])[None]
        factors.append(
            Factor(question=None, items=(*items, *group.items), scores=scores, sent=len(patterns), drawn=None)
        )
    return factors


def _columns(group: ArmGroup, *columns: int) -> Columns:
    return tuple(sorted({*group.items, *columns}))


def _of_strata(counts: SupportCounts, columns: Columns, group: ArmGroup) -> Whole:
    """Rows of a group that have some columns: direct, protected."""
    return np.array(counts[columns], dtype=np.int64) * group.strata


def _large_crosses(
    rows: ReleasableRows, groups: tuple[ArmGroup, ...], number: int, margins: tuple[Margin, ...]
) -> bool:
    """Whether no group singles out a few people, with open answers that lead to a question or weigh it."""
    weighted = {margin.question for margin in margins}
    beside = [item.index for item in rows.design.items if item.question in weighted]
    return rows.has_large_crosses(*(_columns(group, *beside) for group in groups), beside=[number])


def _large_cells(
    rows: ReleasableRows, groups: tuple[ArmGroup, ...], number: int, margins: tuple[Margin, ...]
) -> bool:
    """Whether two weightings tell nothing of few people of a group who were asked a question."""
    base = rows.design.asked_column(number)
    return not margins or all(
        large_cells(rows, cell_sizes(rows, (*group.items, base), margins) * group.strata) for group in groups
    )
