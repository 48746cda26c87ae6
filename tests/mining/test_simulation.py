from itertools import islice

import numpy as np
import pytest

from benchmarks.simulation import true_rows
from mining.columns.row_writer import words
from privacy.errors import PrivacyError
from tests.statistics import POWER, binomial_power, binomial_range


def assert_share(found: int, n: int, share: float, *, drift: float) -> None:
    """Alarm once in a million fair runs; find a share off by `drift` with probability .999."""
    low, high = binomial_range(n, share)
    assert low <= found <= high
    assert binomial_power(n, share, drift) > POWER
    assert binomial_power(n, share, -drift) > POWER


def test_simulated_rows_have_the_stated_supports() -> None:
    n, prevalences, dependence = 200_000, (0.1, 0.3, 0.5), 0.4
    rows = true_rows(n, prevalences, dependence, np.random.default_rng(20))
    for items in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
        chances = [prevalences[item] for item in items]
        stated = dependence * min(chances) + (1 - dependence) * float(np.prod(chances))
        assert_share(int(rows[:, items].all(axis=1).sum()), n, stated, drift=0.01)


def test_words_are_unsigned_32_bit_integers() -> None:
    drawn = np.array(list(islice(words(np.random.default_rng(21)), 20_000)))
    assert drawn.min() >= 0
    for bit in range(32):
        assert_share(int((drawn >> bit & 1).sum()), 20_000, 0.5, drift=0.03)
    assert drawn.max() < 1 << 32


@pytest.mark.parametrize(("prevalence", "dependence"), [(1.1, 0.0), (-0.1, 0.0), (0.5, 1.5)])
def test_invalid_probabilities_are_refused(prevalence: float, dependence: float) -> None:
    with pytest.raises(PrivacyError, match="use a number in") as refusal:
        true_rows(10, [prevalence], dependence, np.random.default_rng(1))
    assert refusal.value.code == ("dependence" if dependence > 1 else "prevalence")
