"""An independent reader can open each file that archives need besides the table."""

import csv
import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest
import yaml

from anonymisation.microdata.background import Background, Wording
from anonymisation.microdata.column_hierarchies import hierarchies_read
from anonymisation.microdata.config import config_read
from anonymisation.microdata.description import description_read
from anonymisation.microdata.methods_text import methods_sentences
from anonymisation.microdata.publication import PreparedRelease, release_prepare
from privacy.sdc.table import Table
from privacy.sdc.unit import UNREPEATED, Counting
from tests.anonymisation.microdata.test_description import GIVEN, TITLE, TYPED

HEADER = ["pid", "age", "work", "sex", "illness", "wage"]


LABELS = {
    "sex": Wording(label={"": "Sex of the person"}, answers={"1": {"": "male"}, "2": {"": "female"}}),
    "wage": Wording(label={"": "工资, monthly"}),
}


def rows_of() -> list[list[str]]:
    illness = ["flu", "=cold", "", "cough", "ulcer"]
    wage = ["1000", "1500.5", "", "-20"]
    return [
        [
            f"p{n}",
            str(20 + n % 37),
            ["city", "state", "own"][n % 3],
            str(1 + n % 2),
            illness[n % 5],
            wage[n % 4],
        ]
        for n in range(240)
    ]


def prepared(**more: Any) -> PreparedRelease:
    document = {
        "release": {"k": 4, "l": 2, "algorithm": "tight"},
        "columns": {
            "pid": {"role": "identifier"},
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "work": {"role": "quasi_identifier", "hierarchy": "flat"},
            "sex": {"role": "insensitive"},
            "illness": {"role": "sensitive", "missing": "value"},
            "wage": {"role": "insensitive", "missing": "value"},
        },
    }
    config = config_read(document, folder=Path())
    table = Table.from_rows(HEADER, rows_of(), config.rules)
    background = Background(
        title="people", columns=LABELS, **{"description": description_read(TYPED), **more}
    )
    return release_prepare(
        table,
        None,
        hierarchies_read(table, config),
        config,
        day="2026-11-24",
        background=background,
        counting=Counting(why=UNREPEATED),
    )


def files_of(**more: Any) -> dict[str, bytes]:
    return {name.rpartition("/")[2]: body for name, body in prepared(**more).files.items()}


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return files_of()


def table_of(files: dict[str, bytes]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files["data.csv"].decode())))


def assert_same(frame: pd.DataFrame, rows: list[dict[str, str]]) -> None:
    """Assert that each cell is the CSV text, the label of its code, the number it stands for, or missing."""
    assert len(frame) == len(rows)
    assert list(frame.columns) == HEADER[1:]
    assert {"1": "male", "2": "female"}.keys() == {row["sex"] for row in rows}
    for held, row in zip(frame.to_dict("records"), rows, strict=True):
        assert (held["age"], held["work"]) == (row["age"], row["work"])
        assert held["sex"] == LABELS["sex"].answers[row["sex"]][""]
        for name in ("illness", "wage"):
            assert pd.isna(held[name]) == (not row[name])
        assert not row["illness"] or held["illness"] == row["illness"]
        assert not row["wage"] or held["wage"] == float(row["wage"])


def test_spss_and_stata_files_keep_the_records_and_labels(files: dict[str, bytes], tmp_path: Path) -> None:
    rows = table_of(files)
    for name in ("data.sav", "data.dta"):
        (tmp_path / name).write_bytes(files[name])
    frame, about = pyreadstat.read_sav(tmp_path / "data.sav", apply_value_formats=True)
    assert_same(frame, rows)
    assert_same(pd.read_stata(tmp_path / "data.dta"), rows)
    assert about.column_names_to_labels["sex"] == "Sex of the person"
    assert about.column_names_to_labels["wage"] == "工资, monthly"
    # Intervals are numbered in ascending order.
    ages = about.variable_value_labels["age"]
    starts = [float(re.split("[,-]", label.strip("[("))[0]) for _code, label in sorted(ages.items())]
    assert starts == sorted(starts)
    # Codes are those of the imported file, with their labels.
    codes, _ = pyreadstat.read_sav(tmp_path / "data.sav")
    assert sorted(set(codes["sex"])) == [1, 2]
    assert about.variable_value_labels["sex"] == {1: "male", 2: "female"}
    assert "k-anonymity" in " ".join(about.notes)
    _, stata = pyreadstat.read_dta(tmp_path / "data.dta", metadataonly=True)
    assert stata.column_names_to_labels["sex"] == "Sex of the person"
    # No file reveals more than the table; in particular, none contains an identification number.
    assert not any(b"p17" in files[name] for name in ("data.sav", "data.dta"))


