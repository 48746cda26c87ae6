"""Requests for a run: what they store and refuse, and how their progress is described."""

from datetime import timedelta

import pytest
from django.utils import timezone

from mining.thresholds import Sides, Thresholds
from privacy.errors import PrivacyError
from surveys.errors.error import SurveyError
from surveys.jobs import lease
from surveys.models import AuditEvent, Job, Run
from surveys.runs.request import progress_of, run_cancel, run_request
from tests.fixtures.runs import LOOSE, alice, answered_version, mined_run, requested_run

pytestmark = pytest.mark.django_db


def test_a_request_writes_run_job_and_audit_event_together() -> None:
    version = answered_version()
    run = requested_run(version, by=alice())
    assert (run.n, run.batches, run.job.state, run.job.requested_by) == (800, 2, "queued", alice())
    assert Thresholds.from_json(run.parameters) == LOOSE
    event = AuditEvent.objects.filter(action="run_request").get()
    assert (event.actor, event.target) == ("alice", f"habits run {run.pk}")
    assert event.detail["snapshot"] == run.snapshot_digest


@pytest.mark.parametrize("n", [60, 99])
def test_runs_that_could_show_nothing_are_refused(n: int) -> None:
    version = answered_version(n, n_direct=20)
    with pytest.raises(SurveyError) as refused:
        requested_run(version)
    assert refused.value.code == "too_few"
    assert (Run.objects.count(), Job.objects.count()) == (0, 0)


def test_a_practice_survey_can_be_mined_at_any_size() -> None:
    version = answered_version(5, n_direct=1, practice=True)
    assert requested_run(version).n == 5


def test_an_item_missing_from_the_design_is_refused() -> None:
    with pytest.raises(PrivacyError) as refused:
        requested_run(answered_version(), Thresholds(support=0.1, sides=Sides(consequent=(99,))))
    assert refused.value.code == "unknown_item"


@pytest.mark.django_db(transaction=True)
def test_a_run_requested_while_the_broker_is_down_is_kept(no_broker: None) -> None:
    run = run_request(version=answered_version(), thresholds=LOOSE, by=None, now=timezone.now())
    assert Job.objects.get(pk=run.job_id).state == "queued"


def test_repeated_cancellation_writes_one_audit_event() -> None:
    run = requested_run(answered_version())
    assert run_cancel(run=run, by=alice(), now=timezone.now()) is True
    assert run_cancel(run=run, by=alice(), now=timezone.now()) is False
    assert AuditEvent.objects.filter(action="run_cancel").count() == 1


def test_workers_ignore_an_inline_run_for_one_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[int] = []
    monkeypatch.setattr(lease, "dispatch_job", rung.append)
    run = requested_run(answered_version())
    lease.dispatch_due(now=run.job.created_at)
    assert rung == []
    lease.dispatch_due(now=run.job.created_at + lease.LEASE)
    assert rung == [run.job_id]


NOW = timezone.now()


def with_job(run: Run, **changes: object) -> Run:
    Job.objects.filter(pk=run.job_id).update(**changes)
    return Run.objects.select_related("survey", "version", "job").get(pk=run.pk)


def test_a_queued_run_says_what_it_waits_for_and_that_nothing_is_lost() -> None:
    run = requested_run(answered_version())
    progress = progress_of(run, now=NOW)
    assert progress.headline == "Queued. The broker has not accepted the job yet."
    assert "Nothing is lost" in progress.detail
    run = with_job(run, sends=1)
    soon, late = (
        progress_of(run, now=run.job.created_at + timedelta(seconds=seconds)).headline for seconds in (2, 30)
    )
    assert (soon, late) == (
        "Queued. A worker starts it in a moment.", "Queued. No worker has started the job yet.",
    )  # fmt: skip
    # Runs and audits both keep workers busy.
    behind = with_job(requested_run(run.version), sends=1)
    assert progress_of(behind, now=NOW).headline == "Queued behind one other job."
    lease.enqueue(kind=Job.Kind.AUDIT, requested_by=None, now=NOW, announce=False)
    last = progress_of(with_job(requested_run(run.version), sends=1), now=NOW)
    assert last.headline == "Queued behind 3 other jobs."
    assert last.detail == "Workers process runs and audits one after the other."


def test_a_running_job_shows_its_stage_progress_and_remaining_time() -> None:
    version = answered_version()
    first = requested_run(version)
    started = timezone.now()
    running = with_job(first, state="running", stage="rules", done=1, total=4, attempts=1, started_at=started)
    progress = progress_of(running, now=started + timedelta(seconds=3))
    assert (progress.headline, progress.percent) == ("Listing rules and their measures", 25)
    assert progress.expected.startswith("Running for 3 s. This is the first run on this survey")
    done = mined_run(version, LOOSE)
    Run.objects.filter(pk=done.pk).update(duration_seconds=40.0)
    progress = progress_of(running, now=started + timedelta(seconds=3))
    assert progress.expected == "Running for 3 s. About 40 s, estimated from earlier runs."
    progress = progress_of(running, now=started + timedelta(seconds=90))
    assert "longer than earlier runs:" in progress.expected


def test_a_second_attempt_says_that_an_earlier_worker_was_lost_and_every_stage_has_words() -> None:
    run = with_job(requested_run(answered_version()), state="running", attempts=2, started_at=NOW)
    assert progress_of(run, now=NOW).detail == "Attempt 2: an earlier worker stopped. No data was lost."
    for stage in (
        *("loading", "candidates", "counting", "intervals", "rules"),
        *("tests", "flips", "truth", "storing"),
    ):
        run.job.stage = stage
        assert progress_of(run, now=NOW).headline != stage


def test_a_run_shared_by_several_workers_is_not_shown_as_queued() -> None:
    run = with_job(
        requested_run(answered_version()), stage=lease.SHARING, done=3, total=4, sends=1, attempts=1
    )
    progress = progress_of(run, now=NOW)
    assert progress.headline == "Several workers are reading the disguised rows"
    assert progress.detail == "3 of 4 parts have been read."
    assert (progress.state, progress.percent) == ("running", 75)
