"""The clock that all machines share."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from surveys.intake import database_clock
from surveys.intake.database_clock import database_clock as clock


def test_sqlite_uses_our_clock_and_postgresql_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_clock, "connection", SimpleNamespace(vendor="sqlite"))
    assert abs(timezone.now() - clock()) < timedelta(minutes=5)
    monkeypatch.setattr(database_clock, "connection", SimpleNamespace(vendor="postgresql"))
    assert isinstance(clock(), Now)
