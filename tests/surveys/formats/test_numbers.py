import json
import math
import subprocess
from collections.abc import Sequence

import pytest
from django.utils.translation import override

from surveys.formats.numbers import below_one, count_text, number, percent_text, plain, share_text
from surveys.questionnaire.languages import respondent_languages


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
