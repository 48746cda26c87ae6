"""Intervals for a composite question have the stated coverage and the planned width, exactly."""

import math
from functools import cache

import numpy as np
import pandas
import pytest

from benchmarks.composites import SHARES, estimand, main, people, planned, simulated

N = 300


@cache
def interval(count: int, *, can_skip: bool) -> tuple[float, float]:
    """Return the interval if `count` of 300 devices send yes, and the expected number of others a skip.

    A skip counts as not yes, so the interval does not depend on their number.
    """
    survey, _width = planned(0.3, N, can_skip=can_skip)
    sent = pandas.Series([1] * count + [0] * (N - count), dtype=object)
    frame = pandas.DataFrame({"any": sent})
    if can_skip:
        skipped = np.arange(N) >= N - 21
        frame = pandas.DataFrame({"any": sent.mask(skipped, None), "acts.skipped": skipped.astype(int)})
    low, high = survey.on(frame).share("any").interval()
    return low, high


def probability(count: int, share: float) -> float:
    """Return the binomial probability of `count` yes among 300."""
    logarithm = math.lgamma(N + 1) - math.lgamma(count + 1) - math.lgamma(N - count + 1)
    return math.exp(logarithm + count * math.log(share) + (N - count) * math.log(1 - share))


@pytest.mark.parametrize("can_skip", [False, True])
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.soak
def test_coverage_and_mean_width_by_enumeration_of_all_samples(share: float, can_skip: bool) -> None:
    survey, width = planned(share, N, can_skip=can_skip)
    (block,) = survey.design.blocks
    p, r = block.truth_probability / 10_000, (block.refusal or 0) / 10_000
    sent = p * share + (1 - p) * (1 - r) * block.questions[0].unrelated[0] / 10_000
    total = covered = mean = 0.0
    for count in range(N + 1):
        chance = probability(count, sent)
        if chance > 1e-9:
            low, high = interval(count, can_skip=can_skip)
            total += chance
            covered += chance * (low <= share <= high)
            mean += chance * (high - low) / 2
    assert total == pytest.approx(1, abs=1e-6)
    assert 0.93 <= covered <= 0.97
    assert mean == pytest.approx(width, rel=0.03)


def test_the_estimand_is_what_devices_compute() -> None:
    rng = np.random.default_rng(5)
    n = 200_000
    answers = people(0.5, n, gaps=True, rng=rng)
    gaps = answers.isna().sum(axis=1)
    counted = (answers.fillna(0).any(axis=1) & (gaps <= 2)).mean()
    # Five standard errors: a false alarm once in 1.7 million runs.
    assert abs(counted - estimand(0.5, gaps=True)) < 5 * math.sqrt(0.25 / n)
    assert {*gaps} == {0, 1, 3}


@pytest.mark.soak
def test_a_small_run_reports_what_it_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--surveys", "3", "--people", "200"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("3 surveys of 200 people")
    assert len(lines) == 8
    row = simulated(0.3, 200, 3, can_skip=True, seed=1)
    assert row == simulated(0.3, 200, 3, can_skip=True, seed=1)
