"""Reading tables: file types, encodings, separators, labels; oversized and damaged files are refused."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pandas
import pyreadstat
import pytest
from django.utils.translation import override

from privacy.tables.columns import ReadTable, column_body
from privacy.tables.encodings import older_encoding
from surveys.errors.error import SurveyError
from surveys.imports.files.uploaded_tables import (
    MOST_TABLE_BYTES,
    MOST_TABLE_CELLS,
    table_open,
    table_pack,
    table_read,
)
from tests.fixtures.decompression_bombs import parquet_bomb, zsav_bomb
from tests.fixtures.host_files import csv_of
from tests.fixtures.workbooks import workbook

pytestmark = pytest.mark.usefixtures("read_here")

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


_OFFICE = b"\xd0\xcf\x11\xe0" + bytes(508)
KINDS = {"csv": as_csv, "parquet": as_parquet, "xlsx": as_xlsx, "sav": as_sav, "dta": as_dta}


@pytest.mark.parametrize("ending", KINDS)
def test_all_file_types_give_the_same_table(ending: str, tmp_path: Path) -> None:
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
        ("people.csv", b"x" * (MOST_TABLE_BYTES + 1), "table_file.large"),
        ("people.csv", b"", "table_file.header"),
        ("people.csv", b"\n\n", "table_file.header"),
        ("people.csv", b"age\n", "table_file.empty"),
        ("people.csv", b"\xff\xfe\x00", "table_file.text"),
        ("people.csv", b"age,\x81\n1,2\n", "table_file.text"),
        ("people.csv", b"age,sex\n1\n", "table_file.cells"),
        ("people.csv", b'age,sex\n1,"f\n', "table_file.quotes"),
        ("people.csv", b",".join([b"c"] * 501) + b"\n" + b"1," * 500 + b"1\n", "table_file.columns"),
        ("people.parquet", b"PAR1\x15 and no more", "table_file.damaged"),
        ("people.sav", b"$FL2 and no more", "table_file.damaged"),
        ("people.dta", b"no Stata at all", "table_file.damaged"),
        ("people.xlsx", b"id,q1\n", "table_file.damaged"),
        ("people.xlsx", b"", "table_file.nothing"),
        ("people.sav", b" \n", "table_file.nothing"),
        ("people.xlsx", _OFFICE + "EncryptedPackage".encode("utf-16-le"), "table_file.locked"),
        ("people.csv", _OFFICE + "EncryptedPackage".encode("utf-16-le"), "table_file.locked"),
        ("people.xls", _OFFICE + "Workbook".encode("utf-16-le"), "table_file.other"),
        ("people.xlsx", _OFFICE + "Workbook".encode("utf-16-le"), "table_file.other"),
        ("people.docx", b"PK\x03\x04 word/document.xml", "table_file.other"),
        ("people.csv", b"PK\x03\x04 opendocument.spreadsheet", "table_file.other"),
        ("people.zip", b"PK\x03\x04 people.csv", "table_file.other"),
        ("people.pdf", b"%PDF-1.7 ...", "table_file.other"),
        ("people.xlsx", b"\x89PNG ...", "table_file.other"),
        ("people.csv", b"PK\x03\x04 xl/workbook.xml", "table_file.ending"),
        ("people.txt", b"$FL2 and no more", "table_file.ending"),
        ("people.sav", b"PAR1\x15 and no more", "table_file.ending"),
    ],
)
def test_files_without_a_table_are_refused(name: str, raw: bytes, case: str) -> None:
    with pytest.raises(SurveyError) as caught:
        table_read(name, raw)
    assert caught.value.case == case
    assert caught.value.remedy


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "sav", "dta"])
@pytest.mark.parametrize("part", ["random", "half", "without its end"])
def test_damaged_files_are_named_as_what_they_were(ending: str, part: str, tmp_path: Path) -> None:
    raw = KINDS[ending](tmp_path)
    damaged = {"random": bytes(range(256)) * 8, "half": raw[: len(raw) // 2], "without its end": raw[:-12]}
    with pytest.raises(SurveyError, match=r"this is not a readable \w+ file: it is damaged or incomplete"):
        table_read(f"people.{ending}", damaged[part])


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "sav", "dta"])
def test_a_file_under_the_name_of_another_kind_says_what_it_is(ending: str, tmp_path: Path) -> None:
    raw = KINDS[ending](tmp_path)
    for other in sorted({"csv", "txt", *KINDS} - {ending}):
        with pytest.raises(SurveyError) as caught:
            table_read(f"people.{other}", raw)
        assert caught.value.message == f"this is a .{ending} file, but its name is “people.{other}”"


def test_parquet_is_refused_with_a_remedy_where_pyarrow_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = as_parquet(tmp_path)
    (tmp_path / "people.parquet").write_bytes(raw)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SurveyError) as caught:
        table_read("people.parquet", raw)
    assert (caught.value.case, caught.value.value) == ("table_file.package", "pyarrow")
    assert caught.value.message == "Parquet files cannot be read here, because pyarrow is not installed"
    assert caught.value.remedy == "save the file as CSV, or install pyarrow"
    with override("zh-hans"), pytest.raises(SurveyError, match="没有安装 pyarrow"):
        table_open(tmp_path / "people.parquet")
    assert len(table_read("people.dta", as_dta(tmp_path))) == len(ROWS)


def test_line_errors_give_the_line_and_file_errors_the_cause(tmp_path: Path) -> None:
    with pytest.raises(SurveyError, match=r"line 4 has a different number of cells \(2\)"):
        table_read("a.csv", b"id,q1,note\n1,2,3\n\n1,2\n")
    with pytest.raises(SurveyError, match=r"none\.csv cannot be read: No such file"):
        table_open(tmp_path / "none.csv")
    with (tmp_path / "large.csv").open("wb") as large:
        os.truncate(large.fileno(), 2 * 10**9)
    with pytest.raises(SurveyError, match="2,000,000,000 bytes"):
        table_open(tmp_path / "large.csv")


@pytest.mark.soak
def test_tables_read_in_a_child_process_are_identical(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    long = b"age,sex\n" + b"31,f\n45.5,\n" * 10_000
    for name, raw in (("p.csv", long), ("p.parquet", as_parquet(tmp_path))):
        _plain, pieces = table_pack(raw, name, MOST_TABLE_CELLS, "")
        read = table_read(name, raw)
        assert [*map(column_body, read.columns), read.lines.tobytes()] == pieces


def test_workbooks_with_several_sheets_need_a_sheet_name(tmp_path: Path) -> None:
    data = [["age", "sex"], [31, "f"], [45, "m"]]
    raw = workbook(readme=[["note"], ["see data"]], data=data, empty=[])
    with pytest.raises(SurveyError) as asked:
        table_read("people.xlsx", raw)
    assert (asked.value.case, asked.value.fields["names"]) == ("table_file.sheets", "readme, data")
    assert list(table_read("people.xlsx", raw, sheet="data").rows()) == [("31", "f"), ("45", "m")]
    for unknown in ("Data", "empty"):
        with pytest.raises(SurveyError) as refused:
            table_read("people.xlsx", raw, sheet=unknown)
        assert (refused.value.case, refused.value.value) == ("table_file.sheet", unknown)
    (tmp_path / "people.xlsx").write_bytes(raw)
    assert table_open(tmp_path / "people.xlsx", sheet="data").header == ["age", "sex"]
    # Empty sheets are ignored, wherever they are.
    assert table_read("people.xlsx", workbook(empty=[], data=data)).header == ["age", "sex"]
    with pytest.raises(SurveyError) as refused:
        table_read("people.xlsx", workbook(empty=[]))
    assert refused.value.case == "table_file.header"


def test_spss_and_stata_labels_and_missing_codes_are_kept(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"sex": [1.0, 2.0, 9.0, -4.0, None], "note": ["a", "b", "c", "d", "e"]})
    labels = {"sex": {1: "male", 2: "female", 9: "refused"}}
    named = {"column_labels": ["Sex of the person", ""], "variable_value_labels": labels}
    ranges = {"sex": [9, {"lo": -9, "hi": -1}]}
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"), missing_ranges=ranges, **named)
    column = table_open(tmp_path / "a.sav").column("sex")
    assert (column.texts, column.label) == (["1", "2", "9", "-4", ""], "Sex of the person")
    assert column.value_labels == {"1": "male", "2": "female", "9": "refused"}
    assert column.missing_codes == ("9", "-4")
    frame["sex"] = [1, 2, "a", 1, "b"]
    pyreadstat.write_dta(frame, str(tmp_path / "a.dta"), missing_user_values={"sex": ["a", "b"]}, **named)
    column = table_open(tmp_path / "a.dta").column("sex")
    assert (column.texts, column.missing_codes) == (["1", "2", "a", "1", "b"], ("a", "b"))
    read = ReadTable(columns=(column,), lines=table_open(tmp_path / "a.dta").lines)
    assert read.with_labels().column("sex").texts == ["male", "female", "", "male", ""]


def test_workbook_dates_and_times_are_read_as_iso_text() -> None:
    file = io.BytesIO()
    stamps = pandas.to_datetime(["2021-03-04 00:00", "2021-03-05 10:30"])
    pandas.DataFrame({"day": stamps, "n": [1, 2]}).to_excel(file, index=False)
    assert table_read("a.xlsx", file.getvalue()).column("day").texts == ["2021-03-04", "2021-03-05 10:30:00"]


def test_whole_numbers_and_bytes_are_read_exactly() -> None:
    file = io.BytesIO()
    pandas.DataFrame({"id": [2**53, 2**53 + 1], "town": ["Köln".encode(), b"Bonn"]}).to_parquet(file)
    table = table_read("a.parquet", file.getvalue())
    assert list(table.rows()) == [("9007199254740992", "Köln"), ("9007199254740993", "Bonn")]


@pytest.mark.slow
def test_decompression_bombs_are_rejected_before_unpacking() -> None:
    """A few kilobytes of Parquet can hold very many equal cells."""
    file = io.BytesIO()
    pandas.DataFrame({"a": [1] * 300_000}).to_parquet(file)
    assert len(file.getvalue()) < 10_000
    with pytest.raises(SurveyError, match="too large: 300,000 records in 1 column"):
        table_read("bomb.parquet", file.getvalue(), most_cells=200_000)


@pytest.mark.soak
def test_dictionary_encoded_columns_count_at_their_full_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    file = io.BytesIO()
    pandas.DataFrame({"a": ["x" * 10_000] * 100_000}).to_parquet(file)
    assert len(file.getvalue()) < 100_000
    with pytest.raises(SurveyError, match="the table is too large"):
        table_read("bomb.parquet", file.getvalue())


@pytest.mark.parametrize("ending", ["parquet", "sav"])
def test_understated_row_counts_in_headers_are_not_trusted(ending: str, tmp_path: Path) -> None:
    """A few kilobytes of Parquet or SPSS can hold very many records; reading stops at the limit."""
    make: dict[str, Callable[[int], bytes]] = {
        "parquet": parquet_bomb,
        "sav": lambda rows: zsav_bomb(rows, tmp_path),
    }
    raw = make[ending](300_000)
    assert len(raw) < 100_000
    with pytest.raises(SurveyError, match="the table is too large: more than 200,000 records"):
        table_read(f"people.{ending}", raw, most_cells=200_000)


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
def test_separators_and_encodings_are_detected(sign: str, encoding: str) -> None:
    lines = [["北京市", "31", "a, b; c"], ["上海市", "45", "first\nsecond"], ["成都市", "27", "end"]]
    raw = csv_of(["城市", "年龄", "备注"], lines, sign=sign).decode().encode(encoding)
    table = table_read("people.csv", raw)
    assert (table.header, [list(row) for row in table.rows()]) == (["城市", "年龄", "备注"], lines)
    # Line numbers as in an editor, where a cell with a line break takes two lines.
    assert table.lines.tolist() == [2, 3, 5]


def test_qualtrics_header_rows_become_labels_not_records() -> None:
    heads = [["Response ID", "How old are you?"], ['{"ImportId":"_recordId"}', '{"ImportId":"QID1"}']]
    table = table_read("a.csv", csv_of(["id", "q1"], [*heads, ["R1", "31"], ["R2", "45"]]))
    assert (list(table.rows()), table.lines.tolist()) == ([("R1", "31"), ("R2", "45")], [4, 5])
    assert [column.label for column in table.columns] == ["Response ID", "How old are you?"]


@pytest.mark.parametrize("sign", [";", ",", "\t", "|"])
def test_a_sep_line_sets_the_separator_and_is_skipped(sign: str) -> None:
    raw = f'sep={sign}\nage{sign}note\n31{sign}"a{sign}b, c; d"\n45{sign}x\n'.encode()
    table = table_read("people.csv", raw)
    assert table.header == ["age", "note"]
    assert [row[0] for row in table.rows()] == ["31", "45"]
    assert table.lines.tolist() == [3, 4]


def test_declared_separators_override_more_frequent_ones() -> None:
    table = table_read("people.csv", b"sep=;\na,b;c,d\n1,5;2,5\n")
    assert (table.header, list(table.rows())) == (["a,b", "c,d"], [("1,5", "2,5")])


TEXTS = {
    "cp1251": "возраст;пол\n31;мужской\n20;женский\n",
    "cp1250": "wiek;płeć;miasto\n31;żeńska;Łódź\n20;męska;Kraków\n",
    "cp1252": "Straße;Größe\nMüllerweg;1,75\nAllée;1,80\n",
    "cp1254": "yaş;cinsiyet;şehir\n31;kadın;İstanbul\n20;erkek;Muğla\n45;kadın;Eskişehir\n",
    "big5": "年齡;性別\n31;女性\n20;男性\n",
    "shift_jis": "年齢;性別\n31;女性\n20;おとこ\n",
    "cp949": "나이;성별;지역\n31;여성;서울특별시\n20;남성;부산광역시\n20;남성;대구광역시\n",
    "gb18030": "年龄;性别\n31;女性\n20;男性\n",
}


@pytest.mark.soak
@pytest.mark.parametrize("encoding", TEXTS)
@pytest.mark.few("cp1252", why="the others execute nothing more")
def test_tables_in_older_encodings_are_read(encoding: str) -> None:
    header, body = TEXTS[encoding].split("\n", 1)
    assert older_encoding(TEXTS[encoding].encode(encoding)) == encoding
    others = header.count(";")
    # The first letter that is not ASCII may come late, and lines may end as in a file of an old Macintosh.
    for top in (header + "\n", "id" + ";a" * others + "\n" + ("p" + ";b" * others + "\n") * 20_000):
        for end in ("\n", "\r"):
            text = top + body * 40
            table = table_read("people.csv", text.replace("\n", end).encode(encoding))
            rows = [";".join(table.header), *(";".join(row) for row in table.rows())]
            assert rows == text.split("\n")[:-1]


def test_ambiguous_encodings_are_reported_with_sample_words() -> None:
    raw = "나이;성별\n31;여성\n20;남성\n".encode("cp949")
    with pytest.raises(SurveyError, match="EUC-KR: 나이, 성별, 여성") as caught:
        table_read("people.csv", raw)
    assert caught.value.case == "table_file.encoding"
    assert "UTF-8" in str(caught.value.remedy)
