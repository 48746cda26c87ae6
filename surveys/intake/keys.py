"""The mixer's keys: offered, vouched for, retired, and destroyed once no row needs them.

The waiting rows of each design have their own key, which lives only for minutes. Half of `VOUCH` after a key
was generated, the mixer generates the next one, seals all waiting rows again under it and destroys the old
key. So an answer that waits long, perhaps in a quiet survey, does not keep a key of other answers alive. A
design of an open survey has a key before its first answer; the mixer replaces it every few minutes until an
answer arrives. Beyond `MOST_AHEAD` such designs, and before the first pass, an answer is sealed under a key
that all designs share and that the next pass replaces.

The steps run in this order, so that a crash after any of them loses no row that was acknowledged with 200,
and leaves no key that opens mixed rows:

1. write the private half to a file, and sync the file and its folder to disk;
2. read it back, and open a box that was sealed under the public half;
3. commit the public half as the current key of its design, and retire the previous key;
4. seal rows under it, for as long as the mixer vouches that it can open them;
5. commit the removal of its rows, by mixing them or by sealing all waiting rows of the design again;
6. in a later pass, find no row that names it, after SQLite's log was truncated, or after every standby of
   PostgreSQL has replayed the log to that position;
7. overwrite and sync the file, delete it, and then delete the public half.

A crash between steps 1 and 3, or during 7, leaves an orphan: a file that the database does not list. Every
pass begins by destroying orphans. One mixer at a time holds the lease, which means that it offers the shared
key. A mixer on standby has its own keys in its own folder.
"""

from __future__ import annotations

import contextlib
import dataclasses
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from surveys.intake.key_folder import KeyFolder
from surveys.intake.sealing import PrivateKey, PublicKey, open_box, seal
from surveys.intake.transactions import log_position, standbys_have_replayed, truncate_log
from surveys.models import Beat, Inbox, MixerKey, Survey, Version

VOUCH: Final = timedelta(minutes=10)
"""How long rows are sealed under a key after its mixer opened a test box. Keys of designs are tested once."""

MINUTES: Final = VOUCH / 2
"""Age at which a key is replaced; early enough that its vouch has not ended even if a pass is late."""

MOST_AHEAD: Final = 200
"""Most designs waiting for a first answer that have their own keys; the newest surveys come first."""

MOST_REMEMBERED: Final = 1_000

LEASE: Final = timedelta(minutes=1)
"""After this time without a vouch, a mixer loses its lease to the one on standby."""

SECONDS_TO_WAIT: Final = 30.0
"""How long a mixer waits for another process on the same folder to finish its pass."""

DATABASE_TOKEN: Final = "database token"  # noqa: S105 (a name)
"""Name of the heartbeat that identifies a database; a restored database keeps it."""

