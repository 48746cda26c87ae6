"""Channels of blocks, entry by entry."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest

from privacy.channels import Retention
from privacy.survey.block import SKIPPED
from privacy.survey.block_channel import block_channel, block_rows
from tests.fixtures.refusals import refused
from tests.vectors.designs import choice, opened, shielded, yes_no
from tests.vectors.scale_designs import KEEP, scale_block

PAIR = shielded("b", 6000, yes_no("a", 3000), choice("c", 2000, 8000), refusal=1000)


def test_rows_vary_the_last_question_fastest_and_end_with_the_skip() -> None:
    assert list(block_rows(PAIR)) == [(0, 0), (0, 1), (1, 0), (1, 1), SKIPPED]
    assert list(block_rows(replace(PAIR, refusal=None))) == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize(("direct", "p"), [(False, Fraction(3, 5)), (True, Fraction(4, 5))])
def test_a_report_is_the_answer_with_p_and_otherwise_a_decoy(direct: bool, p: Fraction) -> None:
    """A decoy is skipped with .1; otherwise "yes" has .3, and the first option .2."""
    tenths = Fraction(1, 10)
    decoys = [
        9 * tenths * q for q in (Fraction(14, 100), Fraction(56, 100), Fraction(6, 100), Fraction(24, 100))
    ]
    channel = block_channel(replace(PAIR, light=8000), direct=direct)
    for y, q in enumerate((*decoys, tenths)):
        for x in range(5):
            assert channel[y, x] == p * (x == y) + (1 - p) * q


def test_up_to_1024_combinations_have_a_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [yes_no(f"q{number}", 5000) for number in range(11)]
    with refused("too_large", "2,048"):
        block_channel(shielded("b", 6000, *questions))
    # A matrix of a million fractions is slow to make: its size is enough.
    with monkeypatch.context() as patched:
        patched.setattr(Retention, "truthful", lambda size: SimpleNamespace(matrix=size))
        assert block_channel(shielded("b", 6000, *questions[:10]), direct=True) == 1024
    # A number has a channel of any size, but not if it is stored as answered.
    monkeypatch.setattr("privacy.survey.block_channel.MOST_PATTERNS", 8)
    assert block_channel(scale_block("b", KEEP)).n_true == KEEP.inputs > 8
    with refused("too_large", KEEP.inputs):
        block_channel(scale_block("b", KEEP), direct=True)
    assert block_channel(shielded("b", 6000, *questions[:3])).n_true == 8
    for direct in (False, True):
        with refused("too_large", "16"):
            block_channel(shielded("b", 6000, *questions[:4]), direct=direct)


def test_an_undisguised_group_has_the_identity() -> None:
    channel = block_channel(PAIR, direct=True)
    assert [[channel[y, x] for x in range(5)] for y in range(5)] == [
        [y == x for x in range(5)] for y in range(5)
    ]
    assert block_channel(replace(PAIR, refusal=None), direct=True).n_true == 4


def test_a_number_has_the_channel_of_its_disguise_or_skip() -> None:
    block = scale_block("b", KEEP)
    assert block.skipping is None
    assert block_channel(block) == KEEP.channel
    skipped = replace(block, refusal=5000)
    assert block_channel(skipped).n_true == KEEP.inputs + 1


def test_channels_of_open_rotating_or_huge_blocks_are_refused() -> None:
    rotating = shielded("b", 6000, yes_no("a", 5000), yes_no("c", 5000))
    rotating = replace(rotating, questions_per_person=1)
    eleven = shielded("b", 6000, *(yes_no(f"q{number}", 5000) for number in range(11)))
    for code, block in (
        ("open_block", opened("o", yes_no("q"))),
        ("rotating", rotating),
        ("too_large", eleven),
    ):
        for direct in (False, True):
            with refused(code):
                block_channel(block, direct=direct)
    with refused("rotating", "b"):
        list(block_rows(rotating))
