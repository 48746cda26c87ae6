"""`manage.py verify FILE.csv`: check which privacy models a table satisfies."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from anonymisation.microdata.checks import audit_beliefs, linking
from anonymisation.microdata.hierarchies import hierarchy_read
from anonymisation.microdata.printed_beliefs import belief_line
from privacy.counted_nouns import counted
from privacy.sdc.published_table import published_table
from privacy.sdc.requirements import Requirement
from privacy.sdc.verification import table_check
from privacy.tables.column_names import name_columns
from surveys.errors.error import refusal
from surveys.imports.files.uploaded_tables import table_open
from surveys.management.refusing_command import RefusingCommand

_MODELS = {
    "k": (int, "records in each class, at least"),
    "l": (int, "distinct sensitive values in each class, at least"),
    "entropy-l": (float, "exp of the entropy of each class, at least"),
    "c": (float, "recursive (c, l)-diversity, with --recursive-l"),
    "recursive-l": (int, "the l of recursive (c, l)-diversity"),
    "alpha": (float, "share of one value in a class, at most"),
    "t": (float, "earth mover's distance of a class from the table, at most"),
    "beta": (float, "relative gain of a value’s share, at most"),
    "enhanced-beta": (float, "enhanced beta-likeness, at most"),
    "delta": (float, "|ln(p/q)| of a value, below"),
    "rho1": (float, "a belief below this, with --rho2"),
    "rho2": (float, "must not rise above this, with --rho1"),
}
_FIELDS = {"l": "distinct_l", "beta": "basic_beta"}
_GROUNDS = ("equal", "ordered", "hierarchical")


class Command(RefusingCommand):
    """Check a table."""

    help = (
        "Check a table without changing it. Exit code 0 if all required models hold, 1 if not, "
        "2 if the input is invalid. With --people, no model is required."
    )
    error_returncode = 2
    errors_as_json = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the columns and one option per model."""
        parser.add_argument("file", type=Path, help="the table: CSV, Excel, SPSS, Stata or Parquet")
        parser.add_argument("--sheet", default="", help="sheet of an Excel workbook that has several")
        parser.add_argument("--quasi-identifiers", required=True, help="column names, separated by commas")
        parser.add_argument("--sensitive", default="", help="column names, separated by commas")
        for name, (kind, text) in _MODELS.items():
            parser.add_argument(f"--{name}", type=kind, help=text)
        ground = "how t measures distances between sensitive values (default: equal)"
        parser.add_argument("--ground", choices=_GROUNDS, default="equal", help=ground)
        parser.add_argument(
            "--hierarchy", type=Path, help="hierarchy of the sensitive column: rows, or indented .txt"
        )
        parser.add_argument(
            "--multi-attribute",
            action="store_true",
            help="treat other sensitive columns as quasi-identifiers (multi-attribute l-diversity)",
        )
        parser.add_argument(
            "--respondent",
            action="append",
            default=[],
            metavar="COLUMN",
            help="column that identifies a person, to count people; repeat it if several do together",
        )
        parser.add_argument("--people", type=Path, help="search the table for the people in this CSV file")
        parser.add_argument(
            "--beliefs", type=Path, help="prior beliefs about the first sensitive column, a CSV: value,belief"
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the table, print the result and set the exit code."""
        quasi = _names(options["quasi_identifiers"])
        sensitive = _names(options["sensitive"])
        bounds = {name.replace("-", "_"): options[name.replace("-", "_")] for name in _MODELS}
        requirement = Requirement(
            **{_FIELDS.get(name, name): value for name, value in bounds.items() if value is not None}
        )
        if not requirement.models and options["people"] is None and options["beliefs"] is None:
            raise refusal("verify.no_model", returncode=2)
        numeric = sensitive if options["ground"] == "ordered" else []
        read = name_columns(table_open(options["file"], sheet=options["sheet"]))
        table, owners = published_table(
            read,
            quasi_identifiers=quasi,
            sensitive=sensitive,
            numeric=numeric,
            respondent=options["respondent"],
        )
        trees = {}
        if options["hierarchy"] is not None and sensitive:
            trees[sensitive[0]] = hierarchy_read(sensitive[0], options["hierarchy"])
        check = table_check(
            table,
            requirement,
            ground=options["ground"],
            hierarchies=trees,
            strict_attributes=options["multi_attribute"],
            owners=owners,
            decisions=read.decisions,
        )
        links = linking(table, options["people"], owners) if options["people"] is not None else None
        audit = None
        if options["beliefs"] is not None:
            audit = audit_beliefs(table, sensitive, options["beliefs"], requirement, owners)
        extra = {} if links is None else {"linking": links}
        extra |= {} if audit is None else {"beliefs": asdict(audit)}
        lines = [
            *(f"Read: {decision}" for decision in check.decisions),
            *check.lines(),
            *_linked(links),
            *(
                []
                if audit is None
                else [belief_line(sensitive[0], audit, unit="record" if owners is None else "person")]
            ),
        ]
        self._print({**check.plain(), **extra}, *lines, as_json=options["json"])
        if not check.holds:
            raise refusal("verify.does_not_hold", returncode=1)


def _linked(links: dict[str, Any] | None) -> Iterator[str]:
    """Yield what the search for listed people found."""
    if links is not None:
        yield (
            f"{counted(links['people'], 'person')}: {links['in_the_table']} may be in the table, "
            f"{links['identified']} are identified, values disclosed: {links['value_disclosed']}"
        )


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
