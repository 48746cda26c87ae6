"""Opening and closing times in local time, including changes to and from summer time."""

from datetime import UTC, datetime
from typing import Any

import pytest

from surveys.questionnaire.document import Node, Problems
from surveys.questionnaire.local_time import local_text
from surveys.questionnaire.schedule import Schedule, read_schedule


def read(**stated: Any) -> Schedule:
    problems = Problems()
    schedule = read_schedule(Node(value=stated, path="", problems=problems))
    problems.raise_if_any()
    return schedule


def problems_of(**stated: Any) -> dict[str, str]:
    problems = Problems()
    read_schedule(Node(value=stated, path="", problems=problems))
    return {problem.path: f"{problem.message}; {problem.remedy}" for problem in problems.entries}


def utc(*time: int) -> datetime:
    return datetime(*time, tzinfo=UTC)  # type: ignore[misc,arg-type]  # year, month, day, hour, minute


def test_schedules_default_to_manual_and_utc() -> None:
    assert read() == Schedule(time_zone="UTC", opens_at=None, closes_at=None)


@pytest.mark.parametrize(
    ("zone", "local", "instant"),
    [
        ("Europe/Berlin", "2026-12-01T08:00", utc(2026, 12, 1, 7, 0)),
        ("Europe/Berlin", "2027-06-01T08:00", utc(2027, 6, 1, 6, 0)),
        ("Asia/Shanghai", "2026-12-01T00:00", utc(2026, 11, 30, 16, 0)),
        ("Australia/Lord_Howe", "2026-12-01T00:00", utc(2026, 11, 30, 13, 0)),
        # Clocks go back on 25 October from 3:00 to 2:00, so 2:30 occurs twice; the first one counts.
        ("Europe/Berlin", "2026-10-25T02:30", utc(2026, 10, 25, 0, 30)),
        ("Europe/Berlin", "2026-10-25T03:00", utc(2026, 10, 25, 2, 0)),
    ],
)
def test_times_are_read_in_the_time_zone_of_the_place(zone: str, local: str, instant: datetime) -> None:
    assert read(time_zone=zone, opens_at=local).opens_at == instant
    assert local_text(instant, zone) == local


def test_a_time_skipped_by_the_clocks_is_refused_with_its_equivalent() -> None:
    found = problems_of(time_zone="Europe/Berlin", closes_at="2027-03-28T02:30")
    assert "clocks are put forward" in found["closes_at"]
    assert "2027-03-28T03:30" in found["closes_at"]


@pytest.mark.parametrize(
    ("stated", "path", "says"),
    [
        ({"time_zone": "Berlin"}, "time_zone", "unknown time zone"),
        ({"time_zone": None}, "time_zone", "null"),
        ({"time_zone": "../../etc/passwd"}, "time_zone", "unknown time zone"),
        ({"opens_at": "tomorrow"}, "opens_at", "not a time"),
        ({"opens_at": "2026-13-01T00:00"}, "opens_at", "not a time"),
        ({"opens_at": "2026-02-30T00:00"}, "opens_at", "not a time"),
        ({"opens_at": "2026-12-01T08:00+01:00"}, "opens_at", "2026-12-01T08:00, by the clocks"),
        ({"opens_at": "9999-12-31T23:59"}, "opens_at", "not a time"),
        ({"opens_at": 20261201}, "opens_at", "20261201"),
        ({"closes_at": ["2026-12-01T08:00"]}, "closes_at", "not a time"),
        ({"opens_at": "2026-12-02T08:00", "closes_at": "2026-12-02T08:00"}, "closes_at", "not after"),
        ({"delete_on": "some day"}, "delete_on", "not a date"),
        ({"delete_on": "2027-02-29"}, "delete_on", "write it like 2027-03-01"),
        ({"delete_on": "2027-03-01T00:00"}, "delete_on", "not a date"),
        ({"delete_on": ""}, "delete_on", "not a date"),
        ({"delete_on": 20270301}, "delete_on", "not a date"),
        ({"closes_at": "2027-02-27T00:01", "delete_on": "2027-03-01"}, "delete_on", "too early"),
        ({"opens_at": "2027-03-02T08:00", "delete_on": "2027-03-01"}, "delete_on", "too early"),
    ],
)
def test_an_impossible_schedule_is_refused_with_its_place(
    stated: dict[str, Any], path: str, says: str
) -> None:
    assert says in problems_of(**stated)[path]


def test_the_deletion_day_starts_at_local_midnight_after_the_grace_time() -> None:
    stated = {"closes_at": "2027-02-27T00:00", "delete_on": "2027-03-01", "time_zone": "Europe/Berlin"}
    found = read(**stated)
    assert found.delete_at == utc(2027, 2, 28, 23, 0)
    assert str(found.delete_on) == "2027-03-01"
