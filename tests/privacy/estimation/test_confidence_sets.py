import numpy as np
import pytest

from privacy.estimation.confidence_sets import ConfidenceSets

INF = np.inf


def one(low: float, high: float, *, outside: bool = False, whole: bool = False) -> ConfidenceSets:
    return ConfidenceSets(
        low=np.array([low]), high=np.array([high]), outside=np.array([outside]), whole=np.array([whole])
    )


@pytest.mark.parametrize(
    ("sets", "range_", "expected"),
    [
        (one(0.2, 0.6), (0, 1), (0.2, 0.6, True)),
        (one(-0.2, 0.6), (0, 1), (0, 0.6, True)),
        (one(-0.2, 1.6), (0, 1), (0, 1, False)),
        (one(1.1, 1.6), (0, 1), (1, 1, True)),  # nothing is left: the nearest end
        (one(-2, -1), (0, INF), (0, 0, True)),
        (one(0.5, -0.5, outside=True), (0, 1), (0.5, 1, True)),  # only the upper ray reaches the range
        (one(2, 0.4, outside=True), (0, 1), (0, 0.4, True)),  # only the lower ray does
        (one(0.8, 0.3, outside=True), (0, 1), (0, 1, False)),  # two pieces: the gap is not shown
        (one(3, -1, outside=True), (0, 1), (0, 0, True)),  # neither does
        (one(1.5, -3, outside=True), (0, 1), (1, 1, True)),
        (one(4, -2, outside=True), (0, INF), (4, INF, True)),
        (one(-INF, INF, whole=True), (0, INF), (0, INF, False)),
        (one(INF, -INF, outside=True), (0, INF), (INF, INF, True)),  # conviction of a rule without exception
        (one(2, 5), (-INF, INF), (2, 5, True)),
    ],
)
def test_a_set_in_a_range_becomes_the_smallest_interval_that_holds_it(
    sets: ConfidenceSets, range_: tuple[float, float], expected: tuple[float, float, bool]
) -> None:
    found = sets.inside(*range_)
    assert (found.low[0], found.high[0], found.estimable[0]) == expected


def test_a_part_holds_the_sets_of_its_elements() -> None:
    sets = ConfidenceSets(
        low=np.array([1.0, 2.0]),
        high=np.array([3.0, 4.0]),
        outside=np.array([False, True]),
        whole=np.array([True, False]),
    )
    part = sets.part(slice(1, 2))
    assert (part.low[0], part.high[0], part.outside[0], part.whole[0]) == (2, 4, True, False)
