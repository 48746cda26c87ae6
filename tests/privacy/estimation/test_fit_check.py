"""Reports that do not fit their design are refused with likely mistakes; reports that fit never are."""

import itertools
from bisect import bisect_left
from functools import reduce

import numpy as np
import pytest
from scipy import stats

from privacy.errors import PrivacyError
from privacy.estimation import fit_check
from privacy.estimation.careless_response import careless_response, careless_response_terms
from privacy.estimation.counts import SupportCounts
from privacy.estimation.fit_check import (
    RowGroups,
    _pair_ends,
    check_fit,
    failing_cells,
    least_p_values,
    rows_to_explain,
)
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import design, protected, yes_no
from tests.statistics import POWER, binomial_power, binomial_range

N, P, Q = 500, 0.5, 0.5
CHANNEL = np.array([[0.75, 0.25], [0.25, 0.75]])
ALARM = 1e-4


def item(yes: int, key: str = "q", coin: object = 0, n: int = N) -> RowGroups:
    return RowGroups.of(key, np.array([n - yes, yes]), CHANNEL, p=P, coin=coin)


def is_refused(
    *questions: RowGroups, pairs: list[tuple[int, int]] | None = None, tables: object = None
) -> bool:
    try:
        check_fit(questions, pairs or [], None if tables is None else np.array(tables))
    except PrivacyError:
        return True
    return False


