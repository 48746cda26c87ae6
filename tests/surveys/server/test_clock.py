"""If the clock may be wrong, administrators are warned, and nothing is deleted for a day."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from surveys.management.commands import sweep
from surveys.models import Beat, Survey
from surveys.models.heartbeat import record_heartbeat
from surveys.server import clock
from surveys.server.alerts import _problems
from surveys.server.clock import check_clock, clock_doubt
from tests.fixtures.devices import published, wide_definition

pytestmark = pytest.mark.django_db

NOW = timezone.now()
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("last_round", "wanted"),
    [
        (None, False),
        (NOW - timedelta(seconds=2), False),
        (NOW - timedelta(hours=23), False),
        (NOW - DAY, True),
        (NOW - 3 * DAY, True),
        (NOW + DAY, True),
        (NOW + timedelta(hours=1), False),
    ],
)
def test_a_clock_jump_of_a_day_raises_doubt(last_round: datetime | None, wanted: bool) -> None:
    assert check_clock(last_round=last_round, now=NOW) is wanted


@pytest.mark.parametrize(("seconds", "wanted"), [(59, False), (61, True), (-61, True), (-59, False)])
def test_a_database_clock_one_minute_off_raises_doubt(
    seconds: int, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "database_now", lambda: timezone.now() + timedelta(seconds=seconds))
    assert check_clock(last_round=NOW, now=NOW) is wanted


def test_the_database_clock_is_checked() -> None:
    assert abs(clock.database_now() - timezone.now()) < timedelta(minutes=1)


def test_clock_doubt_lasts_a_day_and_restarts_when_the_clock_is_set_back() -> None:
    ahead = NOW + 3 * DAY
    assert check_clock(last_round=NOW, now=ahead)
    assert check_clock(last_round=ahead, now=ahead + timedelta(hours=23))
    # Correcting the clock is another jump, which starts another day of waiting.
    right = NOW + timedelta(hours=24)
    assert check_clock(last_round=ahead + timedelta(hours=23), now=right)
    assert clock_doubt(now=right + timedelta(hours=23)) is not None
    assert not check_clock(last_round=right + DAY - timedelta(seconds=2), now=right + DAY)


def test_a_sweeper_three_days_ahead_deletes_no_survey_and_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    survey = published(wide_definition("wide")).survey
    Survey.objects.filter(pk=survey.pk).update(delete_at=NOW + DAY)
    record_heartbeat(sweep.SWEEPER_HEARTBEAT, now=NOW)
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() + 3 * DAY)
    if connection.vendor == "postgresql":
        # The database has the same wrong clock, as on the same machine.
        monkeypatch.setattr(clock, "database_now", lambda: timezone.now())
    for _ in range(3):
        assert sweep.sweep_once() == []
    assert Survey.objects.filter(pk=survey.pk).exists()
    told = dict(_problems(timezone.now()))
    assert "nothing is deleted before" in told["clock"]
    # If no administrator corrects the clock within a day, it counts as right.
    monkeypatch.setattr(timezone, "now", lambda: real() + 4 * DAY + timedelta(seconds=1))
    Beat.objects.filter(name=sweep.SWEEPER_HEARTBEAT).update(at=timezone.now() - timedelta(seconds=2))
    assert sweep.sweep_once() == []
    assert not Survey.objects.filter(pk=survey.pk).exists()


def test_clock_doubt_suspends_every_step_that_deletes_by_time() -> None:
    done: list[str] = []
    names = [name for name, _step in sweep.SWEEPER_STEPS]
    assert set(sweep.IN_DOUBT) <= set(names)
    record_heartbeat(sweep.SWEEPER_HEARTBEAT, now=timezone.now() - 2 * DAY)
    steps = tuple((name, lambda name=name: done.append(name)) for name in names if name != "mix")
    assert sweep.sweep_once(steps) == []
    assert done == ["clock", "jobs", "homes", "alerts"]
