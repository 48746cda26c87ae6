"""The Celery application.

The database is the source of truth and the broker only wakes workers, so nothing here stores results. The
options make a worker accept one job at a time, and return the job to the queue if the worker dies. The lease
in the database and the sweeper handle the rest: jobs lost with the broker, and jobs done twice.

Most processes only send tasks. Only processes that load the tasks also load Celery's Django support.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from celery import Celery
from celery.signals import import_modules
from django.conf import settings
from kombu.entity import Queue

from surveys.jobs.home_token import home_token, queue_of

if TYPE_CHECKING:
    from celery.fixups.django import DjangoFixup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

MOST_KILOBYTES: Final = 150_000
"""A worker process that has used more memory ends after its task, and another one starts."""

app = Celery("surveys", fixups=[])
# Make it the default app in every thread, because the web process sends tasks from several threads.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    # Queues for work that any worker can do, and for work that only workers of this home can do.
    task_queues=(Queue("celery"), Queue(queue_of(home_token(settings.SOTTOVOCE_HOME)))),
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    result_expires=3600,
    # A page must not wait for a broker that is down. Workers find jobs that could not be sent.
    task_publish_retry=False,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    # The first run of a process loads pandas, and keeps 90 MB of it. Start another process then: the next run
    # waits a second longer. Count parts need less, and keep their process. With compiled code, which a new
    # process would have to load again, processes are kept.
    worker_max_memory_per_child=None if find_spec("numba") else MOST_KILOBYTES,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "visibility_timeout": 900,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 2,
        # Retry once immediately, instead of for six seconds while a user waits for a page.
        "max_retries": 1,
        "interval_start": 0,
    },
)


@cache
def _worker_fixup() -> DjangoFixup:
    """Return the fixup that makes workers close database connections around tasks; loads `celery.worker`."""
    from celery.fixups.django import fixup

    return fixup(app)


@import_modules.connect(sender=app)
def make_ready(**_: object) -> None:
    """Set up Django before the tasks are imported.

    Django's checks are skipped, as in the other processes, because they would load all pages.
    """
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
    _worker_fixup().on_import_modules()


app.autodiscover_tasks(["surveys"])
