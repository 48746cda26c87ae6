"""The Celery application.

The database is the source of truth and the broker only wakes workers, so nothing here keeps results. The
options make a worker accept one job at a time and return it to the queue when the worker dies. What they
cannot guarantee (a job lost with the broker, a job done twice) is handled by the lease in the database and by
the sweeper.

Most processes only send tasks; only a process that loads the tasks loads Celery's Django support for workers.
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
# In every thread: the web process sends from several.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    # Queues for work that any worker can do, and for work that only workers of this home can do.
    task_queues=(Queue("celery"), Queue(queue_of(home_token(settings.SOTTOVOCE_HOME)))),
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    result_expires=3600,
    # A page must not wait for a broker that is down; workers find what could not be sent.
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
        # One immediate retry, instead of six seconds of them while a person waits for a page.
        "max_retries": 1,
        "interval_start": 0,
    },
)


@cache
def _worker_fixup() -> DjangoFixup:
    """Make workers close their database connections around each task; loads `celery.worker`."""
    from celery.fixups.django import fixup

    return fixup(app)


@import_modules.connect(sender=app)
def make_ready(**_: object) -> None:
    """Set up Django before the tasks are imported.

    Django's checks are skipped, as in the other processes, since they would load every page.
    """
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
    _worker_fixup().on_import_modules()


app.autodiscover_tasks(["surveys"])
