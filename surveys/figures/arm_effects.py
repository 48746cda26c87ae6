"""Did it help? Shares by the arms of an experiment in the rows of a run, with their floors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from mining.open_crosses import disguised_rows, large_crosses
from privacy.arrays import Array, Whole
from privacy.estimation import Columns, SupportCounts
from privacy.estimation.arm_effects import ArmEffects, GroupCounts, arm_effects, share_test
from privacy.estimation.design_index import DesignIndex, index_of
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.questionnaire.arm_groups import ArmGroup, choices_of_arms
from surveys.questionnaire.ready_parts import TRUST, UNDERSTOOD
from surveys.rows.releasable_rows import ReleasableRows, releasable_rows
from surveys.rows.snapshot import batches_of

__all__ = ["ArmResults", "arm_results"]


_READY: Final = (f"{UNDERSTOOD}=nothing", f"{TRUST}=yes")
"""Answers of the ready parts that say that people understood, and that they trust."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ArmResults:
    """Shares of all disguised answers by group.

    Attributes
    ----------
    by : str
    groups : tuple of ArmGroup
    rows : tuple of int
        People of each group.
    share_p_value : float
        "These numbers of people come from the drawn shares".
    outcomes : tuple of int
        Items, in the order of `effects`.
    questions : tuple of (int, tuple of int)
        Question and its outcomes, in the order of the tests.
    effects : ArmEffects
    understanding : mapping of int to tuple of (int, int) or None
        Of the items of the ready parts: by group how many gave the answer, of how many who answered; None
        where too few did.
    """

    by: str
    groups: tuple[ArmGroup, ...]
    rows: tuple[int, ...]
    share_p_value: float
    outcomes: tuple[int, ...]
    questions: tuple[tuple[int, tuple[int, ...]], ...]
    effects: ArmEffects
    understanding: Mapping[int, tuple[tuple[int, int], ...] | None]


def arm_results(run: Run, by: str) -> ArmResults:
    """Return shares by group of everybody in a run's snapshot.

    Raises
    ------
    SurveyError
        ``arms``: the survey is not divided by that; ``too_few.arm``: fewer than 100 disguised rows of a
        group; ``profile``: open answers and the arm are shared by too few.
    PrivacyError
        ``no_rows``: nobody of a group was asked one of the answers.
    """
    return _arm_results(run.pk, run.snapshot_digest, by)


@lru_cache(maxsize=32)
def _arm_results(run_id: int, digest: str, by: str) -> ArmResults:
    """Compute once: the digest names the rows, and no row of them ever changes."""
    run = Run.objects.select_related("survey", "version").get(pk=run_id, snapshot_digest=digest)
    rows = releasable_rows(run.version, batches_of(run))
    design = rows.matrix.design
    groups = choices_of_arms(design).get(by)
    if groups is None:
        raise SurveyError("arms", by)
    outcomes, questions = _outcomes(design)
    if not outcomes:
        raise SurveyError("arms.nothing", by)
    _check_crosses(rows, design, groups, outcomes)
    counts = _needed(rows, design, groups, outcomes)
    sizes = [_of_strata(counts, group.items, group) for group in groups]
    least = rows.shown.least_protected
    if min(int(disguised_rows(design, *size)) for size in sizes) < least:
        raise SurveyError("too_few.arm", least=least)
    people = tuple(int(size.sum()) for size in sizes)
    effects = arm_effects(
        [_group_counts(counts, group, outcomes, design) for group in groups],
        _scores(design, outcomes),
        [own for _, own in questions],
    )
    drawn = math.fsum(group.drawn for group in groups)
    return ArmResults(
        by=by,
        groups=groups,
        rows=people,
        share_p_value=share_test(people, [group.drawn / drawn for group in groups]),
        outcomes=outcomes,
        questions=questions,
        effects=effects,
        understanding=_understanding(rows, design, groups),
    )


