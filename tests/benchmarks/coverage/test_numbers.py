"""The coverage of numbers, counted with quadratics, agrees with the intervals themselves."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.coverage.numbers import (
    AT,
    BINS,
    NumberSurvey,
    number_coverage,
    number_grid,
    quantiles_of,
    shape_shares,
)
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import BY_EPSILON, generalised_rr_below
from privacy.scales.quantities import bars, quantiles
from privacy.scales.scale_groups import scale_groups
from tests.statistics import POWER, binomial_power, binomial_range

SURVEYS = [
    NumberSurvey(shape="skewed", mechanism="keep", epsilon=1.0, skips=False, n=9_634),
    NumberSurvey(shape="two-peaked", mechanism="hybrid", epsilon=2.0, skips=True, n=1_000),
    NumberSurvey(shape="spiky", mechanism="square_wave", epsilon=1.0, skips=False, n=1_000),
    NumberSurvey(shape="skewed", mechanism="square_wave", epsilon=1.0, skips=True, n=2_000, k=0.2),
]


@pytest.mark.slow
@pytest.mark.parametrize("survey", SURVEYS)
@pytest.mark.few("survey0", "survey2", why="the others execute nothing more")
def test_coverage_points_count_intervals_that_contain_the_truth(survey: NumberSurvey) -> None:
    repetitions = 40
    found = number_coverage(survey, repetitions=repetitions, rng=np.random.default_rng(4))
    source = np.random.default_rng(4)
    direct, protected = (source.multinomial(n, shown, size=repetitions) for n, shown in survey.by_group)
    shares = shape_shares(survey.shape)
    truth = quantiles_of(survey.channel, shares, AT)
    size = survey.channel.range.middle(1) - survey.channel.range.middle(0)
    range_width = float(size) * survey.channel.inputs
    held, gaps, whole = np.zeros(len(AT)), np.zeros(len(AT)), np.zeros(len(AT))
    of_bars = np.zeros(BINS)
    for lightly, strongly in zip(direct, protected, strict=True):
        groups = {"direct": lightly, "light": survey.light, "skipping": survey.skipping}
        some = quantiles(survey.channel, scale_groups(survey.channel, strongly, **groups), AT)
        held += [one.low - 1e-9 <= at <= one.high + 1e-9 for one, at in zip(some, truth, strict=True)]
        gaps += [len(one.parts) > 1 for one in some]
        whole += [one.high - one.low > 0.95 * range_width for one in some]
        each = bars(survey.channel, scale_groups(survey.channel, strongly, **groups))
        of_bars += (each.low <= shares) & (shares <= each.high)
    points = [point for point in found if point.figure == "quantile"]
    for name, counted in (("held", held), ("gaps", gaps), ("whole", whole)):
        assert [getattr(point, name) for point in points] == pytest.approx(counted / repetitions)
    assert all(point.accepted <= point.held for point in found)
    assert [point.held for point in found if point.figure == "bar"] == pytest.approx(of_bars / repetitions)


@pytest.mark.slow
@pytest.mark.parametrize("survey", SURVEYS)
@pytest.mark.few("survey0", why="the others execute nothing more")
def test_quantile_and_bar_tests_reach_nominal_coverage(survey: NumberSurvey) -> None:
    repetitions = 3_000
    low, high = binomial_range(repetitions, 0.935)[0], binomial_range(repetitions, 0.965)[1]
    assert binomial_power(repetitions, 0.935, -0.042) > POWER
    for point in number_coverage(survey, repetitions=repetitions, rng=np.random.default_rng(5)):
        assert low <= point.accepted * repetitions <= high, point


@pytest.mark.soak
def test_the_number_grid_covers_every_shape_mechanism_and_skip_rate() -> None:
    surveys = list(number_grid())
    assert len(surveys) == len(set(surveys)) == 240
    assert [survey.k for survey in surveys] == [0.0] * 180 + [0.2] * 60
    assert {survey.mechanism for survey in surveys} == set(BY_EPSILON)
    for survey in surveys[:: len(surveys) // 20]:
        assert sum(n for n, _ in survey.by_group) == survey.n
        for _, shown in survey.by_group:
            assert shown.sum() == pytest.approx(1)
            assert shown.min() > 0
        assert replace(survey, skips=True).skipping is not None


def test_quantiles_are_interpolated_within_bins() -> None:
    band = generalised_rr_below(NumberRange(low=0, high=99, bin=10), 1.0)
    shares = np.array([0.5, 0, 0, 0, 0.25, 0.25, 0, 0, 0, 0])
    assert quantiles_of(band, shares, [0.25, 0.5, 0.625, 0.75, 1 - 1e-12]) == pytest.approx(
        [4.5, 9.5, 44.5, 49.5, 59.5], abs=1e-6
    )
