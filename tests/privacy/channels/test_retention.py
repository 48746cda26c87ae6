from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from privacy.channels.channel import Channel
from privacy.channels.retention import Retention, adjoint, forward
from tests.fixtures.refusals import refused

F = Fraction
THIRD, SIXTH = F(1, 3), F(1, 6)

TEXTBOOK: dict[str, tuple[Retention, list[list[Fraction]]]] = {
    "truthful": (Retention.truthful(2), [[F(1), F(0)], [F(0), F(1)]]),
    "Warner": (Retention.warner(F(7, 10)), [[F(7, 10), F(3, 10)], [F(3, 10), F(7, 10)]]),
    "Warner that mostly lies": (Retention.warner(THIRD), [[THIRD, 2 * THIRD], [2 * THIRD, THIRD]]),
    "crosswise": (Retention.crosswise(F(1, 4)), [[F(1, 4), F(3, 4)], [F(3, 4), F(1, 4)]]),
    # p + (1 - p) theta says yes of a yes: .6 + .4 * .3.
    "unrelated question": (
        Retention.unrelated_question(F(6, 10), F(3, 10)),
        [[F(88, 100), F(28, 100)], [F(12, 100), F(72, 100)]],
    ),
    "forced response": (
        Retention.forced_response(yes=SIXTH, no=SIXTH),
        [[5 * SIXTH, SIXTH], [SIXTH, 5 * SIXTH]],
    ),
    "Mangat": (Retention.mangat(F(6, 10)), [[F(6, 10), F(0)], [F(4, 10), F(1)]]),
    "Kuk": (Retention.kuk(F(8, 10), F(2, 10)), [[F(8, 10), F(2, 10)], [F(2, 10), F(8, 10)]]),
    "k-ary": (
        Retention.generalised_rr(3, F(1, 2)),
        [[2 * THIRD if shown == true else SIXTH for true in range(3)] for shown in range(3)],
    ),
    "a block that may be skipped": (
        Retention.grouping(F(1, 2), [THIRD, 2 * THIRD], skip_probability=F(1, 10)),
        [
            [F(1, 2) + F(3, 20), F(3, 20), F(3, 20)],
            [F(6, 20), F(1, 2) + F(6, 20), F(6, 20)],
            [F(1, 20), F(1, 20), F(11, 20)],
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_named_design_has_the_channel_of_the_literature(name: str) -> None:
    channel, matrix = TEXTBOOK[name]
    assert channel.matrix == Channel.of(matrix)
    assert channel.amplification == channel.matrix.amplification()
    assert channel.inputs == len(matrix)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_forward_and_adjoint_are_the_matrix_and_its_transpose(name: str) -> None:
    channel, _ = TEXTBOOK[name]
    matrix = channel.matrix.as_array()
    values = np.random.default_rng(1).random((3, channel.inputs))
    p, q = float(channel.retention_probability), np.array([float(share) for share in channel.unrelated])
    assert forward(values, p, q) == pytest.approx(values @ matrix.T, abs=1e-15)
    assert adjoint(values, p, q) == pytest.approx(values @ matrix, abs=1e-15)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_the_score_of_every_event_is_unbiased(name: str) -> None:
    channel, _ = TEXTBOOK[name]
    for bits in product((0.0, 1.0), repeat=channel.inputs):
        event = np.array(bits)
        assert channel.score(event) @ channel.matrix.as_array() == pytest.approx(event, abs=1e-14)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_coarsened_by_any_partition_it_is_a_retention_channel(name: str) -> None:
    channel, _ = TEXTBOOK[name]
    letters = range(channel.inputs)
    for split in product((0, 1), repeat=channel.inputs):
        classes = [[letter for letter in letters if split[letter] == side] for side in (0, 1)]
        if not all(classes):
            continue
        chances = tuple(sum((channel.unrelated[letter] for letter in one), F(0)) for one in classes)
        coarse = replace(channel, unrelated=chances).matrix
        for shown, true in product(range(2), repeat=2):
            for letter in classes[true]:
                assert coarse[shown, true] == sum(channel.matrix[y, letter] for y in classes[shown])


def test_without_retention_nothing_can_be_scored() -> None:
    with refused("no_score"):
        Retention.generalised_rr(2, F(0)).score(np.array([0.0, 1.0]))


def test_what_is_no_channel_is_refused() -> None:
    with refused("column_sum"):
        Retention(retention_probability=F(1, 2), unrelated=(F(1, 2), F(1, 3)))
    with refused("out_of_range"):
        Retention(retention_probability=F(-3, 2), unrelated=(F(1, 2), F(1, 2)))
    with refused("out_of_range"):
        Retention.forced_response(yes=F(0), no=F(0))


def test_a_block_without_a_skip_has_its_rows_only_and_one_row_alone_reveals_nothing() -> None:
    assert Retention.grouping(F(1, 2), [THIRD, 2 * THIRD]).unrelated == (THIRD, 2 * THIRD)
    assert Retention.grouping(F(1, 2), [F(1)]).amplification == 1