def _understanding(
    rows: ReleasableRows, design: Design, groups: tuple[ArmGroup, ...]
) -> dict[int, tuple[tuple[int, int], ...] | None]:
    """Count comprehension and trust by group, where each combination is of enough people."""
    cache, counted = rows.count_cache(), {}
    for item in design.items:
        if item.key not in _READY:
            continue
        base = design.asked_column(item.question)
        sets = {_columns(group, column) for group in groups for column in (item.index, base)}
        crosses = [_columns(group, item.index) for group in groups]
        least = rows.shown.least_cross
        large = not least or all(large_crosses(cache, design, crosses, least))
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


def _outcomes(design: Design) -> tuple[tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]]:
    """Return the disguised items, and by question the positions of those that are tested."""
    outcomes: list[int] = []
    questions = []
    for number, question in enumerate(design.questions):
        if not design.blocks[design.block_of(number)].protected or question.is_scale:
            continue
        own = [item.index for item in design.items if item.question == number]
        first = len(outcomes)
        outcomes += own
        # All options of a choice sum to 1.
        tested = range(first, len(outcomes) - question.is_exhaustive)
        questions.append((number, tuple(tested)))
    return tuple(outcomes), tuple(questions)


def _scores(design: Design, outcomes: tuple[int, ...]) -> Array:
    """Scores of a row that does not show an item, and that shows it, by stratum: direct, protected."""
    index = index_of(design)
    return np.array([[_score(design, index, item, direct) for item in outcomes] for direct in (True, False)])


def _score(design: Design, index: DesignIndex, item: int, direct: bool) -> tuple[float, float]:
    block = design.items[item].block
    mine = design.blocks[block].in_group(direct=direct)
    if mine is None:
        return 0.0, 1.0
    if mine.near is not None:
        shown, absent = (float(z) for z in mine.near.score(1))
        return absent, shown
    p, decoy = float(mine.truth), index.decoy(block, [item])
    return -(1 - p) * decoy / p, (1 - (1 - p) * decoy) / p


def _sets(design: Design, group: ArmGroup, outcomes: tuple[int, ...]) -> Iterator[Columns]:
    yield group.items
    bases = {item: design.asked_column(design.items[item].question) for item in outcomes}
    for first, second in itertools.product(outcomes, repeat=2):
        yield _columns(group, bases[first], bases[second])
        yield _columns(group, first, bases[second])
        yield _columns(group, first, second)


def _columns(group: ArmGroup, *columns: int) -> Columns:
    return tuple(sorted({*group.items, *columns}))


def _needed(
    rows: ReleasableRows, design: Design, groups: tuple[ArmGroup, ...], outcomes: tuple[int, ...]
) -> SupportCounts:
    sets = {columns for group in groups for columns in _sets(design, group, outcomes)}
    return rows.count_cache().need(sorted(sets))


def _of_strata(counts: SupportCounts, columns: Columns, group: ArmGroup) -> Whole:
    """Rows of a group that have some columns: direct, protected."""
    own = np.array(counts[columns], dtype=np.int64)
    if group.direct is not None:
        own = own * np.array([group.direct, not group.direct])
    return own


def _group_counts(
    counts: SupportCounts, group: ArmGroup, outcomes: tuple[int, ...], design: Design
) -> GroupCounts:
    bases = [design.asked_column(design.items[item].question) for item in outcomes]
    size = range(len(outcomes))

    def table(first: tuple[int, ...] | list[int], second: tuple[int, ...] | list[int]) -> Whole:
        cells = [
            [_of_strata(counts, _columns(group, first[i], second[j]), group) for j in size] for i in size
        ]
        return np.moveaxis(np.array(cells), 2, 0)

    return GroupCounts(base=table(bases, bases), shown=table(outcomes, bases), both=table(outcomes, outcomes))


def _check_crosses(
    rows: ReleasableRows, design: Design, groups: tuple[ArmGroup, ...], outcomes: tuple[int, ...]
) -> None:
    """Refuse groups that single out a few people together with the open answers that lead to a question."""
    least = rows.shown.least_cross
    if not least:
        return
    beside = {design.items[item].question for item in outcomes}
    itemsets = [group.items for group in groups if group.items]
    if not all(large_crosses(rows.count_cache(), design, itemsets, least, beside=beside)):
        raise SurveyError("profile", least=least)
