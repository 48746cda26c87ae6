"""The mixer's keys: offered, vouched for, retired, and destroyed when no row needs them any more.

In this order, so that a crash after any step loses no row that was answered with 200 and leaves no key that
opens what was mixed:

1. the private half is a file, and the file and its folder are on the disk;
2. read again from there it opens a box that was sealed under the public half;
3. the public half is committed as the current key, and the one before it is retired;
4. rows are sealed under it, for as long as the mixer vouches that it can open them;
5. the mix that takes its rows away is committed;
6. a later pass sees no row that names it, after SQLite's log was truncated, or after every standby of
   PostgreSQL has replayed the log to where it stood then;
7. the file is overwritten, that is on the disk, the file goes, and then the public half.

What a crash leaves between 1 and 3, or in 7, is an orphan: a file that the database does not know. Every pass
begins with destroying those. One mixer at a time holds the lease, that is, offers the current key; another
one, which stands by, has keys of its own in a folder of its own.
"""

from __future__ import annotations

import contextlib
import dataclasses
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from surveys.intake.boxes import PrivateKey, PublicKey, open_box, seal
from surveys.intake.durable import log_position, standbys_have_replayed, truncate_log
from surveys.intake.key_files import KeyFolder
from surveys.models import Beat, Inbox, MixerKey

VOUCH: Final = timedelta(minutes=10)
"""For so long after a mixer opened a test box rows are sealed under its key."""

LEASE: Final = timedelta(minutes=1)
"""A mixer that has not vouched for so long has lost its lease to the one on standby."""

SECONDS_TO_WAIT: Final = 30.0
"""So long a mixer waits for another process on the same folder to finish its pass."""

DATABASE_TOKEN: Final = "database token"
"""Name of the beat that tells databases apart; a restored one is the same."""

_TEST_ROW: Final = b"test"
_TEST_DESIGN: Final = "0" * 64


@dataclass
class _Remembered:
    """The key that this process saw last, so that a submission need not ask for it."""

    key: PublicKey | None = None


_remembered = _Remembered()


def current_key(*, anew: bool) -> PublicKey | None:
    """Return the key to seal under, or None where no mixer vouches for one.

    Parameters
    ----------
    anew : bool
        Ask the database. Else the answer may be out of date, which the statement that stores a row notices.
    """
    if anew or _remembered.key is None:
        current = MixerKey.objects.filter(current=True, vouched_until__gt=timezone.now()).first()
        _remembered.key = (
            None if current is None else PublicKey(name=bytes(current.name), public=bytes(current.public))
        )
    return _remembered.key


def key_folder() -> KeyFolder:
    """Return the folder of this process's mixer for this database, which need not be there."""
    return KeyFolder(settings.SOTTO_MIXER_KEYS, _database_token())


def _database_token() -> str:
    mark, _ = Beat.objects.get_or_create(
        name=DATABASE_TOKEN, defaults={"at": timezone.now(), "says": {"token": secrets.token_hex(12)}}
    )
    return str(mark.says["token"])


