"""The mixer's keys: offered, vouched for, retired, and destroyed once no row needs them.

The waiting rows of each design have their own key, which lives only for minutes. Half of `LIFE` after a key
was generated, the mixer generates the next one, seals all waiting rows again under it and destroys the old
key. So an answer that waits long, perhaps in a quiet survey, does not keep a key of other answers alive. A
design of an open survey has a key before its first answer; the mixer replaces it every few minutes until an
answer arrives. Beyond `MOST_AHEAD` such designs, and before the first pass, an answer is sealed under a key
that all designs share and that the next pass replaces.

The steps run in this order, so that a crash after any of them loses no row that was acknowledged with 200,
and leaves no key that opens mixed rows:

1. write the private half to a file, and sync the file and its folder to disk;
2. read it back, and open a box that was sealed under the public half;
3. commit the public half as the current key of its design, with a copy of the private half for the spare, if
   there is one (`surveys.intake.spare`), and retire the previous key;
4. seal rows under it, for as long as it lives and its mixer vouches that it can open them;
5. commit the removal of its rows, by mixing them or by sealing all waiting rows of the design again;
6. in a later pass, find no row that names it, after SQLite's log was truncated, or after every standby of
   PostgreSQL has replayed the log to that position;
7. overwrite and sync the file, delete it, and then delete the public half.

A crash between steps 1 and 3, or during 7, leaves an orphan: a file that the database does not list for this
mixer. Every pass begins by destroying orphans.

One mixer at a time holds the lease, which means that it offers the shared key. It opens a test box under it
every `SECONDS_BETWEEN_VOUCHES`. If it does not do so for SOTTOVOCE_VOUCH, answers are refused, and a mixer on
standby, which has its own keys in its own folder, may acquire the lease. A transaction that mixes keeps the
lease until it ends, so a mixer that was paused finds that it has lost it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import secrets
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from surveys.intake.database_clock import database_clock
from surveys.intake.database_log import log_position, standbys_have_replayed, truncate_log
from surveys.intake.key_age import LIFE, is_old
from surveys.intake.key_folder import KeyFolder
from surveys.intake.sealed_boxes import PrivateKey, PublicKey
from surveys.intake.spare import (
    copied_keys_adopt,
    copies_store,
    names_copied,
    spare_of,
    spare_offer,
    spare_retire,
    spare_vouch,
)
from surveys.models import Beat, Inbox, KeyCopy, MixerKey, SpareKey, Survey, Version

MOST_AHEAD: Final = 200
"""Most designs waiting for a first answer that have their own keys; the newest surveys come first."""

MOST_REMEMBERED: Final = 1_000

SECONDS_BETWEEN_VOUCHES: Final = 2.0
"""How often a mixer opens a test box and renews its vouch; often enough that a few failures do not matter."""

SECONDS_TO_WAIT: Final = 30.0
"""How long a mixer waits for another process on the same folder to finish its pass."""

DATABASE_TOKEN: Final = "database token"  # noqa: S105 (a name)
"""Name of the heartbeat that identifies a database; a restored database keeps it."""

_LEASE: Final = "SELECT 1 FROM surveys_mixerkey WHERE mixer = %s AND current AND version_id IS NULL"


# The keys that this process saw last: by version, and the shared one under None. They save a query.
_remembered: dict[int | None, PublicKey] = {}


def current_key(version_id: int | None = None, *, anew: bool) -> PublicKey | None:
    """Return the key for sealing a version's rows, its own or the shared one; None without a vouch.

    Parameters
    ----------
    version_id : int or None
        The version of the row; None for the shared key.
    anew : bool
        Whether to query the database. Otherwise the result may be out of date, which the statement that
        stores a row detects.
    """
    key = None if anew else _remembered.get(version_id)
    if key is None:
        valid_keys = MixerKey.objects.filter(current=True, vouched_until__gt=database_clock())
        holder = valid_keys.filter(version_id=None).values("mixer")
        fitting = valid_keys.filter(Q(version_id=version_id) | Q(version_id=None), mixer__in=holder)
        current = fitting.order_by(F("version_id").desc(nulls_last=True)).first()
        if len(_remembered) >= MOST_REMEMBERED or current is None:
            _remembered.clear()
        if current is None:
            return None
        key = _remembered[version_id] = _public(current)
    return key


def _public(key: MixerKey) -> PublicKey:
    return PublicKey(name=bytes(key.name), public=bytes(key.public))


def key_folder() -> KeyFolder:
    """Return the folder of this process's mixer for this database; it may not exist yet."""
    return KeyFolder(settings.SOTTOVOCE_MIXER_KEYS, _database_token())


