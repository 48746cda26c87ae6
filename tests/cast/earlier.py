"""A database as an earlier release left it: its migrations are taken back one by one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final
from unittest import mock

from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

SQUASHED: Final = ("surveys", "0001_squashed_0057")
"""What a new database takes in place of many migrations; no earlier release knows it."""


@contextlib.contextmanager
def without_squashed() -> Iterator[None]:
    """Know the migrations that the squashed one stands for, as the releases before it did."""
    load = MigrationLoader.load_disk

    def load_others(loader: MigrationLoader) -> None:
        load(loader)
        del loader.disk_migrations[SQUASHED]

    with mock.patch.object(MigrationLoader, "load_disk", load_others):
        yield


def back_to(name: str) -> None:
    """Take the migrations back, down to one that the squashed one stands for; ``migrate`` does them again."""
    with without_squashed():
        call_command("migrate", "surveys", name, verbosity=0)
    MigrationRecorder(connection).record_unapplied(*SQUASHED)
