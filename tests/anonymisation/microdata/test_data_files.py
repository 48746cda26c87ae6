"""What programs read back from the four files of a release is equal."""

import csv
import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pyreadstat
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from anonymisation.microdata.background import Background, Wording
from anonymisation.microdata.column_hierarchies import hierarchies_read
from anonymisation.microdata.config import config_read
from anonymisation.microdata.publication import release_prepare
from privacy.sdc.table import Table
from privacy.sdc.unit import UNREPEATED, Counting

N = 24


def deposit_of(columns: dict[str, list[str]], wordings: dict[str, Wording] | None = None) -> dict[str, bytes]:
    """Publish columns unchanged, next to a quasi-identifier."""
    table = {"age": [str(20 + number // 4) for number in range(N)], **columns}
    insensitive = {"role": "insensitive", "missing": "value", "missing_texts": ["", "NA"]}
    document = {
        "release": {"k": 2},
        "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            **dict.fromkeys(columns, insensitive),
        },
    }
    config = config_read(document, folder=Path())
    read = Table.from_rows(list(table), zip(*table.values(), strict=True), config.rules)
    prepared = release_prepare(
        read,
        None,
        hierarchies_read(read, config),
        config,
        day="2026-11-24",
        background=Background(title="t", columns=wordings or {}),
        counting=Counting(why=UNREPEATED),
    )
    return {name.rpartition("/")[2]: body for name, body in prepared.files.items()}


def printed(value: Any) -> str:
    """Print a value as it was read, and a missing one as an empty cell."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value if isinstance(value, str) else repr(value)


def same(one: str, other: str) -> bool:
    """Compare cells: a number read as 2.0 is the number 2, but only if the file says so."""
    return one == other or (one.endswith(".0") and one.removesuffix(".0") == other)


def read_back(files: dict[str, bytes], folder: Path) -> dict[str, dict[str, list[str]]]:
    """Read each file with the library of its format, and print every cell."""
    rows = list(csv.DictReader(io.StringIO(files["data.csv"].decode())))
    found = {"csv": {name: [row[name] for row in rows] for name in rows[0]}}
    parquet = pyarrow.parquet.read_table(io.BytesIO(files["data.parquet"])).to_pydict()
    found["parquet"] = {name: list(map(printed, values)) for name, values in parquet.items()}
    for kind, read in (("sav", pyreadstat.read_sav), ("dta", pyreadstat.read_dta)):
        path = folder / f"data.{kind}"
        path.write_bytes(files[path.name])
        frame, about = read(path, user_missing=True)
        columns = {}
        for name in frame.columns:
            labels = about.variable_value_labels.get(name, {})
            columns[name] = [printed(labels.get(value, value)) for value in frame[name]]
        found[kind] = columns
    return found


def assert_equal(files: dict[str, bytes], folder: Path) -> dict[str, dict[str, list[str]]]:
    found = read_back(files, folder)
    for kind in ("parquet", "sav", "dta"):
        for (name, texts), values in zip(found["csv"].items(), found[kind].values(), strict=True):
            assert len(values) == len(texts)
            different = [pair for pair in zip(values, texts, strict=True) if not same(*pair)]
            assert not different, (kind, name, different[:3])
    return found


NUMBERS = ["1", "2", "-3", "0.5", "1000.5"]
COLUMNS = {
    "codes": ["0110", "1110", "0210"],
    "icd": ["1E2", "1E3", "2E5"],
    "versions": ["1.10", "1.1", "1.0"],
    "seventeen": ["12345678901234567", "12345678901234568"],
    "infinite": ["inf", "-inf", "Infinity"],
    "zero": ["-0", "0", "1"],
    "yes": ["True", "False"],
    "dates": ["2021-03", "2021-04", "2021 Q1"],
    "weights": ["0.2026", "6.3202", "1.0724"],
    "decimals": ["1000.5", "2001.0", "0.0"],
    "numbers": NUMBERS,
    "gaps": ["1", "", "3"],
    "answers": ["1", "NA", "3"],
    "empty": ["", "a", "b"],
    "long": ["长" * 45 + "1", "长" * 45 + "2"],
    "words": ["ja", "不详", "=1+1"],
    "large": ["999999999999999", "1"],
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[str]]]:
    columns = {name: [texts[row % len(texts)] for row in range(N)] for name, texts in COLUMNS.items()}
    return assert_equal(deposit_of(columns), tmp_path_factory.mktemp("files"))


def test_the_four_files_read_back_equal(found: dict[str, dict[str, list[str]]]) -> None:
    for name, texts in COLUMNS.items():
        written = {f"'{text}" if text.startswith("=") else text for text in texts}
        assert set(found["csv"][name]) == written, name


def test_numbers_are_numbers_and_codes_are_codes(tmp_path: Path) -> None:
    columns = {name: [texts[row % len(texts)] for row in range(N)] for name, texts in COLUMNS.items()}
    files = deposit_of(columns)
    types = dict(
        zip(
            *(lambda schema: (schema.names, schema.types))(
                pyarrow.parquet.read_schema(io.BytesIO(files["data.parquet"]))
            ),
            strict=True,
        )
    )
    (tmp_path / "data.sav").write_bytes(files["data.sav"])
    _frame, about = pyreadstat.read_sav(tmp_path / "data.sav", user_missing=True)
    numbers = {"weights", "decimals", "numbers", "gaps", "large"}
    assert {name for name in COLUMNS if types[name] in ("int64", "double")} == numbers
    labelled = set(about.variable_value_labels) - {"age"}
    assert labelled == COLUMNS.keys() - numbers - {"long"}
    # "NA" among numbers is a declared missing code, so the others stay numbers.
    assert about.variable_value_labels["answers"] == {-9.0: "NA"}
    assert about.missing_ranges["answers"] == [{"lo": -9.0, "hi": -9.0}]


TEXTS = st.one_of(
    st.integers(-(10**17), 10**17).map(str),
    st.floats(allow_nan=False).map(repr),
    st.from_regex(r"[0-9]{1,18}", fullmatch=True),
    st.from_regex(r"-?[0-9]{1,4}\.[0-9]{1,3}", fullmatch=True),
    st.from_regex(r"[0-9]{1,3}[eE][0-9]{1,2}", fullmatch=True),
    st.sampled_from(["", "NA", "nan", "inf", "True", "2021-03", "0", "-0", "不详"]),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(TEXTS, min_size=1, max_size=5), min_size=1, max_size=4))
@example([["1", "01"], ["9007199254740993", "9007199254740992"], ["1e16", "1"], ["-9", "NA", "5"]])
@pytest.mark.soak
def test_any_texts_read_back_equal(tmp_path: Path, values: list[list[str]]) -> None:
    columns = {
        f"c{number}": [texts[row % len(texts)] for row in range(N)] for number, texts in enumerate(values)
    }
    assert_equal(deposit_of(columns), tmp_path)


def test_labels_of_an_imported_file_stay_with_its_numbers(tmp_path: Path) -> None:
    wording = Wording(answers={"1": {"": "male"}, "2": {"": "female"}})
    files = deposit_of({"sex": ["1", "2"] * (N // 2)}, {"sex": wording})
    (tmp_path / "data.dta").write_bytes(files["data.dta"])
    frame, about = pyreadstat.read_dta(tmp_path / "data.dta")
    assert about.variable_value_labels["sex"] == {1: "male", 2: "female"}
    assert np.bincount(frame["sex"].astype(int)).tolist() == [0, 12, 12]
