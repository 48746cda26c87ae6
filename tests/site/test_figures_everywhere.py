"""No page or file of a run states an estimate without its interval, its level and n.

Pages: each number that looks like a share, a percentage or people of 100 is in a sentence, a pair or a row
of a table with an interval, or `NO_ESTIMATE` says why not. A page with intervals states their level and a
number of answers. Files: each column of numbers is an estimate with both ends, or is listed. A new address
of runs is found by itself (`tests.site.test_look_everywhere`). For DataFrames, see
`tests/mining/frames/test_printed_columns.py`.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from types import ModuleType
from typing import Final

import pytest
from django.http import HttpResponse
from django.urls import path
from pytest_django import Settings

from mining.interest import INTEREST
from surveys.accounts.roles import Role
from surveys.models import Run
from tests.fixtures.staff import browser_of
from tests.site.test_look_everywhere import addresses, analysed

pytestmark = pytest.mark.django_db

ESTIMATE: Final = re.compile(
    r"(?<![\w.,/])−?(?:\d{1,3}\.\d+ ?%|\.\d{2,4}\b|\d{1,3}(?:\.\d)? (?:of|in) 100\b|\d+\.\d points)"
)
INTERVAL: Final = re.compile(
    r"\[[^\]]*[,–][^\]]*\]|\([^)]* to [^)]*\)|±|\bat most\b|\bat least\b|\d\S* (?:to|–) −?\d|\bbetween\b"
    r"|exact|（[^）]*至[^）]*）|至多|至少"
)
LEVEL: Final = re.compile(
    r"9\d(?:\.\d+)?% (?:confidence )?interval|interval[^.]* 9\d(?:\.\d+)?%", re.IGNORECASE
)
N: Final = re.compile(r"\d (?:answers|people|respondents|rows)\b|\bn\b")

BLOCKS: Final = {"p", "li", "h1", "h2", "h3", "caption", "figcaption", "summary", "div", "section"}
CELLS: Final = {"td", "th", "dt", "dd"}
SILENT: Final = {"script", "style", "svg", "nav", "form", "head", "template"}


class Blocks(HTMLParser):
    """Collect the texts of blocks and the rows of tables, with the heads of their columns."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[str] = [""]
        self.rows: list[tuple[list[str], list[str]]] = []
        self._silent, self._heads, self._row, self._in_head = 0, list[str](), list[str](), False
        self._cell: list[str] | None = None
        self._term = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._silent += tag in SILENT
        if tag == "thead":
            self._heads, self._in_head = [], True
        elif tag == "table":
            self._heads = []
        elif tag == "tr":
            self._row = []
        elif tag in CELLS:
            self._cell = []
        elif tag in BLOCKS and self._cell is None:
            self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT
        if tag in CELLS and self._cell is not None:
            text = " ".join("".join(self._cell).split())
            self._cell = None
            if tag == "dt":
                self._term = text
            elif tag == "dd":
                self.rows.append(([self._term], [text]))
            else:
                self._row.append(text)
        elif tag == "tr":
            if self._in_head:
                self._heads = self._row
            elif self._row:
                self.rows.append((self._heads, self._row))
            self._row = []
        elif tag == "thead":
            self._in_head = False
        elif tag in BLOCKS and self._cell is None:
            self.blocks.append("")

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        if self._cell is not None:
            self._cell.append(data)
        else:
            self.blocks[-1] += data


def bare_numbers(page: str) -> Iterator[tuple[str, str]]:
    """Yield numbers that look like estimates and have no interval, after the name of their column."""
    parser = Blocks()
    parser.feed(page)
    for text in parser.blocks:
        plain = " ".join(text.split())
        if ESTIMATE.search(plain) and not INTERVAL.search(plain):
            yield "", plain
    for heads, row in parser.rows:
        if any(INTERVAL.search(cell) for cell in row):
            continue
        for position, cell in enumerate(row):
            if ESTIMATE.search(cell):
                yield heads[position] if len(heads) == len(row) else f"row {row[0]}", cell


NO_ESTIMATE: Final = {
    "p": "probability of the design",
    "without an answer": "counted, for questions that were not disguised",
    "answers sent as “skipped”": "probability of the design",
    "“Lift is above 1”, p": "p-value",
    "p, adjusted": "p-value",
    "estimate, no interval": "further measures of a rule; their column says so",
    "share of people, no interval": "the map's reconstruction; its column says so",
}
"""Heads of columns and terms whose numbers are no estimates, or say that they have no interval."""
SAID: Final = re.compile(
    r"confidence intervals|such intervals|confidence from|support from|probability|p = |sum of cells|W is the"
)
"""Words of sentences on levels, thresholds and probabilities."""
OF_THE_DESIGN: Final = {"audit:run", "report:about", "report:surveys", "report:survey"}
"""Pages on risks and settings, and lists of runs."""
RAW_ONLY: Final = {"rows.csv", "codebook.csv"}
"""Files of the ZIP archive without figures."""

