"""The mixer's private keys as files, in a folder that no backup and no snapshot may hold.

A key is 32 bytes under its public key's name. It is on the disk, with its folder, before anybody hears of
it; it is overwritten and on the disk so before its name goes. Overwriting is no erasure on solid-state disks
and on file systems that copy what they write: what is left there nobody can address, but a laboratory can
read.

Keys of one database lie in a folder of their own below the one that is named: anyone who starts a mixer on
another database, a copy for tests perhaps, does not destroy them as orphans.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from surveys.intake.boxes import NAME_BYTES, PrivateKey

_MIXER_FILE: Final = "mixer"
_LOCK_FILE: Final = "lock"
_SECONDS_BETWEEN_TRIES: Final = 0.02


class KeyFolder:
    """The private keys that one mixer has for one database.

    Parameters
    ----------
    root : Path
        SOTTO_MIXER_KEYS.
    database : str
        The token of the database.
    """

    def __init__(self, root: Path, database: str) -> None:
        self.root, self.path = root, root / database

    def exists(self) -> bool:
        """Return whether a mixer of this database has worked here."""
        return self.path.is_dir()

    def make(self) -> None:
        """Make the folder, for its owner only, and have it on the disk."""
        for path in (self.root, self.path):
            if not path.is_dir():
                path.mkdir(mode=0o700, parents=True, exist_ok=True)
                _flush(path.parent)

    def mixer(self) -> str:
        """Return the random name of the mixer whose folder this is, made on first use."""
        path = self.path / _MIXER_FILE
        if not path.exists():
            draft = self.path / f"{_MIXER_FILE}.{secrets.token_hex(8)}"
            _write_new(draft, secrets.token_hex(16).encode("ascii"))
            draft.replace(path)
            _flush(self.path)
        return path.read_text(encoding="ascii")

    @contextlib.contextmanager
    def locked(self, *, seconds: float) -> Iterator[bool]:
        """Hold the folder against other processes and threads; give False where it was not free in time."""
        descriptor = os.open(self.path / _LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield _taken(descriptor, seconds)
        finally:
            # Closing gives the lock back.
            os.close(descriptor)

    def names(self) -> set[bytes]:
        """Return the names of the keys that are here."""
        names_here = set()
        for path in self.path.iterdir():
            with contextlib.suppress(ValueError):
                if len(path.name) == 2 * NAME_BYTES:
                    names_here.add(bytes.fromhex(path.name))
        return names_here

    def write(self, *keys: PrivateKey) -> None:
        """Write keys, and have them on the disk."""
        for key in keys:
            _write_new(self._path(key.public_key.name), key.raw)
        _flush(self.path)

    def read(self, name: bytes) -> PrivateKey | None:
        """Return a key, or None where there is none or it is not the one of this name."""
        try:
            key = PrivateKey.of(self._path(name).read_bytes())
        except (OSError, ValueError):
            return None
        return key if key.public_key.name == name else None

    def destroy(self, *names: bytes) -> None:
        """Overwrite each key, have that on the disk, and take its name away."""
        for path in map(self._path, names):
            with contextlib.suppress(FileNotFoundError):
                descriptor = os.open(path, os.O_WRONLY)
                try:
                    os.write(descriptor, secrets.token_bytes(32))
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)
                path.unlink()
        if names:
            _flush(self.path)

    def _path(self, name: bytes) -> Path:
        return self.path / name.hex()


def _taken(descriptor: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(_SECONDS_BETWEEN_TRIES)
        else:
            return True


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
