"""Counts of answers as pages show them."""

from surveys.formats.shown_counts import rounded_count, shown_count


def test_rounding_can_hide_differences_below_ten() -> None:
    assert {rounded_count(count) for count in range(115, 125)} == {120}
    assert shown_count(118, rounded=True) == "≈ 120"
    assert shown_count(6366) == "6,366"
