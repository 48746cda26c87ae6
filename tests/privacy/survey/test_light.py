from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest

from privacy.coins import SCALE, Coins, words_below
from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.number_range import NumberRange
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skips import least_refusal
from privacy.scales.window import WindowChannel
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block_channel import block_channel, block_rows
from privacy.survey.design import SKIPPED, Block, Design, GroupPolicy
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout, Record
from tests.fixtures.refusals import refused
from tests.vectors.designs import CHOICE, assigned, choice, live, opened, shielded, study, yes_no
from tests.vectors.scale_designs import PARTS, places, scale_block
from tests.vectors.strength_designs import COINS, SCALES, lightly

YES_NO, MOOD = yes_no("affair", 3000), choice("mood", 2000, 3000, 5000)

COIN = lightly(shielded("a", 4500, YES_NO, MOOD, refusal=1250), 7000)

TICKS = NumberRange(low=0, high=2)

KEPT_NUMBER = WindowChannel(
    mechanism="keep", range=TICKS, window=1, floor=1, peak=4,
    spans=((0, 0),),
)  # fmt: skip

WAVE = replace(KEPT_NUMBER, mechanism="wave", window=3, floor=2, peak=3, spans=())

NARROW = replace(WAVE, window=1, floor=1, peak=6)

COINS_ALONE = replace(WAVE, mechanism="duchi", window=0, floor=0, peak=0, coin=8, lean=2, step=2)

ROW = Area(west=0, south=0, east=40, north=10, columns=4, rows=1)


def _squares(numerator: int, width: int) -> PlanarWindowChannel:
    whole = (0, 0, 4, 1)
    level = PlanarLevel(numerator=numerator, denominator=1, rectangles=(whole,), frames=((*whole, width, 1),))
    return PlanarWindowChannel(mechanism="sm", area=ROW, levels=(level,))


NUMBER = lightly(scale_block("n", WAVE), NARROW)

KEPT = lightly(replace(scale_block("n", KEPT_NUMBER, "none"), refusal=2500), replace(KEPT_NUMBER, peak=9))

PLACE = lightly(replace(scale_block("home", _squares(3, 2)), refusal=4000), _squares(5, 1))


def _answers(block: Block, row: Any) -> dict[str, Any]:
    if row == SKIPPED:
        return {block.key: SKIPPED}
    keys = (question.key for question in block.questions)
    return {block.key: dict(zip(keys, row, strict=True))}


def _sent(record: Record) -> Any:
    return SKIPPED if record.refused[0] else record.answers[0]


def _coin_law(block: Block, true: Any, *, direct: bool) -> dict[Any, Fraction]:
    """Run the device once for each class of draws, and sum the probabilities."""
    design = live(block, group=CHOICE)
    edges = [[block.truth_probability, block.light]]
    edges += [] if block.refusal is None else [[block.refusal]]
    for question in block.questions:
        edges.append(list(question.cumulative) if question.kind == "single" else list(question.unrelated))
    law: dict[Any, Fraction] = defaultdict(Fraction)
    for draws in product(*([0, *(edge for edge in each if edge < SCALE)] for each in edges)):
        ends = [
            min(edge for edge in [*each, SCALE] if edge > draw)
            for draw, each in zip(draws, edges, strict=True)
        ]
        record = disguise(design, _answers(block, true), direct=direct, coins=Coins(draws))
        weight = Fraction(1)
        for draw, end in zip(draws, ends, strict=True):
            weight *= Fraction(end - draw, SCALE)
        law[_sent(record)] += weight
    return law


def _scale_law(block: Block, true: Any, *, direct: bool) -> dict[Any, Fraction]:
    """Run the device with the first and last draw of each class, and sum the classes' shares.

    A draw below L is the group's own draw times L / T. With a skip, it is then divided by 10,000 - r; results
    below the disguise's total are its draws, and others are skips.
    """
    design, mine = live(block, group=CHOICE), block.in_group(direct=direct)
    assert mine is not None
    assert words_below(block.scale_total) == 1
    kept = 1 if block.refusal is None else SCALE - block.refusal
    starts = [kept * inner for inner in range(mine.disguise.total + 1)]
    if starts[-1] == mine.scale_total:
        starts.pop()
    wide = block.scale_total // mine.scale_total
    law: dict[Any, Fraction] = defaultdict(Fraction)
    for start, end in pairwise([*starts, mine.scale_total]):
        sent = {
            _sent(disguise(design, _answers(block, true), direct=direct, coins=Coins([draw])))
            for draw in (wide * start, wide * end - 1)
        }
        assert len(sent) == 1
        law[sent.pop()] += Fraction(end - start, mine.scale_total)
    return law


