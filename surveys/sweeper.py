"""The sweeper: periodic work that no request triggers.

It opens, closes and deletes surveys at their times, mixes waiting answers into batches,
finds jobs whose worker died, removes columns that no survey owns, deletes tables whose
day is over, forgets log-ins and tokens that ran out and writes to the administrators of what is wrong. One
loop, in `manage.py sweep`, in ./run and in production alike; /ready tells when it was last round. It only
writes to the database: workers look there for what they are to do, so that this process does without the
broker and what speaks with it.
"""

import logging
from collections.abc import Callable
from functools import partial

from django.utils import timezone

from surveys.access.api_tokens import tokens_step
from surveys.accounts.sessions import sessions_step
from surveys.authoring.clock import clock_step
from surveys.authoring.retention import retention_step
from surveys.errors.outage import Outages, database_is_away, is_outage
from surveys.extension import extensions
from surveys.intake.mix import mix_waiting
from surveys.jobs import lease
from surveys.jobs.dispatch import left_to_workers
from surveys.jobs.heartbeats import key_note
from surveys.models import Beat
from surveys.models.staff import record_heartbeat
from surveys.rows.directories import columns_clear
from surveys.server.alerts import alerts_step
from surveys.server.database import NewerDatabaseError
from surveys.server.machine import clock_doubted

logger = logging.getLogger(__name__)

outages = Outages(logger)

HEARTBEAT = "sweeper"
DATABASE = "database"
"""Named among the failures where the database is away."""

SECONDS_BETWEEN_ROUNDS = 2.0

Step = Callable[[], object]

# Name and function, in the order in which they run. A step takes no argument and may run twice.
STEPS: tuple[tuple[str, Step], ...] = (
    ("clock", clock_step),
    ("mix", mix_waiting),
    ("retention", retention_step),
    ("jobs", lease.sweep_step),
    ("homes", columns_clear),
    ("sessions", sessions_step),
    ("tokens", tokens_step),
    ("alerts", alerts_step),
)

# Steps that delete by the clock, and what they do while it is in doubt.
IN_DOUBT: dict[str, Step | None] = {
    "mix": partial(mix_waiting, settles_by_clock=False),
    "retention": None,
    "sessions": None,
    "tokens": None,
}


def every_step() -> tuple[tuple[str, Step], ...]:
    """Return the steps, with those of the applications that are on before the mail that tells of all."""
    plugged = (step for app in extensions() for step in app.sweeper_steps().items())
    return (*STEPS[:-1], *plugged, STEPS[-1])


def in_doubt() -> dict[str, Step | None]:
    """Return what replaces a step while the clock is in doubt: of those of applications nothing does."""
    return IN_DOUBT | {name: None for app in extensions() for name in app.steps_by_clock}


def heartbeat() -> None:
    """Record the sweeper's heartbeat, and under which key a new database begins."""
    now = timezone.now()
    key_note(now=now)
    record_heartbeat(HEARTBEAT, now=now)


def _is_clock_doubted() -> bool:
    last = Beat.objects.filter(name=HEARTBEAT).first()
    return clock_doubted(last_round=None if last is None else last.at, now=timezone.now())


def sweep_once(steps: tuple[tuple[str, Step], ...] | None = None) -> list[str]:
    """Run every step once, then record a heartbeat; return the names of the steps that failed.

    A failing step is logged and does not keep the others from running. Where the database is away the round
    ends.

    Raises
    ------
    NewerDatabaseError
        The database was changed by a newer release: nothing here may go on.
    """
    failed = []
    steps = every_step() if steps is None else steps
    replaced = in_doubt()
    # Until it was looked at, the clock is in doubt.
    is_doubted = True
    for name, step in (("doubt", _is_clock_doubted), *steps, ("beat", heartbeat)):
        chosen = replaced.get(name, step) if is_doubted else step
        if chosen is None:
            continue
        try:
            with left_to_workers():
                outcome = chosen()
            if name == "doubt":
                is_doubted = bool(outcome)
        except NewerDatabaseError:
            raise
        except Exception as error:
            failed.append(name)
            if is_outage(error) and database_is_away():
                outages.tell(error)
                return [*failed, DATABASE]
            logger.exception("sweep step %s failed", name)
    outages.over()
    return failed
