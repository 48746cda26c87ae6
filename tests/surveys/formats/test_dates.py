"""Days and times are written as browsers write them, except where Django's name of a month differs."""

import json
import subprocess
from datetime import date, datetime
from typing import Final

import pytest
from django.utils.translation import override

from surveys.formats.dates import day_text, moment_text, month_text
from surveys.questionnaire.languages import respondent_languages

# Other spellings of a month's name: Django's, and the browser's.
SPELT: Final = {
    "fa": {"ژانویه": "ژانویهٔ", "فوریه": "فوریهٔ", "مه": "مهٔ", "ژوئیه": "ژوئیهٔ"},
    "ar": {"إبريل": "أبريل"},
    "hi": {"सितमबर": "सितंबर", "नवमबर": "नवंबर", "दिसमबर": "दिसंबर"},
    "sw": {"Disemba": "Desemba"},
}


def in_browser(language: str, style: str = "{ dateStyle: 'long', timeZone: 'UTC' }") -> list[str]:
    """Return the ninth of each month; Persian in the Gregorian calendar, which the server uses."""
    script = (
        f"const written = new Intl.DateTimeFormat(process.argv[1], {style});"
        "const days = Array.from({ length: 12 }, (_, month) => written.format(Date.UTC(2026, month, 9)));"
        "console.log(JSON.stringify(days));"
    )
    tag = f"{language}-u-ca-gregory"
    found = subprocess.run(["node", "-e", script, tag], check=True, capture_output=True, text=True)
    days: list[str] = json.loads(found.stdout)
    return days


@pytest.mark.parametrize("language", respondent_languages())
def test_each_day_is_written_as_in_browsers(language: str) -> None:
    with override(language):
        days = [day_text(date(2026, month, 9)) for month in range(1, 13)]
    for ours, theirs in zip(days, in_browser(language), strict=True):
        words = (SPELT.get(language, {}).get(word, word) for word in ours.split(" "))
        assert " ".join(words) == theirs


@pytest.mark.parametrize("language", respondent_languages())
def test_each_month_is_written_as_in_browsers(language: str) -> None:
    with override(language):
        months = [month_text(date(2026, month, 9)) for month in range(1, 13)]
    theirs = in_browser(language, "{ month: 'long', year: 'numeric', timeZone: 'UTC' }")
    for ours, browsers in zip(months, theirs, strict=True):
        words = (SPELT.get(language, {}).get(word, word) for word in ours.split(" "))
        assert " ".join(words) == browsers


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "December 1, 2026, 08:05"),
        ("de", "1. Dezember 2026, 08:05"),
        ("fa", "۱ دسامبر ۲۰۲۶، ۰۸:۰۵"),
        ("zh-hant", "2026年12月1日 08:05"),
        ("pt", "1 de dezembro de 2026, 08:05"),
    ],
)
def test_a_time_follows_its_day(language: str, said: str) -> None:
    with override(language):
        assert moment_text(datetime(2026, 12, 1, 8, 5)) == said
