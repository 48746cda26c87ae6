"""Both quantiles of a level agree, and a level must be between 0 and 1."""

from functools import partial

import pytest

from privacy.always_valid import always_valid_half_width
from privacy.levels import chi_square_quantile, normal_quantile
from tests.fixtures.refusals import refused


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 1 - 1e-6])
def test_squared_normal_quantiles_match_chi_square_quantiles(level: float) -> None:
    assert normal_quantile(level) ** 2 == pytest.approx(chi_square_quantile(level), rel=1e-9)


@pytest.mark.parametrize(
    "quantile", [chi_square_quantile, normal_quantile, partial(always_valid_half_width, 0.1, 1_000)]
)
def test_levels_must_lie_between_0_and_1(quantile: type[float]) -> None:
    for level in (0, 1, -0.1, float("nan")):
        with refused("level"):
            quantile(level=level)
