"""Clocks that differ between machines."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.jobs.sweeper import SWEEPER_HEARTBEAT
from surveys.models.heartbeat import record_heartbeat
from surveys.server import clock_problem

pytestmark = pytest.mark.django_db


WORKER = "worker host/7"


def test_a_clock_ahead_of_the_sweepers_is_called_a_clock(
    client: Client, broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty minutes ahead, a running sweeper looked late."""
    record_heartbeat(WORKER, now=timezone.now())

    def a_round(_seconds: float) -> None:
        record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() - timedelta(minutes=20))

    a_round(0)
    monkeypatch.setattr(clock_problem, "SECONDS_TO_MOVE", 60.0)
    monkeypatch.setattr(clock_problem.time, "sleep", a_round)
    response = client.get("/ready")
    assert response.status_code == 503
    assert (response.json()["clock"], response.json()["sweeper"]) == ("wrong", "unknown")
    assert response.json()["clock_difference"] == "the sweeper's clock is 1200 s behind this machine's"


def test_a_clock_apart_from_the_databases_is_called_a_clock(
    client: Client, broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_problem, "database_now", lambda: timezone.now() - timedelta(minutes=20))
    response = client.get("/ready")
    assert response.json()["clock"] == "wrong"
    assert response.json()["clock_difference"] == "the database's clock is 1200 s behind this machine's"
