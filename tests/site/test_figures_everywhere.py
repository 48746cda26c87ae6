"""No page or file of a run states an estimate without its interval, its level and n.

Pages: each number that looks like a share, a percentage or people of 100 is in a sentence, a pair or a row
of a table with an interval, or `NO_ESTIMATE` says why not. A page with intervals states their level and a
number of answers. CSV and JSON files: each number is an estimate with both ends, or is listed. A p-value of a
page was written from a `privacy.p_values.PValue`, and the page states its test and adjustment; files name the
test of each column of p-values. Files of rows
(CSV, Parquet, SPSS, Stata) have variables of the codebook only, and XML files have no statistics. A file of
another format fails. A new address of runs is found by itself (`tests.site.test_look_everywhere`). For
DataFrames, see `tests/mining/frames/test_printed_columns.py`.
"""

import csv
import html
import io
import json
import math
import re
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final
from unittest.mock import patch
from xml.etree import ElementTree as ET

import pandas
import pyreadstat
import pytest
from django.http import HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from pytest_django import Settings

from mining.interest import INTEREST
from privacy.p_values import PValue
from surveys.accounts.roles import Role
from surveys.authoring.publish import survey_import, survey_publish
from surveys.formats.p_values import TEST_WORDS, p_text
from surveys.management.commands.demo import experiment_answer
from surveys.models import Run
from surveys.report.export.row_columns import columns_of
from surveys.report.export.variables import variables_of
from tests.fixtures.devices import closed, shipped_definition
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import LOOSE, mined_run
from tests.fixtures.staff import browser_of
from tests.site.test_look_everywhere import addresses, analysed

pytestmark = pytest.mark.django_db

ESTIMATE: Final = re.compile(
    r"(?<![\w.,/])−?(?:\d{1,3}\.\d+ ?%|\d{0,3}\.\d{2,4}\b(?!\.)|\d{1,3}(?:\.\d)? (?:of|in) 100\b"
    r"|\d+\.\d points)"
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
    **dict.fromkeys(
        ["ε", "amplification, γ", "amplification inside, γ", "ε inside the sensitive places"], "of the design"
    ),
    "row Protected answers of one respondent together": "ε of the design",
    "without an answer": "counted, for questions that were not disguised",
    "answers sent as “skipped”": "probability of the design",
    "estimate, no interval": "further measures of a rule; their column says so",
    "share of people, no interval": "the map's reconstruction; its column says so",
}
"""Heads of columns and terms whose numbers are no estimates, or say that they have no interval."""
SAID: Final = re.compile(
    r"confidence intervals|such intervals|confidence from|support from|probability|\bp (?:= |< )?\."
    r"|sum of cells|W is the|^All protected parts together|^@software"
)
"""Words of sentences on levels, thresholds and probabilities."""
OF_THE_DESIGN: Final = {"audit:run", "report:about", "report:surveys", "report:survey"}
"""Pages on risks and settings, and lists of runs."""
ENDS: Final = ("_low", "_high")
_PART: Final = re.compile(r"_(?:low|high|se|standard_error|unclipped|shift|low_selected|high_selected)$")
COUNTS_AND_TESTS: Final = {
    "n", "n_used", "size", "effective_n", "people", "invited", "flips", "family", "run", "rows_since",
    "forged_rows", "longest_itemset", "chapter", "support_from", "confidence_from", "lift_from",
    "level", "interval_level", "selected_level", "predicted_n", "predicted_level",
    "joint_statistic", "joint_degrees", "joint_rest_degrees", "design_effect", "detectable_difference",
    "tipping_denial", "drawn_share",
    "compared_survey", "compared_run", "opposed_low", "opposed_high", "opposed_standard_error",
    "group_share", "few_rows", "shown_because_estimable", "passes", "maximal", "weighted", "predicted_rare",
    "accepts_answers", "asked", "rare",
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
    "rules.json": {"error": "expected distance from the truth"},
    ".geojson": {"steps": "of the reconstruction", "seed": "of its replicates", "replicates": "their number"},
}
"""Estimates of files without an interval, and why."""


P_HEADS: Final = re.compile(r"^(?:p|p[ -]value|p, adjusted|adjusted p|q|p \(.*\)|p of .*|.*”, p)$")
P_IN_TEXT: Final = re.compile(
    r"\b[pq](?:-value)?,?(?: of)?(?: =|:)? (< ?)?(0?\.\d{1,5})(?! is a)(?=[\s.,;)]|$)"
)
"""Heads of columns of p-values, and p-values in sentences; limits such as "below .001" have no p in front."""
P_COLUMN: Final = re.compile(r"(?:^|_)(?:p|q|p_?values?|q_?values?|p_adjusted|p_holm|adjusted_p)$")


