"""Workbooks of other programs are imported in full, even if sheet sizes, styles or properties are wrong."""

import io
import re
from datetime import date

import pytest

from privacy.tables.table_file import file_table
from surveys.imports.files.reader_process import form_parse
from tests.fixtures.workbooks import CHOICES, form, repacked, workbook, xlsform_read

ROWS = [["type", "name", "label"], *(["select_one yes_no", f"q{n}", f"Have you lied {n}?"] for n in range(4))]


def with_size(raw: bytes, size: bytes) -> bytes:
    """State another size of the first sheet."""

    def change(parts: dict[str, bytes]) -> None:
        name = "xl/worksheets/sheet1.xml"
        parts[name], count = re.subn(
            rb'<dimension ref="[^"]*"', b'<dimension ref="' + size + b'"', parts[name]
        )
        assert count == 1

    return repacked(raw, change)


@pytest.mark.parametrize("size", [b"A1", b"A1:C3", b"A1:A9"])
def test_all_rows_of_a_form_are_read_whatever_size_its_sheet_states(size: bytes) -> None:
    survey = xlsform_read(with_size(workbook(survey=ROWS, choices=CHOICES), size))
    assert [question.key for question in survey.questions] == ["q0", "q1", "q2", "q3"]


def test_all_rows_of_a_table_are_read_whatever_size_its_sheet_states() -> None:
    raw = with_size(workbook(people=[["age", "town"], *([n, f"town {n}"] for n in range(30, 40))]), b"A1:A3")
    columns = file_table("people.xlsx", io.BytesIO(raw)).columns
    assert [(column.name, len(column.values)) for column in columns] == [("age", 10), ("town", 10)]


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("xl/styles.xml", b"<cellXfs", b'<cellXfs><xf><alignment indent="-1"/></xf></cellXfs><cellXfs'),
        ("xl/styles.xml", b"<fonts", b'<fonts><font><sz val="large"/></font></fonts><fonts'),
        ("docProps/core.xml", b"</cp:coreProperties>", b"<unknown/></cp:coreProperties>"),
    ],
)
def test_faults_of_styles_and_properties_do_not_matter(part: str, old: bytes, new: bytes) -> None:
    def change(parts: dict[str, bytes]) -> None:
        assert old in parts[part]
        parts[part] = parts[part].replace(old, new, 1)

    assert xlsform_read(repacked(form(), change)).questions


def test_dates_are_still_read_as_dates() -> None:
    settings = [["form_title", "version"], ["Work", date(2026, 3, 1)]]
    assert form_parse(form(settings=settings))["form"]["version"].startswith("2026-03-01")
