"""No page or file of a run states an estimate without its interval, its level and n.

Pages: each number that looks like a share, a percentage, a ratio or people of some number, in digits or in
words, needs an interval of its own in the same text or the same row of a table, or
`tests.fixtures.bare_figures.HEADS` says why not. Texts are those of blocks, forms, pictures and attributes
that someone reads or hears. A page with intervals states their level and n. CSV and JSON files:
each number is an estimate with both ends, or has a name that is listed and a value that fits it: a count, a
flag, a level. Texts in files, and labels and notes of files for SPSS, Stata and R, are read like those of
pages. A p-value of a page was written from a `privacy.p_values.PValue`, and the page states its test and
adjustment; files name the test of each column of p-values. Files of rows have variables of the codebook only,
XML files have no statistics, and programs are those of every run. A file of another format fails. A new
address of runs is found by itself (`tests.site.test_look_everywhere`). For DataFrames, see
`tests/mining/frames/test_printed_columns.py`.
"""

import io
import math
import re
import zipfile
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pandas
import pyarrow
import pyarrow.parquet
import pyreadstat
import pytest
from django.http import HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from pytest_django import Settings

from privacy.p_values import PValue
from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.management.commands.demo import experiment_answer
from surveys.models import Run
from surveys.report.export.row_columns import columns_of
from surveys.report.export.variables import variables_of
from tests.fixtures.bare_figures import faults_of_any, faults_of_page
from tests.fixtures.devices import closed, shipped_definition
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import LOOSE, mined_run
from tests.fixtures.staff import browser_of
from tests.site.test_look_everywhere import addresses, analysed

pytestmark = pytest.mark.django_db


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


@pytest.mark.soak
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
        ("<p>One in five was late.</p>", "", ": One in five was late."),
        ("<p>A fifth of them were late.</p>", "", ": A fifth of them were late."),
        ("<p>Of 100 people, 23 were late.</p>", "", ": Of 100 people, 23 were late."),
        ("<p>23.4% (20.1 to 26.7) were late, and 1 in 5 ill.</p>", "",
         ": 23.4% (20.1 to 26.7) were late, and 1 in 5 ill."),
        ('<svg><title>Late: 23.4%</title></svg>', "", ": Late: 23.4%"),
        ('<svg><text x="3">0</text><text x="3">.234</text></svg>', "", ": .234"),
        ('<img alt="23.4% were late">', "", "img alt: 23.4% were late"),
        ('<p aria-label="23 of 100 were late">late</p>', "", "p aria-label: 23 of 100 were late"),
        ("<head><title>23% were late</title></head>", "", ": 23% were late"),
        ("<form><label>Late (23%)</label></form>", "", ": Late (23%)"),
        ('<form><input name="late" readonly value="23.4%"></form>', "", "input value: 23.4%"),
        ("<table><thead><tr><th>Answer</th><th>share</th><th>odds ratio</th></tr></thead>"
         "<tr><td>late</td><td>.23 [.20, .27]</td><td>2.41</td></tr></table>", "", "odds ratio: 2.41"),
        ("<table><thead><tr><th>Answer</th><th>before</th></tr></thead><tr><td>late</td><td>.234</td></tr></table>",
         "", "before: .234"),
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
        ("who,rare,n,level\na,.234,90,.95\n", "a.csv", "rare"),
        ("who,region,n,level\na,.234,90,.95\n", "a.csv", "region"),
        ("who,asked,n,level\na,.234,90,.95\n", "a.csv", "asked"),
        ("who,jaccard,n,level\na,.234,90,.95\n", "a.csv", "jaccard"),
        ("who,group_share,n,level\na,.234,90,.95\n", "a.csv", "group_share"),
        ("who,n,level\nlate,.234,.95\n", "a.csv", "n"),
        ("who,n,level\n1 in 5 late,90,.95\n", "a.csv", "who: 1 in 5 late"),
        ("column,meaning\nlate,23% are\n", "codebook.csv", "meaning: 23% are"),
        ('{"n": 90, "level": 0.95, "rare": 0.2}', "a.json", "rare"),
        ('{"n": 90, "level": 0.95, "about": "1 in 5"}', "a.json", "about: 1 in 5"),
        ('{"n": 90, "level": 0.95, "look": {"late": 0.2}}', "a.json", "look.late"),
        ('{"late": 0.2}', "run/settings.json", "late"),
        ('{"runs": [{"late": "1 in 5"}]}', "s-runs.json", "runs.late: 1 in 5"),
        ("- `late`: 23% of people.\n", "README.md", "- `late`: 23% of people."),
        ("<svg><desc>late 23.4%</desc></svg>", "a.svg", ": late 23.4%"),
        ("LATE = 0.234\n", "reproduce.py", "reproduce.py"),
        ("<codeBook><txt>1 in 5 are late</txt></codeBook>", "a.xml", "1 in 5 are late"),
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


@pytest.mark.parametrize("ending", ["sav", "dta", "parquet"])
def test_a_planted_figure_in_a_label_is_found(ending: str, tmp_path: Path) -> None:
    place, rows = tmp_path / f"planted.{ending}", pandas.DataFrame({"late": [0, 1]})
    if ending == "parquet":
        table = pyarrow.Table.from_pandas(rows).replace_schema_metadata({"about": "1 in 5 are late"})
        pyarrow.parquet.write_table(table, place)
    else:
        getattr(pyreadstat, f"write_{ending}")(rows, place, column_labels=["1 in 5 are late"])
    assert faults_of_any(place.name, place.read_bytes(), ["late"]) == ["1 in 5 are late"]


def test_texts_without_a_bare_figure_pass() -> None:
    axis = "".join(f'<text x="{5 * tick}" y="9">{tick}%</text>' for tick in (0, 25, 50))
    page = f"""<p>36 of 100 (28 to 44) were late, at most 3 of 100 ill. These are 95% intervals; n = 400.</p>
        <svg><title>Late: 36 of 100 (28 to 44)</title>{axis}</svg><p>19 of 19 itemsets, support from .05.</p>
        <form><input name="support" value="0.05"></form>"""
    assert faults_of_page("planted", page) == []
