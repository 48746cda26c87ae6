"""`manage.py query RELEASE 'count where age < 40 group by disease'`: counts from a released table only."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from privacy.errors import PrivacyError
from privacy.sdc import answer, parse
from surveys.release.answering import release_open


class Command(BaseCommand):
    """Answer a counting query."""

    help = (
        "Answer a counting query from a deposited release, with lower bound, upper bound and expected value."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add RELEASE and the query."""
        parser.add_argument("release", type=Path, help="directory of a release, or its deposit/")
        parser.add_argument("query", help="count [where COLUMN < VALUE [and ...]] [group by COLUMN[, ...]]")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer, or say why not."""
        try:
            query = parse(options["query"])
            table, domains = release_open(options["release"])
            answers = answer(table, query, domains)
        except PrivacyError as error:
            if options["json"]:
                refusal = {"error": error.code, "message": error.message, "remedy": error.remedy}
                self.stdout.write(json.dumps(refusal))
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps({"answers": [asdict(one) for one in answers]}))
            return
        self.stdout.write(f"{'lower':>8} {'expected':>10} {'upper':>8}  {', '.join(query.groups)}")
        for one in answers:
            self.stdout.write(f"{one.lower:8d} {one.expected:10.1f} {one.upper:8d}  {', '.join(one.group)}")