ENDS: Final = ("_low", "_high")
_PART: Final = re.compile(r"_(?:low|high|se|standard_error|unclipped|shift|low_selected|high_selected)$")
COUNTS_AND_TESTS: Final = {
    "n", "n_used", "size", "effective_n", "people", "invited", "flips", "family", "run", "rows_since",
    "forged_rows", "longest_itemset", "chapter", "support_from", "confidence_from", "lift_from",
    "level", "interval_level", "selected_level", "predicted_n", "predicted_level",
    "p_value", "p_adjusted", "p_holm", "confidence_p_value", "confidence_p_adjusted",
    "joint_statistic", "joint_degrees", "joint_rest_degrees", "joint_p_value", "drawn_share_p_value",
    "response_p_value", "design_effect", "detectable_difference", "tipping_denial", "drawn_share",
    "compared_survey", "compared_run", "opposed_low", "opposed_high", "opposed_standard_error",
    "group_share", "few_rows", "shown_because_estimable", "passes", "maximal", "weighted", "predicted_rare",
    "accepts_answers",
    "question", "region", "hidden", "summed", "column", "row", "side", "longitude", "latitude", "from", "to",
    "shape",
}  # fmt: skip
"""Columns that are no estimates: counts, levels, tests, costs, places."""
WITHOUT_INTERVAL: Final = {
    "cells.csv": {"share": "the map's reconstruction has no error, as its method says"},
    "itemsets.csv": dict.fromkeys(
        ["stratified", "pooled", "direct", "protected"], "with its standard error, to check the support"
    )
    | {"error": "expected distance from the truth"},
    "rules.csv": {"error": "expected distance from the truth"},
}
"""Estimates of files without an interval, and why."""


def faults_of_page(name: str, page: str) -> list[str]:
    """Return the estimates without an interval, and whether level or n are missing."""
    if name in OF_THE_DESIGN:
        return []
    found = [
        f"{head}: {text[:80]}"
        for head, text in bare_numbers(page)
        if head not in NO_ESTIMATE and not SAID.search(text)
    ]
    parser = Blocks()
    parser.feed(page)
    cells = [text for heads, row in parser.rows for text in (*heads, *row)]
    every = " ".join([*parser.blocks, *cells])
    if re.search(r"[\[(]−?\S*\d\S*(?:,| to) −?\S*\d\S*[\])]", every):
        found += [] if LEVEL.search(every) else ["no level"]
        found += [] if N.search(every) else ["no n"]
    return found


def faults_of_file(file: str, content: bytes) -> list[str]:
    """Return the columns of estimates without both ends, and whether level or n are missing."""
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    columns = set(rows[0])
    kind = next((own for own in WITHOUT_INTERVAL if file.endswith(own)), "")
    exempt = COUNTS_AND_TESTS | set(WITHOUT_INTERVAL.get(kind, {})) | set(INTEREST)
    found = []
    for column in rows[0]:
        if not any(_is_number(row[column]) for row in rows):
            continue
        figure = _PART.sub("", column)
        alone = {"share", "mean"} & {column} and {"low", "high"} <= columns
        has_ends = {figure + end for end in ENDS} <= columns or alone
        is_part = column in {"low", "high", "standard_error", "unclipped"} and {"low", "high"} <= columns
        if column not in exempt and figure not in exempt and not has_ends and not is_part:
            found.append(column)
    found += [] if columns & {"level", "interval_level"} else ["no level"]
    found += [] if "n" in columns else ["no n"]
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def faults(run: Run) -> dict[str, list[str]]:
    """Open every page and file of a run."""
    client = browser_of("reader", Role.ADMINISTRATOR, Role.REVIEWER, Role.RESEARCHER)
    found: dict[str, list[str]] = {}
    for name, address in addresses(run):
        response = client.get(address)
        assert response.status_code == 200, address
        parts = getattr(response, "streaming_content", None)
        content = response.content if parts is None else b"".join(parts)
        sent = re.search(r'filename="([^"]+)"', response.headers.get("Content-Disposition", ""))
        if sent is None:
            found[f"{name} {address}"] = faults_of_page(name, content.decode())
        elif sent[1].endswith(".csv"):
            found[f"{name} {sent[1]}"] = faults_of_file(sent[1], content)
        elif sent[1].endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                members = [own for own in archive.namelist() if own.endswith(".csv") and own not in RAW_ONLY]
                found |= {f"{name} {own}": faults_of_file(own, archive.read(own)) for own in members}
    return found


def test_each_estimate_of_each_page_and_file_has_interval_level_and_n() -> None:
    found = faults(analysed())
    assert {name: own for name, own in found.items() if own} == {}
    assert sum(".csv" in name for name in found) >= 7
    assert len(found) > 30


@pytest.mark.parametrize(
    ("body", "file", "fault"),
    [
        ("<p>On average 23.4% were late.</p>", "", ": On average 23.4% were late."),
        ("<table><thead><tr><th>Answer</th><th>share</th></tr></thead><tr><td>late</td><td>.234</td></tr></table>",
         "", "share: .234"),
        ("<dl><dt>late</dt><dd>23 of 100</dd></dl>", "", "late: 23 of 100"),
        ("<p>Late: 23.4% [20.1, 26.7] of 400 people.</p>", "", "no level"),
        ("<p>Late: 23.4% [20.1, 26.7], a 95% interval.</p>", "", "no n"),
        ("who,late,late_low,n,level\na,.2,.1,90,.95\n", "planted.csv", "late"),
        ("who,late,late_low,late_high,level\na,.2,.1,.3,.95\n", "planted.csv", "no n"),
        ("who,late,late_low,late_high,n\na,.2,.1,.3,90\n", "planted.csv", "no level"),
    ],
)  # fmt: skip
def test_a_planted_number_is_found(body: str, file: str, fault: str, settings: Settings) -> None:
    run = analysed()
    root = import_module(settings.ROOT_URLCONF)
    headers = {"Content-Disposition": f'attachment; filename="{file}"'} if file else {}
    page = path(
        "en/staff/runs/<int:run_id>/planted/", lambda _request, run_id: HttpResponse(body, headers=headers)
    )
    page.name = "planted"
    planted = ModuleType("planted_figures")
    planted.urlpatterns = [page, *root.urlpatterns]  # type: ignore[attr-defined]  # Django reads it
    settings.ROOT_URLCONF = planted
    found = {name: own for name, own in faults(run).items() if own}
    ((name, (own, *_rest)),) = found.items()
    assert name.startswith("planted ")
    assert fault in (own, *_rest)