def p_values_of(page: str) -> Iterator[str]:
    """Yield the p-values on a page, as they are written."""
    parser = Blocks()
    parser.feed(page)
    for text in [*parser.blocks, *(cell for _heads, row in parser.rows for cell in row)]:
        for found in P_IN_TEXT.finditer(" ".join(text.split())):
            yield f"{found[1] or ''}{found[2]}".replace("< ", "<").replace("<", "< ")
    for heads, row in parser.rows:
        if "γ" in heads:  # p of the design, the retention probability
            continue
        for head, cell in zip(heads, row, strict=False):
            number = re.match(r"(?:< )?\.\d+", cell)
            if P_HEADS.match(head) and number:
                yield number[0]


def faults_of_p_values(page: str, printed: Iterable[PValue]) -> list[str]:
    """Return the p-values of a page that are none of `printed`, and the tests that it does not state."""
    tests = list(printed)
    known = {p_text(own) for own in tests}
    found = [f"p-value without its test: {text}" for text in p_values_of(page) if text not in known]
    plain = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    for own in tests:
        said = str(TEST_WORDS[own.test])
        found += [] if said in plain else [f"no words for the test: {own.test}"]
        if own.adjustment != "none":
            adjusted = f"adjusted for {own.family:,} tests ({own.adjustment})"
            found += [] if adjusted in plain else [f"not said: {adjusted}"]
    return sorted(set(found))


def faults_of_page(name: str, page: str, printed: Iterable[PValue] = ()) -> list[str]:
    """Return the estimates without an interval, p-values without a test, and whether level or n are missing.

    `printed` are the p-values that were written while the page was made.
    """
    if name in OF_THE_DESIGN:
        return faults_of_p_values(page, printed)
    found = [
        f"{head}: {text[:80]}"
        for head, text in bare_numbers(page)
        if head not in NO_ESTIMATE and not P_HEADS.match(head) and not SAID.search(text)
    ]
    found += faults_of_p_values(page, printed)
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
    tests = {own.partition(": ")[0] for own in (rows[0].get("p_values_about") or "").split("; ")}
    for column in rows[0]:
        if not any(_is_number(row[column]) for row in rows):
            continue
        if P_COLUMN.search(column) and column not in INTEREST:
            found += [] if column in tests else [f"{column}: no test"]
            continue
        figure = _PART.sub("", column)
        alone = {"share", "mean", "support"} & {column} and {"low", "high"} <= columns
        has_ends = {figure + end for end in ENDS} <= columns or alone
        is_part = column in {"low", "high", "standard_error", "unclipped"} and {"low", "high"} <= columns
        if column not in exempt and figure not in exempt and not has_ends and not is_part:
            found.append(column)
    found += [] if columns & {"level", "interval_level"} else ["no level"]
    found += [] if "n" in columns else ["no n"]
    return found


SECTIONS: Final = {
    "parameters": "thresholds",
    "look": "counts of rows and looks",
    "ledger": "counts of runs",
    "tests": "levels and families",
    "snapshot": "digests",
    "signed": "digests",
    "forged": "counts of rows",
    "range": "ends of possible answers",
    "stops": "of the reconstruction",
    "geometry": "corners of cells",
    "parts": "ends of a quantile's interval",
}
"""Members of JSON files that contain no estimates."""
JSON_FACTS: Final = {
    "sotto": "format",
    "n_direct": "count",
    "n_protected": "count",
    "n_of_the_question": "count",
    "direct_share": "probability of the design",
    "epsilon": "of the design",
    "cells_hidden_below": "policy",
    "steps": "of the reconstruction",
    "tested": "count",
}
"""Members of JSON records that are no estimates."""
LONE_NAMES: Final = {
    "value", "unclipped", "share", "mean", "support", "low", "high", "standard_error", "shift",
}  # fmt: skip
"""Names of a record's only estimate, whose ends are called `low` and `high`."""
PLACE_PARTS: Final = {"error", "off", "reach", "shift"}
WITHOUT_FIGURES: Final = re.compile(
    r"(?:^|/)(?:design|settings|snapshot)\.json$|-audit-\d+\.json$|-runs\.json$"
)
"""JSON files of designs, inputs of the script, digests, risks, and lists of runs."""


