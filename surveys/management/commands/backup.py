"""`manage.py backup DIR`: back up database and secret key while Sottovoce runs."""

import signal
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from surveys.errors.error import refusal
from surveys.management.__main__ import installed_program
from surveys.management.refusing_command import RefusingCommand
from surveys.server.backup import backup_make, backup_make_dated
from surveys.server.disabled_applications import unclaimed_tables


class Command(RefusingCommand):
    """Back up database and secret key."""

    help = (
        "Write database and secret key into DIR, while Sottovoce runs. The mixer's keys are not included "
        "and must be kept elsewhere. With --keep, DIR is a folder of backups: a new one is added, and the "
        "oldest are deleted."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add DIR and --keep."""
        parser.add_argument("directory", metavar="DIR", type=Path, help="a new or empty folder")
        parser.add_argument(
            "--keep", type=int, metavar="N", help="make a new folder in DIR, and keep the newest N"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Back up, and print where the backup is."""
        directory, most = options["directory"], options["keep"]
        if most is not None and most < 1:
            raise refusal("backup.keep", keep=most)
        # Exit on TERM through an exception, so that an incomplete backup is removed.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        details: dict[str, Any] = {"version": installed_program(), "now": timezone.now()}
        removed: list[Path] = []
        if most is None:
            backup_make(directory, **details)
        else:
            directory, removed = backup_make_dated(directory, most=most, **details)
        self.stdout.write(f"backed up to {directory}; the mixer's keys are not in it, keep them out")
        if unclaimed := unclaimed_tables():
            self.stdout.write(
                "without the rows of these tables, whose application is not installed: "
                + ", ".join(unclaimed)
            )
        for path in removed:
            self.stdout.write(f"removed {path}")
