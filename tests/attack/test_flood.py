"""The simulated flood agrees with the real mixer; without a pool the victim has no cover."""

from math import comb

import numpy as np
import pytest
from django.utils import timezone
from numpy.typing import NDArray
from scipy.stats import binom

from surveys.intake.mix import LEAST_WAITING, POOL, mix
from surveys.models import Batch, Inbox
from tests.attack.flood import flood
from tests.attack.respondents import Respondents, publish, wide_definition
from tests.statistics import FALSE_ALARM

TRIES = 10_000


def chance_of_none_left(forged: int) -> float:
    """Return the probability that no honest row is left, averaged over the initial number waiting."""
    steps = np.zeros((LEAST_WAITING, LEAST_WAITING))
    for honest in range(LEAST_WAITING):
        for stays in range(min(honest, POOL) + 1):
            steps[stays, honest] = _hypergeometric(stays, honest)
    starts = range(POOL, LEAST_WAITING)
    return float(np.mean([_alone(steps, start, forged) for start in starts]))


def _alone(steps: NDArray[np.float64], start: int, forged: int) -> float:
    law = np.zeros(LEAST_WAITING)
    law[start] = 1.0
    left = forged - (LEAST_WAITING - start)
    while left >= 0:
        law = steps @ law
        left -= LEAST_WAITING - POOL
    return float(law[0])


def _hypergeometric(stays: int, honest: int) -> float:
    others = comb(LEAST_WAITING - honest, POOL - stays)
    return comb(honest, stays) * others / comb(LEAST_WAITING, POOL)


@pytest.mark.parametrize("forged", [0, 120, 300, 500, 850])
def test_the_flood_share_matches_its_exact_distribution(forged: int) -> None:
    wanted = chance_of_none_left(forged)
    found = flood(forged, rng=np.random.default_rng(forged), tries=TRIES)
    assert binom.ppf(FALSE_ALARM, TRIES, wanted) <= found.alone <= binom.isf(FALSE_ALARM, TRIES, wanted)


def test_the_readme_flood_figures_match_the_distribution() -> None:
    assert round(100 * chance_of_none_left(500)) == 93
    assert chance_of_none_left(850) > 0.999


def test_without_a_pool_one_forged_batch_isolates_the_victim() -> None:
    """The naive target, which must be broken: a mixer without a pool."""
    assert flood(50, rng=np.random.default_rng(1), tries=100, pool=0, least_waiting=50).share == 1
    assert flood(50, rng=np.random.default_rng(1), tries=100).share == 0


@pytest.mark.django_db(transaction=True)
def test_the_real_mixer_retains_rows_like_the_simulated_one() -> None:
    respondents = Respondents(publish(wide_definition("wide", questions=90)))
    respondents.answer(POOL)
    honest = set(respondents.truth.values())
    for rounds in (1, 2):
        respondents.answer(LEAST_WAITING - POOL)
        mix(now=timezone.now())
        assert (Batch.objects.count(), Inbox.objects.count()) == (rounds, POOL)
        size = respondents.row_bytes
        gone = {
            bytes(batch.packed)[start : start + size]
            for batch in Batch.objects.all()
            for start in range(0, len(batch.packed), size)
        }
        stayed = len(honest - gone)
        chance = 0.5**rounds
        assert binom.ppf(FALSE_ALARM, POOL, chance) <= stayed <= binom.isf(FALSE_ALARM, POOL, chance)
