from fractions import Fraction
from itertools import product

import pytest

from privacy.risk.attacks import flag_posterior, known_answers, redraw_exposure
from privacy.survey.grouping import unrelated_probability
from tests.cast.blocks import even
from tests.cast.refusals import refused
from tests.vectors.designs import choice, shielded, yes_no

HALF = Fraction(1, 2)


@pytest.mark.parametrize(("count", "sure"), [(3, 0.89), (5, 0.97)])
def test_known_answers_that_match_are_the_truth_almost_surely(count: int, sure: float) -> None:
    assert round(float(known_answers(even(5000, count))[-1].coin), 2) == sure


def test_the_answers_that_decoys_show_least_tell_most() -> None:
    block = shielded("b", 5000, yes_no("a", 4000), choice("mood", 500, 4500, 5000), yes_no("c", 9000))
    found = known_answers(block)
    assert [known.keys for known in found] == [("mood",), ("mood", "c"), ("mood", "c", "a")]
    assert found[0].coin == HALF / (HALF + HALF * Fraction(1, 20))
    assert found[2].coin == HALF / (HALF + HALF * Fraction(1, 20) * Fraction(1, 10) * Fraction(4, 10))


def test_a_skip_makes_known_answers_a_little_rarer_in_decoys() -> None:
    assert known_answers(even(5000, 2, refusal=2000))[1].coin == HALF / (HALF + HALF * Fraction(8, 10) / 4)


def test_choosing_protection_is_a_sign() -> None:
    found = flag_posterior(Fraction(1, 10), among_carriers=Fraction(8, 10), among_others=Fraction(4, 10))
    assert round(float(found), 2) == 0.18
    same = flag_posterior(Fraction(1, 10), among_carriers=HALF, among_others=HALF)
    assert same == Fraction(1, 10)
    with refused("share", "1.1"):
        flag_posterior(Fraction(11, 10), among_carriers=HALF, among_others=HALF)
    with refused("impossible"):
        flag_posterior(HALF, among_carriers=Fraction(0), among_others=Fraction(0))


@pytest.mark.parametrize("draws", [1, 2, 4])
def test_new_draws_expose_a_row_as_often_as_written_out(draws: int) -> None:
    block = even(3000, 3)
    hit = Fraction(3, 10) + Fraction(7, 10) * unrelated_probability(block, (1, 0, 1))
    expected = sum(
        hit ** sum(drawn) * (1 - hit) ** (draws - sum(drawn))
        for drawn in product((0, 1), repeat=draws)
        if sum(drawn) >= 2
    )
    assert redraw_exposure(block, (1, 0, 1), draws) == expected
    with refused("draws", 0):
        redraw_exposure(block, (1, 0, 1), 0)
