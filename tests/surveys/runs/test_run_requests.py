"""Requests for a run: what they store and refuse, and how their progress is described."""

import pytest
from django.utils import timezone

from mining.thresholds import Sides, Thresholds
from privacy.errors import PrivacyError
from surveys.errors.error import SurveyError
from surveys.jobs import lease, queue
from surveys.models import AuditEvent, Chapter, Job, Run
from surveys.runs.chapters import chapters_cut
from surveys.runs.run_requests import run_cancel, run_request
from tests.fixtures.runs import LOOSE, alice, answered_version, open_version, requested_run

pytestmark = pytest.mark.django_db


def test_a_request_writes_run_job_and_audit_event_together() -> None:
    version = answered_version()
    run = requested_run(version, by=alice())
    assert (run.n, run.batches, run.job.state, run.job.requested_by) == (800, 2, "queued", alice())
    assert Thresholds.from_json(run.parameters) == LOOSE
    event = AuditEvent.objects.filter(action="run_request").get()
    assert (event.actor, event.target) == ("alice", f"habits run {run.pk}")
    # Of five items two are ages: 9 pairs with one association each, and 7 triples with three.
    assert event.detail == {
        "parameters": run.parameters, "snapshot": run.snapshot_digest, "family": 9 + 7 * 3,
    }  # fmt: skip
    assert run.engine == ""


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
    event = AuditEvent.objects.get(action="run_cancel")
    assert (event.actor, event.target) == ("alice", f"habits run {run.pk}")
    assert run_cancel(run=run, by=alice(), now=timezone.now()) is False
    assert AuditEvent.objects.filter(action="run_cancel").count() == 1


def test_workers_ignore_an_inline_run_for_one_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[int] = []
    monkeypatch.setattr(queue, "dispatch_job", rung.append)
    run = requested_run(answered_version())
    queue.dispatch_due(now=run.job.created_at)
    assert rung == []
    queue.dispatch_due(now=run.job.created_at + lease.LEASE)
    assert rung == [run.job_id]


def test_a_request_may_choose_a_chapter_and_an_engine() -> None:
    version = open_version(200, policy="protected")
    now = timezone.now()
    Chapter.objects.create(survey=version.survey, ends_at=now)
    chapters_cut(now=now)
    run = run_request(
        version=version, thresholds=LOOSE, by=None, now=now, announce=False, engine="numpy", chapter=1
    )
    assert (run.engine, run.n) == ("numpy", 250)
    event = AuditEvent.objects.get(action="run_request")
    assert (event.actor, event.detail["chapter"]) == ("command line", 1)


def test_a_request_that_is_sent_twice_returns_the_first_run() -> None:
    """A second press, or *Back* and a press, made a second run with the same result."""
    version = answered_version()

    def requested(**changes: object) -> Run:
        settings = {"version": version, "thresholds": LOOSE, "by": alice(), "now": timezone.now()}
        return run_request(**settings | {"repeats": False} | changes)  # type: ignore[arg-type]

    first = requested()
    assert requested() == first
    assert requested(lists_all=True) != first
    assert requested(thresholds=Thresholds(support=0.3, max_size=2)) != first
    assert requested(repeats=True) != first
    Job.objects.update(state=Job.State.FAILED)
    assert requested() != first
