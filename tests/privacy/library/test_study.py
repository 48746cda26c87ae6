"""Results of studies on paper: errors by hand, quantities, tests and refusals."""

import math

import pytest

from privacy.library.study import ModelTest, PaperStudy, Quantity
from privacy.p_values import PValue
from privacy.printed import CHECKED
from tests.fixtures.refusals import refused

Z = 1.959963984540054


def share(value: float, standard_error: float, **fields: object) -> Quantity:
    return Quantity(name="share", value=value, standard_error=standard_error, **fields)  # type: ignore[arg-type]


def wilson(yes: int, n: int, z: float) -> tuple[float, float]:
    """Return Wilson's interval of a share (1927)."""
    p = yes / n
    middle, half = p + z**2 / (2 * n), z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle - half) / (1 + z**2 / n), (middle + half) / (1 + z**2 / n)


def test_an_inverted_test_is_used_within_its_range() -> None:
    """The score test (p - t)^2 / (t (1 - t)/n) gives Wilson's interval."""
    p, n = 0.3, 200

    def hypothesis(t: float) -> tuple[float, float]:
        return p - t, t * (1 - t) / n

    found = share(p, 0.1, hypothesis=hypothesis)
    assert found.interval() == pytest.approx(wilson(60, n, Z), abs=1e-6)
    cut = share(p, 0.1, hypothesis=hypothesis, within=(0.28, 1.0))
    assert cut.interval() == pytest.approx((0.28, wilson(60, n, Z)[1]), abs=1e-6)
    normal = share(p, 0.1)
    assert normal.interval() == pytest.approx((0.3 - Z * 0.1, 0.3 + Z * 0.1))


def test_values_at_the_ends_of_the_range_are_possible() -> None:
    assert [share(value, 0.1).outside for value in (-0.01, 0, 0.5, 1, 1.01)] == [
        True, False, False, False, True,
    ]  # fmt: skip


def test_a_quantity_that_cannot_be_possible_refuses_the_study() -> None:
    """At 1 - .0001, the normal quantile is 3.8906; for two quantities at 1 - .00005 it is 4.0556."""
    for value in (-0.3889, 1.3889):
        study = PaperStudy(method="m", n=100, quantities=(share(value, 0.1),))
        assert study.quantities[0].value == value
    for value in (-0.3892, 1.3892):
        with refused("misfit", "share"):
            PaperStudy(method="m", n=100, quantities=(share(value, 0.1),))
    other = Quantity(name="other", value=0.5, standard_error=0.1)
    assert PaperStudy(method="m", n=100, quantities=(share(-0.405, 0.1), other))["other"] is other
    with refused("misfit", "share"):
        PaperStudy(method="m", n=100, quantities=(share(-0.4057, 0.1), other))


INDEPENDENT = PValue(
    value=0.0404, test="strata alike", n=1_200, estimable=True, adjustment="none", family=1, origin=CHECKED
)


def test_a_summary_names_each_quantity_and_test() -> None:
    study = PaperStudy(
        method="warner(p=0.7)",
        n=1_200,
        quantities=(
            share(0.25, 0.02),
            Quantity(name="cheaters", value=-0.05, standard_error=0.04),
            Quantity(name="honesty", value=0.5, standard_error=0.4),
            Quantity(name="mean", value=3.5, standard_error=0.5, possible=(0, 10)),
        ),
        tests=(ModelTest(name="independence", statistic=4.2, test=INDEPENDENT),),
    )
    assert study.summary(0.9).splitlines() == [
        "warner(p=0.7), n = 1,200",
        "share: estimate 0.25, standard error 0.02, 90% interval 0.2171 to 0.2829",
        "cheaters: too few answers to say: at most 0.01579, 90% interval -0.1158 to 0.01579",
        "honesty: too few answers to say: 0 to 1",
        "mean: estimate 3.5, standard error 0.5, 90% interval 2.678 to 4.322",
        "independence: 4.2, p = 0.0404 (score test that all strata have the same value, n = 1,200)",
    ]
    assert repr(study) == "<warner(p=0.7): 4 quantities, n = 1,200>"
    assert study["cheaters"].value == -0.05
    table = study.to_frame(0.9)
    assert table.basis.tolist() == ["estimate", "at most", "too few", "estimate"]
    assert table.unclipped.tolist() == [0.25, -0.05, 0.5, 3.5]