@pytest.mark.parametrize("direct", [False, True])
def test_coin_blocks_follow_the_channel_of_their_group(direct: bool) -> None:
    rows = list(block_rows(COIN))
    p = Fraction(7000 if direct else 4500, SCALE)
    channel = block_channel(COIN, direct=direct)
    for column, true in enumerate(rows):
        law = _coin_law(COIN, true, direct=direct)
        assert sum(law.values()) == 1
        for row, observed in enumerate(rows):
            published = p * (true == observed) + (1 - p) * unrelated_probability(COIN, observed)
            assert law[observed] == published == channel[row, column]


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("block", [NUMBER, KEPT, PLACE], ids=["number", "skipped number", "skipped place"])
def test_numbers_and_places_follow_the_channel_of_their_group(block: Block, direct: bool) -> None:
    channel = block_channel(block, direct=direct)
    truths = [*((value,) for value in range(block.patterns)), *([] if block.refusal is None else [SKIPPED])]
    shown = [(value,) for value in range(block.scale_outputs(direct=direct))]
    shown += [] if block.refusal is None else [SKIPPED]
    for column, true in enumerate(truths):
        law = _scale_law(block, true, direct=direct)
        assert sum(law.values()) == 1
        assert [law[row] for row in shown] == [channel[row, column] for row in range(len(channel.matrix))]


