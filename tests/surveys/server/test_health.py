import json
import re
import resource
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from surveys.intake.keys import mixer_ready
from surveys.jobs.sweeper import SWEEPER_HEARTBEAT
from surveys.management.commands.sweep import sweep_once
from surveys.models import Beat, MixerKey, SchemaRecord
from surveys.models.heartbeat import SECONDS_UNTIL_LATE, record_heartbeat
from surveys.server import health
from surveys.server.state import database_state
from tests.fixtures.databases import execute, first_release

pytestmark = pytest.mark.django_db
WORKER = "worker host/7"


def test_ready_passes_when_database_broker_sweeper_and_worker_run(client: Client, broker: str) -> None:
    sweep_once(())
    assert mixer_ready()
    record_heartbeat(WORKER, now=timezone.now())
    record_heartbeat("worker other/8", now=timezone.now() - timedelta(minutes=10))
    response = client.get("/ready")
    body = json.loads(response.content)
    assert response.status_code == 200
    assert 0 <= body.pop("sweeper_age_seconds") < SECONDS_UNTIL_LATE
    assert body.pop("clock_difference") == ""
    ages = body.pop("worker_age_seconds")
    assert list(ages) == ["host/7", "other/8"]
    assert ages["host/7"] < SECONDS_UNTIL_LATE < ages["other/8"]
    assert body.pop("chores") == {
        "mixing": "ok",
        "disk": "ok",
        "certificate": "ok",
        "backup": "ok",
        "checks": "ok",
    }
    assert body == {
        "status": "ok",
        "database": "ok",
        "migrations": "ok",
        "writes": "ok",
        "broker": "ok",
        "clock": "ok",
        "sweeper": "ok",
        "mixer": "ok",
        "worker": "ok",
    }


@pytest.mark.only("sqlite")
@pytest.mark.django_db(transaction=True)
def test_a_full_disk_is_not_ready_until_space_is_freed(client: Client) -> None:
    Beat.objects.create(name="before", at=timezone.now())
    log = Path(f"{connection.settings_dict['NAME']}-wal")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("PRAGMA cache_size")
        pages = cursor.fetchone()
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 20_000, unlimited[1]))
    try:
        full = client.get("/ready")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert (full.status_code, full.json()["writes"]) == (503, "refused")
    assert client.get("/ready").json()["writes"] == "ok"
    assert list(Beat.objects.values_list("name", flat=True)) == ["before"]
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA cache_size").fetchone() == pages


STRANGERS = {
    "through a proxy": {"HTTP_X_FORWARDED_FOR": "198.51.100.1"},
    "through a proxy that tells no address": {"HTTP_X_FORWARDED_PROTO": "https"},
    "through a proxy as the standard has it": {"HTTP_FORWARDED": "for=198.51.100.1"},
    "from another machine": {"REMOTE_ADDR": "198.51.100.1"},
    "from nowhere": {"REMOTE_ADDR": ""},
}


@pytest.mark.parametrize("way", STRANGERS)
def test_readiness_hides_machines_and_times_from_strangers(way: str, client: Client, broker: str) -> None:
    record_heartbeat(WORKER, now=timezone.now())
    record_heartbeat("worker other/8", now=timezone.now() - timedelta(minutes=10))
    response = client.get("/ready", **STRANGERS[way])
    assert "host" not in response.content.decode()
    assert response.json()["worker"] == "ok"
    assert not re.search("[0-9]", response.content.decode())


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"])
def test_readiness_names_workers_to_local_requests(address: str, client: Client, broker: str) -> None:
    record_heartbeat(WORKER, now=timezone.now())
    ages = client.get("/ready", REMOTE_ADDR=address).json()["worker_age_seconds"]
    assert list(ages) == ["host/7"]


@pytest.mark.parametrize("part", ["sweeper", "worker"])
def test_ready_returns_503_when_a_part_was_never_seen(part: str, client: Client, broker: str) -> None:
    for name, beat in (("sweeper", SWEEPER_HEARTBEAT), ("worker", WORKER)):
        if name != part:
            record_heartbeat(beat, now=timezone.now())
    response = client.get("/ready")
    assert response.status_code == 503
    assert response.json()[part] == "never seen"
    assert response.json()[f"{part}_age_seconds"] in (None, {})


