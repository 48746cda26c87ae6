from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from benchmarks.simulation import simulate, study_design
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.itemsets import estimate_itemsets
from mining.simulation import true_rows, words
from privacy.errors import PrivacyError
from tests.fixtures.questionnaires import EVERYTHING
from tests.mining.columns.counted import count
from tests.statistics import POWER, binomial_power, binomial_range


def assert_share(found: int, n: int, share: float, *, drift: float) -> None:
    """Alarm once in a million fair runs; find a share off by `drift` with probability .999."""
    low, high = binomial_range(n, share)
    assert low <= found <= high
    assert binomial_power(n, share, drift) > POWER
    assert binomial_power(n, share, -drift) > POWER


ITEMSETS = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


def supports(
    matrix: BitMatrix, truth: np.ndarray, itemsets: list[tuple[int, ...]]
) -> list[tuple[float, float, float]]:
    """Return the true and the estimated support of itemsets, and the standard error about these rows."""
    table = estimate_itemsets(CountCache(matrix), matrix.design, itemsets)
    return [
        (
            float(truth[:, row.items].all(axis=1).mean()),
            row.estimate.value,
            row.estimate.standard_error_respondents,
        )
        for row in table
    ]


def test_true_rows_have_the_supports_that_are_stated() -> None:
    n, prevalences, dependence = 200_000, (0.1, 0.3, 0.5), 0.4
    rows = true_rows(n, prevalences, dependence, np.random.default_rng(20))
    for items in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
        chances = [prevalences[item] for item in items]
        stated = dependence * min(chances) + (1 - dependence) * float(np.prod(chances))
        assert_share(int(rows[:, items].all(axis=1).sum()), n, stated, drift=0.01)


def test_words_are_unsigned_and_32_bits_wide() -> None:
    drawn = np.array(list(islice(words(np.random.default_rng(21)), 20_000)))
    assert drawn.min() >= 0
    for bit in range(32):
        assert_share(int((drawn >> bit & 1).sum()), 20_000, 0.5, drift=0.03)
    assert drawn.max() < 1 << 32


def test_direct_rows_are_sent_as_they_are() -> None:
    rng = np.random.default_rng(22)
    design = study_design([2, 1], truth_probability=3000, unrelated=6000)
    truth = true_rows(500, [0.2, 0.5, 0.8], 0.0, rng)
    direct = truth[:, 0]
    matrix = simulate(design, truth, direct, rng)
    expected = [int((truth[:, items].all(axis=1) & direct).sum()) for items in ([0], [1], [1, 2])]
    assert count(matrix, [(0,), (1,), (1, 2)])[:, 0].tolist() == expected
    assert (matrix.n_direct, matrix.n) == (int(direct.sum()), 500)


def test_with_p_of_1_the_disguise_changes_nothing() -> None:
    rng = np.random.default_rng(23)
    design = study_design([3], truth_probability=10_000, unrelated=6000)
    truth = true_rows(300, [0.2, 0.5, 0.8], 0.3, rng)
    matrix = simulate(design, truth, np.zeros(300, bool), rng)
    assert count(matrix, ITEMSETS)[:, 1].tolist() == [truth[:, items].all(axis=1).sum() for items in ITEMSETS]
    for true, estimate, error in supports(matrix, truth, ITEMSETS):
        assert estimate == pytest.approx(true, abs=1e-12)
        assert error == pytest.approx(0, abs=1e-12)


@pytest.mark.soak
@pytest.mark.slow
def test_protected_rows_follow_the_law_of_the_disguise() -> None:
    # P*(E) = p P(E) + (1-p) theta^|E|.
    rng = np.random.default_rng(24)
    n = 40_000
    design = study_design([2], truth_probability=3000, unrelated=6000)
    truth = np.zeros((n, 2), dtype=bool)
    truth[:, 0] = True
    matrix = simulate(design, truth, np.zeros(n, dtype=bool), rng)
    for items, share in (((0,), 0.3 + 0.7 * 0.6), ((1,), 0.7 * 0.6), ((0, 1), 0.7 * 0.36)):
        assert_share(int(count(matrix, [items])[0, 1]), n, share, drift=0.021)


def test_supports_are_estimated_within_their_errors_of_the_disguise() -> None:
    rng = np.random.default_rng(25)
    design = study_design([2, 1], truth_probability=6000, unrelated=5000)
    truth = true_rows(2000, [0.2, 0.5, 0.0], 0.3, rng)
    matrix = simulate(design, truth, rng.random(2000) < 0.2, rng)
    for true, estimate, error in supports(matrix, truth, ITEMSETS[:6]):
        assert abs(true - estimate) < 6 * error


def test_the_same_seed_gives_the_same_rows() -> None:
    design = study_design([2], truth_probability=3000, unrelated=6000)

    def run() -> list[list[int]]:
        rng = np.random.default_rng(26)
        truth = true_rows(200, [0.2, 0.5], 0.3, rng)
        matrix = simulate(design, truth, rng.random(200) < 0.2, rng)
        return count(matrix, [(0,), (1,), (0, 1)]).tolist()

    assert run() == run()


@pytest.mark.parametrize(("prevalence", "dependence"), [(1.1, 0.0), (-0.1, 0.0), (0.5, 1.5)])
def test_it_refuses_a_chance_that_is_none(prevalence: float, dependence: float) -> None:
    with pytest.raises(PrivacyError, match="use a number in") as refusal:
        true_rows(10, [prevalence], dependence, np.random.default_rng(1))
    assert refusal.value.code == ("dependence" if dependence > 1 else "prevalence")


def test_it_refuses_to_simulate_other_questions_than_yes_no() -> None:
    with pytest.raises(ValueError, match="question age is of kind single"):
        simulate(EVERYTHING, np.zeros((1, 12), bool), np.zeros(1, bool), np.random.default_rng(1))
