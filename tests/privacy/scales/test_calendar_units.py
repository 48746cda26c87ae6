"""Months and days as numbers: one to one over all years, and alike on the device."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from privacy.scales.calendar_units import (
    CALENDARS,
    FIRST_TICK,
    LAST_TICK,
    calendar_days,
    calendar_text,
    calendar_tick,
)
from tests.cast.refusals import refused

VECTORS = json.loads(
    (Path(__file__).resolve().parents[2] / "vectors" / "dates.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("calendar", CALENDARS)
def test_dates_are_numbered_as_the_device_numbers_them(calendar: str) -> None:
    for text, tick in VECTORS[calendar]:
        if tick is None:
            with refused("answer", repr(text)):
                calendar_tick(calendar, text)
        else:
            assert calendar_tick(calendar, text) == tick
            assert calendar_text(calendar, tick) == text.strip()


def test_every_month_has_its_number_and_its_days() -> None:
    texts = [f"{year:04d}-{month:02d}" for year in range(1000, 10000) for month in range(1, 13)]
    ticks = range(FIRST_TICK["month"], LAST_TICK["month"] + 1)
    assert [calendar_text("month", tick) for tick in ticks] == texts
    assert [calendar_tick("month", text) for text in texts[::97]] == list(ticks[::97])
    for text in texts[::13]:
        first, last = map(date.fromisoformat, calendar_days("month", text))
        assert (first.day, (last + timedelta(days=1)).day) == (1, 1)
        assert first.isoformat()[:7] == last.isoformat()[:7] == text


def test_the_day_after_is_the_next_number() -> None:
    day, tick = date(1899, 12, 30), calendar_tick("day", "1899-12-30")
    for step in range(100_000):
        assert calendar_text("day", tick + step) == (day + timedelta(days=step)).isoformat()
