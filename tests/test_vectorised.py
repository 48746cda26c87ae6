"""The vectorised disguise gives the same rows as devices do, coin by coin."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from privacy.coins import SCALE, Coins
from privacy.survey.design import Design, Question
from privacy.survey.disguise import disguise
from tests.fixtures.questionnaires import EVERYTHING, protected, questionnaire, yes_no
from tests.fixtures.vectorised import disguise_rows, draw_coins
from tests.vectors.designs import opened

MIXED = questionnaire(
    opened("you", yes_no("old", None)),
    protected(
        "b",
        yes_no("a", 4000),
        Question(key="s", kind="single", options=("x", "y", "z"), unrelated=(2000, 3000, 5000)),
        p=4500,
    ),
    protected("c", Question(key="m", kind="multi", options=("u", "v"), unrelated=(1000, 6000)), p=7000),
)

STRENGTHS = replace(
    MIXED,
    blocks=(MIXED.blocks[0], replace(MIXED.blocks[1], light=8500), replace(MIXED.blocks[2], light=9999)),
    mechanism=0,
)
"""A design whose direct group is lightly disguised."""


def by_device(design: Design, row: np.ndarray, direct: bool, coins: list[int]) -> list[bool]:
    old, a, *rest = row.tolist()
    answers = {
        "you": {"old": int(old)},
        "b": {"a": int(a), "s": rest[:3].index(True)},
        "c": {"m": [int(rest[3]), int(rest[4])]},
    }
    record = disguise(design, answers, direct=direct, coins=Coins(coins))
    (sent_old,), (sent_a, choice), (ticks,) = record.answers
    return [bool(sent_old), bool(sent_a), *(choice == option for option in range(3)), *map(bool, ticks)]


def edges(share: int) -> list[int]:
    return [share - 1, share]


@pytest.mark.parametrize(
    ("design", "coin_edges"),
    [(MIXED, (edges(4500), edges(7000))), (STRENGTHS, ([4499, 4500, 8499, 8500], [6999, 7000, 9998, 9999]))],
)
def test_vectorised_rows_equal_device_rows_for_every_kind_of_draw(
    design: Design, coin_edges: tuple[list[int], list[int]]
) -> None:
    # One draw just below and one at each threshold represent all draws between the thresholds.
    first, second = coin_edges
    thresholds = [first, edges(4000), [1999, 2000, 4999, 5000], second, edges(1000), edges(6000)]
    coins = np.array(list(itertools.product(*thresholds)))
    rows = [
        (old, a, *(choice == option for option in range(3)), u, v)
        for old, a, choice, u, v in itertools.product((0, 1), (0, 1), range(3), (0, 1), (0, 1))
    ]
    for row in np.array(rows[::5], dtype=bool):
        for direct in (False, True):
            n = len(coins)
            sent = disguise_rows(design, np.tile(row, (n, 1)), np.full(n, direct), coins)
            assert sent.tolist() == [by_device(design, row, direct, one) for one in coins.tolist()]


def test_coins_are_integers_below_ten_thousand_as_on_a_device() -> None:
    coins = draw_coins(MIXED, 5000, np.random.default_rng(1))
    assert coins.shape == (5000, MIXED.draws)
    assert coins.min() >= 0
    assert coins.max() < SCALE


def test_blocks_with_a_skip_are_refused_by_name() -> None:
    n = len(EVERYTHING.items)
    with pytest.raises(ValueError, match="block habits may be skipped"):
        disguise_rows(
            EVERYTHING, np.zeros((1, n), dtype=bool), np.zeros(1, dtype=bool),
            draw_coins(EVERYTHING, 1, np.random.default_rng(0)),
        )  # fmt: skip
