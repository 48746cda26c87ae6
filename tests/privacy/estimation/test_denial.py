"""Bounds under denial equal the undenied comparison without denial, and hold the truth with it."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import chi2, norm

from privacy.errors import PrivacyError
from privacy.estimation.cluster_count import ClusterCount
from privacy.estimation.comparison import Denial, compare
from privacy.estimation.denial import (
    DENIED,
    denial_of,
    denied_difference,
    difference_bounds,
    ratio_bounds,
    share_bounds,
    tipping_share,
)
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.joined_scores import MOST_SCORES
from privacy.library.designs import grouping
from privacy.printed import UNCHECKED, Measured

RATIO = Measured(
    value=1.0, low=1.0, high=1.0, standard_error=0.2, estimable=True, n=90, effective_n=90.0, level=0.95,
    possible=(0.0, math.inf), method="ratio", shift=0.0, origin=UNCHECKED,
)  # fmt: skip

KNOWN = np.array([[1.0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]])
"""Scores of both answers, of the first and of the second, if nothing is disguised."""


def known_rows(both: int, first: int, second: int, neither: int) -> JoinedRows:
    counts = np.array([both, first, second, neither])
    return JoinedRows(
        counts=counts,
        scores=KNOWN,
        n_direct=0,
        n_protected=int(counts.sum()),
        smallest_cell=int(counts.min()),
    )


def disguised_rows(counts: np.ndarray, truth_probability: float) -> JoinedRows:
    """Return rows of two yes/no questions, each sent truthfully with this probability and else at random."""
    yes = (1 - (1 - truth_probability) / 2) / truth_probability
    one = np.array([1 - yes, yes])
    scores = np.stack([np.kron(one, one), np.repeat(one, 2), np.tile(one, 2)])
    return JoinedRows(
        counts=counts,
        scores=scores,
        n_direct=0,
        n_protected=int(counts.sum()),
        smallest_cell=int(counts.min()),
    )


@pytest.mark.parametrize("counts", [(60, 40, 20, 80), (8, 60, 30, 400), (300, 12, 500, 30)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_without_denial_the_interval_is_that_of_the_comparison(counts: tuple[int, ...], level: float) -> None:
    rows = known_rows(*counts)
    found = compare(rows, level=level).difference
    assert denied_difference(rows, level=level) == pytest.approx((found.low, found.high), abs=1e-9)
    assert difference_bounds(rows, 0.0, level=level) == pytest.approx((found.low, found.high), abs=1e-9)


def test_disguised_rows_and_clusters_have_the_interval_of_the_comparison() -> None:
    rng = np.random.default_rng(3)
    rows = disguised_rows(rng.multinomial(900, [0.4, 0.2, 0.25, 0.15]), 0.6)
    found = compare(rows).difference
    assert denied_difference(rows) == pytest.approx((found.low, found.high), abs=1e-9)
    weights = rng.uniform(0.2, 3, 300)
    # Fewer people are in the second group, which so limits the degrees of freedom.
    of_people = np.repeat(KNOWN, [100, 90, 60, 50], axis=1)
    scores = np.concatenate([of_people, of_people[1:2], np.ones((1, 300))]) * weights
    weighted = JoinedRows(
        counts=np.ones(300, dtype=np.int64), scores=scores, n_direct=0, n_protected=300, smallest_cell=60,
        clusters=ClusterCount.of(weights), effective_n=float(weights.sum() ** 2 / (weights @ weights)),
    )  # fmt: skip
    found = compare(weighted).difference
    assert denied_difference(weighted) == pytest.approx((found.low, found.high), abs=1e-9)


@pytest.mark.parametrize(("first", "second"), [(0.6, 0.2), (0.12, 0.08), (0.3, 0.9), (0.05, 0.015)])
def test_in_large_samples_ends_and_tipping_point_equal_the_formulas_of_normal_theory(
    first: float, second: float
) -> None:
    """Independent groups: (P - p/(1-s))^2 = z^2 (V + v/(1-s)^2), solved here by another method."""
    group = 20_000_000
    rows = known_rows(*(round(group * share) for share in (first, 1 - first, second, 1 - second)))
    z = norm.ppf(0.975)
    v_first, v_second = first * (1 - first) / group, second * (1 - second) / group
    high, low = (first, second) if first > second else (second, first)
    v_high, v_low = (v_first, v_second) if first > second else (v_second, v_first)
    expected = brentq(
        lambda s: (high - low / (1 - s)) ** 2 - z**2 * (v_high + v_low / (1 - s) ** 2), 0, 1 - low / high
    )
    assert tipping_share(rows) == pytest.approx(expected, abs=2e-4)
    for denied in (0.1, 0.5):
        k = 1 / (1 - denied)
        ends = (
            first - k * second - z * math.sqrt(v_first + k**2 * v_second),
            k * first - second + z * math.sqrt(k**2 * v_first + v_second),
        )
        assert difference_bounds(rows, denied) == pytest.approx(np.clip(ends, -1, 1), abs=1e-5)


@pytest.mark.parametrize("counts", [(60, 40, 20, 80), (20, 80, 60, 40)])
def test_at_the_tipping_point_an_end_of_the_interval_is_zero(counts: tuple[int, ...]) -> None:
    rows = known_rows(*counts)
    share = tipping_share(rows)
    assert share is not None
    lower = "others" if counts[0] > counts[2] else "having"
    ends = denied_difference(rows, **{lower: share})
    assert min(map(abs, ends)) < 1e-6
    before = denied_difference(rows, **{lower: share - 0.01})
    assert before[0] * before[1] > 0


def test_both_directions_are_mirror_images() -> None:
    one, mirrored = known_rows(60, 40, 20, 80), known_rows(20, 80, 60, 40)
    assert tipping_share(one) == pytest.approx(tipping_share(mirrored), abs=1e-8)
    low, high = difference_bounds(one, 0.3)
    assert difference_bounds(mirrored, 0.3) == pytest.approx((-high, -low), abs=1e-8)


def test_equal_denial_changes_neither_sign_nor_ratio() -> None:
    rows = known_rows(600, 400, 300, 700)
    low, high = denied_difference(rows, having=0.3, others=0.3)
    plain = compare(rows).difference
    assert (low, high) == pytest.approx((plain.low / 0.7, plain.high / 0.7), abs=1e-9)


def test_a_difference_that_is_not_significant_tips_at_once() -> None:
    assert tipping_share(known_rows(25, 75, 20, 80)) == 0.0


def test_too_few_people_leave_the_whole_range() -> None:
    rows = known_rows(9, 1, 1, 9)
    assert denied_difference(rows) == (-1.0, 1.0)
    assert denial_of(rows) == Denial(tipping=0.0, bounds=tuple((most, -1.0, 1.0) for most in DENIED))


def test_no_one_in_the_lower_group_leaves_what_its_size_allows() -> None:
    """0 of 100 excludes more than 1.9 of 100, so 60 of 100 would need 1 - 1.9/60 of them to deny it."""
    assert tipping_share(known_rows(60, 40, 0, 100)) == pytest.approx(
        1 - chi2.ppf(0.95, 1) / 200 / 0.6, abs=0.01
    )
    impossible = known_rows(60, 40, 0, 100)
    rows = replace(impossible, counts=impossible.counts[[0, 1, 3]], scores=KNOWN[:, [0, 1, 3]])
    assert tipping_share(rows) is None


def test_wider_bounds_contain_narrower_ones() -> None:
    rows = known_rows(60, 40, 20, 80)
    found = [difference_bounds(rows, most) for most in (0.0, 0.05, 0.2, 0.6, 0.95)]
    for inner, outer in itertools.pairwise(found):
        assert outer[0] <= inner[0]
        assert outer[1] >= inner[1]
    assert found[-1] == (-1.0, 1.0)


def test_many_distinct_scores_use_the_score_test() -> None:
    rng = np.random.default_rng(8)
    size = MOST_SCORES + 1
    by, outcome = rng.random(size) < 0.5, rng.random(size) < 0.4
    noise = rng.normal(0, 0.2, size)
    scores = np.stack([by * (outcome + noise), by.astype(float), outcome + noise])
    rows = JoinedRows(
        counts=np.ones(size, dtype=np.int64), scores=scores, n_direct=0, n_protected=size, smallest_cell=4_000
    )
    found = compare(rows).difference
    assert denied_difference(rows) == pytest.approx((found.low, found.high), abs=1e-9)


@pytest.mark.parametrize("denied", [-0.1, 1.0, 2.0, math.nan, "half", None])
def test_impossible_shares_of_denials_are_refused(denied: float) -> None:
    rows = known_rows(60, 40, 20, 80)
    found = compare(rows).having
    for call in (
        lambda: denied_difference(rows, having=denied),
        lambda: denied_difference(rows, others=denied),
        lambda: difference_bounds(rows, denied),
        lambda: share_bounds(found, denied),
        lambda: ratio_bounds(found, denied),
    ):
        with pytest.raises(PrivacyError) as caught:
            call()
        assert caught.value.code == "denied"


def test_rows_without_people_are_refused() -> None:
    empty = known_rows(0, 0, 0, 0)
    for call in (denied_difference, tipping_share):
        with pytest.raises(PrivacyError) as caught:
            call(empty)
        assert caught.value.case == "no_rows.asked"
    # Groups of equal size are no empty table.
    rows = known_rows(30, 20, 10, 40)
    assert denied_difference(replace(rows, n_direct=50, n_protected=50)) == denied_difference(rows)


def test_denial_common_to_both_strengths_cannot_be_identified() -> None:
    """Two worlds have the same law of rows, as fractions: 30 of 100 with a third of denials, and 20 of 100.

    A row is the drawn strength with the report, so every figure of any number of rows has the same law in
    both worlds. If only the light strength adds denial, the laws differ.
    """
    strong, light = (grouping(p=p, theta="1/2", block="a").channel.matrix for p in ("1/2", "9/10"))

    def law(share: Fraction, common: Fraction, added: Fraction) -> list[Fraction]:
        rows = []
        for channel, drawn, denied in ((strong, Fraction(2, 3), 0), (light, Fraction(1, 3), added)):
            said = share * (1 - common) * (1 - denied)
            rows += [drawn * (Fraction(no) * (1 - said) + Fraction(yes) * said) for no, yes in channel]
        return rows

    third, nobody = Fraction(1, 3), Fraction(0)
    honest = law(Fraction(1, 5), nobody, nobody)
    assert sum(honest) == 1
    assert law(Fraction(3, 10), third, nobody) == honest
    assert law(Fraction(3, 10), third, third) != honest


SHARES = [Fraction(k, 10) for k in (1, 4, 9)]
DENIALS = [Fraction(k, 4) for k in range(4)]


@pytest.mark.parametrize("most", DENIALS[1:])
def test_ratios_under_denial_contain_every_possible_truth_and_no_more(most: Fraction) -> None:
    """By exact fractions, with an interval of no width: a ratio's own bounds hold, and are reached."""
    reached = set()
    for by, having, others in itertools.product(SHARES, repeat=3):
        for of_having, of_others in itertools.product([d for d in DENIALS if d <= most], repeat=2):
            said = having * (1 - of_having), others * (1 - of_others)
            everyone, said_by_all = by * having + (1 - by) * others, by * said[0] + (1 - by) * said[1]
            for true, found in (
                (having / others, said[0] / said[1]),
                (having / everyone, said[0] / said_by_all),
            ):
                exact = replace(RATIO, value=float(found), low=found, high=found)
                low, high = ratio_bounds(exact, most)  # type: ignore[arg-type]
                assert low <= true <= high
                reached |= {"low"} if true == low else {"high"} if true == high else set()
    assert reached == {"low", "high"}


