"""A list of yes/no questions on staff's pages and in files: its lines below their stem."""

import csv
import html
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from surveys.questionnaire.labels import labels_of
from surveys.report.export.ddi import NAMESPACE
from surveys.report.export.file_notes import file_notes
from surveys.report.export.variables import variables_of
from tests.fixtures.devices import closed, stored
from tests.fixtures.everyday import THRESHOLDS, bodies, everyday
from tests.fixtures.exports import unpacked
from tests.fixtures.pages import report_page
from tests.fixtures.runs import mined_run

pytestmark = pytest.mark.django_db

STEM = "What did you do in the past month?"
LINE = "Worked though I was ill"


@pytest.mark.soak
def test_results_show_the_lines_below_their_stem_and_other_pages_name_them_in_full(tmp_path: Path) -> None:
    version = everyday()
    design = version.to_design()
    stored(version, bodies(design, 300))
    run = mined_run(closed(version), THRESHOLDS)
    page = html.unescape(report_page(run, "results"))
    assert page.count(f'list-stem">{STEM}</h2>') == 1
    assert page.index(STEM) < page.index(f">{LINE}</h3>")
    label = next(item for item in labels_of(version, design).items if item.key == "lately_ill")
    assert label.text == f"{STEM} – {LINE}"
    folder = unpacked(run, tmp_path)
    rows = list(csv.DictReader((folder / "codebook.csv").open(encoding="utf-8")))
    assert f"{STEM} – {LINE}" in {value for row in rows for value in row.values()}
    listed = [(row["column"], row["list"], row["list_en"]) for row in rows if row["list"]]
    assert [*dict.fromkeys(listed)] == [(key, "lately", STEM) for key in ("lately_ill", "lately_awake")]
    variables = variables_of(version, design, with_group=False, language="en")
    (note,) = [each for each in file_notes(run, design, variables) if each.startswith("List ")]
    assert note == (f"List lately (“{STEM}”), one yes/no column for each line: lately_ill, lately_awake.")
    root = ET.fromstring((folder / "codebook.xml").read_bytes())
    name = {"ddi": NAMESPACE}
    (group,) = [each for each in root.iterfind(".//ddi:varGrp", name) if each.get("type") == "multipleResp"]
    assert group.get("name") == "lately"
    marks = {each.get("ID"): each.get("name") for each in root.iterfind(".//ddi:var", name)}
    assert [marks[mark] for mark in str(group.get("var")).split()] == ["lately_ill", "lately_awake"]
