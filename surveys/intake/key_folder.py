"""The folder with a mixer's private keys, under one lock."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag

from surveys.intake.sealed_boxes import NAME_BYTES, PrivateKey, PublicKey, open_box, seal

_MIXER_FILE: Final = "mixer"
_LOCK_FILE: Final = "lock"
_SECONDS_BETWEEN_TRIES: Final = 0.02
_TEST_ROW: Final = b"test"
_TEST_DESIGN: Final = "0" * 64


class KeyFolder:
    """The private keys of one mixer for one database.

    Parameters
    ----------
    root : Path
        SOTTOVOCE_MIXER_KEYS.
    database : str
        The token of the database.
    """

    def __init__(self, root: Path, database: str) -> None:
        self.root, self.path = root, root / database

    def exists(self) -> bool:
        """Return whether a mixer of this database has worked here."""
        return (self.path / _MIXER_FILE).is_file()

    def make(self) -> None:
        """Create the folder, accessible only to its owner, and sync it to disk."""
        for path in (self.root, self.path):
            if not path.is_dir():
                path.mkdir(mode=0o700, parents=True, exist_ok=True)
                flush(path.parent)

    def mixer(self) -> str:
        """Return the random name of this folder's mixer, created on first use."""
        path = self.path / _MIXER_FILE
        if not path.exists():
            draft = self.path / f"{_MIXER_FILE}.{secrets.token_hex(8)}"
            _write_new(draft, secrets.token_hex(16).encode("ascii"))
            draft.replace(path)
            flush(self.path)
        return path.read_text(encoding="ascii")

    @contextlib.contextmanager
    def lock(self, *, seconds: float) -> Iterator[bool]:
        """Lock the folder against other processes and threads; yield False if it was not free in time."""
        descriptor = os.open(self.path / _LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield _acquire_lock(descriptor, seconds)
        finally:
            # Closing the file releases the lock.
            os.close(descriptor)

    def names(self) -> set[bytes]:
        """Return the names of the keys in the folder."""
        names_here = set()
        for path in self.path.iterdir():
            with contextlib.suppress(ValueError):
                if len(path.name) == 2 * NAME_BYTES:
                    names_here.add(bytes.fromhex(path.name))
        return names_here

    def write(self, *keys: PrivateKey) -> None:
        """Write keys, and sync them to disk."""
        for key in keys:
            _write_new(self._path(key.public_key.name), key.raw)
        flush(self.path)

    def read(self, name: bytes) -> PrivateKey | None:
        """Return a key, or None if it does not exist or does not match this name."""
        try:
            key = PrivateKey.of(self._path(name).read_bytes())
        except (OSError, ValueError):
            return None
        return key if key.public_key.name == name else None

    def opens_a_test_box(self, public: PublicKey) -> bool:
        """Return whether the folder has the private half of a key, tried with a test box."""
        key = self.read(public.name)
        try:
            box = seal(_TEST_ROW, under=public, design_id=_TEST_DESIGN)
            return key is not None and open_box(box, key=key, design_id=_TEST_DESIGN) == _TEST_ROW
        except InvalidTag:
            return False

    def destroy(self, *names: bytes) -> None:
        """Overwrite each key, sync that to disk, and delete the file."""
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
            flush(self.path)

    def _path(self, name: bytes) -> Path:
        return self.path / name.hex()


def _acquire_lock(descriptor: int, seconds: float) -> bool:
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


def flush(path: Path) -> None:
    """Write a file or the entries of a folder to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
