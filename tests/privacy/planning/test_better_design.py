"""The better design: figures by formula, searched again by brute force, and where nothing is gained."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from privacy.errors import PrivacyError
from privacy.planning.better_design import (
    _parts,
    _Shape,
    better_design,
    odds_of_one,
    people_for_complete_rows,
)
from privacy.planning.efficiency import SampledDesign, best_split, most_efficient
from privacy.planning.part_variance import AskedPart, mean_variance, variance_of_size
from privacy.policy import LEAST_FACTOR
from privacy.risk.budget import block_budget
from privacy.risk.row_distribution import MOST_NEAR_ASKED
from privacy.survey.block import Block, default_refusal
from privacy.survey.question import Question

MANY = 10**9
"""So many that precision alone decides."""


def split(questions: int, epsilon: float, sizes: tuple[int, ...] = (1, 2)) -> list[AskedPart]:
    """The best equal parts, with their coins."""
    parts = best_split(questions, epsilon, sizes=sizes)[0]
    gain = math.expm1(epsilon / len(parts))
    return [AskedPart(questions=size, truth=gain / (gain + 2**size)) for size in parts]


def rotating(
    questions: int, per_person: int, epsilon: float, *, skips: bool, radius: int | None = None
) -> AskedPart:
    """A part of which each person is asked some questions, with the largest p of an epsilon."""
    part = AskedPart(questions=questions, truth=1.0, per_person=per_person, radius=radius)
    return replace(part, truth=_Shape.of(part, (1,), skips=skips, most_odds=math.inf).truth(epsilon))


@pytest.mark.parametrize(
    ("m", "epsilon", "largest", "before", "after", "bound", "asked"),
    [
        (5, 2, 2, 7.90, 2.06, 1.60, 2),
        (5, 3, 2, 1.57, 0.839, 0.487, 3),
        (10, 3, 2, 39.4, 2.20, 1.39, 3),
        (10, 4, 2, 12.7, 1.19, 0.480, 4),
        (10, 3, 3, 187, 2.64, 2.17, 4),
        (20, 4, 3, 2803, 4.72, 3.4, 5),
        (30, 4, 2, 1226, 6.19, 2.75, 4),
    ],
)
def test_published_figures(
    m: int, epsilon: float, largest: int, before: float, after: float, bound: float, asked: int
) -> None:
    parts = split(m, epsilon, tuple(range(1, largest + 1)))
    found = better_design(parts, epsilon, n=MANY, largest=largest)
    assert found.rotating is not None
    assert found.rotating.per_person == asked
    assert found.mean == pytest.approx(before, rel=5e-3)
    # p is rounded down to ten-thousandths.
    assert found.rotating_mean == pytest.approx(after, rel=5e-3)
    assert found.bound == pytest.approx(bound, rel=3e-2)
    assert found.saves
    ratios = [
        variance_of_size([found.rotating], size) / variance_of_size(parts, size)
        for size in range(1, largest + 1)
    ]
    # As precise of each size: the mean alone would promise shares with three times the variance.
    assert found.people == pytest.approx(MANY * max(ratios), rel=1e-6)
    assert found.people > MANY * after / before
    assert found.least_people <= found.people


@pytest.mark.parametrize("questions", [1, 2, 3, 4])
def test_a_truth_that_is_due_exactly_is_not_rounded_away(questions: int) -> None:
    """At e^eps = 1 + 2^m the coin is fair, in whatever way the exponential rounds."""
    shape = _Shape.of(AskedPart(questions=questions, truth=1.0), (1,), skips=False, most_odds=math.inf)
    assert shape.truth(math.log(1 + 2**questions)) == 0.5
    assert shape.truth(math.log(1 + 2**questions) - 1e-3) < 0.5


def test_the_design_is_the_best_of_its_kind() -> None:
    found = better_design(split(8, 3.0), 3.0, n=MANY)
    wanted = min(
        (rotating(8, j, 3.0, skips=False) for j in range(2, 8)),
        key=lambda part: mean_variance([part], (1, 2)),
    )
    assert found.rotating == wanted
    family = most_efficient(8, 3.0, sizes=(1, 2))
    assert family is not None
    assert (family.radius, family.asked) == (0, wanted.per_person)
    assert found.rotating_mean == pytest.approx(family.mean_variance((1, 2)), rel=1e-3)


def test_the_equal_epsilon_is_the_least_one_with_the_same_errors() -> None:
    found = better_design(split(10, 3.0), 3.0, n=MANY)
    assert found.equal is not None
    for size in (1, 2):
        assert variance_of_size([found.equal], size) <= variance_of_size(split(10, 3.0), size) * (1 + 1e-9)
    less = [rotating(10, j, found.equal_epsilon - 0.01, skips=False) for j in range(2, 10)]
    own = [variance_of_size(split(10, 3.0), size) for size in (1, 2)]
    assert not any(
        all(variance_of_size([part], size) <= most for size, most in zip((1, 2), own, strict=True))
        for part in less
    )
    assert found.equal_epsilon == pytest.approx(1.25, abs=0.005)


def test_of_few_people_enough_must_have_been_asked_each_pair() -> None:
    parts = split(10, 3.0)
    own = mean_variance(parts, (1, 2))
    found = better_design(parts, 3.0, n=1_000)
    enough = [
        part
        for j in range(2, 10)
        if people_for_complete_rows(part := rotating(10, j, 3.0, skips=False), 2) <= 1_000
    ]
    assert found.rotating == min(enough, key=lambda part: mean_variance([part], (1, 2)))
    needed = 1_000 * mean_variance([found.rotating], (1, 2)) / own
    assert needed < 100
    assert found.people == people_for_complete_rows(found.rotating, 2) == 750
    # With 300 people no pair of two of ten has a hundred complete rows: more must be asked of each.
    few = better_design(parts, 3.0, n=300)
    assert few.equal is not None
    assert people_for_complete_rows(few.equal, 2) <= 300


@pytest.mark.parametrize(("questions", "epsilon"), list(itertools.product((2, 3), (3.0, 4.0, 6.0))))
def test_three_questions_or_fewer_gain_nothing_from_epsilon_three_on(questions: int, epsilon: float) -> None:
    assert not better_design(split(questions, epsilon), epsilon, n=MANY).saves


def test_a_survey_that_is_as_good_already_gains_nothing() -> None:
    asked = rotating(10, 3, 3.0, skips=False)
    found = better_design([asked], 3.0, n=MANY)
    assert not found.saves
    assert found.people == MANY
    assert found.equal_epsilon == pytest.approx(3.0)


def test_both_ceilings_are_kept() -> None:
    free, kept = (better_design(split(10, 4.0), 4.0, n=MANY, most_odds=odds) for odds in (math.inf, 3.0))
    assert free.rotating is not None
    assert free.rotating.radius is None
    assert (1 + free.rotating.truth) / (1 - free.rotating.truth) == pytest.approx(7.7, abs=0.01)
    assert free.odds == pytest.approx(1.6, abs=0.05)
    assert kept.rotating is not None
    # Ten of ten, at most two of them changed.
    assert (kept.rotating.per_person, kept.rotating.radius) == (10, 2)
    assert abs(kept.rotating.factor(1)) <= 0.5
    assert kept.rotating_odds <= 3.0
    assert kept.rotating_epsilon <= 4.0
    assert free.rotating_mean < kept.rotating_mean < kept.mean
    assert not better_design(split(10, 4.0), 4.0, n=MANY, most_odds=1.0).saves


def test_the_truth_probability_is_the_largest_of_its_epsilon_with_and_without_a_skip() -> None:
    questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,)) for n in range(4))
    for skips in (False, True):
        part = rotating(10, 4, 3.0, skips=skips)
        block = Block(
            key="b",
            protected=True,
            truth_probability=round(10_000 * part.truth),
            refusal=None,
            asked_if=None,
            questions=questions,
        )
        if skips:
            block = Block(**{**vars_of(block), "refusal": default_refusal(block)})
        assert block_budget(block).epsilon <= 3.0 + 1e-4
        more = Block(**{**vars_of(block), "truth_probability": block.truth_probability + 2})
        assert block_budget(more).epsilon > 3.0


def vars_of(block: Block) -> dict[str, object]:
    names = ("key", "protected", "truth_probability", "refusal", "asked_if", "questions")
    return {name: getattr(block, name) for name in names}


@pytest.mark.parametrize(
    ("m", "j", "size", "wanted"),
    [(10, 4, 2, 750), (10, 4, 3, 3000), (20, 5, 3, 11_400), (10, 2, 3, math.inf)],
)
def test_people_for_a_hundred_complete_rows(m: int, j: int, size: int, wanted: float) -> None:
    assert people_for_complete_rows(AskedPart(questions=m, truth=0.5, per_person=j), size) == wanted


@pytest.mark.parametrize(
    ("m", "epsilon", "odds", "mean"),
    [(10, 6.0, math.inf, 0.542), (10, 3.0, 3.0, 2.46), (10, 4.0, 3.0, 1.26), (10, 6.0, 3.0, 0.957)],
)
def test_rows_near_the_true_one_are_searched_under_both_ceilings(
    m: int, epsilon: float, odds: float, mean: float
) -> None:
    found = better_design(split(m, epsilon), epsilon, n=MANY, most_odds=odds)
    family = most_efficient(m, epsilon, sizes=(1, 2), most_odds=odds)
    assert found.rotating is not None
    assert family is not None
    assert (found.rotating.per_person, found.rotating.radius) == (family.asked, family.radius)
    assert found.rotating_mean == pytest.approx(mean, rel=3e-3)
    # What is said of the part is what its block says of itself.
    questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,)) for n in range(m))
    asked = found.rotating.per_person
    block = Block(
        key="b",
        protected=True,
        truth_probability=round(10_000 * found.rotating.truth),
        refusal=None,
        asked_if=None,
        questions=questions,
        questions_per_person=asked if asked is not None and asked < m else None,
        radius=found.rotating.radius,
    )
    assert block_budget(block).epsilon == pytest.approx(found.rotating_epsilon)
    assert found.rotating_epsilon <= epsilon
    assert block.near is not None
    for size in (1, 2, 3):
        assert found.rotating.factor(size) == pytest.approx(float(block.near.factor(size)))
    assert found.rotating_odds <= odds
    # A skip, a choice, or who asks for none: then the true row alone is searched.
    for plain in (
        better_design(split(m, epsilon), epsilon, n=MANY, most_odds=odds, near=False),
        better_design(split(m, epsilon), epsilon, n=MANY, most_odds=odds, skips=True),
    ):
        assert plain.rotating is not None
        assert plain.rotating.radius is None


def test_a_part_near_the_true_row_varies_as_the_family_says() -> None:
    for asked, radius in ((4, 1), (6, 1), (6, 2), (10, 3)):
        part = rotating(10, asked, 4.0, skips=False, radius=radius)
        design = SampledDesign(questions=10, asked=asked, radius=radius, epsilon=4.0)
        for size in (1, 2, 3):
            assert variance_of_size([part], size) == pytest.approx(design.variance(size), rel=1e-3)
    # Everybody asked all: the law is the same whether or not questions rotate.
    rotated = rotating(6, 6, 3.0, skips=False, radius=1)
    whole = replace(rotated, per_person=None)
    assert variance_of_size([whole], 2) == variance_of_size([rotated], 2)
    # Of three questions within one a pair is lost.
    assert variance_of_size([AskedPart(questions=3, truth=0.9, radius=1)], 2) == math.inf


@pytest.mark.parametrize("unrelated", [0.5, 0.2])
@pytest.mark.parametrize("radius", [None, 1])
def test_the_largest_p_has_the_largest_odds_of_one_question(radius: int | None, unrelated: float) -> None:
    part = AskedPart(questions=5, truth=1.0, unrelated=unrelated, radius=radius)
    shape = _Shape.of(part, (1, 2), skips=False, most_odds=3.0)
    assert odds_of_one(replace(part, truth=shape.most)) == pytest.approx(3)


@pytest.mark.parametrize("largest", [1, 2, 3])
def test_p_is_too_small_where_sets_of_the_largest_size_can_no_longer_be_counted(largest: int) -> None:
    part = AskedPart(questions=10, truth=1.0, radius=2)
    shape = _Shape.of(part, range(1, largest + 1), skips=False, most_odds=math.inf)
    # Each further answer is told of less; factors of near rows fall with the number of answers here.
    least = LEAST_FACTOR / abs(part.factor(largest))
    assert [math.isfinite(shape.variance(truth)) for truth in (least * 1.001, least * 0.999)] == [True, False]


def test_what_cannot_be_planned_is_refused() -> None:
    with pytest.raises(PrivacyError, match="number of questions = 1"):
        better_design([AskedPart(questions=1, truth=0.5)], 1.0, n=MANY)
    with pytest.raises(PrivacyError, match="largest itemset = 4"):
        better_design([AskedPart(questions=5, truth=0.5)], 1.0, n=MANY, largest=4)


def test_parts_near_the_true_row_are_searched_up_to_the_most_that_can_be_audited() -> None:
    """What is searched asks all of the questions only with rows near the true one."""
    few = _parts(4, 1, MANY, None, near=True)
    assert {part.together for part in few if not part.radius} == {1, 2, 3}
    assert max(part.together for part in few if part.radius) == 4
    many = _parts(MOST_NEAR_ASKED + 2, 1, MANY, None, near=True)
    assert max(part.together for part in many if part.radius) == MOST_NEAR_ASKED


def test_a_size_may_have_exactly_the_variance_that_it_may_have() -> None:
    shape = _Shape.of(AskedPart(questions=2, truth=1.0, per_person=1), (1,), skips=False, most_odds=math.inf)
    (weight,) = shape.weights
    assert shape.is_precise(1.0, [weight])
    assert not shape.is_precise(1.0, [weight * (1 - 1e-9)])
    # What is rounding counts as exact, to its last bit.
    assert replace(shape, weights=(1 + 1e-12,)).is_precise(1.0, [1.0])
