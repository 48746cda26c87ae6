"""Arms are drawn with their shares, on the device or by an invitation, and impossible ones are refused."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey.arms import arm_at, draw_arms, invited_arms, invited_draw
from privacy.survey.design import Block, Condition, Design, Question
from privacy.survey.layout import Layout
from privacy.survey.rotation import Rotation
from privacy.survey.true_answers import read_answers
from tests.fixtures.refusals import refused
from tests.vectors.arm_designs import DESIGNS as ARM_DESIGNS
from tests.vectors.arm_designs import arms
from tests.vectors.designs import (
    PROTECTED,
    assigned,
    opened,
    shielded,
    yes_no,
)
from tests.vectors.rotation_designs import fair


def live_arms(*blocks: Block, **more: Any) -> Design:
    return Design(blocks=blocks, group=PROTECTED, use="live", **more)


def question(*shares: int, **more: Any) -> Question:
    options = tuple(f"o{number}" for number in range(len(shares)))
    given: dict[str, Any] = {"kind": "single", "options": options, "unrelated": (), "shares": shares, **more}
    return Question(key="told", **given)


@pytest.mark.parametrize("shares", [(1000, 9000), (3333, 3333, 3334), (1000, 1000, 1000, 2000, 2000, 3000)])
def test_each_arm_gets_draws_in_proportion_to_its_share(shares: tuple[int, ...]) -> None:
    told = question(*shares)
    drawn = [arm_at(told, draw) for draw in range(10_000)]
    assert tuple(drawn.count(arm) for arm in range(len(shares))) == shares
    assert all(first <= second for first, second in pairwise(drawn))


@pytest.mark.parametrize(
    ("shares", "more"),
    [
        ((999, 9001), {}),
        ((5000, 5001), {}),
        ((5000, 4000, 1000), {"options": ("a", "b")}),
        ((2000, 2000, 2000, 1000, 1000, 1000, 1000), {}),
        ((5000, 5000), {"kind": "multi"}),
        ((5000, 5000), {"unrelated": (5000, 5000)}),
        ((5000.0, 5000), {}),
        ((True, 9999), {}),
    ],
)
def test_invalid_arm_shares_are_rejected(shares: tuple[int, ...], more: dict[str, Any]) -> None:
    with pytest.raises(PrivacyError) as refused:
        question(*shares, **more)
    assert refused.value.code == "arms"


def test_arm_questions_are_unconditional_alone_and_at_most_three() -> None:
    told, city = arms("told", 5000, 5000), opened("you", yes_no("city"))
    two = replace(told, questions=(*told.questions, yes_no("other")))
    sometimes = replace(told, asked_if=Condition(question="city", options=("yes",)))
    for blocks in ((two, fair("a", 1)), (city, sometimes, fair("a", 1))):
        with pytest.raises(PrivacyError) as refused:
            live_arms(*blocks)
        assert (refused.value.code, refused.value.case) == ("arms", "arms.block")
    many = tuple(arms(key, 5000, 5000) for key in "abcd")
    assert live_arms(*many[:3], fair("x", 1)).arms == (0, 1, 2)
    with pytest.raises(PrivacyError) as refused:
        live_arms(*many, fair("x", 1))
    assert refused.value.case == "arms.many"
    with pytest.raises(PrivacyError):
        live_arms(told, fair("x", 1), rotations=(Rotation(blocks=("told", "x"), parts_per_person=1),))


def test_rows_without_their_arm_are_refused() -> None:
    design = ARM_DESIGNS["two arms"]
    for answers in ({"a": {"a0": 1, "a1": 0}}, {"told": {}, "a": {"a0": 1, "a1": 0}}):
        with pytest.raises(PrivacyError) as refused:
            read_answers(design, answers)
        assert refused.value.case == "arms.missing"
    # The bits are group, presence and value of the arm, then both answers.
    assert Layout(design).unpack(bytes([0b0_11_11_110])).answers == ((1,), (1, 1))
    with pytest.raises(PrivacyError) as refused:
        Layout(design).unpack(bytes([0b0_00_11_110]))
    assert refused.value.case == "arms.missing"


def test_designs_with_arms_need_shares_and_mechanism_6() -> None:
    design = ARM_DESIGNS["two arms"]
    document = design.to_json()
    assert document["mechanism"] == 6
    assert Design.from_json(document) == design
    plain = live_arms(opened("told", question(5000, 5000)), fair("a", 1))
    assert plain.mechanism == 6
    without = replace(
        plain, blocks=(opened("told", replace(question(5000, 5000), shares=())), fair("a", 1)), mechanism=0
    )
    assert without.mechanism == 1
    assert "shares" not in str(without.to_json())
    written: Any = without.to_json()
    written["blocks"][0]["questions"][0]["shares"] = []
    with pytest.raises(PrivacyError) as refused:
        Design.from_json(written)
    assert refused.value.code == "malformed"


def test_invitations_are_counted_by_arm() -> None:
    told = question(5000, 5000)
    block = opened("told", told)
    design = live_arms(block, shielded("a", 6000, yes_no("affair", 5000)), invited="told")
    digests = [number.to_bytes(32, "big") for number in range(200)]
    counts = invited_arms(design, digests, survey="work")
    drawn = [invited_draw(digest, survey="work", decision="told") < 5000 for digest in digests]
    assert counts == {"o0": drawn.count(True), "o1": drawn.count(False)}
    assert invited_arms(live_arms(block), digests, survey="work") == {}


def test_invitations_cannot_assign_unknown_questions_or_tiny_shares() -> None:
    protected = shielded("a", 6000, yes_no("affair", 5000))
    with refused("invited_arm", "nowhere"):
        live_arms(opened("told", question(5000, 5000)), protected, invited="nowhere")
    with refused("invited_arm"):
        Design(blocks=(replace(protected, light=9000),), group=assigned(1), use="live", invited="group")
    with refused("arms"):
        live_arms(opened("told", replace(question(5000, 5000), key="group")), protected)


def test_an_invitation_determines_only_the_arm_that_it_is_for() -> None:
    """Both questions have two even arms; the invitation's number is in the second half."""
    told, shown = question(5000, 5000), replace(question(5000, 5000), key="shown")
    blocks = opened("told", told), opened("shown", shown), shielded("a", 6000, yes_no("affair", 5000))
    invited, free = live_arms(*blocks, invited="told"), live_arms(*blocks)
    for draws in ((0, 0), (0, 9999), (9999, 0)):
        by_device = tuple(int(draw >= 5000) for draw in draws)
        assert draw_arms(invited, Coins(draws), place=9999) == (1, by_device[1])
        assert draw_arms(invited, Coins(draws)) == by_device
        assert draw_arms(free, Coins(draws), place=9999) == by_device
