"""The law of right pairs is the one that an exhaustive count gives."""

from itertools import permutations

import numpy as np
import pytest

from tests.attack.matching import most_by_chance, right_pairs


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_distribution_of_right_pairs_matches_all_permutations(size: int) -> None:
    hits = [sum(a == b for a, b in enumerate(order)) for order in permutations(range(size))]
    expected = [hits.count(k) / len(hits) for k in range(size + 1)]
    assert right_pairs([size]) == pytest.approx(expected)
    assert right_pairs([size, size])[: size + 1] == pytest.approx(np.convolve(expected, expected)[: size + 1])
    assert right_pairs([50] * 4).sum() == pytest.approx(1)


def test_random_matches_exceed_the_limit_as_rarely_as_stated() -> None:
    chances = right_pairs([3, 3])
    limit = most_by_chance([3, 3], alarm=0.05)
    assert chances[limit + 1 :].sum() <= 0.05 < chances[limit:].sum()
