"""`manage.py read_answers FILE`: import what another survey tool collected by a frame."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from privacy.counted_nouns import counted
from surveys.embed.file_import import columns_by_name, file_take_in
from surveys.embed.frame_promise import frame_digests
from surveys.embed.reading import REASONS, FileRead, HostFile, file_read, suspects_of
from surveys.errors.error import SurveyError
from surveys.imports.files.uploaded_tables import table_open
from surveys.management.refusing_command import RefusingCommand
from surveys.questionnaire.definition import definition_load, definition_parse


class Command(RefusingCommand):
    """Make a closed survey from another tool's file."""

    help = (
        "Read a file that another survey tool exported (CSV, .xlsx, .sav), with strings of frames in some of "
        "its columns, and make a closed survey of it. Columns with few different values can become open "
        "questions; all others are never read. Lines that cannot be read are listed by number, and nothing "
        "is imported unless --leave-out is given. Exit code 1 if refused."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add DEFINITION, FILE, --open, --column, --leave-out, --look, --slug, --reason and --json."""
        parser.add_argument(
            "files", nargs="+", type=Path, help="definitions, JSON files; the tool's file comes last"
        )
        parser.add_argument(
            "--open",
            action="append",
            default=[],
            help="a column that becomes an unprotected question; may repeat",
        )
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            help="a column of strings (default: columns in which most cells are strings); may repeat",
        )
        parser.add_argument(
            "--leave-out", action="store_true", help="leave out lines that cannot be read; reports count them"
        )
        parser.add_argument("--look", action="store_true", help="describe the file, and import nothing")
        parser.add_argument("--slug", help="the name of the survey, new (default: that of the definition)")
        parser.add_argument("--reason", default="", help="reason to publish although a check refuses it")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read the file, import it unless only a description was requested, and print the result."""
        *definitions, path = options["files"]
        if not definitions:
            raise SurveyError("host_file.definition")
        specs = [definition_parse(definition_load(definition)) for definition in definitions]
        file = HostFile(name=path.name, table=table_open(path).with_labels())
        by_digest = {digest: definition for definition in specs for digest in frame_digests(definition)}
        read = file_read(file, by_digest, names=options["column"])
        columns = columns_by_name(read, options["open"])
        report: dict[str, Any] = {
            "rows": read.n,
            "not_answered": read.not_answered,
            "wrong": {each.number: REASONS[each.reason] for each in read.wrong},
            "suspect": [asdict(own) for own in suspects_of(read)],
            "not_chosen": [column.name for column in read.strings if not column.is_read],
            "parts": {part.column: part.digest for part in read.parts},
            "proposed": {column.name: column.options for column in read.columns if column.is_proposed},
            "possible": [column.name for column in read.columns if not column.is_proposed],
            "never_read": read.never_read,
        }
        if not options["look"]:
            slug = options["slug"] or read.parts[0].definition.slug
            done = file_take_in(
                read,
                columns,
                slug=slug,
                by="command line",
                now=timezone.now(),
                reason=options["reason"],
                leave_out=options["leave_out"],
            )
            report |= {"survey": slug, "design_id": done.version.design_id}
        self.stdout.write(json.dumps(report) if options["json"] else _summary_text(read, report))


def _summary_text(read: FileRead, facts: dict[str, Any]) -> str:
    lines = [
        f"{counted(read.n, 'person')} answered. Lines without an answer, left out: {read.not_answered:,}."
    ]
    lines += [f"Answer lines: {column}, version {digest}" for column, digest in facts["parts"].items()]
    lines += [f"Line {number} cannot be read: {reason}" for number, reason in facts["wrong"].items()]
    lines += [
        f"At least {own['forged']} of {len(own['lines'])} equal reports to {own['question']} were sent by no "
        f"device, so the survey will have no figures of it. Lines: {', '.join(map(str, own['lines']))}"
        for own in facts["suspect"]
    ]
    if facts["not_chosen"]:
        lines.append(f"Not read (choose with --column), answer lines in: {', '.join(facts['not_chosen'])}")
    lines += [f"Proposed as open: {name} ({', '.join(texts)})" for name, texts in facts["proposed"].items()]
    if facts["possible"]:
        lines.append(f"Not proposed, because they could identify a person: {', '.join(facts['possible'])}")
    if facts["never_read"]:
        lines.append(f"Never read: {', '.join(facts['never_read'])}")
    if "survey" in facts:
        slug = facts["survey"]
        lines.append(f"{slug} is now a closed survey. To analyse it: sottovoce mine {slug}")
    return "\n".join(lines)
