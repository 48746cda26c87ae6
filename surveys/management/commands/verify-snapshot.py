"""`manage.py verify-snapshot FILE.zip`: check the signature of a data export."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from privacy.counted_nouns import counted
from surveys.management.refusing_command import RefusingCommand
from surveys.runs.signed_archive import snapshot_verify


class Command(RefusingCommand):
    """Compare an export with its signature."""

    help = (
        "Compare the ZIP file of a run, byte for byte, with the statement in it that the installation "
        "signed with the key that the report prints. It needs no server and no database. Exit code 1 if "
        "anything differs."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Add FILE, --key and --json."""
        parser.add_argument("file", type=Path, help="the ZIP file of a run")
        parser.add_argument("--key", required=True, help="the public key, as the report prints it")
        parser.add_argument("--json", action="store_true", help="print the statement as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare the export with its signed statement, and print the statement."""
        statement = snapshot_verify(options["file"], key=options["key"])
        text = (
            f"{options['file'].name} is as it was signed by the key {statement['key']}: "
            f"{counted(statement['rows'], 'row')} of {statement['survey']}, snapshot {statement['sha256']}, "
            f"design {statement['design_id']}."
        )
        self._print(statement, text, as_json=options["json"])
