"""Checks of SOTTO_HOME: its permissions, free space, and files that lie there too long."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

from mining.columns.precomputed_counts import precomputed_requests
from surveys.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning
from surveys.models import Batch, Version
from surveys.rows.directories import directory_of
from surveys.rows.segments import batches_said, is_of_another_release, read_segment
from surveys.server.disk import COMFORTABLE_BYTES, LEAST_BYTES, room

LONGEST_COPY: Final = timedelta(days=7)
COPY_SUFFIX: Final = ".before-migration"


def only_its_owner_reads_it(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that secret key, database and columns are readable by the account of Sotto alone."""
    promise = "what Sotto keeps on disk can be read by its own account only"
    home = Path(settings.SOTTO_HOME)
    private = [home, home / "secret_key", home / "columns", home / "log", *home.glob("*.sqlite3*")]
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        private += [path for path in database.parent.glob(f"{database.name}*") if path not in private]
    # Inside a directory that others cannot enter, a file's own rights do not matter.
    open_to_others = [
        path
        for path in private
        if path.exists() and _rights(path) & 0o077 and (path == home or _rights(path.parent) & 0o011)
    ]
    if open_to_others:
        names = ", ".join(str(path) for path in open_to_others[:5])
        yield failure(promise, f"others may read {names}", f"chmod -R go-rwx {home}")
    else:
        yield ok(promise, f"{home} is closed to others")


def _rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def there_is_room(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check free space: a full disk refuses answers; devices retry for a week."""
    promise = "there is room on the disk"
    free = room().free
    seen = f"{free / (1 << 30):.1f} GiB free"
    if connection.vendor != "sqlite":
        seen += " here; the database's disk cannot be seen from here"
    if free < LEAST_BYTES:
        yield failure(promise, seen, "Make room: with a full disk answers are refused until there is some.")
    elif free < COMFORTABLE_BYTES:
        yield warning(promise, seen, "Make room soon.")
    else:
        yield ok(promise, seen)


def old_copies_are_deleted(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for old copies made before migrations, which hold the rows that waited then."""
    promise = "no copy of the database lies about for long"
    homes = {Path(settings.SOTTO_HOME)}
    if connection.vendor == "sqlite":
        homes.add(Path(connection.settings_dict["NAME"]).parent)
    copies = {path for home in homes for path in home.glob(f"*{COPY_SUFFIX}*")}
    ages = {path: context.now - datetime.fromtimestamp(path.stat().st_mtime, UTC) for path in copies}
    old = [f"{path} ({age.days} days)" for path, age in ages.items() if age > LONGEST_COPY]
    if old:
        yield warning(
            promise,
            f"{', '.join(old)}",
            "Delete it: rows that waited when it was made can be matched to receipts in it.",
        )
    else:
        yield ok(promise, f"{len(copies)} made within a week" if copies else "there is none")


def columns_are_whole(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the files of columns: a damaged one is made again, but the disk may be failing."""
    promise = "kept columns are what the batches say"
    sound, other, damaged = 0, 0, []
    # Versions of one survey that share a design share its columns.
    versions = {(version.survey_id, version.design_id): version for version in Version.objects.all()}
    for (survey_id, design_id), version in versions.items():
        design = version.to_design()
        batches = Batch.objects.filter(version__survey=survey_id, version__design_id=design_id)
        digests = {
            pk: bytes.fromhex(digest) for pk, digest in batches.order_by("pk").values_list("pk", "digest")
        }
        for path in _segments(directory_of(version.survey_id, design)):
            first, last = batches_said(path) or (0, 0)
            whole = hashlib.sha256()
            for pk, digest in digests.items():
                if first <= pk <= last:
                    whole.update(digest)
            requests = precomputed_requests(design)
            if is_of_another_release(path, requests):
                other += 1
            elif read_segment(path, design, whole.hexdigest(), requests) is None:
                damaged.append(str(path))
            else:
                sound += 1
    if damaged:
        yield warning(
            promise,
            f"{', '.join(damaged[:5])} hold something else",
            "Delete them: they are made again by the next run. Then look whether the disk is sound.",
        )
    else:
        seen = f"{sound} files match their digests" if sound else "there are none yet"
        yield ok(promise, f"{seen}; {other} of another release are made again when used" if other else seen)


def _segments(directory: Path) -> list[Path]:
    if not directory.is_dir():
        return []
    return sorted(path for path in directory.iterdir() if not path.name.startswith("."))


CHECKS = (only_its_owner_reads_it, there_is_room, old_copies_are_deleted, columns_are_whole)
