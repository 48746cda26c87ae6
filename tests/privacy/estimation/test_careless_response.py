import math

import pytest

from privacy.errors import PrivacyError
from privacy.estimation.careless_response import careless_response
from privacy.estimation.counts import SupportCounts
from tests.privacy.estimation.designs import TWO_BLOCKS, design, protected, yes_no


def test_anchors_with_another_disguise_are_refused_by_name() -> None:
    with pytest.raises(PrivacyError, match="item a is not alone") as refusal:
        careless_response(SupportCounts({}), 0, 2, 2, TWO_BLOCKS)
    assert refusal.value.code == "anchors"
    other = design(
        protected("x", 5000, yes_no("x", 5000)), protected("n", 5000, yes_no("n", 5000)),
        protected("y", 6000, yes_no("y", 5000)),
    )  # fmt: skip
    with pytest.raises(PrivacyError, match="item y is not alone"):
        careless_response(SupportCounts({}), 0, 1, 2, other)


THREE = design(*(protected(f"b-{key}", 5000, yes_no(key, 5000)) for key in ("a", "never", "always")))


def counts_of(n: int, *, both_anchors: float = 0.21) -> SupportCounts:
    """Return counts whose estimated supports are .37, .1 and .9; by default of three unrelated answers."""
    reports = {
        (): 1.0,
        (0,): 0.435,
        (1,): 0.3,
        (2,): 0.7,
        (0, 1): 0.1305,
        (0, 2): 0.3045,
        (1, 2): both_anchors,
    }
    return SupportCounts({items: (0, round(n * share)) for items, share in reports.items()})


def test_the_share_of_attentive_people_has_an_interval_of_two_errors() -> None:
    """Its variance is (.3 (.7) + .7 (.3)) / .25 / n, because reports on the two anchors are unrelated."""
    found = careless_response(counts_of(200_000), 0, 1, 2, THREE).attentive
    error = math.sqrt(2 * 0.21 / 0.25 / 200_000)
    assert found.standard_error == pytest.approx(error, rel=1e-4)
    assert (found.low, found.high) == (
        pytest.approx(0.8 - 1.959964 * error),
        pytest.approx(0.8 + 1.959964 * error),
    )


def test_anchors_that_were_reported_together_have_a_smaller_error() -> None:
    """Reports of both anchors in .25 of the rows: their covariance is .25 - .3 (.7) = .04."""
    found = careless_response(counts_of(200_000, both_anchors=0.25), 0, 1, 2, THREE).attentive
    error = math.sqrt((2 * 0.21 - 2 * 0.04) / 0.25 / 200_000)
    assert found.standard_error == pytest.approx(error, rel=1e-4)


def test_thirty_rows_are_needed() -> None:
    # Of 28 rows the accepted shares are below .86, of 29 they are all.
    for n, is_enough in ((28, False), (29, False), (30, True), (2000, True)):
        found = careless_response(counts_of(n), 0, 1, 2, THREE)
        assert (found.attentive.estimable, found.corrected.estimable) == (is_enough, is_enough)


def test_the_error_of_a_corrected_share_is_that_of_its_ratio() -> None:
    """All three reports are unrelated, so a - (1 - t) never - t always has the sum of their variances."""
    n, t = 200_000, (0.37 - 0.1) / 0.8
    found = careless_response(counts_of(n), 0, 1, 2, THREE).corrected
    variance = (0.435 * 0.565 + ((1 - t) ** 2 + t**2) * 0.21) / 0.25
    assert found.value == pytest.approx(t)
    assert found.standard_error == pytest.approx(math.sqrt(variance / n) / 0.8, rel=1e-4)
