"""Check broker, worker and sweeper."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from kombu.exceptions import OperationalError
from kombu.utils.url import maybe_sanitize_url

from surveys.celery import app
from surveys.intake.mix import versions_ready
from surveys.jobs.dispatch import Task
from surveys.jobs.heartbeats import WORKER_HEARTBEAT
from surveys.jobs.key_mark import key_mark
from surveys.jobs.provenance import program_version
from surveys.jobs.sweeper import SECONDS_BETWEEN_ROUNDS
from surveys.models import Batch, Beat, Job, Survey
from surveys.models.heartbeat import SECONDS_UNTIL_LATE
from surveys.server.alerts import LOOKED_BACK, faulty_jobs
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning

# An idle worker answers immediately; one that is busy with a run may not.
SECONDS_TO_ANSWER = 10.0
SECONDS_TO_MIX = 8 * SECONDS_BETWEEN_ROUNDS


def a_worker_answers(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a worker answers in the same way as for runs: through the broker, into the database."""
    promise = "the broker accepts jobs and a worker runs them"
    where = maybe_sanitize_url(settings.CELERY_BROKER_URL)
    if context.facts.parts["broker"] != "ok":
        yield failure(promise, f"no broker at {where}", "Start the broker, or set REDIS_URL to its address.")
        return
    began = timezone.now()
    try:
        app.send_task(Task.PING.value)
    except (OperationalError, OSError) as error:
        yield failure(
            promise, f"the broker refused a message: {type(error).__name__}", "Check the broker's log."
        )
        return
    if _wait_until(
        lambda: Beat.objects.filter(name=WORKER_HEARTBEAT, at__gte=began).exists(), SECONDS_TO_ANSWER
    ):
        yield ok(promise, f"a worker answered through {where}")
    elif Job.objects.filter(state=Job.State.RUNNING).exists():
        yield warning(
            promise, "no answer, but a run is in progress", "Run sottovoce doctor again when it ends."
        )
    else:
        yield failure(
            promise,
            f"no worker answered within {SECONDS_TO_ANSWER:g} s",
            "Start a worker (docs/operators.md). On your own machine, restart everything: sottovoce dev.",
        )


def workers_run_this_program(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the version of workers: a worker that was not restarted after an upgrade runs the old program."""
    promise = "workers run this release with this secret key"
    living = [worker for worker in context.facts.workers if worker.lives]
    odd = [f"{worker.name} runs another release" for worker in living if worker.program != program_version()]
    odd += [f"{worker.name} has another secret key" for worker in living if worker.key != key_mark()]
    if odd:
        remedy = "Restart them from this release, with the SECRET_KEY or secret_key of this machine."
        yield failure(promise, ", ".join(odd), remedy)
    elif living:
        yield ok(promise, ", ".join(worker.name for worker in living))
    else:
        yield warning(
            promise, "no worker was seen recently", "Start a worker, then run sottovoce doctor again."
        )


def runs_do_not_fail(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for runs that failed because of a bug or the machine; refusals concern only the requester."""
    promise = "no run failed because of the machine or the program"
    failed = faulty_jobs(now=context.now)
    seen = [f"{job} on {job.ended_at:%Y-%m-%d %H:%M}: {job.message.partition('.')[0]}" for job in failed[:3]]
    if seen:
        remedy = "Check the worker's log. The usual cause is too little memory."
        yield warning(promise, f"{failed.count()} failed. {'; '.join(seen)}", remedy)
    else:
        yield ok(promise, f"none in the last {LOOKED_BACK.days} days")


def the_sweeper_runs(context: CheckContext) -> Iterator[Diagnosis]:
    """Check the sweeper: without it, surveys are not mixed, opened or closed, and lost jobs are not found."""
    promise = "the sweeper runs regularly"
    age, status = context.facts.sweeper_age_seconds, context.facts.parts["sweeper"]
    if status == "ok":
        yield ok(promise, f"last round {age:g} s ago")
    elif status == "unknown":
        remedy = "Set the clocks by NTP, then check that the sweeper runs."
        yield failure(promise, f"unknown, because a clock is wrong: {context.facts.clock}", remedy)
    else:
        seen = "it never ran" if age is None else f"last round {age:g} s ago"
        yield failure(promise, seen, "Start sottovoce sweep and keep it running (docs/operators.md).")


def rows_are_mixed(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that rows are mixed. Rows have no time, but enough of them never wait for several rounds."""
    promise = "waiting rows are mixed once there are enough"
    before = Batch.objects.count()
    # A survey that is answered continuously always has waiting rows, so new batches also count as evidence.
    if _wait_until(lambda: not versions_ready() or Batch.objects.count() > before, SECONDS_TO_MIX):
        yield ok(promise, "no survey has enough rows waiting")
    else:
        yield failure(
            promise,
            f"a survey still had enough rows waiting after {SECONDS_TO_MIX:g} s",
            "Check the sweeper's log: its step mix fails or does not run.",
        )


def closed_surveys_are_settled(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that closed surveys are settled: the last batch is written when acceptance ends."""
    promise = "the last rows of closed surveys are mixed when they stop accepting answers"
    late = Survey.objects.filter(
        state=Survey.State.CLOSED, settled=False, accepts_until__lt=context.now - A_MOMENT
    )
    slugs = list(late.values_list("slug", flat=True)[:5])
    if slugs:
        yield failure(promise, f"not mixed: {', '.join(slugs)}", "Check the sweeper's log: step mix fails.")
    else:
        yield ok(promise, "no closed survey has unmixed rows")


A_MOMENT = timedelta(seconds=SECONDS_UNTIL_LATE)


def _wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


PARTS_CHECKS = (
    a_worker_answers,
    workers_run_this_program,
    runs_do_not_fail,
    the_sweeper_runs,
    rows_are_mixed,
    closed_surveys_are_settled,
)
