"""Completed itemsets depend only on shares and pairs, and never exceed a subset."""

import itertools

import numpy as np
import pytest
from scipy.linalg import block_diag
from scipy.optimize import brentq

from privacy.estimation import completion
from privacy.estimation.completion import complete_supports, largest_sets


def law(seed: int, size: int, spread: float = 1.0) -> np.ndarray:
    """Return a random distribution of items, shape (2,) * size."""
    weights = np.random.default_rng(seed).gamma(spread, size=(2,) * size)
    return weights / weights.sum()


def marginals(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    has = np.indices(table.shape).reshape(table.ndim, -1)
    pairs = (has * table.ravel()) @ has.T
    return np.diag(pairs).copy(), pairs


def closed_form(shares: np.ndarray, pairs: np.ndarray) -> float:
    """Return the triple for which the odds ratio of two items does not depend on the third."""
    a, b, c = shares
    ab, ac, bc = pairs[0, 1], pairs[0, 2], pairs[1, 2]

    def difference(x: float) -> float:
        even = x * (a - ab - ac + x) * (b - ab - bc + x) * (c - ac - bc + x)
        odd = (ab - x) * (ac - x) * (bc - x) * (1 - a - b - c + ab + ac + bc - x)
        return even - odd

    low = max(0, ab + ac - a, ab + bc - b, ac + bc - c)
    return brentq(difference, low, min(ab, ac, bc, 1 - a - b - c + ab + ac + bc), xtol=1e-14)


def test_completed_triples_match_the_closed_form() -> None:
    for seed in range(50):
        shares, pairs = marginals(law(seed, 3, 3.0))
        (own,) = complete_supports(shares, pairs, np.array([[0, 1, 2]]))
        assert own == pytest.approx(closed_form(shares, pairs), abs=1e-6)


def test_independent_items_multiply() -> None:
    shares = np.array([0.1, 0.4, 0.7, 0.9])
    pairs = np.outer(shares, shares)
    assert complete_supports(shares, pairs, np.array([[0, 1, 2, 3]]))[0] == pytest.approx(
        shares.prod(), abs=1e-12
    )
    assert complete_supports(shares, pairs, np.array([[0, 1, 3]]))[0] == pytest.approx(0.036, abs=1e-12)


def test_a_distribution_with_only_pairwise_terms_is_recovered() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        table = np.ones((2,) * 4)
        for i, j in itertools.combinations(range(4), 2):
            shape = [2 if axis in (i, j) else 1 for axis in range(4)]
            table = table * np.exp(rng.normal(0, 0.7, (2, 2))).reshape(shape)
        table /= table.sum()
        shares, pairs = marginals(table)
        (own,) = complete_supports(shares, pairs, np.array([[0, 1, 2, 3]]))
        assert own == pytest.approx(table[1, 1, 1, 1], abs=1e-6)


def test_three_impossible_halves_move_to_the_nearest_possible_pairs() -> None:
    # Of three halves, two must overlap: pairs x are possible from 3 x - 1/2 = 0 on, where the triple is 0.
    shares = np.full(3, 0.5)
    (own,) = complete_supports(shares, np.diag(shares), np.array([[0, 1, 2]]))
    assert own == pytest.approx(0.0, abs=2e-3)
    _, inside = completion._fit_pairs(shares[None], np.full((1, 3), 1 / 6 + 1.5e-3))
    _, outside = completion._fit_pairs(shares[None], np.full((1, 3), 1 / 6 - 1e-3))
    assert inside.all()
    assert not outside.any()


@pytest.mark.soak
def test_no_set_exceeds_a_subset_in_1000_random_distributions() -> None:
    tables = [marginals(law(seed, 4, 0.3)) for seed in range(1000)]
    shares, both = (np.array(part) for part in zip(*tables, strict=True))
    moved = both + np.random.default_rng(1).normal(0, 0.05, both.shape)
    first, second = shares[:, :, None], shares[:, None, :]
    least, most = np.maximum(0, first + second - 1), np.minimum(first, second)
    pairs = block_diag(*np.clip((moved + moved.transpose(0, 2, 1)) / 2, least, most))
    triples = np.array(list(itertools.combinations(range(4), 3)))
    sets = (4 * np.arange(1000)[:, None, None] + triples).reshape(-1, 3)
    own = complete_supports(shares.ravel(), pairs, sets)
    smallest = np.min([pairs[sets[:, i], sets[:, j]] for i, j in ((0, 1), (0, 2), (1, 2))], axis=0)
    assert (own <= smallest).all()
    assert (own >= 0).all()


def test_completed_sets_include_all_their_subsets() -> None:
    pairs = np.full((5, 5), 0.3)
    pairs[0, 4] = pairs[4, 0] = 0.1
    pairs[1, 2] = pairs[2, 1] = np.nan
    known = {(i, j): pairs[i, j] for i, j in itertools.combinations(range(5), 2)}
    found = largest_sets(pairs, known, 0.2)
    assert found.tolist() == [[0, 1, 3], [0, 2, 3], [1, 3, 4], [2, 3, 4]]
    assert largest_sets(pairs, known, 0.31).shape == (0, 0)


def test_only_the_largest_sets_are_kept_if_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "MOST_COMPLETED", 2)
    known = {(0, 1): 0.5, (0, 2): 0.5, (1, 2): 0.5, (0, 3): 0.4, (1, 3): 0.3, (2, 3): 0.2}
    pairs = np.zeros((4, 4))
    for (i, j), value in known.items():
        pairs[i, j] = pairs[j, i] = value
    assert largest_sets(pairs, known, 0.1).tolist() == [[0, 1, 2], [0, 1, 3]]


