import math
from dataclasses import replace
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from privacy.channels import Channel, Retention, adjoint, amplification_below, effective_epsilon
from tests.fixtures.refusals import refused


@pytest.mark.parametrize(
    "epsilon", [0.01, 0.1, 0.5, 0.69, 1.0, 1.788, 2.0, 3.5, 5.0, 10.0, 15.0, 19.99, 20.0]
)
def test_amplification_fractions_are_within_a_millionth_below_exp_epsilon(epsilon: float) -> None:
    getcontext().prec = 60
    power = Decimal(epsilon).exp()
    found = amplification_below(epsilon)
    exact = Decimal(found.numerator) / Decimal(found.denominator)
    assert exact < power
    assert (power - exact) / power < Decimal("1.1e-6")
    assert found.denominator <= 1 << 20
    assert epsilon - 2e-6 < effective_epsilon(found) <= epsilon


@pytest.mark.parametrize("wrong", [0.0, 0.009, 20.1, -1.0, float("nan"), float("inf"), "2", True])
def test_out_of_range_epsilons_are_rejected(wrong: float) -> None:
    with refused("epsilon", repr(wrong)):
        amplification_below(wrong)


def test_ratios_beyond_float_range_have_a_finite_epsilon() -> None:
    assert effective_epsilon(Fraction(10**400, 3)) == pytest.approx(400 * math.log(10) - math.log(3))
    assert effective_epsilon(None) == math.inf


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
ERASER = Channel.of([[HALF, 0], [0, HALF], [HALF, HALF]])


def test_channels_are_indexed_by_observed_then_true_value() -> None:
    assert (ERASER[2, 0], ERASER[1, 0], len(ERASER.matrix), ERASER.n_true) == (HALF, 0, 3, 2)


def test_amplification_is_the_largest_ratio_within_a_row() -> None:
    uneven = [[Fraction(1, 10), Fraction(6, 10)], [Fraction(9, 10), Fraction(4, 10)]]
    assert Channel.of(uneven).amplification() == Channel.of(uneven[::-1]).amplification() == 6


def test_outputs_impossible_for_some_answers_have_no_bound_but_never_sent_ones_do_not_count() -> None:
    assert ERASER.amplification() is None
    assert Channel.of([[1, 1], [0, 0]]).amplification() == 1


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
def test_invalid_channels_are_refused(rows: list[list[Fraction]], code: str, named: str) -> None:
    with refused(code, named):
        Channel.of(rows)


ALIKE = np.full((2, 2), 0.5)
F = Fraction
THIRD, SIXTH = F(1, 3), F(1, 6)

