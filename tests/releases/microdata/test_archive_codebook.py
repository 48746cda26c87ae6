"""The codebook of a deposit for archives: valid, and it counts what is published and nothing else."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from privacy.sdc import Table
from releases.microdata.archive_codebook import Background
from releases.microdata.config import config_read
from releases.microdata.publishing import release_prepare
from releases.microdata.reading import hierarchies_read
from surveys.formats.ddi import NAMESPACE
from tests.xml_schema import BESIDE, schema_faults

SCHEMA = BESIDE / "ddi" / "codebook.xsd"
NAMES = {"ddi": NAMESPACE}
TREE = "".join(
    f"{value};{group};*\n"
    for value, group in {"": "", "state": "public", "city": "public", "own": "own"}.items()
)
HEADER = ["age", "work", "illness", "debt", "note"]
PLANTED = "planted-illness"


def rows_of() -> list[list[str]]:
    """Sixty people, two of them with the state, and one, too old for any group, with an own illness."""
    works = ["city", "city", "own", ""]
    rows = [
        [
            str(20 + number % 30),
            "state" if number in (4, 9) else works[number % 4],
            ["flu", "cold", "=cough"][number % 3],
            str(100 + 7 * number),
            "all",
        ]
        for number in range(60)
    ]
    return [*rows, ["97", "own", PLANTED, "5", "all"]]


def files_of(beside: Path, algorithm: str) -> dict[str, bytes]:
    (beside / "work.csv").write_text(TREE, encoding="utf-8")
    document = {
        "release": {
            "k": 4,
            "l": 2,
            "algorithm": algorithm,
            "max_suppressed": 1,
            "seed": 5,
            "multi_attribute": False,
        },
        "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric", "hierarchy": [10, 20, 40]},
            "work": {"role": "quasi_identifier", "hierarchy": "work.csv", "missing": "value"},
            "illness": {"role": "sensitive"},
            "debt": {"role": "sensitive", "kind": "numeric"},
            "note": {"role": "disguised"},
        },
    }
    config = config_read(document, beside=beside)
    table = Table.from_rows(HEADER, rows_of(), config.rules)
    prepared = release_prepare(
        table,
        None,
        hierarchies_read(table, config),
        config,
        day="2026-11-22",
        background=Background.titled("People & debts"),
    )
    return {name.rpartition("/")[2]: body for name, body in prepared.files.items()}


@pytest.mark.parametrize("algorithm", ["tight", "samarati", "ilp"])
def test_each_category_is_counted_in_the_published_file_and_in_nothing_else(
    tmp_path: Path, algorithm: str
) -> None:
    files = files_of(tmp_path, algorithm)
    rows = list(csv.DictReader(io.StringIO(files["data.csv"].decode())))
    root = ET.fromstring(files["codebook.xml"])
    assert root.findtext(".//ddi:stdyDscr//ddi:titl", namespaces=NAMES) == "People & debts"
    assert root.findtext(".//ddi:caseQnty", namespaces=NAMES) == str(len(rows))
    variables = {variable.get("name") or "": variable for variable in root.iterfind(".//ddi:var", NAMES)}
    assert list(variables) == HEADER
    for name in ("age", "work", "illness"):
        counted = {
            category.findtext("ddi:catValu", namespaces=NAMES) or "": int(
                category.findtext("ddi:catStat", namespaces=NAMES) or "0"
            )
            for category in variables[name].iterfind("ddi:catgry", NAMES)
        }
        assert counted == Counter(row[name] for row in rows)
    assert (PLANTED in files["codebook.xml"].decode()) == any(row["illness"] == PLANTED for row in rows)
    assert (PLANTED in files["codebook.xml"].decode()) == (algorithm != "samarati")
    # Of a column with many numbers: what the published numbers are, by hand.
    debts = [int(row["debt"]) for row in rows]
    figures = {one.get("type"): one.text for one in variables["debt"].iterfind("ddi:sumStat", NAMES)}
    assert figures["vald"] == str(len(debts))
    assert (figures["min"], figures["max"]) == (str(min(debts)), str(max(debts)))
    assert float(figures["mean"] or "nan") == pytest.approx(sum(debts) / len(debts))
    assert variables["debt"].find("ddi:catgry", NAMES) is None
    # What a disguise drew is nobody's answer.
    assert [one.text for one in variables["note"].iterfind("ddi:catgry/ddi:catValu", NAMES)] == ["all"]
    assert variables["note"].find("ddi:catgry/ddi:catStat", NAMES) is None


def test_groups_name_their_values_intervals_read_as_words_and_what_lacks_is_marked(tmp_path: Path) -> None:
    root = ET.fromstring(files_of(tmp_path, "samarati")["codebook.xml"])
    categories = {
        (variable.get("name"), one.findtext("ddi:catValu", namespaces=NAMES)): one
        for variable in root.iterfind(".//ddi:var", NAMES)
        for one in variable.iterfind("ddi:catgry", NAMES)
    }
    ages = [value for name, value in categories if name == "age"]
    assert ages == sorted(ages, key=lambda label: float((label or "").strip("[)").split(",")[0]))
    low, high = (ages[0] or "").strip("[)").split(",")
    said = categories["age", ages[0]].findtext("ddi:labl", namespaces=NAMES)
    assert said == f"from {low} to below {high}"
    work = {value: one for (name, value), one in categories.items() if name == "work"}
    assert set(work) == {"", "own", "public"}
    for value, one in work.items():
        assert one.get("missing") == (None if value else "Y")
        assert one.findtext("ddi:txt", namespaces=NAMES) == (
            "Stands for: state, city." if value == "public" else None
        )
    processing = [one.text or "" for one in root.iterfind(".//ddi:dataProcessing", NAMES)]
    assert any("global recoding" in text for text in processing)
    assert "1 records were left out to keep the others fine." in processing
    assert sum("each has at least 4 records (k-anonymity" in text for text in processing) == 1
    assert any("has at least 2 different values of debt (l-diversity)" in text for text in processing)


@pytest.mark.parametrize("algorithm", ["tight", "samarati"])
def test_the_codebook_is_valid_and_the_schema_would_refuse_another(tmp_path: Path, algorithm: str) -> None:
    if not SCHEMA.is_file():
        pytest.skip("the schema of DDI Codebook is not beside this checkout")
    text = files_of(tmp_path, algorithm)["codebook.xml"]
    assert schema_faults(text, SCHEMA) == []
    assert schema_faults(text.replace(b"catStat", b"catStatistic"), SCHEMA) != []