@pytest.mark.parametrize("part", ["sweeper", "worker"])
def test_ready_returns_503_when_a_part_is_late(part: str, client: Client, broker: str) -> None:
    for name, beat in (("sweeper", SWEEPER_HEARTBEAT), ("worker", WORKER)):
        age = SECONDS_UNTIL_LATE + 1 if name == part else 0
        record_heartbeat(beat, now=timezone.now() - timedelta(seconds=age))
    response = client.get("/ready")
    assert response.status_code == 503
    assert (response.json()[part], response.json()["clock"]) == ("late", "ok")


@pytest.mark.parametrize("part", ["sweeper", "worker"])
def test_a_clock_set_back_is_called_a_clock(part: str, client: Client, broker: str) -> None:
    for name, beat in (("sweeper", SWEEPER_HEARTBEAT), ("worker", WORKER)):
        ahead = 20 * 60 if name == part else 0
        record_heartbeat(beat, now=timezone.now() + timedelta(seconds=ahead))
    response = client.get("/ready")
    assert response.status_code == 503
    assert (response.json()["clock"], response.json()[part]) == ("wrong", "unknown")
    assert "1200 s in the future" in response.json()["clock_difference"]


def test_ready_returns_503_when_the_broker_is_unreachable(client: Client, no_broker: None) -> None:
    sweep_once(())
    response = client.get("/ready")
    assert response.status_code == 503
    assert response.json()["broker"] == "no answer"
    assert response.json()["database"] == "ok"


def test_ready_returns_503_when_the_database_is_unreachable(
    client: Client, broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise DatabaseError("disk I/O error")

    monkeypatch.setattr(health.connection, "cursor", refuse)
    response = client.get("/ready")
    assert response.status_code == 503
    assert response.json()["database"] == "no answer"

    # A supervisor must not restart a live process because the database is unreachable.
    alive = client.get("/live")
    assert (alive.status_code, alive.json()) == (200, {"status": "ok"})


def test_live_does_not_query_the_database(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert client.get("/live").status_code == 200


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda: MigrationRecorder(connection).record_applied("surveys", "9001_later"), "newer"),
        (lambda: SchemaRecord.objects.all().delete(), "pending"),
        (lambda: execute("DROP TABLE surveys_wave"), "changed"),
    ],
    ids=["a newer release was here", "an upgrade did not finish", "a table is missing"],
)
def test_ready_returns_503_when_migrations_and_program_differ(
    change: Callable[[], object], said: str, client: Client, broker: str
) -> None:
    change()
    sentence = database_state().sentence
    response = client.get("/ready")
    assert response.status_code == 503
    assert response.json()["migrations"] == said
    assert response.json()["schema"] == sentence


def test_only_this_machine_reads_the_names_of_tables(
    client: Client, broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_release(monkeypatch)
    said = client.get("/ready").json()
    assert said["migrations"] == "pending"
    assert "migrations missing, anonymisation.0001_initial first" in said["schema"]
    assert "schema" not in client.get("/ready", headers={"x-forwarded-for": "192.0.2.1"}).json()


@pytest.mark.parametrize("address", ["/live", "/ready"])
def test_health_responses_are_not_cached_and_set_no_cookies(
    address: str, client: Client, broker: str
) -> None:
    response = client.get(address)
    assert "no-store" in response["Cache-Control"]
    assert not response.cookies


@pytest.mark.parametrize("address", ["/live", "/ready"])
def test_readiness_rejects_post_requests(address: str, client: Client) -> None:
    assert client.post(address).status_code == 405


def test_ready_names_the_mixer_and_the_spare(client: Client, settings: Any, broker: str) -> None:
    sweep_once(())
    assert mixer_ready()
    record_heartbeat(WORKER, now=timezone.now())
    settings.SOTTOVOCE_MIXERS = ["mix1", "mix2"]
    response = client.get("/ready")
    body = response.json()
    assert (response.status_code, body["mixer"], body["spare"]) == (503, "ok", "no spare")
    settings.SOTTOVOCE_MIXERS = []
    assert client.get("/ready").status_code == 200
    MixerKey.objects.filter(version_id=None).update(vouched_until=timezone.now())
    response = client.get("/ready")
    assert (response.status_code, response.json()["mixer"]) == (503, "no key")