TEXTBOOK: dict[str, tuple[Retention, list[list[Fraction]]]] = {
    "truthful": (Retention.truthful(2), [[F(1), F(0)], [F(0), F(1)]]),
    "Warner": (Retention.warner(F(7, 10)), [[F(7, 10), F(3, 10)], [F(3, 10), F(7, 10)]]),
    "Warner that mostly lies": (Retention.warner(THIRD), [[THIRD, 2 * THIRD], [2 * THIRD, THIRD]]),
    "crosswise": (Retention.crosswise(F(1, 4)), [[F(1, 4), F(3, 4)], [F(3, 4), F(1, 4)]]),
    # A yes is reported as yes with p + (1 - p) theta = .6 + .4 * .3.
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
def test_named_designs_have_their_published_channels(name: str) -> None:
    channel, matrix = TEXTBOOK[name]
    assert channel.matrix == Channel.of(matrix)
    assert channel.amplification == channel.matrix.amplification()
    assert channel.inputs == len(matrix)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_the_adjoint_is_the_transposed_matrix(name: str) -> None:
    channel, _ = TEXTBOOK[name]
    matrix = channel.matrix.as_array()
    values = np.random.default_rng(1).random((3, channel.inputs))
    p, q = float(channel.retention_probability), np.array([float(share) for share in channel.unrelated])
    assert adjoint(values, p, q) == pytest.approx(values @ matrix, abs=1e-15)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_the_score_of_every_event_is_unbiased(name: str) -> None:
    channel, _ = TEXTBOOK[name]
    for bits in product((0.0, 1.0), repeat=channel.inputs):
        event = np.array(bits)
        assert channel.score(event) @ channel.matrix.as_array() == pytest.approx(event, abs=1e-14)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_merging_answers_gives_a_retention_channel(name: str) -> None:
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


def test_channels_without_retention_refuse_scores() -> None:
    with refused("no_score"):
        Retention.generalised_rr(2, F(0)).score(np.array([0.0, 1.0]))


def test_invalid_retention_channels_are_refused() -> None:
    with refused("column_sum"):
        Retention(retention_probability=F(1, 2), unrelated=(F(1, 2), F(1, 3)))
    with refused("out_of_range"):
        Retention(retention_probability=F(-3, 2), unrelated=(F(1, 2), F(1, 2)))
    with refused("out_of_range"):
        Retention.forced_response(yes=F(0), no=F(0))


def test_grouping_without_skips_omits_the_refusal_row() -> None:
    assert Retention.grouping(F(1, 2), [THIRD, 2 * THIRD]).unrelated == (THIRD, 2 * THIRD)
    assert Retention.grouping(F(1, 2), [F(1)]).amplification == 1


def rows_of(channel: Retention) -> list[list[Fraction]]:
    """Return the probability of each report (row) for each truth (column), by the definition."""
    p, n = channel.retention_probability, len(channel.unrelated)
    return [
        [p * (truth == sent) + (1 - p) * channel.unrelated[sent] for truth in range(n)] for sent in range(n)
    ]


def test_named_designs_have_their_published_probabilities() -> None:
    """Warner 1965: .7 and .3; Kuk 1990: red with .8 and .2; Mangat 1994: 1 and .4; forced by a die."""
    tenth = Fraction(1, 10)
    assert rows_of(Retention.warner(7 * tenth)) == [[7 * tenth, 3 * tenth], [3 * tenth, 7 * tenth]]
    assert rows_of(Retention.kuk(8 * tenth, 2 * tenth))[1] == [2 * tenth, 8 * tenth]
    assert rows_of(Retention.kuk(Fraction(1), Fraction(0)))[1] == [0, 1]
    assert rows_of(Retention.mangat(6 * tenth))[1] == [4 * tenth, 1]
    sixth = Fraction(1, 6)
    assert rows_of(Retention.forced_response(yes=sixth, no=2 * sixth))[1] == [sixth, 4 * sixth]
    assert rows_of(Retention.unrelated_question(7 * tenth, 2 * tenth))[1] == [6 * tenth**2, 76 * tenth**2]


def test_a_skip_takes_its_share_from_all_decoys() -> None:
    quarter = Fraction(1, 4)
    found = Retention.grouping(quarter, (quarter, 3 * quarter), skip_probability=Fraction(1, 5))
    assert found.unrelated == (Fraction(1, 5), Fraction(3, 5), Fraction(1, 5))
    assert Retention.grouping(quarter, (quarter, 3 * quarter)).unrelated == (quarter, 3 * quarter)


def test_the_mean_of_values_given_a_true_letter_mixes_it_with_decoys() -> None:
    """Decoys mean 2 on average; 3 in 5 reports are true, so .6 v + .8."""
    values, decoys = np.array([1.0, 2.0, 4.0]), np.array([0.5, 0.25, 0.25])
    assert adjoint(values, 0.6, decoys) == pytest.approx([1.4, 2.0, 3.2])
    several = adjoint(np.array([[1.0, 2.0, 4.0], [0.0, 0.0, 8.0]]), 0.5, decoys)
    assert several == pytest.approx(np.array([[1.5, 2.0, 3.0], [1.0, 1.0, 5.0]]))
