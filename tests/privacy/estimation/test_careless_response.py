"""Attention from anchors, against respondents who answer by chance."""

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation import SupportCounts
from privacy.estimation.careless_response import careless_response, careless_response_terms
from tests.privacy.estimation.designs import TWO_BLOCKS, design, protected, yes_no
from tests.statistics import POWER, binomial_power, binomial_range

ANCHORED = design(*(protected(key, 5000, yes_no(key, 5000)) for key in ("item", "never", "always")))


def attentive(n: int, share: float, attends: float, guess: float, rng: np.random.Generator) -> SupportCounts:
    """Rows of respondents of whom some answer yes by chance, whatever they are asked."""
    attending = rng.random(n) < attends
    true = np.stack([rng.random(n) < share, np.zeros(n, bool), np.ones(n, bool)], axis=1)
    said = np.where(rng.random((n, 3)) < 0.5, true, rng.random((n, 3)) < 0.5)
    said = np.where(attending[:, None], said, rng.random((n, 3)) < guess)
    keys = careless_response_terms(0, 1, 2, ANCHORED)
    return SupportCounts({key: (0, int(said[:, list(key)].all(axis=1).sum())) for key in keys})


def test_what_is_left_after_correction_is_the_share_of_those_who_attend_whatever_the_others_say() -> None:
    rng = np.random.default_rng(2)
    for guess in (0.1, 0.5, 0.9):
        found = careless_response(attentive(400_000, 0.3, 0.8, guess, rng), 0, 1, 2, ANCHORED)
        # Standard errors are about .002.
        assert found.attentive == pytest.approx(0.8, abs=0.012)
        assert found.value == pytest.approx(0.3, abs=0.012)
        assert found.low < found.value < found.high
        assert abs(found.uncorrected - 0.3) > 0.02


@pytest.mark.soak
@pytest.mark.slow
def test_its_interval_holds_the_share_as_often_as_it_says() -> None:
    repetitions = 600
    low, high = binomial_range(repetitions, 0.95)
    assert binomial_power(repetitions, 0.95, -0.1) > POWER
    rng = np.random.default_rng(4)
    held = 0
    for _ in range(repetitions):
        found = careless_response(attentive(2000, 0.3, 0.8, 0.7, rng), 0, 1, 2, ANCHORED)
        held += found.low <= 0.3 <= found.high
    assert low <= held <= high, held


def test_anchors_of_another_disguise_are_refused_by_name() -> None:
    with pytest.raises(PrivacyError, match="item a is not alone") as refusal:
        careless_response(SupportCounts({}), 0, 2, 2, TWO_BLOCKS)
    assert refusal.value.code == "anchors"
    other = design(
        protected("x", 5000, yes_no("x", 5000)), protected("n", 5000, yes_no("n", 5000)),
        protected("y", 6000, yes_no("y", 5000)),
    )  # fmt: skip
    with pytest.raises(PrivacyError, match="item y is not alone"):
        careless_response(SupportCounts({}), 0, 1, 2, other)
