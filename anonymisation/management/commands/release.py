"""`manage.py release FILE.csv`: publish a table of records."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import CommandParser

from anonymisation.microdata.config import ReleaseConfig, plan_load
from anonymisation.microdata.construction import ReportProgress
from anonymisation.microdata.printed_beliefs import belief_line
from anonymisation.microdata.publication import PreparedRelease, release_publish
from anonymisation.microdata.survey_table import columns_of, partly_exact_columns, survey_answers
from anonymisation.releases.release_background import survey_background
from privacy.errors import PrivacyError
from privacy.sdc.unit import RECORDS, size_text
from privacy.survey.design import Design
from surveys.errors.error import SurveyError, refusal
from surveys.management.refusing_command import RefusingCommand
from surveys.models import Survey

_WIDTH = 30
_QUESTIONS = {
    "people.repeated": "people.repeated.command",
    "people.repeated.several": "people.repeated.several.command",
    "people.repeated.constant": "people.repeated.constant.command",
    "people.constant": "people.constant.command",
    "people.alike": "people.alike.command",
}
"""Questions about people in the words of pages, and in those of this command."""


@contextmanager
def progress_on(stream: TextIO) -> Iterator[ReportProgress]:
    """Draw the stage and its progress on one line if the stream is a terminal, otherwise draw nothing."""
    last = ""

    def report(stage: str, done: int, total: int) -> None:
        nonlocal last
        width = _WIDTH * min(done, total) // max(1, total)
        line = f"{stage:<10} [{'#' * width}{'.' * (_WIDTH - width)}]"
        if line != last and stream.isatty():
            stream.write(f"\r{line}")
            stream.flush()
            last = line

    try:
        yield report
    finally:
        if last:
            stream.write("\n")


def open_answers(slug: str, config: ReleaseConfig) -> tuple[list[str], list[list[str]], list[str]]:
    """Return header, rows and respondents of a survey that accepts no more answers.

    Raises
    ------
    PrivacyError
        The errors of `survey_answers`, and roles that contradict the design.
    """
    design, header, rows, respondents = survey_answers(slug)
    _check_roles(design, config)
    return header, rows, respondents


def _check_roles(design: Design, config: ReleaseConfig) -> None:
    roles = {rule.name: rule.role for rule in config.rules}
    for name, is_protected in columns_of(design):
        role = roles.get(name, "identifier")
        if is_protected and role not in ("disguised", "identifier"):
            raise SurveyError("role.disguised", name, role=role)
        if not is_protected and role == "disguised":
            raise SurveyError("role.open", name)
    for name in sorted(partly_exact_columns(design)):
        if roles.get(name, "identifier") != "identifier":
            raise SurveyError("role.exact", name)


@contextmanager
def _options_named() -> Iterator[None]:
    """Name the options of this command in questions about people, which pages ask in other words."""
    try:
        yield
    except PrivacyError as error:
        if error.case not in _QUESTIONS:
            raise
        fields = {name: value for name, value in error.fields.items() if name != "value"}
        raise SurveyError(_QUESTIONS[error.case], error.value, code=None, advice=None, **fields) from error


class Command(RefusingCommand):
    """Make a release."""

    help = (
        "Generalise a table until it satisfies the models of a plan, check it against earlier "
        "releases, and write deposit/ (CSV, SPSS, Stata, Parquet, codebook, manifest) and report.html "
        "to a new directory. If that is impossible, exit with code 1 and write nothing."
    )
    errors_as_json = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the input, the configuration, and the earlier releases and totals to compare with."""
        parser.add_argument("file", type=Path, nargs="?", help="table: CSV, Excel, SPSS, Stata, Parquet")
        parser.add_argument("--sheet", default="", help="sheet of an Excel workbook that has several")
        parser.add_argument("--survey", help="use the answers of a closed survey instead of a file")
        parser.add_argument(
            "--plan",
            type=Path,
            required=True,
            help=("plan.json with columns, models, algorithm and study; the browser's report contains one"),
        )
        parser.add_argument("--out", type=Path, required=True, help="new directory to write to")
        parser.add_argument(
            "--ledger", type=Path, help=("file for the private ledger of which record belongs to whom")
        )
        parser.add_argument(
            "--earlier", type=Path, action="append", default=[], help="earlier ledger (repeatable)"
        )
        group = parser.add_mutually_exclusive_group()
        text = "earlier ledger whose classes are kept; new people get their own classes"
        group.add_argument("--extend", type=Path, help=text)
        text = "earlier ledger of the same people whose classes are merged"
        group.add_argument("--coarsen", type=Path, help=text)
        parser.add_argument(
            "--totals", type=Path, action="append", default=[], help="published totals, a CSV of value,count"
        )
        person = parser.add_mutually_exclusive_group()
        text = (
            "column that identifies a person with several records; repeat it for columns that do so together"
        )
        person.add_argument("--respondent", action="append", default=[], metavar="COLUMN", help=text)
        text = "confirm that each record belongs to a different person"
        person.add_argument("--records-are-people", action="store_true", help=text)
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the release and print a summary; refusals are raised."""
        if (options["file"] is None) == (options["survey"] is None):
            raise refusal("release.source", returncode=2)
        config, description = plan_load(options["plan"])
        if options["respondent"]:
            config = replace(config, respondent=tuple(options["respondent"]), people="")
        elif options["records_are_people"]:
            config = replace(config, people=RECORDS)
        source = options["file"] or open_answers(options["survey"], config)
        background = None
        if options["survey"]:
            published = {rule.name for rule in config.rules if rule.role != "identifier"}
            background = survey_background(Survey.objects.get(slug=options["survey"]), published)
        with progress_on(sys.stderr) as report, _options_named():
            result = release_publish(
                source,
                config,
                options["out"],
                day=datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
                description=description,
                background=background,
                ledger=options["ledger"],
                earlier=options["earlier"],
                extend=options["extend"],
                coarsen=options["coarsen"],
                totals=options["totals"],
                progress=report,
                sheet=options["sheet"],
            )
        if result is None:
            text = f"{options['out']} was complete; its ledger is now {options['ledger']}."
            self._print({"completed": True}, text, as_json=options["json"])
        else:
            self._print(_summary(result), *_lines(result, options["out"]), as_json=options["json"])


def _summary(bundle: PreparedRelease) -> dict[str, Any]:
    """Return the result as JSON."""
    release = bundle.result
    return {
        "records": len(release.table),
        **({} if release.people is None else {"people": release.published_people}),
        **({} if release.counting is None else {"counted": release.counting.document}),
        "suppressed": release.loss.suppressed,
        "changed": release.changed,
        "ncp": release.loss.ncp,
        "verdicts": {f"{verdict.sensitive}:{verdict.model}": verdict.reached for verdict in release.verdicts},
        "columns": {
            error.name: {
                "bits": error.entropy,
                "bits_kept": error.information,
                "mean_square": error.mean_square,
                "deviation": error.deviation,
            }
            for error in release.errors
        },
        "ilp": release.loss.ilp,
        "own_ilp": release.own_ilp,
        "weights": release.weights,
        "beliefs": [
            {"column": attacker.sensitive, "known": attacker.known, **asdict(audit)}
            for attacker, audit in bundle.audits
        ],
        "read": bundle.decisions.documents,
        "seconds": round(release.seconds, 3),
        "files": list(bundle.files),
    }


def _lines(bundle: PreparedRelease, out: Path) -> Iterator[str]:
    """Yield the lines of the printed result."""
    release = bundle.result
    models = ", ".join(f"{verdict.model} = {verdict.reached:.4g}" for verdict in release.verdicts)
    size = size_text(len(release.table), release.published_people)
    yield (
        f"{size} in {out}: {models}; loss (NCP) {release.loss.ncp:.4f}. "
        "Publish the files in deposit/; report.html is for you only."
    )
    for error in release.errors:
        square = "" if error.mean_square is None else f", mean square error {error.mean_square:.4g}"
        yield f"{error.name}: {error.information:.3f} of {error.entropy:.3f} bits kept{square}"
    if release.own_ilp is not None:
        yield f"ILP, weighted by each record's own value: {release.own_ilp:.1f}"
    for attacker, audit in bundle.audits:
        unit = "record" if release.people is None else "person"
        yield belief_line(attacker.sensitive, audit, unit=unit)
    for decision in bundle.decisions:
        yield f"Read: {decision}"
    for note in (*release.notes, *bundle.notes):
        yield f"Note: {note}"
