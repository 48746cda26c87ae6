"""What the time of a visit reveals: by formula, by hand and over simulated visits."""

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks.visit_times import sure_of_yes, times_of


def test_a_case_by_hand() -> None:
    """A shift of one standard deviation: the ratio at z = 1.645 is exp(1.645 + .5) = 8.54, so 89.5%."""
    assert sure_of_yes(60, 60 * (np.e - 1), 1.0) == pytest.approx(8.540 / 9.540, abs=1e-4)


@pytest.mark.parametrize("spread", [0.27, 0.145])
def test_densities_give_the_same_ratio(spread: float) -> None:
    time = 80 * np.exp(spread * norm.ppf(0.95))
    densities = [norm.pdf(np.log(time / median), scale=spread) for median in (60, 80)]
    assert sure_of_yes(60, 20, spread) == pytest.approx(densities[1] / sum(densities), abs=1e-9)


def test_simulated_visits_give_the_formula() -> None:
    """The 95th percentile of 200,000 visits has a standard error of 0.05 points; 5 of them are allowed."""
    times = times_of(180, 20, 0.27, people=200_000, random=np.random.default_rng(7))
    no, yes = (norm.pdf(np.log(times / median), scale=0.27) for median in (180, 200))
    assert np.quantile(yes / (no + yes), 0.95) == pytest.approx(sure_of_yes(180, 20, 0.27), abs=0.0025)


def test_without_follow_ups_time_reveals_nothing() -> None:
    assert sure_of_yes(180, 0, 0.27) == 0.5
