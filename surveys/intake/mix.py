"""The mixer: turn waiting rows into shuffled batches, and settle surveys.

A batch hides a row in two ways. First, nothing in the batch shows which row came first. Second, the rows of a
batch are drawn at random: of 100 or more waiting rows, 50 drawn at random stay behind as the pool, and the
others are mixed (a timed pool mix, see Serjantov, Dingledine and Syverson, From a trickle to a flood, 2002).
The remaining rows get new names, and new boxes under a new key of the design, in random order. So do all
waiting rows of a design whose key is some minutes old. Someone who compares two states of the database
therefore cannot distinguish rows that arrived between them and were mixed from rows that arrived earlier and
stayed.

When a survey settles, all waiting rows of a design become one batch; fewer than 50 rows are deleted instead.
If more than `MOST_ROWS` wait because the mixer was down, they are mixed in parts, ordered by their random
names.

Mixing writes no log line and no audit event.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, Protocol

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from surveys.intake.inbox import (
    open_inbox,
    rows_clear_key,
    rows_delete,
    rows_of_other_mixers,
    rows_store,
)
from surveys.intake.keys import Keyring, current_key, locked_keyring
from surveys.intake.receipts import fresh_receipts_rewrite, open_receipts_rewrite, receipts_rewrite
from surveys.intake.sealed_boxes import PublicKey
from surveys.models import Batch, Beat, Inbox, MixerKey, Survey, Version
from surveys.models.heartbeat import record_heartbeat
from surveys.policy import LEAST_BATCH_ROWS

POOL: Final = LEAST_BATCH_ROWS
"""Number of rows that stay behind."""

LEAST_WAITING: Final = POOL + LEAST_BATCH_ROWS
LEAST_WAITING_IN_PRACTICE: Final = 1

NIGHT: Final = "mixer's night"
"""Name of the heartbeat that records when all receipts were last rewritten."""

MOST_ANEW: Final = 200
"""Most designs that one pass seals again, longest overdue first. Thousands are done within minutes."""

DAY: Final = timedelta(days=1)

PATIENCE: Final = timedelta(days=7)
"""How long rows wait for an absent mixer after the end of acceptance."""

MOST_ROWS: Final = 20_000
"""Most rows of a batch, so that other writers wait only for short transactions."""

# Plain SQL, because every pass runs this query and Django would need ten times as long to build it.
READY_TO_MIX: Final = """
    SELECT waiting.version_id, survey.practice FROM surveys_inbox AS waiting
    JOIN surveys_version AS version ON version.id = waiting.version_id
    JOIN surveys_survey AS survey ON survey.id = version.survey_id
    WHERE waiting.sealed_under IN (SELECT name FROM surveys_mixerkey WHERE mixer IN (
        SELECT mixer FROM surveys_mixerkey WHERE current AND version_id IS NULL))
    GROUP BY waiting.version_id, survey.practice
    HAVING COUNT(*) >= CASE WHEN survey.practice THEN %s ELSE %s END
