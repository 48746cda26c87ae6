"""`manage.py embed DEFINITION`: write a protected part for the pages of another survey tool."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from surveys.embed.frame_folder import frame_folder
from surveys.embed.frame_hosts import Around
from surveys.management.finding_lines import computed_lines, finding_lines
from surveys.management.refusing_command import RefusingCommand
from surveys.questionnaire.definition import definition_load, definition_parse


class Command(RefusingCommand):
    """Write a frame as a folder of static files."""

    help = (
        "Write the frame of a definition of one protected part as static files, for any web host. "
        "Another survey tool shows it in an iframe and stores its one line of text; read_answers reads the "
        "tool's file back. Prints all findings of the checks. Exit code 1 if refused."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add DEFINITION, --out, --host, --site, --shared-device, --reason and --json."""
        parser.add_argument("definition", type=Path, help="the definition, a JSON file")
        parser.add_argument("--out", type=Path, required=True, help="a new or empty folder")
        parser.add_argument(
            "--host",
            action="append",
            required=True,
            help="the exact origin of the survey tool, such as https://survey.uni.example; may repeat",
        )
        parser.add_argument(
            "--site",
            default="",
            help="the domain shared by tool and frame, with one owner, such as uni.example",
        )
        parser.add_argument(
            "--shared-device", action="store_true", help="several people answer on one device"
        )
        parser.add_argument(
            "--reason",
            default="",
            help="reason to use it although a check refuses it; read_answers asks again",
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files of the frame, and print where they are."""
        around = Around(
            hosts=tuple(options["host"]), site=options["site"], shared_device=options["shared_device"]
        )
        digest, findings = frame_folder(
            options["definition"], options["out"], around, reason=options["reason"]
        )
        folder = options["out"] / digest
        text = f"{folder}: serve it with the headers of docs/embed.md"
        record = {
            "digest": digest,
            "folder": str(folder),
            "findings": [finding.to_json() for finding in findings],
        }
        spec = definition_parse(definition_load(options["definition"]))
        lines = (*computed_lines(spec), *finding_lines(findings))
        self._print(record, text, *lines, as_json=options["json"])
