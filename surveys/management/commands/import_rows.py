"""`manage.py import_rows DEFINITION.json ROWS`: answers that were disguised elsewhere."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from surveys.authoring.rows_import import rows_import
from surveys.management.refusing import RefusingCommand
from surveys.questionnaire.definition import definition_load


class Command(RefusingCommand):
    """Import a file of disguised answers."""

    help = (
        "Make a closed survey of a definition and a file of answers that its design has disguised: CSV with "
        "a header, or Parquet. One column an item, named by its key (such as affair, or age=22): 1, 0, or "
        "empty where a question was not asked; for a number or a place one column named by the question: the "
        "number of what was sent; 'direct' says who answered directly; 'skipped:BLOCK' who skipped a block. "
        "Everything is imported or nothing. Exit code 1 if refused."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add DEFINITION, ROWS and --json."""
        parser.add_argument("definition", type=Path, help="the definition, a JSON file; its slug must be new")
        parser.add_argument("rows", type=Path, help="the answers, a .csv or .parquet file")
        parser.add_argument(
            "--reason", default="", help="why the survey is published though a check refuses it"
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, or say why not."""
        done = rows_import(
            definition_load(options["definition"]),
            options["rows"],
            by="command line",
            now=timezone.now(),
            reason=options["reason"],
        )
        slug = done.version.survey.slug
        if options["json"]:
            self.stdout.write(
                json.dumps({"survey": slug, "design_id": done.version.design_id, "rows": done.n})
            )
            return
        self.stdout.write(f"{slug}: {done.n} rows imported. Mine them: sotto mine {slug}")
