"""Counts by pattern have the law of rows drawn and disguised one by one."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from mining.simulation import study_design, true_rows
from privacy.errors import PrivacyError
from privacy.survey.grouping import block_channel
from tests.statistics import chi_square, chi_square_limit
from trials.studies.pattern_counts import bits, comonotone, decoys, itemsets_of, send, superset_sums


class Means:
    """Stands for a generator and returns expected values: what `send` makes of them is the law itself."""

    @staticmethod
    def binomial(n: np.ndarray, p: float) -> np.ndarray:
        return np.asarray(n) * p

    @staticmethod
    def multinomial(n: float, p: np.ndarray) -> np.ndarray:
        return n * p


@pytest.mark.parametrize(("p", "theta"), [(3000, 6000), (5000, 5000), (9000, 2000)])
def test_the_mean_of_what_is_sent_is_the_channel_of_the_device(p: int, theta: int) -> None:
    design = study_design([3], truth_probability=p, unrelated=theta)
    channel = np.array(block_channel(design.blocks[0]).matrix, dtype=float)
    q = decoys(3, theta / 10_000)
    for pattern in range(8):
        true = np.zeros(8)
        true[pattern] = 10_000_000
        sent = send(true, 0.2, p / 10_000, q, Means())  # type: ignore[arg-type]  # a stand-in on purpose
        np.testing.assert_allclose(sent.direct, 0.2 * true)
        np.testing.assert_allclose(sent.protected, 8_000_000 * channel[:, pattern], atol=2)


def test_what_is_drawn_has_that_law() -> None:
    rng = np.random.default_rng(3)
    q = decoys(2, 0.6)
    sent = send(np.array([0, 40_000, 0, 0]), 0.25, 0.3, q, rng)
    assert sent.direct.sum() + sent.protected.sum() == 40_000
    chances = np.concatenate([[0.25], 0.75 * (0.3 * np.eye(4)[1] + 0.7 * q)])
    assert chi_square([sent.direct[1], *sent.protected], chances) < chi_square_limit(5)


def test_true_patterns_have_the_law_of_true_rows() -> None:
    shares = [0.2, 0.5, 0.35]
    for dependence in (0.0, 0.4, 1.0):
        law = comonotone(shares, dependence)
        assert law.sum() == pytest.approx(1)
        for items in itemsets_of(3, 3):
            expected = dependence * min(shares[item] for item in items)
            expected += (1 - dependence) * np.prod([shares[item] for item in items])
            assert (superset_sums(3, [items]) @ law)[0] == pytest.approx(expected)
    rows = true_rows(20_000, shares, 0.4, np.random.default_rng(1))
    counts = np.bincount(rows @ [4, 2, 1], minlength=8)
    assert chi_square(counts, comonotone(shares, 0.4)) < chi_square_limit(8)


def test_patterns_and_decoys_are_in_the_order_of_a_product() -> None:
    assert [tuple(row) for row in bits(3).tolist()] == list(itertools.product((0, 1), repeat=3))
    expected = [Fraction(16, 100), Fraction(24, 100), Fraction(24, 100), Fraction(36, 100)]
    np.testing.assert_allclose(decoys(2, 0.6), [float(share) for share in expected])


def test_decoys_that_are_no_law_are_refused() -> None:
    with pytest.raises(PrivacyError, match=r"add up to 0\.9") as refusal:
        send(np.array([1, 1]), 0.0, 0.5, [0.5, 0.4], np.random.default_rng(0))
    assert refusal.value.code == "decoys"
