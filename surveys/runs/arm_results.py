"""Outcomes by randomised group: shares and means of each arm, and the effects with their tests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np

from mining.columns.scored_rows import group_sums
from privacy.arrays import Whole
from privacy.estimation.arm_effects import ArmEffects, JointTest, arm_effects
from privacy.estimation.arm_shares import share_test
from privacy.estimation.composed_parts import Factor, Part, Side, event_factors
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.margins import JOIN, Margin
from privacy.scales.decoded_numbers import MEAN
from privacy.survey.design import Design
from privacy.survey.question import Anchor
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.questionnaire.arm_groups import ArmGroup, choices_of_arms
from surveys.questionnaire.ready_parts import TRUST, UNDERSTOOD
from surveys.runs.margin_weights import cell_sizes, large_cells, pattern_weights
from surveys.runs.releasable_rows import ReleasableRows, permitted_rows, rows_of_run
from surveys.runs.snapshot_cache import once_per_snapshot

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
        effects = arm_effects(sums, [test for _, test in tests], withheld=len(withheld))
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
        in_group = patterns // len(weights) + 1 == 1 << len(group.items)
        pattern_scores = weights[patterns % len(weights)] * in_group
        direct, protected = group.strata
        scores = np.concatenate([pattern_scores * protected, pattern_scores * direct])[None]
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
