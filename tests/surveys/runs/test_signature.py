"""Statements are signed with the installation's key."""

from typing import Any

import pytest

from surveys.models import Run
from surveys.runs.signature import is_signed, sign_statement, signing_key, snapshot_statement
from tests.fixtures.runs import answered_version, mined_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return mined_run(answered_version())


def test_signing_a_statement_is_deterministic(run: Run) -> None:
    once = sign_statement(snapshot_statement(run))
    assert once == sign_statement(snapshot_statement(run))
    assert is_signed(once)
    assert not is_signed(once | {"statement": once["statement"] | {"batches": 0}})
    assert not is_signed({})


def test_the_report_prints_the_signing_key(run: Run, client: Any) -> None:
    from django.contrib.auth.models import User

    client.force_login(User.objects.create_user("ada", is_staff=True, is_superuser=True))
    for page in ("about", "report"):
        assert signing_key() in client.get(f"/en/staff/runs/{run.pk}/{page}/").content.decode()