def _database_token() -> str:
    mark, _ = Beat.objects.get_or_create(
        name=DATABASE_TOKEN, defaults={"at": timezone.now(), "says": {"token": secrets.token_hex(12)}}
    )
    return str(mark.says["token"])


@dataclass(frozen=True, kw_only=True)
class Keyring:
    """The keys of one mixer during its turn.

    Parameters
    ----------
    folder : KeyFolder
    mixer : str
        Random name of the mixer.
    holds_lease : bool
        Whether the mixer offers the shared key; if not, it is on standby.
    """

    folder: KeyFolder
    mixer: str
    holds_lease: bool
    _private_keys: dict[bytes, PrivateKey] = field(default_factory=dict)

    def mixer_keys(self) -> QuerySet[MixerKey]:
        """Return the keys of this mixer. It can open their rows if the files of the keys exist."""
        return MixerKey.objects.filter(mixer=self.mixer)

    def private(self, name: bytes) -> PrivateKey | None:
        """Return a private key, or None if this mixer does not have it."""
        if name not in self._private_keys and (key := self.folder.read(name)) is not None:
            self._private_keys[name] = key
        return self._private_keys.get(name)

    def offer_shared(self) -> PublicKey | None:
        """Create a new shared key and thereby acquire the lease: steps 1 to 3.

        The previous holder's keys are retired, so rows that arrive from now on wait for this mixer.

        Returns
        -------
        PublicKey or None
            None if another mixer holds the lease.
        """
        [key] = self._write_keys(1)
        with transaction.atomic():
            # Wait for transactions that mix, which keep the lease of the previous holder.
            others = MixerKey.objects.exclude(mixer=self.mixer).filter(current=True, version_id=None)
            list(others.select_for_update().values_list("pk"))
            if not _lease_is_free(self.mixer):
                return None
            MixerKey.objects.filter(Q(version_id=None) | ~Q(mixer=self.mixer), current=True).update(
                current=False
            )
            spare_retire(self.mixer)
            self._commit({None: key})
        return key.public_key

    def keeps_lease(self) -> bool:
        """Return whether this mixer holds the lease; if so, it keeps it until the transaction ends."""
        lock = " FOR KEY SHARE" if connection.vendor == "postgresql" else ""
        with connection.cursor() as cursor:
            cursor.execute(_LEASE + lock, [self.mixer])
            return cursor.fetchone() is not None

    def offer(self, version_ids: Collection[int]) -> dict[int, PublicKey]:
        """Create new keys for these versions, and retire their previous ones: steps 1 to 3.

        Returns
        -------
        dict of int to PublicKey
            By version; empty if another mixer has acquired the lease meanwhile.
        """
        if not version_ids:
            return {}
        keys = dict(zip(version_ids, self._write_keys(len(version_ids)), strict=True))
        with transaction.atomic():
            shared_key = self.mixer_keys().filter(version_id=None, current=True)
            if not shared_key.select_for_update(no_key=True).exists():
                return {}
            self.retire(version_ids)
            self._commit(keys)
        return {version_id: key.public_key for version_id, key in keys.items()}

    def retire(self, version_ids: Iterable[Any]) -> None:
        """Stop sealing rows under the keys of these versions."""
        self.mixer_keys().filter(version_id__in=version_ids, current=True).update(current=False)

    def _write_keys(self, count: int) -> list[PrivateKey]:
        keys = [PrivateKey.generate() for _ in range(count)]
        self.folder.write(*keys)
        if not all(self.folder.opens_a_test_box(key.public_key) for key in keys):
            raise RuntimeError("a key was written and cannot be read again")
        return keys

    def _commit(self, keys: Mapping[int, PrivateKey] | Mapping[None, PrivateKey]) -> None:
        copies_store(keys.values(), self.mixer)
        MixerKey.objects.bulk_create(
            MixerKey(
                name=key.public_key.name,
                public=key.public_key.public,
                version_id=version_id,
                mixer=self.mixer,
                current=True,
                drawn_at=timezone.now(),
                vouched_until=database_clock() + (LIFE if version_id else settings.SOTTOVOCE_VOUCH),
            )
            for version_id, key in keys.items()
        )

    def vouch(self) -> bool:
        """Renew the vouch for the shared key if it opens a test box; return whether it did."""
        current = self.mixer_keys().filter(current=True, version_id=None).first()
        if current is None:
            return False
        public = _public(current)
        if PublicKey.of(public.public) != public or not self.folder.opens_a_test_box(public):
            return False
        until = database_clock() + settings.SOTTOVOCE_VOUCH
        return MixerKey.objects.filter(name=public.name, current=True).update(vouched_until=until) == 1

    def due(self) -> tuple[bool, list[int]]:
        """Return whether the shared key must be replaced, and which versions need a new key.

        The shared key must be replaced if it is outdated or a row waits under it. A version with waiting rows
        is due if they wait under a key other than its own current one, or if that key is outdated; the
        longest overdue come first. A key is outdated if it is older than `MINUTES`, or if there is a spare
        and no copy of the key under the spare's current key. Then come versions of open surveys without
        waiting rows: each gets a key in advance, replaced every few minutes, so that no copy of it is much
        older than the first answer. Keys of other versions without waiting rows are retired.
        """
        keys_by_name = {bytes(key.name): key for key in self.mixer_keys()}
        in_use = Inbox.objects.order_by().values_list("version_id", "sealed_under").distinct()
        seen = [
            (version_id, keys_by_name[bytes(under)])
            for version_id, under in in_use
            if bytes(under) in keys_by_name
        ]
        due = dict[int, datetime]()
        spare = spare_of(self.mixer)
        copied = None if spare is None else names_copied(spare)

        def is_outdated(key: MixerKey) -> bool:
            return is_old(key.drawn_at) or (copied is not None and bytes(key.name) not in copied)

        for version_id, key in seen:
            if not key.current or key.version_id != version_id or is_outdated(key):
                due[version_id] = min(key.drawn_at, due.get(version_id, key.drawn_at))
        current = {key.version_id: key for key in keys_by_name.values() if key.current}
        shared_key = current.pop(None, None)
        waiting = {version_id for version_id, _key in seen}
        ahead = _open_versions() - waiting
        if surplus := current.keys() - waiting - ahead:
            self.retire(surplus)
        shared_is_old = shared_key is not None and (
            is_outdated(shared_key) or any(key is shared_key for _version_id, key in seen)
        )
        idle = [
            version_id
            for version_id in ahead
            if version_id not in current or is_outdated(current[version_id])
        ]
        return shared_is_old, [*sorted(due, key=due.__getitem__), *sorted(idle)]

    def destroy_unneeded(self) -> None:
        """Destroy orphans, and retired keys of this mixer that nothing names: steps 6 and 7."""
        if connection.in_atomic_block:
            return
        own_keys, own_spares = self.mixer_keys(), SpareKey.objects.filter(mixer=self.mixer)
        listed = {bytes(name) for name in own_keys.values_list("name", flat=True)}
        spares = {bytes(name) for name in own_spares.values_list("name", flat=True)}
        files = self.folder.names()
        for name in files - listed - spares:
            self.folder.destroy(name)
        # Without its file, a key cannot open its rows. Delete it, so that `rows_without_key` finds them, or
        # leave it to the spare, which adopts it.
        if lost := listed - files:
            copied = KeyCopy.objects.values("name")
            own_keys.filter(pk__in=lost, name__in=copied).update(mixer="", current=False)
            own_keys.filter(pk__in=lost).delete()
        if lost := spares - files:
            KeyCopy.objects.filter(spare__in=lost).delete()
            own_spares.filter(pk__in=lost).delete()
        self._destroy_retired(own_keys, Inbox.objects.all(), "sealed_under")
        if settings.SOTTOVOCE_MIXERS or spares:
            KeyCopy.objects.exclude(name__in=MixerKey.objects.values("name")).delete()
            self._destroy_retired(own_spares, KeyCopy.objects.all(), "spare")

    def forget_others(self) -> None:
        """Delete retired public halves of other mixers that nothing names.

        Their machines may be gone. If not, the files are orphans there, and are destroyed.
        """
        if connection.in_atomic_block:
            return
        others = MixerKey.objects.exclude(mixer=self.mixer)
        self._destroy_retired(others, Inbox.objects.all(), "sealed_under")
        spares = SpareKey.objects.exclude(mixer=self.mixer)
        if settings.SOTTOVOCE_MIXERS:
            self._destroy_retired(spares, KeyCopy.objects.all(), "spare")
        elif spares.exists():
            # The spare was switched off.
            KeyCopy.objects.all().delete()
            spares.delete()

    def _destroy_retired(self, keys: QuerySet[Any], users: QuerySet[Any], field: str) -> None:
        old_keys = keys.filter(current=False)
        unmarked = {bytes(key.name): key.unnamed_at for key in old_keys}
        if not unmarked or not truncate_log():
            return
        free_names = _unused_keys(
            keys, [name for name, position in unmarked.items() if not position], users, field
        )
        if free_names:
            keys.filter(pk__in=free_names).update(unnamed_at=log_position())
        positions = keys.exclude(unnamed_at="").values_list("unnamed_at", flat=True).distinct()
        safe_points = [position for position in positions if standbys_have_replayed(position)]
        removable = old_keys.filter(unnamed_at__in=safe_points)
        names = [bytes(name) for name in removable.values_list("name", flat=True)]
        self.folder.destroy(*names)
        for name in names:
            self._private_keys.pop(name, None)
        keys.filter(pk__in=names).delete()