def test_catalogue_record_and_citation_agree(files: dict[str, bytes]) -> None:
    found = json.loads(files["datacite.json"])
    # DataCite requires these in every record.
    assert found["schemaVersion"] == "http://datacite.org/schema/kernel-4"
    assert (found["titles"], found["publisher"]) == ([{"title": TITLE}], {"name": "Example Archive"})
    assert (found["publicationYear"], found["types"]["resourceTypeGeneral"]) == ("2026", "Dataset")
    zhang, institute = found["creators"]
    assert (zhang["familyName"], zhang["givenName"], zhang["nameType"]) == ("张", "伟", "Personal")
    assert zhang["nameIdentifiers"][0]["nameIdentifier"] == "https://orcid.org/0000-0002-1825-0097"
    assert (institute["name"], institute["nameType"]) == ("Institute of Work", "Organizational")
    assert found["descriptions"][1:] == [
        {"description": GIVEN["sampling"], "descriptionType": "Methods"},
        {"description": GIVEN["universe"], "descriptionType": "Other"},
    ]
    assert {"date": "2026-01-05/2026-02-20", "dateType": "Collected"} in found["dates"]
    assert found["rightsList"][0]["rightsIdentifier"] == "CC-BY-4.0"
    assert found["fundingReferences"][0] == {"funderName": "Science Fund", "awardNumber": "12-345"}
    assert "application/x-spss-sav" in found["formats"]

    cited = yaml.safe_load(files["CITATION.cff"])
    assert (cited["title"], cited["abstract"], cited["doi"]) == (TITLE, GIVEN["abstract"], "10.5072/abc")
    assert cited["contact"][0]["email"] == "zhang@example.org"
    assert cited["authors"][1] == {"name": "Institute of Work"}
    assert cited["date-released"] == "2026-11-24"
    # The manifest has digests of all of them.
    assert {"datacite.json", "CITATION.cff", "data.sav"} <= json.loads(files["manifest.json"])["files"].keys()


def test_without_pyarrow_the_release_leaves_out_parquet_alone(
    files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    found = files_of()
    assert files.keys() - found.keys() == {"data.parquet"}
    assert found.keys() >= {"data.csv", "data.sav", "data.dta", "manifest.json", "report.html"}
    # Neither the manifest nor the catalogue record names it.
    assert not [name for name, body in found.items() if b"parquet" in body.lower()]
    assert "application/vnd.apache.parquet" in json.loads(files["datacite.json"])["formats"]
    assert "data.parquet" in json.loads(files["manifest.json"])["files"]


def test_the_methods_text_states_required_and_reached_protection(files: dict[str, bytes]) -> None:
    said = files["methods.txt"].decode()
    assert (
        f"The release contains {len(table_of(files))} records. We generalised age, work with Sottovoce"
        in said
    )
    assert "Each group has at least 4 records" in said
    assert "has at least 2 different values of illness (l-diversity)" in said
    loss = json.loads(files["manifest.json"])["loss"]["ncp"]
    assert f"lost {loss:.3f} of the information" in said


def test_the_methods_text_counts_one_record_and_one_person_in_the_singular() -> None:
    result = prepared().result
    text = " ".join(methods_sentences(replace(result, source=replace(result.source, dropped=1), changed=1)))
    assert (
        " 1 record was left out because a value was missing. 1 record had a sensitive value changed." in text
    )
    people = np.zeros(240, dtype=np.int64)
    assert "records of 1 person." in next(methods_sentences(replace(result, people=people)))


@pytest.mark.soak
def test_no_description_files_without_a_description() -> None:
    bare = files_of(description=None)
    assert not bare.keys() & {"datacite.json", "CITATION.cff"}
    assert {"methods.txt", "data.sav", "data.dta", "codebook.json"} <= bare.keys()
