"""Blocks of which rows near the true one are sent: what they are, cost and refuse."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.risk.budget import block_budget, budget, question_odds
from privacy.survey import Block, Design, GroupPolicy
from privacy.survey.grouping import block_channel, block_rows, disguise
from tests.vectors.designs import choice, opened, shielded, yes_no
from tests.vectors.near_designs import near
from tests.vectors.rotation_designs import fair, rotating


def live(*blocks: Block, use: str = "live") -> Design:
    return Design(blocks=blocks, group=GroupPolicy(), use=use)


def test_without_a_radius_the_json_and_the_digest_are_what_they_were() -> None:
    plain = live(fair("a", 4))
    assert set(plain.to_json()["blocks"][0]).isdisjoint({"mechanism", "radius"})
    assert plain.mechanism == 1
    close = live(near(fair("a", 4), 1))
    assert (close.mechanism, close.to_json()["blocks"][0]["mechanism"]) == (5, "near_truth")
    assert close.design_id != plain.design_id


def test_radius_0_uses_the_same_words_and_sends_the_same_as_the_block_without_one() -> None:
    plain, close = live(fair("a", 2)), live(near(fair("a", 2), 0))
    assert plain.draws == close.draws
    assert block_channel(plain.blocks[0]) == block_channel(close.blocks[0])
    for values, coin, decoys in itertools.product(
        itertools.product((0, 1), repeat=2), (4999, 5000), itertools.product((4999, 5000), repeat=2)
    ):
        answers = {"a": dict(zip(("a0", "a1"), values, strict=True))}
        sent = [
            disguise(design, answers, direct=False, coins=Coins([coin, *decoys])).answers
            for design in (plain, close)
        ]
        assert sent[0] == sent[1]
    assert block_budget(plain.blocks[0]) == block_budget(close.blocks[0])
    assert question_odds(plain.blocks[0]) == question_odds(close.blocks[0])


@pytest.mark.parametrize("radius", [0, 1, 2, 3])
def test_what_a_device_sends_over_all_words_is_the_channel_of_the_block(radius: int) -> None:
    block = near(fair("a", 4, p=5000), radius)
    law = block.near
    assert law is not None
    design, channel = live(block, use="study"), block_channel(block)
    rows = list(block_rows(block))
    for true, values in enumerate(rows):
        answers = {"a": {f"a{place}": value for place, value in enumerate(values)}}
        sent: Counter[tuple[object, ...]] = Counter()
        # Coins and decoys decide by a threshold in the middle: two words of each kind stand for all.
        for coins in itertools.product((0, 5000), repeat=5):
            for number in range(law.ball):
                stream = Coins([*coins, number])
                sent[disguise(design, answers, direct=False, coins=stream).answers[0]] += 1
        total = sent.total()
        assert [Fraction(sent[row], total) for row in rows] == [channel[y, true] for y in range(len(rows))]


def test_epsilon_follows_from_the_coin_and_the_odds_of_one_question_from_its_factor() -> None:
    ten = near(fair("a", 10, p=8121), 1)
    gamma = 1 + Fraction(8121 * 1024, 1879 * 11)
    assert block_budget(ten).amplification == gamma
    assert block_budget(ten).epsilon == pytest.approx(math.log(gamma))
    assert 5.999 < block_budget(ten).epsilon < 6
    b = Fraction(8121, 10_000) * Fraction(9, 11)
    assert question_odds(ten) == (1 + b) / (1 - b)
    six = near(rotating(fair("a", 10, p=5000), 6), 1)
    assert block_budget(six).amplification == 1 + Fraction(64, 7)
    assert budget(live(six)).epsilon == pytest.approx(math.log(71 / 7))


def test_each_strength_has_a_coin_of_its_own() -> None:
    block = replace(near(fair("a", 4, p=4000), 1), light=8000)
    light, strong = block.in_group(direct=True), block.in_group(direct=False)
    assert light is not None
    assert strong is not None
    assert light.near is not None
    assert strong.near is not None
    assert (light.near.truth, strong.near.truth) == (Fraction(4, 5), Fraction(2, 5))
    assert block_budget(light).epsilon > block_budget(strong).epsilon
    assert block.most_together == 4


@pytest.mark.parametrize(
    ("make", "case"),
    [
        (lambda: near(shielded("a", 5000, yes_no("x", 5000), choice("m", 5000, 5000)), 1), "radius.kind"),
        (lambda: near(opened("a", yes_no("x"), yes_no("y")), 1), "radius.kind"),
        (lambda: near(shielded("a", 5000, yes_no("x", 5000), yes_no("y", 4999)), 1), "radius.unrelated"),
        (lambda: near(fair("a", 3, refusal=2000), 1), "radius.refusal"),
        (lambda: near(fair("a", 3), 3), "radius"),
        (lambda: near(fair("a", 3), -1), "radius"),
        (lambda: near(fair("a", 3), True), "radius"),
        (lambda: near(rotating(fair("a", 5), 2), 2), "radius"),
    ],
)
def test_what_the_law_does_not_hold_is_refused(make: object, case: str) -> None:
    with pytest.raises(PrivacyError) as refused:
        make()
    assert refused.value.code == "radius"
    assert refused.value.message


def test_a_live_design_of_which_pairs_cannot_be_counted_is_refused_and_a_study_is_not() -> None:
    lost = near(fair("a", 3, p=6667), 1)
    assert lost.most_together == 1
    with pytest.raises(PrivacyError) as refused:
        live(lost)
    assert refused.value.code == "radius"
    assert "2 answers together" in str(refused.value)
    assert live(lost, use="study").blocks[0] == lost
    # One question alone has no pairs.
    assert live(near(fair("a", 1), 0)).blocks[0].most_together == 1


@pytest.mark.parametrize(
    "change",
    [
        {"mechanism": "near_truth"},
        {"radius": 1},
        {"mechanism": "keep", "radius": 1},
        {"mechanism": None, "radius": 1},
        {"mechanism": "near_truth", "radius": None},
    ],
)
def test_a_document_that_says_half_of_it_is_refused(change: dict[str, object]) -> None:
    document = live(fair("a", 4)).to_json()
    document["blocks"][0] |= change
    with pytest.raises(PrivacyError) as refused:
        Design.from_json(document)
    assert refused.value.code == "malformed"


def test_an_older_version_of_the_law_is_refused() -> None:
    document = live(near(fair("a", 4), 1)).to_json()
    with pytest.raises(PrivacyError) as refused:
        Design.from_json(document | {"mechanism": 1})
    assert refused.value.code == "mechanism"
