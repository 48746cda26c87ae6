"""Any file read alike: kinds, encodings, signs, labels; what is too large, damaged or ragged is refused."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pandas
import pyreadstat
import pytest

from surveys.errors.error import SurveyError
from surveys.tables.reading import MOST_BYTES, MOST_CELLS, table_open, table_pack, table_read
from surveys.tables.table import column_pack

PEOPLE = pandas.DataFrame({"age": [31.0, 45.5, None], "sex": ["f", "", "m"]})
ROWS = [("31", "f"), ("45.5", ""), ("", "m")]


def as_csv(_where: Path) -> bytes:
    return b"age,sex\n31,f\n45.5,\n,m\n"


def as_parquet(_where: Path) -> bytes:
    file = io.BytesIO()
    PEOPLE.to_parquet(file)
    return file.getvalue()


def as_xlsx(_where: Path) -> bytes:
    file = io.BytesIO()
    PEOPLE.to_excel(file, index=False)
    return file.getvalue()


def as_sav(where: Path) -> bytes:
    pyreadstat.write_sav(PEOPLE, str(where / "people.sav"))
    return (where / "people.sav").read_bytes()


def as_dta(where: Path) -> bytes:
    pyreadstat.write_dta(PEOPLE, str(where / "people.dta"))
    return (where / "people.dta").read_bytes()


KINDS = {"csv": as_csv, "parquet": as_parquet, "xlsx": as_xlsx, "sav": as_sav, "dta": as_dta}


@pytest.mark.parametrize("ending", KINDS)
def test_a_table_is_the_same_whatever_kind_of_file_it_came_in(ending: str, tmp_path: Path) -> None:
    raw = KINDS[ending](tmp_path)
    before = set(os.listdir("/proc/self/fd"))
    table = table_read(f"people.{ending.upper()}", raw)
    (tmp_path / f"again.{ending}").write_bytes(raw)
    again = table_open(tmp_path / f"again.{ending}")
    for read in (table, again):
        assert (read.header, list(read.rows()), read.lines.tolist()) == (["age", "sex"], ROWS, [2, 3, 4])
    assert set(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(
    ("name", "raw", "case"),
    [
        ("people.csv", b"x" * (MOST_BYTES + 1), "table_file.large"),
        ("people.csv", b"", "table_file.header"),
        ("people.csv", b"\n\n", "table_file.header"),
        ("people.csv", b"age\n", "table_file.empty"),
        ("people.csv", b"\xff\xfe\x00", "table_file.text"),
        ("people.csv", b"age,\x81\n1,2\n", "table_file.text"),
        ("people.csv", b"age,sex\n1\n", "table_file.cells"),
        ("people.csv", b'age,sex\n1,"f\n', "table_file.quotes"),
        ("people.csv", b",".join([b"c"] * 501) + b"\n" + b"1," * 500 + b"1\n", "table_file.columns"),
        ("people.parquet", b"PAR1 and no more", "table_file.damaged"),
        ("people.sav", b"$FL2 and no more", "table_file.damaged"),
        ("people.dta", b"no Stata at all", "table_file.damaged"),
        ("people.xlsx", b"id,q1\n", "table_file.damaged"),
    ],
)
def test_a_file_that_is_no_table_is_refused(name: str, raw: bytes, case: str) -> None:
    with pytest.raises(SurveyError) as caught:
        table_read(name, raw)
    assert caught.value.case == case
    assert caught.value.remedy


def test_what_is_wrong_with_a_line_is_said_with_its_number_and_the_name_of_no_file_is(tmp_path: Path) -> None:
    with pytest.raises(SurveyError, match="line 4 has 2 cells, but the header has 3"):
        table_read("a.csv", b"id,q1,note\n1,2,3\n\n1,2\n")
    with pytest.raises(SurveyError, match=r"none\.csv cannot be read: No such file"):
        table_open(tmp_path / "none.csv")
    with (tmp_path / "large.csv").open("wb") as large:
        os.truncate(large.fileno(), 2 * 10**9)
    with pytest.raises(SurveyError, match="2000000000 bytes"):
        table_open(tmp_path / "large.csv")


def test_a_table_read_in_a_child_is_the_one_read_here(tmp_path: Path) -> None:
    long = b"age,sex\n" + b"31,f\n45.5,\n" * 10_000
    for name, raw in (("p.csv", long), ("p.parquet", as_parquet(tmp_path)), ("p.sav", as_sav(tmp_path))):
        sizes, packed = table_pack(raw, name, MOST_CELLS)
        read = table_read(name, raw)
        assert b"".join([*map(column_pack, read.columns), read.lines.tobytes()]) == packed
        assert sum(sizes) == len(packed)
