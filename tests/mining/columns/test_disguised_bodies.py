import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mining.columns.disguised_bodies import disguise_bodies, lay_out
from privacy.coins import Coins
from privacy.survey.design import Condition, Design, GroupPolicy
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout
from tests.fixtures.devices import answers_to
from tests.fixtures.questionnaires import EVERYTHING
from tests.privacy.survey.test_drawn_questions import MIXED, MONEY, ROTATED, design_of
from tests.privacy.test_coins import Given
from tests.vectors.designs import DESIGNS, ROUTED
from tests.vectors.scale_designs import NUMBERS, OPEN_NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE
from tests.vectors.strength_designs import COINS, SCALES

ALL_KINDS = SCALES["all kinds, drawn"]
CITY = Condition(question="city", options=("yes",))
OF_THE_CITY = replace(
    ALL_KINDS,
    blocks=(ALL_KINDS.blocks[0], *(replace(block, asked_if=CITY) for block in ALL_KINDS.blocks[1:])),
)
"""Every kind of question, each asked only of some people."""

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
    """Return the same questions in a design where people may send undisguised answers."""
    blocks = tuple(replace(block, light=None) for block in law.blocks)
    return replace(law, blocks=blocks, group=GroupPolicy(policy="choice"), use="study", mechanism=0)


def asked(design: Design, rng: random.Random) -> dict[str, Any]:
    """Return the questions and answers of one device, as arguments for `disguise`."""
    drawn = draw_questions(design, coins_of(rng)) if design.rotates else None
    return {"answers": answers_to(design, drawn, rng), "drawn": drawn}


def coins_of(rng: random.Random) -> Coins:
    return Coins(iter(lambda: rng.getrandbits(32), None))


def strengths(law: Design) -> list[tuple[Design, bool]]:
    """Return both strengths if there are two, otherwise the strong one for everyone."""
    if law.has_two_strengths:
        return [(law, direct) for direct in (True, False) if law.group.allows(direct=direct)]
    return [(replace(law, group=GroupPolicy()), False)]


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
def test_server_disguise_matches_a_device_with_the_same_random_words(name: str) -> None:
    rng = random.Random(name)
    own = sent_undisguised(LAWS[name])
    people = [asked(own, rng) for _ in range(N)]
    pack = Layout(own).pack
    true = [pack(disguise(own, **one, direct=True, coins=coins_of(rng))) for one in people]
    bodies = np.frombuffer(b"".join(true), dtype=np.uint8).reshape(N, -1)
    for law, direct in strengths(LAWS[name]):
        given, pack = Given(N, seed=rng.randrange(99)), Layout(law).pack
        sent = disguise_bodies(bodies, sent_under=own, target=law, direct=direct, words=given)
        for row, one in enumerate(people):
            coins = Coins(given.of_row(row))
            assert sent[row].tobytes() == pack(disguise(law, **one, direct=direct, coins=coins))
            assert coins.words_read == len(given.rows[row])


@pytest.mark.parametrize("name", LAWS)
def test_device_rows_keep_their_content_in_another_layout(name: str) -> None:
    law, rng = LAWS[name], random.Random(name)
    own = sent_undisguised(law)
    records = [disguise(own, **asked(own, rng), direct=False, coins=coins_of(rng)) for _ in range(N)]
    bodies = np.frombuffer(b"".join(map(Layout(own).pack, records)), dtype=np.uint8).reshape(N, -1)
    (wanted, _), *_ = strengths(law)
    moved = lay_out(bodies, Layout(own), Layout(wanted))
    assert list(map(Layout(wanted).unpack, map(bytes, moved))) == records


def test_disguising_zero_rows_works() -> None:
    own = sent_undisguised(EVERYTHING)
    none = np.empty((0, Layout(own).n_bytes), dtype=np.uint8)
    law = replace(own, group=GroupPolicy())
    words = Given(0, seed=0)
    assert disguise_bodies(none, sent_under=own, target=law, direct=False, words=words).shape == none.shape
