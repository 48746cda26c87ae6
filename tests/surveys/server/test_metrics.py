"""/metrics shows the facts of /ready, and nothing that changes with answers."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from surveys.intake.keys import mixer_ready
from surveys.jobs.sweeper import SWEEPER_HEARTBEAT
from surveys.management.commands.sweep import sweep_once
from surveys.models import Batch
from surveys.models.heartbeat import record_heartbeat
from tests.fixtures.runs import answered_version

pytestmark = pytest.mark.django_db


def states(client: Client) -> dict[str, tuple[str, float]]:
    """Return the status and value of each part, and of the whole under the name "ready"."""
    response = client.get("/metrics")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
    families = list(text_string_to_metric_families(response.content.decode()))
    assert {family.name for family in families} == {"sottovoce_ready", "sottovoce_part_ok"}
    return {
        sample.labels.get("part", "ready"): (sample.labels.get("status", ""), sample.value)
        for family in families
        for sample in family.samples
    }


def test_a_working_installation_is_ready_in_every_part(client: Client, broker: str) -> None:
    sweep_once(())
    assert mixer_ready()
    record_heartbeat("worker host/7", now=timezone.now())
    found = states(client)
    assert found.pop("ready") == ("", 1.0)
    ready = client.get("/ready").json()
    assert set(found) == (ready | ready["chores"]).keys() - {
        "status",
        "sweeper_age_seconds",
        "worker_age_seconds",
        "clock_difference",
        "chores",
    }
    assert set(found.values()) == {("ok", 1.0)}


def test_a_part_that_fails_is_named_with_its_status(client: Client, no_broker: None) -> None:
    record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() - timedelta(hours=1))
    found = states(client)
    assert found["ready"] == ("", 0.0)
    assert found["broker"] == ("no answer", 0.0)
    assert found["sweeper"] == ("late", 0.0)
    assert found["database"] == ("ok", 1.0)


def test_answers_and_their_mixing_do_not_change_the_page(client: Client, broker: str) -> None:
    record_heartbeat("worker host/7", now=timezone.now())
    sweep_once(())
    assert mixer_ready()
    before = client.get("/metrics").content
    answered_version()
    assert Batch.objects.exists()
    sweep_once(())
    assert client.get("/metrics").content == before


def test_the_page_has_no_numbers_but_zero_and_one(client: Client, broker: str) -> None:
    """Ages, sizes and counts are longer numbers; names of machines contain some."""
    record_heartbeat("worker host-77/7", now=timezone.now())
    text = client.get("/metrics", HTTP_X_FORWARDED_FOR="198.51.100.1").content.decode()
    values = [line.rpartition(" ")[2] for line in text.splitlines() if not line.startswith("#")]
    assert set(values) <= {"0.0", "1.0"}
    assert "host" not in text
