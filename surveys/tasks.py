"""Tasks: the doorbell's far end. Each loads, calls a service, and keeps nothing in the broker."""

from celery import shared_task
from django.utils import timezone

from surveys.models.beat import record_beat

WORKER_BEAT = "worker"


@shared_task
def ping() -> None:
    """Let a worker show, by a beat in the database, that the way broker -> worker -> database is open."""
    record_beat(WORKER_BEAT, now=timezone.now())
