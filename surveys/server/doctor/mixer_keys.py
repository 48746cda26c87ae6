"""Check the mixer's keys: one is ready, old ones are destroyed, and every waiting row can be decrypted."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection

from surveys.intake.database_log import standbys_have_replayed
from surveys.intake.inbox import rows_without_key
from surveys.models import Inbox, MixerKey, SpareKey
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning


def a_mixer_key_is_ready(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a mixer vouches for its key; otherwise answers get 503, and devices retry for a week."""
    promise = "a mixer can decrypt new answers"
    if context.facts.parts["mixer"] != "ok":
        yield failure(
            promise,
            "no mixer confirms this, so answers are refused",
            "Start sottovoce sweep and keep it running (docs/operators.md).",
        )
    else:
        yield ok(promise, "a mixer decrypted a test message within the last ten seconds")


def a_spare_has_copies(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a second machine could open what waits, if SOTTOVOCE_MIXERS says that one should."""
    mixers = settings.SOTTOVOCE_MIXERS
    promise = "waiting answers outlive the machine that mixes them"
    if not mixers:
        yield ok(promise, "they do not: there is no spare mixer (docs/operators.md says what would be lost)")
        return
    spare = SpareKey.objects.filter(current=True).first()
    host = spare.host if spare else " or ".join(mixers)
    match context.facts.parts["spare"]:
        case "ok":
            yield ok(
                promise,
                f"{host} has a copy of every key, so its {settings.SOTTOVOCE_MIXER_KEYS}, too, must be in no "
                "backup or snapshot",
            )
        case "behind":
            yield warning(
                promise,
                f"{host} lacks the key of some waiting answers",
                "Wait a minute. If this remains, check that both sweepers run and that their logs show no "
                "failed step mix.",
            )
        case _:
            yield warning(
                promise,
                f"no spare has confirmed this for {settings.SOTTOVOCE_VOUCH.seconds} seconds",
                f"Start sottovoce sweep on {host}, with the same SOTTOVOCE_MIXERS on both hosts "
                f"({','.join(mixers)}). If that machine is gone, name another one.",
            )


def keys_are_kept_apart(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that keys are kept apart from backups, because together they open the rows that were waiting."""
    promise = "keys of waiting rows are private and kept apart from the database"
    folder = Path(settings.SOTTOVOCE_MIXER_KEYS)
    if not folder.exists():
        yield ok(promise, "no keys on this machine")
        return
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield failure(promise, f"other accounts can open {folder}", f"chmod 700 {folder}")
        return
    database = Path(str(connection.settings_dict["NAME"])).resolve()
    if connection.vendor == "sqlite" and folder.is_relative_to(database.parent):
        yield warning(
            promise,
            f"{folder} is in the database's directory, so a copy of one includes the other",
            "Set SOTTOVOCE_MIXER_KEYS outside all backups and snapshots, and restart Sottovoce.",
        )
    else:
        yield ok(promise, str(folder))


LONG_FOR_A_KEY = timedelta(minutes=20)
"""Twice the lifetime of a key when the mixer is running."""


def old_keys_are_destroyed(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that unneeded keys are destroyed, because they could open rows in old backups."""
    promise = "keys are replaced every ten minutes and then destroyed"
    positions = [
        position
        for keys in (MixerKey, SpareKey)
        for position in keys.objects.exclude(unnamed_at="").values_list("unnamed_at", flat=True)
    ]
    by_position = {position: standbys_have_replayed(position) for position in set(positions)}
    waiting = sum(not by_position[position] for position in positions)
    before = context.now - LONG_FOR_A_KEY
    old = sum(
        keys.objects.filter(unnamed_at="", drawn_at__lt=before).count() for keys in (MixerKey, SpareKey)
    )
    if waiting:
        yield warning(
            promise,
            f"old keys waiting for a standby: {waiting}",
            "Check that PostgreSQL's standbys keep up, drop unused replication slots, and "
            "let this role see them: GRANT pg_read_all_stats (docs/operators.md).",
        )
    elif old:
        yield warning(
            promise,
            f"keys older than {LONG_FOR_A_KEY.seconds // 60} minutes: {old}",
            "Check that every sweeper runs, that its log shows no failed step mix, and, with SQLite, that no "
            "program keeps a transaction open.",
        )
    else:
        yield ok(promise, "no old keys are left")


def waiting_rows_can_be_decrypted(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for waiting rows whose key was lost in a restore or with its folder."""
    promise = "waiting rows can be decrypted"
    sealed_for_nobody = rows_without_key().count()
    holder = MixerKey.objects.filter(current=True, version_id=None).values("mixer")
    other_keys = MixerKey.objects.exclude(mixer__in=holder).values("name")
    away = Inbox.objects.filter(sealed_under__in=other_keys).count()
    waiting = Inbox.objects.count()
    if sealed_for_nobody:
        yield warning(
            promise,
            f"rows whose key is lost: {sealed_for_nobody}",
            "They cannot be recovered. They are deleted and counted when their surveys are settled.",
        )
    elif away:
        yield warning(
            promise,
            f"rows that need the key of another mixer, which does not run: {away}",
            "Start its sweeper: it re-encrypts them for the current mixer. If its machine or keys are gone, "
            "they are lost: deleted and counted a week after their surveys stopped accepting answers.",
        )
    elif waiting and context.facts.parts["mixer"] != "ok":
        yield warning(
            promise,
            f"unknown, because no mixer runs; waiting rows: {waiting}",
            "Start sottovoce sweep, on the mixer's machine if it still exists, then run sottovoce doctor.",
        )
    else:
        yield ok(promise, "the mixer has the key of every waiting row")


MIXER_CHECKS = (
    a_mixer_key_is_ready,
    a_spare_has_copies,
    keys_are_kept_apart,
    old_keys_are_destroyed,
    waiting_rows_can_be_decrypted,
)
