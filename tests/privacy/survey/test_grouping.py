"""Enumerating all classes of draws shows that bodies have exactly the published distribution."""

import copy
import hashlib
import math
from dataclasses import fields, replace
from typing import Any

import pytest

from privacy.coins import SCALE, Coins, words_below
from privacy.risk.budget import budget
from privacy.scales.window import WindowChannel
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block_channel import block_channel, block_rows
from privacy.survey.design import SKIPPED, Block, Design, Question
from privacy.survey.grouping import draw_group
from privacy.survey.layout import Layout
from tests.fixtures.refusals import refused
from tests.vectors.designs import CHOICE, DESIGNS, assigned, choice, live, shielded, study, yes_no
from tests.vectors.scale_designs import NUMBERS, PLACES, scale_block
from tests.vectors.strength_designs import SCALES

YES_NO = yes_no("affair", 3000)


@pytest.mark.parametrize("share", [0, 1, 2700, 9999, 10_000])
def test_exactly_the_assigned_share_of_draws_is_direct(share: int) -> None:
    design = live(shielded("a", 6000, YES_NO), group=assigned(share))
    drawn = [draw_group(design, Coins([draw])) for draw in range(SCALE)]
    assert drawn == [True] * share + [False] * (SCALE - share)


@pytest.mark.parametrize("name", ["one yes/no", "mixed block, choice"])
def test_only_the_assigned_policy_draws_a_group(name: str) -> None:
    coins = Coins([0])
    with refused("group_policy", DESIGNS[name].group.policy):
        draw_group(DESIGNS[name], coins)
    assert coins.words_read == 0


def test_block_rows_vary_the_first_question_slowest_with_skipped_last() -> None:
    block = shielded("a", 5000, YES_NO, choice("drugs", 1, 1, multi=True), refusal=1)
    assert list(block_rows(block))[:5] == [(0, (0, 0)), (0, (0, 1)), (0, (1, 0)), (0, (1, 1)), (1, (0, 0))]
    assert list(block_rows(block))[-1] == SKIPPED
    assert len(list(block_rows(block))) == 9


WAVE = NUMBERS["square wave"]
KEEP = NUMBERS["keep or any"]
USM = PLACES["utility-optimised"]
AGE = WAVE.questions[0]


def test_designs_without_numbers_or_places_keep_their_digests() -> None:
    digests = "".join(design.design_id for design in DESIGNS.values())
    assert (
        hashlib.sha256(digests.encode()).hexdigest()
        == "9ede7e9b457805053258ad18e93822dc980c45599681d4fba09dbd7558c741c8"
    )
    assert {design.mechanism for design in DESIGNS.values()} == {1}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"questions": (AGE, yes_no("affair", 5000))}, "lone"),
        ({"questions": (AGE, replace(AGE, key="other"))}, "lone"),
        ({"protected": False, "truth_probability": 10_000}, "disguise"),
        ({"truth_probability": 5000}, "truth_probability"),
        ({"refusal": 2000}, "refusal_low"),
        ({"refusal": 10_000}, "refusal"),
    ],
)
def test_disguised_numbers_need_their_own_protected_block(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        replace(WAVE.blocks[0], **changes)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"disguise": None}, "disguise"),
        ({"disguise": USM.questions[0].disguise}, "disguise"),
        ({"unrelated": (5000,)}, "unrelated_probability"),
        ({"options": ("young",)}, "malformed"),
        ({"kind": "yes_no"}, "disguise"),
    ],
)
def test_number_questions_accept_only_their_own_disguise(changes: dict[str, Any], code: str) -> None:
    stated = {field.name: getattr(AGE, field.name) for field in fields(AGE)}
    with refused(code):
        Question(**stated | changes)


def test_copying_a_question_cannot_change_its_kind() -> None:
    with refused("kind", "yes_no"):
        replace(AGE, kind="yes_no")


def test_items_need_a_disguise_with_a_retention_probability() -> None:
    assert isinstance(AGE.disguise, WindowChannel)
    with refused("disguise", "age"):
        replace(AGE, options=("young",), disguise=replace(AGE.disguise, spans=((0, 2),)))
    assert KEEP.questions[0].item_keys == ("age=young", "age=middle")
    with refused("duplicate_key"):
        replace(KEEP.questions[0], options=("young", "young"))


def test_live_designs_reject_numbers_without_a_privacy_bound() -> None:
    shift = NUMBERS["shift, study"].blocks[0]
    with refused("disguise", "shift"):
        live(shift)
    assert study(shift).mechanism == 2


