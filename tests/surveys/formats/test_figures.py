import json
import math
import subprocess
from collections.abc import Sequence

import pytest
from django.utils.translation import override

from surveys.formats.figures import (
    below_one,
    count_text,
    difference_figure,
    number,
    percent_text,
    plain,
    ratio_figure,
    share_figure,
    share_text,
)
from surveys.questionnaire.languages import respondent_languages
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
def test_numbers_have_fixed_decimals_and_no_leading_zero(value: float | None, digits: int, text: str) -> None:
    assert number(value, digits) == text


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


def test_chinese_numbers_below_one_have_a_zero() -> None:
    """English statistics omit it (APA style); Chinese journals require it (GB/T 15835)."""
    with override("zh-hans"):
        assert number(0.1324) == "0.132"
        assert number(-0.0496) == "−0.050"
        assert share_text(3e-9) == "< 0.000001"


@pytest.mark.parametrize("language", respondent_languages())
def test_counts_have_the_digits_that_browsers_write(language: str) -> None:
    """Spanish, Italian and Polish leave four digits together; Hindi has pairs before the last three."""
    counts = [0, 999, 1000, 9999, 10_000, 63_664, 100_000, 1_234_567, 98_765_432]
    with override(language):
        assert [*map(count_text, counts)] == in_browser(counts, language)


@pytest.mark.parametrize("language", [tag for tag in respondent_languages() if tag != "en"])
def test_decimals_have_the_signs_that_browsers_write(language: str) -> None:
    with override(language):
        written = [percent_text(0.0523), number(0.5, 1), plain(63664.5), plain(1234.5), plain(1234567.0)]
        assert written == in_browser([5.2, 0.5, 63664, 1234, 1234567], language)
        assert (plain(5.23, 2), below_one("0.5")) == (written[0], written[1])


def in_browser(values: Sequence[float], language: str) -> list[str]:
    """Return numbers as a browser writes them."""
    script = (
        "const [values, language] = JSON.parse(process.argv[1]);"
        "console.log(JSON.stringify(values.map((value) => value.toLocaleString(language))));"
    )
    asked = ["node", "-e", script, json.dumps([values, language])]
    found: list[str] = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    return found
