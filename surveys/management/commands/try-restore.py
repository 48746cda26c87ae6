"""`manage.py try-restore DIR`: restore the newest backup for trial, look at it, and throw it away."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from surveys.management.refusing import RefusingCommand
from surveys.server.trial_restore import trial_restore


class Command(RefusingCommand):
    """Restore for trial."""

    help = (
        "Restore the newest backup in DIR into a home and a database of its own, migrate it, look at what it "
        "holds, and remove it again. What runs is not touched. The doctor knows how it went."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add DIR."""
        parser.add_argument("directory", metavar="DIR", type=Path, help="the folder of backups")

    def handle(self, *args: Any, **options: Any) -> None:
        """Try, and say which backup it was."""
        backup = trial_restore(options["directory"], now=timezone.now())
        self.stdout.write(f"{backup} can be restored")
