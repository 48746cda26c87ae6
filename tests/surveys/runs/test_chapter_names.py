"""Names of chapters."""

from datetime import UTC, datetime

import pytest

from surveys.runs.chapter_names import chapter_day, chapter_text
from surveys.runs.chapters import ClosedChapter

SECOND = ClosedChapter(number=2, after=3, last=9, ends_at=datetime(2026, 12, 31, 23, tzinfo=UTC))
LAST = ClosedChapter(number=3, after=9, last=12, ends_at=None)


@pytest.mark.parametrize(
    ("zone", "day"), [("UTC", "2026-12-31"), ("Europe/Berlin", "2027-01-01"), ("Asia/Shanghai", "2027-01-01")]
)
def test_a_chapter_is_named_by_the_day_on_which_it_ended_where_the_survey_is(zone: str, day: str) -> None:
    assert chapter_day(SECOND, zone) == day
    assert chapter_text(SECOND, zone) == f"chapter 2, until {day}"


def test_the_last_chapter_of_a_settled_survey_has_no_day() -> None:
    assert chapter_day(LAST, "UTC") is None
    assert chapter_text(LAST, "UTC") == "chapter 3, the last one"
