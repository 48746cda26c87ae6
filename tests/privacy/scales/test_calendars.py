"""Calendars."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from privacy.scales.calendars import CALENDARS, calendar_text, calendar_tick
from tests.fixtures.refusals import refused

VECTORS = json.loads(
    (Path(__file__).resolve().parents[2] / "vectors" / "dates.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("calendar", CALENDARS)
def test_dates_have_the_same_numbers_as_on_the_device(calendar: str) -> None:
    for text, tick in VECTORS[calendar]:
        if tick is None:
            with refused("answer", repr(text)):
                calendar_tick(calendar, text)
        else:
            assert calendar_tick(calendar, text) == tick
            assert calendar_text(calendar, tick) == text.strip()


def test_consecutive_days_have_consecutive_numbers() -> None:
    day, tick = date(1899, 12, 30), calendar_tick("day", "1899-12-30")
    for step in range(100_000):
        assert calendar_text("day", tick + step) == (day + timedelta(days=step)).isoformat()