def _open_versions() -> set[int]:
    """Return the versions of open surveys that get keys before their first answers."""
    versions = Version.objects.filter(survey__state=Survey.State.OPEN)
    return set(versions.order_by("-pk").values_list("pk", flat=True)[:MOST_AHEAD])


def _unused_keys(
    keys: QuerySet[Any], names: Collection[bytes], users: QuerySet[Any], field: str
) -> set[bytes]:
    """Return the retired keys that nothing names, and that nothing will name, since storing locks the key."""
    if not names:
        return set()
    with transaction.atomic():
        # Wait for submissions, or for offers with copies, that saw a key while it was current.
        list(keys.select_for_update().filter(pk__in=names).values_list("pk").order_by("pk"))
        in_use = users.filter(**{f"{field}__in": names}).values_list(field, flat=True).distinct()
        return {bytes(name) for name in names} - {bytes(name) for name in in_use}


@contextlib.contextmanager
def locked_keyring(*, offers: bool) -> Iterator[Keyring | None]:
    """Lock the keys of this process's mixer, destroy unneeded ones, and vouch for the current one.

    Parameters
    ----------
    offers : bool
        Whether to create a key if none is vouched for. An occasional mixer that runs besides the main one
        does not.

    Yields
    ------
    Keyring or None
        None if this process has no mixer, or another process holds the lock.
    """
    folder = key_folder()
    if not folder.exists():
        if not offers:
            yield None
            return
        folder.make()
    with folder.lock(seconds=SECONDS_TO_WAIT) as has_lock:
        if not has_lock:
            yield None
            return
        keyring = Keyring(folder=folder, mixer=folder.mixer(), holds_lease=True)
        keyring.destroy_unneeded()
        if not keyring.vouch() and not (offers and _lease_is_free(keyring.mixer) and keyring.offer_shared()):
            keyring = dataclasses.replace(keyring, holds_lease=False)
        if settings.SOTTOVOCE_MIXERS:
            if offers and not keyring.holds_lease:
                spare_offer(folder, keyring.mixer)
            copied_keys_adopt(folder, keyring.mixer)
        if keyring.holds_lease:
            keyring.forget_others()
        yield keyring