def test_false_alarms_of_60_items_stay_below_1_in_10_000(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exact calculation for the worst cases, in which no one or everyone has an item."""
    # The p that would fit refused reports is not needed.
    monkeypatch.setattr(fit_check, "_HALVINGS", 0)
    others = [item(N // 2, f"q{at}", coin=at) for at in range(59)]
    pairs = [(one, other) for one in range(60) for other in range(one)]
    even = np.array([[N // 4, N // 4], [N // 4, N // 4]])
    tables = np.repeat(even[None], len(pairs), axis=0)

    def of_item(yes: int) -> bool:
        return is_refused(*others, item(yes, "last", coin=59), pairs=pairs, tables=tables)

    def of_pair(both: int) -> bool:
        own = tables.copy()
        rest = (N - both) // 3
        own[0] = [[N - both - 2 * rest, rest], [rest, both]]
        return is_refused(*others, item(N // 2, "last", coin=59), pairs=pairs, tables=own)

    # Counts are refused up to one limit, and from another limit on.
    few = bisect_left(range(N // 4), True, key=lambda yes: not of_item(yes)) - 1
    alarms = 60 * stats.binom.cdf(few, N, 0.25)
    few_both = bisect_left(range(N // 16), True, key=lambda both: not of_pair(both)) - 1
    many_both = N * 9 // 16 + bisect_left(
        range(N * 3 // 16), True, key=lambda more: of_pair(N * 9 // 16 + more)
    )
    # In every case, one of the four cells is at its minimum and one at its maximum.
    cell = stats.binom.cdf(few_both, N, 0.0625) + stats.binom.sf(many_both - 1, N, 0.5625)
    alarms += len(pairs) * cell
    assert few > 0
    assert few_both > 0
    assert 0 < alarms <= ALARM


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_rows_with_individual_probabilities_are_poisson_binomial(share: float) -> None:
    """For three strata of 40 rows the sum's distribution is exact, and false alarms are rare at 0 and 1."""
    sizes, low = np.array([40, 40, 40]), np.array([0.1, 0.25, 0.4])
    high = low + 0.5
    counts = np.arange(121)
    found = least_p_values(counts, np.tile(sizes, (121, 1)), np.tile(low, (121, 1)), np.tile(high, (121, 1)))
    law = np.ones(1)
    for n, p in zip(sizes, high if share else low, strict=True):
        law = np.convolve(law, stats.binom.pmf(np.arange(n + 1), n, p))
    tail = law[::-1].cumsum()[::-1] if share else law.cumsum()
    own = found[-30:] if share else found[:30]
    assert own == pytest.approx(tail[-30:] if share else tail[:30], rel=1e-6, abs=1e-13)
    assert law[found < ALARM / 2].sum() <= ALARM


def test_two_strata_of_one_row_each_are_two_coins() -> None:
    """Neither says yes with probability at most 1/2 * 3/4, one at most with 1 - 1/8, both with .9 * .8."""
    sizes, low, high = np.array([[1, 1]] * 3), np.array([[0.5, 0.25]] * 3), np.array([[0.9, 0.8]] * 3)
    found = least_p_values(np.arange(3), sizes, low, high)
    assert found == pytest.approx([1 / 2 * 3 / 4, 1 - 1 / 2 * 1 / 4, 0.9 * 0.8])


def test_undisguised_answers_are_reported_as_such() -> None:
    with pytest.raises(PrivacyError) as error:
        check_fit([item(40)])
    assert (error.value.code, error.value.case) == ("misfit", "misfit.share")
    assert "not disguised at all" in str(error.value)
    assert "yes and no" not in str(error.value)


def test_a_wrong_p_is_reported_with_the_smallest_fitting_p() -> None:
    with pytest.raises(PrivacyError) as error:
        check_fit([item(60)])
    fits = float(str(error.value.fields["fits"]))
    assert P < fits < 1

    def of(p: float) -> RowGroups:
        q = (1 - p) * Q
        channel = np.array([[1 - q, 1 - q - p], [q, q + p]])
        return RowGroups.of("q", np.array([N - 60, 60]), channel, p=p)

    assert is_refused(of(fits - 0.01))
    assert not is_refused(of(fits + 0.001))


def test_a_wrong_p_of_two_questions_is_reported_with_one_that_fits_their_pair_too() -> None:
    """Nobody has either, and p is .8: .2 of .2 of 500 say yes to each, independently."""
    channel = np.array([[0.9, 0.4], [0.1, 0.6]])
    both = [RowGroups.of(key, np.array([480, 20]), channel, p=P, coin=key) for key in "ab"]
    with pytest.raises(PrivacyError) as error:
        check_fit(both, [(0, 1)], np.array([[[461, 19], [19, 1]]]))
    with pytest.raises(PrivacyError) as alone:
        check_fit(both)
    of_both, of_each = (float(str(caught.value.fields["fits"])) for caught in (error, alone))
    assert P < of_each <= of_both < 0.8


def test_rows_that_explain_too_few_are_those_with_the_other_answer() -> None:
    """At least 25% say yes, here 60 of 500: the others, 440, need m fewer of 500 - m to be likely enough."""
    (cell,) = [own for own in failing_cells([item(60)]) if own.report == 1]
    assert (cell.too_many, cell.n) == (False, N)
    limit = ALARM / 2
    assert stats.binom.sf(440 - cell.rows - 1, N - cell.rows, 0.75) >= limit
    assert stats.binom.sf(440 - cell.rows, N - cell.rows + 1, 0.75) < limit


def test_reversed_coding_is_reported_where_it_fits() -> None:
    """A die forces "yes" in half of the rows, so 5% "yes" are too few, but 95% are not."""
    channel = np.array([[0.5, 0.05], [0.5, 0.95]])
    with pytest.raises(PrivacyError, match="yes and no are swapped"):
        check_fit([RowGroups.of("q", np.array([450, 50]), channel, p=0.45)])


def test_impossible_pairs_are_refused_even_if_their_shares_fit() -> None:
    """Decoys alone show both items in a sixteenth of the rows."""
    table = [[[250, 125], [125, 0]]]
    two = item(125, "a", coin="a"), item(125, "b", coin="b")
    assert not is_refused(*two)
    with refused("misfit", "a=1 & b=1"):
        check_fit(two, [(0, 1)], np.array(table))
    with refused("misfit", "b=1 & a=1"):
        check_fit((*two, item(125, "c")), [(1, 0)], np.array(table))
    assert not is_refused(*two, pairs=[(0, 1)], tables=[[[294, 81], [81, 44]]])


@pytest.mark.parametrize(("size", "is_misfit"), [(0.5, False), (0.5001, True)])
@pytest.mark.parametrize(
    ("channel", "counts"), [([[1, 0.5], [0, 0.5]], [0, 1]), ([[0.5, 0], [0.5, 1]], [1, 0])], ids=["yes", "no"]
)
def test_a_p_value_at_the_level_is_no_misfit(
    monkeypatch: pytest.MonkeyPatch,
    size: float,
    is_misfit: bool,
    channel: list[list[float]],
    counts: list[int],
) -> None:
    """Half of those who have it, or have it not, say so, and all others do not: p = .5 in the only test."""
    monkeypatch.setattr(fit_check, "FIT_CHECK_SIZE", size)
    assert is_refused(RowGroups.of("q", np.array(counts), np.array(channel), p=0.5)) == is_misfit


def test_with_a_larger_p_reports_are_nearer_to_the_answers() -> None:
    """With p = .5 a report is yes with .25 to .75; with p = .7, which is .4 of the way to 1, .15 to .85."""
    more = item(125).with_larger_p(0.4)
    assert more.low == pytest.approx(np.full((1, 2), 0.15))
    assert more.high == pytest.approx(np.full((1, 2), 0.85))


def test_a_pair_under_one_coin_skips_together() -> None:
    """Half of the rows are decoys, of which a fifth skip both, which is no "yes"; the rest are even."""
    low, high = np.array([[0.3, 0.2]]), np.array([[0.8, 0.7]])
    counts, coins = np.array([[5, 5]]), ("b", "b", "c")
    questions = [
        RowGroups(key=str(at), counts=counts, low=low, high=high, coin=coin, p=0.5, answering=0.8)
        for at, coin in enumerate(coins)
    ]
    least, most = _pair_ends(questions, np.array([0, 1]), np.array([1, 2]))
    assert least[0] == pytest.approx(np.array([[0.1 + 0.1, 0.1], [0.1, 0.1]]))
    assert most[0] == pytest.approx(least[0] + 0.5)
    # Under two coins the rows are products.
    assert least[1] == pytest.approx(np.outer([0.3, 0.2], [0.3, 0.2]))
    assert most[1] == pytest.approx(np.outer([0.8, 0.7], [0.8, 0.7]))


def test_the_fit_check_distinguishes_shared_from_separate_coins() -> None:
    """If everyone has both items, 62.5% report both with one coin, 56.25% with two."""
    table = np.array([[[1250, 1250], [1250, 6250]]])
    pair = [item(7500, key, coin="b", n=10_000) for key in ("a", "c")]
    check_fit(pair, [(0, 1)], table)
    apart = [item(7500, key, coin=key, n=10_000) for key in ("a", "c")]
    with pytest.raises(PrivacyError, match="questions that share a coin differ"):
        check_fit(apart, [(0, 1)], table)


def test_undisguised_designs_always_fit() -> None:
    check_fit([RowGroups.of("q", np.array([0, 500]), np.eye(2), p=1)])


@pytest.mark.parametrize(
    ("count", "most", "rows"),
    [
        # Of 10 rows, one or more are counted with probability .0956 and .00996, none or more with 1.
        (1, 0.01, 0),
        (1, 0.001, 1),
        (0, 0.001, 0),
        # Two or more of ten: .0043, one or more of nine: .0865.
        (2, 0.01, 1),
    ],
)
def test_as_few_rows_as_explain_a_count_are_left_out(count: int, most: float, rows: int) -> None:
    assert rows_to_explain(count, 10, most, 0.05) == rows


@pytest.mark.parametrize(("limit", "rows"), [(0.25, 0), (0.2500001, 1), (0.5, 1), (0.5000001, 2)])
def test_a_count_as_likely_as_the_limit_is_explained(limit: float, rows: int) -> None:
    """Two of two rows have probability .25, and one of one .5."""
    assert rows_to_explain(2, 2, 0.5, limit) == rows


ANCHORED = design(*(protected(key, 5000, yes_no(key, 5000)) for key in ("item", "never", "always")))


def attentive(share: float, attends: float, guess: float) -> np.ndarray:
    """Return the probability of each report of three questions; some people answer all at random."""
    item = np.array([[1 - share, share]])
    truth = np.kron(item, np.kron([1, 0], [0, 1])).ravel()
    says = np.array([1 - guess, guess])
    told = attends * reduce(np.kron, [CHANNEL] * 3) @ truth
    return told + (1 - attends) * reduce(np.kron, [CHANNEL @ says] * 3)


def counts_of(rows: np.ndarray) -> SupportCounts:
    """Return the counts of the eight reports."""
    bits = np.array(list(itertools.product((0, 1), repeat=3)), dtype=bool)
    keys = careless_response_terms(0, 1, 2, ANCHORED)
    return SupportCounts({key: (0, int(rows[bits[:, list(key)].all(axis=1)].sum())) for key in keys})


@pytest.mark.parametrize("guess", [0.1, 0.5, 0.9])
def test_careless_answers_do_not_bias_the_corrected_share(guess: float) -> None:
    rows = np.round(10**12 * attentive(0.3, 0.8, guess)).astype(np.int64)
    found = careless_response(counts_of(rows), 0, 1, 2, ANCHORED)
    assert found.attentive.value == pytest.approx(0.8, abs=1e-9)
    assert found.corrected.value == pytest.approx(0.3, abs=1e-9)
    for own in (found.attentive, found.corrected, found.uncorrected):
        assert own.low < own.value < own.high
    assert abs(found.uncorrected.value - 0.3) > 0.02


@pytest.mark.soak
@pytest.mark.slow
def test_the_intervals_reach_their_nominal_coverage() -> None:
    repetitions = 600
    low, high = binomial_range(repetitions, 0.95)
    assert binomial_power(repetitions, 0.95, -0.1) > POWER
    rng = np.random.default_rng(4)
    held = np.zeros(2, dtype=np.int64)
    for _ in range(repetitions):
        rows = rng.multinomial(2000, attentive(0.3, 0.8, 0.7))
        found = careless_response(counts_of(rows), 0, 1, 2, ANCHORED)
        for at, (own, true) in enumerate(((found.corrected, 0.3), (found.attentive, 0.8))):
            held[at] += own.low <= true <= own.high
    assert (low <= held).all(), held
    assert (held <= high).all(), held
