"""Tables from files: three kinds read alike, and what is too large, damaged or ambiguous is refused."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pandas
import pyreadstat
import pytest

from releases.deposits.uploaded import MOST_BYTES, MOST_CELLS, table_from_file, table_pack, table_take
from surveys.errors.error import SurveyError
from tests.cast.swollen_files import modest_parquet, modest_zsav

PEOPLE = pandas.DataFrame({"age": [31.0, 45.5, None], "sex": ["f", "", "m"]})
READ = (["age", "sex"], [["31", "f"], ["45.5", ""], ["", "m"]])


def as_csv(_where: Path) -> bytes:
    return b"age,sex\n31,f\n45.5,\n,m\n"


def as_parquet(_where: Path) -> bytes:
    file = io.BytesIO()
    PEOPLE.to_parquet(file)
    return file.getvalue()


def as_sav(where: Path) -> bytes:
    path = where / "people.sav"
    pyreadstat.write_sav(PEOPLE, str(path))
    return path.read_bytes()


@pytest.mark.parametrize(("ending", "write"), [("csv", as_csv), ("parquet", as_parquet), ("sav", as_sav)])
def test_a_table_is_the_same_whatever_kind_of_file_it_came_in(
    ending: str, write: Callable[[Path], bytes], tmp_path: Path
) -> None:
    before = set(os.listdir("/proc/self/fd"))
    assert table_from_file(f"people.{ending}", write(tmp_path)) == READ
    assert set(os.listdir("/proc/self/fd")) == before


def test_values_of_spss_are_read_by_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "answers.sav"
    answers = pandas.DataFrame({"ill": [1.0, 2.0]})
    pyreadstat.write_sav(answers, str(path), variable_value_labels={"ill": {1: "yes", 2: "no"}})
    assert table_from_file("answers.SAV", path.read_bytes()) == (["ill"], [["yes"], ["no"]])


@pytest.mark.parametrize(
    ("name", "raw", "code"),
    [
        ("people.csv", b"x" * (MOST_BYTES + 1), "deposit_file"),
        ("people.csv", b"age\n", "study_file"),
        ("people.csv", b"\xff\xfe\x00", "study_file"),
        ("people.csv", b"age,age\n1,2\n", "study_file"),
        ("people.csv", b"age,\n1,2\n", "deposit_file"),
        ("people.csv", b"age,sex\n1\n", "study_file"),
        ("people.parquet", b"PAR1 and no more", "deposit_file"),
        ("people.sav", b"$FL2 and no more", "deposit_file"),
        (
            "people.csv",
            (",".join(f"c{n}" for n in range(101)) + "\n" + "1," * 100 + "1\n").encode(),
            "deposit_file",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused(name: str, raw: bytes, code: str) -> None:
    with pytest.raises(SurveyError) as caught:
        table_from_file(name, raw)
    assert caught.value.code == code
    assert caught.value.remedy


@pytest.mark.slow
def test_a_small_file_that_unpacks_to_a_large_table_is_refused_before_it_is_unpacked() -> None:
    """Three million equal cells are a few kilobytes of Parquet."""
    file = io.BytesIO()
    pandas.DataFrame({"a": [1] * 3_000_000}).to_parquet(file)
    assert len(file.getvalue()) < 100_000
    with pytest.raises(SurveyError, match="too much for a page"):
        table_from_file("bomb.parquet", file.getvalue())


@pytest.mark.soak
def test_a_long_text_that_a_dictionary_holds_once_is_refused_for_what_it_would_be_in_full() -> None:
    file = io.BytesIO()
    pandas.DataFrame({"a": ["x" * 10_000] * 100_000}).to_parquet(file)
    assert len(file.getvalue()) < 100_000
    with pytest.raises(SurveyError, match="too large"):
        table_from_file("bomb.parquet", file.getvalue())


@pytest.mark.parametrize("ending", ["parquet", "sav"])
def test_a_head_that_says_too_little_is_not_believed(ending: str, tmp_path: Path) -> None:
    """Three million records are 13 kB of Parquet, 36 kB of SPSS: reading stops where there are too many."""
    make = {"parquet": modest_parquet, "sav": lambda rows: modest_zsav(rows, tmp_path)}[ending]
    raw = make(3_000_000)
    assert len(raw) < 100_000
    with pytest.raises(SurveyError, match="the table has more than 2000000 records") as caught:
        table_take(f"people.{ending}", raw)
    assert caught.value.value == MOST_CELLS
    assert caught.value.remedy


def test_a_table_read_in_a_child_is_the_one_read_here(tmp_path: Path) -> None:
    long = b"age,sex\n" + b"31,f\n45.5,\n" * 10_000
    for name, raw in (("p.csv", long), ("p.parquet", as_parquet(tmp_path)), ("p.sav", as_sav(tmp_path))):
        plain, packed = table_pack(raw, name)
        assert table_take(name, raw) == (plain["columns"], plain["records"], packed)
