"""Whole parts in turn: the least epsilon that is as precise, within both ceilings, for enough people."""

from __future__ import annotations

import itertools
import math

import pytest

from privacy.errors import PrivacyError
from privacy.planning.better_design import odds_of_one
from privacy.planning.part_variance import AskedPart, AskedQuestion, mean_variance
from privacy.planning.parts_in_turn import PartsInTurn, asked_part, parts_in_turn
from privacy.survey.block import Block
from privacy.survey.booklets import Booklet
from privacy.survey.question import Question

SIZES = (1, 2)
MANY = 1_000_000


def coins(count: int, epsilon: float, questions: int = 1) -> list[AskedPart]:
    gain = math.expm1(epsilon)
    return [AskedPart(questions=questions, truth=gain / (gain + 2**questions))] * count


def found_for(parts: list[AskedPart], *, n: int = MANY, **more: float) -> PartsInTurn:
    found = parts_in_turn(parts, n=n, sizes=SIZES, skips=[False] * len(parts), **more)
    assert found is not None
    return found


@pytest.mark.parametrize(("count", "epsilon", "questions"), [(3, 0.5, 2), (6, 0.5, 1), (8, 0.75, 2)])
def test_it_is_as_precise_and_no_number_of_parts_needs_less(
    count: int, epsilon: float, questions: int
) -> None:
    parts = coins(count, epsilon, questions)
    found = found_for(parts)
    own = mean_variance(parts, SIZES)
    turns = [(tuple(range(count)), found.parts_per_person)]
    assert mean_variance(found.parts, SIZES, rotations=turns) <= own
    assert found.epsilon < count * epsilon
    # A hundredth less of each part is too little, however many parts are asked.
    for asked in range(2, count):
        less = coins(count, found.epsilon / asked - 0.02, questions)
        assert mean_variance(less, SIZES, rotations=[(tuple(range(count)), asked)]) > own


def test_epsilon_is_the_largest_sum_that_one_device_can_be_asked() -> None:
    parts = [*coins(2, 0.5), *coins(2, 0.5, questions=3)]
    found = found_for(parts)
    sums = [
        math.fsum(chosen) for chosen in itertools.combinations(found.part_epsilons, found.parts_per_person)
    ]
    assert found.epsilon == pytest.approx(max(sums))
    for part, epsilon in zip(found.parts, found.part_epsilons, strict=True):
        assert epsilon == pytest.approx(math.log1p(part.truth / (1 - part.truth) * 2**part.questions))


def test_choices_keep_their_kinds_and_are_drawn_evenly() -> None:
    choice = AskedQuestion(items=3, exclusive=True, unrelated=(0.5, 0.3, 0.2))
    parts = [AskedPart(questions=1, truth=0.2, kinds=(choice,)), *coins(3, 0.5)]
    assert found_for(parts).parts[0].asked_questions == (AskedQuestion(items=3, exclusive=True),)


def test_no_part_is_above_the_ceilings() -> None:
    parts = coins(5, 1.5, questions=2)
    free, kept = found_for(parts), found_for(parts, most_odds=3.5)
    assert max(map(odds_of_one, free.parts)) > 3.5 >= max(map(odds_of_one, kept.parts))
    assert kept.parts_per_person > free.parts_per_person
    assert parts_in_turn(parts, n=MANY, sizes=SIZES, skips=[False] * 5, most_epsilon=1.5) is None


def test_what_one_device_is_asked_is_never_above_its_ceiling() -> None:
    parts = coins(6, 0.5)
    free = found_for(parts)
    assert free.epsilon < 3
    assert found_for(parts, most_of_device=free.epsilon) == free
    # What needs least of all is above it: more parts a person need more.
    less = free.epsilon - 1e-9
    assert parts_in_turn(parts, n=MANY, sizes=SIZES, skips=[False] * 6, most_of_device=less) is None


def test_enough_people_must_be_asked_two_parts_together() -> None:
    parts = coins(6, 0.5)
    # Two of six: 1 of 15 pairs, so 1,500 people; three of six: 1 in 5.
    assert found_for(parts).parts_per_person == 2
    assert found_for(parts).complete == (300, 1500, math.inf)
    assert found_for(parts, n=1499).parts_per_person == 3
    assert parts_in_turn(parts, n=100, sizes=SIZES, skips=[False] * 6) is None


