"""A run's audit is a job after its report, done once for the same rows, and again if it is lost."""

from collections.abc import Callable
from dataclasses import replace
from subprocess import Popen

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from mining.columns import row_patterns
from surveys.jobs import lease, queue
from surveys.models import Job, Run
from surveys.runs import audit_job
from surveys.runs.audit_job import audit_dispatch, audit_rows_of_job, audit_store
from surveys.runs.run_requests import run_request
from tests.conftest import wait_until
from tests.fixtures.runs import LOOSE, alice, answered_version, audited_run, mined_run, requested_run

pytestmark = pytest.mark.django_db(transaction=True)


def page_of(run: Run, client: Client) -> str:
    client.force_login(alice())
    return client.get(f"/en/staff/runs/{run.pk}/audit/").content.decode()


def test_an_audit_is_shared_by_runs_with_other_thresholds() -> None:
    version = answered_version(600, n_direct=0)
    first = audited_run(mined_run(version))
    assert first.summary["audit"]["when"] == "after"
    second = mined_run(version, replace(LOOSE, support=0.3))
    assert second.summary["audit"] == first.summary["audit"]
    assert Run.objects.get(pk=second.pk).audit_job is None


def test_runs_on_the_same_rows_share_one_audit_job() -> None:
    version = answered_version(600, n_direct=0)
    first, second = mined_run(version), mined_run(version)
    assert first.audit_job_id == second.audit_job_id
    assert "audit" not in second.summary
    stored = audited_run(second).summary["audit"]
    assert Run.objects.get(pk=first.pk).summary["audit"] == stored
    assert stored["when"] == "after"
    # The job cannot be claimed a second time.
    assert not lease.perform(first.audit_job_id or 0, audit_rows_of_job)


def test_a_new_code_version_repeats_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    version = answered_version(600, n_direct=0)
    audited_run(mined_run(version))
    monkeypatch.setattr(audit_job, "code_version", lambda: "another")
    monkeypatch.setattr(audit_job, "audit_record", lambda run, progress: {"when": "anew"})
    assert audited_run(mined_run(version)).summary["audit"] == {"when": "anew"}


def test_an_unfinished_run_is_not_audited() -> None:
    run = requested_run(answered_version(600, n_direct=0))
    audit_store(run.job_id)
    assert "audit" not in Run.objects.get(pk=run.pk).summary
    assert not Job.objects.filter(kind=Job.Kind.AUDIT).exists()


def test_the_inline_command_also_stores_the_audit() -> None:
    run = mined_run(answered_version(600, n_direct=0))
    audit_store(run.job_id)
    assert Run.objects.get(pk=run.pk).summary["audit"]["when"] == "after"


def test_the_page_shows_a_pending_audit_without_computing_it(client: Client) -> None:
    run = mined_run(answered_version(600, n_direct=0))
    assert "The audit of these rows is in progress." in page_of(run, client)
    assert client.get(f"/en/staff/runs/{run.pk}/audit.json").status_code == 409
    assert "audit" not in Run.objects.get(pk=run.pk).summary
    audited_run(run)
    assert "epsilon of the survey" in page_of(run, client)


def test_an_audit_beyond_its_limits_stops_and_the_page_reports_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = mined_run(answered_version(600, n_direct=0))
    monkeypatch.setattr(row_patterns, "ROWS_AT_A_TIME", 64)
    held = iter(range(0, 100_000, 1000))
    monkeypatch.setattr(audit_job, "memory_megabytes", lambda: float(next(held)))
    monkeypatch.setattr(settings, "RUN_MEGABYTES", 2500, raising=False)
    audit_store(run.job_id)
    job = Run.objects.get(pk=run.pk).audit_job
    assert job is not None
    assert (job.state, job.attempts) == (Job.State.FAILED, 1)
    text = page_of(run, client)
    assert "The run needed more than 2,500 MB of memory." in text
    assert "Ask an administrator to raise SOTTOVOCE_RUN_MEGABYTES" in text
    assert next(held) == 4000, "it was stopped at the third portion"


@pytest.mark.soak
def test_a_worker_audits_after_the_report(start_worker: Callable[..., Popen[bytes]]) -> None:
    version = answered_version(600, n_direct=0)
    start_worker()
    run = run_request(version=version, thresholds=LOOSE, by=None, now=timezone.now())
    wait_until(lambda: "audit" in Run.objects.get(pk=run.pk).summary, what="the audit")


def test_an_audit_job_reuses_an_audit_stored_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    version = answered_version(600, n_direct=0)
    first, second = mined_run(version), mined_run(version)
    Run.objects.filter(pk=second.pk).update(
        audit_job=queue.enqueue(kind=Job.Kind.AUDIT, requested_by=None, now=timezone.now())
    )
    stored = audited_run(first).summary["audit"]
    assert "audit" not in Run.objects.get(pk=second.pk).summary
    monkeypatch.setattr(audit_job, "audit_record", lambda run, progress: {"when": "anew"})
    assert audited_run(second).summary["audit"] == stored


def test_a_waiting_audit_is_announced_after_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    announced: list[int] = []
    monkeypatch.setattr(queue, "dispatch_job", announced.append)
    run = mined_run(answered_version(600, n_direct=0))
    audit_dispatch(run.job_id)
    assert announced == [run.audit_job_id]
    audit_dispatch(requested_run(run.version).job_id)
    audited_run(run)
    audit_dispatch(run.job_id)
    assert announced == [run.audit_job_id], "nothing waits"