def _lease_is_free(mixer: str) -> bool:
    held = MixerKey.objects.filter(current=True, version_id=None, vouched_until__gt=database_clock())
    return not held.exclude(mixer=mixer).exists()


def renew_vouch() -> None:
    """Renew the vouches of this process's mixer for its shared key, or for its key for copies."""
    folder = key_folder()
    if folder.exists():
        mixer = folder.mixer()
        Keyring(folder=folder, mixer=mixer, holds_lease=True).vouch()
        if settings.SOTTOVOCE_MIXERS:
            spare_vouch(folder, mixer)


@contextlib.contextmanager
def vouching() -> Iterator[None]:
    """Renew the vouches in a thread of their own, however long a step of the sweeper takes."""
    over = threading.Event()
    thread = threading.Thread(target=_vouch_until, args=(over,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _vouch_until(over: threading.Event) -> None:
    while not over.wait(SECONDS_BETWEEN_VOUCHES):
        try:
            renew_vouch()
        except (DatabaseError, InterfaceError, OSError):
            # The sweeper's rounds report an outage. Without a vouch, answers are refused.
            connection.close()
    connection.close()


def mixer_ready() -> bool:
    """Offer a key if none is vouched for, as the mixer's next pass would; return whether one is offered."""
    if current_key(anew=True) is None:
        with locked_keyring(offers=True):
            pass
    return current_key(anew=True) is not None