def test_the_blocks_determine_the_mechanism_number() -> None:
    assert live(shielded("a", 5000, yes_no("x", 5000))).mechanism == 1
    for wrong in (1, 3, True, "2"):
        with refused("mechanism", repr(wrong)):
            replace(WAVE, mechanism=wrong)  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("floor",), 1048576, "malformed"),
        (("floor",), "01", "malformed"),
        (("floor",), "-1", "malformed"),
        (("floor",), "9" * 402, "malformed"),
        (("range", "bin"), 7, "range"),
        (("range",), {"low": 0, "high": 9}, "malformed"),
        (("spans",), None, "spans"),
        (("more",), 1, "malformed"),
        (("window",), "5", "disguise"),
    ],
)
def test_malformed_disguises_are_rejected(path: tuple[str, ...], value: object, code: str) -> None:
    document = copy.deepcopy(WAVE.to_json())
    part = document["blocks"][0]["questions"][0]["disguise"]
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    with refused(code):
        Design.from_json(document)


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("area", "rows"), 0, "too_large"),
        (("area",), None, "malformed"),
        (("levels",), {}, "malformed"),
        (("levels", 0, "numerator"), 7, "malformed"),
        (("levels", 0, "rectangles", 0), [1, 1, 4], "rectangle"),
        (("levels", 0, "snap"), 0, "disguise"),
        (("regions",), "east", "regions"),
    ],
)
def test_malformed_maps_are_rejected(path: tuple[Any, ...], value: object, code: str) -> None:
    document = copy.deepcopy(USM.to_json())
    part: Any = document["blocks"][0]["questions"][0]["disguise"]
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    with refused(code):
        Design.from_json(document)


def test_disguised_bodies_hold_outputs_and_direct_bodies_bins() -> None:
    design = live(scale_block("age", AGE.disguise), group=CHOICE)
    layout = Layout(design)
    # Twelve bins and sixteen outputs both need four bits.
    assert layout.value_bits(0) == (2, 4)
    assert layout.unpack(bytes([0b0_1_1111_00])).answers == ((15,),)
    assert layout.unpack(bytes([0b1_1_1011_00])).answers == ((11,),)
    with refused("option", "12"):
        layout.unpack(bytes([0b1_1_1100_00]))
    with refused("routing"):
        layout.unpack(bytes([0b0_0_0000_00]))


def test_coin_functions_reject_number_blocks_and_vice_versa() -> None:
    block: Block = WAVE.blocks[0]
    with refused("lone"):
        unrelated_probability(block, (0,))
    with refused("not_lone"):
        _ = shielded("a", 5000, yes_no("x", 5000)).disguise
    assert block_channel(block) == AGE.disguise.channel


def test_partial_map_epsilons_are_excluded_from_the_total() -> None:
    number, place = KEEP.blocks[0], USM.blocks[0]
    both = budget(live(number, place, shielded("a", 5000, yes_no("x", 5000))))
    keep, usm, coin = both.blocks
    assert usm.exact_outside
    assert (usm.amplification, keep.exact_outside, coin.exact_outside) == (7 / 2, False, False)
    assert both.epsilon == keep.epsilon + coin.epsilon
    assert keep.amplification == KEEP.questions[0].disguise.amplification
    whole = budget(PLACES["square mechanism"])
    assert whole.epsilon == whole.blocks[0].epsilon > 2


def test_questions_without_items_have_no_item_column() -> None:
    design = live(scale_block("age", AGE.disguise), shielded("a", 5000, yes_no("x", 5000)))
    assert [item.key for item in design.items] == ["x"]
    assert isinstance(design.questions[0], Question)
    assert design.n_columns == 1 + 2 + 2


def test_one_draw_serves_both_strengths() -> None:
    block = SCALES["square wave"].blocks[0]
    totals = [block.in_group(direct=direct).scale_total for direct in (False, True)]
    assert block.scale_total == math.lcm(*totals)
    assert (AGE.patterns, AGE.n_draws) == (AGE.scale.inputs, words_below(AGE.scale.total))
    assert WAVE.blocks[0].truth == 0
    assert KEEP.blocks[0].truth == KEEP.questions[0].scale.retention_probability
    assert block.scale_sent(None, 0) is None


@pytest.mark.parametrize(
    ("draw", "place", "by_device", "by_invitation"), [(0, 9999, True, False), (9999, 0, False, True)]
)
def test_an_invitation_decides_the_group_only_if_the_design_says_so(
    draw: int, place: int, by_device: bool, by_invitation: bool
) -> None:
    block = replace(shielded("a", 6000, yes_no("affair", 5000)), light=9000)
    free = Design(blocks=(block,), group=assigned(3000), use="live")
    invited = Design(blocks=(block,), group=assigned(3000), use="live", invited="group")
    assert draw_group(free, Coins([draw]), place=place) == by_device
    assert draw_group(invited, Coins([draw])) == by_device
    assert draw_group(invited, Coins([draw]), place=place) == by_invitation
