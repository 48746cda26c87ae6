"""The Celery application.

The database is the truth and the broker only a doorbell, so nothing here keeps results. The options make a
worker take one job at a time and give a job back when it dies; what they cannot promise (a job lost with the
broker, a job done twice) is the business of the lease in the database and of the sweeper.

Most processes only send: what Celery brings for workers under Django is loaded by a process that loads the
tasks, and by no other.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from celery import Celery
from celery.signals import import_modules
from django.conf import settings
from kombu.entity import Queue

from surveys.jobs.provenance import home_token, queue_of

if TYPE_CHECKING:
    from celery.fixups.django import DjangoFixup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

app = Celery("surveys", fixups=[])
# In every thread: web answers and sends in several.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    # What anybody can do, and what only workers of this home can.
    task_queues=(Queue("celery"), Queue(queue_of(home_token(settings.SOTTO_HOME)))),
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    result_expires=3600,
    # A page must not wait for a broker that is down: the sweeper sends what could not be sent.
    task_publish_retry=False,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "visibility_timeout": 900,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 2,
        # One more try at once, instead of six seconds of them while a person waits for a page.
        "max_retries": 1,
        "interval_start": 0,
    },
)


@cache
def _worker_fixup() -> DjangoFixup:
    """Have workers close their connections to the database around each task; loads `celery.worker`."""
    from celery.fixups.django import fixup

    return fixup(app)


@import_modules.connect(sender=app)
def make_ready(**_: object) -> None:
    """Make Django ready before the tasks are imported.

    Django's checks are left out, as in the other parts: they would load every page.
    """
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
    _worker_fixup().on_import_modules()


app.autodiscover_tasks(["surveys"])
