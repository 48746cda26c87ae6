"""A job has its effect exactly once, whatever fails: its states, and who may change them."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db import OperationalError as DatabaseOutage
from django.utils import timezone

from privacy.errors import PrivacyError
from surveys.errors.stored_refusals import refusal_text
from surveys.jobs import lease, queue
from surveys.jobs.dispatch import Task, dispatch_parts
from surveys.models import Beat, Job
from surveys.models.heartbeat import record_heartbeat
from tests.conftest import wait_until
from tests.fixtures.queued_jobs import NOW, SECOND, queued
from tests.fixtures.threads import in_parallel

pytestmark = pytest.mark.django_db


def held(job: Job, *, now: datetime = NOW) -> lease.Claim:
    claim = lease.claim(job.pk, now=now)
    assert claim is not None
    return claim


def nothing() -> None:
    """Store nothing."""


def an_effect() -> None:
    record_heartbeat("effect", now=NOW)


def effects() -> int:
    return Beat.objects.filter(name="effect").count()


# ---------------------------------------------------------------- claiming


def test_a_queued_job_is_claimed_once() -> None:
    job = queued()
    first, second = lease.claim(job.pk, now=NOW), lease.claim(job.pk, now=NOW)
    assert first == lease.Claim(job_id=job.pk, fence=1, attempt=1)
    assert second is None


def test_a_missing_job_cannot_be_claimed() -> None:
    assert lease.claim(4711, now=NOW) is None


@pytest.mark.parametrize("state", ["finished", "failed", "cancelled"])
def test_an_ended_job_cannot_be_claimed(state: str) -> None:
    job = queued()
    Job.objects.update(state=state)
    assert lease.claim(job.pk, now=NOW) is None


def test_a_running_job_can_be_claimed_only_after_its_lease_expires() -> None:
    job = queued()
    held(job)
    assert lease.claim(job.pk, now=NOW + lease.LEASE - SECOND) is None
    again = lease.claim(job.pk, now=NOW + lease.LEASE)
    assert again == lease.Claim(job_id=job.pk, fence=2, attempt=2)


@pytest.mark.django_db(transaction=True)
def test_only_one_of_many_competing_workers_claims_the_job() -> None:
    job = queued(now=timezone.now())
    claims: list[lease.Claim | None] = []
    in_parallel([lambda: claims.append(lease.claim(job.pk, now=timezone.now()))] * 8)
    assert [claim for claim in claims if claim] == [lease.Claim(job_id=job.pk, fence=1, attempt=1)]


# ---------------------------------------------------------- heartbeat and end


def test_a_heartbeat_extends_the_lease_and_stores_the_progress() -> None:
    job = queued()
    claim = held(job)
    lease.heartbeat(claim, now=NOW + SECOND, stage="counting", done=3, total=10)
    job.refresh_from_db()
    assert (job.lease_until, job.stage, job.done, job.total) == (
        NOW + SECOND + lease.LEASE,
        "counting",
        3,
        10,
    )
    lease.heartbeat(claim, now=NOW + 2 * SECOND)
    job.refresh_from_db()
    assert (job.stage, job.done) == ("counting", 3)


@pytest.mark.parametrize(
    "move",
    [
        lambda claim: lease.heartbeat(claim, now=NOW),
        lambda claim: lease.finish(claim, now=NOW, store=an_effect),
        lambda claim: lease.fail(claim, now=NOW, message="too late"),
        lambda claim: lease.release(claim, now=NOW, message="too late"),
    ],
    ids=["heartbeat", "finish", "fail", "release"],
)
@pytest.mark.parametrize("lost_by", ["a later claim", "cancelling", "the sweeper"])
def test_workers_without_their_lease_cannot_change_a_job(
    move: Callable[[lease.Claim], None], lost_by: str, dispatched: list[int]
) -> None:
    job = queued()
    claim = held(job)
    later = NOW + lease.LEASE
    if lost_by == "a later claim":
        held(job, now=later)
    elif lost_by == "cancelling":
        assert lease.cancel(job.pk, now=NOW)
    else:
        lease.sweep(now=later)
    before = Job.objects.filter(pk=job.pk).values().get()
    with pytest.raises(lease.LostLease):
        move(claim)
    assert Job.objects.filter(pk=job.pk).values().get() == before
    assert effects() == 0


def test_a_worker_can_finish_after_its_lease_expired_unnoticed() -> None:
    job = queued()
    claim = held(job)
    lease.finish(claim, now=NOW + 10 * lease.LEASE, store=an_effect)
    job.refresh_from_db()
    assert (job.state, effects()) == ("finished", 1)


def test_a_job_stores_its_result_and_end_atomically() -> None:
    job = queued()
    claim = held(job)

    def store_half() -> None:
        an_effect()
        raise IntegrityError("the second half")

    with pytest.raises(IntegrityError), transaction.atomic():
        lease.finish(claim, now=NOW, store=store_half)
    job.refresh_from_db()
    assert (job.state, effects()) == ("running", 0)
    lease.finish(claim, now=NOW, store=an_effect)
    with pytest.raises(lease.LostLease):
        lease.finish(claim, now=NOW, store=an_effect)
    assert effects() == 1


# ----------------------------------------------------------------- sweeping


def test_the_sweeper_requeues_jobs_of_lost_workers(dispatched: list[int]) -> None:
    job = queued()
    held(job)
    lease.sweep(now=NOW + lease.LEASE - SECOND)
    queue.dispatch_due(now=NOW + lease.LEASE - SECOND)
    assert dispatched == []
    lease.sweep(now=NOW + lease.LEASE)
    queue.dispatch_due(now=NOW + lease.LEASE)
    job.refresh_from_db()
    assert (job.state, dispatched) == ("queued", [job.pk])


def test_a_job_that_loses_every_worker_fails_with_a_remedy(dispatched: list[int]) -> None:
    job = queued()
    now = NOW
    for attempt in range(1, lease.ATTEMPTS + 1):
        assert held(job, now=now).attempt == attempt
        now += lease.LEASE
        lease.sweep(now=now)
        queue.dispatch_due(now=now)
    job.refresh_from_db()
    assert (job.state, job.message, job.ended_at) == ("failed", lease.LOST_TOO_OFTEN, now)
    assert len(dispatched) == lease.ATTEMPTS - 1
    assert lease.claim(job.pk, now=now) is None


# --------------------------------------------------------- messages to the broker


# -------------------------------------------------------------- doing the work


def test_a_job_announced_twice_stores_its_result_once() -> None:
    job = queued(now=timezone.now())
    assert lease.perform(job.pk, lambda job_id, report: an_effect) is True
    assert lease.perform(job.pk, lambda job_id, report: an_effect) is False
    job.refresh_from_db()
    assert (job.state, job.attempts, effects()) == ("finished", 1, 1)


def test_a_refusal_fails_the_job_with_its_reason_and_remedy() -> None:
    job = queued(now=timezone.now())

    def refuse(job_id: int, report: lease.Report) -> Callable[[], None]:
        raise PrivacyError("max_rules", 9, max_rules=8)

    lease.perform(job.pk, refuse)
    job.refresh_from_db()
    assert (job.state, refusal_text(job.message)) == (
        "failed",
        "The itemsets yield 9 rules, more than 8. "
        "Raise the support threshold, shorten the longest itemset, or allow more rules.",
    )


@pytest.mark.parametrize("outage", [MemoryError, OSError, DatabaseOutage])
def test_outages_return_the_job_to_the_queue_until_attempts_run_out(outage) -> None:
    job = queued(now=timezone.now())

    def fail(job_id: int, report: lease.Report) -> Callable[[], None]:
        raise outage

    for attempt in range(1, lease.ATTEMPTS):
        lease.perform(job.pk, fail)
        job.refresh_from_db()
        assert (job.state, job.attempts) == ("queued", attempt)
    lease.perform(job.pk, fail)
    job.refresh_from_db()
    assert (job.state, job.message) == ("failed", lease.OUTAGE)


def test_program_errors_are_not_retried() -> None:
    job = queued(now=timezone.now())

    def fail(job_id: int, report: lease.Report) -> Callable[[], None]:
        return {}["no such key"]

    lease.perform(job.pk, fail)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.message) == ("failed", 1, lease.FAULT)


def test_jobs_cancelled_midway_stop_and_store_nothing() -> None:
    job = queued(now=timezone.now())
    reached: list[str] = []

    def work(job_id: int, report: lease.Report) -> Callable[[], None]:
        report("loading", 0, 1)
        reached.append("loading")
        lease.cancel(job_id, now=timezone.now())
        report("counting", 0, 1)
        reached.append("counting")
        return an_effect

    lease.perform(job.pk, work)
    job.refresh_from_db()
    assert (job.state, reached, effects()) == ("cancelled", ["loading"], 0)


@pytest.mark.django_db(transaction=True)
def test_heartbeats_extend_the_lease_and_detect_its_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """They also recover from a lost connection."""
    monkeypatch.setattr(lease, "SECONDS_BETWEEN_BEATS", 0.02)
    extend, cut = lease.heartbeat, []

    def heartbeat(*claim: Any, **at: Any) -> None:
        if not cut:
            connection.ensure_connection()
            cut.append(connection.connection.close())
        extend(*claim, **at)

    monkeypatch.setattr(lease, "heartbeat", heartbeat)
    job = queued(now=timezone.now())
    claim = held(job, now=timezone.now() - lease.LEASE)
    with lease.heartbeats(claim) as lost:
        wait_until(lambda: Job.objects.get(pk=job.pk).lease_until > timezone.now())
        assert not lost.is_set()
        lease.cancel(job.pk, now=timezone.now())
        assert lost.wait(300)


@pytest.mark.parametrize("state", ["finished", "failed", "cancelled"])
def test_an_ended_job_cannot_be_cancelled(state: str) -> None:
    job = queued()
    Job.objects.update(state=state)
    assert lease.cancel(job.pk, now=NOW) is False


def test_a_job_outlives_the_account_that_requested_it() -> None:
    alice = User.objects.create_user("alice")
    job = Job.objects.create(kind=Job.Kind.MINE, created_at=NOW, send_due_at=NOW, requested_by=alice)
    alice.delete()
    job.refresh_from_db()
    assert job.requested_by is None


def test_parts_wait_at_the_broker_for_workers(broker: str, broker_server: Any) -> None:
    parts = [(1, 1, 1, 2), (1, 1, 3, 4)]
    assert dispatch_parts(Task.COUNT_PART, parts, then=Task.RUN_JOB, last=(1, 1))
    assert broker_server.client().llen("celery") == len(parts)
