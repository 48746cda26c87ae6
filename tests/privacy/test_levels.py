"""Both quantiles say the same of a level, and a level is a chance between 0 and 1."""

import pytest

from privacy.levels import chi_square_quantile, normal_quantile
from tests.cast.refusals import refused


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 1 - 1e-6])
def test_a_squared_normal_is_chi_square_of_one_degree(level: float) -> None:
    assert normal_quantile(level) ** 2 == pytest.approx(chi_square_quantile(level), rel=1e-9)


@pytest.mark.parametrize("quantile", [chi_square_quantile, normal_quantile])
def test_a_level_is_a_chance_between_0_and_1(quantile: type[float]) -> None:
    for level in (0, 1, -0.1, float("nan")):
        with refused("level"):
            quantile(level)
