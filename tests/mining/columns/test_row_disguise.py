"""Rows that are disguised together are, body by body, what each device would send under the same words."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mining.columns.row_disguise import disguise_bodies, lay_out
from privacy.coins import Coins
from privacy.survey.design import Condition, Design, GroupPolicy
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from privacy.survey.rotation import draw_questions
from tests.fixtures.devices import true_answers
from tests.fixtures.questionnaires import EVERYTHING
from tests.privacy.survey.test_rotation import MIXED, MONEY, ROTATED, design_of
from tests.privacy.test_row_coins import Given
from tests.vectors.designs import DESIGNS, ROUTED
from tests.vectors.scale_designs import NUMBERS, OPEN_NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE
from tests.vectors.strength_designs import COINS, SCALES

ALL_KINDS = SCALES["all kinds, drawn"]
CITY = Condition(question="city", options=("yes",))
OF_THE_CITY = replace(
    ALL_KINDS,
    blocks=(ALL_KINDS.blocks[0], *(replace(block, asked_if=CITY) for block in ALL_KINDS.blocks[1:])),
)
"""Every kind of question is asked of some people only."""

OTHERS = {
    "every kind": EVERYTHING,
    "of the city": OF_THE_CITY,
    "rotating": ROTATED,
    "rotating, two strengths": design_of(
        replace(MONEY, light=8000), replace(MIXED, light=7000), group=GroupPolicy(policy="choice")
    ),
}
LAWS: dict[str, Design] = {
    f"{number} {name}": design
    for number, some in enumerate(
        (DESIGNS, ROUTED, NUMBERS, OPEN_NUMBERS, PLACES, TILES_OF_ANY_SIZE, SKIPS, COINS, SCALES, OTHERS)
    )
    for name, design in some.items()
}
N = 40


def sent_undisguised(law: Design) -> Design:
    """The same questions of people who may send their answers as they are."""
    blocks = tuple(replace(block, light=None) for block in law.blocks)
    return replace(law, blocks=blocks, group=GroupPolicy(policy="choice"), use="study", mechanism=0)


def asked(design: Design, rng: random.Random) -> dict[str, Any]:
    """What one device asks and is answered, as `disguise` takes both."""
    drawn = draw_questions(design, coins_of(rng)) if design.rotates else None
    answers = true_answers(design, rng)
    for block, positions in zip(design.blocks, drawn or (), strict=bool(drawn)):
        given = answers.get(block.key)
        if block.key in answers and not positions:
            del answers[block.key]
        elif isinstance(given, dict) and block.is_rotating:
            answers[block.key] = {block.questions[at].key: given[block.questions[at].key] for at in positions}
    return {"answers": answers, "drawn": drawn}


def coins_of(rng: random.Random) -> Coins:
    return Coins(iter(lambda: rng.getrandbits(32), None))


def strengths(law: Design) -> list[tuple[Design, bool]]:
    """Both strengths where there are two, else the strong one, which then holds for all."""
    if law.has_two_strengths:
        return [(law, direct) for direct in (True, False) if law.group.allows(direct=direct)]
    return [(replace(law, group=GroupPolicy()), False)]


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
def test_each_body_is_that_of_a_device_that_draws_the_same_words(name: str) -> None:
    rng = random.Random(name)
    own = sent_undisguised(LAWS[name])
    people = [asked(own, rng) for _ in range(N)]
    true = [Layout(own).pack(disguise(own, **one, direct=True, coins=coins_of(rng))) for one in people]
    bodies = np.frombuffer(b"".join(true), dtype=np.uint8).reshape(N, -1)
    for law, direct in strengths(LAWS[name]):
        given = Given(N, seed=rng.randrange(99))
        sent = disguise_bodies(bodies, sent_under=own, target=law, direct=direct, words=given)
        for row, one in enumerate(people):
            coins = Coins(given.of_row(row))
            body = Layout(law).pack(disguise(law, **one, direct=direct, coins=coins))
            assert sent[row].tobytes() == body
            assert coins.used == len(given.rows[row])


def test_the_designs_hold_every_kind_both_strengths_skips_and_parts_not_asked_of_all() -> None:
    blocks = [block for law in LAWS.values() for block in law.blocks if block.protected]
    kinds = {question.kind for block in blocks for question in block.questions}
    assert kinds == {"yes_no", "single", "multi", "number", "place"}
    for scale in (True, False):
        some = [block for block in blocks if block.is_scale is scale]
        assert any(block.refusal is not None and block.light is not None for block in some)
        assert any(block.asked_if is not None for block in some)
    assert any(law.rotations and any(block.is_rotating for block in law.blocks) for law in LAWS.values())


@pytest.mark.parametrize("name", LAWS)
def test_rows_of_devices_keep_what_they_say_in_another_layout(name: str) -> None:
    law, rng = LAWS[name], random.Random(name)
    own = sent_undisguised(law)
    records = [disguise(own, **asked(own, rng), direct=False, coins=coins_of(rng)) for _ in range(N)]
    bodies = np.frombuffer(b"".join(map(Layout(own).pack, records)), dtype=np.uint8).reshape(N, -1)
    (wanted, _), *_ = strengths(law)
    moved = lay_out(bodies, Layout(own), Layout(wanted))
    assert [Layout(wanted).unpack(body.tobytes()) for body in moved] == records


def test_no_rows_are_no_rows() -> None:
    own = sent_undisguised(EVERYTHING)
    none = np.empty((0, Layout(own).n_bytes), dtype=np.uint8)
    law = replace(own, group=GroupPolicy())
    words = Given(0, seed=0)
    assert disguise_bodies(none, sent_under=own, target=law, direct=False, words=words).shape == none.shape