@dataclass(frozen=True, kw_only=True)
class Keyring:
    """The keys of one mixer while it has its turn.

    Parameters
    ----------
    folder : KeyFolder
    mixer : str
        Its random name.
    holds_lease : bool
        Whether the current key is its own; if not, it stands by.
    """

    folder: KeyFolder
    mixer: str
    holds_lease: bool
    _opened: dict[bytes, PrivateKey] = field(default_factory=dict)

    def own_names(self) -> set[bytes]:
        """Return the names of the keys that this mixer can open rows of."""
        listed = MixerKey.objects.filter(mixer=self.mixer).values_list("name", flat=True)
        return {bytes(name) for name in listed} & self.folder.names()

    def private(self, name: bytes) -> PrivateKey | None:
        """Return a private key, or None where this mixer has no such key."""
        if name not in self._opened and (key := self.folder.read(name)) is not None:
            self._opened[name] = key
        return self._opened.get(name)

    def offer(self) -> PublicKey:
        """Make a new key the current one, and retire the one before it: steps 1 to 3."""
        key = PrivateKey.drawn()
        self.folder.write(key)
        if not self._opens_a_test_box(key.public_key):
            raise RuntimeError("a key was written and cannot be read again")
        with transaction.atomic():
            MixerKey.objects.filter(current=True).update(current=False)
            MixerKey.objects.create(
                name=key.public_key.name,
                public=key.public_key.public,
                mixer=self.mixer,
                current=True,
                vouched_until=timezone.now() + VOUCH,
            )
        return key.public_key

    def vouch(self) -> bool:
        """Vouch anew for the current key if it opens a test box; return whether it did."""
        current = MixerKey.objects.filter(current=True, mixer=self.mixer).first()
        if current is None:
            return False
        public = PublicKey(name=bytes(current.name), public=bytes(current.public))
        if PublicKey.of(public.public) != public or not self._opens_a_test_box(public):
            return False
        until = timezone.now() + VOUCH
        return MixerKey.objects.filter(name=public.name, current=True).update(vouched_until=until) == 1

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
        listed = MixerKey.objects.filter(mixer=self.mixer)
        known = {bytes(name) for name in MixerKey.objects.values_list("name", flat=True)}
        files = self.folder.names()
        for name in files - known:
            self.folder.destroy(name)
        # Whose file is gone opens nothing: its rows are lost, and say so by naming a key that is not there.
        for key in listed:
            if bytes(key.name) not in files:
                key.delete()
        retired = [key for key in listed.filter(current=False) if bytes(key.name) in files]
        if not retired or not truncate_log():
            return
        for key in retired:
            if not key.unnamed_at and _is_unnamed(key):
                key.unnamed_at = log_position()
                key.save(update_fields=["unnamed_at"])
            if key.unnamed_at and standbys_have_replayed(key.unnamed_at):
                self.folder.destroy(bytes(key.name))
                self._opened.pop(bytes(key.name), None)
                key.delete()


def _is_unnamed(key: MixerKey) -> bool:
    """Return whether no row names a retired key; none will, since storing a row locks its key."""
    with transaction.atomic():
        # Waits for submissions that saw the key while it was current.
        MixerKey.objects.select_for_update().get(pk=key.pk)
        return not Inbox.objects.filter(sealed_under=key.name).exists()


@contextlib.contextmanager
def keyring_taken(*, offers: bool) -> Iterator[Keyring | None]:
    """Give this process's mixer its turn, with its unneeded keys destroyed and the current one vouched for.

    Parameters
    ----------
    offers : bool
        Whether to make keys where there is none to vouch for: what has its turn now and then, beside the
        mixer proper, does not.

    Yields
    ------
    Keyring or None
        None where there is no mixer in this process, or another process has its turn.
    """
    folder = key_folder()
    if not folder.exists():
        if not offers:
            yield None
            return
        folder.make()
    with folder.locked(seconds=SECONDS_TO_WAIT) as locked:
        if not locked:
            yield None
            return
        keyring = Keyring(folder=folder, mixer=folder.mixer(), holds_lease=True)
        keyring.destroy_unneeded()
        if not keyring.vouch():
            if not (offers and _lease_is_free(keyring.mixer, timezone.now())):
                yield dataclasses.replace(keyring, holds_lease=False)
                return
            keyring.offer()
        yield keyring


def _lease_is_free(mixer: str, at: datetime) -> bool:
    current = MixerKey.objects.filter(current=True).first()
    return current is None or current.mixer == mixer or current.vouched_until < at + VOUCH - LEASE


def mixer_ready() -> bool:
    """Offer a key where none is vouched for, as the mixer would in its next pass; return whether one is."""
    if current_key(anew=True) is None:
        with keyring_taken(offers=True):
            pass
    return current_key(anew=True) is not None
