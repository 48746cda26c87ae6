"""Check the files of the installation: who can read them, free space, and old copies."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

from surveys.server.disk_space import COMFORTABLE_BYTES, LEAST_BYTES, free_bytes
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning

LONGEST_COPY: Final = timedelta(days=7)
COPY_SUFFIX: Final = ".before-migration"


def only_the_owner_reads_files(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that only Sottovoce's account can read the secret key, database and columns."""
    promise = "only Sottovoce's account can read its files"
    home = Path(settings.SOTTOVOCE_HOME)
    private = [home, home / "secret_key", home / "columns", home / "log", *home.glob("*.sqlite3*")]
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        private += [path for path in database.parent.glob(f"{database.name}*") if path not in private]
    # A file's own permissions do not matter in a directory that others cannot enter.
    open_to_others = [
        path
        for path in private
        if path.exists() and _rights(path) & 0o077 and (path == home or _rights(path.parent) & 0o011)
    ]
    if open_to_others:
        names = ", ".join(str(path) for path in open_to_others[:5])
        yield failure(promise, f"other accounts can read {names}", f"chmod -R go-rwx {home}")
    else:
        yield ok(promise, f"no other account can read {home}")


def _rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def there_is_disk_space(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check free space: with a full disk, the server refuses answers, and devices retry for a week."""
    promise = "there is enough disk space"
    free = free_bytes()
    seen = f"{free / (1 << 30):.1f} GiB free"
    if connection.vendor != "sqlite":
        seen += " on this machine; the database's disk was not checked"
    if free < LEAST_BYTES:
        yield failure(promise, seen, "Free disk space: answers are refused while the disk is full.")
    elif free < COMFORTABLE_BYTES:
        yield warning(promise, seen, "Free disk space soon.")
    else:
        yield ok(promise, seen)


def old_copies_are_deleted(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for old copies from before migrations, which contain the rows that waited at that time."""
    promise = "no leftover database copies"
    homes = {Path(settings.SOTTOVOCE_HOME)}
    if connection.vendor == "sqlite":
        homes.add(Path(connection.settings_dict["NAME"]).parent)
    copies = {path for home in homes for path in home.glob(f"*{COPY_SUFFIX}*")}
    ages = {path: context.now - datetime.fromtimestamp(path.stat().st_mtime, UTC) for path in copies}
    old = [f"{path} ({age.days} days)" for path, age in ages.items() if age > LONGEST_COPY]
    if old:
        yield warning(
            promise,
            f"{', '.join(old)}",
            "Delete it: receipts can be matched to the rows that waited when it was made.",
        )
    else:
        yield ok(promise, f"{len(copies)} made within a week" if copies else "none")


FILES_CHECKS = (only_the_owner_reads_files, there_is_disk_space, old_copies_are_deleted)
