"""Workbooks: titles above the header, cells beyond it, notes below the table."""

import io
import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from privacy.errors import PrivacyError
from privacy.tables import packed_file
from privacy.tables.column_names import name_columns
from privacy.tables.columns import ReadTable
from privacy.tables.table_file import file_table
from tests.fixtures.refusals import refused
from tests.fixtures.workbooks import workbook

OPENED: list[str] = []
WATCHED: list[bool] = []


@contextmanager
def watched() -> Iterator[list[str]]:
    """List the files that this process opens."""
    if not WATCHED:
        # A hook of the interpreter cannot be removed, so it is added once.
        sys.addaudithook(
            lambda event, args: OPENED.append(str(args[0])) if event == "open" and WATCHED[0] else None
        )
        WATCHED.append(False)
    OPENED.clear()
    WATCHED[0] = True
    try:
        yield OPENED
    finally:
        WATCHED[0] = False


def test_the_watch_finds_an_opened_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with watched() as opened:
        path.write_text("x")
    assert opened == [str(path)]


DATA = [[30 + number % 3, "mf"[number % 2], "flu"] for number in range(40)]


def read(*rows: list[object]) -> ReadTable:
    return name_columns(file_table("a.xlsx", io.BytesIO(workbook(data=list(rows)))))


def test_a_title_above_the_header_of_a_sheet_is_no_header() -> None:
    table = read(["Study 7"], [], ["age", "sex", "ill"], *DATA)
    assert (table.header, len(table)) == (["age", "sex", "ill"], 40)
    assert next(iter(table.rows())) == ("30", "m", "flu")
    assert [each.key for each in table.decisions] == ["above"]


def test_cells_beyond_the_last_header_are_read_and_said() -> None:
    """They can be names or telephone numbers, so they must not vanish from view."""
    late = [[*row, None, "Tel. 0123"] if number == 30 else row for number, row in enumerate(DATA)]
    table = read(["age", "sex", "ill"], *late)
    assert table.header == ["age", "sex", "ill", "column 4", "column 5"]
    assert table.column("column 5").counts == {"": 39, "Tel. 0123": 1}
    assert str(table.decisions).splitlines()[-1] == "The file gives no name to “column 5”."


def test_notes_below_a_sheet_are_no_records() -> None:
    table = read(["age", "sex", "ill"], *DATA, [], ["Source: own"], ["Weighted"])
    assert len(table) == 40
    assert [str(each) for each in table.decisions] == [
        "Lines below the table that were left out: 2. The first one is “Source: own”."
    ]


def test_records_of_zeros_are_records() -> None:
    assert len(read(["a", "b"], *[[0, 0]] * 5)) == 5