def faults_of_json(file: str, content: bytes) -> list[str]:
    """Return the estimates of a JSON file without both ends, and those without level or n."""
    if WITHOUT_FIGURES.search(file):
        return []
    kind = next((own for own in WITHOUT_INTERVAL if file.endswith(own)), "")
    exempt = frozenset(WITHOUT_INTERVAL.get(kind, {}))
    return sorted(set(_faults_of_record(json.loads(content), "", exempt, frozenset())))


def _faults_of_record(
    value: Any, path: str, exempt: frozenset[str], known: frozenset[str], tests: tuple[Any, ...] = ()
) -> Iterator[str]:
    """Yield the faults of a value; `known` are the members of the records around it, `tests` their tests."""
    if isinstance(value, list):
        if any(isinstance(each, float) for each in value):
            yield f"{path.removesuffix('.')}: numbers without names"
        for each in value:
            yield from _faults_of_record(each, path, exempt, known, tests)
    if not isinstance(value, dict):
        return
    names = set(value)
    tests = (*tests, value.get("p_values") or {})
    about = value.get("about") if isinstance(value.get("about"), dict) else {}
    inside = known | names | set(about)
    for name, each in value.items():
        if name in SECTIONS or (name == "shape" and isinstance(each, dict)):
            continue
        yield from _faults_of_record(each, f"{path}{name}.", exempt, inside, tests)
        is_text = isinstance(each, str) and each.strip().endswith("%") and _is_number(each)
        if not is_text and (isinstance(each, bool) or not isinstance(each, int | float)):
            continue
        figure = _PART.sub("", name)
        if P_COLUMN.search(name) and name not in INTEREST:
            if not any(name in own for own in tests):
                yield f"{path}{name}: no test"
            continue
        alone = {name, figure} & LONE_NAMES
        has_ends = {f"{figure}_low", f"{figure}_high"} <= names or (alone and {"low", "high"} <= names)
        is_place = {"longitude", "reach_east_metres"} <= names and (
            name in {"longitude", "latitude"} or name.partition("_")[0] in PLACE_PARTS
        )
        # The cells of a map have a side; their reconstructed shares have no error, as the file's method says.
        is_cell = name == "share" and "side" in names
        if {name, figure} & (COUNTS_AND_TESTS | set(INTEREST) | set(JSON_FACTS) | exempt):
            continue
        if not (has_ends or is_place or is_cell):
            yield f"{path}{name}"
        if not inside & {"level", "interval_level"}:
            yield f"{path}{name}: no level"
        if not inside & {"n", "n_of_the_question"}:
            yield f"{path}{name}: no n"


