import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.planning.break_even import break_even, variance
from privacy.planning.power import AskedItem
from privacy.planning.precision import half_width


def asked(truth: float, share: float) -> AskedItem:
    return AskedItem(truth=truth, decoy=0.5 if truth < 1 else 0, share=share)


@pytest.mark.parametrize(
    ("share", "truth", "points"),
    [(0.2, 0.6, (3.05, 2.14, 0.95)), (0.2, 0.8, (1.74, 1.22, 0.54)), (0.1, 0.6, (3.07, 2.15, 0.95))],
)
def test_protection_pays_off_from_the_expected_points(
    share: float, truth: float, points: tuple[float, ...]
) -> None:
    found = [break_even(asked(truth, share), n) for n in (500, 1000, 5000)]
    assert [round(100 * each, 2) for each in found if each is not None] == list(points)


def test_protecting_a_share_of_2_percent_cannot_pay_off_at_500() -> None:
    assert break_even(asked(0.6, 0.02), 500) is None
    assert break_even(asked(0.6, 0.02), 5000) is not None


def error_asked_directly(share: float, hidden: float, n: int) -> float:
    return hidden**2 + (share - hidden) * (1 - share + hidden) / n


@given(
    truth=st.floats(0.05, 0.95),
    decoy=st.floats(0.05, 0.95),
    share=st.floats(0.01, 0.99),
    n=st.integers(2, 10**6),
)
def test_the_break_even_is_the_least_hiding_with_equal_error(
    truth: float, decoy: float, share: float, n: int
) -> None:
    item = AskedItem(truth=truth, decoy=decoy, share=share)
    hidden, disguised = break_even(item, n), variance(item) / n
    if hidden is None:
        tried = np.linspace(0, share, 50)
    else:
        assert error_asked_directly(share, hidden, n) == pytest.approx(disguised, rel=1e-9)
        tried = np.linspace(0, hidden, 50)[:-1]
    assert all(error_asked_directly(share, each, n) < disguised * (1 + 1e-9) for each in tried)


def test_the_variance_and_the_half_width_agree() -> None:
    item = AskedItem(truth=0.7, decoy=0.3, share=0.1, share_asked=0.4)
    assert half_width(item, 100) == pytest.approx(1.959963984540054 * math.sqrt(variance(item) / 100))


def test_a_single_person_is_refused() -> None:
    with pytest.raises(PrivacyError) as refused:
        break_even(asked(0.6, 0.2), 1)
    assert refused.value.code == "n"
