"""Tasks: the doorbell's far end. Each loads, calls a service, and keeps nothing in the broker."""

from celery import shared_task
from django.utils import timezone

from surveys.jobs import perform
from surveys.models.beat import record_beat

WORKER_BEAT = "worker"


@shared_task
def ping() -> None:
    """Let a worker show, by a beat in the database, that the way broker -> worker -> database is open."""
    record_beat(WORKER_BEAT, now=timezone.now())


@shared_task
def run_job(job_id: int) -> None:
    """Do the job with this number, unless somebody else does it or it is over."""
    # Imported here: the web process sends tasks too, and needs neither pandas nor mlxtend for that.
    from surveys.report.work import mine_snapshot

    perform(job_id, mine_snapshot)
