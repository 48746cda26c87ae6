"""`manage.py upgrade-check`: may this release take over here, and has it?"""

from typing import Any, ClassVar

from django.core.management.base import CommandParser
from django.utils import timezone

from surveys.doctor import upgrade
from surveys.doctor.diagnosis import Check, CheckContext
from surveys.management.__main__ import installed_program
from surveys.management.commands.doctor import Command as Doctor


class Command(Doctor):
    """Look before an upgrade, and after it."""

    help = (
        "Look whether this release may take over here: migrations to apply, a backup of today, room on the "
        "disk, runs at work, workers of another program. Nothing is changed. Exit code 0 if nothing is left "
        "to do, 1 if the upgrade can begin or go on, 2 if it must not."
    )
    checks: ClassVar[tuple[Check, ...]] = upgrade.CHECKS

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --json."""
        parser.add_argument("--json", action="store_true", help="print findings as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look, report, and end with the worst level."""
        if not options["json"]:
            self.stdout.write(f"this is sotto {installed_program()}")
        context = CheckContext(address=None, client_digest=None, now=timezone.now())
        self.report(context, self.checks, as_json=options["json"])