"""


class Shuffler(Protocol):
    """Puts rows into random order; ``secrets.SystemRandom()`` outside of tests."""

    def shuffle(self, x: list[bytes], /) -> None: ...


def mix(
    *, now: datetime, shuffler: Shuffler | None = None, offers: bool = False, settles: Q | None = None
) -> None:
    """Mix the rows that may be mixed at `now`. Several mixers may run at once.

    While a survey accepts sealed bodies, designs with 100 or more waiting rows are mixed; in practice surveys
    all waiting rows. Once acceptance has ended, the rest is mixed.

    Parameters
    ----------
    now : datetime
        Decides whether acceptance has ended. Vouches for keys use the current clock instead.
    shuffler : Shuffler or None
    offers : bool
        Whether to create a missing key, and to take over the lease of an absent mixer.
    settles : Q or None
        Closed surveys to settle, which deletes rows of designs with too few; None for all surveys whose
        acceptance has ended.
    """
    shuffler = shuffler or secrets.SystemRandom()
    settles = settles or Q(accepts_until__isnull=True) | Q(accepts_until__lte=now)
    due = list(Survey.objects.filter(settles, state=Survey.State.CLOSED, settled=False))
    with locked_keyring(offers=offers) as keyring:
        if keyring is None or not keyring.holds_lease:
            if keyring is not None:
                _seal_for_leaseholder(keyring)
            for survey in due:
                _settle(survey, now, None, shuffler)
            return
        ready = versions_ready()
        due = [survey for survey in due if _may_settle(survey, now, keyring)]
        # Retire keys before reading any rows, so that no row names them once their last row is mixed.
        new_keys = _offer_keys(keyring, ready)
        for version, least in ready:
            _mix_version(version, least, keyring, new_keys.pop(version.pk, None), shuffler)
        for survey in due:
            _settle(survey, now, keyring, shuffler)
        waiting = Inbox.objects.filter(version__in=new_keys).values("version")
        for version in Version.objects.filter(pk__in=waiting).order_by("pk") if new_keys else ():
            _reseal(version, keyring, new_keys[version.pk], shuffler)
        if _night_is_due(timezone.now()):
            open_receipts_rewrite(at=timezone.now())
            record_heartbeat(NIGHT, now=timezone.now())


def mix_waiting(*, settles: Q | None = None) -> None:
    """Mix at the current time, as the main mixer; the sweeper calls this in each round."""
    mix(now=timezone.now(), offers=True, settles=settles)


def versions_ready() -> list[tuple[Version, int]]:
    """Return the versions with enough waiting rows for the mixer, each with the least number of rows."""
    with connection.cursor() as cursor:
        cursor.execute(READY_TO_MIX, [LEAST_WAITING_IN_PRACTICE, LEAST_WAITING])
        practice = dict(cursor.fetchall())
    if not practice:
        return []
    return [
        (version, LEAST_WAITING_IN_PRACTICE if practice[version.pk] else LEAST_WAITING)
        for version in Version.objects.filter(pk__in=practice).order_by("pk")
    ]


def _offer_keys(keyring: Keyring, ready: Iterable[tuple[Version, int]]) -> dict[int, PublicKey]:
    """Offer keys for designs whose pool stays behind, and for those whose keys must be replaced.

    The latter include practice surveys that are mixed in this pass: if an answer arrives before each pass,
    there is no other pass.
    """
    shared_is_old, version_ids = keyring.due()
    if shared_is_old:
        keyring.offer_shared()
    pools = [version.pk for version, least in ready if least != LEAST_WAITING_IN_PRACTICE]
    due = [version_id for version_id in version_ids if version_id not in pools]
    return keyring.offer(pools + due[:MOST_ANEW])


def _mix_version(
    version: Version, least: int, keyring: Keyring, under: PublicKey | None, shuffler: Shuffler
) -> None:
    pool = 0 if least == LEAST_WAITING_IN_PRACTICE else POOL
    if pool and under is None:
        return
    while True:
        result = open_inbox(version, keyring, most=MOST_ROWS)
        rows_clear_key(result.spoilt)
        if len(result.rows) < least:
            return
        rows = list(result.rows)
        shuffler.shuffle(rows)
        try:
            with transaction.atomic():
                if not keyring.keeps_lease():
                    return
                rows_delete(result.names)
                _write(version, rows[: len(rows) - pool])
                if under is not None:
                    rows_store(version, rows[len(rows) - pool :], under=under)
                fresh_receipts_rewrite(version.survey_id)
        except Inbox.DoesNotExist:
            return


def _write(version: Version, rows: list[bytes]) -> None:
    data = b"".join(rows)
    Batch(version=version, n=len(rows), packed=data, digest=hashlib.sha256(data).hexdigest()).save()


def _settle(survey: Survey, now: datetime, keyring: Keyring | None, shuffler: Shuffler) -> None:
    """Write the last batches of a survey whose acceptance has ended, and close its inbox permanently.

    The lock waits for submissions that are being stored and keeps out later ones, which find the survey
    settled. Without it, a late submission would become a batch of its own.
    """
    with transaction.atomic():
        current = Survey.objects.select_for_update().filter(pk=survey.pk).first()
        if current is None or current.settled or not (keyring is None or keyring.keeps_lease()):
            return
        if not _may_settle(current, now, keyring):
            return
        few = 0
        for version, rows in _take_remaining(current, keyring) if keyring is not None else ():
            if len(rows) < LEAST_BATCH_ROWS and not current.practice:
                few += len(rows)
                continue
            shuffler.shuffle(rows)
            for part in _parts(rows):
                _write(version, part)
        # The keys of the remaining rows are lost or absent, or their boxes are spoilt, so delete them.
        deleted, _ = Inbox.objects.filter(version__survey=current).delete()
        if keyring is not None:
            keyring.retire(Version.objects.filter(survey=current).values("pk"))
        current.settled, current.rows_lost, current.rows_too_few = True, deleted, few
        current.save(update_fields=["settled", "rows_lost", "rows_too_few"])
        fresh_receipts_rewrite(current.pk)
    receipts_rewrite(survey.pk)


def _may_settle(survey: Survey, now: datetime, keyring: Keyring | None) -> bool:
    """Return whether the waiting rows can be mixed now, or their mixer has been absent for too long."""
    waiting = Inbox.objects.filter(version__survey=survey)
    if keyring is None:
        return not waiting.exists()
    is_away = waiting.filter(pk__in=rows_of_other_mixers(keyring.mixer)).exists()
    return not is_away or now >= (survey.accepts_until or now) + PATIENCE


def _take_remaining(survey: Survey, keyring: Keyring) -> Iterator[tuple[Version, list[bytes]]]:
    """Open the waiting rows of each design of a survey, delete them, and yield them."""
    for version in Version.objects.filter(survey=survey).order_by("number"):
        result = open_inbox(version, keyring, most=Inbox.objects.filter(version__survey=survey).count())
        if result.rows:
            rows_delete(result.names)
            yield version, result.rows


def _parts(rows: list[bytes]) -> list[list[bytes]]:
    """Cut rows into parts of nearly equal size, none above `MOST_ROWS`.

    >>> [len(part) for part in _parts([b""] * 40_001)]
    [13333, 13334, 13334]
    """
    count = -(-len(rows) // MOST_ROWS)
    ends = [len(rows) * part // count for part in range(count + 1)]
    return [rows[start:end] for start, end in pairwise(ends)]


def _night_is_due(at: datetime) -> bool:
    night = Beat.objects.filter(name=NIGHT).first()
    return night is None or not timedelta(0) <= at - night.at < DAY


def _seal_for_leaseholder(keyring: Keyring) -> None:
    """Seal the rows that wait for this standby mixer under the key of the mixer that holds the lease."""
    under = current_key(anew=True)
    readable_rows = Inbox.objects.filter(sealed_under__in=keyring.mixer_keys().values("name"))
    if under is None:
        return
    for version in Version.objects.filter(pk__in=readable_rows.values("version")).order_by("pk"):
        _reseal(version, keyring, under, secrets.SystemRandom())


def _reseal(version: Version, keyring: Keyring, under: PublicKey, shuffler: Shuffler) -> None:
    result = open_inbox(version, keyring, most=Inbox.objects.filter(version=version).count())
    shuffler.shuffle(result.rows)
    try:
        with transaction.atomic():
            # Lock the key: if it were retired now, it could be destroyed before its new rows are visible.
            current = MixerKey.objects.select_for_update(no_key=True).filter(name=under.name, current=True)
            if current.exists():
                rows_delete(result.names)
                rows_store(version, result.rows, under=under)
                rows_clear_key(result.spoilt)
    except Inbox.DoesNotExist:
        return