def file_of(frame: pd.DataFrame, ending: str, path: Path, **options: Any) -> bytes:
    write = {"parquet": pd.DataFrame.to_parquet, "sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}
    write[ending](frame, str(path), **options)  # type: ignore[operator]
    return path.read_bytes()


def test_limits_hold_for_stated_sizes_and_for_unpacked_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten cells in two columns are five records."""
    limits = packed_file.TableLimits(2, 10)
    limits.check_head(5, 200_000_000)
    for rows, size in ((6, 0), (0, 200_000_001)):
        with refused("table_file"):
            limits.check_head(rows, size)
    monkeypatch.setattr(packed_file, "_MOST_CHARACTERS", 8)
    limits.check([["a", "bb", ""], ["", "", "ccc"]])
    limits.check([["d", "e"], ["", ""]])
    with refused("table_file"):
        limits.check([[""], [""]])
    letters = packed_file.TableLimits(2, 10)
    with refused("table_file"):
        letters.check([["aaaa"], ["aaaaa"]])


@pytest.mark.parametrize(
    ("ending", "package"), [("xlsx", "openpyxl"), ("parquet", "pyarrow"), ("dta", "pyreadstat")]
)
def test_a_format_without_its_package_is_refused_by_name(
    ending: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_file, "find_spec", lambda name: None)
    with refused("table_file", package):
        file_table(f"a.{ending}", io.BytesIO(b"x"))


def test_cells_of_a_workbook_are_read_as_they_are_shown() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in (["code", "number", "text"], [7, 7, "ab"], [123456, 12, "7"]):
        sheet.append(line)
    for row, column, form in (
        (2, 1, "00000"),
        (3, 1, "00000"),
        (2, 2, "0"),
        (3, 2, "General"),
        (2, 3, "000"),
        (3, 3, "##0"),
    ):
        sheet.cell(row, column).number_format = form
    content = io.BytesIO()
    book.save(content)
    table = file_table("a.xlsx", io.BytesIO(content.getvalue()))
    assert list(table.rows()) == [("00007", "7", "ab"), ("123456", "12", "7")]


def test_a_formula_is_read_as_the_value_that_was_saved() -> None:
    book = io.BytesIO(workbook(data=[["a", "b"], ["=1+1", 5]]))
    content = io.BytesIO()
    with zipfile.ZipFile(book) as old, zipfile.ZipFile(content, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name, re.sub(rb"<v ?/>|<v></v>", b"<v>2</v>", text))
    assert list(file_table("a.xlsx", io.BytesIO(content.getvalue())).rows()) == [("2", "5")]


def test_the_only_sheet_with_cells_is_read_and_others_by_name() -> None:
    lines: list[list[object]] = [["a", "b"], [1, 2]]
    one = io.BytesIO(workbook(empty=[], data=lines))
    assert list(file_table("a.xlsx", one).rows()) == [("1", "2")]
    two = workbook(first=lines, second=[["a", "b"], [3, 4]], empty=[])
    assert list(file_table("a.xlsx", io.BytesIO(two), sheet="second").rows()) == [("3", "4")]
    for sheet in ("", "third", "empty"):
        with pytest.raises(PrivacyError, match="first, second"):
            file_table("a.xlsx", io.BytesIO(two), sheet=sheet)
    with refused("table_file"):
        file_table("a.xlsx", io.BytesIO(workbook(empty=[])))


def test_workbooks_and_columns_with_too_many_characters_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The records have four characters."""
    lines: list[list[object]] = [["long name", "b"], ["aa", "bb"]]
    frame = pd.DataFrame({"a": ["aa"], "b": ["bb"]})
    files = {"xlsx": workbook(data=lines)}
    files |= {ending: file_of(frame, ending, tmp_path / f"a.{ending}") for ending in ("parquet", "sav")}
    for ending, raw in files.items():
        monkeypatch.setattr(packed_file, "_MOST_CHARACTERS", 4)
        assert list(file_table(f"a.{ending}", io.BytesIO(raw)).rows()) == [("aa", "bb")]
        monkeypatch.setattr(packed_file, "_MOST_CHARACTERS", 3)
        with refused("table_file"):
            file_table(f"a.{ending}", io.BytesIO(raw))


def test_parquet_keeps_every_cell_and_an_empty_one(tmp_path: Path) -> None:
    frame = pd.DataFrame({"ill": ["flu", None, "cold", "flu"], "n": [1, 2, 3, 4], "w": [0.5, 1.5, None, 2.0]})
    frame["kind"] = pd.Categorical(["x", "y", None, "x"])
    table = file_table("a.parquet", io.BytesIO(file_of(frame, "parquet", tmp_path / "a.parquet")))
    assert list(table.rows()) == [
        ("flu", "1", "0.5", "x"), ("", "2", "1.5", "y"), ("cold", "3", "", ""), ("flu", "4", "2", "x"),
    ]  # fmt: skip


@pytest.mark.parametrize("ending", ["parquet", "sav"])
def test_packed_tables_with_too_many_cells_are_refused(ending: str, tmp_path: Path) -> None:
    raw = file_of(pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]}), ending, tmp_path / f"a.{ending}")
    assert len(file_table(f"a.{ending}", io.BytesIO(raw), most_cells=6)) == 3
    with refused("table_file"):
        file_table(f"a.{ending}", io.BytesIO(raw), most_cells=5)


def test_spss_files_declare_missing_codes_and_ranges(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"age": [30.0, 96.0, 97.0, 98.5, 99.0, 100.0], "ill": ["flu", "na", "cold", "x", "na", ""]}
    )
    raw = file_of(
        frame, "sav", tmp_path / "a.sav",
        column_labels=["Age in years", ""],
        variable_value_labels={"age": {97.0: " refused "}},
        missing_ranges={"age": [{"lo": 97, "hi": 99}, 96], "ill": ["na"]},
    )  # fmt: skip
    age, ill = file_table("a.sav", io.BytesIO(raw)).columns
    assert (age.label, ill.label) == ("Age in years", "")
    assert dict(age.value_labels) == {"97": "refused"}
    assert sorted(age.missing_codes) == ["96", "97", "98.5", "99"]
    assert list(ill.missing_codes) == ["na"]


def test_texts_are_in_no_range_of_missing_numbers() -> None:
    (column,) = ReadTable.of_rows(["age"], [["30"], ["98"], ["old"], [""]]).columns
    about = SimpleNamespace(missing_ranges={"age": [{"lo": 97, "hi": 99}]}, missing_user_values={})
    assert packed_file._with_missing(column, about).missing_codes == ("98",)


def test_stata_files_declare_letters_as_missing(tmp_path: Path) -> None:
    frame = pd.DataFrame({"age": pd.Series([30, "a", 40], dtype=object)})
    raw = file_of(frame, "dta", tmp_path / "a.dta", missing_user_values={"age": ["a"]})
    (age,) = file_table("a.dta", io.BytesIO(raw)).columns
    assert list(age.missing_codes) == ["a"]
