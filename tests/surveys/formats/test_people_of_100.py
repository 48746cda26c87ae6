import math

import pytest

from surveys.formats.people_of_100 import range_text, share_with_interval


@pytest.mark.parametrize(
    ("share", "text"),
    [
        ((0.46, 0.1, 1.17), "46 of 100 (10 to 100)"),
        ((0.46, -0.26, 1.17), "too few to say: 0 to 100 of 100"),
        ((0.0523, 0.0498, 0.0551), "5.2 of 100 (5.0 to 5.5)"),
        ((1.03, 0.9, 1.16), "too few to say: at least 90 of 100"),
        ((0.25, 0.25, 0.25), "25.0 of 100"),
        ((0.0, 0.0, 0.0), "0.0 of 100"),
        ((-1.7, -3.0, -0.1), "too few to say: 0 to 100 of 100"),
        ((-0.2, 0.0, 0.0), "too few to say: 0 to 100 of 100"),
        ((-0.2, -0.5, 0.004), "too few to say: at most 0.4 of 100"),
        ((1.5, 1.0, 2.0), "too few to say: 0 to 100 of 100"),
        ((0.2, -math.inf, math.inf), "too few to say: 0 to 100 of 100"),
    ],
)
def test_no_printed_share_is_below_0_or_above_100(share: tuple[float, float, float], text: str) -> None:
    assert share_with_interval(*share) == text


def test_a_range_alone_is_within_0_and_100_too() -> None:
    assert range_text(0.46, -0.26, 1.17) == "0 to 100"
