"""The Celery application.

The database is the truth and the broker only a doorbell, so nothing here keeps results. The options make a
worker take one job at a time and give a job back when it dies; what they cannot promise (a job lost with the
broker, a job done twice) is the business of the lease in the database and of the sweeper.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")

app = Celery("surveys")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
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
    },
)
app.autodiscover_tasks()
