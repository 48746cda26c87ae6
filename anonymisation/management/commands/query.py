"""`manage.py query RELEASE`: answer a query from a published table."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from anonymisation.microdata.deposit_reader import release_counted, release_open
from privacy.sdc.queries import answer
from privacy.sdc.query_language import parse
from surveys.management.refusing_command import RefusingCommand


class Command(RefusingCommand):
    """Answer a query."""

    help = "Answer a count, a mean or a median from a release: bounds, expected value, likely range."
    errors_as_json = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Add RELEASE and the query."""
        parser.add_argument("release", type=Path, help="directory of a release, or its deposit/")
        parser.add_argument(
            "query",
            help="count [where COLUMN < VALUE [and ...] [or ...]] [group by COLUMN[, ...]]; or "
            "mean COLUMN, or median COLUMN",
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the answer; refusals are raised."""
        query = parse(options["query"])
        table, domains = release_open(options["release"])
        answers = answer(table, query, domains)
        heads = ("lower", "likely from", "expected", "likely to", "upper")
        lines = [" ".join(f"{head:>11}" for head in heads) + f"  {', '.join(query.groups)}"]
        for line in answers:
            figures = (line.lower, line.likely_lower, line.expected, line.likely_upper, line.upper)
            cells = " ".join(f"{_figure(figure):>11}" for figure in figures)
            lines.append(f"{cells}  {', '.join(line.group)}")
        counted = release_counted(options["release"])
        record = {"answers": [asdict(line) for line in answers], "counted": counted}
        self._print(record, *lines, counted, as_json=options["json"])


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}".removesuffix(".00")
