"""Parts of a design as a planner computes with them: kinds, lists of sets, and parts in turn."""

from __future__ import annotations

import math

import pytest

from privacy.planning.asked_parts import asked_part, mean_variance_of
from privacy.planning.part_variance import AskedPart, AskedQuestion, mean_variance
from privacy.survey.block import Block
from privacy.survey.booklets import Booklet, Rotation
from privacy.survey.design import Design
from privacy.survey.group_policy import GroupPolicy
from privacy.survey.question import Question

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


def test_two_strengths_count_by_the_strong_one() -> None:
    strong, both = block("b", YES_NO, YES_NO), block("b", YES_NO, YES_NO, light=8000)
    policy = GroupPolicy(policy="choice")
    found = [
        mean_variance_of(Design(blocks=(one,), group=group, use="live"), (1, 2))
        for one, group in ((strong, GroupPolicy()), (both, policy))
    ]
    assert found[0] == found[1]


def test_parts_in_turn_are_asked_of_as_many_people_as_draw_them() -> None:
    blocks = tuple(block(key, YES_NO) for key in "abc")
    rotation = Rotation(blocks=("a", "b", "c"), parts_per_person=2)
    design = Design(blocks=blocks, group=GroupPolicy(), use="live", rotations=(rotation,))
    parts = [AskedPart(questions=1, truth=0.5)] * 3
    assert mean_variance_of(design, (1, 2)) == mean_variance(parts, (1, 2), rotations=[((0, 1, 2), 2)])
