"""`manage.py sweep`: mix waiting answers, find lost jobs, record a heartbeat.

The sweeper does the periodic work that no request triggers. It opens, closes and deletes surveys at their
times, mixes waiting answers into batches, finds jobs whose worker died, removes columns of deleted surveys,
deletes expired tables, sessions and tokens, and mails problems to the administrators. The same loop runs in
./run and in production; /ready reports its last round. The sweeper only writes to the database, where workers
find their jobs, so it needs neither the broker nor its client.
"""

import logging
import signal
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import close_old_connections
from django.db.models import Q
from django.utils import timezone

from surveys.accounts.sessions import sessions_step
from surveys.accounts.tokens import tokens_step
from surveys.authoring.retention import retention_step
from surveys.authoring.scheduled_times import clock_step
from surveys.errors.error import refusal
from surveys.extension import extensions
from surveys.intake.expired_receipts import receipts_step
from surveys.intake.keys import vouching
from surveys.intake.mix import mix_waiting
from surveys.intake.spare import host_name
from surveys.jobs import lease
from surveys.jobs.dispatch import left_to_workers
from surveys.jobs.home_files import columns_clear
from surveys.jobs.key_mark import key_note
from surveys.jobs.sweeper import SECONDS_BETWEEN_ROUNDS, SWEEPER_HEARTBEAT
from surveys.management.refusing_command import OneSentenceCommand
from surveys.models import Beat
from surveys.models.heartbeat import record_heartbeat
from surveys.runs.chapters import chapters_step
from surveys.server.alerts import alerts_step
from surveys.server.clock import check_clock
from surveys.server.outages import Outages, database_is_away, is_full, is_outage
from surveys.server.refused_database import RefusedDatabaseError
from surveys.server.state import refuse_database
from surveys.server.stop_signal import StopSignal

logger = logging.getLogger(__name__)

outages = Outages(logger)

DATABASE = "database"
"""Listed among the failed steps if the database is unreachable."""

SweeperStep = Callable[[], object]

# Names and functions in the order in which they run. A step has no parameters and may run twice.
SWEEPER_STEPS: tuple[tuple[str, SweeperStep], ...] = (
    ("clock", clock_step),
    ("mix", mix_waiting),
    ("chapters", chapters_step),
    ("retention", retention_step),
    ("receipts", receipts_step),
    ("jobs", lease.sweep_step),
    ("homes", columns_clear),
    ("sessions", sessions_step),
    ("tokens", tokens_step),
    ("alerts", alerts_step),
)

# Steps that delete by the clock, and their replacements while the clock is in doubt.
IN_DOUBT: dict[str, SweeperStep | None] = {
    "mix": partial(mix_waiting, settles=Q(accepts_until__isnull=True)),
    "chapters": None,
    "retention": None,
    "receipts": None,
    "sessions": None,
    "tokens": None,
}


def every_step() -> tuple[tuple[str, SweeperStep], ...]:
    """Return all steps; the steps of enabled applications come before the one that mails problems."""
    plugged = (step for app in extensions() for step in app.sweeper_steps().items())
    return (*SWEEPER_STEPS[:-1], *plugged, SWEEPER_STEPS[-1])


def in_doubt() -> dict[str, SweeperStep | None]:
    """Return the replacements of steps while the clock is in doubt; None means that a step is skipped."""
    return IN_DOUBT | {name: None for app in extensions() for name in app.steps_by_clock}


def heartbeat(failed: Sequence[str] = ()) -> None:
    """Record the sweeper's heartbeat with its failed steps and, for a new database, the mark of its key."""
    now = timezone.now()
    key_note(now=now)
    record_heartbeat(SWEEPER_HEARTBEAT, now=now, says={"failed": [*failed]} if failed else None)


def _is_clock_doubted() -> bool:
    last = Beat.objects.filter(name=SWEEPER_HEARTBEAT).first()
    return check_clock(last_round=None if last is None else last.at, now=timezone.now())


def sweep_once(steps: tuple[tuple[str, SweeperStep], ...] | None = None) -> list[str]:
    """Run every step once, then record a heartbeat; return the names of the steps that failed.

    A failing step is logged and does not prevent the others from running. If the database is unreachable or
    its disk is full, the round ends.

    Raises
    ------
    RefusedDatabaseError
        The database is no longer this program's, so this process must stop.
    """
    failed: list[str] = []
    steps = every_step() if steps is None else steps
    replaced = in_doubt()
    # The clock is in doubt until it has been checked.
    is_doubted = True
    for name, step in (("doubt", _is_clock_doubted), *steps, ("beat", lambda: heartbeat(failed))):
        chosen = replaced.get(name, step) if is_doubted else step
        if chosen is None:
            continue
        try:
            with left_to_workers():
                outcome = chosen()
            if name == "doubt":
                is_doubted = bool(outcome)
        except RefusedDatabaseError:
            raise
        except Exception as error:
            failed.append(name)
            if is_full(error) or (is_outage(error) and database_is_away()):
                outages.log(error)
                return [*failed, DATABASE]
            logger.exception("sweep step %s failed", name)
    outages.over()
    return failed


class Command(OneSentenceCommand):
    """Run the sweeper."""

    help = (
        "Run the sweeper: open and close surveys at their times, mix waiting answers into batches, and find "
        "jobs whose worker died."
    )
    # Django's checks would load all pages and their computations, which this process does not need.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --once."""
        parser.add_argument("--once", action="store_true", help="run one round, then stop")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run rounds until INT or TERM; with --once, run one round and fail if a step failed."""
        refuse_database()
        mixers = settings.SOTTOVOCE_MIXERS
        if mixers and host_name() not in mixers:
            raise refusal("sweep.host", host=host_name(), mixers=",".join(mixers))
        if options["once"]:
            failed = sweep_once()
            if failed:
                raise refusal("sweep.failed", failed=", ".join(failed))
            return
        stop = StopSignal()
        stop.catch((signal.SIGINT, signal.SIGTERM))
        with vouching():
            while not stop.is_set():
                close_old_connections()
                is_away = DATABASE in sweep_once()
                stop.wait(outages.pause() if is_away else SECONDS_BETWEEN_ROUNDS)