def faults_of_rows(file: str, content: bytes, variables: Iterable[str]) -> list[str]:
    """Return the columns of a file of rows that are no variables of the codebook."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / file
        place.write_bytes(content)
        ending = place.suffix
        if ending == ".csv":
            names = next(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
        elif ending == ".parquet":
            names = list(pandas.read_parquet(place).columns)
        else:
            names = list(getattr(pyreadstat, f"read_{ending[1:]}")(place)[0].columns)
    return sorted({name.lower() for name in names} - {name.lower() for name in variables})


def faults_of_xml(content: bytes) -> list[str]:
    """Return the statistics in a codebook: DDI has elements for those of variables and categories."""
    found = ET.fromstring(content).iter()  # our own file
    return sorted({own.tag for own in found if str(own.tag).endswith(("sumStat", "catStat"))})


def _is_number(text: str) -> bool:
    """Return whether a cell is a number, or a percentage that is written as a text."""
    try:
        float(text.strip().removesuffix("%"))
    except ValueError:
        return False
    return True


def _note(printed: list[PValue], p_value: PValue) -> float:
    printed.append(p_value)
    return p_value.value if p_value.estimable else math.nan


def faults(
    run: Run, wanted: Iterable[tuple[str, str]] | None = None, *, tests: set[str] | None = None
) -> dict[str, list[str]]:
    """Open every page and file of a run, or those at the named addresses; add the tests with p-values."""
    client = browser_of("reader", Role.ADMINISTRATOR, Role.REVIEWER, Role.RESEARCHER)
    columns = columns_of(run.design, run.version.wording, with_group=True)
    coded = variables_of(run.version, run.design, with_group=True, language="en")
    variables = [*(own.name for own in columns), *(own.name for own in coded)]
    found: dict[str, list[str]] = {}
    for name, address in addresses(run) if wanted is None else wanted:
        printed: list[PValue] = []
        with patch.object(PValue, "printed", property(partial(_note, printed))):
            response = client.get(address)
        assert response.status_code == 200, address
        if tests is not None:
            tests |= {own.test for own in printed}
        parts = getattr(response, "streaming_content", None)
        content = response.content if parts is None else b"".join(parts)
        sent = re.search(r'filename="([^"]+)"', response.headers.get("Content-Disposition", ""))
        if sent is None:
            found[f"{name} {address}"] = faults_of_page(name, content.decode(), printed)
        elif sent[1].endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                for member in archive.namelist():
                    found[f"{name} {member}"] = faults_of_any(member, archive.read(member), variables)
        else:
            found[f"{name} {sent[1]}"] = faults_of_any(sent[1], content, variables)
    return found


def faults_of_any(file: str, content: bytes, variables: Iterable[str]) -> list[str]:
    """Return the faults of a file of any format."""
    ending = file.rpartition(".")[2]
    if file.startswith("rows.") or ending in {"sav", "dta", "parquet"}:
        return faults_of_rows(Path(file).name, content, variables)
    match ending:
        case "csv":
            return [] if file == "codebook.csv" else faults_of_file(file, content)
        case "json" | "geojson":
            return faults_of_json(file, content)
        case "xml":
            return faults_of_xml(content)
        case "svg" | "md" | "py" | "R":
            # Pictures repeat a page's table; the others are texts and a program.
            return []
    return [f"no check for files that end with .{ending}"]


@pytest.mark.soak
def test_each_estimate_of_each_page_and_file_has_interval_level_and_n() -> None:
    tests: set[str] = set()
    found = faults(analysed(), tests=tests)
    assert tests == {"lift above 1", "no difference"}
    assert {name: own for name, own in found.items() if own} == {}
    for ending, least in {
        "csv": 8,
        "json": 7,
        "geojson": 1,
        "sav": 1,
        "dta": 1,
        "parquet": 1,
        "xml": 2,
    }.items():
        assert sum(name.endswith(f".{ending}") for name in found) >= least, ending
    assert len(found) > 40


@pytest.mark.soak
def test_each_prediction_of_each_file_has_interval_level_and_n() -> None:
    run = mined_run(rotating(), LOOSE)
    of_run = {"run_id": run.pk}
    wanted = [
        ("report:run", reverse("report:run", kwargs=of_run) + "?predicted=yes"),
        ("report:about", reverse("report:about", kwargs=of_run)),
        ("report:results", reverse("report:results", kwargs=of_run)),
        ("report:rules_file", reverse("report:rules_file", kwargs=of_run | {"ending": "json"})),
        ("report:rules_file", reverse("report:rules_file", kwargs=of_run | {"ending": "csv"})),
        ("report:itemsets_csv", reverse("report:itemsets_csv", kwargs=of_run)),
        ("export:rows", reverse("export:rows", kwargs=of_run | {"kind": "zip"})),
    ]
    tests: set[str] = set()
    found = faults(run, wanted, tests=tests)
    assert {name: own for name, own in found.items() if own} == {}
    assert "export:rows run/predicted.csv" in found
    assert "drawn questions" in tests


def test_each_figure_of_groups_that_devices_drew_has_interval_test_and_n() -> None:
    survey = survey_import(shipped_definition("templates/experiment"), by="alice")
    version = survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    experiment_answer(version, people=600, say=lambda text: None)
    run, given = mined_run(closed(version)), "?by=arms/group"
    file = {"run_id": run.pk, "ending": "csv"}
    wanted = [
        ("report:compare", reverse("report:compare", kwargs={"run_id": run.pk}) + given),
        ("report:compare_file", reverse("report:compare_file", kwargs=file) + given),
        ("report:compare_file", reverse("report:compare_file", kwargs=file | {"ending": "json"}) + given),
        ("report:itemsets", reverse("report:itemsets", kwargs={"run_id": run.pk})),
    ]
    tests: set[str] = set()
    found = faults(run, wanted, tests=tests)
    assert {name: own for name, own in found.items() if own} == {}
    assert {"groups alike", "drawn shares", "two groups alike"} <= tests
    assert len(found) == len(wanted)


@pytest.mark.parametrize(
    ("body", "file", "fault"),
    [
        ("<p>On average 23.4% were late.</p>", "", ": On average 23.4% were late."),
        ("<table><thead><tr><th>Answer</th><th>share</th></tr></thead><tr><td>late</td><td>.234</td></tr></table>",
         "", "share: .234"),
        ("<dl><dt>late</dt><dd>23 of 100</dd></dl>", "", "late: 23 of 100"),
        ("<table><thead><tr><th>Answer</th><th>odds ratio</th></tr></thead>"
         "<tr><td>late</td><td>2.41</td></tr></table>", "", "odds ratio: 2.41"),
        ("<p>Late people say so 2.41 times as often.</p>", "", ": Late people say so 2.41 times as often."),
        ("<p>They differ (p .0312).</p>", "", "p-value without its test: .0312"),
        ("<p>They differ: p = .0312.</p>", "", "p-value without its test: .0312"),
        ("<table><thead><tr><th>Answer</th><th>p</th></tr></thead>"
         "<tr><td>late</td><td>&lt; .0001</td></tr></table>", "", "p-value without its test: < .0001"),
        ("<dl><dt>p, adjusted</dt><dd>.04</dd></dl>", "", "p-value without its test: .04"),
        ("late,late_low,late_high,n,level,p_value\n.2,.1,.3,90,.95,.04\n", "planted.csv", "p_value: no test"),
        ("late,late_low,late_high,n,level,q_value\n.2,.1,.3,90,.95,.04\n", "planted.csv", "q_value: no test"),
        ('{"n": 90, "level": 0.95, "found": [{"p_value": 0.2}]}', "planted.json", "found.p_value: no test"),
        ("<p>Late: 23.4% [20.1, 26.7] of 400 people.</p>", "", "no level"),
        ("<p>Late: 23.4% [20.1, 26.7], a 95% interval.</p>", "", "no n"),
        ("who,late,late_low,n,level\na,.2,.1,90,.95\n", "planted.csv", "late"),
        ("who,late,late_low,late_high,level\na,.2,.1,.3,.95\n", "planted.csv", "no n"),
        ("who,late,late_low,late_high,n\na,.2,.1,.3,90\n", "planted.csv", "no level"),
        ('{"n": 90, "level": 0.95, "late": 0.2, "late_low": 0.1}', "planted.json", "late"),
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
    # The other pages have no fault, as another test shows, so only the new one is opened.
    wanted = [(name, address) for name, address in addresses(run) if name == "planted"]
    ((_name, found),) = faults(run, wanted).items()
    assert fault in found


@pytest.mark.parametrize(
    ("content", "file", "fault"),
    [
        ('{"n": 90, "level": 0.95, "mean": {"value": 0.2}}', "planted.json", "mean.value"),
        ('{"n": 90, "level": 0.95, "late": "23%"}', "planted.json", "late"),
        ('{"n": 90, "level": 0.95, "late": [0.2, 0.3]}', "planted.json", "late: numbers without names"),
        ("late,n,level\n23%,90,.95\n", "planted.csv", "late"),
        ('{"n": 90, "found": [{"share": 0.2, "low": 0.1, "high": 0.3}]}', "a.json", "found.share: no level"),
        ('{"level": 0.95, "late": 0.2, "late_low": 0.1, "late_high": 0.3}', "a.json", "late: no n"),
        ('{"about": {"n": 9, "level": 0.95}, "features": [{"share": 0.2}]}', "a.geojson", "features.share"),
        ("late,share\n1,.2\n", "rows.csv", "share"),
        ("<codeBook><var><sumStat>.2</sumStat></var></codeBook>", "a.xml", "sumStat"),
        ("<t/>", "a.ods", "no check for files that end with .ods"),
    ],
)
def test_a_planted_number_of_a_file_is_found(content: str, file: str, fault: str) -> None:
    assert fault in faults_of_any(file, content.encode(), ["late"])


@pytest.mark.parametrize("ending", ["sav", "dta", "parquet"])
def test_a_planted_column_of_rows_is_found(ending: str, tmp_path: Path) -> None:
    place, rows = tmp_path / f"planted.{ending}", pandas.DataFrame({"late": [0, 1], "late_share": [0.2, 0.2]})
    if ending == "parquet":
        rows.to_parquet(place)
    else:
        getattr(pyreadstat, f"write_{ending}")(rows, place)
    assert faults_of_any(place.name, place.read_bytes(), ["late"]) == ["late_share"]
    assert faults_of_any(place.name, place.read_bytes(), ["late", "late_share"]) == []