@pytest.mark.soak
def test_bounds_contain_the_true_difference_if_the_lower_group_denies() -> None:
    """Power: bounds that ignored the denial would contain the truth in 58% of surveys, not 95%.

    With 300 surveys, 89% is 4.8 standard errors below 95%: false alarms are below 1e-6.
    """
    rng = np.random.default_rng(41)
    truth, denied = (0.5, 0.3), 0.25
    said = truth[0], truth[1] * (1 - denied)
    law = np.array([0.5 * said[0], 0.5 * (1 - said[0]), 0.5 * said[1], 0.5 * (1 - said[1])])
    channel = np.array([[0.8, 0.2], [0.2, 0.8]])
    # Cells: yes/yes first, as `disguised_rows` counts no/no first.
    sent = np.kron(channel, channel) @ law[::-1]
    true = truth[0] - truth[1]
    inside, ignored = [], []
    for counts in rng.multinomial(1_000, sent, size=300):
        rows = disguised_rows(counts, 0.6)
        low, high = difference_bounds(rows, denied)
        inside.append(low <= true <= high)
        found = compare(rows).difference
        ignored.append(found.low <= true <= found.high)
    assert np.mean(inside) > 0.89
    assert np.mean(ignored) < np.mean(inside)


@pytest.mark.parametrize("n", [29, 30])
def test_thirty_people_are_enough(n: int) -> None:
    """Of 15 people, 14 have the outcome, and of the others one or none."""
    rows = JoinedRows(
        counts=np.array([14, n - 29, 1, 14]), n_direct=0, n_protected=n, smallest_cell=1,
        scores=np.array([[1.0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]),
    )  # fmt: skip
    assert (denied_difference(rows, others=0.0) == (-1, 1)) == (n < 30)
    assert (tipping_share(rows) == 0) == (n < 30)
