"""Files that tools export: CSV of three signs, the heads of Qualtrics, Excel, SPSS; every damage is named."""

from __future__ import annotations

import io

import pandas as pd
import pyreadstat
import pytest

from surveys.embed.host_file import host_file
from surveys.errors.error import SurveyError
from tests.cast.host_files import csv_of

HEADER = ["id", "q1", "note"]
LINES = [["1", "sotto1.x", "a, b; c"], ["2", "", "first\nsecond"], ["3", "sotto1.y", "end"]]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_lines_are_numbered_as_editors_count_them(sign: str) -> None:
    file = host_file("a.csv", b"\xef\xbb\xbf" + csv_of(HEADER, LINES, sign=sign))
    assert file.header == tuple(HEADER)
    assert [(number, list(cells)) for number, cells in file.lines()] == list(
        zip((2, 3, 5), LINES, strict=True)
    )
    assert len(list(file.lines())) == 3  # as often as it is wanted


def test_the_heads_of_qualtrics_are_no_people() -> None:
    heads = [["Response ID", "Protected", "Note"], ['{"ImportId":"_recordId"}', '{"ImportId":"QID1"}', "{}"]]
    file = host_file("a.csv", csv_of(HEADER, [*heads, *LINES]))
    assert [number for number, _cells in file.lines()] == [4, 5, 7]


def test_excel_and_spss_hold_the_same(tmp_path) -> None:
    frame = pd.DataFrame(LINES, columns=HEADER)
    book = io.BytesIO()
    frame.to_excel(book, index=False)
    pyreadstat.write_sav(frame, tmp_path / "a.sav")
    for name, raw in (("a.xlsx", book.getvalue()), ("a.sav", (tmp_path / "a.sav").read_bytes())):
        file = host_file(name, raw)
        assert file.header == tuple(HEADER)
        assert [list(cells) for _number, cells in file.lines()] == LINES


@pytest.mark.parametrize(
    ("name", "raw", "case"),
    [
        ("a.csv", b"", "host_file.header"),
        ("a.csv", b"\xff\xfe\x00", "host_file.text"),
        ("a.csv", b"\n\n", "host_file.header"),
        ("a.xlsx", b"id,q1\n", "host_file.damaged"),
        ("a.sav", b"id,q1\n", "host_file.damaged"),
    ],
)
def test_what_is_no_file_of_a_tool_is_refused_by_name(name: str, raw: bytes, case: str) -> None:
    with pytest.raises(SurveyError) as caught:
        host_file(name, raw)
    assert caught.value.case == case


def test_a_line_of_another_length_is_named() -> None:
    with pytest.raises(SurveyError, match="line 3 has 2 cells, and the header 3"):
        list(host_file("a.csv", b"id,q1,note\n1,2,3\n1,2\n").lines())
