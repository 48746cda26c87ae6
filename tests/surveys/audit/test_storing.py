"""A run's audit is stored after its report, and taken over by later runs on the same rows."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from surveys.audit import storing
from surveys.audit.storing import audit_store
from surveys.models import Run
from tests.surveys.report.cast import LOOSE, alice, answered, asked, mined

pytestmark = pytest.mark.django_db(transaction=True)


def stored(run: Run) -> dict[str, Any]:
    audit_store(run.job_id)
    return Run.objects.get(pk=run.pk).summary


def test_thresholds_do_not_change_an_audit_so_that_of_the_same_rows_is_taken_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    version = answered(600, n_direct=0)
    first = stored(mined(version))
    assert first["audit"]["when"] == "after"
    monkeypatch.setattr(storing, "audit_record", lambda *rows: pytest.fail("audited twice"))
    second = mined(version, replace(LOOSE, support=0.3))
    assert "audit" not in second.summary
    assert stored(second)["audit"] == first["audit"]
    # A second time changes nothing.
    assert stored(second)["audit"] == first["audit"]


def test_a_run_does_not_make_what_another_on_the_same_rows_is_making(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    version = answered(600, n_direct=0)
    first, second = mined(version), mined(version)
    with monkeypatch.context() as patched:
        patched.setattr(storing, "audit_record", lambda *rows: pytest.fail("audited twice"))
        assert "audit" not in stored(second)
    assert stored(first)["audit"]["when"] == "after"
    client.force_login(alice())
    page = client.get(f"/en/staff/runs/{second.pk}/audit/")
    assert "epsilon of the survey" in page.content.decode()
    # Once it is certain that nobody is at it, it is made.
    assert stored(second)["audit"] == stored(first)["audit"]


def test_another_release_audits_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    version = answered(600, n_direct=0)
    stored(mined(version))
    made: list[object] = []
    monkeypatch.setattr(storing, "code_version", lambda: "another")
    monkeypatch.setattr(storing, "audit_record", lambda *rows: made.append(rows) or {"when": "anew"})
    assert stored(mined(version))["audit"] == {"when": "anew"}
    assert len(made) == 1


def test_a_run_without_a_result_is_not_audited() -> None:
    run = asked(answered(600, n_direct=0))
    assert "audit" not in stored(run)


def test_the_page_shows_the_audit_though_none_was_stored(client: Client) -> None:
    run = mined(answered(600, n_direct=0))
    client.force_login(alice())
    page = client.get(f"/en/staff/runs/{run.pk}/audit/")
    assert "epsilon of the survey" in page.content.decode()
    assert "audit" not in Run.objects.get(pk=run.pk).summary