_TEST_ROW: Final = b"test"
_TEST_DESIGN: Final = "0" * 64


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
        valid_keys = MixerKey.objects.filter(current=True, vouched_until__gt=timezone.now())
        fitting = valid_keys.filter(Q(version_id=version_id) | Q(version_id=None))
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

    def offer_shared(self) -> PublicKey:
        """Create a new shared key and thereby acquire the lease: steps 1 to 3.

        The previous holder's keys are retired, so rows that arrive from now on wait for this mixer.
        """
        [key] = self._write_keys(1)
        with transaction.atomic():
            MixerKey.objects.filter(Q(version_id=None) | ~Q(mixer=self.mixer), current=True).update(
                current=False
            )
            self._commit({None: key})
        return key.public_key

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
        if not all(self._opens_a_test_box(key.public_key) for key in keys):
            raise RuntimeError("a key was written and cannot be read again")
        return keys

    def _commit(self, keys: Mapping[int, PrivateKey] | Mapping[None, PrivateKey]) -> None:
        now = timezone.now()
        MixerKey.objects.bulk_create(
            MixerKey(
                name=key.public_key.name,
                public=key.public_key.public,
                version_id=version_id,
                mixer=self.mixer,
                current=True,
                drawn_at=now,
                vouched_until=now + VOUCH,
            )
            for version_id, key in keys.items()
        )

    def vouch(self) -> bool:
        """Renew the vouch for the shared key if it opens a test box; return whether it did."""
        current = self.mixer_keys().filter(current=True, version_id=None).first()
        if current is None:
            return False
        public = _public(current)
        if PublicKey.of(public.public) != public or not self._opens_a_test_box(public):
            return False
        until = timezone.now() + VOUCH
        return MixerKey.objects.filter(name=public.name, current=True).update(vouched_until=until) == 1

    def due(self) -> tuple[bool, list[int]]:
        """Return whether the shared key must be replaced, and which versions need a new key.

        The shared key must be replaced if it is older than `MINUTES` or a row waits under it. A version with
        waiting rows is due if they wait under a key other than its own current one, or if that key is older
        than `MINUTES`; the longest overdue come first. Then come versions of open surveys without waiting
        rows: each gets a key in advance, replaced every few minutes, so that no copy of it is much older than
        the first answer. Keys of other versions without waiting rows are retired.
        """
        keys_by_name = {bytes(key.name): key for key in self.mixer_keys()}
        in_use = Inbox.objects.order_by().values_list("version_id", "sealed_under").distinct()
        seen = [
            (version_id, keys_by_name[bytes(under)])
            for version_id, under in in_use
            if bytes(under) in keys_by_name
        ]
        now, due = timezone.now(), dict[int, datetime]()

        def is_old(key: MixerKey) -> bool:
            # A key with a future date also counts as old: the clock was set back.
            return not now - MINUTES <= key.drawn_at <= now

        for version_id, key in seen:
            if not key.current or key.version_id != version_id or is_old(key):
                due[version_id] = min(key.drawn_at, due.get(version_id, key.drawn_at))
        current = {key.version_id: key for key in keys_by_name.values() if key.current}
        shared_key = current.pop(None, None)
        waiting = {version_id for version_id, _key in seen}
        ahead = _open_versions() - waiting
        if surplus := current.keys() - waiting - ahead:
            self.retire(surplus)
        shared_is_old = shared_key is not None and (
            is_old(shared_key) or any(key is shared_key for _version_id, key in seen)
        )
        idle = [
            version_id for version_id in ahead if version_id not in current or is_old(current[version_id])
        ]
        return shared_is_old, [*sorted(due, key=due.__getitem__), *sorted(idle)]

    def _opens_a_test_box(self, public: PublicKey) -> bool:
        key = self.folder.read(public.name)
        try:
            box = seal(_TEST_ROW, under=public, design_id=_TEST_DESIGN)
            return key is not None and open_box(box, key=key, design_id=_TEST_DESIGN) == _TEST_ROW
        except InvalidTag:
            return False

    def destroy_unneeded(self) -> None:
        """Destroy orphans, and retired keys that no row names: steps 6 and 7."""
        if connection.in_atomic_block:
            return
        listed = {bytes(key.name): key for key in MixerKey.objects.all()}
        files = self.folder.names()
        for name in files - listed.keys():
            self.folder.destroy(name)
        # Without its file, a key cannot open its rows. Delete it, so that `rows_without_key` finds them.
        keys_of_mixer = {name: key for name, key in listed.items() if key.mixer == self.mixer}
        for name in keys_of_mixer.keys() - files:
            keys_of_mixer.pop(name).delete()
        old_keys = [key for key in keys_of_mixer.values() if not key.current]
        if not old_keys or not truncate_log():
            return
        own_keys = self.mixer_keys()
        free_names = _unused_keys([bytes(key.name) for key in old_keys if not key.unnamed_at])
        if free_names:
            own_keys.filter(pk__in=free_names).update(unnamed_at=log_position())
        positions = own_keys.exclude(unnamed_at="").values_list("unnamed_at", flat=True).distinct()
        safe_points = [position for position in positions if standbys_have_replayed(position)]
        removable = own_keys.filter(unnamed_at__in=safe_points, current=False)
        names = [bytes(name) for name in removable.values_list("name", flat=True)]
        self.folder.destroy(*names)
        for name in names:
            self._private_keys.pop(name, None)
        MixerKey.objects.filter(pk__in=names).delete()


def _open_versions() -> set[int]:
    """Return the versions of open surveys that get keys before their first answers."""
    versions = Version.objects.filter(survey__state=Survey.State.OPEN)
    return set(versions.order_by("-pk").values_list("pk", flat=True)[:MOST_AHEAD])


def _unused_keys(names: Collection[bytes]) -> set[bytes]:
    """Return the retired keys that no row names, and that no row will name, since storing locks the key."""
    if not names:
        return set()
    with transaction.atomic():
        # Wait for submissions that saw a key while it was current.
        list(MixerKey.objects.select_for_update().filter(pk__in=names).values_list("pk").order_by("pk"))
        in_use = (
            Inbox.objects.filter(sealed_under__in=names).values_list("sealed_under", flat=True).distinct()
        )
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
        if not keyring.vouch():
            if not (offers and _lease_is_free(keyring.mixer, timezone.now())):
                yield dataclasses.replace(keyring, holds_lease=False)
                return
            keyring.offer_shared()
        yield keyring


def _lease_is_free(mixer: str, at: datetime) -> bool:
    current = MixerKey.objects.filter(current=True, version_id=None).first()
    return current is None or current.mixer == mixer or current.vouched_until < at + VOUCH - LEASE


def mixer_ready() -> bool:
    """Offer a key if none is vouched for, as the mixer's next pass would; return whether one is offered."""
    if current_key(anew=True) is None:
        with locked_keyring(offers=True):
            pass
    return current_key(anew=True) is not None
