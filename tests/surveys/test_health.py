import json
from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from surveys import health
from surveys.models.beat import record_beat
from surveys.sweeper import BEAT, SECONDS_UNTIL_MISSED, sweep_once

pytestmark = pytest.mark.django_db


def test_it_is_well_when_database_broker_and_sweeper_are(client: Client, broker: str) -> None:
    sweep_once(())
    response = client.get("/healthz")
    body = json.loads(response.content)
    assert response.status_code == 200
    assert 0 <= body.pop("sweeper_age_seconds") < SECONDS_UNTIL_MISSED
    assert body == {"status": "ok", "database": "ok", "broker": "ok", "sweeper": "ok"}


def test_it_says_503_when_the_sweeper_was_never_seen(client: Client, broker: str) -> None:
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["sweeper"] == "never seen"
    assert response.json()["sweeper_age_seconds"] is None


def test_it_says_503_when_the_sweeper_is_late(client: Client, broker: str) -> None:
    record_beat(BEAT, now=timezone.now() - timedelta(seconds=SECONDS_UNTIL_MISSED + 1))
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["sweeper"] == "late"


def test_it_says_503_when_no_broker_answers(client: Client, no_broker: None) -> None:
    sweep_once(())
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["broker"] == "no answer"
    assert response.json()["database"] == "ok"


def test_it_says_503_when_the_database_does_not_answer(
    client: Client, broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise DatabaseError("disk I/O error")

    monkeypatch.setattr(health.connection, "cursor", refuse)
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["database"] == "no answer"


def test_it_is_not_cached_and_sets_no_cookie(client: Client, broker: str) -> None:
    response = client.get("/healthz")
    assert "no-store" in response["Cache-Control"]
    assert not response.cookies


def test_it_changes_nothing_so_it_takes_no_post(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