def test_impossible_pairs_move_no_further_towards_independence_than_needed() -> None:
    """Three shares of one half and no pairs: moved by 1 - x, all pairs are (1 - x)/4.

    With a triple t, the part of the row without any item is 1 - 3/2 + 3 (1 - x)/4 - t, which is not negative
    for t = 0 if 1 - x >= 2/3.
    """
    shares, pairs = np.full(3, 0.5), np.diag(np.full(3, 0.5))
    assert complete_supports(shares, pairs, np.array([[0, 1, 2]]))[0] == pytest.approx(0, abs=2e-4)
    # Halfway between, it is still impossible to have pairs of 1/8, but 1/6 are possible.
    for pair, possible in ((0.15, False), (0.18, True)):
        table = np.full((3, 3), pair) + np.diag(np.full(3, 0.5 - pair))
        (found,) = complete_supports(shares, table, np.array([[0, 1, 2]]))
        if possible:
            assert found == pytest.approx(closed_form(shares, table), abs=1e-5)
        else:
            # The last step is 1/4096 of the way; fitting ends close to the edge.
            assert found == pytest.approx(0, abs=5e-3)


def test_itemsets_reach_the_support_exactly() -> None:
    pairs = np.array([[0.5, 0.2, 0.2], [0.2, 0.5, 0.2], [0.2, 0.2, 0.5]])
    supports = {(0, 1): 0.2, (0, 2): 0.2, (1, 2): 0.2}
    assert largest_sets(pairs, supports, 0.2).tolist() == [[0, 1, 2]]
    for pair in supports:
        assert largest_sets(pairs, supports | {pair: 0.1999}, 0.2).tolist() == []


def test_impossible_pairs_move_to_the_nearest_possible_ones() -> None:
    """Three shares of one half whose pairs are all q need q >= 1/6, where no one has all three items."""
    pairs = np.full((3, 3), 0.1) + 0.4 * np.eye(3)
    (own,) = complete_supports(np.full(3, 0.5), pairs, np.array([[0, 1, 2]]))
    assert own == pytest.approx(0, abs=0.01)
    possible = np.full((3, 3), 0.2) + 0.3 * np.eye(3)
    (own,) = complete_supports(np.full(3, 0.5), possible, np.array([[0, 1, 2]]))
    assert own == pytest.approx(closed_form(np.full(3, 0.5), possible), abs=1e-6)


def test_unequal_impossible_pairs_move_in_proportion() -> None:
    """Of three halves with pairs of .45, .45 and .3, the first two need .4 of the third.

    Moved by s from 1/4, they need .4 s of .25 + .05 s, so s is 5/7; then all of the third pair are triples.
    """
    pairs = np.array([[0.5, 0.45, 0.45], [0.45, 0.5, 0.3], [0.45, 0.3, 0.5]])
    (own,) = complete_supports(np.full(3, 0.5), pairs, np.array([[0, 1, 2]]))
    assert own == pytest.approx(2 / 7, abs=3e-3)
