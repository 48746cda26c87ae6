r"""/metrics: figures of the parts for a machine that asks often, in the text format of Prometheus.

A monitoring system keeps these figures with the time, for years. So no figure moves because an answer came.
The rows that wait are counted once in a day of this clock and rounded; what a mix changes (batches, keys, the
broker's queue) is not told at all, since a mix comes after the hundredth row; the disk is told in whole
percents that are looked at every ten minutes, and ages in steps of ten seconds, so that they do not tell how
long a round of the sweeper took.

References
----------
Prometheus 0.0.4 (the text-based format).
"""

from __future__ import annotations

import logging
import math
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Final

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from surveys.doctor.health import (
    broker_answers,
    database_answers,
    migrations_state,
    mixer_vouches,
    sweeper_age_seconds,
    workers_seen,
)
from surveys.models import Beat, Inbox, Job
from surveys.models.beat import heartbeat_age, is_late, record_heartbeat
from surveys.rows.disclosure import rounded_count
from surveys.server.backup import HEARTBEAT as BACKUP
from surveys.server.disk import room
from surveys.server.newer_database import NewerDatabaseError

logger = logging.getLogger(__name__)

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
WAITING: Final = "waiting rows"
"""Name of the beat that keeps the rounded number of the day."""

DAY: Final = timedelta(days=1)
AGE_STEP: Final = 10
SECONDS_BETWEEN_DISK_LOOKS: Final = 600.0
_SECONDS_FOR_A_REQUEST: Final = 10.0


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One figure, or several of one name with labels.

    Parameters
    ----------
    name : str
        Without "sotto_".
    help : str
    samples : mapping of tuple of (str, str) to float
        Values by labels; the empty tuple where there are none.
    """

    name: str
    help: str
    samples: Mapping[tuple[tuple[str, str], ...], float]


@dataclass
class Gauges:
    """The figures of /metrics; the free disk space is read every ten minutes."""

    _disk_percent: int = 0
    _disk_at: float = field(default=-math.inf)

    def text(self, *, now: datetime) -> str:
        """Return all figures in the text format."""
        return "".join(_lines(metric) for metric in self.metrics(now=now))

    def metrics(self, *, now: datetime) -> Iterator[Metric]:
        """Yield the releasable figures of the parts."""
        database = database_answers()
        workers = workers_seen() if database else []
        sweeper = sweeper_age_seconds() if database else None
        parts = {
            "database": database,
            "migrations": database and migrations_state() == "ok",
            "broker": broker_answers(),
            "sweeper": sweeper is not None and not is_late(sweeper),
            "mixer": database and mixer_vouches(),
            "worker": any(worker.lives for worker in workers),
        }
        yield Metric(
            name="part_ok",
            help="1 if a part is well, as /ready has it.",
            samples={(("part", name),): float(is_well) for name, is_well in parts.items()},
        )
        yield _gauge("disk_free_percent", "Free part of the fuller disk of this machine.", self._disk())
        if not database:
            return
        if sweeper is not None:
            yield _gauge("sweeper_age_seconds", "Since the sweeper came round.", _stepped(sweeper))
        yield Metric(
            name="worker_age_seconds",
            help="Since a worker gave a sign of life.",
            samples={(("worker", worker.name),): _stepped(worker.age_seconds) for worker in workers},
        )
        states = dict.fromkeys(Job.State.values, 0)
        for state in Job.objects.values_list("state", flat=True):
            states[state] += 1
        yield Metric(
            name="jobs",
            help="Runs and audits that the staff asked for, by state.",
            samples={(("state", state),): float(count) for state, count in states.items()},
        )
        oldest = Job.objects.filter(state=Job.State.QUEUED).order_by("created_at").first()
        waits = 0.0 if oldest is None else (now - oldest.created_at).total_seconds()
        yield _gauge("queue_age_seconds", "Since the oldest queued run was asked for.", _stepped(waits))
        backup = heartbeat_age(BACKUP, now=now)
        if backup is not None:
            yield _gauge(
                "backup_age_seconds", "Since a backup was finished.", _stepped(backup.total_seconds())
            )
        yield _gauge("waiting_rows", "Rows that waited once this day, rounded to tens.", _waiting(now))

    def _disk(self) -> float:
        at = time.monotonic()
        if at - self._disk_at >= SECONDS_BETWEEN_DISK_LOOKS:
            disk = room()
            self._disk_percent, self._disk_at = 100 * disk.free // max(1, disk.total), at
        return float(self._disk_percent)


def _waiting(now: datetime) -> float:
    """Return the rounded number of waiting rows, counted once a day."""
    mark = Beat.objects.filter(name=WAITING).first()
    if mark is None or not timedelta(0) <= now - mark.at < DAY:
        record_heartbeat(WAITING, now=now, says={"rows": rounded_count(Inbox.objects.count())})
        mark = Beat.objects.get(name=WAITING)
    return float(mark.says["rows"])


def _gauge(name: str, help: str, value: float) -> Metric:
    return Metric(name=name, help=help, samples={(): value})


def _stepped(seconds: float) -> float:
    """Round an age down to its step.

    >>> [_stepped(age) for age in (-61.0, 0.3, 9.9, 10.0, 4711.2)]
    [-70.0, 0.0, 0.0, 10.0, 4710.0]
    """
    return float(math.floor(seconds / AGE_STEP) * AGE_STEP)


def _lines(metric: Metric) -> str:
    r"""Write a figure in the text format.

    >>> print(_lines(Metric(name="jobs", help="By state.", samples={(("state", 'a"b'),): 2.0})), end="")
    # HELP sotto_jobs By state.
    # TYPE sotto_jobs gauge
    sotto_jobs{state="a\"b"} 2.0
    """
    lines = [f"# HELP sotto_{metric.name} {metric.help}", f"# TYPE sotto_{metric.name} gauge"]
    for labels, value in metric.samples.items():
        inner = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels)
        lines.append(f"sotto_{metric.name}{f'{{{inner}}}' if inner else ''} {value!r}")
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


class _Handler(BaseHTTPRequestHandler):
    """Answers GET /metrics and nothing else, and notes no visit."""

    timeout = _SECONDS_FOR_A_REQUEST
    server_version, sys_version = "Sotto", ""

    def do_GET(self) -> None:
        """Answer one request."""
        if self.path != "/metrics":
            self.send_error(404)
            return
        try:
            body = GAUGES.text(now=timezone.now()).encode("utf-8")
        except (DatabaseError, InterfaceError, NewerDatabaseError) as error:
            logger.warning("no figures: %s", type(error).__name__)
            self.send_error(503)
            return
        finally:
            connection.close()
        self.send_response(200)
        self.send_header("Content-Type", CONTENT_TYPE)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Note nothing."""


