"""Clocks that differ are reported."""

from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.models import AuditEvent
from surveys.server.doctor import clocks
from surveys.server.doctor.diagnosis import Check, Severity
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("check", clocks.CLOCK_CHECKS, ids=lambda check: check.__name__)
def test_a_migrated_database_passes(check: Check, doctor: Doctor) -> None:
    assert doctor.level(check) is Severity.OK


@pytest.mark.only("sqlite")
def test_a_clock_set_back_is_detected(doctor: Doctor) -> None:
    AuditEvent(at=timezone.now() + timedelta(hours=2), actor="alice", action="x", target="x").save()
    assert doctor.level(clocks.clocks_agree) is Severity.ERROR


@pytest.mark.only("postgresql")
def test_a_clock_that_differs_from_the_database_is_detected(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = timezone.now() - timedelta(hours=2)
    monkeypatch.setattr(clocks.timezone, "now", lambda: late)
    assert "clock is 7200 s ahead of" in doctor.seen(clocks.clocks_agree)