def test_numbers_take_turns_with_the_epsilon_that_keeps_their_error() -> None:
    asked: list[float] = []

    def epsilon_of(share: float) -> float:
        asked.append(share)
        return 1 / share

    found = parts_in_turn(coins(4, 0.5), n=MANY, sizes=SIZES, skips=[False] * 4, numbers=[epsilon_of])
    assert found is not None
    # Of five, the number among them.
    assert asked == pytest.approx([2 / 5, 3 / 5, 4 / 5])
    assert found.number_epsilons == (pytest.approx(5 / found.parts_per_person),)
    largest = sorted((*found.part_epsilons, *found.number_epsilons))[-found.parts_per_person :]
    assert found.epsilon == pytest.approx(math.fsum(largest))
    none = parts_in_turn(
        coins(4, 0.5),
        n=MANY,
        sizes=SIZES,
        skips=[False] * 4,
        numbers=[lambda _share: math.inf],
        most_epsilon=3,
    )
    assert none is None


def test_a_skip_is_one_answer_more() -> None:
    found = parts_in_turn(coins(4, 0.5), n=MANY, sizes=SIZES, skips=[True] * 4)
    assert found is not None
    for part, epsilon in zip(found.parts, found.part_epsilons, strict=True):
        assert epsilon == pytest.approx(math.log1p(part.truth / (1 - part.truth) * 3))


def test_two_parts_have_no_turns_and_none_have_none() -> None:
    assert parts_in_turn(coins(2, 1), n=MANY, sizes=SIZES, skips=[False] * 2) is None
    assert parts_in_turn([], n=MANY, sizes=SIZES, skips=[]) is None
    with pytest.raises(PrivacyError):
        parts_in_turn(coins(3, 1), n=MANY, sizes=SIZES, skips=[False])


def test_three_items_of_two_parts_need_two_parts_together() -> None:
    # Of four, two with questions and two numbers: one in six people is asked both.
    parts = coins(2, 0.5, questions=2)
    near = [lambda share: 0.5 / share] * 2
    found = parts_in_turn(parts, n=MANY, sizes=SIZES, skips=[False] * 2, numbers=near)
    assert found is not None
    share = math.comb(found.parts_per_person, 2) / math.comb(4, 2)
    assert found.complete[1:] == (math.ceil(100 / share), math.ceil(100 / share))
    assert math.isfinite(found.variances[2])


YES_NO = Question(key="lie", kind="yes_no", options=(), unrelated=(5000,))
CHOICE = Question(key="how", kind="single", options=("a", "b", "c"), unrelated=(3000, 3000, 4000))
TICKS = Question(key="which", kind="multi", options=("a", "b"), unrelated=(5000, 2500))


def block(key: str, *questions: Question, booklets: tuple[Booklet, ...] | None = None, **rest: int) -> Block:
    named = tuple(
        Question(key=f"{key}-{one.key}-{number}", kind=one.kind, options=one.options, unrelated=one.unrelated)
        for number, one in enumerate(questions)
    )
    per_person = rest.get("questions_per_person")
    return Block(
        key=key, protected=True, truth_probability=rest.get("p", 5000), refusal=None, asked_if=None,
        questions=named, questions_per_person=per_person, booklets=booklets, light=rest.get("light"),
    )  # fmt: skip


def test_every_kind_has_its_items_and_its_decoys() -> None:
    part = asked_part(block("b", YES_NO, CHOICE, TICKS))
    assert part.asked_questions == (
        AskedQuestion(unrelated=(0.5,)),
        AskedQuestion(items=3, exclusive=True, unrelated=(0.3, 0.3, 0.4)),
        AskedQuestion(items=2, unrelated=(0.5, 0.25)),
    )
    assert part.patterns == 2 * 3 * 4
    assert part.per_person is None
    assert part.inverse_shares is None


def test_a_list_of_sets_counts_by_how_often_each_set_is_asked_together() -> None:
    # 0 stands in both sets, 1 and 2 in one each; 1 and 2 never together.
    part = asked_part(block("b", YES_NO, YES_NO, YES_NO, questions_per_person=2, booklets=((0, 1), (0, 2))))
    assert part.inverse_share(1) == pytest.approx((1 + 2 + 2) / 3)
    assert [part.inverse_share(size) for size in (2, 3)] == [math.inf, math.inf]
