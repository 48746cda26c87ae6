"""`manage.py query RELEASE 'count where age < 40 group by disease'`: counts, means of a released table."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from privacy.sdc import answer, answer_mean, parse
from releases.microdata.answering import release_open
from surveys.management.refusing import RefusingCommand


class Command(RefusingCommand):
    """Answer a query."""

    help = (
        "Tell a count or a mean from a deposited release, with lower bound, upper bound and expected value."
    )
    errors_as_json = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Add RELEASE and the query."""
        parser.add_argument("release", type=Path, help="directory of a release, or its deposit/")
        parser.add_argument(
            "query",
            help="count [where COLUMN < VALUE [and ...]] [group by COLUMN[, ...]], or mean COLUMN for count",
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer, or say why not."""
        query = parse(options["query"])
        table, domains = release_open(options["release"])
        answered = answer if query.mean_of is None else answer_mean
        answers = answered(table, query, domains)
        if options["json"]:
            self.stdout.write(json.dumps({"answers": [asdict(line) for line in answers]}))
            return
        self.stdout.write(f"{'lower':>8} {'expected':>10} {'upper':>8}  {', '.join(query.groups)}")
        for line in answers:
            lower, upper = _figure(line.lower), _figure(line.upper)
            self.stdout.write(
                f"{lower:>8} {_figure(line.expected, 1):>10} {upper:>8}  {', '.join(line.group)}"
            )


def _figure(value: float | None, decimals: int = 2) -> str:
    if value is None:
        return "none"
    return str(value) if isinstance(value, int) else f"{value:.{decimals}f}"
