"""Half-widths, and the power to detect a difference."""

import math
from dataclasses import replace

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.levels import chi_square_quantile
from privacy.planning.power import (
    AskedItem,
    AskedPair,
    detectable_difference,
    people_for_power,
    power_for_difference,
    sought_difference,
)
from privacy.planning.precision import half_width
from privacy.survey.block_channel import block_channel
from tests.statistics import binomial_range
from tests.vectors.designs import shielded, yes_no


def even(truth: float, share: float = 0.5, *, skipped: float = 0.0, asked: float = 1.0) -> AskedItem:
    return AskedItem(truth=truth, decoy=0.5 * (1 - skipped), share=share, share_asked=asked)


def pair(truth: float, share: float = 0.5, *, skipped: float = 0.0, together: float = 1.0) -> AskedPair:
    return AskedPair(
        first=even(truth, share, skipped=skipped),
        second=even(truth, skipped=skipped),
        skipped=skipped,
        together=together,
    )


@pytest.mark.parametrize(
    ("truth", "n", "points"),
    [
        (0.6, 400, (24, 28, 36)),
        (0.8, 400, (18, 20, 25)),
        (0.6, 1000, (15, 18, 23)),
        (0.8, 1000, (12, 13, 16)),
    ],
)
def test_the_smallest_detectable_differences_match_the_table(
    truth: float, n: int, points: tuple[int, ...]
) -> None:
    found = [detectable_difference(pair(truth, share), n) for share in (0.5, 0.3, 0.2)]
    assert [math.ceil(100 * each) for each in found if each is not None] == list(points)


@pytest.mark.parametrize("power", [0.3, 0.8])
@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("truth", [0.1, 0.6])
def test_the_number_of_people_for_a_power_is_minimal(truth: float, share: float, power: float) -> None:
    asked = replace(pair(truth, share), together=0.4)
    sought = sought_difference(asked)
    n = people_for_power(asked, sought, power)
    assert power_for_difference(asked, sought, n) >= power - 1e-9
    assert power_for_difference(asked, sought, n - 1) < power + 1e-9


def test_enough_people_are_certain_to_show_that_one_open_answer_is_the_other() -> None:
    """Without a difference, the deviation of the test is 1/4: it needs n / 16 > 1.96^2 / 16, so n > 3.84."""
    item = AskedItem(truth=1, decoy=0, share=0.5)
    same = AskedPair(first=item, second=item, skipped=0)
    assert [power_for_difference(same, 1, n) for n in (3, 4)] == [0, 1]
    assert 4 <= people_for_power(same, 1, 0.8) <= 5


@pytest.mark.parametrize("shares", [(0, 0.5), (1, 0.5), (0.5, 0), (0.5, 1), (0, 0), (1, 1), (0, 1)])
def test_a_guess_of_0_or_100_percent_leaves_no_difference_to_find(shares: tuple[float, float]) -> None:
    first, second = (AskedItem(truth=0.6, decoy=0.5, share=share) for share in shares)
    asked = AskedPair(first=first, second=second, skipped=0)
    assert sought_difference(asked) == 0
    assert power_for_difference(asked, 0, 1000) < 0.03
    assert detectable_difference(asked, 1000) is None
    assert people_for_power(asked, 0, 0.3) == 10**12


def test_the_channel_of_a_pair_follows_its_shared_or_separate_coins() -> None:
    first, second = yes_no("a", 5000), yes_no("b", 5000)
    together = pair(0.6)
    apart = AskedPair(first=together.first, second=together.second, skipped=None)
    one = block_channel(shielded("b", 6000, first, second)).as_array()
    two = np.kron(*(block_channel(shielded("b", 6000, each)).as_array() for each in (first, second)))
    assert together.channel() == pytest.approx(one)
    assert apart.channel() == pytest.approx(two)
    assert pair(0.6, 0.4, skipped=0.2).channel().sum(axis=0) == pytest.approx(1)


def test_power_at_zero_difference_is_the_one_sided_test_level() -> None:
    assert power_for_difference(pair(0.6), 0, 400) == pytest.approx(0.025)


def test_rare_answers_are_linked_8_times_in_10_by_the_test_of_results() -> None:
    """1,000 surveys: a false alarm of 1e-6; a power of .70, as at Wald's difference, is found 996 times."""
    item = even(0.6, 0.1)
    rare, n = AskedPair(first=item, second=item, skipped=0), 2000
    difference = detectable_difference(rare, n)
    assert difference is not None
    both = 0.01 + 0.09 * difference
    channel = rare.channel()
    sent = np.random.default_rng(27).multinomial(
        n, channel @ [0.8 + both, 0.1 - both, 0.1 - both, both], size=1000
    )
    z_a, z_b, z_both = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]]) @ np.linalg.inv(channel)
    a, b = (sent @ z / n for z in (z_a, z_b))
    h = z_both - np.outer(b, z_a) - np.outer(a, z_b) + (a * b)[:, None]
    found = int((likelihood_ratio(sent, h) > chi_square_quantile(0.95)).sum())
    low, high = binomial_range(1000, 0.8)
    assert low <= found <= high


def test_respondents_asked_one_question_add_no_power_for_pairs() -> None:
    asked = pair(0.6, together=0.25)
    assert power_for_difference(asked, 0.3, 1600) == pytest.approx(power_for_difference(pair(0.6), 0.3, 400))


def test_rare_answers_rule_out_large_differences() -> None:
    rare = AskedPair(first=even(0.6, 0.5), second=even(0.6, 0.02), skipped=0)
    assert rare.largest_difference() == pytest.approx(0.04)
    assert detectable_difference(rare, 400) is None
    with pytest.raises(PrivacyError, match="difference"):
        power_for_difference(rare, 0.3, 400)


@pytest.mark.parametrize("n", [0, -1, 1.5])
def test_an_invalid_number_of_people_is_refused(n: int) -> None:
    with pytest.raises(PrivacyError):
        half_width(even(0.5), n)
    with pytest.raises(PrivacyError):
        power_for_difference(pair(0.5), 0.1, n)


def test_one_person_is_enough_for_a_power_that_no_one_needs() -> None:
    item = AskedItem(truth=1, decoy=0, share=0.5)
    pair = AskedPair(first=item, second=item, skipped=0)
    assert people_for_power(pair, 0.28, 1e-9) == 1
