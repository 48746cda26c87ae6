from datetime import timedelta

import pytest
from django.db import transaction
from kombu.exceptions import OperationalError

from surveys.celery import app as celery
from surveys.jobs import lease, queue
from surveys.models import Job
from tests.fixtures.queued_jobs import NOW, SECOND, queued

pytestmark = pytest.mark.django_db


def test_only_workers_dispatch_jobs_the_broker_missed(dispatched: list[int]) -> None:
    job = queued()
    lease.sweep(now=NOW)
    assert dispatched == []
    queue.dispatch_due(now=NOW)
    assert dispatched == [job.pk]


def test_an_unreachable_broker_is_tried_once_per_round(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def unreachable(job_id: int) -> bool:
        asked.append(job_id)
        return False

    monkeypatch.setattr(queue, "dispatch_job", unreachable)
    first = queued()
    queued()
    queue.dispatch_due(now=NOW)
    assert asked == [first.pk]


@pytest.mark.soak
def test_unclaimed_messages_are_resent_with_growing_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = NOW
    sent: list[float] = []
    monkeypatch.setattr(lease.timezone, "now", lambda: clock)

    def take(_name: str, _arguments: tuple[int], **_: object) -> None:
        sent.append((clock - NOW).total_seconds())

    monkeypatch.setattr(celery, "send_task", take)
    queued()
    while clock < NOW + timedelta(minutes=20):
        queue.dispatch_due(now=clock)
        clock += SECOND
    assert sent == [0, 5, 15, 35, 75, 155, 315, 615, 915]


@pytest.mark.django_db(transaction=True)
def test_a_job_is_announced_only_after_its_transaction_commits(dispatched: list[int]) -> None:
    with transaction.atomic():
        job = queue.enqueue(kind=Job.Kind.MINE, requested_by=None, now=NOW)
        assert dispatched == []
    assert dispatched == [job.pk]


@pytest.mark.django_db(transaction=True)
def test_a_rolled_back_job_is_never_announced(dispatched: list[int]) -> None:
    @transaction.atomic
    def request_and_fail() -> None:
        queue.enqueue(kind=Job.Kind.MINE, requested_by=None, now=NOW)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        request_and_fail()
    assert (dispatched, Job.objects.count()) == ([], 0)


@pytest.mark.django_db(transaction=True)
def test_a_job_stays_queued_and_due_while_the_broker_is_down(no_broker: None) -> None:
    job = queue.enqueue(kind=Job.Kind.MINE, requested_by=None, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.sends, job.send_due_at) == ("queued", 0, NOW)


@pytest.mark.parametrize("fault", [OperationalError("refused"), ConnectionResetError("gone")])
def test_a_broker_failure_does_not_break_the_page(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_args: object, **_kwargs: object) -> None:
        raise fault

    monkeypatch.setattr(celery, "send_task", interrupt)
    assert queue.dispatch_job(queued().pk) is False
