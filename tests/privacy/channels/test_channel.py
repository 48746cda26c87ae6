from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from privacy.channels import score as module
from privacy.channels.amplification import bayes
from privacy.channels.channel import Channel
from privacy.channels.score import score
from tests.fixtures.refusals import refused

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
WARNER = Channel.of([[3 * QUARTER, QUARTER], [QUARTER, 3 * QUARTER]])
ERASER = Channel.of([[HALF, 0], [0, HALF], [HALF, HALF]])


def test_an_entry_is_read_as_observed_then_true() -> None:
    assert ERASER[2, 0] == HALF
    assert ERASER[1, 0] == 0
    assert (len(ERASER.matrix), ERASER.n_true) == (3, 2)


def test_a_channel_amplifies_by_the_largest_ratio_in_a_row() -> None:
    assert WARNER.amplification() == 3


def test_a_value_that_only_some_can_send_amplifies_without_bound() -> None:
    assert ERASER.amplification() is None


def test_a_row_that_nobody_sends_does_not_count_for_the_amplification() -> None:
    assert Channel.of([[1, 1], [0, 0]]).amplification() == 1


def test_the_posterior_is_bayes_rule() -> None:
    carriers = Fraction(1, 10)
    # 80% of carriers and 40% of others choose protection: the flag lifts 10% to 2/11, about 18%.
    flag = Channel.of([[Fraction(4, 5), Fraction(2, 5)], [Fraction(1, 5), Fraction(3, 5)]])
    assert bayes((carriers, 1 - carriers), flag.row(0))[0] == Fraction(2, 11)


@pytest.mark.parametrize(
    ("rows", "code", "named"),
    [
        ([], "shape", "[]"),
        ([[]], "shape", "[0]"),
        ([[1, 1], [0]], "shape", "[2, 1]"),
        ([[Fraction(3, 2)], [Fraction(-1, 2)]], "out_of_range", "3/2"),
        ([[HALF, 1], [QUARTER, 0]], "column_sum", "3/4"),
    ],
)
def test_what_is_no_channel_is_refused(rows: list[list[Fraction]], code: str, named: str) -> None:
    with refused(code, named):
        Channel.of(rows)


ALIKE = np.full((2, 2), 0.5)


def test_of_inputs_that_look_alike_only_what_they_share_has_a_score() -> None:
    assert (score(ALIKE, np.ones(2)) @ ALIKE).tolist() == pytest.approx([1, 1])
    with refused("no_score"):
        score(ALIKE, np.array([0.0, 1.0]))


def test_a_channel_that_is_nearly_singular_is_solved_by_least_squares() -> None:
    channel = np.array([[0.5 + 1e-9, 0.5], [0.5 - 1e-9, 0.5]])
    with refused("no_score"):
        score(channel, np.array([0.0, 1.0]))


def test_a_channel_too_large_for_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 3)
    with refused("too_large", "2"):
        score(ALIKE, np.ones(2))
