"""Supports of parts that send rows near the true one: exact, over every true row, drawing and coin."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from privacy.channels.near_truth import near_scores
from privacy.errors import PrivacyError
from privacy.estimation import Columns, covariance, estimate, measure_rules, required_counts
from privacy.estimation.moments import Estimator
from privacy.survey import Block, Design, GroupPolicy
from privacy.survey.booklets import Rotation
from tests.privacy.estimation.drawn_rows import (
    SCALE,
    a_law,
    counted,
    covariance_of,
    influences,
    sent,
    share_of,
    units,
)
from tests.privacy.estimation.records import itemset_score, itemsets
from tests.vectors.designs import CHOICE, choice, opened, shielded, yes_no
from tests.vectors.near_designs import near
from tests.vectors.rotation_designs import fair, rotating


def live(*blocks: Block, group: GroupPolicy = CHOICE, rotations: tuple[Rotation, ...] = ()) -> Design:
    return Design(blocks=blocks, group=group, use="live", rotations=rotations)


FOUR = near(fair("a", 4, p=6000), 1)
WHOLE = {
    "four": live(FOUR),
    "radius 0": live(near(fair("a", 3), 0)),
    "beside others": live(
        opened("you", yes_no("city")),
        near(fair("a", 4, p=7000), 1),
        shielded("b", 4000, yes_no("late", 3000), choice("mood", 2000, 3000, 5000), refusal=2000),
    ),
    "two strengths": live(
        replace(near(fair("a", 4, p=4000), 1), light=8000),
        replace(shielded("b", 5000, yes_no("debt", 4000)), light=7000),
    ),
}
TURNING = {
    "four of five": live(near(rotating(fair("a", 5, p=6000), 4), 1)),
    "two of three, radius 0": live(near(rotating(fair("a", 3), 2), 0)),
    "one of two parts": live(
        near(fair("a", 4, p=7000), 1),
        fair("b", 2),
        rotations=(Rotation(blocks=("a", "b"), parts_per_person=1),),
    ),
    "beside one that turns": live(near(fair("a", 4, p=7000), 1), rotating(fair("b", 3), 2)),
    "two strengths": live(replace(near(rotating(fair("a", 5, p=4000), 4), 1), light=8000)),
}
DIRECT = Fraction(1, 4)


def countable(design: Design, most: int = 3) -> list[Columns]:
    return [
        items
        for items in itemsets(design, most)
        if design.drawn_together(design.items[item].question for item in items)
        and all(
            sum(design.items[item].block == number for item in items) <= block.most_together
            for number, block in enumerate(design.blocks)
        )
    ]


@pytest.mark.soak
@pytest.mark.parametrize("name", WHOLE)
def test_the_support_is_the_true_one_and_its_errors_those_of_the_scores_of_rows(name: str) -> None:
    design = WHOLE[name]
    law = a_law(design, seed=3, direct=DIRECT)
    rows = sent(design, law)
    for items in countable(design):
        found = estimate(
            counted(design, rows, required_counts([items], design), all_rows=False), items, design
        )
        truth = share_of(design, law, items)
        z = {row: itemset_score(design, row, items) for row in rows}
        assert not found.all_rows
        assert found.value == pytest.approx(float(truth), abs=1e-9)
        variance = covariance_of(rows, z, z)
        assert found.standard_error**2 * SCALE == pytest.approx(float(variance), rel=1e-8)
        about_these = variance - (truth - truth**2)
        assert found.standard_error_respondents**2 * SCALE == pytest.approx(
            float(about_these), rel=1e-7, abs=1e-9
        )


@pytest.mark.soak
@pytest.mark.parametrize("name", WHOLE)
def test_covariances_are_those_of_the_scores_of_rows(name: str) -> None:
    design = WHOLE[name]
    law = a_law(design, seed=4, direct=DIRECT)
    rows = sent(design, law)
    for first, second in itertools.product(countable(design, 2)[:8], repeat=2):
        both = tuple(sorted({*first, *second}))
        if both not in countable(design, 4):
            continue
        counts = counted(design, rows, required_counts([(first, second)], design), all_rows=False)
        z, y = ({row: itemset_score(design, row, items) for row in rows} for items in (first, second))
        expected = covariance_of(rows, z, y)
        assert covariance(counts, first, second, design) * SCALE == pytest.approx(float(expected), abs=1e-7)
        joint, one, other = (share_of(design, law, items) for items in (both, first, second))
        about_these = covariance(counts, first, second, design, target="respondents") * SCALE
        assert about_these == pytest.approx(float(expected - (joint - one * other)), abs=1e-7)


@pytest.mark.soak
@pytest.mark.parametrize("name", TURNING)
@pytest.mark.parametrize("all_rows", [True, False])
def test_where_questions_turn_both_stages_are_unbiased_and_the_errors_are_those_of_their_definition(
    name: str, all_rows: bool
) -> None:
    design = TURNING[name]
    law = a_law(design, seed=7, direct=DIRECT)
    rows = sent(design, law)
    for items in countable(design):
        found = estimate(
            counted(design, rows, required_counts([items], design), all_rows=all_rows), items, design
        )
        truth = share_of(design, law, items)
        _, parts = units(design, items)
        assert found.value == pytest.approx(float(truth), abs=1e-8)
        assert found.all_rows == (all_rows and bool(parts))
        if any(len(part) > 1 for part in parts) or not all_rows:
            continue  # The oracle's parts are those that are asked together; centres of near ones are single.
        mu = {part: share_of(design, law, part) for part in parts}
        h = influences(design, rows, items, mu)
        variance = covariance_of(rows, h, h)
        assert found.standard_error**2 * SCALE == pytest.approx(float(variance), rel=1e-7)


@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
def test_radius_0_has_the_figures_of_the_part_without_one(estimator: Estimator) -> None:
    plain, close = live(fair("a", 3)), live(near(fair("a", 3), 0))
    law = a_law(plain, seed=5, direct=DIRECT)
    rows = sent(plain, law)
    for items in countable(close):
        found = [
            estimate(
                counted(design, rows, required_counts([items], design), all_rows=False),
                items,
                design,
                estimator=estimator,
            )
            for design in (plain, close)
        ]
        for name in ("value", "standard_error", "standard_error_respondents", "direct", "protected", "n"):
            assert getattr(found[1], name) == pytest.approx(getattr(found[0], name), rel=1e-9), name


def test_pooled_is_the_true_share_where_the_groups_agree() -> None:
    design = WHOLE["two strengths"]
    law = a_law(design, seed=6, direct=Fraction(0))
    law = {
        replace(row, direct=group): chance * share
        for row, chance in law.items()
        for group, share in ((True, DIRECT), (False, 1 - DIRECT))
    }
    rows = sent(design, law)
    for items in countable(design):
        counts = counted(design, rows, required_counts([items], design), all_rows=False)
        found = estimate(counts, items, design, estimator="pooled")
        assert found.value == pytest.approx(float(share_of(design, law, items)), abs=1e-9)


@pytest.mark.soak
def test_the_interval_of_a_rule_holds_the_truth_of_a_survey_as_frequent_as_likely() -> None:
    design = WHOLE["beside others"]
    law = a_law(design, seed=8, direct=DIRECT)
    rows = {row: chance / 1024 / 1024 / 1024 for row, chance in sent(design, law).items()}
    before, after = (1, 2), (3,)
    counts = counted(design, rows, required_counts([(before, after)], design), all_rows=False)
    union, one, other = (float(share_of(design, law, items)) for items in ((1, 2, 3), before, after))
    for measure, truth in (("confidence", union / one), ("lift", union / one / other)):
        found = getattr(measure_rules(counts, [(before, after)], design)[0], measure)
        assert found.value == pytest.approx(truth, rel=0.05)
        assert found.low < truth < found.high
        assert found.estimable


def test_the_golden_of_ten_questions_within_radius_1_holds_at_uniform_truth() -> None:
    ten = live(near(fair("a", 10, p=8121), 1), group=GroupPolicy())
    n = 1 << 40
    for size, golden in ((1, 0.5662), (2, 0.5171), (3, 0.3963)):
        items = tuple(range(size))
        # All rows are equally likely, true or sent.
        counts = {columns: (0, n >> len(columns)) for columns in required_counts([items], ten)}
        from privacy.estimation import SupportCounts

        found = estimate(SupportCounts(counts), items, ten)
        assert found.value == pytest.approx(0.5**size, abs=1e-9)
        assert found.standard_error**2 * n == pytest.approx(golden, rel=2e-4)


def test_answers_that_the_law_loses_together_are_refused_by_name() -> None:
    five = live(near(fair("a", 5, p=9000), 1))
    assert five.blocks[0].most_together == 2
    required_counts([(0, 1)], five)
    for event in ((0, 1, 2), ((0, 1), (2,))):
        with pytest.raises(PrivacyError, match="at most 2") as refused:
            required_counts([event], five)
        assert refused.value.code == "never_together"


def test_the_score_of_many_laws_at_once_is_that_of_each() -> None:
    law = FOUR.near
    assert law is not None
    for size in range(1, 5):
        inverse = [np.array([float(1 / law.factor(a))] * 2) for a in range(5)]
        expected = [float(z) for z in law.score(size)]
        assert [z[1] for z in near_scores(inverse, size)] == pytest.approx(expected, rel=1e-12)
        assert math.fsum(
            math.comb(size, u) * float(law.margin(size)[u]) * z for u, z in enumerate(expected)
        ) == (pytest.approx(1))