class _Server(HTTPServer):
    """HTTP server of the metrics; a broken connection leaves one line in the log."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Say that an answer was not taken."""
        logger.warning("nobody took the figures: %s", type(sys.exception()).__name__)


def figures_status(address: str) -> int:
    """Ask for the figures at a place of `metrics_serve`, and return the status of the answer.

    Raises
    ------
    OSError, http.client.HTTPException
        Nobody answers there, or something that speaks no HTTP.
    """
    with closing(HTTPConnection(address, timeout=_SECONDS_FOR_A_REQUEST)) as request:
        request.request("GET", "/metrics")
        answer = request.getresponse()
        answer.read()
        return answer.status


GAUGES: Final = Gauges()


def metrics_serve(address: str) -> HTTPServer | None:
    """Answer /metrics in a thread of its own, one request at a time.

    Parameters
    ----------
    address : str
        Host and port, such as "127.0.0.1:9464".

    Returns
    -------
    HTTPServer or None
        Running; ``shutdown`` ends it. None where the place cannot be had: who asks has no figures then, and
        answers go on being mixed.
    """
    host, _colon, port = address.rpartition(":")
    try:
        server = _Server((host, int(port)), _Handler)
    except OSError as error:
        logger.error("SOTTO_METRICS: nobody answers at %s: %s", address, error)
        return None
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
