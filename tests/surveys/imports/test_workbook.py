"""Workbooks from outside: which parts the importer reads, and which it refuses before unpacking any."""

from __future__ import annotations

import io
import zipfile

import pytest

from surveys.imports import unpacking as bounds
from surveys.imports.unpacking import ROW, form_parse, form_plain
from surveys.questionnaire.document import DefinitionError
from tests.fixtures.workbooks import SURVEY, form, repacked, xlsform_read


def refusal(raw: bytes) -> str:
    with pytest.raises(DefinitionError) as caught:
        xlsform_read(raw)
    (problem,) = caught.value.problems
    assert problem.remedy
    return str(problem)


def zipped(**parts: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"type,name\ntext,a",
        b"PK\x03\x04 broken",
        zipped(text=b"a zip of something else"),
        form()[:-200],
        bounds._OLE + b"\x00" * 600,
    ],
)
def test_what_is_no_workbook_is_refused(raw: bytes) -> None:
    assert "the file is not a workbook" in refusal(raw)


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"])
def test_a_workbook_with_a_broken_part_is_refused(part: str) -> None:
    assert "not a workbook" in refusal(repacked(form(), lambda parts: parts.update({part: b"<broken"})))


def test_a_zip_that_grows_too_much_is_refused_before_it_is_unpacked() -> None:
    bomb = repacked(form(), lambda parts: parts.update({"xl/media/bomb": b"\x00" * 20_000_001}))
    assert len(bomb) < 100_000
    assert "unpacks to" in refusal(bomb)


def test_a_zip_that_declares_less_than_it_holds_is_refused() -> None:
    # The directory at the end says 10 bytes where the part unpacks to ten thousand.
    raw = repacked(form(), lambda parts: parts.update({"xl/media/liar": b"\x00" * 10_000}))
    assert raw.count((10_000).to_bytes(4, "little")) >= 1
    assert "not a workbook" in refusal(
        raw.replace((10_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    )


def test_a_zip_of_too_many_parts_is_refused() -> None:
    raw = repacked(form(), lambda parts: parts.update({f"xl/{n}.txt": b"" for n in range(201)}))
    assert "unpacks to" in refusal(raw)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("part", ["xl/styles.xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"])
def test_entities_are_refused_in_every_part_that_is_read(part: str, encoding: str) -> None:
    laughs = (
        f'<?xml version="1.0" encoding="{encoding}"?>'
        '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><l>&b;</l>'
    ).encode(encoding)
    raw = repacked(form(), lambda parts: parts.update({part: laughs}))
    assert "not a workbook" in refusal(raw)


def test_properties_of_an_archive_in_utf_16_are_no_obstacle() -> None:
    properties = '<?xml version="1.0" encoding="utf-16"?><a>b</a>'.encode("utf-16")
    assert xlsform_read(repacked(form(), lambda parts: parts.update({"customXml/item1.xml": properties})))


def test_macros_are_refused_and_a_content_type_alone_is_none() -> None:
    raw = repacked(form(), lambda parts: parts.update({"xl/vbaProject.bin": b"macro"}))
    assert "contains macros" in refusal(raw)
    declared = repacked(
        form(),
        lambda parts: parts.update(
            {
                "[Content_Types].xml": parts["[Content_Types].xml"].replace(
                    b"vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
                    b"vnd.ms-excel.sheet.macroEnabled.main+xml",
                )
            }
        ),
    )
    assert xlsform_read(declared).questions


def test_each_row_keeps_its_number_and_quotation_marks_stay() -> None:
    lines = [*SURVEY[:4], ["select_one yes_no", "quoted", "“Never”?", "“从不”？"], *SURVEY[4:]]
    parsed = form_parse(form(survey=lines))
    questions = parsed["form"]["children"][0]["children"]
    assert [question[ROW] for question in questions] == ["3", "4", "5", "6"]
    assert questions[2]["label"]["English (en)"] == "“Never”?"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (bounds._OLE + bounds._MACROS, "contains macros"),
        (b"PK" + b"\x00" * 2_000_000, "more than 2000000 bytes"),
    ],
)
def test_a_refusal_of_the_child_arrives_with_its_remedy(raw: bytes, said: str) -> None:
    with pytest.raises(DefinitionError, match=said) as caught:
        form_parse(raw)
    assert all(problem.remedy for problem in caught.value.problems)


def test_pyxforms_own_words_are_given_where_it_refuses_a_form() -> None:
    plain, payload = form_plain(form(survey=[*SURVEY, ["select_one nowhere", "q", "Q?"]]))
    assert payload == b""
    assert "List name not in choices sheet" in plain["problems"][0]["message"]
