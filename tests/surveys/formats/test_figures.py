import math

import pytest

from surveys.formats.figures import difference_figure, ratio_figure, share_figure
from surveys.formats.numbers import number
from surveys.templatetags.figures import figure as printed_figure


def test_shares_show_a_margin_and_an_interval() -> None:
    figure = share_figure(0.132, 0.116, 0.149)
    assert (figure.value, figure.plus_minus, figure.low, figure.high) == (".132", ".016", ".116", ".149")
    assert figure.remarks == ()


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (-0.01, -0.11, 0.09, "at most .090"),
        (1.2, 1.1, 1.3, "at least 1.000"),
        (-15.302, 0.273, 1.0, "at least .273"),
        (0.4, 0.1, 0.2, ".100 to .200"),
        (1.2, -0.1, 1.3, ".000 to 1.000"),
    ],
)
def test_an_impossible_estimate_is_replaced_by_what_its_interval_says(
    value: float, low: float, high: float, text: str
) -> None:
    figure = share_figure(value, low, high)
    assert (figure.value, figure.plus_minus, figure.low, figure.high) == (text, "", "", "")
    assert figure.remarks == ("too few to say",)
    assert number(value) not in printed_figure(figure)


def test_values_without_an_interval_cannot_be_estimated() -> None:
    figure = share_figure(0.4, None, None)
    assert (figure.value, figure.has_interval, figure.remarks) == ("", False, ("cannot be estimated",))


def test_counted_values_are_exact() -> None:
    figure = share_figure(0.4, 0.4, 0.4)
    assert (figure.exact, figure.plus_minus, figure.has_interval) == (True, "", False)


def test_ratios_show_both_ends_of_their_interval() -> None:
    figure = ratio_figure(1.81, 1.6, 2.5)
    assert (figure.value, figure.low, figure.high) == ("1.81", "1.60", "2.50")


def test_a_ratio_without_an_upper_end_is_only_a_bound() -> None:
    figure = ratio_figure(1.81, 1.6, math.inf)
    assert (figure.value, figure.has_interval) == ("at least 1.60", False)
    assert figure.remarks == ("too few to say",)


def test_negative_differences_have_no_remark() -> None:
    assert difference_figure(-0.02, -0.03, -0.01).remarks == ()


def test_estimates_from_few_rows_are_marked() -> None:
    assert share_figure(0.1, 0.0, 0.2, few_rows=True).remarks == ("few rows",)
