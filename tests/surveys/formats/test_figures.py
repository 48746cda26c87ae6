import math

import pytest

from surveys.formats.figures import difference_figure, number, ratio_figure, share_figure
from surveys.templatetags.figures import figure as printed_figure


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.1324, 3, ".132"),
        (0.1326, 3, ".133"),
        (1.0, 3, "1.000"),
        (-0.0496, 3, "−.050"),
        (-0.00049, 3, ".000"),
        (-0.0005001, 3, "−.001"),
        (12.345, 1, "12.3"),
        (7.0, 0, "7"),
        (0.0, 3, ".000"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "−∞"),
        (math.nan, 2, ""),
        (None, 2, ""),
    ],
)
def test_a_number_has_fixed_decimals_and_no_zero_before_the_point(
    value: float | None, digits: int, text: str
) -> None:
    assert number(value, digits) == text


def test_a_share_has_half_its_intervals_width_and_the_interval() -> None:
    figure = share_figure(0.132, 0.116, 0.149)
    assert (figure.value, figure.plus_minus, figure.low, figure.high) == (".132", ".016", ".116", ".149")
    assert figure.remarks == ()


@pytest.mark.parametrize(("value", "remark"), [(-0.01, "below 0"), (1.2, "above 1")])
def test_an_estimate_outside_its_range_is_shown_and_labelled(value: float, remark: str) -> None:
    figure = share_figure(value, value - 0.1, value + 0.1)
    assert figure.value == number(value)
    assert figure.remarks == (remark,)


@pytest.mark.parametrize(("value", "low", "high"), [(-15.302, 0.273, 1.0), (1.2, 0.7, 1.0)])
def test_beside_an_interval_that_does_not_hold_the_estimate_there_is_no_half_width(
    value: float, low: float, high: float
) -> None:
    figure = share_figure(value, low, high)
    assert (figure.plus_minus, figure.low, figure.high) == ("", number(low), number(high))
    assert "±" not in printed_figure(figure)


def test_without_an_interval_a_value_is_not_estimable_with_this_n() -> None:
    figure = share_figure(0.4, None, None)
    assert (figure.value, figure.has_interval, figure.remarks) == (
        ".400",
        False,
        ("cannot be estimated",),
    )


def test_a_value_that_is_counted_is_exact() -> None:
    figure = share_figure(0.4, 0.4, 0.4)
    assert (figure.exact, figure.plus_minus, figure.has_interval) == (True, "", False)


def test_a_ratio_has_its_interval_whole_because_it_is_lopsided() -> None:
    figure = ratio_figure(1.81, 1.6, math.inf)
    assert (figure.value, figure.plus_minus, figure.low, figure.high) == ("1.81", "", "1.60", "∞")


def test_a_difference_may_be_negative_without_a_label() -> None:
    assert difference_figure(-0.02, -0.03, -0.01).remarks == ()


def test_few_rows_are_said() -> None:
    assert share_figure(0.1, 0.0, 0.2, few_rows=True).remarks == ("few rows",)
