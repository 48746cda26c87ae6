"""Workbooks of texts."""

import io

import openpyxl

from surveys.formats.workbook import workbook_write


def test_workbooks_are_formatted_for_reading() -> None:
    raw = workbook_write([{"where": "title", "en": "Our town", "zh-hans": "=1+1"}])
    sheet = openpyxl.load_workbook(io.BytesIO(raw)).active
    assert sheet is not None
    assert sheet.freeze_panes == "B2"
    assert sheet.column_dimensions["B"].width == 48
    assert sheet["B2"].alignment.wrap_text
    assert (sheet["C2"].value, sheet["C2"].data_type) == ("=1+1", "s")
