"""Intervals of paper studies contain the values that their test accepts, and reach their coverage."""

import contextlib
import itertools
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import multinomial

from privacy.errors import PrivacyError
from privacy.levels import chi_square_quantile
from privacy.library.careless import anchored_crosswise
from privacy.library.designs import warner
from privacy.library.inverted_tests import _most_likely, accepted_values, one_channel, one_sample, two_samples
from privacy.library.one_sample import channel_shares, design_shares, repeated_kuk
from privacy.library.study import PaperStudy
from privacy.library.two_samples import (
    cheaters,
    extended_crosswise,
    lie_detector,
    list_experiment,
    unrelated_unknown,
)

LIMIT = chi_square_quantile(0.95)
STUDIES = {
    "warner": lambda: design_shares({"yes": 61, "no": 139}, warner(p=0.7)),
    "three answers": lambda: channel_shares(
        [30, 70, 12], [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], list("abc")
    ),
    "kuk": lambda: repeated_kuk(110, 100, yes=0.8, no=0.2, draws=5),
    "unrelated": lambda: unrelated_unknown((30, 100), (12, 90), p1=0.7, p2=0.3),
    "cheaters": lambda: cheaters((25, 100), (61, 100), p1=0.2, p2=0.8),
    "lie detector": lambda: lie_detector((66, 100), (57, 100), p1=0.2, p2=0.8),
    "crosswise": lambda: extended_crosswise((70, 100), (26, 100), p=0.25),
    "anchor": lambda: anchored_crosswise([[15, 42], [31, 112]], p=0.15, anchor_p=0.15),
}


@pytest.mark.parametrize("name", STUDIES)
def test_the_interval_contains_exactly_the_accepted_values(name: str) -> None:
    for quantity in STUDIES[name]().quantities:
        assert quantity.hypothesis is not None
        low, high = quantity.interval()
        least, greatest = quantity.within or quantity.possible
        assert least <= low < quantity.value < high <= greatest
        for tried in np.linspace(least, greatest, 403)[1:-1]:
            difference, variance = quantity.hypothesis(float(tried))
            assert (difference**2 <= LIMIT * variance) == (low <= tried <= high), tried
        # At the estimate the test uses its variance, with n instead of n - 1.
        difference, variance = quantity.hypothesis(quantity.value)
        assert difference == pytest.approx(0, abs=1e-12)
        wide, wider = quantity.interval(0.9), quantity.interval(0.99)
        assert wider[0] <= low <= wide[0] < wide[1] <= high <= wider[1]


def test_one_sample_has_a_wilson_interval() -> None:
    n, yes, z = 200, 61, np.sqrt(LIMIT)
    middle, reach = (yes + z**2 / 2) / (n + z**2), z / (n + z**2) * np.sqrt(yes * (n - yes) / n + z**2 / 4)
    wilson = [(middle - reach - 0.3) / 0.4, (middle + reach - 0.3) / 0.4]
    study = design_shares({"yes": yes, "no": n - yes}, warner(p=0.7))
    assert study["share"].interval() == pytest.approx(wilson, abs=1e-9)
    hypothesis = one_sample(yes / n, n, rise=0.4, start=0.3)
    found = accepted_values(hypothesis, study["share"].value, (-0.75, 1.75), LIMIT)
    assert found == pytest.approx(wilson, abs=1e-9)


def test_the_constrained_maximum_likelihood_matches_a_search() -> None:
    """Compares the test of l1 - l2 = t with a direct search along the line."""
    first, second = (7, 40), (19, 60)
    hypothesis = two_samples(first, second, lambda t: (1.0, -1.0, t))
    for tried in (-0.6, -0.2, 0.0, 0.3):
        shares = np.linspace(max(tried, 0), min(1 + tried, 1), 400_001)[1:-1]
        likelihood = 7 * np.log(shares) + 33 * np.log1p(-shares)
        likelihood += 19 * np.log(shares - tried) + 41 * np.log1p(tried - shares)
        l1 = float(shares[np.argmax(likelihood)])
        variance = l1 * (1 - l1) / 40 + (l1 - tried) * (1 - l1 + tried) / 60
        assert hypothesis(tried) == pytest.approx((7 / 40 - 19 / 60 - tried, variance), abs=1e-7)


def test_intervals_stay_within_what_counts_can_support() -> None:
    none = unrelated_unknown((0, 40), (0, 40), p1=0.7, p2=0.3)["share"]
    assert none.standard_error == 0
    low, high = none.interval()
    assert low == pytest.approx(-high, abs=0.2)
    assert low < 0 < high
    assert lie_detector((20, 40), (28, 40), p1=0.2, p2=0.8)["honesty"].interval()[1] <= 1


def coverage(n: int, law: list[float], truth: float, study: Callable[[list[int]], PaperStudy]) -> float:
    """Return the coverage of the first quantity's interval, over all studies that are not refused."""
    held = possible = 0.0
    every = [cells for cells in itertools.product(range(n + 1), repeat=len(law)) if sum(cells) == n]
    for cells, chance in zip(every, multinomial.pmf(every, n, law), strict=True):
        if chance > 0:
            with contextlib.suppress(PrivacyError):
                low, high = study(list(cells)).quantities[0].interval()
                possible += chance
                held += chance * (low - 1e-9 <= truth <= high + 1e-9)
    return float(held / possible)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3])
