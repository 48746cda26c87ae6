"""Checks of the mixer: does it vouch for its key, do its keys lie elsewhere, are old ones destroyed?"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection

from surveys.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning
from surveys.intake.durable import standbys_have_replayed
from surveys.intake.inbox import rows_without_key
from surveys.intake.keys import current_key
from surveys.models import Inbox, MixerKey


def a_mixer_vouches(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a mixer vouches for its key: else answers get 503, and devices retry for a week."""
    promise = "a mixer vouches that it can open what is sealed"
    if current_key(anew=True) is None:
        yield failure(
            promise,
            "none does: answers are refused until one comes round",
            "Start sotto sweep and keep it running (docs/operators.md).",
        )
    else:
        yield ok(promise, "a key is offered, and a test box was opened within ten minutes")


def keys_lie_elsewhere(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the keys lie apart from backups: both together open the rows that waited."""
    promise = "the keys that open waiting rows lie apart from the database, for their owner only"
    folder = Path(settings.SOTTO_MIXER_KEYS)
    if not folder.exists():
        yield ok(promise, "this machine has none")
        return
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield failure(promise, f"others may enter {folder}", f"chmod 700 {folder}")
        return
    database = Path(str(connection.settings_dict["NAME"])).resolve()
    if connection.vendor == "sqlite" and folder.is_relative_to(database.parent):
        yield warning(
            promise,
            f"{folder} lies beside the database: what copies the one copies the other",
            "Set SOTTO_MIXER_KEYS to a folder that no backup and no snapshot holds, and start Sotto again.",
        )
    else:
        yield ok(promise, str(folder))


LONG_FOR_A_KEY = timedelta(minutes=20)
"""Twice as long as a mixer that runs lets one live."""


def old_keys_are_destroyed(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that unneeded keys are destroyed: they would open old backups."""
    promise = "a key is of minutes: what waits is sealed anew, and the key is destroyed"
    positions = list(MixerKey.objects.exclude(unnamed_at="").values_list("unnamed_at", flat=True))
    replayed = {position: standbys_have_replayed(position) for position in set(positions)}
    waiting = sum(not replayed[position] for position in positions)
    old = MixerKey.objects.filter(unnamed_at="", drawn_at__lt=context.now - LONG_FOR_A_KEY).count()
    if waiting:
        yield warning(
            promise,
            f"{waiting} wait for a standby",
            "Look whether the standbys of PostgreSQL follow, drop replication slots that nobody uses, and "
            "let this role see them: GRANT pg_read_all_stats (docs/operators.md).",
        )
    elif old:
        yield warning(
            promise,
            f"{old} are older than {LONG_FOR_A_KEY.seconds // 60} minutes",
            "Look whether every sweeper runs, its log whether the step mix fails, and with SQLite whether a "
            "program holds the database open in a transaction.",
        )
    else:
        yield ok(promise, "none is older than that, and none waits for a standby")


def waiting_rows_can_be_opened(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check for waiting rows whose key is lost, after a restore or with its folder."""
    promise = "what waits can be opened"
    sealed_for_nobody = rows_without_key().count()
    holder = MixerKey.objects.filter(current=True, version_id=None).values("mixer")
    others = MixerKey.objects.exclude(mixer__in=holder).values("name")
    away = Inbox.objects.filter(sealed_under__in=others).count()
    if sealed_for_nobody:
        yield warning(
            promise,
            f"{sealed_for_nobody} rows cannot: their keys are gone",
            "Nothing brings them back. They are deleted, and their number is kept, when their surveys are "
            "settled.",
        )
    elif away:
        yield warning(
            promise,
            f"{away} rows can by a mixer only that is away",
            "Start its sweeper: it seals them for the mixer that is here.",
        )
    else:
        yield ok(promise, "every waiting row names a key of the mixer")


CHECKS = (a_mixer_vouches, keys_lie_elsewhere, old_keys_are_destroyed, waiting_rows_can_be_opened)
