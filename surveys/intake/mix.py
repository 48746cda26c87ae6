"""The mixer: from rows that wait to shuffled batches, and which batches a run may see.

A batch is what hides a row: within it nothing says which row came first. So a batch takes *everything* that
waits for its design, 50 rows or more: the more rows, the better hidden each of them is, and the fewer stay
behind in the inbox. Only where more than `MOST_ROWS` wait (the mixer was down) is it cut, to keep writers
from waiting for one long transaction; the cut goes by the rows' random names, so it says nothing of their
order either.

Mixing writes no log line and no audit event.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from django.db import connection, transaction
from django.db.models import Count, Q
from django.utils import timezone

from privacy.policy import LEAST_BATCH_ROWS
from surveys.intake.erase import erase_traces
from surveys.models import Batch, Inbox, Survey, Version

LEAST_ROWS_IN_PRACTICE: Final = 1
MOST_ROWS: Final = 20_000

_TAKE = """
    DELETE FROM surveys_inbox WHERE "key" IN (
        SELECT "key" FROM surveys_inbox WHERE version_id = %s ORDER BY "key" LIMIT %s
    ) RETURNING packed
"""


class Shuffler(Protocol):
    """What puts rows into a random order; ``secrets.SystemRandom()`` in the shell."""

    def shuffle(self, x: list[bytes], /) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Mixed:
    """What one call of the mixer did.

    Parameters
    ----------
    batches, rows : int
        How many batches it wrote, and how many rows are in them.
    settled : int
        Surveys whose last batch is made.
    erased : bool
        Whether nothing is left of the rows outside their batches, as far as the database can tell.
    """

    batches: int
    rows: int
    settled: int
    erased: bool


class _TooFew(Exception):
    """Another mixer took the rows first."""


def mix(*, now: datetime, shuffler: Shuffler | None = None) -> Mixed:
    """Mix what may be mixed at `now`. Several mixers may run at once.

    Open surveys, and closed ones while sealed bodies are still accepted: designs of which 50 rows or more
    wait. Practice surveys: whatever waits. Surveys whose acceptance has ended: the rest, as one last batch
    per design.
    """
    shuffler = shuffler or secrets.SystemRandom()
    ready = versions_ready()
    batches = [batch for version, least in ready for batch in _mix_version(version, least, shuffler)]
    settled = 0
    for survey in Survey.objects.filter(
        Q(accepts_until__isnull=True) | Q(accepts_until__lte=now), state=Survey.State.CLOSED, settled=False
    ):
        batches += _settle(survey, now, shuffler)
        settled += 1
    erased = erase_traces(after_mixing=bool(batches))
    return Mixed(batches=len(batches), rows=sum(batch.n for batch in batches), settled=settled, erased=erased)


def mix_waiting() -> None:
    """Mix at the present time: the sweeper's step."""
    mix(now=timezone.now())


def versions_ready() -> list[tuple[int, int]]:
    """Return the versions of which enough rows wait, each with its least number of rows."""
    waiting = Inbox.objects.values_list("version", "version__survey__practice").annotate(rows=Count("key"))
    ready = []
    for version_id, practice, rows in waiting.order_by("version"):
        least = LEAST_ROWS_IN_PRACTICE if practice else LEAST_BATCH_ROWS
        if rows >= least:
            ready.append((version_id, least))
    return ready


def _mix_version(version_id: int, least: int, shuffler: Shuffler) -> list[Batch]:
    batches: list[Batch] = []
    while True:
        try:
            with transaction.atomic():
                batches.append(_mix_rows(version_id, least, shuffler))
        except _TooFew:
            return batches


def _mix_rows(version_id: int, least: int, shuffler: Shuffler) -> Batch:
    """Turn waiting rows into a batch, inside the caller's transaction."""
    with connection.cursor() as cursor:
        # Taking and reading are one statement: a row that another mixer takes at the same time is in one of
        # the two results only.
        cursor.execute(_TAKE, [version_id, MOST_ROWS])
        rows = [bytes(packed) for (packed,) in cursor.fetchall()]
    if len(rows) < least:
        raise _TooFew
    shuffler.shuffle(rows)
    packed = b"".join(rows)
    batch = Batch(
        version_id=version_id, n=len(rows), packed=packed, digest=hashlib.sha256(packed).hexdigest()
    )
    batch.save()
    return batch


def _settle(survey: Survey, now: datetime, shuffler: Shuffler) -> list[Batch]:
    """Make the last batches of a survey whose acceptance has ended, and close its inbox for good.

    The lock waits for submissions that are being stored and keeps later ones out: they find the survey
    settled. A straggler would else become a batch of one.
    """
    batches = []
    with transaction.atomic():
        locked = Survey.objects.select_for_update().get(pk=survey.pk)
        if locked.settled:
            return []
        for version_id in (
            Version.objects.filter(survey=locked).order_by("number").values_list("pk", flat=True)
        ):
            while Inbox.objects.filter(version=version_id).exists():
                batches.append(_mix_rows(version_id, 1, shuffler))
        locked.settled = True
        locked.save(update_fields=["settled"])
    return batches