def test_both_groups_use_the_same_number_of_random_words() -> None:
    for block in (NUMBER, KEPT, PLACE):
        design, total = live(block, group=CHOICE), block.scale_total
        top = (1 << (total - 1).bit_length()) - 1
        assert total <= top, "some draws are thrown away"
        answers = _answers(block, (0,))
        for draw in {0, 1, total // 3, total - 1, total, top}:
            used = set()
            for direct in (False, True):
                coins = Coins([draw, 0])
                disguise(design, answers, direct=direct, coins=coins)
                used.add(coins.words_read)
            assert used == {1 if draw < total else 2}


def test_designs_without_a_light_strength_are_unchanged() -> None:
    design = live(shielded("a", 4500, YES_NO), scale_block("n", WAVE), group=CHOICE)
    assert "light" not in str(design.to_json())
    assert design.mechanism == 2
    # A direct row contains the bin itself, although Duchi's mechanism has two outputs for three bins.
    block = scale_block("n", COINS_ALONE)
    assert (block.scale_outputs(direct=True), block.scale_outputs(direct=False)) == (3, 2)
    assert Layout(live(block, group=CHOICE)).value_bits(0)[1] == 2
    lighter = lightly(block, replace(COINS_ALONE, coin=10, lean=1, step=4))
    assert Layout(live(lighter, group=CHOICE)).value_bits(0)[1] == 1
    assert block_channel(design.blocks[0], direct=True).matrix == ((1, 0), (0, 1))


def test_rows_accept_only_outputs_of_their_group() -> None:
    layout = Layout(live(NUMBER, group=CHOICE))
    assert [NUMBER.scale_outputs(direct=direct) for direct in (False, True)] == [5, 3]
    fifth = Record(direct=False, answers=((4,),), refused=(False,))
    assert layout.unpack(layout.pack(fifth)) == fifth
    with refused("option", 4):
        layout.pack(replace(fifth, direct=True))
    with refused("option", 4):
        layout.unpack(bytes([layout.pack(fifth)[0] | 0x80]))


def test_designs_report_whether_they_send_undisguised_answers() -> None:
    strong = shielded("a", 4500, YES_NO, refusal=1250)
    cases = [
        (live(strong, group=CHOICE), False, True),
        (live(strong), False, False),
        (live(strong, group=assigned(0)), False, False),
        (live(strong, group=assigned(10_000)), False, True),
        (live(opened("you", yes_no("city")), group=CHOICE), False, False),
        (live(COIN, group=CHOICE), True, False),
        (live(COIN, group=assigned(3000)), True, False),
    ]
    for design, two, undisguised in cases:
        assert (design.has_two_strengths, design.sends_undisguised) == (two, undisguised)


def test_in_group_gives_a_single_strength_design() -> None:
    design = live(opened("you", yes_no("city")), COIN, PLACE, group=assigned(3000))
    strong, light = (design.in_group(direct=direct) for direct in (False, True))
    assert strong is not None
    assert light is not None
    assert strong == live(design.blocks[0], replace(COIN, light=None), replace(PLACE, light=None))
    assert [block.truth_in(direct=True) for block in design.blocks] == [block.truth for block in light.blocks]
    assert light.blocks[2].disguise == PLACE.light
    for mine in (strong, light):
        assert (mine.mechanism, mine.group) == (2, GroupPolicy())
    assert live(shielded("a", 4500, YES_NO), group=CHOICE).in_group(direct=True) is None
    assert live(shielded("a", 4500, YES_NO)).in_group(direct=True) is None
    assert live(COIN, group=assigned(10_000)).in_group(direct=False) is None


@pytest.mark.parametrize("light", [4500, 4499, 0, 10_000, True, 0.8, "8000", KEPT_NUMBER], ids=repr)
def test_light_truth_probability_must_lie_between_the_strong_one_and_one(light: object) -> None:
    with refused("light", "light"):
        lightly(shielded("a", 4500, YES_NO), light)  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize(
    ("strong", "light", "case"),
    [
        (scale_block("n", WAVE), 8000, "light.disguise"),
        (scale_block("n", WAVE), replace(NARROW, range=NumberRange(low=0, high=3)), "light.disguise"),
        (scale_block("n", WAVE), replace(NARROW, spans=((0, 0),)), "light.disguise"),
        (scale_block("n", WAVE), _squares(5, 1), "light.disguise"),
        (scale_block("n", WAVE), replace(NARROW, floor=0), "light.unbounded"),
        (scale_block("n", replace(COINS_ALONE, coin=4, lean=0)), NARROW, "light.unbounded"),
        (scale_block("n", WAVE), replace(NARROW, floor=2, peak=3), "light.weak"),
        (scale_block("home", places("usm", PARTS)), places("usm", replace(PARTS, numerator=9)),
         "light.unbounded"),
        (scale_block("n", KEPT_NUMBER, "none"), replace(NARROW, window=3, spans=((0, 0),)), "light.items"),
    ],
)  # fmt: skip
def test_light_disguises_need_the_same_answers_and_hide_less(strong: Block, light: Any, case: str) -> None:
    with pytest.raises(PrivacyError) as caught:
        lightly(strong, light)
    assert caught.value.case == case


def test_the_strength_without_a_bound_is_named() -> None:
    unbounded = replace(COINS_ALONE, coin=4, lean=0)
    for strong, light in ((unbounded, NARROW), (WAVE, unbounded)):
        with refused("light", "duchi"):
            lightly(scale_block("n", strong), light)


def test_skips_reveal_no_more_than_answers_at_either_strength() -> None:
    wide = replace(NARROW, window=2, floor=1, peak=6)
    least = least_refusal(WAVE)
    assert least_refusal(wide) <= least
    assert lightly(replace(scale_block("n", WAVE), refusal=least), wide).light == wide
    strong = replace(WAVE, window=1)
    assert least_refusal(strong) < least_refusal(wide)
    with refused("refusal_low"):
        lightly(replace(scale_block("n", strong), refusal=least_refusal(strong)), wide)


def test_all_or_no_protected_blocks_have_a_light_strength() -> None:
    with refused("light", "policy"):
        live(COIN)
    with refused("light", "b has no light strength"):
        live(COIN, shielded("b", 4500, yes_no("late", 5000)), group=CHOICE)
    with refused("light", "you"):
        lightly(opened("you", yes_no("city")), 8000)
    with refused("mechanism", 2):
        Design(blocks=(COIN,), group=CHOICE, use="live", mechanism=2)
    assert study(lightly(shielded("a", 0, YES_NO), 1), group=CHOICE).mechanism == 3


@pytest.mark.parametrize("name", [*COINS, *SCALES])
def test_each_design_has_only_one_valid_json(name: str) -> None:
    design = (COINS | SCALES)[name]
    document = design.to_json()
    assert Design.from_json(document) == design
    place = next(number for number, block in enumerate(design.blocks) if block.protected)
    is_scale = design.blocks[place].is_scale
    for light, code in (
        (None, "malformed"),
        ({}, "malformed" if is_scale else "light"),
        ([], "malformed"),
        ("8000", "light"),
    ):
        document["blocks"][place]["light"] = light
        with refused(code):
            Design.from_json(document)
