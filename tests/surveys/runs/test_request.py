import pytest
from django.utils import timezone

from mining.thresholds import Sides, Thresholds
from privacy.errors import PrivacyError
from surveys.errors.error import SurveyError
from surveys.jobs import lease
from surveys.models import AuditEvent, Job, Run
from surveys.runs.request import run_cancel, run_request
from tests.fixtures.runs import LOOSE, alice, answered, asked


@pytest.mark.soak
@pytest.mark.django_db
def test_a_request_writes_run_job_and_audit_event_together() -> None:
    version = answered()
    run = asked(version, by=alice())
    assert (run.n, run.batches, run.job.state, run.job.requested_by) == (800, 2, "queued", alice())
    assert Thresholds.from_json(run.parameters) == LOOSE
    event = AuditEvent.objects.filter(action="run_request").get()
    assert (event.actor, event.target) == ("alice", f"habits run {run.pk}")
    assert event.detail["snapshot"] == run.snapshot_digest


@pytest.mark.django_db
@pytest.mark.parametrize("n", [60, 99])
def test_a_run_that_could_show_nothing_is_refused(n: int) -> None:
    version = answered(n, n_direct=20)
    with pytest.raises(SurveyError) as refused:
        asked(version)
    assert refused.value.code == "too_few"
    assert (Run.objects.count(), Job.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_a_practice_survey_is_mined_however_small() -> None:
    version = answered(5, n_direct=1, practice=True)
    assert asked(version).n == 5


@pytest.mark.django_db
def test_an_item_that_the_design_lacks_is_refused() -> None:
    with pytest.raises(PrivacyError) as refused:
        asked(answered(), Thresholds(support=0.1, sides=Sides(consequent=(99,))))
    assert refused.value.code == "unknown_item"


@pytest.mark.django_db(transaction=True)
def test_a_run_asked_for_while_the_broker_is_down_is_kept(no_broker: None) -> None:
    run = run_request(version=answered(), thresholds=LOOSE, by=None, now=timezone.now())
    assert Job.objects.get(pk=run.job_id).state == "queued"


@pytest.mark.django_db
def test_cancelling_leaves_one_audit_event_however_often_it_is_asked_for() -> None:
    run = asked(answered())
    assert run_cancel(run=run, by=alice(), now=timezone.now()) is True
    assert run_cancel(run=run, by=alice(), now=timezone.now()) is False
    assert AuditEvent.objects.filter(action="run_cancel").count() == 1


@pytest.mark.django_db
def test_work_done_in_the_same_process_is_left_alone_by_workers_for_a_lease(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rung: list[int] = []
    monkeypatch.setattr(lease, "dispatch_job", rung.append)
    run = asked(answered())
    lease.dispatch_due(now=run.job.created_at)
    assert rung == []
    lease.dispatch_due(now=run.job.created_at + lease.LEASE)
    assert rung == [run.job_id]
