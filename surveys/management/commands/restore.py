"""`manage.py restore DIR`: restore a backup into an empty home and database."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from surveys.management.refusing_command import RefusingCommand
from surveys.server.backup import backup_newest, backup_restore
from surveys.server.state import pending_migrations


class Command(RefusingCommand):
    """Restore a backup."""

    help = (
        "Restore a backup made by `backup` into an empty database, with the secret key in "
        "SOTTOVOCE_HOME. "
        "A backup that is incomplete, damaged, or of a release that this one does not continue, is refused."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add DIR and --newest."""
        parser.add_argument(
            "directory",
            metavar="DIR",
            type=Path,
            help="a backup made by `backup`; with --newest, a folder of backups",
        )
        parser.add_argument(
            "--newest", action="store_true", help="restore the newest complete backup in the folder DIR"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore the backup, and print what to do next."""
        directory = options["directory"]
        if options["newest"]:
            directory = backup_newest(directory)
            self.stdout.write(f"the newest is {directory}")
        manifest = backup_restore(directory)
        self.stdout.write(
            f"restored what sottovoce {manifest.sottovoce} backed up at {manifest.made_at:%Y-%m-%d %H:%M} UTC"
        )
        pending = len(pending_migrations())
        if pending:
            self._say(f"{pending} migrations are to be applied")
        self._say(
            "next: sottovoce migrate, sottovoce collectstatic, start sweeper, web and worker, then run"
            " sottovoce doctor"
        )
