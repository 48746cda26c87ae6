"""Log-ins that ran out leave the database by themselves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from surveys import sweeper
from surveys.accounts.log_in import sessions_step

pytestmark = pytest.mark.django_db


def session(key: str, **runs_out_in: float) -> None:
    Session.objects.create(session_key=key, expire_date=timezone.now() + timedelta(**runs_out_in))


def test_the_sweeper_deletes_sessions_that_ran_out_and_keeps_the_others() -> None:
    session("old", seconds=-1)
    session("new", hours=1)
    step = dict(sweeper.STEPS)["sessions"]
    step()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["new"]


def test_a_round_with_nothing_to_delete_writes_nothing() -> None:
    session("new", hours=1)
    with CaptureQueriesContext(connection) as queries:
        sessions_step()
    assert len(queries) == 1
    assert queries[0]["sql"].startswith("SELECT")