def test_an_anchored_share_is_covered_in_small_samples(share: float) -> None:
    """95 in 100 people read the question; the others answer "same" or "different" at random."""

    def study(cells: list[int]) -> PaperStudy:
        return anchored_crosswise([cells[:2], cells[2:]], p=0.15, anchor_p=0.15)

    same = 0.15 * share + 0.85 * (1 - share)
    law = (0.95 * np.outer([1 - same, same], [0.15, 0.85]) + 0.05 / 4).ravel().tolist()
    assert min(coverage(n, law, share, study) for n in (5, 8)) > 0.95
    # 20 of 20 report "same" twice, which 17 are expected to do at most.
    low, high = study([0, 0, 0, 20])["share"].interval()
    assert low == 0
    assert 0.1 < high < 0.5


@pytest.mark.soak
@pytest.mark.parametrize("truth", [[0, 0, 1], [0, 1, 0], [0.1, 0.8, 0.1], [0, 0.5, 0.5]])
def test_shares_through_an_uneven_channel_are_covered(truth: list[float]) -> None:
    channel = [[0.9, 0.3, 0], [0.1, 0.6, 0.1], [0, 0.1, 0.9]]
    law = (np.array(channel) @ truth).tolist()
    assert coverage(20, law, truth[0], lambda counts: channel_shares(counts, channel, list("abc"))) > 0.92


def test_a_list_experiment_has_a_normal_interval() -> None:
    share = list_experiment([50, 50], [40, 50, 10])["share"]
    reach = 1.959964 * share.standard_error
    assert share.interval() == pytest.approx((share.value - reach, share.value + reach), abs=1e-6)


def test_the_test_of_two_answers_is_that_of_one_share() -> None:
    """At values on either side of the estimate; the line from t to "yes" rises by .5 from .3."""
    channel = np.array([[0.2, 0.7], [0.8, 0.3]])
    by_channel = one_channel(np.array([40.0, 60.0]), channel, np.linalg.inv(channel), 0)
    by_share = one_sample(0.6, 100, rise=0.5, start=0.3)
    for guess in (0.1, 0.3, 0.6, 0.7, 0.95):
        difference, variance = by_share(guess)
        assert by_channel(guess) == pytest.approx((difference / 0.5, variance / 0.25))


def test_the_test_of_three_answers_uses_the_larger_mean_square() -> None:
    """Forced response: 3 in 5 tell the truth, and the others one of three answers.

    Scores are 13/9 or -2/9, so squares have the mean S = 169/81 .733 + 4/81 .267 with the answer, and
    T = 169/81 .133 + 4/81 .867 without it, whichever other answer is true.
    """
    channel = 0.6 * np.eye(3) + 0.4 / 3
    counts = np.array([50.0, 30.0, 20.0])
    hypothesis = one_channel(counts, channel, np.linalg.inv(channel), 0)
    high, low = (1 - 0.4 / 3) / 0.6, -0.4 / 3 / 0.6
    with_it, without = (share * high**2 + (1 - share) * low**2 for share in (0.6 + 0.4 / 3, 0.4 / 3))
    estimate = 0.5 * high + 0.5 * low
    for guess in (0.2, 0.9):
        difference, variance = hypothesis(guess)
        assert difference == pytest.approx(estimate - guess)
        square = guess * with_it + (1 - guess) * without
        assert variance == pytest.approx((square - guess**2) / 100)


def test_one_card_of_kuk_is_tested_like_one_report() -> None:
    by_card = repeated_kuk(110, 200, yes=0.8, no=0.2, draws=1)["share"].hypothesis
    by_share = one_sample(0.55, 200, rise=0.6, start=0.2)
    for guess in (0.0, 0.2, 0.7, 1.0):
        difference, variance = by_share(guess)
        assert by_card(guess) == pytest.approx((difference / 0.6, variance / 0.36))


@pytest.mark.parametrize(
    ("factor", "total"),
    [(2.0, 0.3), (2.0, 0.9), (2.0, 1.2), (2.0, 1.6), (2.0, 2.4), (0.5, 0.3), (0.5, 0.9), (0.5, 1.2)],
)
def test_the_likeliest_shares_on_a_line_of_another_slope_match_a_search(factor: float, total: float) -> None:
    """On the line factor l1 + l2 = total, within the unit square."""
    first, second = (7, 40), (19, 60)
    l1 = np.linspace(max(total - 1, 0) / factor, min(total / factor, 1), 20_001)[1:-1]
    l2 = total - factor * l1
    likelihood = 7 * np.log(l1) + 33 * np.log1p(-l1) + 19 * np.log(l2) + 41 * np.log1p(-l2)
    best = int(np.argmax(likelihood))
    wanted = (l1[best], l2[best])
    assert _most_likely(first, second, (factor, 1.0, total)) == pytest.approx(wanted, abs=2e-4)
